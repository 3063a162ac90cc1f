"""Makes the EDM record of a described record by the crosswalk of `ontology/edm.tsv`.

Europeana Data Model, Definition 5.2.8, and its mapping guidelines: one object, its aggregation,
a web resource for each page picture with its IIIF service, and what admitted claims name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.timespans import timespan
from rdfkms.model import Value
from rdfkms.ports import Term
from rdfkms.publish.edm import tables
from rdfkms.publish.edm.reading import Concept, Described, Said
from rdfkms.publish.edm.tables import Step, Tables
from rdfkms.publish.edm.values import EdmRecord, Element, Node
from rdfkms.publish.views import local_name
from rdfkms.settings import Settings
from rdfkms.vocab import KV

CHO, AGGREGATION, PICTURE = "edm:ProvidedCHO", "ore:Aggregation", "edm:WebResource"
SERVICE, TIMESPAN, CONCEPT = "svcs:Service", "edm:TimeSpan", "skos:Concept"
NAMED_AS, TRIGGERED_BY = KV("namedAs").value, KV("triggeredBy").value
IMAGE_API = "http://iiif.io/api/image"
LEVEL = "http://iiif.io/api/image/3/level2.json"
_WHOLE, _SMALL = "/full/max/0/default.jpg", "/full/!400,400/0/default.jpg"
_OTHER_TYPES = ("SOUND", "VIDEO", "3D")


@dataclass(frozen=True, slots=True)
class Publisher:
    """What the archive says of itself in every record it publishes."""

    base: str
    shown_at: str
    data_provider: str
    provider: str
    rights: str
    language: str
    mapping: Mapping


def publisher(settings: Settings, mapping: Mapping) -> Publisher:
    """Return the publisher that the settings name; the archive's title where they name none."""
    told = settings.publishing
    name = told.data_provider or settings.title
    return Publisher(
        base=settings.base,
        shown_at=(told.is_shown_at or f"{settings.base}/page/record/").rstrip("/") + "/",
        data_provider=name,
        provider=told.provider or name,
        rights=told.rights,
        language=told.language,
        mapping=mapping,
    )


def build(record: Described, by: Publisher) -> EdmRecord:
    """Return the EDM record; what it lacks is for `checks` to say."""
    made = _Made(record, by, tables.load())
    things = list(made.things())
    return EdmRecord(
        record.key,
        (made.object(things), *made.pictures(), *things, made.aggregation(), *made.services()),
    )


def is_object(record: Described) -> bool:
    """Return whether the record is an object of the collection; a person's statement is none."""
    known = tables.load()
    return not any(known.of("except", getattr(value, "value", "")) for _, value in record.own)


