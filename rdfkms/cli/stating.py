"""state: what a person knows and no source says, as evidence of that person."""

from __future__ import annotations

from pathlib import Path

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option

_PARTS = ("subject", "predicate", "object", "quote")


@click.command()
@archive_option
@click.argument("text")
@click.option("--language", default="en", show_default=True, help="Of the text: es, fr, en, zh.")
@click.option(
    "--triple",
    "triples",
    multiple=True,
    help='What it says: "subject | predicate | object", or with the quote as a fourth part.',
)
@json_option
def state(archive: Path, text: str, language: str, triples: tuple[str, ...], as_json: bool) -> None:
    """Keep TEXT as your own statement, and judge what it says like any source."""
    from rdfkms.app import operations

    given = [_triple(one, text) for one in triples]
    arguments = {"text": text, "language": language, "triples": given}
    told = operations.perform(archive, "state", arguments)
    if as_json:
        emit(told)
        return
    click.echo(f"Kept as record {told['record']}, revision {told['revision']}.")
    for one in told["proposals"]:
        click.echo(f"  {one['decision']:<12} {one['name']:<20} {one['quote']}")
        for reason in one["reasons"] if one["decision"] != "admitted" else ():
            click.echo(f"    - {reason}")


def _triple(text: str, whole: str) -> dict[str, str]:
    parts = [part.strip() for part in text.split("|")]
    if len(parts) not in (3, 4) or not all(parts):
        raise click.UsageError("Write a triple as: subject | predicate | object [| quote].")
    return dict(zip(_PARTS, [*parts, whole.strip()][:4], strict=True))
