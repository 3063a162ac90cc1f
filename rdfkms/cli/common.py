"""What all commands share: options, progress on a terminal, and how an archive is reached."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def archive_option(function: F) -> F:
    """Add ``--archive DIR`` (or RDFKMS_ARCHIVE); the command gets a Path `archive`."""
    return click.option(
        "--archive",
        type=click.Path(path_type=Path, file_okay=False),
        envvar="RDFKMS_ARCHIVE",
        default=Path("archive"),
        show_default=True,
        help="The archive's folder (or set RDFKMS_ARCHIVE).",
    )(function)


def json_option(function: F) -> F:
    """Add ``--json``; the command gets `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(
        function
    )


Report = Callable[[str, int, int], None]


def _silent(stage: str, done: int, total: int) -> None:
    """Report nothing: output is not a terminal, or JSON was asked for."""


@contextmanager
def progress(as_json: bool) -> Iterator[Report]:
    """Give a function ``report(stage, done, total)`` that draws bars on a terminal's stderr."""
    if as_json or not sys.stderr.isatty():
        yield _silent
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    bars = Progress(
        TextColumn("{task.description:<28}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    tasks: dict[str, Any] = {}

    def report(stage: str, done: int, total: int) -> None:
        if stage not in tasks:
            tasks[stage] = bars.add_task(stage, total=total or None)
        bars.update(tasks[stage], completed=done, total=total or None)

    with bars:
        yield report
