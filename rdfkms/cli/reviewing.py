"""review: what waits for a person, and what a person may do with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option

F = TypeVar("F", bound=Callable[..., Any])
WIDTH = 100


@click.group()
def review() -> None:
    """List what waits for a decision, and decide: every decision is journaled and can be undone."""


def _perform(
    archive: Path, operation: str, as_json: bool, /, **arguments: object
) -> dict[str, Any] | None:
    """Do an operation; returns its result, or None where it was printed as JSON."""
    from rdfkms.app import operations

    given = {  # by identity: 0 is said, though it equals False (`--start 0`)
        key: value
        for key, value in arguments.items()
        if value is not None and value is not False and value != ""
    }
    result = operations.perform(archive, f"review_{operation}", given)
    if as_json:
        emit(result)
        return None
    return result


def _note(function: F) -> F:
    return click.option("--note", default="", help="Why; it is kept with the decision.")(function)


def _acting(function: F) -> F:
    """Add what every act takes: the archive, a note, and how to answer."""
    return archive_option(_note(json_option(function)))


def _seen(function: F) -> F:
    option = click.option("--seen", default="", help="The state in which you saw it (from show).")
    return option(function)


def _dependents(function: F) -> F:
    option = click.option(
        "--with-dependents", is_flag=True, help="Send back to review what rests on it."
    )
    return option(function)


def _told(result: dict[str, Any] | None) -> None:
    if result is None:
        return
    if result.get("waiting"):
        click.echo(f"{result['item']}: noted; a second person must accept it too.")
        return
    made = result["decision"]
    click.echo(f"{made['kind']} by {made['by']}, revision {made['revision']}.")
    click.echo(f"To take it back: rdfkms review undo {made['decision']}")


# ---- reading ------------------------------------------------------------------------------------


@review.command("list")
@archive_option
@click.option("--kind", type=click.Choice(["doubt", "conflict", "merge", "refused"]), default=None)
@click.option("--state", type=click.Choice(["open", "closed"]), default="open", show_default=True)
@click.option("--statement", default="", help="Only this statement or type, as birthplace.")
@click.option("--record", default="", help="Only of this record (key).")
@click.option("--unit", default="", help="Only of this passage (key).")
@click.option("--code", default="", help="Only with this reason, as hearsay.")
@click.option("--proposer", default="", help="Only of this proposer.")
@click.option("--run", default="", help="Only of this run (key).")
@click.option("--assignee", default="", help="Only what this person has.")
@click.option("--limit", type=click.IntRange(0, 500), default=20, show_default=True)
@click.option("--offset", type=click.IntRange(0), default=0)
@json_option
def list_items(archive: Path, as_json: bool, **filters: Any) -> None:
    """List what waits, the most worth a decision first."""
    result = _perform(archive, "list", as_json, **filters)
    if result is None:
        return
    counts = ", ".join(f"{n} {kind}" for kind, n in result["open"].items())
    click.echo(f"Open: {counts}. Shown: {len(result['items'])} of {result['total']}.")
    for item in result["items"]:
        who = f"  [{item['assignee']}]" if item["assignee"] else ""
        click.echo(f"\n{item['item']}  {item['priority']:.2f} {item['kind']}{who}")
        click.echo(f"  {item['sentence'][:WIDTH]}")
        for reason in item["reasons"][:2]:
            click.echo(f"  - {reason['sentence'][:WIDTH]}")


@review.command("show")
@archive_option
@click.argument("item")
@json_option
def show(archive: Path, item: str, as_json: bool) -> None:
    """Show ITEM (from the list, or the key of any claim): evidence, reasons, history."""
    result = _perform(archive, "show", as_json, item=item)
    if result is None:
        return
    click.echo(f"{result['item']}  {result['kind']}, {result['state']}")
    click.echo(result["sentence"])
    for claim in (*result["claims"], *(c for t in result["things"] for c in t["claims"])):
        click.echo(f"\n  {claim['claim']}  {claim['status']}, {claim['label'] or 'no label'}")
        click.echo(f"  {claim['sentence']}")
        for evidence in claim["evidence"]:
            _quote(evidence)
    if result["candidate"] is not None:
        _candidate(result["candidate"])
    for reason in result["reasons"]:
        click.echo(f"  - {reason['sentence']}")
    if result["needs"]:
        click.echo(f"  It needs {len(result['needs'])} more to be accepted (--with-ends).")
    for opinion in result["opinions"]:
        click.echo(f"  {opinion['principal']}: {opinion['action']} {opinion['note']}")
    for made in result["decisions"]:
        undone = " (undone)" if made["undone_by"] else ""
        click.echo(f"  {made['time']} {made['kind']} by {made['by']}{undone} {made['note']}")
    if result["seen"]:
        click.echo(f"  state {result['seen']}")


def _quote(evidence: dict[str, Any]) -> None:
    place = f"{evidence['record_title']}, p. {evidence['page_label']}"
    marked = f"{evidence['before']}[[{evidence['quote']}]]{evidence['after']}"
    click.echo(f"    {place}: {' '.join(marked.split())}")


def _candidate(found: dict[str, Any]) -> None:
    parts = ("name", "subject", "object", "value", "quote", "note")
    for part in parts:
        if found[part]:
            click.echo(f"  {part}: {found[part]}")
    if found["raw"]:
        click.echo(f"  answer: {found['raw'][:600]}")
    if found["evidence"]:
        _quote(found["evidence"])


@review.command("thing")
@archive_option
@click.argument("thing")
@json_option
def thing(archive: Path, thing: str, as_json: bool) -> None:
    """List the mentions of THING (as person/KEY), as `split` wants them."""
    result = _perform(archive, "thing", as_json, thing=thing)
    for mention in result["mentions"] if result else ():
        click.echo(f"{mention['claim']}  {mention['status']:<12} {mention['name']}")


@review.command("decisions")
@archive_option
@click.option("--about", default="", help="A claim (key) or thing (person/KEY).")
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True)
@json_option
def decisions(archive: Path, about: str, limit: int, as_json: bool) -> None:
    """List decisions: when, what, by whom, why."""
    result = _perform(archive, "decisions", as_json, about=about, limit=limit)
    for made in result["decisions"] if result else ():
        undone = " undone" if made["undone_by"] else ""
        click.echo(
            f"{made['decision']}  {made['time']} {made['kind']:<8} {made['by']:<12}{undone} "
            f"{made['note']}"
        )


@review.command("agreement")
@archive_option
@json_option
def agreement(archive: Path, as_json: bool) -> None:
    """Say how far each two reviewers agree: share and Cohen's kappa."""
    result = _perform(archive, "agreement", as_json)
    for pair in result["pairs"] if result else ():
        kappa = "undefined" if pair["kappa"] is None else f"{pair['kappa']:.2f}"
        click.echo(
            f"{pair['one']} and {pair['other']}: {pair['items']} items, agree on "
            f"{pair['agreed']:.0%}, kappa {kappa}"
        )


