"""A record that holds personal data comes in closed and is opened by no slip of the hand."""

from __future__ import annotations

from pathlib import Path

from rdfkms.app import composition
from rdfkms.knowledge import decoding
from rdfkms.vocab import RICO
from tests.tools.small_run import command, result

USE = "http://rightsstatements.org/vocab/InC/1.0/"
RULES = f"""
[[records]]
match = "*.md"
access = "embargo"
until = 2090-01-01
personal_data = true
use = "{USE}"
"""


def test_personal_data_is_opened_on_purpose_alone(tmp_path: Path) -> None:
    folder, archive = tmp_path / "in", tmp_path / "A"
    folder.mkdir()
    (folder / "records.toml").write_text(RULES)
    (folder / "one.md").write_text("# Registro\n\nAna Ruiz Gil, de treinta años.\n")
    command("run", folder, "--archive", archive)
    (row,) = result("source", "list", "--archive", archive)["records"]
    assert row["access"] == "embargo"
    record = row["record"]
    refused = command("access", record, "open", "--archive", archive, check=False)
    assert refused.returncode == 6
    assert "personal data" in refused.stderr and "--cleared" in refused.stderr
    command("access", record, "closed", "--archive", archive)
    command("access", record, "open", "--cleared", "--archive", archive)
    with composition.reading(archive) as app:
        store, base = app.ledger.store, app.base
        found = decoding.record(store, base, record)
        assert (found.use, found.personal_data, found.access.condition) == (USE, True, "open")
        iri = base.iri("record", record)
        assert list(store.match(iri, RICO("conditionsOfUse"), None, base.public))
    assert command("check", "--archive", archive).returncode == 0
