"""Values to triples (no graph): descriptions, pages, texts, units, runs, claims (DESIGN 4).

`decoding` is the way back: what is encoded here and read there is the same value.
"""

from __future__ import annotations

from decimal import Decimal

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, parse

from rdfkms import resources
from rdfkms.knowledge.mapping import Mapping, load
from rdfkms.model import (
    Claim,
    EvidenceUnit,
    Kind,
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
)
from rdfkms.vocab import KEY_LENGTH, KMS, KV, PROV, RICO, RST, TYPE, XSD, Base, key_of

EDTF = NamedNode("http://id.loc.gov/datatypes/edtf/EDTF")
INSTANTIATION = RICO("Instantiation")

_DATATYPES = {
    "integer": XSD("integer"),
    "date": XSD("date"),
    "edtf": EDTF,
    "anyURI": XSD("anyURI"),
}


# ---- literals ---------------------------------------------------------------------------------


def text_literal(text: str, language: str = "") -> Literal:
    """Return the text, with its language where the tag is well formed."""
    if language:
        try:
            return Literal(text, language=language.lower())
        except ValueError:
            pass
    return Literal(text)


def value_literal(value: Value) -> Literal:
    """Return a claim's value; an integer or date that is none stays a string."""
    datatype = _DATATYPES.get(value.datatype)
    if datatype is None:
        return text_literal(value.lexical, value.language)
    lexical = value.lexical.strip()
    if value.datatype == "integer":
        try:
            lexical = str(int(lexical))
        except ValueError:
            return Literal(value.lexical)
    return Literal(lexical, datatype=datatype)


def integer(number: int) -> Literal:
    """Return an xsd:integer."""
    return Literal(str(number), datatype=XSD("integer"))


def decimal(number: float) -> Literal:
    """Return an xsd:decimal of at most four places, in the form in which stores keep it."""
    text = f"{Decimal(repr(round(number, 4))):f}"
    return Literal(text.rstrip("0").rstrip(".") if "." in text else text, datatype=XSD("decimal"))


# ---- instances --------------------------------------------------------------------------------


def ref_iri(ref: Ref, base: Base) -> NamedNode:
    """Return the IRI of a thing."""
    return base.iri(ref.kind, ref.key)


def file_iri(sha256: str, base: Base) -> NamedNode:
    """Return the IRI of a source file as an Instantiation."""
    return base.iri("inst", sha256[:KEY_LENGTH])


def recordset_iri(path: str, base: Base) -> NamedNode:
    """Return the IRI of the record set that the folder `path` became."""
    return base.iri("recordset", key_of("recordset", path))


def record_triples(record: Record, base: Base) -> list[Triple]:
    """Return the record, what it is part of, and its files; pages come by `page_triples`."""
    iri = base.iri("record", record.key)
    access = record.access
    triples = [
        Triple(iri, TYPE, RICO("Record")),
        Triple(iri, RICO("title"), text_literal(record.title, record.language)),
        Triple(iri, KMS("profile"), Literal(record.profile)),
        Triple(iri, KMS("language"), Literal(record.language)),
        Triple(iri, KMS("modality"), KMS(record.modality.value)),
        Triple(iri, KMS("access"), KMS(access.condition)),
        Triple(iri, RICO("conditionsOfAccess"), Literal(access.condition)),
    ]
    if access.until is not None:
        until = Literal(access.until.isoformat(), datatype=XSD("date"))
        triples.append(Triple(iri, KMS("accessUntil"), until))
    if record.use:
        triples.append(Triple(iri, RICO("conditionsOfUse"), Literal(record.use)))
    if record.personal_data:
        triples.append(Triple(iri, KMS("personalData"), Literal("true", datatype=XSD("boolean"))))
    if record.part_of is not None:
        triples += _recordset_triples(record.part_of, iri, base)
    paper = None
    if record.modality is Modality.DOCUMENT and record.files:
        paper = base.iri("inst", key_of("paper", record.key))
        triples.append(Triple(paper, TYPE, INSTANTIATION))
        triples.append(Triple(iri, RICO("hasOrHadInstantiation"), paper))
    for order, source in enumerate(record.files, 1):
        triples += file_triples(source, order, base)
        inst = file_iri(source.sha256, base)
        triples.append(Triple(iri, RICO("hasOrHadDigitalInstantiation"), inst))
        if paper is not None:
            triples.append(Triple(inst, RICO("isOrWasDerivedFromInstantiation"), paper))
    return triples


