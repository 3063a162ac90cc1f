"""By which rules names are linked, and how right that was when it was measured (R65)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.knowledge import authorities, thresholds

MEASURED = "ingest/reconciliation.json"


@dataclass(frozen=True, slots=True)
class LinkFigures:
    """Precision and recall of links on one corpus, beside links of exactly equal names."""

    corpus: str
    kind: str  # an entity type, empty for all
    precision: float
    recall: float
    exact_precision: float
    exact_recall: float


@dataclass(frozen=True, slots=True)
class LinkingRules:
    """Thresholds by section, the day and rows of the measurement, the rules of authorities."""

    thresholds: Mapping[str, Mapping[str, float]]
    date: str
    figures: tuple[LinkFigures, ...]
    authorities: tuple[authorities.Rules, ...]


@cache
def linking_rules() -> LinkingRules:
    """Return what is published; raises `Misconfigured` where the measurement cannot be read."""
    path = resources.file(MEASURED)
    try:
        measured: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        figures = tuple(
            row for name, found in sorted(measured["corpora"].items()) for row in _rows(name, found)
        )
        date = str(measured["date"])
    except (OSError, ValueError, KeyError, TypeError) as err:
        raise Misconfigured(f"{path}: the measured figures cannot be read: {err}.") from err
    rules = tuple(authorities.load(name) for name in authorities.names())
    return LinkingRules(thresholds.load().model_dump(), date, figures, rules)


def _rows(corpus: str, found: Mapping[str, Any]) -> list[LinkFigures]:
    linked, exact = found["linked"], found["exact"]
    pairs = [("", linked, exact)]
    pairs += [(kind, linked["types"][kind], exact["types"][kind]) for kind in linked["types"]]
    return [
        LinkFigures(
            corpus, kind, ours["precision"], ours["recall"], base["precision"], base["recall"]
        )
        for kind, ours, base in pairs
    ]
