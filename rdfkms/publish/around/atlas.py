"""The places around a thing on a map.

The sources give no coordinates. A place stands on the map where a reviewer has admitted that it is
an entry of an authority file, and that file (`[authorities.NAME] file`) tells where the entry lies.
All other places are listed without a position.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, radians

from pyoxigraph import NamedNode

from rdfkms.errors import RdfkmsError
from rdfkms.knowledge import authorities, authorityfile
from rdfkms.ledger.archive import Archive
from rdfkms.model import Ref
from rdfkms.publish.around.land import Window, land
from rdfkms.publish.around.neighbours import around
from rdfkms.publish.histories import Said, said_of
from rdfkms.publish.views import Link, Scope, iri_of, names_of, text_of

PLACE = "place"
WIDTH, LEAST, MOST = 760, 3.0, 340.0  # units of the drawing; degrees of longitude shown
TALL = 0.62  # height of the drawing over its width
LISTED, CLAIMS_SHOWN = 12, 300
_TOP, _HALF = 85.0, 180.0


@dataclass(frozen=True, slots=True)
class Position:
    """Where an entry of an authority lies, in decimal degrees (WGS 84)."""

    latitude: float
    longitude: float
    authority: str
    iri: str


@dataclass(frozen=True, slots=True)
class Spot:
    """A place with the statements that name it; x and y in the drawing where it has a position."""

    link: Link
    said: tuple[Said, ...]
    position: Position | None = None
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class Atlas:
    """The places with and without a position, and the coast lines (one path of SVG, even-odd).

    `cut` where not all statements were looked at.
    """

    spots: tuple[Spot, ...]
    without: tuple[Spot, ...]
    width: int
    height: int
    coast: str
    cut: bool = False


Positions = Mapping[str, Position]


def positions(archive: Archive) -> dict[str, Position]:
    """Return the positions in the archive's authority files, by the IRI of the entry.

    A file that cannot be read gives none: `rdfkms link` says why.
    """
    found = {}
    for name, settings in archive.settings.authorities.items():
        if not settings.file:
            continue
        try:
            rules = authorities.load(name)
            read = authorityfile.positions(archive.root / settings.file)
        except RdfkmsError:
            continue
        for id, (latitude, longitude) in read.items():
            address = rules.address(id)
            if address is not None:
                found[address] = Position(latitude, longitude, rules.title, address)
    return found


def atlas(scope: Scope, ref: Ref, known: Positions) -> Atlas:
    """Return the map of a thing: itself where it is a place, and the places it is joined to."""
    thing = scope.base.iri(ref.kind, ref.key)
    found = around(scope, thing)
    claims: defaultdict[NamedNode, list[str]] = defaultdict(list)
    if ref.kind == PLACE:
        claims[thing] = [step.claim for step in found.first]
    for step in (*found.first, *found.second):
        if (scope.base.split(step.other.value) or ("",))[0] == PLACE:
            claims[step.other].append(step.claim)
    at = _where(scope, list(claims), known)
    said = said_of(scope, [k for keys in claims.values() for k in keys[:LISTED]][:CLAIMS_SHOWN])
    links = names_of(scope, claims)
    spots = [
        Spot(
            links[place.value],
            tuple(said[k] for k in dict.fromkeys(keys[:LISTED]) if k in said),
            at.get(place.value),
        )
        for place, keys in claims.items()
    ]
    spots.sort(key=lambda spot: (spot.link.text, spot.link.key))
    placed = [spot for spot in spots if spot.position]
    return replace(_drawn(placed, [s for s in spots if not s.position]), cut=found.cut)


def _where(scope: Scope, places: Sequence[NamedNode], known: Positions) -> dict[str, Position]:
    found: dict[str, Position] = {}
    if known:
        for row in scope.select_of("pages/authority_links", "thing", places):
            place, position = iri_of(row["thing"]), known.get(text_of(row["same"]))
            if place is not None and position is not None:
                found.setdefault(place.value, position)
    return found


def _drawn(placed: Sequence[Spot], without: Sequence[Spot]) -> Atlas:
    if not placed:
        return Atlas((), tuple(without), WIDTH, 0, "")
    sides = [spot.position.longitude for spot in placed if spot.position]
    # Places on both sides of the date line stand beside each other, not at both ends of the world.
    turned = max(sides) - min(sides) > _HALF
    window = _window([_turned(s.position, turned) for s in placed if s.position])
    west, south, east, north = window
    height = round(WIDTH * TALL)

    def at(longitude: float, latitude: float) -> tuple[float, float]:
        x = (longitude - west) / (east - west) * WIDTH
        y = (north - latitude) / (north - south) * height
        return round(x, 1), round(y, 1)

    coast = "".join(
        "M" + "L".join("{} {}".format(*at(x, y)) for x, y in ring) + "Z" for ring in land(window)
    )
    spots = []
    for spot in placed:
        assert spot.position is not None
        seen = _turned(spot.position, turned)
        x, y = at(seen.longitude, min(max(seen.latitude, south), north))
        spots.append(Spot(spot.link, spot.said, spot.position, x, y))
    return Atlas(tuple(spots), tuple(without), WIDTH, height, coast)


def _turned(position: Position, turned: bool) -> Position:
    if not turned or position.longitude >= 0:
        return position
    return replace(position, longitude=position.longitude + 2 * _HALF)


def _window(found: Sequence[Position]) -> Window:
    """Return the degrees shown: all positions with room around, to scale in the middle."""
    lows = [p.latitude for p in found]
    sides = [p.longitude for p in found]
    middle, centre = (min(lows) + max(lows)) / 2, (min(sides) + max(sides)) / 2
    narrow = max(cos(radians(min(abs(middle), 80.0))), 0.1)
    wide = max((max(sides) - min(sides)) * 1.3, (max(lows) - min(lows)) * 1.3 / TALL / narrow)
    wide = min(max(wide, LEAST), MOST)
    high = wide * TALL * narrow
    south, north = max(middle - high / 2, -_TOP), min(middle + high / 2, _TOP)
    return centre - wide / 2, south, centre + wide / 2, north
