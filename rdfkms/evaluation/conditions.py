"""The conditions of the ablation (R70, R145, R146). They exist here alone.

C0   what can be read as a proposal stands: kind, name, passage and quote are given.
C1   and it has the structure of its kind, and its pointer opens the words it quotes.
C2   and the whole gate of the product admits it: `Line.publish` into a throw-away archive.
RAG  no gate: each claim stands with the passage that a search for its words finds first.

C0, C1 and RAG decide nothing anywhere: they sort proposals into lists. What is written goes through
`Line`, whose gate no setting loosens.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rdfkms.admission import structure
from rdfkms.admission.screening import screen
from rdfkms.evaluation.corpora import Passage
from rdfkms.evaluation.extraction import record_of
from rdfkms.evaluation.gold import Made
from rdfkms.evaluation.metrics import Outcome
from rdfkms.evaluation.tools import Report, Throwaway, Tools
from rdfkms.ingest.reading import PageResult
from rdfkms.ledger.work import CandidateRow
from rdfkms.model import (
    Candidate,
    Decision,
    EvidenceUnit,
    Kind,
    Locator,
    Page,
    Principal,
    Role,
    Run,
    TextVersion,
    Verdict,
)
from rdfkms.pipeline import line, proposing
from rdfkms.retrieval import words
from rdfkms.vocab import key_of

CONDITIONS = ("C0", "C1", "C2", "RAG")
MEASURER = Principal("evaluation", Role.ADMINISTRATOR)


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a proposal under one condition; `verdict` where the product judged it."""

    kept: bool
    held: bool
    verdict: Verdict | None = None


def formed(candidate: Candidate) -> bool:
    """Return whether something can be read as a proposal at all: the whole of C0."""
    told = candidate.kind is not Kind.UNPARSEABLE and bool(candidate.name)
    return told and bool(candidate.unit) and bool(candidate.quote)


def c0(made: Sequence[Made]) -> list[Fate]:
    """Return the fates where only the form is looked at."""
    return [Fate(formed(one.candidate), False) for one in made]


def c1(made: Sequence[Made], units: Mapping[str, EvidenceUnit], tools: Tools) -> list[Fate]:
    """Return the fates under structure and pointer."""
    return [_fate(screen(one.candidate, units[one.asked], tools.mapping)[1]) for one in made]


def c2(
    made: Sequence[Made],
    passages: Sequence[Passage],
    profile: str,
    tools: Tools,
    place: Throwaway,
    report: Report,
) -> list[Fate]:
    """Return the fates under the whole gate, document by document, in the throw-away archive."""
    asked: defaultdict[str, list[Made]] = defaultdict(list)
    for one in made:
        asked[one.asked].append(one)
    documents: defaultdict[str, list[Passage]] = defaultdict(list)
    for passage in passages:
        documents[passage.document.key].append(passage)
    main = Run(
        key_of("evaluate", profile, *sorted(documents)), "run", "rdfkms evaluate", "1", "", "1"
    )
    publisher = line.Line(place.ledger, place.work, tools.mapping, MEASURER, main)
    place.work.begin_run(main)
    for number, (key, together) in enumerate(documents.items(), 1):
        screened = [
            (candidate, refused)
            for passage in together
            for one in asked[passage.unit.key]
            for candidate, refused in (screen(one.candidate, passage.unit, tools.mapping),)
        ]
        page = _page(together)
        record = record_of(key, profile, together[0].document.language)
        publisher.publish(
            replace(record, pages=(page.page,) if page.page else ()),
            proposing.Outcome(page, tuple(screened), {}),
            key_of("batch", main.key, key),
        )
        report("gate", number, len(documents))
    rows = {row.candidate.key: row for row in place.work.candidates(run=main.key)}
    return [_fate_of(rows.get(one.candidate.key)) for one in made]


def _page(together: Sequence[Passage]) -> PageResult:
    """Return the page that a document is: one born-digital section with its passages."""
    first = together[0]
    page = Page(first.unit.page, first.unit.source, 1, "1")
    text = first.document.text
    version = TextVersion(first.unit.raw.version, page.key, text, (), "born_digital", "utf-8", "1")
    units = tuple(
        replace(p.unit, locators=(Locator(page.key, f"char={p.unit.raw.start},{p.unit.raw.end}"),))
        for p in together
    )
    return PageResult(page, (version,), units)


def _fate_of(row: CandidateRow | None) -> Fate:
    return Fate(False, False) if row is None else _fate(row.verdict)


def _fate(verdict: Verdict | None) -> Fate:
    if verdict is None:
        return Fate(True, False)
    kept = verdict.decision is Decision.ADMITTED
    return Fate(kept, verdict.decision is Decision.QUARANTINED, verdict)


def retrieved(made: Sequence[Made], passages: Sequence[Passage], tools: Tools) -> dict[str, str]:
    """Return for each proposal (by key) the passage that a search for its words finds first."""
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="rdfkms-evaluation-") as folder:
        index = tools.fulltext(Path(folder))
        index.add(
            [
                {"key": p.unit.key, "kind": "unit", "graph": "public", "text": p.unit.raw.text,
                 "record": p.document.key}
                for p in passages
            ]
        )  # fmt: skip
        index.commit()
        for one in made:
            hits = index.search(said(one.candidate), 1)
            if hits:
                found[one.candidate.key] = hits[0][0]
    return found


def said(candidate: Candidate) -> str:
    """Return the words of a claim as an answer would put them: its ends, value and statement."""
    parts = [a.surface for a in (candidate.subject, candidate.object) if a is not None]
    parts += [v.verbatim or v.lexical for v in (candidate.value, candidate.time) if v is not None]
    return " ".join([*parts, *words.fold(candidate.name).replace("/", " ").split()])


# ---- outcomes ----------------------------------------------------------------------------------


def outcome(
    one: Made, fate: Fate, unit: EvidenceUnit, tools: Tools, *, cited: str | None = None
) -> Outcome:
    """Return the outcome of a proposal; `cited` is the passage that RAG gives for it."""
    candidate = one.candidate
    valid = not structure.faults(replace(candidate, unit=unit.key), unit, tools.mapping)
    resolved = candidate.unit == one.asked and points(candidate, unit)
    supported = bool(one.supported)
    if cited is not None:  # the claim is shown with another passage than the one it came from
        resolved = cited == one.asked and points(candidate, unit)
        valid = True
        supported = supported and cited == one.asked
    return Outcome(
        valid=valid,
        resolved=resolved,
        kept=fate.kept,
        held=fate.held,
        supported=supported,
        overreaching=one.overreaching,
        sound=one.fault == "sound",
    )


def points(candidate: Candidate, unit: EvidenceUnit) -> bool:
    """Return whether the quote is, code point for code point, what stands at its span."""
    start, end = candidate.start, candidate.end
    if start is None or end is None:
        return candidate.quote in unit.raw.text
    return unit.raw.text[start:end] == candidate.quote
