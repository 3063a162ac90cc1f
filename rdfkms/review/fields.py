"""What descriptions say of a thing, field by field: what somebody who edits it may change.

A field is a row of the mapping table that descriptions state (marked `declared`), or the name. Only
what rests on a description is shown: what was read in documents is corrected in review.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pyoxigraph import NamedNode, Quad

from rdfkms.errors import BadInput, NotFound
from rdfkms.knowledge import decoding
from rdfkms.knowledge.encoding import ref_iri
from rdfkms.knowledge.mapping import StatementRule
from rdfkms.knowledge.nodes import key_in
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.model import Claim, Modality, Ref, Status
from rdfkms.review.decisions import Desk
from rdfkms.review.merges import merges
from rdfkms.vocab import KMS, RICO, key_of

MOST = 50  # values of a field that are shown; a fonds may hold thousands of components
_COUNTED = 500  # claims that are looked at to tell which description says most of a thing
_LIVE = (Status.ADMITTED, Status.QUARANTINED)
_PREFIX = "description/"
_NAMES = ("name", "title", NAMED_AS)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a thing: its rule, what stands or waits in it, and the state it is in.

    `claims` are the first of `total`. `seen` changes whenever a value comes or goes.
    """

    rule: StatementRule
    claims: tuple[Claim, ...]
    total: int
    seen: str


def known_thing(desk: Desk, ref: Ref) -> Ref:
    """Return what stands for a thing where it was merged; raises `NotFound` for an unknown one."""
    about = [ref_iri(one, desk.base) for one in members(desk, ref)]
    said = (
        quad
        for iri in about
        for graph in (desk.base.public, desk.base.internal)
        for quad in desk.ledger.store.match(None, KMS("claimSubject"), iri, graph)
    )
    if desk.mapping.by_kind(ref.kind) is None or next(said, None) is None:
        raise NotFound(f"No description speaks of {ref.path}.", hint="Search for its name.")
    return merges(desk.ledger.store, desk.base).canonical(ref)


def members(desk: Desk, ref: Ref) -> list[Ref]:
    """Return all that are one with a thing, itself among them."""
    known = merges(desk.ledger.store, desk.base)
    return list(dict.fromkeys((*known.members(known.canonical(ref)), ref)))


def rule_of(desk: Desk, ref: Ref, name: str) -> StatementRule:
    """Return the rule of a field of a thing, by its whole or short name.

    Raises `BadInput` for a field that descriptions do not have, or not of such a thing.
    """
    whole = NAMED_AS if name in _NAMES else name
    found = {one.name: one for one in rules_for(desk, ref)}
    rule = found.get(whole) or found.get(_PREFIX + whole)
    if rule is not None:
        return rule
    hint = f"`rdfkms amend {ref.path} --fields` lists its fields."
    if whole in desk.mapping.statements or _PREFIX + whole in desk.mapping.statements:
        raise BadInput(f"{name[:80]} is no field of the description of a {ref.kind}.", hint=hint)
    raise BadInput(f"There is no field {name[:80]!r}.", hint=hint)


def rules_for(desk: Desk, ref: Ref) -> list[StatementRule]:
    """Return the fields that a thing of this kind has: its name, then the rows of the table."""
    type_ = type_of(desk, ref)
    rows = desk.mapping.statements.values()
    fitting = (one for one in rows if one.declared and type_ in one.domain)
    return [desk.mapping.statement(NAMED_AS), *fitting]


def type_of(desk: Desk, ref: Ref) -> str:
    """Return the entity type of a thing by its kind; raises `NotFound` for another kind."""
    rule = desk.mapping.by_kind(ref.kind)
    if rule is None:
        raise NotFound(f"A {ref.kind[:40]} is nothing that is described here.")
    return rule.name


def fields(desk: Desk, ref: Ref) -> list[Field]:
    """Return the fields of a thing, in the order of the table, each with what stands in it."""
    keys = _keys_by_field(desk, ref)
    return [_field(desk, rule, keys.get(rule.concept, [])) for rule in rules_for(desk, ref)]


def field_of(desk: Desk, ref: Ref, rule: StatementRule) -> Field:
    """Return one field of a thing."""
    return _field(desk, rule, _keys_by_field(desk, ref).get(rule.concept, []))


def _field(desk: Desk, rule: StatementRule, keys: Sequence[str]) -> Field:
    described = list(_states(desk, keys))
    if not rule.declared:  # names are read in documents as well
        described = [(key, status) for key, status in described if rests(desk, key)]
    shown = decoding.claims(desk.ledger.store, desk.base, [key for key, _ in described[:MOST]])
    state = (f"{key}-{status}" for key, status in described)
    return Field(rule, tuple(shown), len(described), key_of("field", rule.name, *state))


def _states(desk: Desk, keys: Sequence[str]) -> Iterator[tuple[str, Status]]:
    """Yield the claims that stand or wait, with their status."""
    base = desk.base
    live = {KMS(status.value): status for status in _LIVE}
    for key in sorted(keys):
        found = _objects(desk, base.iri("claim", key), KMS("claimStatus"))
        if found and found[0] in live:
            yield key, live[found[0]]


def _keys_by_field(desk: Desk, ref: Ref) -> dict[NamedNode, list[str]]:
    store, found = desk.ledger.store, defaultdict(list)
    for one in members(desk, ref):
        about = ref_iri(one, desk.base)
        for graph in _graphs(desk):
            for quad in store.match(None, KMS("claimSubject"), about, graph):
                claim = quad.subject
                if isinstance(claim, NamedNode):
                    for kind in _objects(desk, claim, KMS("statementType")):
                        found[kind].append(key_in(desk.base, claim))
    return found


def _graphs(desk: Desk) -> tuple[NamedNode, NamedNode]:
    return desk.base.public, desk.base.internal


# ---- on which description a claim rests ---------------------------------------------------------


def rests(desk: Desk, claim: str) -> str:
    """Return the key of the description on which a claim (key) rests first, "" for none."""
    store, base = desk.ledger.store, desk.base
    node = base.part("claim", claim, "p1")
    for one in _objects(desk, node, KMS("citesUnit")):
        for record in _objects(desk, one, RICO("isDirectConstituentOf")):
            said = KMS(Modality.DESCRIPTION.value)
            if any(store.contains(Quad(record, KMS("modality"), said, g)) for g in _graphs(desk)):
                return key_in(base, record)
    return ""


def home(desk: Desk, ref: Ref) -> str:
    """Return the key of the description that says most of a thing, "" where none names it."""
    keys = _keys_by_field(desk, ref)
    naming = {
        rests(desk, key)
        for key, status in _states(desk, keys.get(desk.mapping.statement(NAMED_AS).concept, []))
        if status is Status.ADMITTED
    }
    every = _states(desk, [key for some in keys.values() for key in some])
    said = Counter(rests(desk, key) for key, _ in islice(every, _COUNTED))
    found = sorted(naming - {""}, key=lambda record: (-said[record], record))
    return found[0] if found else ""


def _objects(desk: Desk, subject: NamedNode, predicate: NamedNode) -> list[NamedNode]:
    return [
        quad.object
        for graph in _graphs(desk)
        for quad in desk.ledger.store.match(subject, predicate, None, graph)
        if isinstance(quad.object, NamedNode)
    ]
