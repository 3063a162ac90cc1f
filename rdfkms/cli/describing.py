"""describe: finding aids, authority records and tables of descriptions come in."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option, progress

_SHOWN = 20
_WIDEST = 100  # characters of a value


@click.command()
@archive_option
@click.option("--profile", default="description", show_default=True, help="Whose files these are.")
@click.option(
    "--access",
    type=click.Choice(["open", "closed", "embargo"]),
    default=None,
    help="Who may read what the files say (default: open).",
)
@click.option(
    "--until", type=click.DateTime(["%Y-%m-%d"]), default=None, help="The day an embargo ends."
)
@click.option("--update", is_flag=True, help="Take in changed versions of files that are here.")
@click.option("--dry-run", is_flag=True, help="Say what would change, and write nothing.")
@click.option(
    "--columns",
    default="",
    metavar="NAME|FILE.toml",
    help="What the columns of tables (CSV) say: components, agents, or a file of your own.",
)
@click.option("--preview", is_flag=True, help="Show what --columns reads, and write nothing.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@json_option
def describe(
    archive: Path,
    profile: str,
    access: str | None,
    until: datetime | None,
    update: bool,
    dry_run: bool,
    columns: str,
    preview: bool,
    paths: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Read finding aids, authority records (EAD, EAC-CPF) and tables (CSV) into the archive."""
    from rdfkms.app import describing, operations

    if preview and not columns:
        raise click.UsageError("--preview shows what --columns reads: name the columns as well.")

    arguments = {
        "paths": [str(path.absolute()) for path in paths],
        "profile": profile,
        "access": access or "",
        "until": until.date().isoformat() if until else "",
        "update": update,
        "dry_run": dry_run,
        "columns": str(Path(columns).absolute()) if columns.endswith(".toml") else columns,
    }
    if preview:
        shown = describing.preview(arguments)
        emit(shown) if as_json else _tell_preview(shown)
        return
    with progress(as_json) as report:
        result = operations.perform(archive, "describe", arguments, report)
    emit(result) if as_json else _tell(result)


def _tell(result: dict[str, Any]) -> None:
    files, verdicts = result["files"], result["verdicts"]
    click.echo(
        f"{files['new']} files read, {files['updated']} updated, {files['known']} known, "
        f"{files['refused']} refused; "
        f"{verdicts['admitted']} statements admitted, {verdicts['quarantined']} quarantined, "
        f"{verdicts['rejected']} rejected."
    )
    for changed in result["differences"]:
        _tell_difference(changed)
    if files["changed"]:
        click.echo(f"{files['changed']} changed files wait: look, then run again with --update.")
    _tell_faults(result["faults"])
    unmapped = sorted(result["unmapped"].items(), key=lambda row: (-row[1], row[0]))
    if unmapped:
        click.echo(f"{len(unmapped)} kinds of elements have no place in the mapping:", err=True)
        for element, count in unmapped[:_SHOWN]:
            click.echo(f"  {count:6d}  {element}", err=True)
        if len(unmapped) > _SHOWN:
            click.echo("  ... all of them: --json", err=True)


def _tell_faults(faults: list[dict[str, Any]]) -> None:
    for fault in faults:
        hint = f" {fault['hint']}" if fault["hint"] else ""
        click.echo(f"  {fault['source']}, {fault['place']}: {fault['reason']}{hint}", err=True)


def _tell_difference(changed: dict[str, Any]) -> None:
    click.echo(
        f"{changed['file']}: {changed['kept']} statements stay, {changed['added']} come, "
        f"{changed['removed']} go."
    )
    for line in changed["lines"]:
        click.echo(f"  {line['sign']} {line['subject']}  {line['statement']}  {line['value']}")
    left = changed["added"] + changed["removed"] - len(changed["lines"])
    if left > 0:
        click.echo(f"  ... and {left} more")


def _tell_preview(shown: dict[str, Any]) -> None:
    for file in shown["files"]:
        click.echo(f"{file['file']}, cells parted by {file['delimiter']!r}")
        for row in file["rows"]:
            click.echo(f"line {row['line']}: {row['type']} {row['identifier']}")
            for one in row["said"]:
                leads = f" ({one['thing']})" if one["thing"] else ""
                about = "" if one["about"] == row["type"] else f"{one['about']} "
                value = " ".join(one["value"].split())
                cut = value if len(value) <= _WIDEST else value[: _WIDEST - 1] + "…"
                click.echo(f"  {one['column']}: {about}{one['statement']}  {cut}{leads}")
        for heading in file["undeclared"]:
            click.echo(f"The column {heading!r} of the file is not declared: it says nothing.")
        for heading in file["lacking"]:
            click.echo(f"The declared column {heading!r} is not in the file.")
        _tell_faults(file["notes"])
