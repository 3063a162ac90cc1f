"""What pages are made of: values for a reader, and how they are read from the store.

Every function takes a `Scope`: the store and the graphs that this reader may see. Nothing here
knows HTTP or HTML.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from pyoxigraph import Literal, NamedNode

from rdfkms import queries
from rdfkms.access import at_least
from rdfkms.knowledge import words
from rdfkms.knowledge.mapping import Mapping as MappingTable
from rdfkms.model import Principal, Role
from rdfkms.ports import Row, Term, TripleStore
from rdfkms.vocab import KMS, KV, RDF, Base

PORTION = 500  # things named by one query: beyond a thousand the engine walks through all names
CONTEXT = 160  # characters shown on each side of a quote


@dataclass(frozen=True, slots=True)
class Scope:
    """What one reader reads: store, the archive's IRIs, mapping table, graphs; labels' language."""

    store: TripleStore
    base: Base
    mapping: MappingTable
    graphs: tuple[NamedNode, ...]
    language: str = words.ENGLISH

    def select(self, name: str, **bindings: NamedNode | Literal) -> list[Row]:
        """Return the rows of ``sparql/<name>.rq`` over the graphs of this reader."""
        return self.store.select(queries.text(name), bindings, self.graphs)

    def select_of(
        self,
        name: str,
        variable: str,
        terms: Sequence[NamedNode | Literal],
        **bindings: NamedNode | Literal,
    ) -> list[Row]:
        """Return the rows of a query with a VALUES line; no terms give no rows and no query."""
        if not terms:
            return []
        text = queries.with_values(name, variable, terms)
        return self.store.select(text, bindings, self.graphs)


def scope_of(store: TripleStore, base: Base, mapping: MappingTable, who: Principal) -> Scope:
    """Return the scope of a principal: the public graph; staff read the internal one too."""
    staff = at_least(who, Role.CONTRIBUTOR)
    return Scope(store, base, mapping, (base.public, base.internal) if staff else (base.public,))


@dataclass(frozen=True, slots=True)
class Link:
    """A thing of this archive to link to: kind, key and the text to show."""

    kind: str
    key: str
    text: str
    language: str = ""
    note: str = ""

    @property
    def path(self) -> str:
        """The path of its page on whatever host serves."""
        return f"/page/{self.kind}/{self.key}"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One pointer of a claim, resolved: the quote in its passage, page and record."""

    claim: str
    pointer: str  # the fragment of the pointer's IRI, e.g. "p1"
    unit: str
    record: str
    record_title: str
    page_label: str
    quote: str
    before: str
    after: str
    language: str
    start: int
    end: int
    has_picture: bool
    modality: str = "document"

    @property
    def path(self) -> str:
        """The evidence page, with this quote framed."""
        return f"/page/evidence/{self.unit}?claim={self.claim}&pointer={self.pointer}"

    @property
    def crop(self) -> str:
        """The picture of the lines that hold the quote."""
        return f"/crop/claim/{self.claim}/{self.pointer}.jpg"


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """The properties of one claim as they stand in the store."""

    key: str
    subject: NamedNode
    predicate: NamedNode
    statement: NamedNode | None = None
    role: NamedNode | None = None
    object: NamedNode | None = None
    value: Literal | None = None
    entity_type: str = ""
    event_type: NamedNode | None = None
    status: str = ""
    rank: str = "normal"
    label: str = ""
    confidence: float = 0.0
    group: str = ""
    runs: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    verbatim: str = ""
    time: Literal | None = None
    time_verbatim: str = ""
    place: NamedNode | None = None
    pointers: tuple[str, ...] = field(default=())


def local_name(iri: NamedNode | str) -> str:
    """Return what follows the last ``#`` or ``/``."""
    text = iri if isinstance(iri, str) else iri.value
    return text.rpartition("#")[2].rpartition("/")[2]


@cache
def humanise(name: str) -> str:
    """Return a camelCase name as words: ``hasBirthPlace`` -> "birth place"."""
    core = re.sub(r"^(hasOrHad|isOrWas|has|is)(?=[A-Z])", "", name)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", core).lower()


def iri_of(term: Term | None) -> NamedNode | None:
    """Return the term where it is an IRI."""
    return term if isinstance(term, NamedNode) else None


def literal_of(term: Term | None) -> Literal | None:
    """Return the term where it is a literal."""
    return term if isinstance(term, Literal) else None


