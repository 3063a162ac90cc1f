"""How right automatic links are: the sample archive and HIPE-2022 mentions (R63-R65, R143).

Mentions are given by the gold, so that the figures are those of reconciliation alone. Records are
read in the order of the files, and what each said is learned before the next, as in a run. The
baseline links what is equal in type and normalised name.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rdfkms.errors import NotFound
from rdfkms.evaluation import linkedmentions, samplementions
from rdfkms.evaluation.linkcounts import Scored, exact, score
from rdfkms.evaluation.linkedmentions import PROPOSER, Collection
from rdfkms.knowledge import claiming, mapping, thresholds
from rdfkms.knowledge.names import Names
from rdfkms.knowledge.reconciliation import reconcile
from rdfkms.knowledge.spots import place_of
from rdfkms.model import Candidate, Ref
from rdfkms.publish.linking_rules import MEASURED
from rdfkms.settings import GateSettings

__all__ = ["MEASURED", "compared", "evaluate", "link", "publish"]

SPLITS = {"dev": "hipe-2022/dev", "train": "hipe-2022-train"}
WORST = 15


def evaluate(
    shared: Path,
    *,
    sample: Path | None = None,
    split: str = "dev",
    settings: GateSettings | None = None,
) -> dict[str, Any]:
    """Return the figures on HIPE-2022 below `shared` and, where given, on a part of the sample.

    ``{"settings": ..., "corpora": {name: {"linked": ..., "exact": ...}}}``; each with precision,
    recall and counts, whole, by type and collection, and the worst cases. Raises `NotFound` where
    the corpus is not there.
    """
    used = settings or GateSettings()
    folder = shared / "data" / "corpora" / SPLITS[split]
    files = sorted(folder.glob("*.tsv"))
    if not files:
        raise NotFound(f"There is no corpus in {folder}.", hint="Set RDFKMS_SHARED.")
    corpora = {f"hipe-2022 {split}": [linkedmentions.read(file) for file in files]}
    if sample is not None:
        corpora[f"sample {sample.name}"] = [samplementions.read(sample)]
    return {
        "settings": {
            "same_name_similarity": used.same_name_similarity,
            **thresholds.load().model_dump(),
        },
        "corpora": {name: compared(found, used) for name, found in corpora.items()},
    }


def compared(collections: Sequence[Collection], settings: GateSettings) -> dict[str, Any]:
    """Return the figures of reconciliation and of the baseline on the same mentions."""
    linked = score(collections, lambda one: link(one, settings))
    baseline = score(collections, lambda one: [exact(mention) for mention in one.mentions])
    return {
        "documents": sum(len(one.units) for one in collections),
        "mentions": sum(len(one.mentions) for one in collections),
        "nil_mentions": linked.nil.true,
        "linked": _figures(linked),
        "exact": _figures(baseline),
    }


def link(collection: Collection, settings: GateSettings | None = None) -> list[Hashable]:
    """Return the entity of each gold mention, reading unit by unit and learning as a run does."""
    names, table = Names(), mapping.load()
    refs: dict[str, Ref] = {}
    said: dict[str, list[Candidate]] = {key: [] for key in collection.units}
    for candidate in (*(m.candidate for m in collection.mentions), *collection.others):
        said[candidate.unit].append(candidate)
    for key, unit in collection.units.items():
        found = reconcile(said[key], {key: unit}, names, table, settings)
        claims = []
        for candidate in said[key]:
            claim = claiming.describe(candidate, unit, found, PROPOSER)
            if candidate.subject is not None and candidate.subject.type:
                place = place_of(key, candidate.subject)
                refs[candidate.key] = found.refs[place]
                claim = replace(claim, reasons=found.reasons.get(place, ()))
            claims.append(claim)
        names.learn(claims, lambda unit: collection.units[unit].record)
    return [refs[mention.candidate.key] for mention in collection.mentions]


def _figures(scored: Scored) -> dict[str, Any]:
    whole = scored.whole
    all_made = whole.made + scored.nil.made
    return {
        **whole.scores(),
        "links_of_nil_with_identified": scored.nil.made,
        "precision_with_nil": round(whole.right / all_made, 4) if all_made else 0.0,
        "beyond_equal_names": scored.beyond.scores(),
        "types": {name: pairs.scores() for name, pairs in sorted(scored.types.items())},
        "collections": {n: pairs.scores() for n, pairs in sorted(scored.collections.items())},
        "worst_wrong": _cases(scored.wrong),
        "worst_missed": _cases(scored.missed),
    }


def _cases(found: Counter[tuple[str, str, str]]) -> list[dict[str, Any]]:
    ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))[:WORST]
    return [{"type": t, "one": a, "other": b, "pairs": n} for (t, a, b), n in ranked]


def publish(figures: dict[str, Any], day: str, path: Path) -> None:
    """Write the figures that the page of rules shows: date, settings, corpora, without cases."""
    kept = {
        "date": day,
        "settings": figures["settings"],
        "corpora": {
            name: {way: _published(found[way]) for way in ("linked", "exact")}
            for name, found in figures["corpora"].items()
        },
    }
    path.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _published(figures: Mapping[str, Any]) -> dict[str, Any]:
    shown = ("precision", "recall", "f1", "links", "true_pairs", "precision_with_nil")
    types = {name: row for name, row in figures["types"].items()}
    return {**{name: figures[name] for name in shown}, "types": types}
