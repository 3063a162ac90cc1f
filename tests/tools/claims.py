"""Claims as they stand in a store, all about one passage, for views that need no archive."""

from __future__ import annotations

from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.vocab import KMS, RICO, TYPE, XSD, Base

BASE = Base()
QUOTE = "Ana Roca"


def claim(
    key: str,
    subject: str,
    predicate: NamedNode,
    public: bool | None = None,
    **more: NamedNode | Literal,
) -> list[Quad]:
    """Return the quads of a claim that quotes "Ana Roca" in passage u1.

    It is admitted and of normal rank unless `more` says otherwise, and public where it is admitted
    unless `public` does.
    """
    status, rank = more.pop("status", KMS("admitted")), more.pop("rank", KMS("normal"))
    is_public = status == KMS("admitted") if public is None else public
    iri, pointer = BASE.iri("claim", key), BASE.part("claim", key, "p1")
    pairs = {
        (iri, TYPE): KMS("Claim"),
        (iri, KMS("claimSubject")): NamedNode(f"{BASE.base}/id/{subject}"),
        (iri, KMS("claimPredicate")): predicate,
        (iri, KMS("claimStatus")): status,
        (iri, KMS("rank")): rank,
        (iri, KMS("confidence")): Literal("0.9", datatype=XSD("decimal")),
        (iri, KMS("pointer")): pointer,
        (pointer, KMS("quote")): Literal(QUOTE),
        (pointer, KMS("start")): Literal(3),
        (pointer, KMS("end")): Literal(11),
        (pointer, KMS("unitText")): BASE.iri("text", "t1"),
    } | {(iri, KMS(name)): value for name, value in more.items()}
    graph = BASE.public if is_public else BASE.internal
    return [Quad(s, p, o, graph) for (s, p), o in pairs.items()]


def passage() -> list[Quad]:
    """Return a record, a passage and its text."""
    unit, text = BASE.iri("evidence", "u1"), BASE.iri("text", "t1")
    record = BASE.iri("record", "r1")
    return [
        Quad(record, RICO("title"), Literal("Acta"), BASE.public),
        Quad(unit, RICO("isDirectConstituentOf"), record, BASE.public),
        Quad(text, KMS("ofUnit"), unit, BASE.public),
        Quad(text, KMS("text"), Literal("De Ana Roca, maestra.", language="es"), BASE.public),
    ]
