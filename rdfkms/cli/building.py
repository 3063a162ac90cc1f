"""init, run, ingest, extract: an archive grows."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option, progress


@click.command()
@archive_option
@click.option("--title", default="An archive", help="Shown on the pages.")
@click.option("--base", default="", help="Base of all IRIs; fixed for ever by this command.")
@click.option("--profile", default="plain", help="How files are read that no records.toml names.")
@json_option
def init(archive: Path, title: str, base: str, profile: str, as_json: bool) -> None:
    """Make a new, empty archive."""
    from rdfkms.app import operations

    result = operations.create(archive, title=title, base=base, profile=profile)
    emit(result) if as_json else click.echo(
        f"Made the archive {archive}. Next: rdfkms run FOLDER --archive {archive}"
    )


def _reading_options(function: Any) -> Any:
    for option in (
        click.option("--profile", default="", help="Read all files by this profile."),
        click.option("--language", default="", help="Language of the texts (es, fr, en, zh)."),
        click.option(
            "--access",
            type=click.Choice(["open", "closed", "embargo"]),
            default=None,
            help="Who may read what comes in (default: as records.toml says, else open).",
        ),
        click.option(
            "--until",
            type=click.DateTime(["%Y-%m-%d"]),
            default=None,
            help="The day on which an embargo ends.",
        ),
        click.option("--jobs", type=int, default=0, help="Processes (default: all cores)."),
        click.argument(
            "paths", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True)
        ),
    ):
        function = option(function)
    return function


def _ingest(kind: str, archive: Path, as_json: bool, **options: Any) -> None:
    from rdfkms.app import operations

    until: datetime | None = options.pop("until")
    arguments = {
        **options,
        "paths": [str(path.absolute()) for path in options["paths"]],
        "until": until.date().isoformat() if until else "",
        "access": options["access"] or "",
    }
    with progress(as_json) as report:
        result = operations.perform(archive, kind, arguments, report)
    emit(result) if as_json else _tell(result)


@click.command()
@archive_option
@_reading_options
@json_option
def run(archive: Path, as_json: bool, **options: Any) -> None:
    """Ingest PATHS and extract statements; makes the archive where there is none."""
    _ingest("run", archive, as_json, **options)


@click.command()
@archive_option
@_reading_options
@json_option
def ingest(archive: Path, as_json: bool, **options: Any) -> None:
    """Read PATHS into evidence units, without extracting statements."""
    _ingest("ingest", archive, as_json, **options)


@click.command()
@archive_option
@click.option("--record", "records", multiple=True, help="Only this record (key or IRI).")
@click.option("--offline-batch", is_flag=True, help="Ask vLLM about all passages at once ([vllm]).")
@json_option
def extract(archive: Path, records: tuple[str, ...], offline_batch: bool, as_json: bool) -> None:
    """Propose and judge statements on units that were read before."""
    from rdfkms.app import operations

    with progress(as_json) as report:
        asked = {"records": list(records), "offline_batch": offline_batch}
        result = operations.perform(archive, "extract", asked, report)
    emit(result) if as_json else _tell(result)


@click.command()
@archive_option
@click.option("--record", "records", multiple=True, help="Only this record (key or IRI).")
@click.option("--extractive", is_flag=True, help="By the words of the passages, without a model.")
@json_option
def enrich(archive: Path, records: tuple[str, ...], extractive: bool, as_json: bool) -> None:
    """Write title, summary and keywords of passages: machine text, never evidence."""
    from rdfkms.app import operations

    asked = {"records": list(records), "extractive": extractive}
    with progress(as_json) as report:
        result = operations.perform(archive, "enrich", asked, report)
    emit(result) if as_json else click.echo(
        f"Described {result['units']} passages of {result['records']} records "
        f"(run {result['run']}, revision {result['revision']})."
    )


def _tell(result: dict[str, Any]) -> None:
    """Print a run report for a person."""
    files, verdicts = result["files"], result["verdicts"]
    click.echo(
        f"files      {files['new']} new, {files['known']} known, {files['ignored']} ignored, "
        f"{files['failed']} with faults"
    )
    click.echo(f"units      {result['units']}")
    click.echo(
        f"candidates {result['candidates']}: {verdicts['admitted']} admitted, "
        f"{verdicts['quarantined']} quarantined, {verdicts['rejected']} rejected"
    )
    for code, count in sorted(result["reasons"].items(), key=lambda pair: -pair[1])[:8]:
        click.echo(f"           {count:>6} {code}")
    for fault in result["faults"][:20]:
        click.echo(
            f"FAULT      {fault['source']} {fault['place']}: {fault['reason']} {fault['hint']}"
        )
    if len(result["faults"]) > 20:
        click.echo(f"           and {len(result['faults']) - 20} more; --json shows all")
    used = result.get("usage")
    if used:
        click.echo(
            f"models     {used['calls']} calls ({used['kept']} kept before), {used['tokens_in']} "
            f"tokens in, {used['tokens_out']} out, cost {used['cost']:g}"
        )
    spent = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in result["seconds"].items())
    click.echo(f"seconds    {spent}")
    click.echo(f"revision   {result['revision']} (run {result['run']})")
