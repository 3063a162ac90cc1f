"""Takes in finding aids and authority records: `rdfkms describe` (EAD, EAC-CPF)."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pyoxigraph import Quad

import rdfkms
from rdfkms.app import building, description_changes
from rdfkms.app.composition import App
from rdfkms.errors import BadInput, NotFound, RdfkmsError
from rdfkms.ingest import profiles
from rdfkms.ingest.describing import formats, table
from rdfkms.ingest.describing.passages import Section, sections
from rdfkms.knowledge import declaring
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.ledger import snapshots
from rdfkms.ledger.work import now
from rdfkms.model import (
    DESCRIBING_FILE,
    Access,
    Fault,
    Modality,
    Principal,
    Record,
    Ref,
    Run,
    SourceFile,
    Stretch,
    Thing,
    Value,
)
from rdfkms.pipeline.describing import DescribingLine
from rdfkms.vocab import RICO, TYPE, key_of

Report = Callable[[str, int, int], None]
Arguments = Mapping[str, Any]
PROFILE = "description"
_AGENTS = ("Person", "OrganizationState", "Family", "Agent")
_STATES = ("new", "known", "changed", "updated", "refused")
_LOOK_AHEAD = 20  # stretches: the head of a file says what it is called


def describe(
    app: App, arguments: Arguments, principal: Principal, report: Report
) -> dict[str, Any]:
    """Read description files into the archive; returns the run report.

    Each statement of a file becomes a claim that quotes its element. A file that is no well-formed
    description is refused with its place and the others go on. A changed version of a file that is
    here is compared, and taken in only with `update`; with `dry_run` nothing is written at all.
    What has no place in the mapping is listed under "unmapped", by element.
    """
    columns = table.load(arguments["columns"]) if arguments.get("columns") else None
    endings = formats.TABLE_ENDINGS if columns else formats.ENDINGS
    paths = list(_files([Path(path) for path in arguments.get("paths", ())], endings))
    if not paths:
        raise BadInput(
            "There is nothing to read.",
            hint="Name finding aids, authority records or tables, or folders.",
        )
    profile = profiles.load(str(arguments.get("profile") or PROFILE))
    access = building.overrides({**arguments, "profile": ""}).access or Access()
    digests = [_digest(path) for path in paths]
    main = _run(digests, profile.name, access, columns)
    line = DescribingLine(
        app.ledger, app.work, app.mapping, principal, main, trusted=profile.trusts_descriptions
    )
    dry_run = bool(arguments.get("dry_run"))
    if not dry_run:
        app.work.begin_run(main)
        snapshots.make(app.ledger)
    unmapped: Counter[str] = Counter()
    files: Counter[str] = Counter()
    differences: list[dict[str, Any]] = []
    faults: list[Fault] = []
    for number, (path, digest) in enumerate(zip(paths, digests, strict=True), 1):
        notes: list[Fault] = []
        try:
            told = (profile.name, access)
            state = _describe_file(
                app, line, path, digest, told, notes, unmapped, differences,
                update=bool(arguments.get("update")), dry_run=dry_run,
                columns=columns,
            )  # fmt: skip
            files[state] += 1
        except RdfkmsError as err:
            notes.append(Fault(str(path), "the file", err.message, err.hint))
            files["refused"] += 1
        faults += notes
        if notes and not dry_run:
            app.work.add_faults(main.key, notes)
        report("files", number, len(paths))
    if dry_run:
        return _told(app, line, files, unmapped, differences, faults)
    app.indexes.update(app.ledger, progress=lambda done, all_: report("index", done, all_))
    result = _told(app, line, files, unmapped, differences, app.work.faults(main.key))
    app.work.end_run(main.key, "done", json.dumps(result))
    return result


def preview(arguments: Arguments) -> dict[str, Any]:
    """Return what the first rows of tables would say by their columns; writes nothing.

    Raises `Misconfigured` for the columns and `BadInput` for a file that is no such table.
    """
    columns = table.load(arguments["columns"])
    paths = _files([Path(path) for path in arguments["paths"]], formats.TABLE_ENDINGS)
    files = [asdict(table.preview(path, columns)) for path in paths]
    if not files:
        raise BadInput("There is nothing to read.", hint="Name tables (CSV), or folders of them.")
    return {"ok": True, "columns": columns.name, "files": files}


def _files(paths: list[Path], endings: tuple[str, ...]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(
                p for p in path.rglob("*") if p.suffix.lower() in endings and p.is_file()
            )
        elif path.is_file():
            yield path
        else:
            raise NotFound(f"There is no {path}.")


def _digest(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _run(
    digests: list[str], profile: str, access: Access, columns: table.Columns | None
) -> Run:  # fmt: skip
    version = rdfkms.__version__
    by = (columns.digest,) if columns else ()
    key = key_of("describe", version, profile, repr(access), *by, *sorted(digests))
    told = {"columns": columns.name} if columns else {}
    parameters = json.dumps({"files": len(digests), "profile": profile, **told})
    return Run(key, "describe", "rdfkms", version, parameters, version)


def _describe_file(
    app: App,
    line: DescribingLine,
    path: Path,
    digest: str,
    told: tuple[str, Access],
    notes: list[Fault],
    unmapped: Counter[str],
    differences: list[dict[str, Any]],
    *,
    update: bool,
    dry_run: bool,
    columns: table.Columns | None,
) -> str:
    """Take in one file; returns whether it was new, known, or is changed and waits for `update`.

    An update reads a table anew even where the file is the same: its columns may be others.
    """
    form = formats.table_by(columns) if columns else formats.form_of(path)
    stretches = iter(form.read(path, notes))
    head = list(itertools.islice(stretches, _LOOK_AHEAD))
    if not head:
        raise BadInput(f"{path.name} describes nothing.", hint="Is it the right file?")
    source = SourceFile(digest, path.name, form.media_type, path.stat().st_size)
    record = _record(head, source, form, *told)
    ref_of = _refs(app, record)
    changed = description_changes.is_changed(app, record, source)
    anew = columns is not None and update and not changed
    found = None
    if changed or dry_run or anew:
        again = sections(form.read(path, []), source, record.key, record.language)
        found = description_changes.difference(app, record, again, ref_of)
        differences.append({"file": str(path), "record": record.key, **found.told()})
        if dry_run or not update:
            return "changed" if changed else "known" if not found.added else "new"
        if anew and not found.added and not found.gone:
            return "known"
    app.archive.keep(path)
    fresh = 0
    all_ = _counted(itertools.chain(head, stretches), unmapped)
    for section in sections(all_, source, record.key, record.language):
        if anew or not _is_known(app, section):
            batch = key_of("batch", line.main.key, section.page.key)
            line.publish_section(record, section, ref_of, f"{form.name}@{form.version}", batch)
            fresh += 1
    if found is not None:
        notes += description_changes.take_back(app, source, found, line.principal)
    return "updated" if changed or (anew and found and found.kept) else "new" if fresh else "known"


def _counted(stretches: Iterator[Stretch], unmapped: Counter[str]) -> Iterator[Stretch]:
    for stretch in stretches:
        unmapped.update(left.element for left in stretch.unmapped)
        yield stretch


def _record(
    head: list[Stretch], source: SourceFile, form: formats.Form, profile: str, access: Access
) -> Record:
    """Return the record that the file becomes: by its own identifier, so that it stays the same.

    RDF has none, and may begin with any subject: such a file goes by its name.
    """
    about = next((s.about for s in head if s.about.identity != DESCRIBING_FILE), None)
    identity = about.identity if about is not None else (source.name,)
    if form.name == formats.RICO.name:
        identity = (form.name, source.name)
    elif identity[0] == table.KIND:
        identity = identity[:2]  # a table is none of its rows: they come and go
    titles = (
        said.value
        for stretch in head
        for said in stretch.statements
        if said.name == NAMED_AS and said.subject.identity == DESCRIBING_FILE and said.value
    )
    title = next(titles, Value(source.name))
    tongue = title.language or next((s.language for s in head if s.language), "und")
    return Record(
        key=key_of("record", "description", *identity),
        title=title.lexical,
        profile=profile,
        language=tongue,
        access=access,
        modality=Modality.DESCRIPTION,
        files=(source,),
        pages=(),
    )


def _refs(app: App, record: Record) -> Callable[[Thing], Ref]:
    """Return what gives each thing of a file its place in the archive.

    An agent whose kind the file does not say is the one of that identifier which the archive has.
    """
    kinds = {name: app.mapping.entity(name).kind for name in app.mapping.entities}
    known: dict[tuple[str, tuple[str, ...]], Ref] = {}

    def ref_of(thing: Thing) -> Ref:
        if thing.identity == DESCRIBING_FILE:
            return Ref(declaring.FILE_KIND, record.key)
        found = known.get((thing.type, thing.identity))
        if found is None:
            key = declaring.thing_key(thing)
            kind = kinds[thing.type]
            if thing.type == "Agent":
                others = (kinds[name] for name in _AGENTS)
                kind = next((k for k in others if _is_there(app, Ref(k, key))), kind)
            found = known[thing.type, thing.identity] = Ref(kind, key)
        return found

    return ref_of


def _is_there(app: App, ref: Ref) -> bool:
    iri = app.base.iri(ref.kind, ref.key)
    graphs = (app.base.public, app.base.internal)
    return any(next(iter(app.ledger.store.match(iri, TYPE, None, g)), None) for g in graphs)


def _is_known(app: App, section: Section) -> bool:
    iri = app.base.iri("inst", section.page.key)
    quads = (
        Quad(iri, TYPE, RICO("Instantiation"), g) for g in (app.base.public, app.base.internal)
    )
    return any(app.ledger.store.contains(quad) for quad in quads)


def _told(
    app: App,
    line: DescribingLine,
    files: Counter[str],
    unmapped: Counter[str],
    differences: list[dict[str, Any]],
    faults: Sequence[Fault],
) -> dict[str, Any]:
    """Return the report; its counts are those of all batches of the run, resumed or not."""
    verdicts: Counter[str] = Counter()
    statements: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for row in app.work.candidates(run=line.main.key):
        verdicts[str(row.verdict.decision)] += 1
        statements[row.candidate.name] += 1
        reasons.update({one.code for one in row.verdict.reasons})
    return {
        "ok": True,
        "run": line.main.key,
        "revision": app.ledger.revision,
        "files": {name: files[name] for name in _STATES},
        "candidates": sum(verdicts.values()),
        "verdicts": {
            name: verdicts[name] for name in ("admitted", "quarantined", "rejected", "pending")
        },
        "statements": dict(sorted(statements.items())),
        "reasons": dict(sorted(reasons.items())),
        "differences": differences,
        "unmapped": dict(sorted(unmapped.items())),
        "faults": [asdict(fault) for fault in faults],
        "seconds": {stage: round(spent, 3) for stage, spent in sorted(line.seconds.items())},
        "ended": now(),
    }
