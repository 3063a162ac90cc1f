"""What the passages of a description file tell of its things beside the claims: who they are.

The key of a thing is made of its identifier (`thing_key`). So an identifier that stands in the
markup is proved to be that of a thing by its key, wherever it stands.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from rdfkms.ingest.describing.things import by_name
from rdfkms.knowledge.declaring import thing_key
from rdfkms.model import Thing
from rdfkms.publish.describing.reading import Said
from rdfkms.publish.views import Scope, text_of

_TAG = re.compile(r"<[^<>]+>")
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ADDRESSES = ("href", "valueURI", "authfilenumber", "identifier", "about", "resource")
_SOURCES = ("vocabularySource", "source")
_SPACE = re.compile(r"[\t\r\n]")


@dataclass(frozen=True)
class Markup:
    """The passages of a file by unit: the path of the element, its text; identifiers by key.

    `files` are the names of the versions of the file.
    """

    sections: dict[str, str]
    raw: dict[str, str]
    identifiers: dict[str, tuple[str, str]]
    files: tuple[str, ...]

    @property
    def file(self) -> str:
        """The name of the file, of several the first."""
        return min(self.files, default="")

    @property
    def is_ead(self) -> bool:
        """Whether the file is a finding aid in EAD, of any version."""
        return any("/ead[" in section for section in self.sections.values())

    def element(self, unit: str) -> str:
        """Return the name of the element that a passage is."""
        return self.sections.get(unit, "").rpartition("/")[2].partition("[")[0]

    def identifier(self, key: str) -> tuple[str, str] | None:
        """Return the vocabulary (or "") and the identifier of a thing, None where it has none."""
        return self.identifiers.get(key)

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
    files = {
        text_of(row["file"]) for row in scope.select("publishing/description_files", record=record)
    }
    return Markup(sections, raw, found, tuple(sorted(files)))


def _told(raw: str) -> Iterator[tuple[str, str]]:
    """Yield what may identify something, with its vocabulary: the keys prove what does."""
    for tag in set(_TAG.findall(raw)):
        if len(tag.split()) == 1 and ":" in tag:  # an IRI in Turtle
            yield "", tag[1:-1]
        has = attributes(tag)
        sources = ["", *(has[name].strip() for name in _SOURCES if has.get(name, "").strip())]
        for name in _ADDRESSES:
            told = has.get(name, "").strip()
            for number in dict.fromkeys((told, " ".join(told.split()))) if told else ():
                yield from ((source, number) for source in sources)


def attributes(tag: str) -> dict[str, str]:
    """Return the attributes of a start tag, without prefix."""
    return {
        name.rpartition(":")[2]: html.unescape(_SPACE.sub(" ", double or single))
        for name, double, single in _ATTRIBUTE.findall(tag)
    }


def key_of_authority(number: str, source: str = "", *position: str) -> str:
    """Return the key of what has this identifier in an authority file."""
    return thing_key(Thing("", ("authority", source, number, *position)))


def key_of_name(document: str, name: str) -> str:
    """Return the key of what has a name alone, within a file or authority record."""
    return thing_key(by_name("", document, name))
