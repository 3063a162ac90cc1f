"""Changes who may read a record: what rests on it moves between the graphs (DESIGN 4)."""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.access import demand, is_open
from rdfkms.errors import BadInput, Conflict
from rdfkms.knowledge import decoding
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.statements import reproject
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.model import Access, Claim, Principal, Role, Status
from rdfkms.ports import TripleStore
from rdfkms.review import amended, sources
from rdfkms.review.merges import merges
from rdfkms.vocab import KEY_LENGTH, KMS, KV, RICO, TYPE, XSD, Base

CONDITIONS = ("open", "closed", "embargo")
_CONDITION = (KMS("access"), KMS("accessUntil"), RICO("conditionsOfAccess"))
_DEPENDENT = (KMS("locator"), KMS("pointer"), KMS("reasonNote"))


def change(
    ledger: Ledger, mapping: Mapping, record: str, condition: Access, principal: Principal
) -> int:
    """Set the access condition of a record (key); returns how many quads moved between graphs.

    Raises `NotFound`, `Denied` below reviewer, `BadInput` for an embargo without its last day,
    `Conflict` for a record that is withdrawn.
    """
    demand(principal, Role.REVIEWER, "change access conditions")
    if condition.condition not in CONDITIONS:
        known = ", ".join(CONDITIONS)
        raise BadInput(f"There is no condition {condition.condition!r}.", hint=f"Known: {known}.")
    if (condition.condition == "embargo") is (condition.until is None):
        raise BadInput(
            "An embargo needs the day on which it ends, and nothing else has one.",
            hint="Example: rdfkms access RECORD embargo --until 2030-01-01",
        )
    store, base = ledger.store, ledger.base
    revision = ledger.revision
    decoding.access_of_record(store, base, record)
    if decoding.is_withdrawn(store, base, "record", record):
        raise Conflict(
            f"Record {record} is withdrawn: nobody but staff reads it.",
            hint="Undo its withdrawal first: rdfkms review decisions",
        )
    iri = base.iri("record", record)
    was_open = next(iter(store.match(iri, TYPE, None, base.public)), None) is not None
    now_open = is_open(condition)
    here, there = (base.public if x else base.internal for x in (was_open, now_open))
    remove = [q for p in _CONDITION for q in store.match(iri, p, None, here)]
    add = _condition(iri, condition, there)
    moved = 0
    hidden, shut = _withdrawn_files(store, base, record)
    for waiting in amended.waiting(store, base, record):  # unseen until a second person accepts it
        hidden.update(waiting.nodes)
        shut.update(waiting.links)
    if was_open is not now_open:
        own = [
            q
            for q in _own(store, base, record, here)
            if q not in remove and q not in shut and q.subject not in hidden
        ]
        moved = len(own)
        remove += own
        add += [Quad(q.subject, q.predicate, q.object, there) for q in own]
        add += _set_description(store, base, iri, there)
        said = _said_elsewhere(store, base, own, here)
        remove += said
        add += [Quad(q.subject, q.predicate, q.object, there) for q in said]
        old, new = _projection(store, base, mapping, record, now_open=now_open)
        remove, add = [*remove, *old], [*add, *new]
    activity = Activity("access", subject=f"{iri.value} {condition.condition}")
    ledger.commit(
        Change(activity, add=tuple(add), remove=tuple(remove)), principal, expect=revision
    )
    return moved


def lapse(ledger: Ledger, mapping: Mapping, principal: Principal) -> list[str]:
    """Open the records whose embargo has ended; returns their keys. Called when serving begins."""
    store, base = ledger.store, ledger.base
    opened = []
    for quad in list(store.match(None, KMS("access"), KMS("embargo"), base.internal)):
        split = base.split(getattr(quad.subject, "value", ""))
        if split is not None and not decoding.is_withdrawn(store, base, "record", split[1]):
            access = decoding.access_of_record(store, base, split[1])
            if is_open(access):
                change(ledger, mapping, split[1], access, principal)
                opened.append(split[1])
    return opened


def _condition(iri: NamedNode, condition: Access, graph: NamedNode) -> list[Quad]:
    said = Literal(condition.condition)
    quads = [
        Quad(iri, KMS("access"), KMS(condition.condition), graph),
        Quad(iri, RICO("conditionsOfAccess"), said, graph),
    ]
    if condition.until is not None:
        until = Literal(condition.until.isoformat(), datatype=XSD("date"))
        quads.append(Quad(iri, KMS("accessUntil"), until, graph))
    return quads


def _own(store: TripleStore, base: Base, record: str, graph: NamedNode) -> list[Quad]:
    """The quads of a record in one graph: its description, files, pages, texts, admitted claims."""
    iri = base.iri("record", record)
    units = _subjects(store, RICO("isDirectConstituentOf"), [iri], graph)
    files = _objects(store, iri, RICO("hasOrHadDigitalInstantiation"), graph)
    pages = [p for f in files for p in _objects(store, f, RICO("hasDirectComponent"), graph)]
    nodes = [iri, *files, *_objects(store, iri, RICO("hasOrHadInstantiation"), graph), *pages]
    nodes += _subjects(store, KMS("ofPage"), pages, graph)
    nodes += [*units, *_subjects(store, KMS("ofUnit"), units, graph)]
    nodes += [base.iri("claim", claim.key) for claim in _claims(store, base, record, units)]
    nodes += [d for n in nodes for p in _DEPENDENT for d in _objects(store, n, p, graph)]
    quads = [quad for node in dict.fromkeys(nodes) for quad in store.match(node, None, None, graph)]
    return quads + list(store.match(None, RICO("directlyIncludes"), iri, graph))