@review.command("lessons")
@archive_option
@json_option
def lessons(archive: Path, as_json: bool) -> None:
    """List what later runs take from decisions."""
    result = _perform(archive, "lessons", as_json)
    for one in result["lessons"] if result else ():
        click.echo(f"{one['kind']:<9} {one['name']:<18} {one['form']}  ({one['decision']})")
    for pair in result["different"] if result else ():
        click.echo(f"different {pair[0]} {pair[1]}")


# ---- acts ---------------------------------------------------------------------------------------


@review.command("accept")
@_acting
@click.argument("item")
@click.option("--with-ends", is_flag=True, help="Accept its mentions and its trigger with it.")
@_seen
def accept(archive: Path, item: str, as_json: bool, **given: Any) -> None:
    """Admit ITEM's claim, or merge the two things that it proposes to be one."""
    _told(_perform(archive, "accept", as_json, item=item, **given))


@review.command("reject")
@_acting
@click.argument("item")
@_dependents
@_seen
def reject(archive: Path, item: str, as_json: bool, **given: Any) -> None:
    """Reject ITEM: it asserts nothing; two things proposed as one are declared different."""
    _told(_perform(archive, "reject", as_json, item=item, **given))


@review.command("reopen")
@_acting
@click.argument("item")
@_dependents
@_seen
def reopen(archive: Path, item: str, as_json: bool, **given: Any) -> None:
    """Send an admitted or rejected claim back to review."""
    _told(_perform(archive, "reopen", as_json, item=item, **given))


@review.command("edit")
@_acting
@click.argument("item")
@click.option("--quote", default=None, help="Exact words of the passage.")
@click.option("--start", type=int, default=None, help="Where the quote begins, if it is twice.")
@click.option("--name", default=None, help="Another statement, or type of mention or event.")
@click.option("--subject", default=None, help="Words of a mention in the passage.")
@click.option("--object", "object_", default=None, help="Words of a mention in the passage.")
@click.option("--value", default=None, help="The value; a date in EDTF.")
@click.option("--verbatim", default=None, help="The words of the passage that the value means.")
@_dependents
@_seen
def edit(archive: Path, item: str, object_: str | None, as_json: bool, **given: Any) -> None:
    """Replace ITEM's claim by a corrected one, which passes the same gate."""
    _told(_perform(archive, "edit", as_json, item=item, object=object_, **given))


