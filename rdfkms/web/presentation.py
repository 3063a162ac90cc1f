"""What templates may use: filters for words, numbers and times, and what every page shows."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from flask import Flask

import rdfkms
from rdfkms.errors import Broken
from rdfkms.ledger import releases
from rdfkms.ledger.releases import Release
from rdfkms.web import wording
from rdfkms.web.languages import decimal
from rdfkms.web.site import is_staff, site

NAVIGATION = ("person", "place", "organization", "event")


def install(app: Flask) -> None:
    """Register filters and what every page shows."""
    app.jinja_env.filters.update(
        percent=percent,
        bytes=human_bytes,
        verification=wording.verification,
        word=wording.word,
        day=day,
        kind=wording.kind_title,
        theme=wording.theme_title,
        fit=fit,
        reason=wording.reason,
    )
    app.context_processor(_everywhere)


def _everywhere() -> dict[str, Any]:
    here = site()
    return {
        "archive_title": here.services.settings.title,
        "base": here.services.settings.base,
        "revision": here.services.ledger.revision,
        "version": rdfkms.__version__,
        "staff": is_staff(),
        "has_viewer": here.has_viewer,
        "newest_release": newest_release,
        "navigation": [(kind, wording.kind_title(kind)) for kind in NAVIGATION],
    }


def newest_release() -> Release | None:
    """Return the newest release of the archive; None where there is none, or one is damaged."""
    try:
        return next(reversed(releases.listing(site().services.archive)), None)
    except Broken:
        return None


def percent(value: float) -> str:
    """Return a share as "93 %"."""
    return f"{round(value * 100)} %"


def fit(text: str, width: int) -> str:
    """Return what of a text fits in so many letters of a drawing; Han characters count double."""
    taken = 0
    for place, letter in enumerate(text):
        taken += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if taken > width:
            return text[:place].rstrip() + "…"
    return text


def human_bytes(size: int) -> str:
    """Return a size as "81 kB"."""
    if size < 1000:
        return f"{decimal(size)} B"
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def day(time: str) -> str:
    """Return a time stamp without seconds and T."""
    return re.sub(r"T(\d\d:\d\d).*", r" \1", time)
