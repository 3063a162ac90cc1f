"""All sample descriptions of others: what goes out and comes in again goes out the same (slow)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rdfkms.app import exporting_eac, exporting_table
from rdfkms.errors import RdfkmsError
from rdfkms.ingest.describing import formats
from tests.tools.described import described

pytestmark = pytest.mark.slow
SMALL = 400_000  # bytes: larger finding aids take minutes


def samples(shared: Path, form: str) -> Iterator[Path]:
    folder = shared / "data" / "archival-samples"
    if not folder.is_dir():
        pytest.skip(f"no {folder}")
    for path in sorted(folder.rglob("*.xml")):
        try:
            if formats.form_of(path).name == form and path.stat().st_size < SMALL:
                yield path
        except RdfkmsError:
            continue


def test_authority_records_are_fixed_points(shared: Path, tmp_path: Path) -> None:
    files, moved = 0, list[str]()
    for number, path in enumerate(samples(shared, formats.EAC.name)):
        if path.parent.name == "_00Error":  # describes nothing, which its name says
            continue
        folder = tmp_path / str(number)
        with described(folder / "A", path) as one:
            first = exporting_eac.eac(one.app, one.record, None)["text"]
        (folder / path.name).write_text(first, encoding="utf-8")
        with described(folder / "B", folder / path.name) as one:
            second = exporting_eac.eac(one.app, one.record, None)["text"]
        files += 1
        moved += [str(path)] * (first != second)
    assert files > 100
    assert moved == []


def test_finding_aids_as_tables_are_fixed_points(shared: Path, tmp_path: Path) -> None:
    files, moved = 0, list[str]()
    for number, path in enumerate(samples(shared, formats.EAD.name)):
        folder = tmp_path / str(number)
        with described(folder / "A", path) as one:
            try:
                told = exporting_table.table(one.app, one.record, "components", None)["text"]
            except RdfkmsError:
                continue  # a header alone
        again = folder / f"{path.stem}.csv"
        again.write_bytes(told.encode())
        with described(folder / "B", again, "components") as one:
            second = exporting_table.table(one.app, one.record, "components", None)["text"]
        files += 1
        moved += [str(path)] * (told != second)
    assert files > 50
    assert moved == []
