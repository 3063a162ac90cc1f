"""Who is who in description files, and what an address is: the same for all readers."""

from __future__ import annotations

import re
from urllib.parse import quote

from rdfkms.model import DESCRIBING_FILE, Thing, Value

SET_TYPES = "https://www.ica.org/standards/RiC/vocabularies/recordSetTypes#"
AGENTS = ("Person", "OrganizationState", "Family", "Agent")
_IN_PATH = "!#$%&'()*+,-./0123456789:;=?@_~"  # with letters, what may stand unencoded
# As the gate wants it: what is no such address is an identifier.
_ADDRESS = re.compile(
    rf"https?://[A-Za-z0-9.-]+(?::[0-9]{{1,5}})?/[A-Za-z{re.escape(_IN_PATH)}]{{1,1000}}"
)


def the_file(record: str = "") -> Thing:
    """Return the file itself as a record; `record` tells one of several that stand in it."""
    return Thing("Record", (*DESCRIBING_FILE, record) if record else DESCRIBING_FILE)


def by_name(kind: str, file: str, name: str) -> Thing:
    """Return what has a name alone: the same thing within its file, however the name is spaced."""
    return Thing(kind, ("named", file, folded(name)))


def folded(name: str) -> str:
    """Return a name as it is compared: case and white space do not count."""
    return " ".join(name.split()).casefold()


def ends_of_span(kind: str) -> tuple[str, str]:
    """Return the statements for the first and the last date of what a thing of a type lived."""
    if kind == "Person":
        return "birthDate", "deathDate"
    return "description/beginning", "description/ending"


def is_address(reference: str) -> bool:
    """Return whether a reference is a web address with a host and a path, in ASCII."""
    return _ADDRESS.fullmatch(reference) is not None


def address(reference: str) -> Value | None:
    """Return a reference as a web address, or None where it is none.

    What an address may not hold is percent-encoded; then `verbatim` tells what was written.
    """
    if len(reference.split()) != 1 or reference != reference.strip():
        return None
    encoded = quote(reference, safe=_IN_PATH, errors="replace")
    if not is_address(encoded):
        return None
    return Value(encoded, "anyURI", verbatim="" if encoded == reference else reference)
