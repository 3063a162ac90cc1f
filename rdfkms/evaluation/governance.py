"""Governance measured: what each condition lets through of sound claims and faults (R70, R144-6).

Three proposers: the annotation itself with faults made from it, the deterministic proposers of a
profile, and a small language model that answers in form and never to the point.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rdfkms.errors import Missing, Unavailable
from rdfkms.evaluation import (
    conditions,
    corpora,
    faults,
    gold,
    hipe,
    histories,
    metrics,
    tables,
)
from rdfkms.evaluation.conditions import CONDITIONS, Fate
from rdfkms.evaluation.corpora import Corpus, Passage
from rdfkms.evaluation.extraction import proposed
from rdfkms.evaluation.gold import SOUND, Made, Material
from rdfkms.evaluation.judging import Judge
from rdfkms.evaluation.metrics import Outcome
from rdfkms.evaluation.tools import SEED, Report, Throwaway, Tools, plan
from rdfkms.knowledge import decoding

LEAST_ASKED = 30  # characters of a passage that the small model is asked about
Outcomes = dict[str, list[Outcome]]


@dataclass(frozen=True, slots=True)
class Measured:
    """One material under all conditions: proposals, their fates in C2, outcomes by condition."""

    name: str
    made: tuple[Made, ...]
    fates: tuple[Fate, ...]
    outcomes: Outcomes


def evaluate(
    shared: Path, report: Report, tools: Tools, *, limit: int = 0, target: Path | None = None
) -> dict[str, Any]:
    """Return the figures of governance; `limit` passages of each corpus, 0 for those of the plan.

    Raises `NotFound` where a corpus is not there. `target` is for predictions, of which there are
    none here.
    """
    settings = plan("governance")
    materials = list(_materials(shared, settings, tools, limit))
    most = settings["most_faults"]
    # An archive for each proposer: what one stated must not vouch for another.
    with tools.archive() as place:
        made = [_from_gold(one, tools, place, most, report) for one in materials]
        resolvable = _resolvable(place, materials)
    with tools.archive() as place:
        rules = [_from_rules(one, tools, place, report) for one in materials]
    with tools.archive() as place:
        asked = [one for one in materials if one.corpus.name in settings["model_corpora"]]
        model, absent = _from_model(asked, tools, place, settings["model_passages"], report)
    result: dict[str, Any] = {
        "evaluation": "governance",
        "settings": {
            "seed": SEED, "limit": limit, "faults of each kind and corpus, at most": most,
            "passages of each corpus of names": settings["passages"],
            "small model": absent or "asked",
        },
        "versions": dict(tools.versions),
        "aims": settings["aims"],
        "reference": settings["reference"],
        "data": [tables.data_row(m.corpus, len(m.passages)) for m in materials],
        "gold_and_faults": {one.name: _rates(one.outcomes) for one in made},
        "all_gold_and_faults": _rates(_joined(made)),
        "faults": _by_fault(made),
        "let_through": _let_through(made),
        "sound_lost": _lost(made),
        "deterministic": {one.name: _rates(one.outcomes) for one in rules},
        "all_deterministic": _rates(_joined(rules)),
        "small_model": {one.name: _rates(one.outcomes) for one in model},
        "all_small_model": _rates(_joined(model)) if model else {},
        "pointers": resolvable,
        "worst": list(_worst(made)),
    }  # fmt: skip
    return {**result, **_shown(result)}


# ---- materials ---------------------------------------------------------------------------------


def _materials(
    shared: Path, settings: Mapping[str, Any], tools: Tools, limit: int
) -> Iterator[Material]:
    most = limit or settings["passages"]
    yield from gold.sample(settings["sample"], tools.mapping)
    for row in settings["names"]:
        loaded = []
        for file in row["files"]:
            name, _, rest = file.partition("/")
            path = corpora.folder(shared, name) / rest
            loaded.append(hipe.load(path, row["language"], path.stem.rpartition("-")[0]))
        yield gold.names(
            _merged(f"hipe-2022-{row['language']}", loaded), row["profile"], most, SEED
        )
    for row in settings["places"]:
        name, _, rest = row["file"].partition("/")
        corpus = gold.person_places(corpora.folder(shared, name) / rest, row["language"])
        yield gold.names(corpus, row["profile"], most, SEED)
    for row in settings["events"]:
        name, _, rest = row["file"].partition("/")
        corpus = histories.guwenee(corpora.folder(shared, name) / rest)
        yield gold.events(corpus, row["profile"], limit, SEED)


def _merged(name: str, parts: Sequence[Corpus]) -> Corpus:
    unmapped: Counter[str] = Counter()
    for part in parts:
        unmapped.update(part.unmapped)
    return Corpus(
        name,
        "dev",
        ", ".join(dict.fromkeys(part.licence for part in parts)),
        tuple(document for part in parts for document in part.documents),
        {file: digest for part in parts for file, digest in part.hashes.items()},
        dict(unmapped),
    )


# ---- the three proposers -----------------------------------------------------------------------


def _from_gold(
    material: Material, tools: Tools, place: Throwaway, most: int, report: Report
) -> Measured:
    wrong, written = faults.make(material, tools.mapping, most, SEED)
    made = tuple(
        {one.candidate.key: one for one in (*wrong, *material.sound)}.values()
    )  # what is made both ways is sound
    passages = (*material.passages, *written)
    return _measured(material, made, passages, tools, place, report, search=True)


def _from_rules(material: Material, tools: Tools, place: Throwaway, report: Report) -> Measured:
    judge = Judge.of(material)
    found = proposed(material.passages, material.profile, tools)
    made = tuple(judge.made(candidate, passage.unit.key) for passage, candidate in found)
    return _measured(material, made, material.passages, tools, place, report)


def _from_model(
    materials: Sequence[Material], tools: Tools, place: Throwaway, most: int, report: Report
) -> tuple[list[Measured], str]:
    """Return what the small model said and its fate, or why it was not asked."""
    found: list[Measured] = []
    if not most:
        return found, "not asked: model_passages is 0"
    try:
        with tools.model() as proposer:
            for number, material in enumerate(materials, 1):
                judge, passages = Judge.of(material), _short(material.passages, most)
                made = tuple(
                    judge.made(candidate, passage.unit.key)
                    for passage in passages
                    for candidate in proposer.propose(passage.unit)
                )
                found.append(_measured(material, made, passages, tools, place, report))
                report("small model", number, len(materials))
    except (Missing, Unavailable) as err:
        return found, f"not asked: {err.message}"
    return found, ""


def _short(passages: Sequence[Passage], most: int) -> tuple[Passage, ...]:
    """Return the shortest passages that are whole sentences: the model is slow and forgets."""
    long_enough = [p for p in passages if len(p.unit.raw.text) >= LEAST_ASKED]
    return tuple(sorted(long_enough, key=lambda p: (len(p.unit.raw.text), p.unit.key))[:most])


def _measured(
    material: Material,
    made: tuple[Made, ...],
    passages: Sequence[Passage],
    tools: Tools,
    place: Throwaway,
    report: Report,
    *,
    search: bool = False,
) -> Measured:
    units = {passage.unit.key: passage.unit for passage in passages}
    fates = {
        "C0": conditions.c0(made),
        "C1": conditions.c1(made, units, tools),
        "C2": conditions.c2(made, passages, material.profile, tools, place, report),
    }
    told = [one.supported is not None for one in made]
    outcomes = {
        name: [
            conditions.outcome(one, fate, units[one.asked], tools)
            for one, fate, known in zip(made, found, told, strict=True)
            if known
        ]
        for name, found in fates.items()
    }
    if search:
        cited = conditions.retrieved(made, passages, tools)
        outcomes["RAG"] = [
            conditions.outcome(
                one, fate, units[one.asked], tools, cited=cited.get(one.candidate.key, "")
            )
            for one, fate, known in zip(made, fates["C0"], told, strict=True)
            if known
        ]
    return Measured(material.corpus.name, made, tuple(fates["C2"]), outcomes)


# ---- figures -----------------------------------------------------------------------------------


def _rates(outcomes: Outcomes) -> dict[str, Any]:
    return {name: metrics.rates(outcomes[name]) for name in CONDITIONS if name in outcomes}


def _joined(measured: Sequence[Measured]) -> Outcomes:
    joined: defaultdict[str, list[Outcome]] = defaultdict(list)
    for one in measured:
        for name, outcomes in one.outcomes.items():
            joined[name] += outcomes
    return dict(joined)


def _by_fault(measured: Sequence[Measured]) -> dict[str, dict[str, dict[str, int]]]:
    """Return, for each fault and corpus, how many were made, admitted, quarantined, rejected."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for fault in (SOUND, *faults.MISCITED, *faults.OVERREACHING, *faults.APART):
        rows = {one.name: _counts(one, fault) for one in measured}
        rows = {name: row for name, row in rows.items() if row["made"]}
        total = Counter[str]()
        for row in rows.values():
            total.update(row)
        found[fault] = {**rows, "all": dict(total)}
    return found


