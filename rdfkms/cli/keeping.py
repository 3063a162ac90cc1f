"""check, rebuild, backup, restore, doctor, models: an archive stays whole."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option, progress


@click.command()
@archive_option
@json_option
def check(archive: Path, as_json: bool) -> None:
    """Prove the laws on an archive: pointers, orphans, counts, journal, store."""
    from rdfkms.app import checking, composition

    with progress(as_json) as report, composition.reading(archive) as app:
        found = checking.check(app, report)
    if as_json:
        emit(found)
    else:
        _tell(found)
    if not found["ok"]:
        sys.exit(1)


def _tell(found: dict[str, object]) -> None:
    for name in ("revision", "units", "pointers", "claims", "candidates", "verdicts"):
        click.echo(f"{name:<12} {found[name]}")
    faults = found["faults"]
    assert isinstance(faults, list)
    for fault in faults:
        click.echo(f"FAULT        {fault}")
    click.echo("all laws hold" if found["ok"] else f"{len(faults)} faults")


@click.command()
@archive_option
@json_option
def rebuild(archive: Path, as_json: bool) -> None:
    """Make store and indexes anew from journal and files."""
    from rdfkms.app import operations

    with progress(as_json) as report:
        result = operations.rebuild(archive, report)
    emit(result) if as_json else click.echo(
        f"Rebuilt {result['quads']} quads at revision {result['revision']}."
    )


@click.command()
@archive_option
@click.argument("target", type=click.Path(path_type=Path, file_okay=False))
@json_option
def backup(archive: Path, target: Path, as_json: bool) -> None:
    """Copy the archive to the new folder TARGET, also while it is served."""
    from rdfkms.app import operations

    result = operations.perform(archive, "backup", {"target": str(target.absolute())})
    emit(result) if as_json else click.echo(f"Backed up revision {result['revision']} to {target}.")


@click.command()
@archive_option
@click.argument("source", type=click.Path(path_type=Path, file_okay=False, exists=True))
@json_option
def restore(archive: Path, source: Path, as_json: bool) -> None:
    """Make a new archive in --archive from the backup in SOURCE."""
    from rdfkms.app import operations

    result = operations.restore(source, archive)
    emit(result) if as_json else click.echo(f"Restored {archive} at revision {result['revision']}.")


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """Say what is installed, and what is missing for what."""
    from rdfkms.app.doctor import examine

    findings = examine()
    whole = all(f.found for f in findings if f.required)
    if as_json:
        emit({"ok": whole, "findings": [asdict(f) for f in findings]})
    else:
        for f in findings:
            mark = "ok     " if f.found else "MISSING" if f.required else "absent "
            click.echo(f"{mark} {f.name:<34} {f.version:<18} {f.serves}")
            if not f.found:
                click.echo(f"        -> {f.remedy}")
    if not whole:
        sys.exit(1)


@click.group()
def models() -> None:
    """Packaged models: what is there, and how to install the rest."""


@models.command("list")
@json_option
def list_models(as_json: bool) -> None:
    """List the models that packages ship."""
    from rdfkms.app.packages import MODELS

    if as_json:
        rows = [{**asdict(m), "present": m.present, "version": m.version} for m in MODELS]
        emit(rows)
        return
    for model in MODELS:
        state = model.version if model.present else f"absent ({model.how})"
        click.echo(f"{model.package:<34} {state:<26} {model.licence:<12} {model.serves}")


@models.command("install")
def install_models() -> None:
    """Install the packages that pip cannot resolve, by hash."""
    from rdfkms.app import packages

    packages.install()
