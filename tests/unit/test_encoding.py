"""What the triples of descriptions and claims look like, and what must never stand in them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad, Triple

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.knowledge import decoding, encoding
from rdfkms.knowledge.encoding import EDTF, decimal, text_literal, value_literal
from rdfkms.model import (
    Access,
    Claim,
    Kind,
    Label,
    Modality,
    Pointer,
    Reason,
    Record,
    Ref,
    SourceFile,
    Status,
    Value,
)
from rdfkms.vocab import KMS, KV, RICO, RST, TYPE, XSD, Base, key_of

BASE = Base()
PERSON, PLACE = Ref("person", "p1"), Ref("place", "l1")
POINTER = Pointer("e1", "t2", 28, 76, "Andrés Vidal Soler, de 31 años, natural de Alcoy")


def claim(**changes: object) -> Claim:
    values: dict[str, object] = {
        "key": "c1", "kind": Kind.ATTRIBUTE, "statement": "birthplace", "subject": PERSON,
        "pointers": (POINTER,), "object": PLACE, "confidence": 0.93, "runs": ("run1",),
        **changes,
    }  # fmt: skip
    return Claim(**values)  # type: ignore[arg-type]


def objects(triples: list[Triple], subject: NamedNode, predicate: NamedNode) -> list[object]:
    return [t.object for t in triples if t.subject == subject and t.predicate == predicate]


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        (Value("Alcoy", language="es"), Literal("Alcoy", language="es")),
        (Value("Alcoy"), Literal("Alcoy")),
        (Value("031", "integer"), Literal("31", datatype=XSD("integer"))),
        (Value("treinta", "integer"), Literal("treinta")),
        (Value("1948-03~", "edtf"), Literal("1948-03~", datatype=EDTF)),
        (Value("1948-03-01", "date"), Literal("1948-03-01", datatype=XSD("date"))),
    ],
)
def test_a_value_becomes_a_literal_in_the_form_that_stores_keep(
    value: Value, literal: Literal
) -> None:
    assert value_literal(value) == literal


@pytest.mark.parametrize(
    ("number", "text"), [(0.93, "0.93"), (1.0, "1"), (0.0, "0"), (0.00004, "0"), (1 / 3, "0.3333")]
)
def test_a_confidence_is_a_decimal_without_an_exponent(number: float, text: str) -> None:
    assert decimal(number) == Literal(text, datatype=XSD("decimal"))


def test_a_language_tag_that_is_none_is_left_out() -> None:
    assert text_literal("x", "not a tag!") == Literal("x")
    assert text_literal("x", "zh-Hant") == Literal("x", language="zh-hant")


def test_a_claim_is_a_claim_and_a_prov_entity_and_nothing_else() -> None:
    triples = encoding.claim_triples(claim(), BASE)
    types = objects(triples, BASE.iri("claim", "c1"), TYPE)
    assert [str(t) for t in types] == [
        "<https://w3id.org/rdfkms/ns#Claim>", "<http://www.w3.org/ns/prov#Entity>"
    ]  # fmt: skip


def test_a_claim_makes_no_statement_about_its_subject() -> None:
    person = BASE.iri("person", "p1")
    for status in Status:
        triples = encoding.claim_triples(claim(status=status), BASE)
        assert not [t for t in triples if t.subject == person]


def test_a_pointer_is_one_flat_node_with_its_quote() -> None:
    triples = encoding.claim_triples(claim(), BASE)
    node = BASE.part("claim", "c1", "p1")
    assert objects(triples, BASE.iri("claim", "c1"), KMS("pointer")) == [node]
    assert objects(triples, node, KMS("quote")) == [Literal(POINTER.quote)]
    assert objects(triples, node, KMS("unitText")) == [BASE.iri("text", "t2")]
    assert objects(triples, node, KMS("citesUnit")) == [BASE.iri("evidence", "e1")]


def test_a_mention_bears_class_and_type_and_an_event_its_concept() -> None:
    iri = BASE.iri("claim", "c1")
    mention = claim(kind=Kind.MENTION, statement="namedAs", object=None, value=Value("Alcoy"),
                    name="Location")  # fmt: skip
    triples = encoding.claim_triples(mention, BASE)
    assert objects(triples, iri, KMS("entityClass")) == [RICO("Place")]
    assert objects(triples, iri, KMS("entityType")) == [Literal("Location")]
    event = claim(kind=Kind.EVENT, statement="triggeredBy", object=None, value=Value("procesado"),
                  name="CourtMartial", group="g1", subject=Ref("event", "g1"))  # fmt: skip
    triples = encoding.claim_triples(event, BASE)
    assert objects(triples, iri, KMS("eventType")) == [KV("courtMartial")]
    assert objects(triples, iri, KMS("claimGroup")) == [BASE.iri("group", "g1")]


def test_an_argument_bears_its_role() -> None:
    argument = claim(kind=Kind.ARGUMENT, statement="accused", subject=Ref("event", "g1"),
                     object=PERSON, group="g1")  # fmt: skip
    triples = encoding.claim_triples(argument, BASE)
    iri = BASE.iri("claim", "c1")
    assert objects(triples, iri, KMS("claimRole")) == [KV("accused")]
    assert objects(triples, iri, KMS("claimPredicate")) == [RICO("hasOrHadParticipant")]


def test_a_value_keeps_what_was_written_beside_what_it_means() -> None:
    dated = claim(statement="birthDate", object=None,
                  value=Value("1909-03", "edtf", "es", "marzo de 1909"))  # fmt: skip
    triples = encoding.claim_triples(dated, BASE)
    iri = BASE.iri("claim", "c1")
    assert objects(triples, iri, KMS("claimValue")) == [Literal("1909-03", datatype=EDTF)]
    assert objects(triples, iri, KMS("verbatim")) == [Literal("marzo de 1909", language="es")]


def test_reasons_stand_as_concepts_with_their_sentences() -> None:
    why = (Reason("negated", "The passage seems to deny this."), Reason("noCue", "No word."))
    triples = encoding.claim_triples(claim(reasons=why, label=Label.AMBIGUOUS), BASE)
    iri = BASE.iri("claim", "c1")
    assert objects(triples, iri, KMS("reason")) == [KV("negated"), KV("noCue")]
    second = BASE.part("claim", "c1", "r2")
    assert objects(triples, second, KMS("reasonText")) == [Literal("No word.")]


def test_a_statement_that_is_not_in_the_table_is_an_error() -> None:
    with pytest.raises(KeyError):
        encoding.claim_triples(claim(statement="Kinship/cousin"), BASE)


FILE = SourceFile("a" * 64, "causa.png", "image/png", 9)


def record(modality: Modality) -> Record:
    access = Access("embargo", date(2030, 1, 1))
    return Record("r1", "Causa 118", "court-martial", "es", access, modality, (FILE,), (), "box 1")


def test_a_scan_is_derived_from_a_paper_and_a_digital_text_from_none() -> None:
    paper = BASE.iri("inst", key_of("paper", "r1"))
    scan = encoding.file_iri(FILE.sha256, BASE)
    derived = RICO("isOrWasDerivedFromInstantiation")
    triples = encoding.record_triples(record(Modality.DOCUMENT), BASE)
    assert objects(triples, scan, derived) == [paper]
    triples = encoding.record_triples(record(Modality.BORN_DIGITAL), BASE)
    assert not objects(triples, scan, derived)
    assert not [t for t in triples if paper in (t.subject, t.object)]


def test_a_record_says_how_it_may_be_used_and_comes_back_so(tmp_path: Path) -> None:
    told = replace(record(Modality.DOCUMENT), use="CC BY 4.0", personal_data=True)
    store = OxigraphStore(tmp_path / "store")
    triples = encoding.record_triples(told, BASE)
    store.patch((), [Quad(t.subject, t.predicate, t.object, BASE.public) for t in triples])
    found = decoding.record(store, BASE, "r1")
    store.close()
    assert (found.use, found.personal_data) == ("CC BY 4.0", True)


def test_a_record_says_who_may_read_it_and_which_set_holds_it() -> None:
    triples = encoding.record_triples(record(Modality.DOCUMENT), BASE)
    iri, folder = BASE.iri("record", "r1"), encoding.recordset_iri("box 1", BASE)
    assert objects(triples, iri, KMS("access")) == [KMS("embargo")]
    until = Literal("2030-01-01", datatype=XSD("date"))
    assert objects(triples, iri, KMS("accessUntil")) == [until]
    assert objects(triples, folder, RICO("directlyIncludes")) == [iri]
    assert objects(triples, folder, RICO("hasRecordSetType")) == [RST("Collection")]
