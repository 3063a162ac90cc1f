"""Gate and commit: claims per second on the sample archive, multiplied with new names and units.

    python benchmarks/bench_gate.py [--copies 4] [--shapes-only]

The truth files of ``examples/first`` (all but the annals) become screened candidates; each copy
has other names (capital letters exchanged, so that every offset stays) and other units. One batch
a page goes through reconciliation, all shapes, verification, conflicts, journal and store, as in a
run. Aim: at least 250 claims a second.
"""

from __future__ import annotations

import argparse
import json
import random
import string
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from rdfkms import resources
from rdfkms.admission.judging import Gate, decide
from rdfkms.admission.known import RivalsInSight
from rdfkms.admission.screening import screen
from rdfkms.admission.shapes import ShapesGate
from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.ingest.reading import PageResult
from rdfkms.knowledge import decoding, encoding, statements
from rdfkms.knowledge.mapping import load
from rdfkms.knowledge.names import Names
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.work import Work
from rdfkms.model import (
    Access,
    Anchor,
    Candidate,
    Claim,
    EvidenceUnit,
    Kind,
    Modality,
    Page,
    Pointer,
    Principal,
    Record,
    Ref,
    Role,
    Run,
    SourceFile,
    UnitText,
    Value,
    View,
)
from rdfkms.pipeline.line import Line
from rdfkms.pipeline.proposing import Outcome
from rdfkms.settings import Settings
from rdfkms.vocab import Base, key_of

AIM = 250.0
UNIT_WORDS = 60


def truths() -> list[dict[str, Any]]:
    files = sorted(resources.folder("examples").glob("first/*/*.truth.json"))
    pages = [json.loads(path.read_text(encoding="utf-8")) for path in files]
    return [page for page in pages if page["profile"] != "annals"]


def renamed(text: str, copy: int) -> str:
    """The text with its capital letters exchanged, another way for each copy."""
    capitals = list(string.ascii_uppercase)
    random.Random(copy).shuffle(capitals)
    return text.translate(str.maketrans(string.ascii_uppercase, "".join(capitals)))


def cuts(truth: dict[str, Any]) -> list[tuple[int, int]]:
    """Passages of about `UNIT_WORDS` words that cut through no mention and no quote."""
    spans = [(m["start"], m["end"]) for m in truth["mentions"]]
    spans += [(f["quote"]["start"], f["quote"]["end"]) for f in truth["facts"]]
    text, found, start = truth["text"], [], 0
    for place, letter in enumerate(text):
        whole = not any(a <= place < b for a, b in spans)
        if letter == "\n" and whole and len(text[start:place].split()) >= UNIT_WORDS:
            found.append((start, place))
            start = place + 1
    return [(a, b) for a, b in [*found, (start, len(text))] if b - a > 9]


def unit(truth: dict[str, Any], copy: int, number: int, span: tuple[int, int]) -> EvidenceUnit:
    record, page = key_of("record", truth["record"], copy), key_of("page", truth["source"], copy)
    key, version = key_of("unit", page, number), key_of("version", page)
    text = renamed(truth["text"][slice(*span)], copy)
    raw = UnitText(
        key_of("text", key), key, version, View.RAW, text, *span, truth["language"]
    )  # fmt: skip
    return EvidenceUnit(
        key, record, key_of("source", page) * 2, page, number, Modality.DOCUMENT,
        truth["language"], str(truth["page"]), number + 1, (raw,), (),
    )  # fmt: skip


def candidates(truth: dict[str, Any], made: EvidenceUnit, start: int) -> Iterator[Candidate]:
    """The mentions and stated facts of the truth that stand in the unit."""
    end, text = start + len(made.raw.text), made.raw.text

    def anchor(span: dict[str, Any], kind: str = "") -> Anchor:
        a, b = span["start"] - start, span["end"] - start
        return Anchor(a, b, text[a:b], kind)

    def made_of(kind: Kind, name: str, quote: dict[str, Any], **fields: Any) -> Candidate:
        a, b = quote["start"] - start, quote["end"] - start
        key = key_of(made.key, kind.value, name, a, b, repr(fields))
        return Candidate(key, kind, made.key, name, text[a:b], a, b, proposer="truth@1", **fields)

    inside = {m["id"]: m for m in truth["mentions"] if start <= m["start"] and m["end"] <= end}
    for item in inside.values():
        kind = item["type"]
        yield made_of(Kind.MENTION, kind, item, subject=anchor(item, kind))
    for fact in truth["facts"]:
        quote = fact["quote"]
        if fact["certainty"] != "stated" or not (start <= quote["start"] and quote["end"] <= end):
            continue
        event = fact["event"] or (fact["id"] if fact["kind"] == "event" else None)
        fields: dict[str, Any] = {"group": key_of(truth["record"], event) if event else None}
        for part in ("subject", "object"):
            if fact[part] in inside:
                named = inside[fact[part]]
                fields[part] = anchor(named, named["type"])
        if fact.get("trigger"):
            fields["subject"] = anchor(fact["trigger"])
        if fact["value"] is not None:
            kinds = {"age": "integer", "time": "edtf", "birthDate": "edtf", "deathDate": "edtf"}
            fields["value"] = Value(
                str(fact["value"]), kinds.get(fact["name"], "string"), truth["language"],
                fact.get("verbatim", ""),
            )  # fmt: skip
        yield made_of(Kind(fact["kind"]), fact["name"], quote, **fields)


