"""Who is who in description files, and what an address is: the same for all readers."""

from __future__ import annotations

import re

from rdfkms.model import DESCRIBING_FILE, Thing

SET_TYPES = "https://www.ica.org/standards/RiC/vocabularies/recordSetTypes#"
_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?/[!-~]*", re.IGNORECASE)


def the_file(record: str = "") -> Thing:
    """Return the file itself as a record; `record` tells one of several that stand in it."""
    return Thing("Record", (*DESCRIBING_FILE, record) if record else DESCRIBING_FILE)


def by_name(kind: str, file: str, name: str) -> Thing:
    """Return what has a name alone: the same thing within its file, however the name is spaced."""
    return Thing(kind, ("named", file, folded(name)))


def folded(name: str) -> str:
    """Return a name as it is compared: case and white space do not count."""
    return " ".join(name.split()).casefold()


def is_address(reference: str) -> bool:
    """Return whether a reference is a web address with a host and a path, in ASCII."""
    return _ADDRESS.fullmatch(reference) is not None
