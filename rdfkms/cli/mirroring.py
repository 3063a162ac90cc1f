"""mirror: remote SPARQL stores that show the public graph."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option, progress


@click.group()
def mirror() -> None:
    """Remote SPARQL stores that show the public graph, fed by the service."""


@mirror.command("add")
@archive_option
@click.argument("name")
@click.option("--query", "query_url", required=True, help="Address for queries.")
@click.option("--update", "update_url", default="", help="Address for updates, if another.")
@click.option("--user", default="", help="Who writes there.")
@click.option("--password-env", default="", help="Environment variable that holds the password.")
@click.option("--auth", type=click.Choice(["basic", "digest"]), default="basic", show_default=True)
@json_option
def add(
    archive: Path,
    name: str,
    query_url: str,
    update_url: str,
    user: str,
    password_env: str,
    auth: str,
    as_json: bool,
) -> None:
    """Note mirror NAME in archive.toml; a service feeds it when it starts again."""
    from rdfkms.app import mirroring

    told = mirroring.settings_of(
        query_url=query_url, update_url=update_url, user=user, password_env=password_env, auth=auth
    )
    made = mirroring.add(archive, name, told)
    if as_json:
        emit(made)
        return
    click.echo(f"Mirror {made['name']} answers; it shows revision {made['revision']}.")
    click.echo(f"Load it: rdfkms mirror rebuild {made['name']}. A running service: start it again.")


@mirror.command("status")
@archive_option
@json_option
def status(archive: Path, as_json: bool) -> None:
    """Show each mirror: its revision, how far it lags, its size; exit code 1 on a fault."""
    from rdfkms.app import mirroring

    rows = mirroring.status(archive)
    if as_json:
        emit({"mirrors": rows})
    for row in () if as_json else rows:
        click.echo(
            f"{row['name']:<12} revision {row['revision']} ({row['behind']} behind), "
            f"{row['triples']} of {row['archive_triples']} triples  {row['query_url']}"
        )
        if row["fault"]:
            click.echo(f"    {row['fault']}")
    if not rows and not as_json:
        click.echo("There is no mirror. Add one: rdfkms mirror add NAME --query URL")
    if any(row["fault"] for row in rows):
        sys.exit(1)


@mirror.command("rebuild")
@archive_option
@click.argument("name")
@json_option
def rebuild(archive: Path, name: str, as_json: bool) -> None:
    """Empty mirror NAME and load the present public graph into it."""
    from rdfkms.app import mirroring

    with progress(as_json) as report:
        made = mirroring.rebuild(archive, name, report)
    if as_json:
        emit(made)
    else:
        click.echo(f"{made['triples']} triples; revision {made['revision']}.")


@mirror.command("feed")
@archive_option
@click.argument("name")
@json_option
def feed(archive: Path, name: str, as_json: bool) -> None:
    """Bring mirror NAME up to the journal's end, without a service."""
    from rdfkms.app import mirroring

    made = mirroring.feed(archive, name)
    if as_json:
        emit(made)
    else:
        click.echo(f"Mirror {made['name']} shows revision {made['revision']}.")
