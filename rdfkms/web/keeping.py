"""Values that live as long as the application, made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from flask import current_app

from rdfkms.web.services import Services
from rdfkms.web.site import site

T = TypeVar("T")


def kept(name: str, make: Callable[[Services], T]) -> T:
    """Return the value of that name; where two threads make it at once, both get the first."""
    found = current_app.extensions.get(name)
    if found is None:
        found = current_app.extensions.setdefault(name, make(site().services))
    return cast(T, found)
