"""Claims that come in as RDF: held against their shape, then judged by the gate as all are."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import rdfkms
from rdfkms.access import at_least
from rdfkms.admission.doubt import STATED_BY_EXPERT, noted
from rdfkms.admission.incoming import demand_shape
from rdfkms.admission.screening import screen
from rdfkms.app.composition import App
from rdfkms.errors import BadInput, NotFound
from rdfkms.ingest import profiles
from rdfkms.knowledge import decoding, incoming
from rdfkms.knowledge.incoming import Incoming
from rdfkms.ledger.work import CandidateRow
from rdfkms.model import EvidenceUnit, Principal, Record, Role, Run, TextVersion
from rdfkms.pipeline.line import Line
from rdfkms.pipeline.proposing import Screened
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
    run = _run(app, principal, hashlib.sha256(data.encode()).hexdigest())
    waits = not at_least(principal, Role.REVIEWER) or app.settings.gate.four_eyes
    line = Line(app.ledger, app.work, app.mapping, principal, run)
    app.work.begin_run(run)
    judged: list[str] = []
    for number, ((_, page), (record, units)) in enumerate(sorted(pages.items()), 1):
        made = _screened(app, record, units, given, f"person:{principal.id}", page, waits=waits)
        judged += [candidate.key for candidate, _ in made[1]]
        batch = key_of("rdf", run.key, page)
        line.publish_units(record, _ordered(units), *made, batch)
        report("pages", number, len(pages))
    app.changed()
    told = {
        "run": run.key,
        "revision": app.ledger.revision,
        "claims": len(given),
        "proposals": [
            _said(row, run.key)
            for key in dict.fromkeys(judged)
            for row in app.work.candidates(key=key)
        ],
    }
    app.work.end_run(run.key, "done", json.dumps({"ok": True, "claims": len(given)}))
    return told


def _run(app: App, principal: Principal, digest: str) -> Run:
    """Return the run; its key is public, so that it must not tell who proposed."""
    version = rdfkms.__version__
    parts = ("run", "rdf", version, principal.id, digest, app.ledger.revision)
    key = app.archive.persons_key(*parts)
    return Run(key, "rdf", "rdfkms", version, "", version)


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


def _ordered(units: dict[str, EvidenceUnit]) -> list[EvidenceUnit]:
    return sorted(units.values(), key=lambda unit: unit.ordinal)


def _screened(
    app: App,
    record: Record,
    units: dict[str, EvidenceUnit],
    given: Sequence[Incoming],
    proposer: str,
    page: str,
    *,
    waits: bool,
) -> tuple[Sequence[TextVersion], list[Screened]]:
    """Return the readings of the page and the screened candidates about its units.

    Those of a contributor wait for a reviewer, as a statement of an expert does (DESIGN 4).
    """
    versions = decoding.versions_of_page(app.ledger.store, app.base, page, app.archive.read)
    least = profiles.load(record.profile).low_confidence
    screened = []
    for key, unit in units.items():
        about = [one for one in given if one.unit == key]
        for made in incoming.candidates(about, unit, app.mapping, proposer):
            candidate, refused = screen(made, unit, app.mapping)
            if refused is None:
                candidate = noted(candidate, unit, versions, least)
                if waits:
                    note = f"{candidate.note} {STATED_BY_EXPERT}".strip()
                    candidate = replace(candidate, note=note)
            screened.append((candidate, refused))
    return versions, screened


def _said(row: CandidateRow, run: str) -> dict[str, Any]:
    """Return what the gate said of a candidate, in this run or, where it is known, before."""
    one = row.candidate
    return {
        "claim": row.claim or "",
        "kind": str(one.kind),
        "name": one.name,
        "quote": one.quote,
        "decision": str(row.verdict.decision),
        "known": row.run != run,
        "reasons": [asdict(reason) for reason in row.verdict.reasons],
    }
