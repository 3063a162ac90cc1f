"""Claims that come in as RDF: held against their shape, then judged by the gate as all are."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import rdfkms
from rdfkms.admission.doubt import noted
from rdfkms.admission.incoming import demand_shape
from rdfkms.admission.screening import screen
from rdfkms.app.composition import App
from rdfkms.errors import BadInput, NotFound
from rdfkms.ingest import profiles
from rdfkms.knowledge import decoding, incoming
from rdfkms.knowledge.incoming import Incoming
from rdfkms.ledger.work import CandidateRow
from rdfkms.model import EvidenceUnit, Principal, Record, Run
from rdfkms.pipeline.line import Line
from rdfkms.vocab import key_of

Report = Callable[[str, int, int], None]
Arguments = Mapping[str, Any]
Page = tuple[str, str]  # keys of the record and of the page


def propose(app: App, arguments: Arguments, principal: Principal, report: Report) -> dict[str, Any]:
    """Judge the claims of an RDF document, `data` of the form `media_type`; says what came of each.

    Raises `admission.incoming.Unfit` with the SHACL report, `BadInput` for what is no RDF or cites
    no passage of this archive, `NotFound` for a passage that is not here. Then nothing is written.
    """
    data, media_type = arguments.get("data"), str(arguments.get("media_type") or "")
    if not isinstance(data, str):
        raise BadInput("There is no document: give it as 'data', with its 'media_type'.")
    graph = incoming.read(data.encode(), media_type, app.base.base + "/")
    demand_shape(graph)
    given = incoming.claims(graph, app.base)
    pages = _by_page(app, given)
    digest = key_of("rdf", *sorted(str(triple) for triple in graph.triples))
    run = _run(app, principal, digest, len(given))
    line = Line(app.ledger, app.work, app.mapping, principal, run)
    app.work.begin_run(run)
    for number, ((_, page), (record, units)) in enumerate(sorted(pages.items()), 1):
        _publish(app, line, record, units, given, f"person:{principal.id}", page)
        report("pages", number, len(pages))
    app.changed()
    told = {
        "run": run.key,
        "revision": app.ledger.revision,
        "claims": len(given),
        "proposals": [_said(row) for row in app.work.candidates(run=run.key)],
    }
    app.work.end_run(run.key, "done", json.dumps({"ok": True, "claims": len(given)}))
    return told


def _run(app: App, principal: Principal, digest: str, count: int) -> Run:
    version = rdfkms.__version__
    key = key_of("run", "rdf", version, principal.id, digest, app.ledger.revision)
    return Run(key, "rdf", "rdfkms", version, json.dumps({"claims": count}), version)


def _by_page(app: App, given: list[Incoming]) -> dict[Page, tuple[Record, dict[str, EvidenceUnit]]]:
    """Return the units that are cited, by record and page; raises `NotFound` for one not there."""
    store, base = app.ledger.store, app.base
    records: dict[str, Record] = {}
    units: defaultdict[Page, dict[str, EvidenceUnit]] = defaultdict(dict)
    for key in dict.fromkeys(one.unit for one in given):
        if decoding.is_withdrawn_unit(store, base, key):
            raise NotFound(f"The passage {key} was withdrawn: nothing is proposed about it.")
        unit = decoding.unit(store, base, key)
        if unit.record not in records:
            records[unit.record] = decoding.record(store, base, unit.record)
        units[unit.record, unit.page][key] = unit
    return {page: (records[page[0]], found) for page, found in units.items()}


def _publish(
    app: App,
    line: Line,
    record: Record,
    units: dict[str, EvidenceUnit],
    given: list[Incoming],
    proposer: str,
    page: str,
) -> None:
    versions = decoding.versions_of_page(app.ledger.store, app.base, page, app.archive.read)
    least = profiles.load(record.profile).low_confidence
    screened = []
    for key, unit in units.items():
        about = [one for one in given if one.unit == key]
        for made in incoming.candidates(about, unit, app.mapping, proposer):
            candidate, refused = screen(made, unit, app.mapping)
            if refused is None:
                candidate = noted(candidate, unit, versions, least)
            screened.append((candidate, refused))
    ordered = sorted(units.values(), key=lambda unit: unit.ordinal)
    batch = key_of("rdf", line.main.key, page)
    line.publish_units(record, ordered, versions, screened, batch)


def _said(row: CandidateRow) -> dict[str, Any]:
    one = row.candidate
    return {
        "claim": row.claim or "",
        "kind": str(one.kind),
        "name": one.name,
        "quote": one.quote,
        "decision": str(row.verdict.decision),
        "reasons": [asdict(reason) for reason in row.verdict.reasons],
    }
