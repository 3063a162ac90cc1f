"""Compares the admitted claims of one page with its truth file (see score_sample.py)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from _alignment import Aligner  # beside this module
from rapidfuzz.distance import Levenshtein

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.knowledge import decoding, mapping
from rdfkms.knowledge.nameforms import normal
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.work import Work
from rdfkms.model import Claim, EvidenceUnit, Kind, Ref
from rdfkms.vocab import Base

ALIKE = 0.8
# Mentions of these types are marked wherever they stand; others only where a fact uses them.
UNMARKED = frozenset({"TimeExpression"})


@dataclass
class Page:
    """A truth file, and the claims that were admitted about its page."""

    path: str
    truth: dict[str, Any]
    mentions: dict[str, dict[str, Any]] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    found: dict[str, Ref] = field(default_factory=dict)  # truth mention -> our entity


@dataclass
class Count:
    """Right claims, admitted claims, truths found, truths."""

    right: int = 0
    admitted: int = 0
    found: int = 0
    true: int = 0

    def add(self, other: Count) -> None:
        self.right += other.right
        self.admitted += other.admitted
        self.found += other.found
        self.true += other.true

    def scores(self) -> dict[str, float | int]:
        precision = self.right / self.admitted if self.admitted else 0.0
        recall = self.found / self.true if self.true else 0.0
        both = precision + recall
        f1 = 2 * precision * recall / both if both else 0.0
        return {
            "precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4),
            "admitted": self.admitted, "right": self.right, "true": self.true,
            "found": self.found,
        }  # fmt: skip


class Reader:
    """The admitted claims of an archive, with the passages they quote."""

    def __init__(self, root: Path) -> None:
        archive = Archive.open(root)
        self.base = Base(archive.settings.base)
        self.store = OxigraphStore(archive.store_path, read_only=True)
        self.units: dict[str, EvidenceUnit] = {}
        self.by_source: defaultdict[str, list[Claim]] = defaultdict(list)
        for claim in decoding.all_claims(self.store, self.base):
            self.by_source[self.unit(claim).source].append(claim)
        work = Work(archive.work_path)
        merges = [row.proposal for row in work.merges()] if archive.work_path.is_file() else []
        self.proposed = [(p.a, p.b) for p in merges]
        work.close()

    def unit(self, claim: Claim) -> EvidenceUnit:
        key = claim.pointers[0].unit
        if key not in self.units:
            self.units[key] = decoding.unit(self.store, self.base, key)
        return self.units[key]


class Scorer:
    """Scores one page."""

    def __init__(self, page: Page, reader: Reader) -> None:
        self.page = page
        self.reader = reader
        self.aligner = Aligner(page.truth["text"])
        self.counts: defaultdict[str, Count] = defaultdict(Count)
        self.by_name: defaultdict[str, Count] = defaultdict(Count)
        self.wrong: list[Claim] = []
        self.missed: list[dict[str, Any]] = []
        self.unsaid = 0
        self.mentioned: defaultdict[Ref, list[tuple[Claim, list[str]]]] = defaultdict(list)
        self.event_types: dict[Ref, str] = {}

    def span(self, claim: Claim) -> tuple[int, int] | None:
        """Return where the quote stands in the truth text."""
        pointer = claim.pointers[0]
        return self.aligner.locate(self.reader.unit(claim).raw.text, pointer.start, pointer.end)

    def score(self) -> None:
        self._mentions()
        facts = self.page.truth["facts"]
        for claim in self.page.claims:
            if claim.kind is Kind.EVENT:
                self.event_types[claim.subject] = claim.name
        hit: set[str] = set()
        for claim in self.page.claims:
            if claim.kind in (Kind.MENTION, Kind.EVENT):
                continue
            matching = [fact for fact in facts if self._says(claim, fact)]
            stated = [fact for fact in matching if fact["certainty"] == "stated"]
            hit |= {fact["id"] for fact in stated}
            for count in (self.counts[claim.kind.value], self.by_name[claim.statement]):
                count.admitted += 1
                count.right += bool(stated)
            if not stated:
                self.wrong.append(claim)
                self.unsaid += bool(matching)
        hit |= self._events(facts)
        for fact in facts:
            if fact["certainty"] == "stated":
                for count in (self.counts[fact["kind"]], self.by_name[fact["name"]]):
                    count.true += 1
                    count.found += fact["id"] in hit
                if fact["id"] not in hit:
                    self.missed.append(fact)

    def _events(self, facts: list[dict[str, Any]]) -> set[str]:
        """Count each event of the page once, however many words of the page report it."""
        reports: defaultdict[Ref, list[Claim]] = defaultdict(list)
        for claim in self.page.claims:
            if claim.kind is Kind.EVENT:
                reports[claim.subject].append(claim)
        hit: set[str] = set()
        for claims in reports.values():
            matching = [fact for fact in facts if any(self._says(c, fact) for c in claims)]
            stated = {fact["id"] for fact in matching if fact["certainty"] == "stated"}
            hit |= stated
            for count in (self.counts["event"], self.by_name[claims[0].name]):
                count.admitted += 1
                count.right += bool(stated)
            if not stated:
                self.wrong.append(claims[0])
                self.unsaid += bool(matching)
        return hit

    def _mentions(self) -> None:
        found: set[str] = set()
        count = self.counts["mention"]
        for claim in self.page.claims:
            if claim.kind is not Kind.MENTION or claim.name in UNMARKED:
                continue
            ids = [m["id"] for m in self._overlapped(claim) if m["type"] == claim.name]
            self.mentioned[claim.subject].append((claim, ids))
            for mention in ids:
                self.page.found.setdefault(mention, claim.subject)
            found |= set(ids)
            count.admitted += 1
            count.right += bool(ids)
            if not ids:
                self.wrong.append(claim)
        marked = [m for m in self.page.truth["mentions"] if m["type"] not in UNMARKED]
        count.true = len(marked)
        count.found = sum(m["id"] in found for m in marked)
        self.missed += [m for m in marked if m["id"] not in found]

    def _overlapped(self, claim: Claim) -> Iterator[dict[str, Any]]:
        place = self.span(claim)
        if place is None or claim.value is None:
            return
        ours = normal(claim.value.lexical, claim.name)
        for mention in self.page.truth["mentions"]:
            theirs = normal(mention["surface"], mention["type"])
            overlaps = mention["start"] < place[1] and place[0] < mention["end"]
            if overlaps and Levenshtein.normalized_similarity(ours, theirs) >= ALIKE:
                yield mention

    def _says(self, claim: Claim, fact: dict[str, Any]) -> bool:
        name = claim.name if claim.kind is Kind.EVENT else claim.statement
        if fact["kind"] != claim.kind.value or fact["name"] != name:
            return False
        if claim.kind is Kind.EVENT:
            return self._at(claim, fact)
        if claim.kind is Kind.ARGUMENT:
            type_ = self.event_types.get(claim.subject) or self._event_type(claim)
            event = next(f for f in self.page.truth["facts"] if f["id"] == fact["event"])
            return bool(type_ == event["name"]) and self._leads_to(claim, fact)
        told = self._is(claim.subject, fact["subject"], claim) and self._leads_to(claim, fact)
        return told or self._told_from_the_other_end(claim, fact)

    def _leads_to(self, claim: Claim, fact: dict[str, Any]) -> bool:
        if fact["object"] is not None:
            return claim.object is not None and self._is(claim.object, fact["object"], claim)
        return claim.value is not None and _same_value(claim, fact)

    def _told_from_the_other_end(self, claim: Claim, fact: dict[str, Any]) -> bool:
        if claim.object is None or not mapping.load().statement(claim.statement).symmetric:
            return False
        there = self._is(claim.object, fact["subject"], claim)
        return there and self._is(claim.subject, fact["object"], claim)

    def _event_type(self, claim: Claim) -> str:
        about = decoding.claims_of_thing(self.reader.store, self.reader.base, claim.subject)
        return next((c.name for c in about if c.kind is Kind.EVENT), "")

    def _at(self, claim: Claim, fact: dict[str, Any]) -> bool:
        place = self.span(claim)
        quote = fact["quote"]
        return place is not None and quote["start"] < place[1] and place[0] < quote["end"]

    def _is(self, ref: Ref, mention: str | None, claim: Claim) -> bool:
        """Return whether our entity, as named in the claim's quote, is the truth's entity."""
        if mention is None:
            return False
        wanted = self.page.mentions[mention]["entity"]
        pointer = claim.pointers[0]
        for named, ids in self.mentioned.get(ref, ()):
            at = named.pointers[0]
            within = at.unit == pointer.unit and pointer.start <= at.start and at.end <= pointer.end
            if within and any(self.page.mentions[i]["entity"] == wanted for i in ids):
                return True
        return False


def _same_value(claim: Claim, fact: dict[str, Any]) -> bool:
    value = claim.value
    if value is None:
        return False
    expected = fact["value"]
    if isinstance(expected, int):
        return value.lexical == str(expected)
    if expected is not None and value.datatype in ("edtf", "date"):
        return bool(value.lexical == expected)
    ours = {normal(value.lexical), normal(value.verbatim)} - {""}
    theirs = {normal(str(v)) for v in (expected, fact.get("verbatim")) if v} - {""}
    return any(Levenshtein.normalized_similarity(a, b) >= ALIKE for a in ours for b in theirs)
