"""Operations that build: run, ingest, extract."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode, Quad

import rdfkms
from rdfkms.access import is_open
from rdfkms.app import asking, batching, engines, verifying
from rdfkms.app.composition import App
from rdfkms.errors import BadInput, NotFound, RdfkmsError
from rdfkms.ingest import profiles
from rdfkms.ingest.accession import Accession, Batch, Overrides, discover
from rdfkms.ingest.reading import PageResult, ReadJob
from rdfkms.knowledge import decoding
from rdfkms.ledger import snapshots, usage
from rdfkms.ledger.work import now
from rdfkms.model import Access, EvidenceUnit, Fault, Principal, Record, Run
from rdfkms.pipeline.gone import gone
from rdfkms.pipeline.line import Line
from rdfkms.pipeline.pool import cores, in_order
from rdfkms.pipeline.proposing import Outcome, propose_and_screen
from rdfkms.publish.iiif import tiles
from rdfkms.vocab import KMS, PROV, RICO, TYPE, key_of

Report = Callable[[str, int, int], None]
Arguments = Mapping[str, Any]

PAGES_WORTH_A_PROCESS = 4


def check_profile(name: str) -> None:
    """Raise `Misconfigured` for a profile that does not exist."""
    profiles.load(name)


def run(app: App, arguments: Arguments, principal: Principal, report: Report) -> dict[str, Any]:
    """Ingest files and extract statements; returns the run report."""
    return _read(app, arguments, principal, report, extract=True)


def ingest(app: App, arguments: Arguments, principal: Principal, report: Report) -> dict[str, Any]:
    """Ingest files; returns the run report."""
    return _read(app, arguments, principal, report, extract=False)


def _read(
    app: App, arguments: Arguments, principal: Principal, report: Report, *, extract: bool
) -> dict[str, Any]:
    told = overrides(arguments)
    paths = [Path(path) for path in arguments.get("paths", ())]
    if not paths:
        raise BadInput("There is nothing to read.", hint="Name files or folders.")
    for path in paths:
        if not path.exists():
            raise NotFound(f"There is no {path}.")
    batch = discover(paths, app.settings, told, report)
    jobs = [job for accession in batch.accessions for job in _jobs(accession, app)]
    fresh, closing = _parted(app, [job for job in jobs if not _is_known(app, job)])
    line = _line(app, principal, _run_of(app, batch, told, extract=extract), extract=extract)
    app.work.begin_run(line.main)
    snapshots.make(app.ledger)  # what commands that read see until the run ends
    if batch.faults or closing:
        app.work.add_faults(line.main.key, [*batch.faults, *closing])
    tool = engines.ToolMaker(app.settings, extract)
    processes = _processes(int(arguments.get("jobs") or 0), len(fresh))
    read = in_order(engines.read_page, fresh, tool, processes)
    for number, (job, outcome) in enumerate(read, 1):
        kept = _kept(app, job, outcome)
        line.publish(job.record, kept, key_of("batch", line.main.key, job.page_key))
        if kept.page.page is not None and kept.page.page.picture is not None:
            tiles.ensure(app.archive, kept.page.page.picture)
        report("pages", number, len(fresh))
    if fresh:
        app.indexes.update(app.ledger, progress=lambda done, all_: report("index", done, all_))
    known = len({j.source.sha256 for j in jobs}) - len({j.source.sha256 for j in fresh})
    files = {
        "new": len({job.source.sha256 for job in fresh}),
        "known": known,
        "ignored": batch.ignored,
    }
    return _finish(app, line, files)


def _processes(wanted: int, pages: int) -> int:
    """Return how many processes read: each takes seconds to load its engines and patterns."""
    return min(wanted or min(cores(), -(-pages // PAGES_WORTH_A_PROCESS)), max(pages, 1))


def _kept(app: App, job: ReadJob, outcome: Outcome) -> Outcome:
    """Keep the file of a page that was read; one that has changed meanwhile gives no page."""
    if outcome.page.page is None:
        return outcome
    with app.ledger.frozen():  # an erasure comes before, and is heeded, or after, and takes it
        if _gone(app, job) is not None:
            return outcome  # `Line` refuses it, and says why
        if job.path.is_file() and app.archive.keep(job.path) == job.source.sha256:
            return outcome
    reason = "The file was changed or removed while it was read."
    fault = Fault(job.source.name, f"page {job.number}", reason, "Run the same command again.")
    return replace(outcome, page=PageResult(None, faults=(fault,)), screened=())


def overrides(arguments: Arguments) -> Overrides:
    """Return what a command says about all its files; raises `BadInput` for half an embargo."""
    condition, until = str(arguments.get("access") or ""), str(arguments.get("until") or "")
    if (condition == "embargo") is (not until):
        raise BadInput("An embargo needs --until, and nothing else has one.")
    access = Access(condition, date.fromisoformat(until) if until else None)
    return Overrides(
        str(arguments.get("profile") or ""),
        str(arguments.get("language") or ""),
        access if condition else None,
    )


def _jobs(accession: Accession, app: App) -> Iterator[ReadJob]:
    """Yield the pages of a record; a page is called what its file is, else it is counted.

    So the second page stays the second where the first cannot be read: it is what people cite.
    """
    counted = 0
    for source in accession.sources:
        for number in range(1, source.pages + 1):
            counted += 1
            yield ReadJob(
                accession.record,
                source.path,
                source.file,
                number,
                source.label or str(counted),
                app.settings.reading,
            )


def _is_known(app: App, job: ReadJob) -> bool:
    """A page is committed with all that was found on it: what is there needs no second look."""
    iri = app.base.iri("inst", job.page_key)
    quads = (
        Quad(iri, TYPE, RICO("Instantiation"), g) for g in (app.base.public, app.base.internal)
    )
    return any(app.ledger.store.contains(quad) for quad in quads)


def _parted(app: App, jobs: Sequence[ReadJob]) -> tuple[list[ReadJob], list[Fault]]:
    """Return the pages to read, and faults for those that would open what should be closed.

    What was withdrawn or erased is not read again either.

    A page shares the condition that its record has in the archive, which `rdfkms access` alone
    changes: where the files say "closed" of a record that is open, nobody decided it yet.
    """
    read: list[ReadJob] = []
    faults: list[Fault] = []
    for job in jobs:
        refused = _gone(app, job)
        if refused is not None:
            faults.append(refused)
            continue
        if is_open(job.record.access) or not _is_public(app, job.record):
            read.append(job)
            continue
        wanted = job.record.access.condition
        reason = f"Its record is open in the archive, and {wanted} by what was said now."
        hint = f"Close it first: rdfkms access {job.record.key} {wanted}; then run again."
        faults.append(Fault(str(job.path), f"page {job.label}", reason, hint))
    return read, faults


def _gone(app: App, job: ReadJob) -> Fault | None:
    """Say why a page of a source that was withdrawn or erased is not read, or None."""
    return gone(
        app.ledger.store, app.base, str(job.path), f"page {job.label}",
        record=job.record.key, page=job.page_key, file=job.source.sha256,
    )  # fmt: skip


def _is_public(app: App, record: Record) -> bool:
    iri = app.base.iri("record", record.key)
    return next(iter(app.ledger.store.match(iri, TYPE, None, app.base.public)), None) is not None


def _run_of(app: App, batch: Batch, told: Overrides, *, extract: bool) -> Run:
    """The run's key is a hash of inputs and settings: a resumed run keeps it (law 10)."""
    settings = app.settings.model_dump_json()
    inputs = sorted(
        f"{file.sha256} {a.record.profile}" for a in batch.accessions for file in a.record.files
    )
    kind = "run" if extract else "ingest"
    key = key_of(kind, rdfkms.__version__, settings, repr(told), *inputs)
    parameters = json.dumps({"ocr": app.settings.reading.ocr, "files": len(inputs)})
    return Run(key, kind, "rdfkms", rdfkms.__version__, parameters, rdfkms.__version__)