def text_of(term: Term | None) -> str:
    """Return the lexical form of a literal, the IRI of a node, or nothing."""
    return "" if term is None else term.value


def key_in(scope: Scope, term: Term | None) -> str:
    """Return the key of an instance IRI of this archive, else nothing."""
    parts = scope.base.split(text_of(term))
    return parts[1] if parts else ""


def claim_rows(scope: Scope, rows: Iterable[Row]) -> list[ClaimRow]:
    """Return the claims in rows with the columns of ``pages/claims``, ordered by key.

    Several rows of one claim differ in reason, conflict, run or pointer (the last two where the
    query has them).
    """
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[text_of(row["claim"])].append(row)
    claims = (_claim_row(scope, iri, same) for iri, same in found.items())
    return sorted((c for c in claims if c is not None), key=lambda c: c.key)


def claims_of(scope: Scope, claims: Sequence[NamedNode]) -> list[ClaimRow]:
    """Return these claims as far as the reader may see them, ordered by key. One query."""
    return claim_rows(scope, scope.select_of("pages/claims", "claim", claims))


def _claim_row(scope: Scope, iri: str, rows: Sequence[Row]) -> ClaimRow | None:
    row = rows[0]
    subject, predicate = iri_of(row["subject"]), iri_of(row["predicate"])
    parts = scope.base.split(iri)
    if subject is None or predicate is None or parts is None:
        return None

    def several(name: str) -> tuple[str, ...]:
        return tuple(sorted({local_name(text_of(v)) for r in rows if (v := r.get(name))}))

    return ClaimRow(
        key=parts[1],
        subject=subject,
        predicate=predicate,
        statement=iri_of(row["statement"]),
        role=iri_of(row["role"]),
        object=iri_of(row["object"]),
        value=literal_of(row["value"]),
        entity_type=text_of(row["entityType"]),
        event_type=iri_of(row["eventType"]),
        status=local_name(text_of(row["status"])),
        rank=local_name(text_of(row["rank"])) or "normal",
        label=local_name(text_of(row["label"])),
        confidence=float(text_of(row["confidence"]) or 0),
        group=text_of(row["group"]),
        runs=several("run"),
        reasons=tuple(sorted({text_of(r["reason"]) for r in rows} - {""})),
        conflicts=several("conflict"),
        verbatim=text_of(row["verbatim"]),
        time=literal_of(row["time"]),
        time_verbatim=text_of(row["timeVerbatim"]),
        place=iri_of(row["place"]),
        pointers=several("pointer"),
    )


def statement_label(scope: Scope, claim: ClaimRow) -> str:
    """Return how a page names what the claim states: label of the mapping table, else words."""
    return label_of(scope, claim.statement, claim.role, claim.predicate)


def label_of(
    scope: Scope,
    statement: NamedNode | None,
    role: NamedNode | None,
    predicate: NamedNode | None,
) -> str:
    """Return the label of a mapped statement or role, else its name in words."""
    concepts = [c for c in (statement, role) if c is not None]
    for concept in concepts:
        if scope.mapping.by_concept(concept) is not None:
            return concept_label(scope, concept)
    named = role or statement or predicate
    return concept_label(scope, named) if named is not None else ""


def concept_label(scope: Scope, concept: NamedNode) -> str:
    """Return the label of a concept in the reader's language, else its name in words."""
    return words.label(concept, scope.language) or humanise(local_name(concept))


def evidences(scope: Scope, claims: Sequence[NamedNode]) -> dict[str, list[Evidence]]:
    """Return the resolved pointers of claims by claim key, in order of the pointers. One query."""
    found: dict[str, dict[str, Evidence]] = defaultdict(dict)
    for row in scope.select_of("pages/pointers", "claim", claims):
        item = evidence_of(scope, row)
        found[item.claim].setdefault(item.pointer, item)
    return {key: [by[p] for p in sorted(by)] for key, by in found.items()}


