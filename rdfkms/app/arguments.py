"""Arguments of operations as texts: what comes over the service may be anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rdfkms.errors import BadInput

LONGEST = 10_000  # characters of one argument
Arguments = Mapping[str, Any]


def text_of(arguments: Arguments, name: str, most: int = LONGEST) -> str:
    """Return a text argument, "" where it is not given; raises `BadInput` for anything else."""
    value = arguments.get(name)
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > most:
        raise BadInput(f"{name!r} must be a text of at most {most} characters.")
    return value


def needed(arguments: Arguments, name: str) -> str:
    """Return a text argument that the operation cannot do without; raises `BadInput`."""
    text = text_of(arguments, name).strip()
    if not text:
        raise BadInput(f"The command needs a text {name!r}.")
    return text
