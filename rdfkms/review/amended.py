"""What an archivist writes into a description, kept as evidence beside the file that it amends.

The words become a file of the description's own record, with one page and one passage of modality
expert_statement whose raw text is the words to the letter. Whose words they are is told by the
decision, to staff alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from pyoxigraph import Literal, Quad, Triple

from rdfkms.access import is_open, today
from rdfkms.errors import Conflict
from rdfkms.ingest import sniffing, wordsfile
from rdfkms.knowledge import decoding, encoding
from rdfkms.knowledge.nodes import key_in
from rdfkms.model import (
    Claim,
    EvidenceUnit,
    Locator,
    Modality,
    Page,
    Record,
    Ref,
    SourceFile,
    Status,
    TextVersion,
    UnitText,
    View,
)
from rdfkms.ports import QuadReader
from rdfkms.review import sources
from rdfkms.review.decisions import Desk
from rdfkms.review.sources import Source
from rdfkms.vocab import KEY_LENGTH, KMS, KV, RICO, TYPE, Base, key_of

ENGINE, ENGINE_VERSION = "amendment", "1"
_NAME, _NAMED = "amendment-", 12  # how files are named: with so many characters of their key


@dataclass(frozen=True, slots=True)
class Words:
    """What was written: the words, in which field of which thing, in which description."""

    record: Record
    about: Ref
    statement: str
    text: str
    language: str

    @property
    def file(self) -> bytes:
        """The file: what is amended, an empty line, the words. No two amendments share one."""
        return f"{self._head}{self.text}\n".encode()

    @property
    def _head(self) -> str:
        return f"{self.about.path} {self.statement} {self.language or 'und'}\n\n"

    @property
    def start(self) -> int:
        """Where the words begin in the file."""
        return len(self._head)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passage of an amendment; `described` is what must be written where it is new."""

    unit: EvidenceUnit
    version: TextVersion
    described: tuple[Triple, ...]

    @property
    def is_new(self) -> bool:
        """Whether these words were never written into this field before."""
        return bool(self.described)


def evidence(desk: Desk, words: Words) -> Evidence:
    """Return the passage of some words; nothing is written or kept.

    Raises `Conflict` for words that were withdrawn or erased.
    """
    sha256 = hashlib.sha256(words.file).hexdigest()
    key = key_of("unit", "amendment", words.record.key, sha256)
    source = SourceFile(sha256, f"{_NAME}{key[:_NAMED]}.txt", sniffing.TEXT, len(words.file))
    page = Page(key_of("page", sha256, 1), sha256, 1, f"amendment, {today().isoformat()}")
    version = TextVersion(
        key_of("version", page.key, ENGINE, ENGINE_VERSION), page.key, words.file.decode(), (),
        "born_digital", ENGINE, ENGINE_VERSION,
    )  # fmt: skip
    _demand_welcome(desk, words.record, page)
    if _is_there(desk, key):
        return Evidence(decoding.unit(desk.ledger.store, desk.base, key), version, ())
    unit = _unit(key, words, source, page, version)
    return Evidence(unit, version, tuple(_described(desk, unit, words.record, source, page)))


def keep(desk: Desk, words: Words, found: Evidence) -> list[Triple]:
    """Keep the bytes of an amendment; returns what is to be written of it."""
    if not found.is_new:
        return []
    archive = desk.ledger.archive
    archive.keep(words.file)
    layout = archive.keep(wordsfile.dump(found.version))
    page = _page_of(found.unit)
    return [*found.described, *encoding.version_triples(found.version, page, desk.base, layout)]


def _page_of(unit: EvidenceUnit) -> Page:
    return Page(unit.page, unit.source, 1, unit.page_label)


def _unit(
    key: str, words: Words, source: SourceFile, page: Page, version: TextVersion
) -> EvidenceUnit:
    end = words.start + len(words.text)
    tongue = words.language or words.record.language
    texts = tuple(
        UnitText(
            key_of("text", key, version.key, view.value), key, version.key, view, words.text,
            words.start, end, tongue,
        )
        for view in (View.RAW, View.NORMALISED)
    )  # fmt: skip
    place = Locator(page.key, f"char={words.start},{end}")
    return EvidenceUnit(
        key, words.record.key, source.sha256, page.key, 1, Modality.EXPERT, tongue, page.label, 1,
        texts, (place,), (), words.statement,
    )  # fmt: skip


def _described(
    desk: Desk, unit: EvidenceUnit, record: Record, source: SourceFile, page: Page
) -> list[Triple]:
    """Return the file as one more of the record, its page and its passage."""
    base, file = desk.base, encoding.file_iri(source.sha256, desk.base)
    return [
        *encoding.file_triples(source, len(record.files) + 1, base),
        Triple(base.iri("record", record.key), RICO("hasOrHadDigitalInstantiation"), file),
        *encoding.page_triples(page, base),
        *encoding.unit_triples(unit, base),
    ]


def _is_there(desk: Desk, key: str) -> bool:
    iri, base = desk.base.iri("evidence", key), desk.base
    known = (Quad(iri, TYPE, KMS("EvidenceUnit"), g) for g in (base.public, base.internal))
    return any(desk.ledger.store.contains(one) for one in known)


def _demand_welcome(desk: Desk, record: Record, page: Page) -> None:
    """Raise `Conflict` where the description, or these very words, were withdrawn or erased."""
    store, base = desk.ledger.store, desk.base
    if decoding.is_withdrawn(store, base, "record", record.key):
        raise Conflict(f"The description {record.key} was withdrawn.", hint="Undo that first.")
    if decoding.is_withdrawn(store, base, "inst", page.source[:KEY_LENGTH]):
        raise Conflict("These words were withdrawn from the archive.", hint="Undo that first.")
    erased = Quad(base.iri("inst", page.key), KMS("withdrawalReason"), KV("erased"), base.public)
    if store.contains(erased):
        raise Conflict("These words were erased by law; they are not taken again.")


# ---- who may read it ----------------------------------------------------------------------------


def brought_to_light(desk: Desk, claim: Claim) -> tuple[list[Quad], list[Quad]]:
    """Return the quads to remove and to add so that the public may read an amendment's words.

    They wait with their claim for a second person; what else waits is of a source that anyone
    may read already.
    """
    unit = desk.unit(claim)
    known = Quad(desk.base.iri("evidence", unit.key), TYPE, KMS("EvidenceUnit"), desk.base.internal)
    if unit.modality is not Modality.EXPERT or not desk.ledger.store.contains(known):
        return [], []
    store, base = desk.ledger.store, desk.base
    if not is_open(decoding.access_of_record(store, base, unit.record)):
        return [], []
    source = sources.source_of(store, base, unit.record, unit.source)
    hidden = sources.quads_of(store, source, base.internal)
    shown = [Quad(q.subject, q.predicate, q.object, base.public) for q in hidden]
    return hidden, shown


def waiting(store: QuadReader, base: Base, record: str) -> list[Source]:
    """Return the amendments of a description on which nothing admitted rests, as sources.

    They may never have been public. What is admitted later brings them to light.
    """
    found = []
    for file in decoding.record(store, base, record).files:
        if not file.name.startswith(_NAME):
            continue
        said = store.match(None, KMS("sourceSha256"), Literal(file.sha256), base.internal)
        units = [key_in(base, quad.subject) for quad in said]
        claims = sources.claims_on(store, base, units)
        if units and not any(claim.status is Status.ADMITTED for claim in claims):
            found.append(sources.source_of(store, base, record, file.sha256))
    return found