def _recordset_triples(path: str, record: NamedNode, base: Base) -> list[Triple]:
    iri = recordset_iri(path, base)
    return [
        Triple(iri, TYPE, RICO("RecordSet")),
        Triple(iri, RICO("title"), Literal(path)),
        Triple(iri, RICO("hasRecordSetType"), RST("Collection")),
        Triple(iri, RICO("directlyIncludes"), record),
    ]


def file_triples(source: SourceFile, order: int, base: Base) -> list[Triple]:
    """Return a source file as an Instantiation, `order` its place in the record."""
    iri = file_iri(source.sha256, base)
    return [
        Triple(iri, TYPE, INSTANTIATION),
        Triple(iri, KMS("sha256"), Literal(source.sha256)),
        Triple(iri, KMS("fileName"), Literal(source.name)),
        Triple(iri, KMS("mediaType"), Literal(source.media_type)),
        Triple(iri, KMS("byteSize"), integer(source.size)),
        Triple(iri, KMS("ordinal"), integer(order)),
    ]


def page_triples(page: Page, base: Base) -> list[Triple]:
    """Return the page as a component of its file."""
    iri = base.iri("inst", page.key)
    triples = [
        Triple(file_iri(page.source, base), RICO("hasDirectComponent"), iri),
        Triple(iri, TYPE, INSTANTIATION),
        Triple(iri, KMS("sequence"), integer(page.sequence)),
        Triple(iri, KMS("pageLabel"), Literal(page.label)),
    ]
    if page.width is not None:
        triples.append(Triple(iri, KMS("width"), integer(page.width)))
    if page.height is not None:
        triples.append(Triple(iri, KMS("height"), integer(page.height)))
    if page.picture is not None:
        triples.append(Triple(iri, KMS("picture"), Literal(page.picture)))
    if page.heading:
        triples.append(Triple(iri, KMS("heading"), Literal(page.heading)))
    return triples


def version_triples(
    version: TextVersion, page: Page, base: Base, words_sha256: str, run: str | None = None
) -> list[Triple]:
    """Return one transcription of a page; its text and boxes are in the file `words_sha256`."""
    iri = base.iri("inst", version.key)
    parent = base.iri("inst", version.derived_from or page.key)
    triples = [
        Triple(iri, TYPE, INSTANTIATION),
        Triple(iri, RICO("isOrWasDerivedFromInstantiation"), parent),
        Triple(iri, KMS("ofPage"), base.iri("inst", page.key)),
        Triple(iri, KMS("origin"), Literal(version.origin)),
        Triple(iri, KMS("engine"), Literal(version.engine)),
        Triple(iri, KMS("engineVersion"), Literal(version.engine_version)),
        Triple(iri, KMS("layoutFile"), Literal(words_sha256)),
    ]
    if run is not None:
        triples.append(Triple(iri, PROV("wasGeneratedBy"), base.iri("run", run)))
    return triples


def unit_triples(unit: EvidenceUnit, base: Base) -> list[Triple]:
    """Return the passage, its locators and its texts."""
    iri = base.iri("evidence", unit.key)
    triples = [
        Triple(iri, TYPE, KMS("EvidenceUnit")),
        Triple(iri, TYPE, RICO("RecordPart")),
        Triple(iri, RICO("isDirectConstituentOf"), base.iri("record", unit.record)),
        Triple(iri, KMS("onPage"), base.iri("inst", unit.page)),
        Triple(iri, KMS("sourceSha256"), Literal(unit.source)),
        Triple(iri, KMS("modality"), KMS(unit.modality.value)),
        Triple(iri, KMS("language"), Literal(unit.language)),
        Triple(iri, KMS("ordinal"), integer(unit.ordinal)),
        Triple(iri, KMS("pageLabel"), Literal(unit.page_label)),
        Triple(iri, KMS("passageNumber"), integer(unit.passage_number)),
    ]
    triples += [Triple(iri, KMS("qualityFlag"), KMS(flag.value)) for flag in unit.flags]
    if unit.section:
        triples.append(Triple(iri, KMS("section"), Literal(unit.section)))
    if unit.juan:
        triples.append(Triple(iri, KMS("juan"), Literal(unit.juan)))
    for number, locator in enumerate(unit.locators, 1):
        triples += locator_triples(unit.key, number, locator, base)
    for order, text in enumerate(unit.texts, 1):
        triples += unit_text_triples(text, base, order)
    return triples


