"""export: what is public, in the forms that others take."""

from __future__ import annotations

import click

from rdfkms.cli import exporting_linked


@click.group()
def export() -> None:
    """Write what is public in the forms that others take."""


for command in exporting_linked.COMMANDS:
    export.add_command(command)
