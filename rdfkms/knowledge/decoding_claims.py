"""Store to claims (part of `decoding`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pyoxigraph import NamedNode

from rdfkms.errors import NotFound
from rdfkms.knowledge.encoding import EDTF, ref_iri
from rdfkms.knowledge.mapping import EventRule, Mapping, StatementRule, load
from rdfkms.knowledge.nodes import Graphs, Node, key_in, numbered
from rdfkms.model import Claim, Kind, Label, Pointer, Rank, Reason, Ref, Status, Value
from rdfkms.ports import QuadReader
from rdfkms.vocab import KMS, PROV, XSD, Base

Members = Callable[[Ref], Iterable[Ref]]
DATATYPES = {  # of literals, by their names in the model
    XSD("integer"): "integer",
    XSD("date"): "date",
    EDTF: "edtf",
    XSD("anyURI"): "anyURI",
}


def claim(store: QuadReader, base: Base, key: str, graphs: Graphs = ()) -> Claim:
    """Return one claim; raises `NotFound`."""
    found = claims(store, base, [key], graphs)
    if not found:
        raise NotFound(f"No claim {key}.")
    return found[0]


def claims(store: QuadReader, base: Base, keys: Iterable[str], graphs: Graphs = ()) -> list[Claim]:
    """Return the claims with these keys that are there, in the order of `keys`."""
    mapping = load()
    found = (_claim(store, base, key, graphs, mapping) for key in dict.fromkeys(keys))
    return [c for c in found if c is not None]


def claims_of_thing(store: QuadReader, base: Base, ref: Ref, graphs: Graphs = ()) -> list[Claim]:
    """Return the claims whose subject or object is the thing, sorted by key."""
    keys = _subject_of(store, base, ref, graphs) | _object_of(store, base, ref, graphs)
    return claims(store, base, sorted(keys), graphs)


def claims_of_run(store: QuadReader, base: Base, run: str, graphs: Graphs = ()) -> list[Claim]:
    """Return the claims that a run proposed, alone or with others, sorted by key."""
    keys = _keys(store, base, PROV("wasGeneratedBy"), base.iri("run", run), graphs)
    return claims(store, base, sorted(keys), graphs)


def claims_of_unit(store: QuadReader, base: Base, unit: str, graphs: Graphs = ()) -> list[Claim]:
    """Return the claims that quote a unit, sorted by key."""
    keys = _keys(store, base, KMS("citesUnit"), base.iri("evidence", unit), graphs)
    return claims(store, base, sorted(keys), graphs)


def all_claims(
    store: QuadReader, base: Base, graphs: Graphs = (), status: Status | None = Status.ADMITTED
) -> Iterator[Claim]:
    """Yield every claim with this status (None: any), one at a time, in the store's order."""
    mapping = load()
    wanted = None if status is None else KMS(status.value)
    for graph in graphs or (base.public, base.internal):
        for quad in store.match(None, KMS("claimStatus"), wanted, graph):
            key = key_in(base, quad.subject)
            found = _claim(store, base, key, graphs, mapping) if key else None
            if found is not None:
                yield found


def neighbours(
    store: QuadReader, base: Base, things: Iterable[Ref], members: Members | None = None
) -> list[Claim]:
    """Return every claim that `statements.reproject` must see when claims about `things` change.

    That is all claims about them, and, as symmetric statements project at both ends, those that
    point at them with their rivals. `members` gives a thing and all that is merged with it. When
    things are merged or parted, take `claims_of_thing` of each as well: whatever points at them
    is projected anew.
    """
    expand = members or (lambda ref: (ref,))
    mapping = load()
    touched = {member for thing in things for member in expand(thing)}
    keys: set[str] = set()
    rivals: set[tuple[Ref, str]] = set()
    for thing in touched:
        keys |= _subject_of(store, base, thing, ())
        for found in claims(store, base, _object_of(store, base, thing, ())):
            if mapping.statement(found.statement).symmetric:
                keys.add(found.key)
                rivals |= {(member, found.statement) for member in expand(found.subject)}
    result = {c.key: c for c in claims(store, base, keys)}
    for subject, statement in rivals:
        if subject not in touched:
            for found in claims(store, base, _subject_of(store, base, subject, ())):
                if found.statement == statement:
                    result[found.key] = found
    return [result[key] for key in sorted(result)]


