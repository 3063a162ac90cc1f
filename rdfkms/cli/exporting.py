"""export: what is public, in the forms that others take."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from rdfkms.cli import emit, exporting_descriptions, exporting_linked, exporting_rico
from rdfkms.cli.common import archive_option, json_option, progress

SHOWN = 20


@click.group()
def export() -> None:
    """Write what is public in the forms that others take."""


@export.command("edm")
@archive_option
@click.option(
    "--to",
    "target",
    type=click.Path(path_type=Path),
    help="A new folder, or a new file NAME.zip as Metis takes it.",
)
@click.option("--check", is_flag=True, help="Only check; write nothing.")
@click.option(
    "--xsd", type=click.Path(path_type=Path, dir_okay=False), help="Europeana's EDM.xsd as well."
)
@click.option(
    "--schematron",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Europeana's schematron.xsl as well (needs saxonche).",
)
@json_option
def edm(
    archive: Path,
    target: Path | None,
    check: bool,
    xsd: Path | None,
    schematron: Path | None,
    as_json: bool,
) -> None:
    """Write every public record as EDM, one file each; exit code 1 where one lacks something."""
    from rdfkms.app import composition, exporting

    if target is None and not check:
        raise click.UsageError("Name where to write (--to DIR or --to FILE.zip), or --check.")
    with progress(as_json) as report, composition.reading_current(archive) as app:
        wanted = None if check else target
        done = exporting.edm(app, wanted, xsd, schematron, report)
    emit(done) if as_json else _tell(done)
    if not done["ok"]:
        sys.exit(1)


def _tell(done: dict[str, Any]) -> None:
    tiers = ", ".join(f"{count} in tier {tier}" for tier, count in done["tiers"].items())
    click.echo(f"{done['records']} records at revision {done['revision']}: {tiers or 'none sound'}")
    for record, findings in list(done["lacking"].items())[:SHOWN]:
        click.echo(f"LACKING {record}")
        for found in findings:
            click.echo(f"        {found['element']}: {found['sentence']} {found['remedy']}")
    if len(done["lacking"]) > SHOWN:
        click.echo(f"        and {len(done['lacking']) - SHOWN} more records; --json shows all")
    if done["target"]:
        click.echo(f"{done['written']} written to {done['target']}")


for command in (
    *exporting_linked.COMMANDS,
    *exporting_descriptions.COMMANDS,
    exporting_rico.rico,
):
    export.add_command(command)