def evidence_of(scope: Scope, row: Row) -> Evidence:
    """Return the evidence in a row with the columns of ``pages/pointers``."""
    text, start, end = text_of(row["text"]), int(text_of(row["start"])), int(text_of(row["end"]))
    literal = literal_of(row["text"])
    return Evidence(
        claim=key_in(scope, row["claim"]),
        pointer=text_of(row["pointer"]).partition("#")[2],
        unit=key_in(scope, row["unit"]),
        record=key_in(scope, row["record"]),
        record_title=text_of(row["title"]),
        page_label=text_of(row["label"]),
        quote=text_of(row["quote"]),
        before=_tail(text[:start]),
        after=_head(text[end:]),
        language=(literal.language if literal is not None else "") or "",
        start=start,
        end=end,
        has_picture=row["picture"] is not None,
        modality=local_name(text_of(row["modality"])) or "document",
    )


def _tail(text: str) -> str:
    """Return the last characters of a text, cut at a space, marked where cut."""
    if len(text) <= CONTEXT:
        return text
    return "… " + text[-CONTEXT:].split(" ", 1)[-1]


def _head(text: str) -> str:
    if len(text) <= CONTEXT:
        return text
    return text[:CONTEXT].rsplit(" ", 1)[0] + " …"


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a name and how often it was read; of an event, its type, date and record."""

    count: int
    name: Literal
    event: NamedNode | None = None
    date: str = ""
    title: str = ""


def forms_of(rows: Iterable[Row]) -> dict[str, list[Form]]:
    """Return the forms of names by IRI of the thing, from rows of ``names`` or ``name_forms``."""
    forms: dict[str, list[Form]] = defaultdict(list)
    for row in rows:
        name = literal_of(row["name"])
        if name is not None:
            form = Form(
                int(text_of(row["count"])),
                name,
                iri_of(row["type"]),
                text_of(row["date"]),
                text_of(row["title"]),
            )
            forms[text_of(row["thing"])].append(form)
    return forms


def names_of(scope: Scope, things: Iterable[NamedNode]) -> dict[str, Link]:
    """Return a link with the displayed name for each thing, by IRI. One query, two with records.

    The displayed name is the most frequent one, ties to the longest, then alphabetical; an event
    is shown by type, date and record; a record that came in as a file by its title; a thing without
    any visible name by its kind.
    """
    wanted = {t for t in things if scope.base.split(t.value)}
    return links_of(scope, wanted, forms_for(scope, wanted))


def links_of(
    scope: Scope, things: Iterable[NamedNode], forms: Mapping[str, Sequence[Form]]
) -> dict[str, Link]:
    """Return the links to things by the forms of their names; a query more where records are."""
    links = {t.value: link_of(scope, t.value, forms.get(t.value, [])) for t in things}
    records = [
        NamedNode(iri) for iri, link in links.items() if link.kind == "record" and iri not in forms
    ]
    for row in scope.select_of("pages/titles", "record", records):
        title, iri = literal_of(row["title"]), text_of(row["record"])
        if title is not None:
            links[iri] = replace(links[iri], text=title.value, language=title.language or "")
    return links


def forms_for(scope: Scope, things: Iterable[NamedNode]) -> dict[str, list[Form]]:
    """Return the admitted forms of the names of things, by IRI. One query."""
    wanted = sorted(set(things), key=lambda t: t.value)
    found: dict[str, list[Form]] = {}
    for start in range(0, len(wanted), PORTION):
        portion = wanted[start : start + PORTION]
        found |= forms_of(scope.select_of("pages/names", "thing", portion))
    return found


def link_of(scope: Scope, thing: str, forms: Sequence[Form]) -> Link:
    """Return the link to a thing under its displayed name."""
    kind, key = scope.base.split(thing) or ("", "")
    if not forms:
        return Link(kind, key, f"{humanise(kind)} {key[:8]}")
    best = best_form(forms)
    if best.event is not None:
        return Link(kind, key, event_label(concept_label(scope, best.event), best.date, best.title))
    return Link(kind, key, best.name.value, best.name.language or "")


def best_form(forms: Sequence[Form]) -> Form:
    """Return the most frequent form, ties to the longest, then alphabetical."""
    return min(forms, key=lambda f: (-f.count, -len(f.name.value), f.name.value, f.date, f.title))


def event_label(kind: str, date: str, record: str) -> str:
    """Return how an event is named: ``Court martial, 1939-03-12 (Causa 7)``."""
    head = kind[:1].upper() + kind[1:]
    return head + (f", {date}" if date else "") + (f" ({record})" if record else "")


TYPE = RDF("type")
NAMED_AS = KMS("namedAs")
TRIGGERED_BY = KMS("triggeredBy")
ALSO_NAMED = KMS("alsoNamed")
TIME = KV("time")