def _withdrawn_files(
    store: TripleStore, base: Base, record: str
) -> tuple[set[NamedNode], set[Quad]]:
    """The nodes of files that were withdrawn and the links to them: they stay internal."""
    nodes: set[NamedNode] = set()
    links: set[Quad] = set()
    for file in decoding.record(store, base, record).files:
        if decoding.is_withdrawn(store, base, "inst", file.sha256[:KEY_LENGTH]):
            found = sources.source_of(store, base, record, file.sha256)
            nodes.update(found.nodes)
            links.update(found.links)
    return nodes, links


def _subjects(
    store: TripleStore, predicate: NamedNode, objects: Iterable[NamedNode], graph: NamedNode
) -> list[NamedNode]:
    return [
        q.subject
        for o in objects
        for q in store.match(None, predicate, o, graph)
        if isinstance(q.subject, NamedNode)
    ]


def _objects(
    store: TripleStore, subject: NamedNode, predicate: NamedNode, graph: NamedNode
) -> list[NamedNode]:
    found = store.match(subject, predicate, None, graph)
    return [q.object for q in found if isinstance(q.object, NamedNode)]


def _set_description(
    store: TripleStore, base: Base, record: NamedNode, graph: NamedNode
) -> list[Quad]:
    """What the sets say of themselves comes along when their first record is opened."""
    quads: list[Quad] = []
    for known in (base.public, base.internal):
        for part in store.match(None, RICO("directlyIncludes"), record, known):
            for predicate in (TYPE, RICO("title"), RICO("hasRecordSetType")):
                if isinstance(part.subject, NamedNode):
                    quads += store.match(part.subject, predicate, None, known)
    return [Quad(q.subject, q.predicate, q.object, graph) for q in quads]


def _said_elsewhere(
    store: TripleStore, base: Base, own: Iterable[Quad], here: NamedNode
) -> list[Quad]:
    """What public claims of other records say of the rivals that move: it quotes them.

    It is closed with the first rival that is closed, and opened with the last that is opened.
    """
    nodes = {quad.subject for quad in own}
    flags = [
        flag
        for node in nodes
        if isinstance(node, NamedNode)
        for flag in store.match(None, KMS("conflictsWith"), node, here)
        if flag.subject not in nodes and _is_public(store, base, flag.subject)
    ]
    quads = list(flags)
    for other in dict.fromkeys(flag.subject for flag in flags):
        if not isinstance(other, NamedNode):
            continue
        hidden = {q.object for q in store.match(other, KMS("conflictsWith"), None, base.internal)}
        if here == base.internal and not hidden <= nodes:
            continue
        for note in _objects(store, other, KMS("reasonNote"), here):
            if store.contains(Quad(note, KMS("reason"), KV("conflictsWith"), here)):
                quads.append(Quad(other, KMS("reasonNote"), note, here))
                for quad in store.match(note, None, None, here):
                    quads += [quad, Quad(other, quad.predicate, quad.object, here)]
    return quads


def _is_public(store: TripleStore, base: Base, claim: object) -> bool:
    return isinstance(claim, NamedNode) and store.contains(
        Quad(claim, TYPE, KMS("Claim"), base.public)
    )


def _claims(store: TripleStore, base: Base, record: str, units: Iterable[NamedNode]) -> list[Claim]:
    """The admitted claims that move with a record: that rest on it or lead to it, and to no other.

    What also rests on, or leads to, another record that is closed stays closed with that.
    """
    keys = [unit.value.rpartition("/")[2] for unit in units]
    found = {c.key: c for key in keys for c in decoding.claims_of_unit(store, base, key)}
    found |= {c.key: c for c in sources.claims_naming(store, base, record)}
    return [
        claim
        for claim in found.values()
        if claim.status is Status.ADMITTED and not _is_held(store, base, claim, record)
    ]


def _is_held(store: TripleStore, base: Base, claim: Claim, record: str) -> bool:
    """Whether the claim rests on or leads to another record, which is closed."""
    named = {claim.object.key} if claim.object and claim.object.kind == "record" else set()
    if not named:
        return False
    named |= {decoding.unit(store, base, p.unit).record for p in claim.pointers}
    return any(not is_open(decoding.access_of_record(store, base, one)) for one in named - {record})


def _projection(
    store: TripleStore, base: Base, mapping: Mapping, record: str, *, now_open: bool
) -> tuple[tuple[Quad, ...], tuple[Quad, ...]]:
    units = [
        unit
        for graph in (base.public, base.internal)
        for unit in _subjects(
            store, RICO("isDirectConstituentOf"), [base.iri("record", record)], graph
        )
    ]
    mine = {claim.key: claim for claim in _claims(store, base, record, units)}
    things = {r for c in mine.values() for r in (c.subject, c.object, c.place) if r is not None}
    known = merges(store, base)
    claims = decoding.neighbours(store, base, things, known.members)

    def was_visible(claim: Claim) -> bool:
        iri = base.iri("claim", claim.key)
        return store.contains(Quad(iri, TYPE, KMS("Claim"), base.public))

    def visible(claim: Claim) -> bool:
        return now_open if claim.key in mine else was_visible(claim)

    return reproject(
        claims, claims, visible, base, mapping, known.canonical, was_visible=was_visible
    )