def _subject_of(store: QuadReader, base: Base, ref: Ref, graphs: Graphs) -> set[str]:
    return _keys(store, base, KMS("claimSubject"), ref_iri(ref, base), graphs)


def _object_of(store: QuadReader, base: Base, ref: Ref, graphs: Graphs) -> set[str]:
    iri = ref_iri(ref, base)
    return _keys(store, base, KMS("claimObject"), iri, graphs) | _keys(
        store, base, KMS("claimPlace"), iri, graphs
    )


def _keys(
    store: QuadReader, base: Base, predicate: NamedNode, object_: NamedNode, graphs: Graphs
) -> set[str]:
    """The keys of the claims (or of the claims of the pointers) that bear this property."""
    found: set[str] = set()
    for graph in graphs or (base.public, base.internal):
        for quad in store.match(None, predicate, object_, graph):
            subject = quad.subject
            split = base.split(subject.value) if isinstance(subject, NamedNode) else None
            if split is not None and split[0] == "claim":
                found.add(split[1])
    return found


def _claim(
    store: QuadReader, base: Base, key: str, graphs: Graphs, mapping: Mapping
) -> Claim | None:
    node = Node(store, base, base.iri("claim", key), graphs)
    rule = _statement(node, mapping)
    subject = _ref(node, "claimSubject")
    if rule is None or subject is None:
        return None
    label = node.word("verificationLabel")
    return Claim(
        key=key,
        kind=rule.claim_kind,
        statement=rule.name,
        subject=subject,
        pointers=tuple(
            _pointer(Node(store, base, iri, graphs)) for iri in numbered(node, "pointer")
        ),
        object=_ref(node, "claimObject"),
        value=_value(node, "claimValue", "verbatim"),
        name=_name(node, rule, mapping),
        group=node.key(KMS("claimGroup")) or None,
        confidence=float(node.text("confidence") or 0),
        label=Label(label) if label else None,
        status=Status(node.word("claimStatus")),
        rank=Rank(node.word("rank")),
        reasons=tuple(
            _reason(Node(store, base, iri, graphs)) for iri in numbered(node, "reasonNote")
        ),
        runs=tuple(sorted(node.keys(PROV("wasGeneratedBy")))),
        time=_value(node, "claimTime", "claimTimeVerbatim"),
        place=_ref(node, "claimPlace"),
        conflicts=tuple(sorted(node.keys(KMS("conflictsWith")))),
    )


def _statement(node: Node, mapping: Mapping) -> StatementRule | None:
    for concept in node.nodes(KMS("statementType")):
        rule = mapping.by_concept(concept)
        if isinstance(rule, StatementRule):
            return rule
    return None


def _name(node: Node, rule: StatementRule, mapping: Mapping) -> str:
    if rule.claim_kind is not Kind.EVENT:
        return node.text("entityType")
    for concept in node.nodes(KMS("eventType")):
        event = mapping.by_concept(concept)
        if isinstance(event, EventRule):
            return event.name
    return ""


def _ref(node: Node, name: str) -> Ref | None:
    found = node.nodes(KMS(name))
    return node.ref(found[0]) if found else None


def _value(node: Node, name: str, verbatim_name: str) -> Value | None:
    literal, verbatim = node.literal(name), node.literal(verbatim_name)
    if literal is None:
        return None
    return Value(
        lexical=literal.value,
        datatype=DATATYPES.get(literal.datatype, "string"),
        language=literal.language or (verbatim.language if verbatim is not None else None) or "",
        verbatim=verbatim.value if verbatim is not None else "",
    )


def _pointer(node: Node) -> Pointer:
    return Pointer(
        unit=node.key(KMS("citesUnit")),
        unit_text=node.key(KMS("unitText")),
        start=node.number("start"),
        end=node.number("end"),
        quote=node.text("quote"),
    )


def _reason(node: Node) -> Reason:
    codes = node.nodes(KMS("reason"))
    code = codes[0].value.partition("#")[2] if codes else ""
    return Reason(code, node.text("reasonText"))
