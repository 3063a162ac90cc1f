"""Extraction without a language model, scored on annotated newspapers and histories (R140-R143).

Candidates are those that pass structure and pointer, as the pipeline makes them from passages. Only
types that a corpus annotates are scored in it, for us and for the baseline alike.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from rdfkms.errors import Missing
from rdfkms.evaluation import corpora, export, hipe, histories, metrics, tables
from rdfkms.evaluation.corpora import Corpus, Passage
from rdfkms.evaluation.metrics import Pair, Spot
from rdfkms.evaluation.tools import SEED, Report, Tools, plan
from rdfkms.knowledge import lexicons
from rdfkms.knowledge.proposers.rules import word_list_regex
from rdfkms.model import Access, Candidate, Kind, Modality, Record
from rdfkms.pipeline.proposing import propose_and_screen
from rdfkms.vocab import key_of

WORST = 20


@dataclass(frozen=True, slots=True)
class Found:
    """The passages of one corpus with what is true, what we say, and what the baseline says."""

    corpus: Corpus
    language: str
    passages: tuple[Passage, ...]
    true: tuple[Spot, ...]
    ours: tuple[Spot, ...]
    baseline: tuple[Spot, ...]
    baseline_name: str


def evaluate(
    shared: Path, report: Report, tools: Tools, *, limit: int = 0, target: Path | None = None
) -> dict[str, Any]:
    """Return the figures of extraction; `limit` documents of each corpus, 0 for all of them.

    Predictions are written to the folder `target` where one is given. Raises `NotFound` where a
    corpus is not there.
    """
    settings = plan("extraction")
    entities = [
        _entities(shared, row, tools, settings["lists"], limit)
        for row in _told(settings["entities"], "entities", report)
    ]
    events = [
        _events(shared, row, tools, limit) for row in _told(settings["events"], "events", report)
    ]
    if target is not None:
        for found in entities:
            export.spots(target, found.corpus.name, found.passages, found.ours)
            export.hipe_tsv(target, shared, found.corpus, found.passages, found.ours)
    result: dict[str, Any] = {
        "evaluation": "extraction",
        "settings": {"seed": SEED, "resamples": metrics.RESAMPLES, "limit": limit},
        "versions": dict(tools.versions),
        "data": [tables.data_row(f.corpus, len(f.passages)) for f in entities]
        + [row["data"] for row in events],
        "entities": {f.corpus.name: _compared([f]) for f in entities},
        "languages": {
            language: _compared(list(group))
            for language, group in groupby(
                sorted(entities, key=lambda f: f.language), key=lambda f: f.language
            )
        },
        "events": {row["corpus"]: row["scores"] for row in events},
        "reference": settings["reference"],
        "worst": [case for found in entities for case in _worst(found)],
    }
    return {**result, **_shown(result)}


def _told(rows: Sequence[dict[str, Any]], stage: str, report: Report) -> Iterator[dict[str, Any]]:
    for number, row in enumerate(rows, 1):
        yield row
        report(stage, number, len(rows))


# ---- entities ----------------------------------------------------------------------------------


def _entities(
    shared: Path, row: Mapping[str, str], tools: Tools, lists: Mapping[str, Any], limit: int
) -> Found:
    name, _, file = row["file"].partition("/")
    path = corpora.folder(shared, name) / file
    dataset = path.stem.rpartition("-")[0]
    corpus = hipe.load(path, row["language"], dataset)
    passages = corpora.passages(_first(corpus, limit), row["profile"])
    true = tuple(spot for passage in passages for spot in passage.spots())
    types = {spot.type for spot in true}
    ours = tuple(
        _spot(passage, candidate)
        for passage, candidate in proposed(passages, row["profile"], tools)
        if candidate.kind is Kind.MENTION and candidate.name in types
    )
    baseline, baseline_name = _baseline(row, passages, types, tools, lists)
    return Found(corpus, row["language"], passages, true, ours, baseline, baseline_name)


def _first(corpus: Corpus, limit: int) -> Sequence[corpora.Document]:
    return corpus.documents[:limit] if limit else corpus.documents


def proposed(
    passages: Sequence[Passage], profile: str, tools: Tools
) -> Iterator[tuple[Passage, Candidate]]:
    """Yield what the proposers of a profile say of passages and passes screening.

    The passages of a document are proposed on together, as the units of a page are.
    """
    for key, group in groupby(passages, key=lambda p: p.document.key):
        together = list(group)
        by_unit = {passage.unit.key: passage for passage in together}
        record = record_of(key, profile, together[0].document.language)
        units = [passage.unit for passage in together]
        screened, _ = propose_and_screen(units, (), tools.proposers, record, tools.mapping)
        for candidate, refused in screened:
            if refused is None:
                yield by_unit[candidate.unit], candidate


def record_of(key: str, profile: str, language: str) -> Record:
    """Return an open record for a document."""
    name = key_of("record", key)
    return Record(name, key, profile, language, Access(), Modality.BORN_DIGITAL, (), ())


def _spot(passage: Passage, candidate: Candidate) -> Spot:
    start, end = candidate.start or 0, candidate.end or 0
    if candidate.subject is not None:
        start, end = candidate.subject.start, candidate.subject.end
    return Spot(passage.document.key, passage.unit.key, start, end, candidate.name)


def _baseline(
    row: Mapping[str, str],
    passages: Sequence[Passage],
    types: set[str],
    tools: Tools,
    lists: Mapping[str, Any],
) -> tuple[tuple[Spot, ...], str]:
    if row["baseline"] == "lists":
        return tuple(_by_lists(passages, types, lists[row["language"]])), "word lists alone"
    finder = tools.finder(row["baseline"])
    if finder is None:
        return (), f"{row['baseline']} (not installed)"
    try:
        spots = tuple(
            Spot(p.document.key, p.unit.key, name.start, name.end, name.type)
            for p in passages
            for name in finder.find(p.unit.raw.text, row["language"])
            if name.type in types
        )
    except Missing as err:
        return (), f"{row['baseline']} ({err.message})"
    return spots, f"{finder.name} {finder.version} alone"


def _by_lists(
    passages: Sequence[Passage], types: set[str], lists: Mapping[str, Sequence[str]]
) -> Iterator[Spot]:
    patterns = {
        type_: re.compile(rf"\b(?:{word_list_regex(_words(names))})\b")
        for type_, names in lists.items()
        if type_ in types
    }
    for passage in passages:
        for type_, pattern in patterns.items():
            for match in pattern.finditer(passage.unit.raw.text):
                yield Spot(passage.document.key, passage.unit.key, *match.span(), type_)


def _words(names: Sequence[str]) -> list[str]:
    words = {word for name in names for word in lexicons.words(name)}
    return sorted(words, key=lambda word: (-len(word), word))


def _compared(found: Sequence[Found]) -> dict[str, Any]:
    """Return strict and relaxed tables of ours and of the baseline over some corpora."""
    true = [spot for one in found for spot in one.true]
    sides = {
        "ours": [spot for one in found for spot in one.ours],
        "baseline": [spot for one in found for spot in one.baseline],
    }
    scored = {
        side: {
            "strict": metrics.strict(spots, true).table(SEED),
            "relaxed": metrics.relaxed(spots, true).table(SEED),
        }
        for side, spots in sides.items()
    }
    return {**scored, "baseline_name": found[0].baseline_name}


def _worst(found: Found) -> Iterator[dict[str, str]]:
    """Yield the passages with the most errors, with what was missed and what was wrong."""
    true, ours = Counter(found.true), Counter(found.ours)
    errors: defaultdict[str, list[tuple[str, Spot]]] = defaultdict(list)
    for kind, spots in (("missed", true - ours), ("wrong", ours - true)):
        for spot in spots:
            errors[spot.unit].append((kind, spot))
    units = {passage.unit.key: passage for passage in found.passages}
    worst = sorted(errors, key=lambda unit: (-len(errors[unit]), unit))
    for unit in worst[: max(1, WORST // 10)]:
        passage = units[unit]
        said = [
            f"{kind} {spot.type} “{passage.unit.raw.text[spot.start : spot.end]}”"
            for kind, spot in sorted(errors[unit], key=lambda e: (e[1].start, e[0]))
        ]
        yield {
            "where": f"{found.corpus.name} {passage.document.key} passage {passage.unit.ordinal}",
            "what": "; ".join(" ".join(one.split()) for one in said[:12]),
            "text": " ".join(passage.unit.raw.text.split())[:400],
        }


# ---- events ------------------------------------------------------------------------------------


def _events(shared: Path, row: Mapping[str, str], tools: Tools, limit: int) -> dict[str, Any]:
    name, _, file = row["file"].partition("/")
    path = corpora.folder(shared, name) / file
    load = {"ched": histories.ched, "guwenee": histories.guwenee}[row["corpus"]]
    corpus = load(path, row["half"])
    passages = corpora.passages(_first(corpus, limit), row["profile"])
    ours = list(proposed(passages, row["profile"], tools))
    triggers = [_spot(p, c) for p, c in ours if c.kind is Kind.EVENT]
    true = [
        Spot(p.document.key, p.unit.key, e.trigger.start, e.trigger.end, e.trigger.type)
        for p in passages
        for e in p.events
        if e.trigger.type
    ]
    scores = {
        "triggers": {
            "strict": metrics.strict(triggers, true).table(SEED),
            "relaxed": metrics.relaxed(triggers, true).table(SEED),
        }
    }
    roles = list(_true_roles(passages))
    if roles:
        pairs = list(_pairs(ours))
        scores["roles"] = {
            "strict": metrics.strict(pairs, roles).table(SEED),
            "relaxed": metrics.relaxed(pairs, roles).table(SEED),
        }
    data = tables.data_row(corpus, len(passages))
    return {"corpus": row["corpus"], "data": data, "scores": scores}


def _true_roles(passages: Sequence[Passage]) -> Iterator[Pair]:
    for passage in passages:
        for event in passage.events:
            for one in event.arguments:
                if event.trigger.type and one.role:
                    trigger = (event.trigger.start, event.trigger.end)
                    ends = (trigger, (one.start, one.end))
                    yield Pair(passage.document.key, passage.unit.key, *ends, one.role)


def _pairs(ours: Sequence[tuple[Passage, Candidate]]) -> Iterator[Pair]:
    """Yield each argument of ours as the pair of its trigger and of what fills the role."""
    triggers = {
        c.group: (c.subject.start, c.subject.end)
        for _, c in ours
        if c.kind is Kind.EVENT and c.subject is not None
    }
    for passage, candidate in ours:
        if candidate.kind is not Kind.ARGUMENT or candidate.group not in triggers:
            continue
        span = _filler(passage, candidate)
        if span is not None:
            ends = (triggers[candidate.group], span)
            yield Pair(passage.document.key, passage.unit.key, *ends, candidate.name)


def _filler(passage: Passage, candidate: Candidate) -> tuple[int, int] | None:
    if candidate.object is not None:
        return candidate.object.start, candidate.object.end
    words = candidate.value.verbatim if candidate.value else ""
    at = passage.unit.raw.text.find(words, candidate.start or 0) if words else -1
    return (at, at + len(words)) if at >= 0 else None


# ---- what is shown -----------------------------------------------------------------------------


def _shown(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return tables and charts for a reader, and the gap to the papers."""
    compared = {**result["languages"], **result["entities"]}
    bars = []
    for name, row in result["languages"].items():
        for side in ("ours", "baseline"):
            label = side if side == "ours" else row["baseline_name"]
            bars.append(tables.bar(f"{name}: {label}", row[side]["strict"]["micro"]))
    for corpus, scores in result["events"].items():
        bars += [
            tables.bar(f"{corpus}: {what}", scores[what]["strict"]["micro"]) for what in scores
        ]
    reference = result["reference"]
    gap = {
        f"entities {language}": round(
            reference["entities"] - row["ours"]["strict"]["micro"]["f1"], 4
        )
        for language, row in result["languages"].items()
    } | {
        f"triggers {corpus}": round(
            reference["events"] - scores["triggers"]["strict"]["micro"]["f1"], 4
        )
        for corpus, scores in result["events"].items()
    }
    shown = [tables.comparison("Entities", compared)]
    shown += [
        tables.by_type(f"Entities, {name}, strict, by type", row["ours"]["strict"]["types"])
        for name, row in result["languages"].items()
    ]
    for corpus, scores in result["events"].items():
        for what, kinds in scores.items():
            for how, table in kinds.items():
                rows = {**table["types"], "micro": table["micro"]}
                shown.append(tables.by_type(f"{corpus}: {what}, {how}", rows))
    shown.append(
        tables.table(
            "Gap to the F1 of the paper (strict micro F1)",
            ("what", "gap"),
            [[name, value] for name, value in gap.items()],
            "The paper scores a large model on its own annotation of other texts.",
        )
    )
    return {
        "gap": gap,
        "tables": shown,
        "charts": [tables.chart("Strict micro F1 with 95 % intervals", bars)],
    }
