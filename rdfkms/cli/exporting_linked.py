"""export dump, nanopub, crate: what is public as linked data, without a service."""

from __future__ import annotations

from pathlib import Path

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option


@click.command("dump")
@archive_option
@click.option("--release", default="", help="A named release; without it, the newest state.")
@click.option(
    "--format", "form", type=click.Choice(["nq", "trig", "trig12"]), default="nq", show_default=True
)
@click.option(
    "--to", "target", type=click.Path(path_type=Path, dir_okay=False), help="A new file NAME.zst."
)
@json_option
def dump(archive: Path, release: str, form: str, target: Path | None, as_json: bool) -> None:
    """Write all public statements as N-Quads or TriG, compressed by zstd."""
    from rdfkms.app import composition, exporting_linked

    with composition.reading_current(archive) as app:
        done = exporting_linked.dump(app, release, form, target)
    emit(done) if as_json else click.echo(f"{done['bytes']} bytes in {done['target']}")


@click.command("nanopub")
@archive_option
@click.argument("claim")
def nanopub(archive: Path, claim: str) -> None:
    """Print one admitted CLAIM (key or IRI) as a nanopublication in TriG."""
    from rdfkms.app import composition, exporting_linked

    with composition.reading_current(archive) as app:
        click.echo(exporting_linked.nanopub(app, claim), nl=False)


@click.command("crate")
@archive_option
@click.option("--release", default="", help="A named release; without it, the newest state.")
@click.option(
    "--to", "target", type=click.Path(path_type=Path), required=True, help="A new folder."
)
@json_option
def crate(archive: Path, release: str, target: Path, as_json: bool) -> None:
    """Write the dataset as an RO-Crate 1.1: dumps, description and vocabularies in a folder."""
    from rdfkms.app import composition, exporting_linked

    with composition.reading_current(archive) as app:
        done = exporting_linked.crate(app, release, target)
    emit(done) if as_json else click.echo(f"{len(done['files'])} files in {done['target']}")


@click.command("answer")
@archive_option
@click.argument("question")
@click.option(
    "--to", "target", type=click.Path(path_type=Path), required=True, help="A new folder."
)
@json_option
def answer(archive: Path, question: str, target: Path, as_json: bool) -> None:
    """Write the evidence for a QUESTION as an RO-Crate 1.1: page, data, quotes, crops, rights."""
    from rdfkms.app import composition, exporting_answer

    with composition.reading_current(archive) as app:
        done = exporting_answer.answer(app, question, target)
    found = "found" if done["found_information"] else "the sources do not tell"
    emit(done) if as_json else click.echo(
        f"{found}: {len(done['files'])} files in {done['target']}"
    )


COMMANDS = (dump, nanopub, crate, answer)
