"""amend: an archivist edits what a description says of a thing, field by field."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option

_WIDEST = 80  # characters of a value in a list


@click.command()
@archive_option
@click.argument("thing")
@click.option("--fields", is_flag=True, help="List the fields that fit THING, and what is in them.")
@click.option("--all", "every", is_flag=True, help="With --fields: empty fields as well.")
@click.option("--field", default="", help="The field, as scopeAndContent or title (see --fields).")
@click.option("--value", default="", help="What it is to say; - reads it from standard input.")
@click.option("--edtf", default="", help="What a date means, where its words do not tell.")
@click.option("--language", default="", help="The language of the value, as de.")
@click.option("--object", "object_", default="", help="Where a link leads: kind/KEY, IRI or name.")
@click.option("--replaces", default="", help="The claim (key) whose place the value takes.")
@click.option("--remove", "removed", default="", help="The claim (key) that is to go.")
@click.option("--seen", default="", help="The state in which you saw it (from --fields --json).")
@click.option("--note", default="", help="Why; it is kept with the decision.")
@json_option
def amend(
    archive: Path,
    thing: str,
    fields: bool,
    every: bool,
    field: str,
    value: str,
    edtf: str,
    language: str,
    object_: str,
    replaces: str,
    removed: str,
    seen: str,
    note: str,
    as_json: bool,
) -> None:
    """Edit the description of THING (as set/KEY or its address), one field at a time.

    Every edit is a decision like those of review: `rdfkms review undo` takes it back.
    """
    if sum(map(bool, (fields, removed, field))) != 1:
        raise click.UsageError("Give one of --fields, --field and --remove.")
    if fields:
        told = _perform(archive, "amend_fields", thing=thing)
        emit(told) if as_json else _tell_fields(told, every=every)
        return
    if removed:
        told = _perform(archive, "amend_remove", thing=thing, claim=removed, seen=seen, note=note)
    else:
        told = _perform(
            archive, "amend", thing=thing, field=field,
            value=sys.stdin.read() if value == "-" else value, edtf=edtf, language=language,
            object=object_, replaces=replaces, seen=seen, note=note,
        )  # fmt: skip
    emit(told) if as_json else _tell(told)


def _perform(archive: Path, name: str, **arguments: str) -> dict[str, Any]:
    from rdfkms.app import operations

    given = {key: text for key, text in arguments.items() if text}
    return operations.perform(archive, name, given)


def _tell(told: dict[str, Any]) -> None:
    made = told["decision"]
    click.echo(f"{made['kind']} by {made['by']}, revision {made['revision']}.")
    waits = " It waits: a second person must accept it." if told["status"] == "quarantined" else ""
    click.echo(f"Claim {told['claim']} is {told['status']}.{waits}")
    click.echo(f"To take it back: rdfkms review undo {made['decision']}")


def _tell_fields(told: dict[str, Any], *, every: bool) -> None:
    click.echo(f"{told['thing']}  {told['name']}")
    click.echo(f"Edits are kept with: {told['record_title'] or 'no description names it'}")
    for one in told["fields"]:
        if one["values"] or every:
            click.echo(f"\n{one['field'].removeprefix('description/')}  ({one['label']})")
        for value in one["values"]:
            click.echo(f"  {value['claim']}  {_shown(value)}")
        if one["total"] > len(one["values"]):
            click.echo(f"  ... and {one['total'] - len(one['values'])} more")
    if not every:
        empty = [one["field"] for one in told["fields"] if not one["values"]]
        names = ", ".join(name.removeprefix("description/") for name in empty)
        click.echo(f"\nEmpty: {names}")


def _shown(value: dict[str, Any]) -> str:
    words = " ".join((value["value"] or value["object_name"]).split())
    cut = words if len(words) <= _WIDEST else words[: _WIDEST - 1] + "…"
    more = [value["edtf"], value["language"], value["object"]]
    more += ["amended"] if value["amended"] else []
    more += [value["status"]] if value["status"] != "admitted" else []
    told = ", ".join(part for part in more if part)
    return f"{cut}  [{told}]" if told else cut
