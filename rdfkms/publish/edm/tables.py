"""The crosswalks and rules that `ontology/edm*.tsv` and `ontology/dc.tsv` declare."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.vocab import PREFIXES

NAMESPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "edm": "http://www.europeana.eu/schemas/edm/",
    "ore": "http://www.openarchives.org/ore/terms/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "rdaGr2": "http://rdvocab.info/ElementsGr2/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "wgs84_pos": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "ebucore": "http://www.ebu.ch/metadata/ontologies/ebucore/ebucore#",
    "svcs": "http://rdfs.org/sioc/services#",
    "doap": "http://usefulinc.com/ns/doap#",
}
_KINDS = {"record", "inverse", "entity", "event", "time", "statement", "media", "except"}
_TESTS = {"one", "some", "link", "match", "known", "once", "order", "filled"}
_SCENARIO = "scenario:"


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the crosswalk: what becomes which element of which class, and as what."""

    kind: str
    source: str
    cls: str
    element: str
    form: str


@dataclass(frozen=True, slots=True)
class Declared:
    """An element of a class: its place, and what it counts for."""

    place: int
    fixed: bool
    once: bool
    tagged: bool
    scenario: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that a record must have, with its sentence and remedy."""

    classes: tuple[str, ...]
    elements: tuple[str, ...]
    test: str
    condition: tuple[str, str] | None
    patterns: tuple[re.Pattern[str], ...]
    sentence: str
    remedy: str


@dataclass(frozen=True)
class Tables:
    """All of them, as code reads them."""

    steps: tuple[Step, ...]
    elements: dict[str, dict[str, Declared]]
    rules: tuple[Rule, ...]
    dublin: tuple[tuple[str, str, str, str], ...]
    by_source: dict[tuple[str, str], tuple[Step, ...]] = field(default_factory=dict)

    def of(self, kind: str, source: str) -> tuple[Step, ...]:
        """Return the steps of a kind from one source (a name, or the IRI of a property)."""
        return self.by_source.get((kind, source), ())


@cache
def load() -> Tables:
    """Return the tables; raises `Misconfigured` with file and line for what cannot be read."""
    steps = tuple(_steps())
    rights = tuple(_pattern("edm-rights.tsv", row[0]) for row in _rows("edm-rights.tsv", 2))
    grouped: dict[tuple[str, str], tuple[Step, ...]] = {}
    for step in steps:
        grouped[step.kind, step.source] = (*grouped.get((step.kind, step.source), ()), step)
    return Tables(
        steps=steps,
        elements=_elements(),
        rules=tuple(_rule(row, rights) for row in _rows("edm-rules.tsv", 6)),
        dublin=tuple((a, b, c, d) for a, b, c, d in _rows("dc.tsv", 4)),
        by_source=grouped,
    )


def _rows(name: str, columns: int) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table under its heading; "-" is read as nothing."""
    text = resources.file(f"ontology/{name}").read_text(encoding="utf-8")
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line[:1] not in ("#", "")]
    for number, line in lines[1:]:
        cells = tuple("" if cell == "-" else cell for cell in line.split("\t"))
        if len(cells) != columns:
            raise Misconfigured(f"ontology/{name} line {number}: {columns} columns are needed.")
        yield cells


def _steps() -> Iterator[Step]:
    for kind, source, cls, element, form in _rows("edm.tsv", 5):
        if kind not in _KINDS:
            raise Misconfigured(f"ontology/edm.tsv: there is no kind {kind!r}.")
        if kind in ("record", "inverse", "except"):
            prefix, _, name = source.partition(":")
            if prefix not in PREFIXES:
                raise Misconfigured(f"ontology/edm.tsv: {source!r} has no known prefix.")
            yield Step(kind, PREFIXES[prefix] + name, cls, element, form)
        else:
            yield Step(kind, source, cls, element, form)


def _elements() -> dict[str, dict[str, Declared]]:
    found: dict[str, dict[str, Declared]] = {}
    for place, (cls, element, told) in enumerate(_rows("edm-elements.tsv", 3)):
        flags = told.split(",")
        scenario = next((f.removeprefix(_SCENARIO) for f in flags if f.startswith(_SCENARIO)), "")
        found.setdefault(cls, {})[element] = Declared(
            place, "fixed" in flags, "once" in flags, "tagged" in flags, scenario
        )
    return found


def _rule(row: tuple[str, ...], rights: tuple[re.Pattern[str], ...]) -> Rule:
    classes, elements, told, pattern, sentence, remedy = row
    test, condition = told, None
    if told.startswith("if:"):
        name, _, value = told.removeprefix("if:").partition("=")
        test, condition = "some", (name, value)
    if test not in _TESTS:
        raise Misconfigured(f"ontology/edm-rules.tsv: there is no test {told!r}.")
    plain = (_pattern("edm-rules.tsv", pattern),) if pattern not in ("", "@rights") else ()
    return Rule(
        classes=tuple(classes.split("|")),
        elements=tuple(elements.split("|")),
        test=test,
        condition=condition,
        patterns=rights if pattern == "@rights" else plain,
        sentence=sentence,
        remedy=remedy,
    )


def _pattern(name: str, text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as err:
        raise Misconfigured(f"ontology/{name}: {text!r} is no pattern: {err}.") from err
