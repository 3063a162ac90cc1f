"""evaluate: the figures of the papers' tables, measured on corpora by others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from rdfkms.cli.common import progress


@click.command()
@click.argument(
    "kind",
    type=click.Choice(
        ["extraction", "verification", "governance", "reconciliation", "description"]
    ),
)
@click.option(
    "--shared",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="RDFKMS_SHARED",
    default=Path("../shared"),
    show_default=True,
    help="The folder that holds data/corpora (or set RDFKMS_SHARED).",
)
@click.option(
    "--json", "json_file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write all figures to this file; - for the standard output.",
)  # fmt: skip
@click.option(
    "--html", "html_file", type=click.Path(path_type=Path, dir_okay=False),
    help="Write a self-contained report to this file.",
)  # fmt: skip
@click.option(
    "--export", "target", type=click.Path(path_type=Path, file_okay=False),
    help="Write predictions to this folder, for other scorers (HIPE TSV, JSON Lines).",
)  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(min=0), default=0, show_default=True,
    help="Documents of each corpus; 0 for all.",
)  # fmt: skip
@click.option(
    "--gold", type=click.Path(path_type=Path, file_okay=False),
    help="For description: the folder of pairs, EAD or EAC-CPF with the RiC-O expected of each.",
)  # fmt: skip
@click.option(
    "--practice", type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="For description: what the institution of the pairs adds by rule (TOML).",
)  # fmt: skip
@click.option(
    "--markdown", "markdown_file", type=click.Path(path_type=Path, dir_okay=False),
    help="For description: write the tables to this file.",
)  # fmt: skip
def evaluate(
    kind: str,
    shared: Path,
    json_file: Path | None,
    html_file: Path | None,
    target: Path | None,
    limit: int,
    gold: Path | None,
    practice: Path | None,
    markdown_file: Path | None,
) -> None:
    """Measure KIND on annotated corpora; writes no archive of yours."""
    from rdfkms.app import evaluating, evaluating_description

    if (kind == "description") != (gold is not None):
        raise click.UsageError("The pairs of the description are named by --gold, and only they.")
    if kind != "description" and (practice or markdown_file):
        raise click.UsageError(
            f"The measurement of {kind} knows neither --practice nor --markdown."
        )
    as_json = str(json_file) == "-"
    with progress(as_json) as report:
        if gold is not None:
            result = evaluating_description.evaluate(gold, practice, report)
        else:
            result = evaluating.evaluate(kind, shared, report, limit=limit, target=target)
    if markdown_file is not None:
        _write(markdown_file, evaluating_description.page(result))
    if json_file is not None:
        text = json.dumps(result, ensure_ascii=False, indent=1, default=str)
        click.echo(text) if as_json else _write(json_file, text + "\n")
    if html_file is not None:
        from rdfkms.evaluation import report as page

        _write(html_file, page.html(result))
    if not as_json:
        _tell(result)


def _write(path: Path, text: str) -> None:
    from rdfkms.errors import BadInput

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as err:
        raise BadInput(f"{path}: cannot be written: {err.strerror}.") from err


def _tell(result: dict[str, Any]) -> None:
    """Print the tables for a person."""
    from rdfkms.evaluation.report import tables_of

    for table in tables_of(result):
        click.echo(f"\n{table['title']}")
        rows = [list(table["columns"]), *([_cell(cell) for cell in row] for row in table["rows"])]
        widths = [max(len(row[at]) for row in rows) for at in range(len(table["columns"]))]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            click.echo(f"  {'  '.join(cells).rstrip()}")
        if table.get("note"):
            click.echo(f"  {table['note']}")


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