def locator_triples(unit: str, number: int, locator: Locator, base: Base) -> list[Triple]:
    """Return the place, counted from 1, at which a passage (key) stands."""
    node = base.part("evidence", unit, f"l{number}")
    triples = [
        Triple(base.iri("evidence", unit), KMS("locator"), node),
        Triple(node, KMS("onInstantiation"), base.iri("inst", locator.page)),
    ]
    if locator.fragment:
        triples.append(Triple(node, KMS("fragment"), Literal(locator.fragment)))
    return triples


def unit_text_triples(text: UnitText, base: Base, order: int) -> list[Triple]:
    """Return a unit's text in one version and view; the first raw one is what proposers quote.

    Texts read first are counted from 1; those of a newer transcription are numbered below all that
    are there, so that they come first and the older ones stay as they are.
    """
    iri = base.iri("text", text.key)
    return [
        Triple(iri, TYPE, KMS("UnitText")),
        Triple(iri, KMS("ofUnit"), base.iri("evidence", text.unit)),
        Triple(iri, KMS("inVersion"), base.iri("inst", text.version)),
        Triple(iri, KMS("view"), KMS(text.view.value)),
        Triple(iri, KMS("ordinal"), integer(order)),
        Triple(iri, KMS("start"), integer(text.start)),
        Triple(iri, KMS("end"), integer(text.end)),
        Triple(iri, KMS("text"), text_literal(text.text, text.language)),
    ]


_PERSON = (RICO("Person"), PROV("Person"))
_SOFTWARE = (RICO("Mechanism"), PROV("SoftwareAgent"))


def run_triples(run: Run, base: Base) -> list[Triple]:
    """Return a run and the software, or the person, that did it."""
    iri = base.iri("run", run.key)
    agent = base.iri("agent", key_of("agent", run.agent, run.agent_version))
    triples = [
        Triple(iri, TYPE, PROV("Activity")),
        Triple(iri, KMS("runKind"), Literal(run.kind)),
        Triple(iri, PROV("wasAssociatedWith"), agent),
        Triple(iri, KMS("parameters"), Literal(run.parameters)),
        Triple(iri, KMS("pipelineVersion"), Literal(run.pipeline_version)),
        *(Triple(agent, TYPE, cls) for cls in (_PERSON if run.is_persons else _SOFTWARE)),
        Triple(agent, RICO("name"), Literal(run.agent)),
        Triple(agent, KMS("agentVersion"), Literal(run.agent_version)),
    ]
    if run.started:
        started = Literal(run.started, datatype=XSD("dateTime"))
        triples.append(Triple(iri, PROV("startedAtTime"), started))
    return triples


# ---- claims -----------------------------------------------------------------------------------

_CLAIM, _ENTITY, _POINTER = KMS("Claim"), PROV("Entity"), KMS("EvidencePointer")
_P = {
    name: KMS(name)
    for name in (
        "claimSubject", "claimPredicate", "claimObject", "claimValue", "statementType",
        "claimStatus", "rank", "confidence", "pointer", "unitText", "citesUnit", "start", "end",
        "quote",
    )
}  # fmt: skip
_GENERATED = PROV("wasGeneratedBy")


