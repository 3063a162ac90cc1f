"""Precision and recall of the mapping of predicates on the hand-written list (docs/models.md).

python benchmarks/score_predicates.py [--part report|tune] [--sweep]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from rdfkms import backends
from rdfkms.errors import Missing
from rdfkms.knowledge.predicates import Predicates
from rdfkms.ports import Embedder
from rdfkms.settings import TripleSettings

LIST = Path(__file__).parents[1] / "tests" / "golden" / "predicates.tsv"


def rows(part: str) -> Iterator[tuple[str, str, str, bool]]:
    """Yield (language, predicate, name or "", inverse) of one part."""
    for line in LIST.read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if not line.startswith("#") and cells[0] == part:
            yield cells[1], cells[2], "" if cells[3] == "-" else cells[3], cells[4] == "inverse"


def score(part: str, predicates: Predicates) -> dict[str, dict[str, int]]:
    """Return mapped, right and wanted counts, in all and by way ("lexicon", "letters" ...)."""
    counts: dict[str, dict[str, int]] = {}
    for language, words, name, inverse in rows(part):
        found = predicates.map(words, language)
        right = bool(name) and (found.name, found.inverse) == (name, inverse)
        for way in ("all", found.how or "none"):
            made = counts.setdefault(way, {"mapped": 0, "right": 0, "wanted": 0})
            made["mapped"] += bool(found.name)
            made["right"] += right
            made["wanted"] += bool(name)
    return counts


def embedder() -> Embedder | None:
    """Return the default embedder where it is installed."""
    try:
        made: Embedder = backends.load("embedder", "use")()
    except Missing:
        return None
    return made


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", default="report", choices=("tune", "report"))
    parser.add_argument("--sweep", action="store_true")
    chosen = parser.parse_args()
    engine = embedder()
    tried = [TripleSettings()]
    if chosen.sweep:
        tried = [
            TripleSettings(likeness=letters, cosine=cosine, margin=margin)
            for letters in (0.8, 0.84, 0.86, 0.9)
            for cosine in (0.6, 0.7, 0.75, 0.8, 0.85)
            for margin in (0.02, 0.05, 0.1)
        ]
    for settings in tried:
        counts = score(chosen.part, Predicates(settings, engine))
        whole = counts["all"]
        precision = whole["right"] / max(1, whole["mapped"])
        recall = whole["right"] / max(1, whole["wanted"])
        print(
            f"likeness {settings.likeness} cosine {settings.cosine} margin {settings.margin}: "
            f"precision {precision:.3f} recall {recall:.3f} {counts}"
        )


if __name__ == "__main__":
    main()
