"""A reviewer's acts on a large archive: milliseconds each, against a raw commit of as many quads.

    python benchmarks/bench_review.py --archive SAMPLE [--triples 1000000]

SAMPLE is an archive of the sample (`rdfkms demo --build-only`); it is copied under new keys until
the number is reached, as in `bench_size.py`. Each act is timed from the call to the durable commit
with the queue in step; indexes follow in the background, as in a service. Aim: under 50 ms each at
a million triples.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from bench_size import build
from pyoxigraph import Literal, Quad

from rdfkms.app import composition
from rdfkms.knowledge import decoding
from rdfkms.ledger.ledger import Activity, Change
from rdfkms.model import Claim, Kind, Principal, Role, Status
from rdfkms.review import acts, decisions, identities, undoing
from rdfkms.review.decisions import Decision, Desk
from rdfkms.vocab import KMS

EVA = Principal("eva", Role.REVIEWER)
ROUNDS = 20


def timed(spent: list[float], act: Callable[[], Decision]) -> Decision:
    """Do an act and note its milliseconds."""
    started = time.perf_counter()
    made = act()
    spent.append((time.perf_counter() - started) * 1000)
    return made


def raw_commit(desk: Desk, quads: int) -> float:
    """Return the milliseconds that the ledger needs for a change of that many quads."""
    graph, base = desk.base.internal, desk.base
    spent = []
    for number in range(ROUNDS):
        add = tuple(
            Quad(base.iri("node", f"bench{number}"), KMS("bench"), Literal(str(i)), graph)
            for i in range(quads)
        )
        started = time.perf_counter()
        desk.ledger.commit(Change(Activity("bench"), add=add), EVA)
        spent.append((time.perf_counter() - started) * 1000)
        desk.ledger.commit(Change(Activity("bench"), remove=add), EVA)
    return median(spent)


def chosen(desk: Desk, status: Status, wanted: Callable[[Claim], bool]) -> list[Claim]:
    """Return the first claims of a status that fit."""
    found: list[Claim] = []
    for claim in decoding.all_claims(desk.ledger.store, desk.base, (), status):
        if wanted(claim):
            found.append(claim)
        if len(found) == ROUNDS:
            break
    return found


def measure(desk: Desk) -> dict[str, list[float]]:
    """Return the milliseconds of each kind of act, undone after it."""
    spent: dict[str, list[float]] = {}

    def both(name: str, act: Callable[[], Decision]) -> None:
        made = timed(spent.setdefault(name, []), act)
        timed(spent.setdefault(f"undo {name}", []), lambda: undoing.undo(desk, made.key, EVA))

    for claim in chosen(desk, Status.ADMITTED, lambda c: c.kind is Kind.ATTRIBUTE):
        both("reject", lambda: acts.reject(desk, claim.key, EVA))  # noqa: B023
        both("rank", lambda: acts.rank(desk, claim.key, "preferred", EVA))  # noqa: B023
        reopened = acts.reopen(desk, claim.key, EVA)
        both("accept", lambda: acts.accept(desk, claim.key, EVA))  # noqa: B023
        undoing.undo(desk, reopened.key, EVA)
    persons = chosen(desk, Status.ADMITTED, lambda c: c.kind is Kind.MENTION and c.name == "Person")
    pairs = zip(persons[::2], persons[1::2], strict=False)
    for one, other in pairs:
        if one.subject != other.subject:
            both("merge", lambda: identities.merge(desk, one.subject, other.subject, EVA))  # noqa: B023
    return spent


def main() -> None:
    """Print the table, and as JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--archive", type=Path, required=True)
    parser.add_argument("--triples", type=int, default=1_000_000)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        quads = build(given.archive, Path(folder) / "large", given.triples)
        with composition.writing(Path(folder) / "large", "bench") as app:
            desk = app.desk
            acts.state_of(desk, chosen(desk, Status.ADMITTED, lambda c: True)[0])
            spent = measure(desk)
            sizes = [
                entry.added_count + entry.removed_count
                for entry in desk.ledger.journal.entries(payload=False, kind="decision")
            ]
            raw = raw_commit(desk, int(median(sizes)))
            assert decisions.latest(desk.ledger, 1)
    print(f"{quads} quads; raw commit of {int(median(sizes))} quads {raw:.1f} ms")
    print(f"{'act':<14} {'median ms':>9} {'max ms':>8} {'x raw':>6}")
    for name, values in spent.items():
        print(f"{name:<14} {median(values):>9.1f} {max(values):>8.1f} {median(values) / raw:>6.1f}")
    if given.json:
        told = {name: {"median": median(v), "max": max(v)} for name, v in spent.items()}
        given.json.write_text(json.dumps({"quads": quads, "raw": raw, "acts": told}, indent=1))
    sys.exit(0 if all(median(v) < 50 for v in spent.values()) else 1)


if __name__ == "__main__":
    main()