def _counts(one: Measured, fault: str) -> dict[str, int]:
    chosen = [fate for made, fate in zip(one.made, one.fates, strict=True) if made.fault == fault]
    kept, held = sum(f.kept for f in chosen), sum(f.held for f in chosen)
    return {
        "made": len(chosen),
        "admitted": kept,
        "quarantined": held,
        "rejected": len(chosen) - kept - held,
    }


def _let_through(measured: Sequence[Measured]) -> dict[str, float | None]:
    """Return the shares that C2 admitted: of mis-cited, of overreaching, of sound claims."""
    found = _by_fault(measured)
    held_out = faults.HEARSAY["fresh"]
    groups = {
        "miscited": faults.MISCITED,
        "overreaching": faults.OVERREACHING,
        "overreaching, without fresh hearsay": tuple(
            fault for fault in faults.OVERREACHING if fault != held_out
        ),
        "sound": (SOUND,),
    }
    return {
        name: metrics.share(
            sum(found[fault]["all"].get("admitted", 0) for fault in kinds),
            sum(found[fault]["all"].get("made", 0) for fault in kinds),
        )
        for name, kinds in groups.items()
    }


def _lost(measured: Sequence[Measured]) -> dict[str, dict[str, int]]:
    """Return why sound claims were not admitted: reason codes, by kind of claim."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in measured:
        for made, fate in zip(one.made, one.fates, strict=True):
            if made.fault == SOUND and not fate.kept and fate.verdict is not None:
                codes = {reason.code for reason in fate.verdict.reasons}
                found[made.candidate.kind.value].update(codes)
    return {kind: dict(codes.most_common()) for kind, codes in sorted(found.items())}


def _resolvable(place: Throwaway, materials: Sequence[Material]) -> dict[str, Any]:
    """Return how many pointers of admitted claims in the archive open the words they quote."""
    ledger = place.ledger
    keys = sorted({row.claim for row in place.work.candidates() if row.claim})
    graphs = (ledger.base.public,)
    texts = {p.unit.key: p.unit.raw.text for m in materials for p in m.passages}
    pointers = [
        pointer
        for claim in decoding.claims(ledger.store, ledger.base, keys, graphs)
        for pointer in claim.pointers
        if pointer.unit in texts
    ]
    good = sum(texts[p.unit][p.start : p.end] == p.quote for p in pointers)
    return {
        "pointers": len(pointers),
        "resolved": good,
        "share": metrics.share(good, len(pointers)),
    }


def _worst(measured: Sequence[Measured]) -> Iterator[dict[str, str]]:
    """Yield faults that were admitted, a few of each kind and corpus."""
    shown: Counter[tuple[str, str]] = Counter()
    for one in measured:
        for made, fate in zip(one.made, one.fates, strict=True):
            if made.fault == SOUND or not fate.kept or shown[one.name, made.fault] >= 4:
                continue
            shown[one.name, made.fault] += 1
            told = made.candidate
            ends = [a.surface for a in (told.subject, told.object) if a is not None]
            ends += [v.lexical for v in (told.value, told.time) if v is not None]
            yield {
                "where": f"{one.name}: {made.fault} admitted",
                "what": f"{told.kind} {told.name}: {' | '.join(' '.join(e.split()) for e in ends)}",
                "text": " ".join(told.quote.split())[:300],
            }


# ---- what is shown -----------------------------------------------------------------------------


def _shown(result: Mapping[str, Any]) -> dict[str, Any]:
    groups = {
        "annotation and faults, all": result["all_gold_and_faults"],
        **{f"annotation and faults, {n}": r for n, r in result["gold_and_faults"].items()},
        "deterministic, all": result["all_deterministic"],
        **{f"deterministic, {n}": r for n, r in result["deterministic"].items()},
        "small model, all": result["all_small_model"],
    }
    columns = ("proposed", "kept", "r_valid", "r_res", "r_mis", "r_ovr", "admitted_recall",
               "quarantine_rate")  # fmt: skip
    rows = [
        [name, condition, *(row[column] for column in columns)]
        for name, found in groups.items()
        for condition, row in found.items()
    ]
    note = "r_mis and r_ovr are over what was kept and resolves: read them beside admitted_recall."
    by_fault = [
        [fault, corpus, *(row.get(c, 0) for c in ("made", "admitted", "quarantined", "rejected")),
         metrics.share(row.get("admitted", 0), row.get("made", 0))]
        for fault, found in result["faults"].items()
        for corpus, row in found.items()
    ]  # fmt: skip
    aims = result["aims"]
    let = result["let_through"]
    bars = [
        {"label": f"{name} {what}", "value": row[what] or 0.0}
        for name, row in result["all_gold_and_faults"].items()
        for what in ("r_res", "r_mis", "r_ovr", "admitted_recall")
    ]
    return {
        "tables": [
            tables.table(
                "C2 against its aims", ("share admitted of", "measured", "aim"),
                [["mis-cited faults", let["miscited"], f"at most {aims['miscited']}"],
                 ["overreaching faults", let["overreaching"], f"at most {aims['overreaching']}"],
                 ["overreaching faults, without fresh hearsay",
                  let["overreaching, without fresh hearsay"], f"at most {aims['overreaching']}"],
                 ["sound claims", let["sound"], f"at least {aims['sound']}"]],
            ),
            tables.table("Conditions", ("proposer, corpus", "condition", *columns), rows, note),
            tables.table(
                "Faults under C2",
                ("fault", "corpus", "made", "admitted", "quarantined", "rejected", "let through"),
                by_fault,
            ),
            tables.table(
                "Why sound claims were not admitted", ("kind", "reasons"),
                [[kind, ", ".join(f"{code} {n}" for code, n in codes.items())]
                 for kind, codes in result["sound_lost"].items()],
            ),
            tables.table(
                "Pointers of admitted claims in the archive", ("what", "value"),
                [[name, value] for name, value in result["pointers"].items()],
            ),
        ],
        "charts": [tables.chart("Annotation and faults, all corpora", bars)],
    }  # fmt: skip
