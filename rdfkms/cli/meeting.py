"""meet: described units meet the scans that are copies of them."""

from __future__ import annotations

from pathlib import Path

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option, progress


@click.command()
@archive_option
@click.option(
    "--rules",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    default=None,
    help="How names of files lead to units (TOML); without it, the rules that are shipped.",
)
@click.option("--dry-run", is_flag=True, help="Say what would meet, and write nothing.")
@json_option
def meet(archive: Path, rules: Path | None, dry_run: bool, as_json: bool) -> None:
    """Link units of finding aids with their scans, by reference codes and names of files."""
    from rdfkms.app import operations

    arguments = {"rules": str(rules.absolute()) if rules else "", "dry_run": dry_run}
    with progress(as_json) as report:
        told = operations.perform(archive, "meet", arguments, report)
    if as_json:
        emit(told)
        return
    click.echo(
        f"{told['meetings']} records are copies of a described unit "
        f"({told['admitted']} linked now, {told['known']} known, {told['refused']} not admitted); "
        f"{told['alone']} lead to none."
    )
    for one in told["met"] if dry_run else ():
        click.echo(f"  record/{one['record']}  {one['unit']}")
    for record, units in told["ambiguous"].items():
        click.echo(f"  record/{record} leads to several: {', '.join(units)}", err=True)
