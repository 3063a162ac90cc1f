"""Writes every public record as a file of its own, as Metis takes them: a folder or one zip."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from rdfkms.errors import Conflict
from rdfkms.ledger.disk import guard
from rdfkms.publish.edm import building, checks, reading, tiers, xml
from rdfkms.publish.edm.building import Publisher
from rdfkms.publish.edm.official import Validator
from rdfkms.publish.edm.values import Finding
from rdfkms.publish.views import Scope, text_of

_AT_ONCE = 100
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same records give the same zip
Write = Callable[[str, bytes], None]
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Report:
    """What was exported: how many, in which tier, and what the others lack by key of record."""

    records: int = 0
    written: int = 0
    tiers: Counter[str] = field(default_factory=Counter)
    lacking: dict[str, tuple[Finding, ...]] = field(default_factory=dict)


def keys(scope: Scope) -> list[str]:
    """Return the keys of the records that the reader sees, sorted."""
    split = (scope.base.split(text_of(row["record"])) for row in scope.select("publishing/all"))
    return sorted(found[1] for found in split if found is not None)


def export(
    scope: Scope,
    by: Publisher,
    target: Path | None,
    validator: Validator | None = None,
    progress: Progress | None = None,
) -> Report:
    """Write the sound records to a new folder or ``.zip``; without a target check them only.

    A record that lacks something is reported and not written. Raises `Conflict` where the target
    is there already, `Broken` when the disk fails.
    """
    report, wanted = Report(), keys(scope)
    with _target(target) as write:
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            for key, data, tier, findings in _records(scope, by, some, validator):
                report.records += 1
                if findings:
                    report.lacking[key] = findings
                    continue
                report.tiers[tier] += 1
                report.written += 1
                write(f"{quote(key, safe='')}.xml", data)
            if progress is not None:
                progress(min(start + _AT_ONCE, len(wanted)), len(wanted))
    return report


def _records(
    scope: Scope, by: Publisher, some: Sequence[str], validator: Validator | None
) -> Iterator[tuple[str, bytes, str, tuple[Finding, ...]]]:
    for key, described in reading.read(scope, some).items():
        if not building.is_object(described):
            continue
        record = building.build(described, by)
        findings = checks.check(xml.element(record))
        data = xml.document(record)
        if not findings and validator is not None:
            findings = validator.check(data)
        yield key, data, tiers.tier(record), findings


def _target(target: Path | None) -> AbstractContextManager[Write]:
    if target is None:
        return _nowhere()
    if target.exists() and (target.is_file() or any(target.iterdir())):
        raise Conflict(f"{target} is there already.", hint="Name a new folder or zip file.")
    return _zip(target) if target.suffix.lower() == ".zip" else _folder(target)


@contextmanager
def _nowhere() -> Iterator[Write]:
    yield lambda name, data: None


@contextmanager
def _folder(target: Path) -> Iterator[Write]:
    with guard(target, "writing the export"):
        target.mkdir(parents=True, exist_ok=True)

    def write(name: str, data: bytes) -> None:
        with guard(target, "writing the export"):
            (target / name).write_bytes(data)

    yield write


@contextmanager
def _zip(target: Path) -> Iterator[Write]:
    """Write to a draft beside the target, which appears when all is written."""
    draft = target.with_name(target.name + ".part")
    try:
        with (
            guard(target, "writing the export"),
            zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as out,
        ):

            def write(name: str, data: bytes) -> None:
                entry = zipfile.ZipInfo(name, _EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                out.writestr(entry, data)

            yield write
        draft.rename(target)
    finally:
        draft.unlink(missing_ok=True)
