"""query, search, ask: reading an archive from the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option


@click.command()
@archive_option
@click.argument("text", required=False)
@click.option("--file", "path", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "tsv", "json", "xml", "ttl", "nt", "jsonld", "rdf"]),
    default=None,
    help="Default: csv for rows, ttl for graphs.",
)
@click.option("--release", default="", help="Ask a named release instead of the present state.")
@json_option
def query(
    archive: Path,
    text: str | None,
    path: Path | None,
    form: str | None,
    release: str,
    as_json: bool,
) -> None:
    """Run the SPARQL query TEXT (or --file, or standard input) on what is public."""
    from rdfkms.app import composition, reading, releasing

    if path is not None:
        text = path.read_text(encoding="utf-8")
    elif text is None:
        text = sys.stdin.read()
    wanted = "json" if as_json else form or ""
    if release:
        data = releasing.query(archive, release, text, wanted)
    else:
        with composition.reading(archive) as app:
            data = reading.query(app, text, wanted)
    sys.stdout.buffer.write(data)


@click.command()
@archive_option
@click.argument("words")
@click.option("--limit", type=int, default=10, show_default=True)
@json_option
def search(archive: Path, words: str, limit: int, as_json: bool) -> None:
    """Find passages and entities by words and by meaning."""
    from rdfkms.app import composition, reading

    with composition.reading(archive) as app:
        found = reading.search(app, words, limit)
    if as_json:
        emit(found)
        return
    for entity in found["entities"]:
        click.echo(f"{entity['type']:<20} {entity['label']}  <{entity['iri']}>")
    for hit in found["hits"]:
        _passage(hit)
    if not found["entities"] and not found["hits"]:
        click.echo("Nothing found.")


@click.command()
@archive_option
@click.argument("question")
@json_option
def ask(archive: Path, question: str, as_json: bool) -> None:
    """List the evidence for QUESTION, or say that the sources do not tell; then exit code 4."""
    from rdfkms.app import composition, reading

    with composition.reading(archive) as app:
        answer = reading.ask(app, question)
    if as_json:
        emit(answer)
    else:
        for statement in answer["statements"]:
            click.echo(f"* {statement['sentence']}")
            click.echo(f'    "{statement["quote"]}"  {statement["place"]}')
        for hit in answer["evidence"]:
            _passage(hit)
        if answer["limitations"]:
            click.echo(answer["limitations"])
    if not answer["found_information"]:
        sys.exit(4)


def _passage(hit: dict[str, Any]) -> None:
    click.echo(f"{hit['record_title']}, p. {hit['page_label']}  <{hit['iri']}>")
    click.echo(f"    {' '.join(hit['text'].split())[:300]}")