class _Made:
    """The nodes of one record, one method each."""

    def __init__(self, record: Described, by: Publisher, known: Tables) -> None:
        self._record = record
        self._by = by
        self._tables = known
        self._language = next(
            (o.value for p, o in record.own if local_name(p) == "language" and o), ""
        )
        self._rights = tuple(self._rights_of())
        self._services = tuple(f"{by.base}/iiif/image/{sha256}" for sha256 in record.pictures)

    # ---- the object -----------------------------------------------------------------------

    def object(self, things: Sequence[Node]) -> Node:
        """Return the edm:ProvidedCHO."""
        found = [*self._properties(CHO), *self._sets()]
        if self._by.language and not any(e.name == "dc:language" for e in found):
            found.append(Element("dc:language", self._by.language))
        found.append(Element("dc:identifier", self._record.key))
        if kind := self._type():
            found.append(Element("edm:type", kind))
        referring = {step.cls: step.element for step in self._tables.steps if step.kind == "entity"}
        for thing in things:
            name = "dcterms:temporal" if thing.cls == TIMESPAN else referring.get(thing.cls)
            if name is not None:
                found.append(Element(name, link=thing.about))
        return Node(CHO, self._record.iri, tuple(dict.fromkeys(found)))

    def _properties(self, cls: str) -> Iterator[Element]:
        for predicate, value in self._record.own:
            for step in self._tables.of("record", predicate):
                if step.cls == cls:
                    yield from self._value(step, value)

    def _value(self, step: Step, value: Term) -> Iterator[Element]:
        if step.form == "label":
            concept = self._concept(value)
            for label in concept.labels if concept is not None else ():
                yield _text(step.element, label)
            if isinstance(value, Literal):
                yield _text(step.element, value)
        elif isinstance(value, Literal) and step.form in ("text", "any"):
            if value.value.strip():
                yield _text(step.element, value)
        elif isinstance(value, NamedNode) and step.form in ("resource", "any"):
            yield Element(step.element, link=value.value)

    def _concept(self, value: Term) -> Concept | None:
        return self._record.concepts.get(value.value) if isinstance(value, NamedNode) else None

    def _sets(self) -> Iterator[Element]:
        for iri, title in self._record.parents:
            for step in self._tables.steps:
                if step.kind == "inverse":
                    yield Element(step.element, link=iri)
                    if title is not None and title.value.strip():
                        yield _text(step.element, title)

    def _type(self) -> str:
        """Return the edm:type by the files: pictures of pages that were read are a text."""
        starts = [(s.source, s.form) for s in self._tables.steps if s.kind == "media"]
        kinds = {
            kind
            for media_type in self._record.media_types
            for start, kind in starts
            if media_type.startswith(start)
        }
        for kind in _OTHER_TYPES:
            if kind in kinds:
                return kind
        if self._record.has_text or "TEXT" in kinds:
            return "TEXT"
        return "IMAGE" if "IMAGE" in kinds else ""

    # ---- pictures and aggregation -----------------------------------------------------------

    def pictures(self) -> Iterator[Node]:
        """Yield a web resource for each page picture, each after the one before."""
        before = ""
        for service in self._services:
            found = [Element("ebucore:hasMimeType", "image/jpeg")]
            found += [Element("edm:rights", link=rights) for rights in self._rights[:1]]
            found.append(Element("svcs:has_service", link=service))
            if before:
                found.append(Element("edm:isNextInSequence", link=before))
            before = service + _WHOLE
            yield Node(PICTURE, before, tuple(found))

    def services(self) -> Iterator[Node]:
        """Yield the IIIF image service of each page picture."""
        for service in self._services:
            told = (
                Element("dcterms:conformsTo", link=IMAGE_API),
                Element("doap:implements", link=LEVEL),
            )
            yield Node(SERVICE, service, told)

    def aggregation(self) -> Node:
        """Return the ore:Aggregation."""
        by, record = self._by, self._record
        found = [
            Element("edm:aggregatedCHO", link=record.iri),
            Element("edm:dataProvider", by.data_provider),
            Element("edm:provider", by.provider),
            Element("edm:isShownAt", link=by.shown_at + record.key),
        ]
        found += [Element("edm:rights", link=rights) for rights in self._rights]
        found += [
            _text("dc:rights", value)
            for predicate, value in record.own
            if self._is_rights(predicate) and isinstance(value, Literal) and " " in value.value
        ]
        for number, service in enumerate(self._services):
            if number == 0:
                found.append(Element("edm:isShownBy", link=service + _WHOLE))
                found.append(Element("edm:object", link=service + _SMALL))
            else:
                found.append(Element("edm:hasView", link=service + _WHOLE))
        return Node(AGGREGATION, record.iri + "#aggregation", tuple(found))

    def _is_rights(self, predicate: str) -> bool:
        return any(step.form == "rights" for step in self._tables.of("record", predicate))

    def _rights_of(self) -> Iterator[str]:
        """Yield the address of the record's own conditions of use, else that of the archive.

        Conditions that are words alone yield none: they may forbid what the archive's address
        allows.
        """
        own = [value for predicate, value in self._record.own if self._is_rights(predicate)]
        if not own and self._by.rights:
            yield self._by.rights
        for value in own:
            text = getattr(value, "value", "").strip()
            if text.startswith(("http:", "https:")) and " " not in text:
                yield text

    # ---- what the record is about -----------------------------------------------------------

    def things(self) -> Iterator[Node]:
        """Yield agents, places, time spans and concepts that admitted claims name."""
        names: dict[str, list[Said]] = defaultdict(list)
        for said in self._record.said:
            if said.statement == NAMED_AS and said.value is not None:
                names[said.subject].append(said)
        for thing in sorted(names):
            steps = self._tables.of("entity", names[thing][0].entity_type)
            for step in steps:
                yield self._thing(step.cls, thing, names[thing])
        events = {s.event_type for s in self._record.said if s.statement == TRIGGERED_BY}
        for iri in sorted(events):
            if iri in self._record.concepts:
                yield self._event(self._record.concepts[iri])
        yield from self._times()

    def _thing(self, cls: str, thing: str, names: Sequence[Said]) -> Node:
        read = Counter(said.value for said in names if said.value is not None)
        found, languages = list[Element](), set[str]()
        for name in sorted(read, key=lambda n: (-read[n], -len(n.value), str(n))):
            tag = name.language or ""
            # One preferred name of each language; of those of none only the most frequent of all.
            is_first = not found or bool(tag and tag not in languages)
            found.append(_text("skos:prefLabel" if is_first else "skos:altLabel", name))
            languages.add(tag)
        found += self._told(cls, thing)
        return Node(cls, thing, tuple(dict.fromkeys(found)))

    def _told(self, cls: str, thing: str) -> Iterator[Element]:
        """Yield what is said of a thing, as far as its class takes it, once where it must be."""
        once: set[str] = set()
        for said in self._record.said:
            rule = self._by.mapping.by_concept(NamedNode(said.statement))
            if said.subject != thing or rule is None:
                continue
            for step in self._tables.of("statement", rule.name):
                if step.cls != cls or step.element in once:
                    continue
                if self._tables.elements[cls][step.element].once:
                    once.add(step.element)
                if step.form == "resource" and said.object:
                    yield Element(step.element, link=said.object)
                elif step.form == "text" and said.value is not None:
                    yield _text(step.element, said.value)
        for step in self._tables.of("statement", "sameAsAuthority"):
            if step.cls == cls:
                for address in self._record.authorities.get(thing, ()):
                    yield Element(step.element, link=address)

    def _event(self, concept: Concept) -> Node:
        found = [_text("skos:prefLabel", label) for label in concept.labels]
        found += [Element("skos:broader", link=wider) for wider in concept.broader]
        return Node(CONCEPT, concept.iri, tuple(found))

    def _times(self) -> Iterator[Node]:
        """Yield a time span for each date that a claim states, under the date's own IRI."""
        for said in self._record.said:
            rule = self._by.mapping.by_concept(NamedNode(said.statement))
            if rule is None or said.value is None or not self._tables.of("time", rule.name):
                continue
            words = said.verbatim or said.value.value
            found = [_text("skos:prefLabel", Literal(words), self._language)]
            is_edtf = said.value.datatype.value.endswith(("EDTF", "#date"))
            span = timespan(Value(said.value.value, "edtf")) if is_edtf else None
            if span is not None:
                found += [
                    Element(name, day)
                    for name, number in (("edm:begin", span.first), ("edm:end", span.last))
                    if (day := _day(number))
                ]
            about = said.claim.replace("/id/claim/", "/id/date/", 1)
            yield Node(TIMESPAN, about, tuple(found))


def _text(name: str, value: Literal, language: str = "") -> Element:
    return Element(name, value.value, value.language or language)


def _day(number: int) -> str:
    """Return a day as ISO 8601 writes it, "" for one of no year that it can write."""
    year, rest = divmod(number, 10_000)
    month, day = divmod(rest, 100)
    if not 1 <= year <= 9999:
        return ""
    return f"{year:04d}-{month:02d}-{min(day, _days(year, month)):02d}"


def _days(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31
