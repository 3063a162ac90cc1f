"""reconcile authorities: ask Wikidata, VIAF, GeoNames or CBDB who our entities are."""

from __future__ import annotations

from pathlib import Path

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option, progress


@click.group()
def reconcile() -> None:
    """Ask authority files about entities; a reviewer decides on what they say."""


@reconcile.command("authorities")
@archive_option
@click.option("--source", required=True, help="The authority: wikidata, viaf, geonames, cbdb.")
@click.option("--type", "type_", default="", help="Only entities of this type, such as Person.")
@click.option("--limit", type=click.IntRange(min=0), default=0, help="Entities asked; 0 = all.")
@json_option
def ask_authorities(archive: Path, source: str, type_: str, limit: int, as_json: bool) -> None:
    """Propose links to an authority as claims that wait for a reviewer; none is made silently.

    Where it is asked stands in archive.toml: [authorities.NAME] with either `file`, a local dump,
    or `service`, a reconciliation service, which is told only what is public.
    """
    from rdfkms.app import operations

    arguments = {"source": source, "type": type_, "limit": limit}
    with progress(as_json) as report:
        result = operations.perform(archive, "link", arguments, report)
    if as_json:
        emit(result)
        return
    click.echo(
        f"{result['asked']} entities asked, {result['with_entries']} with entries; "
        f"{result['proposed']} links proposed. They wait for a reviewer."
    )
