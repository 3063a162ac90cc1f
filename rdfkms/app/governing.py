"""Operations that govern: rollback, access conditions, tokens, backup."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode

from rdfkms.access import today
from rdfkms.admission.reasons import reason
from rdfkms.app import curating
from rdfkms.app.composition import App
from rdfkms.errors import BadInput, Conflict
from rdfkms.knowledge import decoding
from rdfkms.ledger import backup as backups
from rdfkms.ledger import tokens
from rdfkms.model import Access, Principal, Role
from rdfkms.review import conditions, undoing
from rdfkms.review import rollback as rollbacks
from rdfkms.review.queue import Queue
from rdfkms.vocab import PROV

Report = Callable[[str, int, int], None]
Arguments = Mapping[str, Any]


def _text(arguments: Arguments, name: str) -> str:
    """Return a text that the operation needs; raises `BadInput` where it is absent or no text."""
    value = arguments.get(name)
    if not isinstance(value, str) or not value:
        raise BadInput(f"The command needs a text {name!r}.")
    return value


def rollback(
    app: App, arguments: Arguments, principal: Principal, report: Report
) -> dict[str, Any]:
    """Take back claims, a run with the runs of its proposers, a source, or a decision.

    One kind at a time; a dry run changes nothing and says what would.
    """
    named = [name for name in ("source", "decision") if arguments.get(name)]
    if len(named) + bool(arguments.get("claims") or arguments.get("run")) != 1:
        raise BadInput(
            "Name one thing to take back: claims or a run, a source, or a decision.",
            hint="Example: rdfkms rollback --run KEY --dry-run",
        )
    if named == ["source"]:
        return curating.withdraw(
            app, {**arguments, "record": arguments["source"]}, principal, report
        )
    if named == ["decision"]:
        return _undo(app, arguments, principal)
    targets = [*arguments.get("claims", ()), *_runs(app, str(arguments.get("run", "")))]
    by_name = arguments.get("claims") and not arguments.get("run")
    why = reason("takenBackByPerson", day=today().isoformat()) if by_name else None
    plan = rollbacks.plan(app.ledger, targets, why)
    dry = bool(arguments.get("dry_run"))
    if not dry and not plan.refusals:
        revision = rollbacks.apply(app.ledger, plan, principal)
        touched = [claim.key for claim in (*plan.withdrawn, *plan.kept)]
        paths = [ref.path for ref in plan.entities]
        Queue(app.work).follow(touched, paths, app.ledger.store, app.base, revision)
        app.changed()
    return {
        "dry_run": dry,
        "done": not dry and not plan.refusals,
        "claims": len(plan.withdrawn),
        "kept": [claim.key for claim in plan.kept],
        "entities": [ref.path for ref in plan.entities],
        "removed": len(plan.remove),
        "added": len(plan.add),
        "refused": [f"{r.claim}: {r.reason.sentence}" for r in plan.refusals],
        "revision": app.ledger.revision,
    }


def _undo(app: App, arguments: Arguments, principal: Principal) -> dict[str, Any]:
    """Undo a decision; what forbids it is told as for other rollbacks, not raised."""
    key = _text(arguments, "decision").rpartition("/")[2]
    dry, made, refused = bool(arguments.get("dry_run")), "", ""
    removed = added = claims = 0
    try:
        plan = undoing.plan(app.desk, key)
        removed, added, claims = len(plan.remove), len(plan.add), len(plan.decision.claims)
        if not dry:
            made = undoing.undo(app.desk, key, principal, note=str(arguments.get("note") or "")).key
            app.changed()
    except Conflict as err:
        refused = str(err)
    return {
        "dry_run": dry,
        "done": bool(made),
        "decision": made,
        "claims": claims,
        "removed": removed,
        "added": added,
        "refused": [refused] if refused else [],
        "revision": app.ledger.revision,
    }


def _runs(app: App, run: str) -> list[str]:
    """A run's own key and those of the proposers' runs within it that made claims."""
    if not run:
        return []
    key = run.rpartition("/")[2]
    whole = app.base.iri("run", key)
    parts = {
        quad.subject.value.rpartition("/")[2]
        for graph in (app.base.public, app.base.internal)  # a person's part is not public
        for quad in app.ledger.store.match(None, PROV("wasInformedBy"), whole, graph)
        if isinstance(quad.subject, NamedNode)
    }
    claimed = [part for part in parts if _made_claims(app, part)]
    return sorted(claimed) or [key]


def _made_claims(app: App, run: str) -> bool:
    made = app.base.iri("run", run)
    graphs = (app.base.public, app.base.internal)
    return any(
        next(iter(app.ledger.store.match(None, PROV("wasGeneratedBy"), made, graph)), None)
        for graph in graphs
    )


def access(app: App, arguments: Arguments, principal: Principal, report: Report) -> dict[str, Any]:
    """Change the access condition of a record; all that rests on it moves with it."""
    until = str(arguments.get("until") or "")
    try:
        day = date.fromisoformat(until) if until else None
    except ValueError as err:
        raise BadInput(f"{until!r} is no day.", hint="Write it as 2030-01-31.") from err
    condition = Access(_text(arguments, "condition"), day)
    key = _text(arguments, "record").rpartition("/")[2]
    if condition.condition != "closed" and not arguments.get("cleared"):
        _demand_cleared(app, key)
    moved = conditions.change(app.ledger, app.mapping, key, condition, principal)
    app.indexes.update(app.ledger)
    return {"record": key, "moved": moved, "revision": app.ledger.revision}


def _demand_cleared(app: App, key: str) -> None:
    """Raise `Conflict` where a record that holds personal data would open unasked, now or later."""
    if decoding.record(app.ledger.store, app.base, key).personal_data:
        raise Conflict(
            f"Record {key} is marked as holding personal data.",
            hint="If it may be open all the same, say so: add --cleared.",
        )


def token_add(
    app: App, arguments: Arguments, principal: Principal, report: Report
) -> dict[str, Any]:
    """Make a token; its secret is in the result and nowhere else."""
    name, wanted = _text(arguments, "id"), _text(arguments, "role")
    if wanted not in list(Role):
        raise BadInput(f"There is no role {wanted!r}.", hint=f"Roles: {', '.join(Role)}.")
    role = Role(wanted)
    return {"id": name, "role": str(role), "secret": tokens.add(app.work, name, role)}


def token_list(
    app: App, arguments: Arguments, principal: Principal, report: Report
) -> dict[str, Any]:
    """List the tokens without their secrets."""
    rows = tokens.list_tokens(app.work)
    return {
        "tokens": [
            {"id": t.id, "role": str(t.role), "created": t.created, "revoked": t.revoked}
            for t in rows
        ]
    }


def token_revoke(
    app: App, arguments: Arguments, principal: Principal, report: Report
) -> dict[str, Any]:
    """End a token."""
    tokens.revoke(app.work, _text(arguments, "id"))
    return token_list(app, arguments, principal, report)


def backup(app: App, arguments: Arguments, principal: Principal, report: Report) -> dict[str, Any]:
    """Copy the archive to a new folder."""
    target = Path(_text(arguments, "target"))
    revision = backups.backup(app.ledger, app.work, target)
    return {"target": str(target), "revision": revision}
