"""export rico: one description as plain RiC-O for exchange."""

from __future__ import annotations

from pathlib import Path

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option


@click.command("rico")
@archive_option
@click.option("--record", required=True, help="The record of the description file: key or IRI.")
@click.option(
    "--to", "target", type=click.Path(path_type=Path, dir_okay=False),
    help="A new file NAME.ttl or NAME.rdf; without it, Turtle on the standard output.",
)  # fmt: skip
@click.option(
    "--practice", type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="What your institution adds by rule (TOML): holder, addresses, headings ...",
)  # fmt: skip
@json_option
def rico(
    archive: Path, record: str, target: Path | None, practice: Path | None, as_json: bool
) -> None:
    """Write what one finding aid or authority record says as RiC-O 1.1, without its evidence."""
    from rdfkms.app import composition, exporting_rico

    with composition.reading_current(archive) as app:
        done = exporting_rico.rico(app, record, target, practice)
    if as_json:
        emit(done)
    elif target is None:
        click.echo(done["text"], nl=False)
    else:
        click.echo(f"{done['statements']} statements in {done['target']}")
