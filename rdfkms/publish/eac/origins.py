"""Under which identifier the things of a description file came in.

The key of a thing is made of its identifier (`thing_key`). So an identifier that stands in the
markup of the file is proved to be that of a thing by its key, wherever in it it stands.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass

from rdfkms.ingest.describing.things import by_name, folded
from rdfkms.knowledge.declaring import thing_key
from rdfkms.model import Thing
from rdfkms.publish.views import Scope, text_of

_TAG = re.compile(r"<[^<>]+>")
_ATTRIBUTE = re.compile(r"""(?:\w+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ADDRESSES = ("href", "valueURI", "authfilenumber", "identifier", "about", "resource")
_SOURCES = ("vocabularySource", "source")


@dataclass(frozen=True)
class Origins:
    """The stretches of a file by unit: the path of the element; and identifiers by key of thing."""

    sections: dict[str, str]
    identifiers: dict[str, tuple[str, str]]
    files: tuple[str, ...]

    def element(self, unit: str) -> str:
        """Return the name of the element that a unit is."""
        return self.sections.get(unit, "").rpartition("/")[2].partition("[")[0]

    def identifier(self, key: str) -> tuple[str, str] | None:
        """Return the vocabulary (or "") and the identifier of a thing, None where it has none."""
        return self.identifiers.get(key)


def origins(scope: Scope, record_key: str) -> Origins:
    """Read where the things of a description file have their identifiers from."""
    record = scope.base.iri("record", record_key)
    sections: dict[str, str] = {}
    found: dict[str, tuple[str, str]] = {}
    for row in scope.select("publishing/description_texts", record=record):
        sections[text_of(row["unit"])] = text_of(row["section"])
        for source, address in _told(text_of(row["text"])):
            found.setdefault(key_of_authority(address, source), (source, address))
    files = [
        text_of(row["file"]) for row in scope.select("publishing/description_files", record=record)
    ]
    return Origins(sections, found, tuple(sorted(set(files))))


def _told(raw: str) -> Iterable[tuple[str, str]]:
    for tag in set(_TAG.findall(raw)):
        if len(tag.split()) == 1 and ":" in tag:  # an IRI in Turtle
            yield "", tag[1:-1]
        has = {
            name: " ".join(html.unescape(double or single).split())
            for name, double, single in _ATTRIBUTE.findall(tag)
        }
        for name in _ADDRESSES:
            if address := has.get(name, ""):
                yield "", address
                yield from ((has[one], address) for one in _SOURCES if has.get(one))


def key_of_authority(identifier: str, source: str = "", *position: str) -> str:
    """Return the key of what has this identifier in an authority file."""
    return thing_key(Thing("", ("authority", source, identifier, *position)))


def key_of_name(file: str, name: str) -> str:
    """Return the key of what has a name alone, within a file or authority record."""
    return thing_key(by_name("", file, name))


def same_name(one: str, other: str) -> bool:
    """Return whether two names are one as names of things are compared."""
    return folded(one) == folded(other)
