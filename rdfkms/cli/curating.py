"""source, release, erase: what an archive holds, keeps under a name, and must not keep."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option, progress

_SHOWN = 12


@click.group()
def source() -> None:
    """Records with their files: list, withdraw, replace."""


@source.command("list")
@archive_option
@json_option
def list_sources(archive: Path, as_json: bool) -> None:
    """List records: key, title, condition, passages, claims, and each file with its SHA-256."""
    from rdfkms.app import operations

    result = operations.perform(archive, "source_list", {})
    if as_json:
        emit(result)
        return
    for row in result["records"]:
        state = "withdrawn" if row["withdrawn"] else row["access"]
        claims = ", ".join(f"{n} {status}" for status, n in row["claims"].items()) or "no claims"
        click.echo(f"{row['record']}  {row['title']} ({state})")
        click.echo(f"    {row['passages']} passages; {claims}")
        for file in row["files"]:
            pages = ", ".join(file["pages"][:_SHOWN])
            gone = "  WITHDRAWN" if file["withdrawn"] and not row["withdrawn"] else ""
            click.echo(f"    {file['sha256'][:16]}  {file['name']}  pages {pages}{gone}")


@source.command("withdraw")
@archive_option
@click.argument("record")
@click.option("--file", "file", default="", help="One file of it (SHA-256 or its first digits).")
@click.option("--note", default="", help="Why; it is kept with the decision.")
@click.option("--dry-run", is_flag=True, help="Show the effect and change nothing.")
@json_option
def withdraw(
    archive: Path, record: str, file: str, note: str, dry_run: bool, as_json: bool
) -> None:
    """Withdraw RECORD (key or IRI): what rests on it alone asserts nothing any more."""
    from rdfkms.app import operations

    arguments = {"record": record, "file": file, "note": note, "dry_run": dry_run}
    result = operations.perform(archive, "source_withdraw", arguments)
    if as_json:
        emit(result)
    else:
        _told_withdrawn(result)
    if result["refused"]:
        sys.exit(6)


def _told_withdrawn(result: dict[str, Any]) -> None:
    for refusal in result["refused"]:
        click.echo(f"REFUSED {refusal}")
    if result["refused"]:
        return
    done = "were" if result["done"] else "would be"
    click.echo(
        f"{result['claims']} claims on {result['passages']} passages {done} withdrawn; "
        f"{len(result['kept'])} keep other evidence, {len(result['sent_back'])} go back to "
        f"review; {len(result['entities'])} things are named no more, "
        f"{len(result['merges_dissolved'])} merges dissolved."
    )
    if result["decision"]:
        click.echo(f"To take it back: rdfkms rollback --decision {result['decision']}")


@source.command("replace")
@archive_option
@click.argument("record")
@click.argument("path", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--page", required=True, help="The label of the page.")
@click.option("--note", default="", help="Why; it is kept with the decision.")
@click.option("--dry-run", is_flag=True, help="Show the effect and change nothing.")
@json_option
def replace(
    archive: Path, record: str, path: Path, page: str, note: str, dry_run: bool, as_json: bool
) -> None:
    """Replace a page of RECORD by a better scan, or by a corrected transcription (text) in PATH."""
    from rdfkms.app import operations

    arguments = {
        "record": record, "page": page, "path": str(path.absolute()), "note": note,
        "dry_run": dry_run,
    }  # fmt: skip
    result = operations.perform(archive, "source_replace", arguments)
    if as_json:
        emit(result)
        return
    found, pointers, claims = result["passages"], result["pointers"], result["claims"]
    would = "" if result["done"] else "would be "
    click.echo(
        f"{found['aligned']} passages {would}aligned, {found['new']} new, "
        f"{len(found['without_counterpart'])} without counterpart."
    )
    click.echo(
        f"Of {pointers['pointers']} quotes {pointers['exact']} {would}found to the letter, "
        f"{pointers['near']} nearly, {pointers['lost']} not; {len(claims['lost'])} claims and "
        f"{len(claims['sent_back'])} that rest on them go to review."
    )
    if result["decision"]:
        click.echo(f"To take it back: rdfkms rollback --decision {result['decision']}")


@click.group()
def release() -> None:
    """Named releases: the archive as it is, kept under a name and citable for ever."""


@release.command("create")
@archive_option
@click.argument("name")
@click.option("--note", default="", help="What this release is for.")
@json_option
def create_release(archive: Path, name: str, note: str, as_json: bool) -> None:
    """Keep the archive as it is now under NAME (small letters, digits, points, hyphens)."""
    from rdfkms.app import operations

    result = operations.perform(archive, "release_create", {"name": name, "note": note})
    emit(result) if as_json else click.echo(result["citation"])


@release.command("list")
@archive_option
@json_option
def list_releases(archive: Path, as_json: bool) -> None:
    """List the releases with how to cite each."""
    from rdfkms.app import releasing

    result = releasing.listed(archive)
    if as_json:
        emit(result)
        return
    for made in result["releases"]:
        erased = f"  (made anew after an erasure on {made['erased']})" if made["erased"] else ""
        click.echo(f"{made['name']:<20} {made['citation']}{erased}")


@click.command()
@archive_option
@click.argument("record", required=False, default="")
@click.option("--claim", "claims", multiple=True, help="A claim (key or IRI); may be repeated.")
@click.option("--reason", required=True, help="The law or order; it is kept: name no person in it.")
@click.option("--dry-run", is_flag=True, help="Show what would go and change nothing.")
@click.option("--yes", is_flag=True, help="Do it. It cannot be undone.")
@json_option
def erase(
    archive: Path,
    record: str,
    claims: tuple[str, ...],
    reason: str,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Take RECORD or claims out of store, journal, files, rows, indexes and releases for good."""
    from rdfkms.app import operations

    if not dry_run and not yes:
        raise click.UsageError("This cannot be undone: see --dry-run, then say --yes.")
    arguments = {"record": record, "claims": list(claims), "reason": reason, "dry_run": dry_run}
    with progress(as_json) as report:
        result = operations.erase(archive, arguments, report)
    if as_json:
        emit(result)
        return
    if "statements" not in result:
        click.echo("It was erased before; store and indexes were made anew.")
        return
    done = "were" if result["done"] else "would be"
    click.echo(
        f"{result['claims']} claims and {result['passages']} passages {done} erased: "
        f"{result['statements']} statements, {len(result['files'])} files, the payloads of "
        f"{len(result['revisions'])} revisions; releases made anew: "
        f"{', '.join(result['releases']) or 'none'}."
    )
    for name, fault in result.get("mirrors", {}).items():
        click.echo(f"Mirror {name}: {fault or 'loaded anew.'}")
    click.echo("Backups and copies elsewhere are not reached: see docs/sources.md.")
