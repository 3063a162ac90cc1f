"""Coast lines for a map, cut to its window; from ``land.json``, which the front-end build writes.

Natural Earth's 1:50m land (public domain) as rings of longitude and latitude.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache

from rdfkms import resources

Point = tuple[float, float]
Window = tuple[float, float, float, float]  # west, south, east, north in degrees
FILE = "web/static/vendor/land.json"


@cache
def _rings() -> tuple[tuple[Window, tuple[Point, ...]], ...]:
    """Return all rings with the window that each fills; none where the build is not there."""
    path = resources.file(FILE)
    if not path.is_file():
        return ()
    found = []
    for ring in json.loads(path.read_bytes()):
        points = tuple((float(x), float(y)) for x, y in ring)
        xs, ys = [x for x, _ in points], [y for _, y in points]
        found.append(((min(xs), min(ys), max(xs), max(ys)), points))
    return tuple(found)


def land(window: Window) -> list[list[Point]]:
    """Return the polygons of land within a window."""
    west, south, east, north = window
    found = []
    for (left, low, right, high), ring in _rings():
        for turn in (0.0, 360.0):  # what lies beyond the date line
            if left + turn < east and right + turn > west and low < north and high > south:
                cut = _cut([(x + turn, y) for x, y in ring] if turn else ring, window)
                if len(cut) > 2:
                    found.append(cut)
    return found


def _cut(ring: Sequence[Point], window: Window) -> list[Point]:
    """Return a polygon cut at the four sides of a window, one after another."""
    west, south, east, north = window
    points = list(ring)
    for at, axis, inside in ((west, 0, 1), (east, 0, -1), (south, 1, 1), (north, 1, -1)):
        points = _side(points, at, axis, inside)
        if not points:
            break
    return points


def _side(points: Sequence[Point], at: float, axis: int, inside: int) -> list[Point]:
    """Return a polygon cut at one side: `inside` is 1 where more is within, -1 where less is."""
    kept: list[Point] = []
    for one, other in zip(points, (*points[1:], points[0]), strict=True):
        here, there = ((point[axis] - at) * inside >= 0 for point in (one, other))
        if here:
            kept.append(one)
        if here != there:
            share = (at - one[axis]) / (other[axis] - one[axis])
            crossing = [one[k] + share * (other[k] - one[k]) for k in (0, 1)]
            crossing[axis] = at
            kept.append((crossing[0], crossing[1]))
    return kept
