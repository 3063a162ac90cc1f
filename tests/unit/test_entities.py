"""Entity views over the worked example of the model, in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from rdfkms import access
from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.errors import NotFound
from rdfkms.knowledge import mapping
from rdfkms.model import Principal, Ref, Role
from rdfkms.ports import Bindings, Row
from rdfkms.publish import entities
from rdfkms.publish.views import Scope, humanise, scope_of
from rdfkms.vocab import KMS, KV, RICO
from tests.tools.claims import BASE, claim, passage

STAFF = Principal("staff", Role.REVIEWER)
STATEMENTS = 200


class Counting(OxigraphStore):
    """Counts the queries."""

    queries = 0

    def select(
        self, text: str, bindings: Bindings | None = None, graphs: Sequence[NamedNode] = ()
    ) -> list[Row]:
        self.queries += 1
        return super().select(text, bindings, graphs)


def scope(quads: list[Quad], who: Principal = access.ANONYMOUS) -> tuple[Scope, Counting]:
    store = Counting()
    store.patch((), quads)
    return scope_of(store, BASE, mapping.load(), who), store


def named(key: str, subject: str, name: str) -> list[Quad]:
    value = Literal(name, language="es")
    return claim(key, subject, KMS("namedAs"), claimValue=value, entityType=Literal("Person"))


def test_the_most_frequent_name_is_shown_and_all_are_listed() -> None:
    quads = passage() + named("1", "person/a", "Ana Roca") + named("2", "person/a", "Ana Roca")
    quads += named("3", "person/a", "Ana Roca Fuster, de Belmira")
    view = entities.entity(scope(quads)[0], Ref("person", "a"))
    assert (view.title, view.language, view.type_label) == ("Ana Roca", "es", "person")
    assert [(n.text, len(n.evidences)) for n in view.names] == [
        ("Ana Roca", 2),
        ("Ana Roca Fuster, de Belmira", 1),
    ]
    proof = view.names[0].evidences[0]
    assert (proof.before, proof.quote, proof.after) == ("De ", "Ana Roca", ", maestra.")


def test_same_statements_join_their_evidence_and_conflicts_are_marked() -> None:
    age: dict[str, Any] = {"statementType": KV("age")}
    other = BASE.iri("claim", "3")
    quads = passage() + named("0", "person/a", "Ana")
    quads += claim("1", "person/a", KMS("ageAtEvent"), claimValue=Literal(31), **age)
    quads += claim("2", "person/a", KMS("ageAtEvent"), claimValue=Literal(31), **age)
    quads += claim("3", "person/a", KMS("ageAtEvent"), claimValue=Literal(33), **age)
    quads.append(Quad(BASE.iri("claim", "1"), KMS("conflictsWith"), other, BASE.public))
    view = entities.entity(scope(quads)[0], Ref("person", "a"))
    (group,) = view.groups
    assert (group.label, group.disputed) == ("age", True)
    assert [(s.value, len(s.evidences), s.claims) for s in group.statements] == [
        ("31", 2, ("1", "2")),
        ("33", 1, ("3",)),
    ]


def test_quarantined_claims_are_seen_by_staff_alone() -> None:
    quads = passage() + named("0", "person/a", "Ana")
    quads += claim("1", "person/a", KMS("militaryRank"), claimValue=Literal("sargento"),
                   status=KMS("quarantined"))  # fmt: skip
    assert entities.entity(scope(quads)[0], Ref("person", "a")).groups == ()
    seen = entities.entity(scope(quads, STAFF)[0], Ref("person", "a"))
    assert [s.status for g in seen.groups for s in g.statements] == ["quarantined"]


def test_an_unknown_or_hidden_entity_is_not_found() -> None:
    quads = passage()
    quads += claim(
        "1", "person/a", KMS("namedAs"), claimValue=Literal("Ana"), status=KMS("rejected")
    )
    for key in ("a", "b"):
        with pytest.raises(NotFound):
            entities.entity(scope(quads)[0], Ref("person", key))


def test_claims_about_a_merged_entity_appear_with_its_target() -> None:
    quads = passage() + named("1", "person/a", "Ana Roca") + named("2", "person/b", "A. Roca")
    a, b = BASE.iri("person", "a"), BASE.iri("person", "b")
    quads.append(Quad(b, KMS("mergedInto"), a, BASE.public))
    view = entities.entity(scope(quads)[0], Ref("person", "a"))
    assert {n.text for n in view.names} == {"Ana Roca", "A. Roca"}
    assert [m.key for m in view.merged_from] == ["b"]
    merged = entities.entity(scope(quads)[0], Ref("person", "b"))
    assert merged.merged_into == Ref("person", "a")


def test_inverse_statements_are_paged_without_loss_and_counted() -> None:
    quads = passage() + named("0", "place/p", "Belmira")
    place = BASE.iri("place", "p")
    for n in range(120):
        subject = f"person/{n:03}"
        quads += claim(f"b{n:03}", subject, RICO("hasBirthPlace"), claimObject=place)
    seen: list[str] = []
    after, pages = "", 0
    while after or not pages:
        view = entities.entity(scope(quads)[0], Ref("place", "p"), after)
        seen += [row.claim for row in view.inverse.rows]
        after, pages = view.inverse.next, pages + 1
    assert sorted(seen) == [f"b{n:03}" for n in range(120)]
    assert (pages, view.inverse.total) == (3, 120)
    assert view.inverse.counts == (("birth place", 120),)


def test_a_page_of_200_statements_takes_at_most_seven_queries() -> None:
    quads = passage() + named("0", "person/a", "Ana Roca")
    for n in range(STATEMENTS):
        child = f"person/c{n}"
        quads += named(f"n{n}", child, f"Hija {n}")
        quads += claim(f"k{n}", "person/a", RICO("hasChild"), statementType=KV("kinshipChild"),
                       claimObject=BASE.iri("person", f"c{n}"))  # fmt: skip
        quads += claim(f"i{n}", child, RICO("hasSibling"), claimObject=BASE.iri("person", "a"))
    seen, store = scope(quads)
    view = entities.entity(seen, Ref("person", "a"))
    assert view.statements == STATEMENTS
    assert all(s.target and s.target.text.startswith("Hija") and s.evidences
               for g in view.groups for s in g.statements)  # fmt: skip
    assert view.inverse.total == STATEMENTS
    assert store.queries <= 7


def test_a_much_named_place_counts_all_readings_and_lists_the_first() -> None:
    quads = passage()
    for n in range(250):
        quads += named(f"{n:03}", "place/p", "Belmira")
    view = entities.entity(scope(quads)[0], Ref("place", "p"))
    assert [(n.count, len(n.evidences)) for n in view.names] == [(250, 200)]


def test_names_of_properties_become_words() -> None:
    assert humanise("hasBirthPlace") == "birth place"
    assert humanise("isOrWasMemberOf") == "member of"
    assert humanise("history") == "history"
