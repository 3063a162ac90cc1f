"""Scores the rules that hold sentences against passages on four corpora of judged claims.

    python benchmarks/score_claims.py [--shared FOLDER] [--json FILE]

prints macro-F1 of the rules and of two baselines, and how much overreach passes; the whole of the
figures, with confusion, curve and worst cases, goes to FILE.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from rdfkms.evaluation.verification import evaluate


def table(figures: dict[str, Any], part: str) -> None:
    print(f"{part:16} {'pairs':>5} {'rules':>6} {'overlap':>8} {'majority':>9}  overreach passed")
    for name, found in figures["corpora"].items():
        shown = found[part]
        f1, reach = shown["macro_f1"], shown["overreach"]
        pairs = sum(grade["pairs"] for grade in shown["grades"].values())
        print(
            f"{name:16} {pairs:5} {f1['rules']:6.3f} {f1['overlap']:8.3f} {f1['majority']:9.3f}  "
            f"{reach['overreaching_passed']:.1%} at recall {reach['supported_recall']:.1%} "
            f"(shipped {reach['shipped']:.1%} at {reach['shipped_supported_recall']:.1%})"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("RDFKMS_SHARED", "../shared")
    parser.add_argument("--shared", type=Path, default=Path(default))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    figures = evaluate(given.shared)
    for part in ("report", "whole"):
        table(figures, part)
    if given.json:
        given.json.write_text(json.dumps(figures, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
