"""audit, rollback, access, token: what was done, by whom, and how to take it back."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from rdfkms.cli import emit
from rdfkms.cli.common import archive_option, json_option


@click.group()
def audit() -> None:
    """Read and verify the journal."""


@audit.command("log")
@archive_option
@click.option("--limit", type=int, default=20, show_default=True, help="Newest revisions shown.")
@json_option
def audit_log(archive: Path, limit: int, as_json: bool) -> None:
    """List the newest revisions: when, who, why, how much."""
    from rdfkms.app import auditing

    rows = auditing.log(archive, limit)
    if as_json:
        emit(rows)
        return
    for row in rows:
        click.echo(
            f"{row['revision']:>6} {row['time']} {row['principal']:<12} {row['kind']:<10} "
            f"+{row['added']} -{row['removed']} {row['subject']}"
        )


@audit.command("verify")
@archive_option
@json_option
def audit_verify(archive: Path, as_json: bool) -> None:
    """Prove the hash chain of the journal; exit code 1 where it is broken."""
    from rdfkms.app import auditing

    result = auditing.verify(archive)
    if as_json:
        emit(result)
    else:
        for fault in result["faults"]:
            click.echo(f"FAULT {fault['place']}: {fault['reason']} {fault['hint']}")
        state = "holds" if result["ok"] else "is broken"
        click.echo(f"The chain of {result['revisions']} revisions {state}.")
    if not result["ok"]:
        sys.exit(1)


@audit.command("proposals")
@archive_option
@click.argument("record")
@json_option
def audit_proposals(archive: Path, record: str, as_json: bool) -> None:
    """Show all that was proposed about RECORD (key or IRI), also what was not admitted."""
    from rdfkms.app import operations

    told = operations.perform(archive, "record_proposals", {"record": record})
    if as_json:
        emit(told)
        return
    click.echo(told["title"])
    for name in ("entities", "relations", "events", "uncertainties"):
        click.echo(f"\n{name}: {len(told[name])}")
        for one in told[name]:
            why = f" ({', '.join(one['reasons'])})" if one["reasons"] else ""
            at = f"p. {one['locator']['page']}, {one['start']}-{one['end']}"
            click.echo(f"  {one['status']:<12} {one['proposer']:<24} {one['quote']!r} {at}{why}")


@audit.command("claim")
@archive_option
@click.argument("claim")
@json_option
def audit_claim(archive: Path, claim: str, as_json: bool) -> None:
    """Show the whole life of CLAIM (key or IRI): proposals, checks, decisions, revisions."""
    from rdfkms.app import operations

    told = operations.perform(archive, "claim_audit", {"claim": claim})
    if as_json:
        emit(told)
        return
    said = told["claim"]
    click.echo(f"{said['sentence']}\n{said['status']}, {said['label']}")
    stands = "stand" if told["quotes_stand"] else "DO NOT STAND"
    click.echo(f"Its quotes {stands} at their places.")
    for one in told["proposals"]:
        click.echo(f"\nProposed by {one['proposer']} ({one['confidence']:.2f}): {one['verdict']}")
        for check in one["checks"]:
            found = " ".join(reason["sentence"] for reason in check["reasons"])
            click.echo(f"  {check['stage']:<13} {check['result']:<12} {found}")
    for one in told["runs"]:
        click.echo(f"Run {one['run']} by {', '.join(one['agents'])}")
    for one in told["decisions"]:
        undone = " (undone)" if one["undone_by"] else ""
        click.echo(f"{one['time']} {one['kind']} by {one['by']}{undone} {one['note']}")
    for one in told["journal"]:
        click.echo(f"revision {one['revision']}, {one['time']}: {one['effect']} ({one['kind']})")


@click.command()
@archive_option
@click.option("--claim", "claims", multiple=True, help="A claim (key or IRI); may be repeated.")
@click.option("--run", "run", default="", help="All claims that only this run stands behind.")
@click.option("--source", default="", help="A record (key or IRI): the same as source withdraw.")
@click.option("--decision", default="", help="A decision (key): the same as review undo.")
@click.option("--note", default="", help="Why; it is kept with the decision.")
@click.option("--dry-run", is_flag=True, help="Show the effect and change nothing.")
@json_option
def rollback(
    archive: Path,
    claims: tuple[str, ...],
    run: str,
    source: str,
    decision: str,
    note: str,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Withdraw claims, a run, a source or a decision; exit code 6 where others built on it."""
    from rdfkms.app import operations

    if not (claims or run or source or decision):
        raise click.UsageError(
            "Name what to take back: --claim KEY, --run KEY, --source KEY or --decision KEY."
        )
    arguments = {
        "claims": list(claims), "run": run, "source": source, "decision": decision,
        "note": note, "dry_run": dry_run,
    }  # fmt: skip
    result = operations.perform(archive, "rollback", arguments)
    if as_json:
        emit(result)
    else:
        done = "would be" if not result["done"] else "were"
        click.echo(
            f"{result['claims']} claims {done} taken back, {result['removed']} triples removed, "
            f"{result['added']} added."
        )
        for refusal in result["refused"]:
            click.echo(f"REFUSED {refusal}")
    if result["refused"]:
        sys.exit(6)


@click.command()
@archive_option
@click.argument("record")
@click.argument("condition", type=click.Choice(["open", "closed", "embargo"]))
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), default=None)
@click.option("--cleared", is_flag=True, help="Open it though it holds personal data.")
@json_option
def access(
    archive: Path,
    record: str,
    condition: str,
    until: datetime | None,
    cleared: bool,
    as_json: bool,
) -> None:
    """Change who may read RECORD (key or IRI); what rests on it moves with it."""
    from rdfkms.app import operations

    day = until.date().isoformat() if until else ""
    arguments = {"record": record, "condition": condition, "until": day, "cleared": cleared}
    result = operations.perform(archive, "access", arguments)
    emit(result) if as_json else click.echo(
        f"{record} is now {condition}; {result['moved']} quads moved."
    )


@click.group()
def token() -> None:
    """Access tokens: who may read more and write."""


@token.command("add")
@archive_option
@click.argument("id")
@click.option(
    "--role",
    type=click.Choice(["reader", "contributor", "reviewer", "administrator"]),
    default="contributor",
    show_default=True,
)
@json_option
def add_token(archive: Path, id: str, role: str, as_json: bool) -> None:
    """Make a token for the person or program ID; it is shown once."""
    _token(archive, "token_add", {"id": id, "role": role}, as_json)


@token.command("list")
@archive_option
@json_option
def list_tokens(archive: Path, as_json: bool) -> None:
    """List tokens: id, role, when made, when revoked; never the secret."""
    _token(archive, "token_list", {}, as_json)


@token.command("revoke")
@archive_option
@click.argument("id")
@json_option
def revoke_token(archive: Path, id: str, as_json: bool) -> None:
    """End the token of ID at once."""
    _token(archive, "token_revoke", {"id": id}, as_json)


def _token(archive: Path, operation: str, arguments: dict[str, str], as_json: bool) -> None:
    from rdfkms.app import operations

    result: dict[str, Any] = operations.perform(archive, operation, arguments)
    if as_json:
        emit(result)
    elif "secret" in result:
        click.echo(f"Token of {result['id']} ({result['role']}), shown this once:")
        click.echo(result["secret"])
    else:
        for row in result["tokens"]:
            ended = f"revoked {row['revoked']}" if row["revoked"] else ""
            click.echo(f"{row['id']:<24} {row['role']:<14} {row['created']} {ended}")
