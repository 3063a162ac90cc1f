"""Pages of one thing: entity, event, record, passage, claim, run, or its bare properties."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from rdfkms.access import at_least
from rdfkms.errors import BadInput, NotFound
from rdfkms.ledger import usage
from rdfkms.model import Modality, Ref, Role
from rdfkms.publish import audits, entities, histories, records, sources, things
from rdfkms.publish.around import mentions
from rdfkms.publish.entities import Entity
from rdfkms.publish.views import Scope
from rdfkms.web.faults import Gone
from rdfkms.web.site import by_revision, is_staff, page_scope, principal, site

blueprint = Blueprint("pages", __name__)

FIRST_OF = 1_000  # readings, among which the first is looked for


@blueprint.get("/page/<kind>/<key>")
@by_revision
def page(kind: str, key: str) -> ResponseReturnValue:
    """Show a thing by its kind; a merged one leads on, a withdrawn one says so."""
    seen = page_scope()
    show = {
        "evidence": _unit, "record": _record, "recordset": _record, "claim": _claim, "run": _run,
    }.get(kind, _entity)  # fmt: skip
    try:
        return show(seen, kind, key)
    except NotFound:
        demand_not_withdrawn(seen, Ref(kind, key))
        raise


def _entity(seen: Scope, kind: str, key: str) -> ResponseReturnValue:
    ref = Ref(kind, key)
    try:
        view = entities.entity(seen, ref, request.args.get("after", "")[:500])
    except NotFound:
        return _bare(seen, ref)
    if view.merged_into is not None:
        return redirect(f"/page/{view.merged_into.path}", 301)
    read = sum(name.count for name in view.names)
    found = mentions.mentions(seen, ref) if 0 < read <= FIRST_OF else None
    return render_template(
        "entity.html",
        view=view,
        first=found.shown[0] if found and found.shown else None,
        mentions=found.total if found else read,
        may_edit=at_least(principal(), Role.REVIEWER) and _is_described(view),
    )


def _is_described(view: Entity) -> bool:
    """Return whether a description speaks of the thing."""
    proofs = [name.evidences for name in view.names]
    proofs += [one.evidences for group in view.groups for one in group.statements]
    return any(e.modality == Modality.DESCRIPTION for found in proofs for e in found)


def demand_not_withdrawn(seen: Scope, ref: Ref) -> None:
    """Raise `Gone` where a tombstone stands for the thing."""
    mark = things.tombstone(seen, ref)
    if mark is not None:
        raise Gone(mark.reason, mark.date)


def _bare(seen: Scope, ref: Ref) -> ResponseReturnValue:
    """Show the properties of a thing that has no page of its own form."""
    demand_not_withdrawn(seen, ref)
    view = things.thing(seen, ref)
    if view.leads_to is not None:
        return redirect(view.leads_to.path, 303)
    return render_template("thing.html", view=view)


def _record(seen: Scope, kind: str, key: str) -> ResponseReturnValue:
    return render_template("record.html", view=records.record(seen, kind, key, number("from")))


def _unit(seen: Scope, kind: str, key: str) -> ResponseReturnValue:
    view = sources.unit(
        seen,
        site().services.archive,
        key,
        request.args.get("claim", "")[:64],
        request.args.get("pointer", "")[:16],
        request.args.get("q", "")[:400],
    )
    return render_template("evidence.html", view=view)


def _claim(seen: Scope, kind: str, key: str) -> ResponseReturnValue:
    services = site().services
    view = histories.claim(seen, key)
    life = audits.audit(seen, services.ledger, services.work, key, staff=is_staff())
    return render_template("claim.html", view=view, life=life)


def _run(seen: Scope, kind: str, key: str) -> ResponseReturnValue:
    demand_not_withdrawn(seen, Ref(kind, key))
    view = histories.run(seen, key)
    # What models took names documents that the public may not know of.
    spent = usage.report(site().services.work, key) if is_staff() else {}
    return render_template("run.html", view=view, spent=spent)


def number(name: str) -> int:
    """Return a number of the address, 0 where it is not given; raises `BadInput`."""
    value = request.args.get(name, "0")
    if not value.isdecimal() or len(value) > 9:
        raise BadInput(f"'{name}' must be a number.")
    return int(value)