def claim_triples(claim: Claim, base: Base, mapping: Mapping | None = None) -> list[Triple]:
    """Return the claim and its pointers: a statement about a statement, asserting nothing.

    Raises `KeyError` for a statement that the mapping table does not hold.
    """
    rule = (mapping or load()).statement(claim.statement)
    iri = base.iri("claim", claim.key)
    triples = [
        Triple(iri, TYPE, _CLAIM),
        Triple(iri, TYPE, _ENTITY),
        Triple(iri, _P["claimSubject"], ref_iri(claim.subject, base)),
        Triple(iri, _P["claimPredicate"], rule.predicate),
        Triple(iri, _P["statementType"], rule.concept),
        Triple(iri, _P["claimStatus"], KMS(claim.status.value)),
        Triple(iri, _P["rank"], KMS(claim.rank.value)),
        Triple(iri, _P["confidence"], decimal(claim.confidence)),
    ]
    if claim.object is not None:
        triples.append(Triple(iri, _P["claimObject"], ref_iri(claim.object, base)))
    if claim.value is not None:
        triples += _value_triples(iri, claim.value, "claimValue", "verbatim")
    if claim.name:
        triples += _name_triples(iri, claim, mapping or load())
    if rule.role is not None:
        triples.append(Triple(iri, KMS("claimRole"), rule.role))
    triples += _qualifier_triples(iri, claim, base)
    for number, pointer in enumerate(claim.pointers, 1):
        triples += _pointer_triples(iri, pointer, base.part("claim", claim.key, f"p{number}"), base)
    triples += [Triple(iri, _GENERATED, base.iri("run", run)) for run in claim.runs]
    return triples


def _value_triples(iri: NamedNode, value: Value, predicate: str, verbatim: str) -> list[Triple]:
    triples = [Triple(iri, KMS(predicate), value_literal(value))]
    if value.verbatim:
        literal = text_literal(value.verbatim, value.language)
        triples.append(Triple(iri, KMS(verbatim), literal))
    return triples


def _name_triples(iri: NamedNode, claim: Claim, mapping: Mapping) -> list[Triple]:
    if claim.kind is Kind.EVENT:
        event = mapping.event(claim.name)
        return [
            Triple(iri, KMS("entityClass"), event.cls),
            Triple(iri, KMS("eventType"), event.concept),
        ]
    return [
        Triple(iri, KMS("entityClass"), mapping.entity(claim.name).cls),
        Triple(iri, KMS("entityType"), Literal(claim.name)),
    ]


def _qualifier_triples(iri: NamedNode, claim: Claim, base: Base) -> list[Triple]:
    triples: list[Triple] = []
    if claim.group is not None:
        triples.append(Triple(iri, KMS("claimGroup"), base.iri("group", claim.group)))
    if claim.time is not None:
        triples += _value_triples(iri, claim.time, "claimTime", "claimTimeVerbatim")
    if claim.place is not None:
        triples.append(Triple(iri, KMS("claimPlace"), ref_iri(claim.place, base)))
    if claim.label is not None:
        triples.append(Triple(iri, KMS("verificationLabel"), KMS(claim.label.value)))
    for number, reason in enumerate(claim.reasons, 1):
        # Code and sentence stand on the claim for readers, and paired on a node of their own.
        code, sentence = KV(reason.code), Literal(reason.sentence)
        node = base.part("claim", claim.key, f"r{number}")
        triples += [
            Triple(iri, KMS("reason"), code),
            Triple(iri, KMS("reasonText"), sentence),
            Triple(iri, KMS("reasonNote"), node),
            Triple(node, KMS("reason"), code),
            Triple(node, KMS("reasonText"), sentence),
        ]
    for other in claim.conflicts:
        triples.append(Triple(iri, KMS("conflictsWith"), base.iri("claim", other)))
    return triples


def _pointer_triples(
    claim: NamedNode, pointer: Pointer, node: NamedNode, base: Base
) -> list[Triple]:
    return [
        Triple(claim, _P["pointer"], node),
        Triple(node, TYPE, _POINTER),
        Triple(node, _P["unitText"], base.iri("text", pointer.unit_text)),
        Triple(node, _P["citesUnit"], base.iri("evidence", pointer.unit)),
        Triple(node, _P["start"], integer(pointer.start)),
        Triple(node, _P["end"], integer(pointer.end)),
        Triple(node, _P["quote"], Literal(pointer.quote)),
    ]


# ---- vocabulary -------------------------------------------------------------------------------


def vocabulary_triples() -> list[Triple]:
    """Return the profile and the concept schemes, for the public graph of a new archive."""
    triples: list[Triple] = []
    for name in ("ontology/rdfkms.ttl", "ontology/vocab.ttl"):
        quads = parse(path=resources.file(name), format=RdfFormat.TURTLE)
        triples += [Triple(q.subject, q.predicate, q.object) for q in quads]
    return triples