@review.command("rank")
@_acting
@click.argument("claim")
@click.argument("rank", type=click.Choice(["preferred", "normal", "deprecated"]))
@_seen
def rank(archive: Path, claim: str, as_json: bool, **given: Any) -> None:
    """Rank an admitted CLAIM among those that answer the same question."""
    _told(_perform(archive, "rank", as_json, item=claim, **given))


@review.command("keep")
@_acting
@click.argument("item")
def keep(archive: Path, item: str, as_json: bool, **given: Any) -> None:
    """Leave a conflict side by side, or dismiss a proposal that became no claim."""
    _told(_perform(archive, "keep", as_json, item=item, **given))


@review.command("merge")
@_acting
@click.argument("one")
@click.argument("other")
def merge(archive: Path, one: str, other: str, as_json: bool, note: str) -> None:
    """Make two things one (as person/KEY each); claims stay as they are."""
    _told(_perform(archive, "merge", as_json, one=one, other=other, note=note))


@review.command("differ")
@_acting
@click.argument("one")
@click.argument("other")
def differ(archive: Path, one: str, other: str, as_json: bool, note: str) -> None:
    """Declare two things different: they are not proposed again."""
    _told(_perform(archive, "differ", as_json, one=one, other=other, note=note))


@review.command("split")
@_acting
@click.argument("thing")
@click.argument("mentions", nargs=-1, required=True)
def split(archive: Path, thing: str, mentions: tuple[str, ...], as_json: bool, note: str) -> None:
    """Give MENTIONS (keys of claims) of THING, and what is said of them, to a new thing."""
    _told(_perform(archive, "split", as_json, thing=thing, mentions=list(mentions), note=note))


@review.command("batch")
@_acting
@click.argument("act", type=click.Choice(["accept", "reject", "keep"]))
@click.option("--kind", type=click.Choice(["doubt", "conflict", "merge", "refused"]), default=None)
@click.option("--statement", default="", help="Only this statement or type.")
@click.option("--record", default="", help="Only of this record (key).")
@click.option("--unit", default="", help="Only of this passage (key).")
@click.option("--code", default="", help="Only with this reason, as hearsay.")
@click.option("--proposer", default="", help="Only of this proposer.")
@click.option("--run", default="", help="Only of this run (key).")
@click.option("--with-ends", is_flag=True, help="Accept mentions and triggers with them.")
@click.option("--dry-run", is_flag=True, help="Say which items it would decide.")
@_dependents
def batch(archive: Path, act: str, as_json: bool, **given: Any) -> None:
    """Do ACT on all open items that the filters choose; each is a decision of its own."""
    result = _perform(archive, "batch", as_json, act=act, **given)
    if result is None:
        return
    for item in result["items"] if result["dry_run"] else ():
        click.echo(item)
    told = f"{len(result['done'])} decided, {len(result['refused'])} refused"
    click.echo(f"{len(result['items'])} items, {told}.")
    for one in result["refused"]:
        click.echo(f"REFUSED {one['item']}: {one['reason']}")


@review.command("undo")
@_acting
@click.argument("decision")
def undo(archive: Path, decision: str, as_json: bool, note: str) -> None:
    """Take back DECISION, exactly; an undo can be undone."""
    _told(_perform(archive, "undo", as_json, decision=decision, note=note))


@review.command("assign")
@archive_option
@click.argument("item")
@click.argument("to", default="")
@json_option
def assign(archive: Path, item: str, to: str, as_json: bool) -> None:
    """Give ITEM to a person (TO), or to nobody."""
    result = _perform(archive, "assign", as_json, item=item, to=to)
    if result:
        click.echo(f"{result['item']} is with {result['assignee'] or 'nobody'}.")


@review.command("second")
@_acting
@click.argument("item")
@click.option("--opinion", default="", help="Your own: accept, reject, edit, unsure.")
def second(archive: Path, item: str, as_json: bool, **given: Any) -> None:
    """Ask for a second opinion on ITEM."""
    result = _perform(archive, "second", as_json, item=item, **given)
    if result:
        click.echo(f"{result['item']} waits for a second opinion.")


@review.command("opine")
@_acting
@click.argument("item")
@click.argument("opinion")
def opine(archive: Path, item: str, opinion: str, as_json: bool, note: str) -> None:
    """Give an OPINION on ITEM without deciding: accept, reject, edit, merge, differ, unsure."""
    result = _perform(archive, "opine", as_json, item=item, opinion=opinion, note=note)
    if result:
        click.echo(f"{result['item']}: {len(result['opinions'])} opinions.")
