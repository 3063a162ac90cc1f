"""serve, demo: the archive in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from rdfkms.cli.common import archive_option, progress


def _address(function: click.decorators.FC) -> click.decorators.FC:
    function = click.option(
        "--port", type=click.IntRange(1, 65535), default=8080, show_default=True
    )(function)
    return click.option("--host", default="127.0.0.1", show_default=True)(function)


@click.command()
@archive_option
@_address
def serve(archive: Path, host: str, port: int) -> None:
    """Serve pages, linked data and SPARQL; commands go on working meanwhile."""
    from rdfkms.app.service import serve as run_service
    from rdfkms.ledger.archive import Archive

    Archive.open(archive)
    run_service(archive, host, port)


@click.command()
@archive_option
@_address
@click.option("--build-only", is_flag=True, help="Build the sample archive and stop.")
def demo(archive: Path, host: str, port: int, build_only: bool) -> None:
    """Build the fictional sample archive where it is absent or unfinished, and serve it."""
    from rdfkms.app import demonstration
    from rdfkms.app.service import serve as run_service

    if not demonstration.is_built(archive):
        click.echo(f"Building the sample archive in {archive} (a minute or two) ...", err=True)
        with progress(as_json=False) as report:
            result = demonstration.build(archive, report)
        verdicts = result["verdicts"]
        click.echo(
            f"{result['units']} passages, {verdicts['admitted']} statements admitted, "
            f"{verdicts['quarantined']} quarantined.",
            err=True,
        )
    if not build_only:
        run_service(archive, host, port)
