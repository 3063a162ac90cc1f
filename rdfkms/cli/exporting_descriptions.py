"""export ead, export eac, export table: descriptions in the forms in which they come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option


@click.command("ead")
@archive_option
@click.option("--record", required=True, help="The record of the description file: key or IRI.")
@click.option(
    "--version", type=click.Choice(("3", "2002")), default="3", show_default=True,
    help="The version of EAD.",
)  # fmt: skip
@click.option(
    "--to", "target", type=click.Path(path_type=Path),
    help="A new file NAME.xml, or a new folder where the file holds several finding aids; without "
    "it, the standard output.",
)  # fmt: skip
@json_option
def ead(archive: Path, record: str, version: str, target: Path | None, as_json: bool) -> None:
    """Write the records that one finding aid or list describes as EAD3 or EAD 2002."""
    from rdfkms.app import composition, exporting_ead

    with composition.reading_current(archive) as app:
        done = exporting_ead.ead(app, record, target, version)
    _tell(done, as_json, f"{done['finding_aids']} finding aids")


@click.command("eac")
@archive_option
@click.option("--record", required=True, help="The record of the description file: key or IRI.")
@click.option(
    "--to", "target", type=click.Path(path_type=Path),
    help="A new file NAME.xml, or a new folder, one file for each agent; without it, the standard "
    "output.",
)  # fmt: skip
@json_option
def eac(archive: Path, record: str, target: Path | None, as_json: bool) -> None:
    """Write the agents that one authority record or list describes as EAC-CPF 2.0."""
    from rdfkms.app import composition, exporting_eac

    with composition.reading_current(archive) as app:
        done = exporting_eac.eac(app, record, target)
    _tell(done, as_json, f"{done['records']} authority records")


@click.command("table")
@archive_option
@click.option("--record", required=True, help="The record of the description file: key or IRI.")
@click.option(
    "--columns",
    required=True,
    metavar="NAME|FILE.toml",
    help="The columns, as they are read: components, agents, or a file of your own.",
)
@click.option(
    "--to", "target", type=click.Path(path_type=Path, dir_okay=False),
    help="A new file NAME.csv; without it, the standard output.",
)  # fmt: skip
@json_option
def table(
    archive: Path, record: str, columns: str, target: Path | None, as_json: bool
) -> None:  # fmt: skip
    """Write what one description file says as a table (CSV), by declared columns."""
    from rdfkms.app import composition, exporting_table

    with composition.reading_current(archive) as app:
        done = exporting_table.table(app, record, columns, target)
    _tell(done, as_json, f"{done['rows']} rows")


def _tell(done: dict[str, Any], as_json: bool, what: str) -> None:
    if as_json:
        emit(done)
        return
    if done["target"]:
        click.echo(f"{what} in {done['target']}")
    else:
        click.echo(done["text"], nl=False)
    for name, number in done["left"].items():
        click.echo(f"left out: {name} ({number})", err=True)
    for name, number in done.get("moved", {}).items():
        where = "something else" if "finding_aids" in done else "the whole record"
        click.echo(f"told of {where}: {name} ({number})", err=True)
    for name, number in done.get("without_language", {}).items():
        click.echo(f"without the language of its words: {name} ({number})", err=True)


COMMANDS = (ead, eac, table)
