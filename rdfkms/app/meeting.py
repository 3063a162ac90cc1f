"""Described units meet their scans: `rdfkms meet`, by rules on names, as claims.

The evidence is what the finding aid says of the unit: the name of its digital copy, or its
reference code. The claim is `description/scan`; it goes through the gate, and a reviewer can reject
it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode

import rdfkms
from rdfkms import queries
from rdfkms.access import is_open
from rdfkms.app.composition import App
from rdfkms.app.description_records import path_of
from rdfkms.ingest import meeting
from rdfkms.ingest.meeting import Finds, Meeting, Named, Scan
from rdfkms.knowledge import decoding
from rdfkms.knowledge.declaring import Declared, Declaring
from rdfkms.model import (
    EvidenceUnit,
    Pointer,
    Principal,
    Ref,
    Run,
    Statement,
    Status,
    Stretch,
    Thing,
)
from rdfkms.pipeline.describing import SCAN, DescribingLine, past
from rdfkms.ports import Row
from rdfkms.publish.views import text_of
from rdfkms.review import sources
from rdfkms.vocab import key_of

Report = Callable[[str, int, int], None]
Arguments = Mapping[str, Any]
_UNITS = ("set", "item", "itempart")
_AT_ONCE = 100
_MOST_SHOWN = 200


def meet(app: App, arguments: Arguments, principal: Principal, report: Report) -> dict[str, Any]:
    """Link described units with the records that are copies of them; returns what came of it.

    `rules` is the path of a TOML file, `dry_run` writes nothing. What is linked already, or was
    parted by a reviewer, stays as it is. Raises `Misconfigured` for the rules.
    """
    given = str(arguments.get("rules") or "")
    rules = meeting.load(Path(given) if given else None)
    found = meeting.meet(_scans(app), _names(app), rules.rules)
    told = {
        "ok": True,
        "met": [{"record": one.record, "unit": one.unit} for one in found.meetings[:_MOST_SHOWN]],
        "meetings": len(found.meetings),
        "ambiguous": dict(list(sorted(found.ambiguous.items()))[:_MOST_SHOWN]),
        "alone": len(found.alone),
        "dry_run": bool(arguments.get("dry_run")),
    }
    if arguments.get("dry_run") or not found.meetings:
        return {**told, "admitted": 0, "known": 0, "refused": 0, "revision": app.ledger.revision}
    fresh = [one for one in found.meetings if not _is_decided(app, one)]
    counts = {"admitted": 0, "known": len(found.meetings) - len(fresh), "refused": 0}
    if fresh:
        counts |= _publish(app, fresh, rules.model_dump_json(), principal, report)
    app.indexes.update(app.ledger, progress=lambda done, all_: report("index", done, all_))
    app.changed()
    return {**told, **counts, "revision": app.ledger.revision}


def _is_decided(app: App, one: Meeting) -> bool:
    """Whether the archive says already, or a person denied, that a record is a scan of a unit."""
    return any(
        claim.statement == SCAN
        and claim.subject.path == one.unit
        and claim.status is not Status.WITHDRAWN
        for claim in sources.claims_naming(app.ledger.store, app.base, one.record)
    )


def _publish(
    app: App, meetings: Iterable[Meeting], rules: str, principal: Principal, report: Report
) -> dict[str, int]:
    version = rdfkms.__version__
    key = key_of("meet", version, rules, str(app.ledger.revision))
    main = Run(key, "meet", "rdfkms", version, json.dumps({"rules": rules}), version)
    line = DescribingLine(app.ledger, app.work, app.mapping, principal, main)
    app.work.begin_run(main)
    groups = list(_grouped(app, meetings, line.run_of_proposer("meeting@1")))
    counts = {"admitted": 0, "refused": 0}
    for number, some in enumerate(groups, 1):
        store, base = app.ledger.store, app.base
        record = decoding.record(store, base, some[0].unit.record)
        scans = [decoding.record(store, base, one.scan) for one in some]
        said = [(one.said, one.unit) for one in some]
        decided = line.publish_said(record, said, scans, key_of("batch", key, str(number)))
        for one in decided.judged:
            status = str(one.verdict.decision)
            counts[status if status in counts else "refused"] += 1
        report("meetings", number, len(groups))
    app.work.end_run(key, "done", json.dumps({"ok": True, **counts}))
    return counts


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement that a scan is a copy of a unit, with the passage that it quotes."""

    said: Declared
    unit: EvidenceUnit
    scan: str


def _grouped(app: App, meetings: Iterable[Meeting], run: str) -> Iterator[list[_Said]]:
    """Yield the statements by the record that they quote, those about closed scans apart."""
    store, base = app.ledger.store, app.base
    groups: dict[tuple[str, bool], list[_Said]] = defaultdict(list)
    for one in meetings:
        (claim,) = decoding.claims(store, base, [one.claim])
        unit = decoding.unit(store, base, claim.pointers[0].unit)
        open_ = is_open(decoding.access_of_record(store, base, one.record))
        for said in _said(app, one, claim.pointers[0], unit, run):
            groups[unit.record, open_].append(_Said(said, unit, one.record))
    for some in groups.values():
        for start in range(0, len(some), _AT_ONCE):
            yield some[start : start + _AT_ONCE]


def _said(app: App, one: Meeting, pointer: Pointer, unit: EvidenceUnit, run: str) -> list[Declared]:
    kind, _, key = one.unit.partition("/")
    rule = app.mapping.by_kind(kind)
    if rule is None:
        return []
    about, scan = Thing(rule.name, (one.unit,)), Thing("Record", (one.record,))
    refs = {about: Ref(kind, key), scan: Ref("record", one.record)}
    is_past = past(app.ledger.store, app.base)
    said = Statement(SCAN, about, pointer.start, pointer.end, object=scan)
    stretch = Stretch(about, unit.section, 0, 0, unit.raw.text, "", unit.language, (said,))
    by = Declaring(refs.__getitem__, app.mapping, "meeting@1", run, is_past)
    return by.declare(stretch, unit)


# ---- what there is ------------------------------------------------------------------------------


def _names(app: App) -> Iterator[Named]:
    for row in _rows(app, "codes"):
        unit, claim = path_of(app, row["unit"]), path_of(app, row["claim"])
        finds: Finds = "copy" if isinstance(row.get("copy"), NamedNode) else "code"
        if unit.partition("/")[0] in _UNITS:
            yield Named(unit, claim.partition("/")[2], text_of(row["words"]), finds)


def _scans(app: App) -> Iterator[Scan]:
    files: dict[str, dict[str, None]] = defaultdict(dict)
    told: dict[str, tuple[str, str]] = {}
    for row in _rows(app, "scans"):
        key = path_of(app, row["record"]).partition("/")[2]
        files[key][text_of(row["file"])] = None
        told.setdefault(key, (text_of(row.get("folder")), text_of(row["title"])))
    for key in sorted(files):
        folder, title = told[key]
        yield Scan(key, tuple(files[key]), folder, title)


def _rows(app: App, name: str) -> list[Row]:
    graphs = [app.base.public, app.base.internal]
    return app.ledger.store.select(queries.text(f"describing/{name}"), {}, graphs)
