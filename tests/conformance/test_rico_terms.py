"""Every `rico:` name exists in RiC-O 1.1 and is used with its domain and range."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple, parse

from rdfkms import resources
from rdfkms.knowledge import encoding, statements
from rdfkms.knowledge.mapping import EVENT_SEGMENT, Mapping, StatementRule, load
from rdfkms.model import (
    Access,
    Claim,
    EvidenceUnit,
    Flag,
    Kind,
    Label,
    Locator,
    Modality,
    Page,
    Pointer,
    Record,
    Ref,
    Run,
    SourceFile,
    TextVersion,
    UnitText,
    Value,
    View,
)
from rdfkms.vocab import KMS, OWL, RDFS, RICO, TYPE, XSD, Base, Namespace

ROOT = Path(__file__).resolve().parent.parent.parent
SCHEMA = Namespace("https://schema.org/")
BASE = Base()
UNIT = "e" * 24
SEARCHED = {
    "ontology": ("*.ttl", "*.tsv", "*.jsonld"), "shapes": ("*.ttl",), "sparql": ("*.rq", "*.ru"),
    "rdfkms": ("*.py",), "web/templates": ("*.html",), "ingest": ("*.toml", "*.md"),
}  # fmt: skip


@cache
def axioms() -> tuple[Quad, ...]:
    names = ("rico-slim", "rdfkms", "vocab")
    paths = [resources.file(f"ontology/{name}.ttl") for name in names]
    return tuple(q for p in paths for q in parse(path=p, format=RdfFormat.TURTLE))


@cache
def objects(predicate: NamedNode) -> dict[NamedNode, frozenset[NamedNode]]:
    found: dict[NamedNode, set[NamedNode]] = defaultdict(set)
    for quad in axioms():
        if quad.predicate == predicate:
            assert isinstance(quad.subject, NamedNode)
            assert isinstance(quad.object, NamedNode)
            found[quad.subject].add(quad.object)
    return {subject: frozenset(values) for subject, values in found.items()}


@cache
def rico_names() -> frozenset[str]:
    return frozenset(
        s.value.removeprefix(RICO.iri) for s in objects(TYPE) if s.value.startswith(RICO.iri)
    )


@cache
def hints() -> dict[str, str]:
    lines = resources.file("ontology/rename-0.2.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    return {
        old: f"{'rico:' + new if new != '-' else 'removed'} ({hint})" for old, new, hint in rows
    }


def used() -> Iterator[tuple[str, str]]:
    """The rico: names in the files that are edited or run, with where they stand."""
    for folder, patterns in SEARCHED.items():
        for pattern in patterns:
            for path in sorted((ROOT / folder).rglob(pattern)):
                if path.name == "rico-slim.ttl":
                    continue
                text = path.read_text(encoding="utf-8")
                for name in re.findall(r'\brico:([A-Za-z_]\w*)|\bRICO\("(\w+)"\)', text):
                    yield name[0] or name[1], str(path.relative_to(ROOT))


def wrong(names: Iterable[tuple[str, str]]) -> list[str]:
    return [
        f"{where}: rico:{name} is not in RiC-O 1.1; use {hints().get(name, 'a listed term')}"
        for name, where in sorted(set(names))
        if name not in rico_names()
    ]


def test_every_rico_name_in_use_exists_in_rico_1_1() -> None:
    found = list(used())
    assert len(found) > 300
    assert not wrong(found)


def test_a_name_of_rico_0_2_is_refused_with_what_to_write_instead() -> None:
    assert wrong([("SingleDate", "x.ttl"), ("Person", "x.ttl")]) == [
        "x.ttl: rico:SingleDate is not in RiC-O 1.1; "
        "use rico:Date (use rico:Date with rico:hasDateType)"
    ]
    for old, hint in hints().items():
        assert old not in rico_names()
        new = re.match(r"rico:(\w+)", hint)
        assert new is None or new.group(1) in rico_names(), old


def test_the_slim_axioms_are_those_of_the_published_term_table(shared: Path) -> None:
    with (shared / "data/ric-o/rico-1.1-terms.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    table = {row["iri"]: row for row in rows if not row["iri"].endswith("_role")}
    assert {RICO.iri + name for name in rico_names()} == set(table)
    for iri, row in table.items():
        node = NamedNode(iri)
        assert local(domains(node)) == listed(row["domain"]), iri
        assert local(ranges(node)) == listed(row["range"]), iri
        parent = "subClassOf" if row["kind"] == "class" else "subPropertyOf"
        parents = objects(RDFS(parent)).get(node, frozenset())
        assert local(parents) == set(row["parents"].split()), iri
        assert local(objects(OWL("inverseOf")).get(node, frozenset())) <= {row["inverse"]}, iri


def local(nodes: Iterable[NamedNode]) -> set[str]:
    return {
        n.value.removeprefix(RICO.iri).replace(RDFS.iri, "rdfs:").replace(XSD.iri, "xsd:")
        for n in nodes
    }


def listed(cell: str) -> set[str]:
    return {name.strip() for name in cell.split("|") if name.strip()}


def domains(predicate: NamedNode) -> frozenset[NamedNode]:
    none: frozenset[NamedNode] = frozenset()
    return objects(RDFS("domain")).get(predicate, none) | objects(SCHEMA("domainIncludes")).get(
        predicate, none
    )


def ranges(predicate: NamedNode) -> frozenset[NamedNode]:
    none: frozenset[NamedNode] = frozenset()
    return objects(RDFS("range")).get(predicate, none) | objects(SCHEMA("rangeIncludes")).get(
        predicate, none
    )


def above(cls: NamedNode) -> set[NamedNode]:
    seen, todo = {cls}, [cls]
    while todo:
        for parent in objects(RDFS("subClassOf")).get(todo.pop(), frozenset()):
            if parent not in seen:
                seen.add(parent)
                todo.append(parent)
    return seen


def breaches(triples: Iterable[Triple]) -> list[str]:
    """The triples whose subject or object is not of the class that the property demands."""
    known = list(triples)
    types: dict[object, set[NamedNode]] = defaultdict(set)
    for node, classes in objects(TYPE).items():
        types[node] |= {c for cls in classes for c in above(cls)}
    for triple in known:
        if triple.predicate == TYPE:
            assert isinstance(triple.object, NamedNode)
            types[triple.subject] |= above(triple.object)
    found = []
    for triple in known:
        predicate = triple.predicate
        if not predicate.value.startswith((RICO.iri, KMS.iri)):
            continue
        wanted, reached = domains(predicate), ranges(predicate)
        if wanted and not wanted & types[triple.subject]:
            found.append(f"{triple}: subject is {local(types[triple.subject])}")
        if isinstance(triple.object, Literal):
            if OWL("ObjectProperty") in types[predicate]:
                found.append(f"{triple}: a literal where a thing is needed")
        elif OWL("DatatypeProperty") in types[predicate]:
            found.append(f"{triple}: a thing where a literal is needed")
        elif _is_elsewhere(triple.object):
            continue  # a term of somebody's vocabulary: its class stands there
        elif reached and not reached & types[triple.object] and OWL("Class") not in reached:
            found.append(f"{triple}: object is {local(types[triple.object])}")
    return found


def _is_elsewhere(term: object) -> bool:
    return isinstance(term, NamedNode) and term.value.startswith("https://authority.example.org/")


MAPPING = load()
POINTERS = (Pointer(UNIT, "t" * 24, 0, 4, "Juan"),)
TIME = Value("1940-03", "edtf", "es", "marzo de 1940")
VALUES = {
    "anyURI": Value("https://authority.example.org/entity/Q1", "anyURI"),
    "string": Value("labrador", language="es"), "integer": Value("31", "integer"), "edtf": TIME,
}  # fmt: skip


def mention(name: str, key: str) -> Claim:
    kind = MAPPING.entity(name).kind
    return Claim(f"m-{key}", Kind.MENTION, "namedAs", Ref(kind, key), POINTERS,
                 value=VALUES["string"], name=name, time=TIME)  # fmt: skip


def trigger(name: str, key: str) -> Claim:
    return Claim(f"g-{key}", Kind.EVENT, "triggeredBy", Ref(EVENT_SEGMENT, key), POINTERS,
                 value=VALUES["string"], name=name, group=key)  # fmt: skip


def ends(rule: StatementRule, mapping: Mapping) -> Iterator[tuple[str, str]]:
    subjects = rule.domain if rule.domain != ("Event",) else tuple(mapping.events)
    for subject in subjects:
        for object_ in rule.range or ("",):
            yield subject, object_


def made(rule: StatementRule, subject: str, object_: str) -> list[Claim]:
    event = subject in MAPPING.events
    claims = [trigger(subject, "s") if event else mention(subject, "s"), mention("Location", "p")]
    if object_:
        claims.append(mention(object_, "o"))
    claims.append(
        Claim(
            "c", rule.claim_kind, rule.name, claims[0].subject, POINTERS,
            object=claims[-1].subject if object_ else None,
            value=VALUES[rule.literal] if rule.literal else None,
            group="s" if event else None, label=Label.PARTIAL, time=TIME,
            place=Ref("place", "p"),
        )
    )  # fmt: skip
    return claims


@pytest.mark.parametrize(
    "name", [n for n in MAPPING.statements if n not in ("namedAs", "triggeredBy")]
)
def test_what_a_statement_projects_respects_domain_and_range(name: str) -> None:
    rule = MAPPING.statement(name)
    unit = [Triple(BASE.iri("evidence", UNIT), TYPE, KMS("EvidenceUnit"))]
    for subject, object_ in ends(rule, MAPPING):
        claims = made(rule, subject, object_)
        projected = [t for c in claims for t in statements.project(c, BASE, MAPPING)]
        own = statements.project(claims[-1], BASE, MAPPING)
        encoded = [t for c in claims for t in encoding.claim_triples(c, BASE)]
        if rule.relation_class is not None:
            assert Triple(BASE.iri("rel", "c"), TYPE, rule.relation_class) in own
        text = [Triple(BASE.iri("text", "t" * 24), TYPE, KMS("UnitText"))]
        assert not breaches([*projected, *encoded, *unit, *text])
        assert own


def test_descriptions_respect_domain_and_range() -> None:
    page = Page("p" * 24, "a" * 64, 1, "1", 10, 10, "c" * 64, "heading")
    record = Record(
        "r" * 24, "Causa", "court-martial", "es", Access(), Modality.DOCUMENT,
        (SourceFile("a" * 64, "a.png", "image/png", 1),), (page,), "folder",
    )  # fmt: skip
    unit = EvidenceUnit(
        UNIT, record.key, "a" * 64, page.key, 0, Modality.DOCUMENT, "es", "1", 1,
        (UnitText("t" * 24, UNIT, "v" * 24, View.RAW, "Juan", 0, 4, "es"),),
        (Locator(page.key, "xywh=0,0,1,1"),), (Flag.LOW_CONFIDENCE,), "RESULTANDO", "juan 1",
    )  # fmt: skip
    version = TextVersion("v" * 24, page.key, "Juan", (), "ocr", "tesseract", "5")
    triples = [
        *encoding.record_triples(record, BASE),
        *encoding.page_triples(page, BASE),
        *encoding.version_triples(version, page, BASE, "d" * 64, "u" * 24),
        *encoding.unit_triples(unit, BASE),
        *encoding.run_triples(Run("u" * 24, "ingest", "tesseract", "5", "", "0.1.0"), BASE),
    ]
    assert not breaches(triples)


def test_a_reversed_membership_is_noticed() -> None:
    group, person = BASE.iri("organization", "g"), BASE.iri("person", "p")
    triples = [
        Triple(group, TYPE, RICO("CorporateBody")),
        Triple(person, TYPE, RICO("Person")),
        Triple(group, RICO("isOrWasMemberOf"), person),
    ]
    assert len(breaches(triples)) == 2
