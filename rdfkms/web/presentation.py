"""What templates may use: words for kinds and states, numbers, marked text."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask

import rdfkms
from rdfkms.web.site import is_staff, site

KINDS = {
    "person": "Persons",
    "place": "Places",
    "organization": "Organisations",
    "event": "Events",
    "position": "Offices",
    "work": "Works",
    "thing": "Things",
    "date": "Dates",
    "concept": "Concepts",
}
NAVIGATION = ("person", "place", "organization", "event")
VERIFICATION = {
    "supported": "supported by its quote",
    "partiallySupported": "partly supported",
    "overreaching": "says more than its quote",
    "ambiguous": "ambiguous",
    "unsupported": "not supported",
}


def install(app: Flask) -> None:
    """Register filters and what every page shows."""
    app.jinja_env.filters.update(
        percent=percent,
        bytes=human_bytes,
        plural=plural,
        verification=verification,
        day=day,
        kind=kind_title,
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
        "navigation": [(kind, KINDS[kind]) for kind in NAVIGATION],
    }


def kind_title(kind: str) -> str:
    """Return the heading of a kind of things: "person" as "Persons", "charge" as "Charges"."""
    return KINDS.get(kind, f"{kind.capitalize()}s")


def percent(value: float) -> str:
    """Return a share as "93 %"."""
    return f"{round(value * 100)} %"


def human_bytes(size: int) -> str:
    """Return a size as "81 kB"."""
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def plural(count: int, one: str, many: str = "") -> str:
    """Return "1 passage", "2 passages"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}".replace(",", "\u202f")


def verification(label: str) -> str:
    """Return a verification label in words."""
    return VERIFICATION.get(label, label)


def day(time: str) -> str:
    """Return a time stamp without seconds and T."""
    return re.sub(r"T(\d\d:\d\d).*", r" \1", time)
