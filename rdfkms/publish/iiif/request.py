"""What an Image API 3.0 address asks for, as a value (IIIF Image API 3.0, section 4).

Everything is decided here, before a pixel is read: which pixels of the picture, how large the
answer is, and the canonical form of the request (section 4.7).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import floor, sqrt

from rdfkms.errors import BadInput, Missing
from rdfkms.model import Box

QUALITIES = ("default", "color", "gray", "bitonal")
FORMATS = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp"}
_UNOFFERED = ("tif", "gif", "pdf", "jp2")  # named by the standard, not offered here
MAX_SIDE = 10_000
MAX_AREA = 16_000_000  # pixels of one answer: what a picture of 4,000 x 4,000 has
_NUMBER = r"[0-9]{1,9}"
_DECIMAL = r"[0-9]{1,9}(?:\.[0-9]{1,20})?|\.[0-9]{1,20}"


@dataclass(frozen=True, slots=True)
class ImageRequest:
    """A request that can be answered: pixels to take, size of the answer before it is turned."""

    region: Box
    width: int
    height: int
    mirrored: bool
    rotation: int
    quality: str
    format: str
    whole: bool  # the region is all of the picture
    longest: bool  # the answer is as large as it may be
    enlarged: bool

    @property
    def canonical(self) -> str:
        """The path of the same answer in its canonical form (section 4.7)."""
        r = self.region
        region = "full" if self.whole else f"{r.x},{r.y},{r.w},{r.h}"
        size = "max" if self.longest else f"{self.width},{self.height}"
        size = f"^{size}" if self.enlarged else size
        turn = f"{'!' if self.mirrored else ''}{self.rotation}"
        return f"{region}/{size}/{turn}/{self.quality}.{self.format}"


def parse(
    width: int, height: int, region: str, size: str, rotation: str, name: str, *, grey: bool = False
) -> ImageRequest:
    """Return what is asked of a picture of that size; `grey` says that it has no colours.

    Raises `BadInput` for what the standard does not allow or the limits refuse, `Missing` (501)
    for what the standard allows and this service does not offer.
    """
    quality, form = _name(name)
    mirrored, degrees = _rotation(rotation)
    box = _region(region, width, height)
    wide, high, enlarged = _size(size, box)
    if quality == ("gray" if grey else "color"):
        quality = "default"
    return ImageRequest(
        region=box,
        width=wide,
        height=high,
        mirrored=mirrored,
        rotation=degrees,
        quality=quality,
        format=form,
        whole=box == Box(0, 0, width, height),
        longest=(wide, high) == largest(box.w, box.h, enlarge=enlarged),
        enlarged=enlarged,
    )


def largest(width: int, height: int, *, enlarge: bool = False) -> tuple[int, int]:
    """Return the largest answer for a region of that size, within the limits: ``max``."""
    room = min(MAX_SIDE / width, MAX_SIDE / height, sqrt(MAX_AREA / (width * height)))
    if room >= 1 and not enlarge:
        return width, height
    return max(1, floor(width * room)), max(1, floor(height * room))


def _name(name: str) -> tuple[str, str]:
    quality, dot, form = name.rpartition(".")
    if not dot or quality not in QUALITIES:
        raise BadInput(
            f"There is no quality '{(quality or name)[:20]}'.",
            hint=f"Use {', '.join(QUALITIES)}, then a dot and a format: default.jpg.",
        )
    if form in _UNOFFERED:
        raise Missing(f"The format {form} is not offered.", hint=f"Use {', '.join(FORMATS)}.")
    if form not in FORMATS:
        raise BadInput(f"There is no format '{form[:20]}'.", hint=f"Use {', '.join(FORMATS)}.")
    return quality, form


def _rotation(text: str) -> tuple[bool, int]:
    found = re.fullmatch(rf"(!?)({_DECIMAL})", text)
    if found is None or float(found[2]) > 360:
        raise BadInput(
            f"'{text[:20]}' is no rotation.",
            hint="Use 0, 90, 180 or 270, with ! before it to mirror.",
        )
    degrees = float(found[2]) % 360
    if degrees % 90:
        raise Missing("Pictures are turned by right angles only.", hint="Use 0, 90, 180 or 270.")
    return bool(found[1]), int(degrees)


def _region(text: str, width: int, height: int) -> Box:
    """Return the asked pixels, cut to the picture."""
    if text == "full":
        return Box(0, 0, width, height)
    if text == "square":
        side = min(width, height)
        return Box((width - side) // 2, (height - side) // 2, side, side)
    if found := re.fullmatch(rf"({_NUMBER}),({_NUMBER}),({_NUMBER}),({_NUMBER})", text):
        left, top, w, h = (int(n) for n in found.groups())
    elif found := re.fullmatch(rf"pct:({_DECIMAL}),({_DECIMAL}),({_DECIMAL}),({_DECIMAL})", text):
        x, y, part_w, part_h = (float(n) / 100 for n in found.groups())
        left, top = round(x * width), round(y * height)
        # A share that rounds to no pixel at all is still one pixel; nothing is not.
        w = max(round(part_w * width), 1 if part_w > 0 else 0)
        h = max(round(part_h * height), 1 if part_h > 0 else 0)
    else:
        raise BadInput(
            f"'{text[:60]}' is no region.",
            hint="Use full, square, x,y,w,h in pixels, or pct:x,y,w,h.",
        )
    if w == 0 or h == 0:
        raise BadInput(f"The region {text[:60]} is empty.", hint="Width and height must be over 0.")
    if left >= width or top >= height:
        raise BadInput(
            f"The region {text[:60]} lies outside the picture.",
            hint=f"The picture is {width} x {height} pixels.",
        )
    return Box(left, top, min(w, width - left), min(h, height - top))


def _size(text: str, box: Box) -> tuple[int, int, bool]:
    """Return width and height of the answer, and whether it enlarges the region."""
    enlarge = text.startswith("^")
    asked = text.removeprefix("^")
    if asked == "max":
        width, height = largest(box.w, box.h, enlarge=enlarge)
    elif found := re.fullmatch(rf"pct:({_DECIMAL})", asked):
        share = float(found[1]) / 100
        width, height = _at_least_one(box.w * share), _at_least_one(box.h * share)
        if share == 0:
            width = 0
    elif found := re.fullmatch(rf"(!?)({_NUMBER}),({_NUMBER})", asked):
        width, height = int(found[2]), int(found[3])
        if found[1] and width and height:
            width, height = _within(width, height, box, enlarge=enlarge)
    elif found := re.fullmatch(rf"({_NUMBER}),", asked):
        width = int(found[1])
        height = _at_least_one(box.h * width / box.w)
    elif found := re.fullmatch(rf",({_NUMBER})", asked):
        height = int(found[1])
        width = _at_least_one(box.w * height / box.h) if height else 0
    else:
        raise BadInput(
            f"'{text[:40]}' is no size.",
            hint="Use max, w, or ,h or w,h or !w,h or pct:n, with ^ before it to enlarge.",
        )
    _demand_in_bounds(text, width, height)
    if not enlarge and (width > box.w or height > box.h):
        raise BadInput(
            f"The size {text[:40]} is larger than the region ({box.w} x {box.h} pixels).",
            hint=f"Ask for at most {box.w},{box.h}, or put ^ before the size to enlarge.",
        )
    return width, height, enlarge and (width > box.w or height > box.h)


def _within(width: int, height: int, box: Box, *, enlarge: bool) -> tuple[int, int]:
    """Return the largest size of the region's shape that fits into a frame."""
    share = min(width / box.w, height / box.h, sqrt(MAX_AREA / (box.w * box.h)))
    if not enlarge:
        share = min(share, 1.0)
    return (
        min(width, _at_least_one(box.w * share)),
        min(height, _at_least_one(box.h * share)),
    )


def _at_least_one(value: float) -> int:
    return max(1, round(value))


def _demand_in_bounds(text: str, width: int, height: int) -> None:
    if width == 0 or height == 0:
        raise BadInput(f"The size {text[:40]} is empty.", hint="Width and height must be over 0.")
    if max(width, height) > MAX_SIDE or width * height > MAX_AREA:
        raise BadInput(
            f"The size {text[:40]} is over the limits of this service.",
            hint=f"At most {MAX_SIDE:,} pixels a side and {MAX_AREA:,} in all: use max.",
        )