def _line(app: App, principal: Principal, main: Run, *, extract: bool) -> Line:
    if not extract:
        return Line(app.ledger, app.work, app.mapping, principal, main)
    late = asking.of_settings(
        app.settings, app.work, app.mapping, main.key, lambda: app.indexes.embedder
    )
    budget = late.budget if late is not None else None
    verifiers = verifying.verifiers(app.settings, app.work, app.mapping, main.key, budget)
    return Line(app.ledger, app.work, app.mapping, principal, main, late, verifiers)


# ---- extraction alone --------------------------------------------------------------------------


def extract(app: App, arguments: Arguments, principal: Principal, report: Report) -> dict[str, Any]:
    """Propose and judge on units that are in the archive; returns the run report."""
    keys = [str(record).rpartition("/")[2] for record in arguments.get("records", ())]
    records = [
        decoding.record(app.ledger.store, app.base, key) for key in keys or app.record_keys()
    ]
    offline = bool(arguments.get("offline_batch"))
    words = ("offline batch",) if offline else ()
    main = Run(
        key_of("extract", rdfkms.__version__, app.settings.model_dump_json(), *words, *keys),
        "extract",
        "rdfkms",
        rdfkms.__version__,
        "",
        rdfkms.__version__,
    )
    app.work.begin_run(main)
    line = _line(app, principal, main, extract=not offline)
    if offline:
        line.late = batching.ask_ahead(
            app.settings, app.work, app.mapping, main.key, lambda: all_units(app, records),
            app.archive.root / "batches" / main.key,
        )  # fmt: skip
    for number, record in enumerate(records, 1):
        for page, units in _by_page(app, record):
            try:
                versions = decoding.versions_of_page(
                    app.ledger.store, app.base, page, app.archive.read
                )
            except RdfkmsError as err:  # a damaged file of one page does not stop the others
                app.work.add_faults(main.key, [_unread(record, page, err)])
                continue
            screened, seconds = propose_and_screen(
                units, versions, engines.deterministic, record, app.mapping
            )
            for stage, spent in seconds.items():
                line.seconds[stage] = line.seconds.get(stage, 0.0) + spent
            batch = key_of("extract", main.key, page, app.ledger.revision)
            line.publish_units(record, units, versions, screened, batch)
        report("records", number, len(records))
    app.indexes.update(app.ledger)
    return _finish(app, line, {"new": 0, "known": 0, "ignored": 0})


