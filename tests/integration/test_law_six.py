"""Law 6: what is not admitted asserts nothing, also when RiC-O's own rules are run over exports.

RiC-O gives 98 binary properties a relation class each. From a relation node with its two ends, a
reasoner concludes the binary property. Run over every graph that can be exported, those rules must
conclude nothing about the ends of a claim that is rejected, quarantined, superseded or withdrawn.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from pyoxigraph import NamedNode, Quad, Store, Triple

from rdfkms.app import composition, operations
from rdfkms.app.composition import App
from rdfkms.knowledge import decoding
from rdfkms.knowledge.encoding import ref_iri
from rdfkms.model import Claim, Kind, Principal, Ref, Role, Status
from rdfkms.publish import things
from rdfkms.publish.views import scope_of
from rdfkms.vocab import RICO, TYPE

TABLE = "data/ric-o/rico-1.1-shortcut-to-relation.tsv"
EVA = Principal("eva", Role.REVIEWER)
PUBLIC = Principal("anonymous", Role.READER)
INVERSE = {
    "thingIsSourceOfRelation": "relationHasSource",
    "thingIsTargetOfRelation": "relationHasTarget",
    "thingIsConnectedToRelation": "relationConnects",
}
OUTWARD = {inward: outward for outward, inward in INVERSE.items()}


@pytest.fixture(scope="module")
def rules(shared: Path) -> list[str]:
    """Return a CONSTRUCT for each shortcut: relation node with both ends, however linked."""
    with (shared / TABLE).open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    return [
        f"CONSTRUCT {{ ?s {iri(row['shortcut_property'])} ?o }} WHERE {{ "
        f"?r a {iri(row['relation_class'])} . {end('?s', row['subject_link'])} "
        f"{end('?o', row['object_link'])} FILTER(?s != ?o) }}"
        for row in rows
    ]


def iri(name: str) -> str:
    return f"<{RICO.iri}{name}>"


def end(variable: str, link: str) -> str:
    """The thing's own link to the node, or the node's link to the thing."""
    outward, inward = OUTWARD.get(link, ""), INVERSE.get(link, "")
    if not outward and not inward:  # a property of the node that has no inverse in the table
        return f"{{ ?r {iri(link)} {variable} }}"
    outward, inward = outward or link, inward or link
    return f"{{ {variable} {iri(outward)} ?r }} UNION {{ ?r {iri(inward)} {variable} }}"


def concluded(triples: Iterable[Triple], rules: list[str]) -> set[tuple[str, str]]:
    """Return the pairs of things that the triples or the rules' conclusions link, both ways."""
    store = Store()
    store.extend([Quad(t.subject, t.predicate, t.object) for t in triples])
    found = {
        (quad.subject.value, quad.object.value)
        for quad in store
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode)
    }
    for rule in rules:
        for triple in store.query(rule):  # type: ignore[union-attr]
            found.add((triple.subject.value, triple.object.value))
    return found | {(two, one) for one, two in found}


def revived(app: App, triples: Iterable[Triple], rules: list[str]) -> list[str]:
    """Return the dead claims whose ends an export links though no admitted claim does."""
    everything = list(decoding.all_claims(app.ledger.store, app.base, (), None))
    ends = {c.key: {value(app, c.subject), value(app, c.object)} for c in everything if c.object}
    alive = {frozenset(ends[c.key]) for c in everything if c.key in ends and stands(c)}
    linked = concluded(triples, rules)
    return [
        c.key
        for c in everything
        if c.key in ends
        and not stands(c)
        and frozenset(ends[c.key]) not in alive
        and tuple(ends[c.key]) in linked
    ]


def stands(claim: Claim) -> bool:
    return claim.status is Status.ADMITTED


def value(app: App, ref: Ref | None) -> str:
    return ref_iri(ref, app.base).value if ref else ""


def exports(app: App) -> Iterator[tuple[str, list[Triple]]]:
    """Yield every graph that the service gives away, to the public and to staff."""
    for graph in (app.base.public, app.base.internal):
        quads = app.ledger.store.match(None, None, None, graph)
        yield graph.value, [Triple(q.subject, q.predicate, q.object) for q in quads]
    for who in (PUBLIC, EVA):
        scope = scope_of(app.ledger.store, app.base, app.mapping, who)
        documents: list[Triple] = []
        for claim in decoding.all_claims(app.ledger.store, app.base, scope.graphs, None):
            for ref in (claim.subject, claim.object, Ref("claim", claim.key)):
                if ref is not None and things.exists(scope, ref):
                    documents += things.document(scope, ref)
        yield f"documents for a {who.role}", documents


@pytest.fixture
def app(copy: Path) -> Iterator[App]:
    """An archive with claims in every state that asserts nothing."""
    with composition.writing(copy, "test") as opened:

        def do(name: str, /, **arguments: object) -> None:
            operations.perform_here(opened, name, arguments, EVA)

        found = decoding.all_claims(opened.ledger.store, opened.base)
        related = [c for c in sorted(found, key=lambda c: c.key) if c.object is not None]
        lone = [c for c in related if c.kind is not Kind.ARGUMENT]
        do("review_reject", item=lone[0].key)
        do("review_reopen", item=lone[1].key)
        do("rollback", claims=[lone[2].key])
        kin = next(c for c in lone[3:] if c.statement.startswith("Kinship"))
        do("review_edit", item=kin.key, name="Kinship/other")
        yield opened


def test_no_export_revives_what_is_not_admitted(app: App, rules: list[str]) -> None:
    states = {c.status for c in decoding.all_claims(app.ledger.store, app.base, (), None)}
    assert states >= set(Status)
    for name, triples in exports(app):
        assert triples, name
        assert revived(app, triples, rules) == [], name


def test_a_rejected_claim_typed_as_a_relation_would_be_caught(app: App, rules: list[str]) -> None:
    """The positive control: the one mistake that this test is there for turns it red."""
    dead = next(
        c
        for c in decoding.all_claims(app.ledger.store, app.base, (), Status.REJECTED)
        if c.object is not None
    )
    node = app.base.iri("claim", dead.key)
    assert dead.object is not None
    mistake = [
        Triple(node, TYPE, RICO("MembershipRelation")),
        Triple(node, RICO("relationHasSource"), ref_iri(dead.object, app.base)),
        Triple(node, RICO("relationHasTarget"), ref_iri(dead.subject, app.base)),
    ]
    for _, triples in exports(app):
        assert revived(app, [*triples, *mistake], rules) == [dead.key]
