"""Is the right entity first at /reconcile for names of an archive with one typing error each?

    python benchmarks/score_reconcile_api.py ARCHIVE [--seed 4] [--rounds 3] [--typed] [--json]

Every public name of every entity gets, in each round, one error at a random letter: another letter,
a letter left out, a letter too many, or two letters swapped. The service runs over HTTP and is
asked in batches. A name that several entities bear cannot tell them apart, typing error or not:
for it any bearer counts as right in `right`, and only the one that was meant in `strict`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import urllib.parse
import urllib.request
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rdfkms.app import composition
from rdfkms.knowledge.nameforms import is_han, normal
from rdfkms.publish.reconciliation.asked import type_id
from rdfkms.publish.reconciliation.index import public_index
from tests.tools.service import serving

LETTERS = "abcdefghijklmnopqrstuvwxyz"
KINDS = ("another", "missing", "extra", "swapped")


@dataclass(frozen=True)
class Name:
    """A name of an entity as it was read, and the entities whose name it is."""

    text: str
    type: str
    entity: str
    bearers: frozenset[str]


def names(archive: Path) -> list[Name]:
    """Return all public names of at least three letters (in Han two characters)."""
    with composition.reading(archive) as app:
        index = public_index(app.ledger, app.mapping).current()
        bearers: dict[tuple[str, str], set[str]] = defaultdict(set)
        found = []
        for entity in index.names.entities():
            for surface in sorted({*entity.forms.values()}):
                form = normal(surface, entity.type)
                bearers[entity.type, form].add(entity.ref.path)
                if sum(c.isalpha() for c in surface) >= (2 if is_han(surface) else 3):
                    found.append((surface, entity.type, entity.ref.path, form))
        kind = {t: type_id(index.mapping.entity(t)) for t in index.types}
    return [Name(s, kind[t], e, frozenset(bearers[t, f])) for s, t, e, f in found]


def mistyped(text: str, chance: random.Random, kind: str) -> str:
    """Return the text with one error of that kind at a random letter."""
    places = [at for at, c in enumerate(text) if c.isalpha()]
    han = [c for c in text if is_han(c)]
    letters = sorted(set(han)) if han else list(LETTERS)
    if kind == "swapped":
        pairs = [
            at for at in places if text[at + 1 : at + 2].isalpha() and text[at] != text[at + 1]
        ]
        if pairs:
            at = chance.choice(pairs)
            return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
        kind = "another"
    at = chance.choice(places)
    if kind == "missing":
        return text[:at] + text[at + 1 :]
    letter = chance.choice([c for c in letters if c != text[at].lower()] or list(LETTERS))
    return text[:at] + letter + text[at + (kind == "another") :]


def ask(address: str, queries: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the candidates of each query, asked in batches of 50."""
    found = []
    for start in range(0, len(queries), 50):
        batch = {f"q{n}": query for n, query in enumerate(queries[start : start + 50])}
        data = urllib.parse.urlencode({"queries": json.dumps(batch)}).encode()
        with urllib.request.urlopen(f"{address}/reconcile", data, timeout=120) as answer:
            told = json.load(answer)
        found += [told[key]["result"] for key in batch]
    return found


def score(archive: Path, seed: int, rounds: int, typed: bool) -> dict[str, Any]:
    """Return shares of right first candidates, by type, kind of error, and the misses."""
    chance, known = random.Random(seed), names(archive)
    cases = [
        (name, kind, mistyped(name.text, chance, kind))
        for _ in range(rounds)
        for name in known
        for kind in [chance.choice(KINDS)]
    ]
    queries = [
        {"query": typo, "limit": 5} | ({"type": name.type} if typed else {})
        for name, _, typo in cases
    ]
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    misses = []
    strict = matched = wrongly = 0
    with serving(archive) as service:
        found = ask(service.address, queries)
    for (name, kind, typo), result in zip(cases, found, strict=True):
        first = result[0]["id"] if result else ""
        good = first in name.bearers
        for label in ("all", name.type, kind):
            total[label] += 1
            right[label] += good
        strict += first == name.entity
        if result and result[0]["match"]:
            matched += 1
            wrongly += not good
        if not good:
            misses.append((name.text, typo, result[0]["name"] if result else ""))
    return {
        "names": len(known), "queries": len(cases), "seed": seed, "typed": typed,
        "shared_names": sum(len(name.bearers) > 1 for name in known),
        "right": {k: [right[k], total[k], round(right[k] / total[k], 4)] for k in sorted(total)},
        "strict": [strict, len(cases), round(strict / len(cases), 4)],
        "matched": matched, "matched_wrongly": wrongly, "misses": misses,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--typed", action="store_true", help="send the type of the column, too")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = score(options.archive, options.seed, options.rounds, options.typed)
    if options.json:
        print(json.dumps(found, indent=1, ensure_ascii=False))
        return
    print(
        f"{found['names']} names ({found['shared_names']} borne by several), "
        f"{found['queries']} queries with one typing error each, seed {found['seed']}"
    )
    for label, (good, total, share) in found["right"].items():
        print(f"  right entity first  {label:<24} {share:7.2%}  ({good}/{total})")
    good, total, share = found["strict"]
    print(f"  the one that was meant{'':<22} {share:7.2%}  ({good}/{total})")
    print(f"  match: true for {found['matched']}, wrongly for {found['matched_wrongly']}")
    for text, typo, first in found["misses"][:25]:
        print(f"  missed {text!r} as {typo!r}: first was {first!r}")


if __name__ == "__main__":
    main()
