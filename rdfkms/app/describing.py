"""Takes in finding aids, authority records and tables of descriptions: `rdfkms describe`."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import rdfkms
from rdfkms.app import building, description_changes
from rdfkms.app.composition import App
from rdfkms.app.description_changes import Difference
from rdfkms.app.description_records import Target, has_page, kept, refs, retitle, target_of
from rdfkms.errors import BadInput, NotFound, RdfkmsError
from rdfkms.ingest import profiles
from rdfkms.ingest.describing import formats, table
from rdfkms.ingest.describing.formats import Form
from rdfkms.ingest.describing.passages import sections
from rdfkms.knowledge.declaring import RefOf
from rdfkms.ledger import snapshots
from rdfkms.ledger.work import now
from rdfkms.model import Access, Fault, Principal, Record, Run, SourceFile, Stretch
from rdfkms.pipeline.describing import DescribingLine
from rdfkms.vocab import key_of

Report = Callable[[str, int, int], None]
Arguments = Mapping[str, Any]
PROFILE = "description"
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
    access = building.overrides({**arguments, "profile": ""}).access
    digests = [_digest(path) for path in paths]
    main = _run(digests, profile.name, access or Access(), columns)
    line = DescribingLine(
        app.ledger, app.work, app.mapping, principal, main, trusted=profile.trusts_descriptions
    )
    reading = _Reading(
        app, line, profile.name, access, columns,
        update=bool(arguments.get("update")), dry_run=bool(arguments.get("dry_run")),
    )  # fmt: skip
    if reading.dry_run:
        return _told(reading, reading.read(paths, digests, report))
    app.work.begin_run(main)
    snapshots.make(app.ledger)
    reading.read(paths, digests, report)
    app.indexes.update(app.ledger, progress=lambda done, all_: report("index", done, all_))
    result = _told(reading, app.work.faults(main.key))
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


def _demand_writable(path: Path) -> None:
    """Raise `BadInput` for a name that no text may hold."""
    try:
        path.name.encode()
    except UnicodeEncodeError as err:
        raise BadInput(
            f"{path.name!r}: the name of the file is not in UTF-8.", hint="Rename the file."
        ) from err


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


@dataclass
class _Reading:
    """One run over description files: how they are read, and what came of it."""

    app: App
    line: DescribingLine
    profile: str
    access: Access | None
    columns: table.Columns | None
    update: bool
    dry_run: bool
    files: Counter[str] = field(default_factory=Counter)
    unmapped: Counter[str] = field(default_factory=Counter)
    differences: list[dict[str, Any]] = field(default_factory=list)
    _of_record: dict[str, SourceFile] = field(default_factory=dict)  # in this run

    def read(self, paths: Sequence[Path], digests: Sequence[str], report: Report) -> list[Fault]:
        """Read the files one by one; returns what is to be said of them."""
        faults: list[Fault] = []
        for number, (path, digest) in enumerate(zip(paths, digests, strict=True), 1):
            notes: list[Fault] = []
            try:
                self.files[self._file(path, digest, notes)] += 1
            except RdfkmsError as err:
                shown = str(path).encode(errors="replace").decode()
                notes.append(Fault(shown, "the file", err.message, err.hint))
                self.files["refused"] += 1
            faults += notes
            if notes and not self.dry_run:
                self.app.work.add_faults(self.line.main.key, notes)
            report("files", number, len(paths))
        return faults

    def _file(self, path: Path, digest: str, notes: list[Fault]) -> str:
        """Take in one file; returns whether it was new, known, updated, or changed and waits."""
        _demand_writable(path)
        form = formats.table_by(self.columns) if self.columns else formats.form_of(path)
        head = list(itertools.islice(form.read(path, []), _LOOK_AHEAD))
        if not head:
            raise BadInput(f"{path.name} describes nothing.", hint="Is it the right file?")
        source = SourceFile(digest, path.name, form.media_type, path.stat().st_size)
        target = target_of(self.app, head, source, form, self.profile, self.access)
        self._demand_one(target, source)
        ref_of = refs(self.app, target.record)
        found = self._difference(path, form, source, target, ref_of)
        is_changed = found is not None and not target.is_new
        if digest in target.versions:  # the same bytes may change what is here all the same: an
            # older version that comes back, an update that was broken off, other columns
            others = target.has_others(digest) or self.columns is not None
            is_changed = is_changed and others and self._has_work(found, target)
        if self.dry_run or (is_changed and not self.update):
            list(self._counted(form.read(path, notes)))
            return "changed" if is_changed else "new" if target.is_new else "known"
        fresh = self._publish(path, form, source, target.record, ref_of, notes, anew=is_changed)
        if found is not None and is_changed:
            notes += description_changes.take_back(self.app, source, found, self.line.principal)
            retitle(self.app, target, self.line.principal)
        return "updated" if is_changed else "new" if fresh else "known"

    def _has_work(self, found: Difference | None, target: Target) -> bool:
        """Whether an update would change anything: not where all that goes has to stay."""
        if found is None:
            return False
        if found.added or target.title != target.record.title:
            return True
        return bool(description_changes.removable(self.app, found)[0].withdrawn)

    def _demand_one(self, target: Target, source: SourceFile) -> None:
        """Raise `BadInput` for two files of one run that would be versions of one record."""
        other = self._of_record.setdefault(target.record.key, source)
        if other.sha256 != source.sha256:
            raise BadInput(
                f"{source.name} says that it is the same description as {other.name}.",
                hint="If it is a newer version, describe it alone, with --update; if not, give "
                "the two identifiers of their own (eadid, recordid) or other names.",
            )

    def _difference(
        self, path: Path, form: Form, source: SourceFile, target: Target, ref_of: RefOf
    ) -> Difference | None:
        """Return what the file would change, where the archive may have it otherwise."""
        anew = self.columns is not None and self.update and not target.is_new
        if not (self.dry_run or anew or target.has_others(source.sha256)):
            return None
        again = sections(form.read(path, []), source, target.record.key, target.record.language)
        found = description_changes.difference(self.app, target.record, again, ref_of)
        told = {"file": str(path), "record": target.record.key, **found.told()}
        if found or self.dry_run or source.sha256 not in target.versions:
            self.differences.append(told)
        return found

    def _publish(
        self,
        path: Path,
        form: Form,
        source: SourceFile,
        record: Record,
        ref_of: RefOf,
        notes: list[Fault],
        *,
        anew: bool,
    ) -> int:
        """Commit the sections of a file that are not here, `anew` all; returns how many."""
        fresh = 0
        by = f"{form.name}@{form.version}"
        with kept(self.app, path, source, record) as copy:
            stretches = self._counted(form.read(copy, notes))
            for section in sections(stretches, source, record.key, record.language):
                if anew or not has_page(self.app, section.page.key):
                    batch = key_of("batch", self.line.main.key, section.page.key)
                    self.line.publish_section(record, section, ref_of, by, batch)
                    fresh += 1
        return fresh

    def _counted(self, stretches: Iterator[Stretch]) -> Iterator[Stretch]:
        for stretch in stretches:
            self.unmapped.update(left.element for left in stretch.unmapped)
            yield stretch


def _told(reading: _Reading, faults: Sequence[Fault]) -> dict[str, Any]:
    """Return the report; its counts are those of all batches of the run, resumed or not."""
    app, line = reading.app, reading.line
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
        "files": {name: reading.files[name] for name in _STATES},
        "candidates": sum(verdicts.values()),
        "verdicts": {
            name: verdicts[name] for name in ("admitted", "quarantined", "rejected", "pending")
        },
        "statements": dict(sorted(statements.items())),
        "reasons": dict(sorted(reasons.items())),
        "differences": reading.differences,
        "unmapped": dict(sorted(reading.unmapped.items())),
        "faults": [asdict(fault) for fault in faults],
        "seconds": {stage: round(spent, 3) for stage, spent in sorted(line.seconds.items())},
        "ended": now(),
    }