def all_units(app: App, records: Sequence[Record]) -> list[tuple[Record, EvidenceUnit]]:
    """Return the units of records, each with its record, page after page."""
    return [(r, unit) for r in records for _, units in _by_page(app, r) for unit in units]


def _unread(record: Record, page: str, err: RdfkmsError) -> Fault:
    hint = err.hint or "Run `rdfkms check`, then restore files/ from a backup."
    return Fault(record.title, f"page {page}", err.message, hint)


def _by_page(app: App, record: Record) -> list[tuple[str, Sequence[EvidenceUnit]]]:
    units = decoding.units_of_record(app.ledger.store, app.base, record.key)
    pages: dict[str, list[EvidenceUnit]] = {}
    for unit in units:
        if not decoding.is_withdrawn_unit(app.ledger.store, app.base, unit.key):
            pages.setdefault(unit.page, []).append(unit)
    return [(page, sorted(found, key=lambda u: u.ordinal)) for page, found in pages.items()]


# ---- the report --------------------------------------------------------------------------------


def _finish(app: App, line: Line, files: dict[str, int]) -> dict[str, Any]:
    """Close the run and return its report; counts are those of all its batches, resumed or not."""
    faults: list[Fault] = app.work.faults(line.main.key)
    verdicts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for row in app.work.candidates(run=line.main.key):
        verdicts[str(row.verdict.decision)] += 1
        reasons.update({reason.code for reason in row.verdict.reasons})
    report = {
        "ok": True,
        "run": line.main.key,
        "revision": app.ledger.revision,
        "files": {**files, "failed": len({fault.source for fault in faults})},
        "units": _units_of_run(app, line.main.key),
        "candidates": sum(verdicts.values()),
        "verdicts": {
            name: verdicts[name] for name in ("admitted", "quarantined", "rejected", "pending")
        },
        "reasons": dict(sorted(reasons.items())),
        "merge_proposals": len(app.work.merges()),
        "faults": [asdict(fault) for fault in faults],
        "usage": usage.report(app.work, line.main.key),
        "seconds": {stage: round(spent, 3) for stage, spent in sorted(line.seconds.items())},
        "ended": now(),
    }
    app.work.end_run(line.main.key, "done", json.dumps(report))
    return report


def _units_of_run(app: App, run: str) -> int:
    """Count the passages that were cut on transcriptions of this run."""
    store, base = app.ledger.store, app.base
    units = set()
    for graph in (base.public, base.internal):
        for made in store.match(None, PROV("wasGeneratedBy"), base.iri("run", run), graph):
            if isinstance(made.subject, NamedNode):
                for text in store.match(None, KMS("inVersion"), made.subject, graph):
                    if isinstance(text.subject, NamedNode):
                        units |= {
                            q.object for q in store.match(text.subject, KMS("ofUnit"), None, graph)
                        }
    return len(units)
