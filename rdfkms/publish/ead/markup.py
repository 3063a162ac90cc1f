"""What the passages of a description file tell of its things beside the claims: who they are.

The key of a thing is made of its identifier (`thing_key`). So an identifier that stands in the
markup is proved to be that of a thing by its key, wherever it stands.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rdfkms.ingest.describing.things import by_name
from rdfkms.knowledge.declaring import thing_key
from rdfkms.model import Thing
from rdfkms.publish.rico.reading import Said
from rdfkms.publish.views import Scope, text_of

_TAG = re.compile(r"<[^<>]+>")
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_IRI = re.compile(
    r"""(?:<|\s(?:rdf:)?(?:about|resource)\s*=\s*["'])([A-Za-z][\w+.-]*:[^<>"'\s]+)"""
)
_NUMBERS = ("authfilenumber", "identifier", "valueURI")
_SPACE = re.compile(r"[\t\r\n]")
_CODES = "agencycode"


@dataclass(frozen=True)
class Markup:
    """The passages of a file by unit: the path of the element, its text; identifiers by key."""

    sections: dict[str, str]
    raw: dict[str, str]
    identifiers: dict[str, tuple[str, str]]
    file: str  # its name

    @property
    def is_ead(self) -> bool:
        """Whether the file is a finding aid in EAD, of any version."""
        return any("/ead[" in section for section in self.sections.values())

    def before(self, said: Said) -> str:
        """Return the start tag in front of the words of a claim, "" where there is none."""
        raw = self.raw.get(said.unit, "")
        start = raw.rfind("<", 0, said.start)
        tag = raw[start : said.start].strip() if start >= 0 else ""
        return tag if tag.endswith(">") and tag.count(">") == 1 else ""

    def between(self, one: Said, other: Said) -> str | None:
        """Return what stands from the end of a claim's words to those of another behind them."""
        if one.unit != other.unit or other.start < one.end:
            return None
        return self.raw.get(one.unit, "")[one.end : other.start]


def markup(scope: Scope, record_key: str) -> Markup:
    """Read the passages of a description file."""
    record = scope.base.iri("record", record_key)
    sections: dict[str, str] = {}
    raw: dict[str, str] = {}
    found: dict[str, tuple[str, str]] = {}
    for row in scope.select("publishing/description_texts", record=record):
        unit = text_of(row["unit"])
        sections[unit], raw[unit] = text_of(row["section"]), text_of(row["text"])
        for source, number in _told(raw[unit]):
            found.setdefault(key_of_authority(number, source), (source, number))
    files = [
        text_of(row["file"]) for row in scope.select("publishing/description_files", record=record)
    ]
    return Markup(sections, raw, found, min(files, default=""))


def _told(raw: str) -> Iterator[tuple[str, str]]:
    for tag in set(_TAG.findall(raw)):
        has = attributes(tag)
        for name in _NUMBERS:
            if number := has.get(name, "").strip():
                yield has.get("source", "").strip(), number
    for iri in set(_IRI.findall(raw)):
        yield "", html.unescape(iri)


def attributes(tag: str) -> dict[str, str]:
    """Return the attributes of a start tag, without prefix."""
    return {
        name.rpartition(":")[2]: html.unescape(_SPACE.sub(" ", double or single))
        for name, double, single in _ATTRIBUTE.findall(tag)
    }


def key_of_authority(number: str, source: str) -> str:
    """Return the key of what has this number in an authority file."""
    return thing_key(Thing("", ("authority", source, number)))


def key_of_agency(code: str) -> str:
    """Return the key of an institution that is known by its code."""
    return key_of_authority(code, _CODES)


def key_of_name(document: str, name: str) -> str:
    """Return the key of what has a name alone, within a finding aid."""
    return thing_key(by_name("", document, name))


def key_of_component(document: str, told: str) -> str:
    """Return the key of a component that is known by its id, its codes or its place."""
    return thing_key(Thing("", ("ead", document, told)))


def is_one_of(key: str, document: str, told: Iterable[str]) -> bool:
    """Return whether a component is known by one of these."""
    return any(one and key_of_component(document, one) == key for one in told)