def batch(truth: dict[str, Any], copy: int) -> tuple[Record, Outcome]:
    page = Page(key_of("page", truth["source"], copy), "f" * 64, 1, str(truth["page"]))
    spans = cuts(truth)
    units = [unit(truth, copy, number, span) for number, span in enumerate(spans)]
    screened = [
        screen(candidate, made, load())
        for made, (start, _) in zip(units, spans, strict=True)
        for candidate in candidates(truth, made, start)
    ]
    record = Record(
        key_of("record", truth["record"], copy), truth["record"], truth["profile"],
        truth["language"], Access(), Modality.DOCUMENT,
        (SourceFile("f" * 64, truth["source"], "image/png", 1),), (page,),
    )  # fmt: skip
    return record, Outcome(PageResult(page, units=tuple(units)), tuple(screened), {})


def whole_line(copies: int) -> None:
    pages = [batch(truth, copy) for copy in range(copies) for truth in truths()]
    with tempfile.TemporaryDirectory() as folder:
        archive = Archive.create(Path(folder) / "archive", Settings())
        ledger = Ledger(archive, OxigraphStore(archive.store_path))
        work = Work(archive.work_path)
        run = Run(key_of("bench"), "run", "bench", "1", "", "1")
        who = Principal("bench", Role.CONTRIBUTOR)
        line = Line(ledger, work, load(), who, run)
        line.publish(*pages[0], batch="warm-up")
        line.seconds.clear()
        before, wall, cpu = count(ledger), time.perf_counter(), time.process_time()
        for number, (record, outcome) in enumerate(pages[1:]):
            line.publish(record, outcome, f"batch-{number}")
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        now = count(ledger)
        alone = latency(ledger, *batch(truths()[0], copies + 1))
        ledger.close()
        work.close()
    claims = now.total() - before.total()
    parts = ", ".join(f"{name} {s / claims * 1000:.2f} ms" for name, s in line.seconds.items())
    print(f"{claims} claims in {len(pages) - 1} batches: {dict(now)}")
    print(
        f"gate + commit: {claims / wall:.0f} claims/s wall, {claims / cpu:.0f} claims/s of one core"
    )
    print(f"per claim: {parts}; aim {AIM:.0f} claims/s")
    print(f"one claim alone, verified before: {alone:.1f} ms in the median; aim 10 ms")


def latency(ledger: Ledger, record: Record, outcome: Outcome) -> float:
    """Return the median milliseconds of reconciling and judging one mention by itself."""
    store, base = ledger.store, ledger.base
    known = RivalsInSight(store, base, is_open=True)
    gate = Gate(load(), ShapesGate(), base, ledger.archive.settings.gate, known)
    names = Names.from_store(store, base, (base.public,))
    units = {unit.key: unit for unit in outcome.page.units}
    spent = []
    for candidate, verdict in outcome.screened:
        if verdict is not None or candidate.kind is not Kind.MENTION:
            continue
        panel = gate.panel()
        panel.verify(candidate, units[candidate.unit])
        started = time.perf_counter()
        decide([(candidate, None)], units, names, gate, lambda _: "r", panel)
        spent.append((time.perf_counter() - started) * 1000)
    return median(spent)


def count(ledger: Ledger) -> Counter[str]:
    found = decoding.all_claims(ledger.store, ledger.base, status=None)
    return Counter(claim.status.value for claim in found)


def shapes_alone() -> None:
    """The shapes stage alone: a mention, a birthplace and a sibling for each passage."""
    base, gate = Base(), ShapesGate()
    made = [unit(t, 0, n, span) for t in truths() for n, span in enumerate(cuts(t))]
    claims = [claim for one in made for claim in _three(one)]
    started = time.process_time()
    for first in range(0, len(made), 8):
        triples = [t for one in made[first : first + 8] for t in encoding.unit_triples(one, base)]
        some = claims[first * 4 : (first + 8) * 4]
        for claim in some:
            triples += encoding.claim_triples(claim, base, load())
            triples += statements.project(claim, base, load())
        assert not gate.validate(triples, [base.iri("claim", c.key) for c in some])
    spent = (time.process_time() - started) / len(claims)
    print(f"shapes alone: {spent * 1000:.2f} ms CPU a claim, {len(claims)} claims")


def _three(made: EvidenceUnit) -> list[Claim]:
    pointer = (Pointer(made.key, made.raw.key, 0, 9, made.raw.text[:9]),)
    person, place = Ref("person", made.key), Ref("place", made.key)
    name = Value("Andrés", language="es")

    def claim(kind: Kind, statement: str, subject: Ref, **fields: Any) -> Claim:
        key = key_of(made.key, statement, subject.path)
        return Claim(key, kind, statement, subject, pointer, runs=("r",), **fields)

    return [
        claim(Kind.MENTION, "namedAs", person, value=name, name="Person"),
        claim(Kind.MENTION, "namedAs", place, value=name, name="Location"),
        claim(Kind.ATTRIBUTE, "birthplace", person, object=place),
        claim(Kind.RELATION, "Kinship/sibling", person, object=person),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=4)
    parser.add_argument("--shapes-only", action="store_true")
    given = parser.parse_args()
    shapes_alone()
    if not given.shapes_only:
        whole_line(given.copies)


if __name__ == "__main__":
    main()
