"""Automatic links against the gold of HIPE-2022 and of the sample archive, beside exact names.

    python benchmarks/score_links.py [--shared DIR] [--split dev|train] [--json] [--publish]

``--publish`` writes the figures that the service shows on its page of rules.
"""

from __future__ import annotations

import argparse
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rdfkms import resources
from rdfkms.evaluation.reconciliation import MEASURED, evaluate, publish


def show(name: str, found: dict[str, Any]) -> None:
    print(f"{name}: {found['mentions']} mentions ({found['nil_mentions']} NIL)")
    for way in ("linked", "exact"):
        rows = {"all": found[way], **found[way]["types"], **found[way]["collections"]}
        for label, row in rows.items():
            print(
                f"  {way:<7} {label:<24} precision {row['precision']:.4f}  "
                f"recall {row['recall']:.4f}  ({row['right']}/{row['links']} links, "
                f"{row['true_pairs']} true)"
            )
        beyond = found[way]["beyond_equal_names"]
        print(
            f"  {way:<7} of names that differ: precision {beyond['precision']:.4f}  recall "
            f"{beyond['recall']:.4f}  ({beyond['right']}/{beyond['links']} links)"
        )
        print(f"  {way:<7} precision counting NIL {found[way]['precision_with_nil']:.4f}")
    for kind in ("worst_wrong", "worst_missed"):
        cases = (f"{c['one']} = {c['other']} ({c['pairs']})" for c in found["linked"][kind])
        print(f"  {kind}: {'; '.join(cases)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    shared = Path(os.environ.get("RDFKMS_SHARED", "../shared"))
    parser.add_argument("--shared", type=Path, default=shared)
    parser.add_argument("--split", choices=("dev", "train"), default="dev")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--publish", action="store_true")
    options = parser.parse_args()
    figures = evaluate(
        options.shared, sample=resources.folder("examples") / "first", split=options.split
    )
    if options.publish:
        publish(figures, datetime.now(UTC).date().isoformat(), resources.file(MEASURED))
    if options.json:
        print(json.dumps(figures, indent=1, ensure_ascii=False))
        return
    for name, found in figures["corpora"].items():
        show(name, found)


if __name__ == "__main__":
    main()
