"""Items and decisions of review as JSON, the same for the command line and the API."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rdfkms.app.composition import App
from rdfkms.knowledge import decoding
from rdfkms.model import Reason
from rdfkms.publish.audits import Audit, Proposal
from rdfkms.publish.desk import Item, Proposed, Side
from rdfkms.publish.histories import Said
from rdfkms.publish.views import Evidence
from rdfkms.review import acts, decisions, opinions
from rdfkms.review.decisions import Decision

Json = dict[str, Any]


def item_json(app: App, item: Item) -> Json:
    """Return an item as a list shows it."""
    task = item.task
    return {
        "item": task.item,
        "kind": task.kind,
        "state": task.state,
        "statement": task.statement,
        "priority": task.priority,
        "assignee": task.assignee,
        "second": task.second,
        "proposer": task.proposer,
        "sentence": sentence(item),
        "reasons": [_reason(r) for r in item.reasons],
        "claims": [said_json(app, said) for said in item.claims],
        "things": [_side(app, side) for side in item.sides],
        "candidate": _proposed(app, item.proposed) if item.proposed else None,
    }


def full_json(app: App, item: Item) -> Json:
    """Return an item with opinions, decisions, its state and what would follow from an act."""
    task, desk = item.task, app.desk
    told = item_json(app, item) | {
        "opinions": [asdict(o) for o in opinions.of(app.work, task.item)],
        "decisions": [],
        "seen": "",
        "needs": [],
        "dependents": [],
    }
    if not task.item.startswith("claim/"):
        return told
    claim = next(iter(decoding.claims(app.ledger.store, app.base, [task.key])), None)
    if claim is not None:
        told["decisions"] = [
            decision_json(app, d) for d in decisions.of_claim(desk.ledger, claim.key)
        ]
        told["seen"] = acts.state_of(desk, claim)
        told["needs"] = [c.key for c in acts.ends(desk, claim)]
        told["dependents"] = [c.key for c in acts.dependents(desk, claim)]
    return told


def sentence(item: Item) -> str:
    """Return what an item is about in one line."""
    if item.sides:
        return " = ".join(side.link.text for side in item.sides) + " ?"
    if item.proposed:
        one = item.proposed
        end = one.object or one.value
        return " · ".join(part for part in (one.subject, one.name, end) if part) or "(unreadable)"
    return " / ".join(_in_words(said) for said in item.claims)


def _in_words(said: Said) -> str:
    end = said.object.text if said.object else said.value
    if said.claim.entity_type:
        return f"{end} ({said.claim.entity_type})"
    return " ".join(part for part in (said.subject.text, said.label, end) if part)


def said_json(app: App, said: Said) -> Json:
    """Return a claim in words with its evidence."""
    claim = said.claim
    return {
        "claim": claim.key,
        "iri": app.base.iri("claim", claim.key).value,
        "status": claim.status,
        "rank": claim.rank,
        "label": claim.label,
        "confidence": claim.confidence,
        "sentence": _in_words(said),
        "evidence": [_evidence(app, e) for e in said.evidences],
    }


def _evidence(app: App, one: Evidence) -> Json:
    return {
        "unit": one.unit,
        "iri": app.base.iri("evidence", one.unit).value,
        "record": one.record,
        "record_title": one.record_title,
        "page_label": one.page_label,
        "quote": one.quote,
        "before": one.before,
        "after": one.after,
        "start": one.start,
        "end": one.end,
    }


def _side(app: App, side: Side) -> Json:
    return {
        "thing": side.ref.path,
        "iri": app.base.iri(side.ref.kind, side.ref.key).value,
        "name": side.link.text,
        "mentions": side.mentions,
        "claims": [said_json(app, said) for said in side.said],
    }


def _proposed(app: App, one: Proposed) -> Json:
    return {
        "candidate": one.key,
        "name": one.name,
        "subject": one.subject,
        "object": one.object,
        "value": one.value,
        "quote": one.quote,
        "raw": one.raw,
        "note": one.note,
        "evidence": _evidence(app, one.evidence) if one.evidence else None,
    }


def decision_json(app: App, made: Decision) -> Json:
    """Return a decision: who, when, why, on what, and whether it was undone."""
    return {
        "decision": made.key,
        "kind": made.kind,
        "by": made.principal,
        "role": made.role,
        "time": made.time,
        "note": made.note,
        "claims": list(made.claims),
        "things": [ref.path for ref in made.things],
        "undoes": made.undoes,
        "undone_by": made.undone_by,
        "revision": made.revision,
    }


def audit_json(app: App, found: Audit, *, staff: bool) -> Json:
    """Return the life of a claim; persons and their words are for staff."""
    return {
        "claim": said_json(app, found.said),
        "reasons": [_reason(r) for r in found.reasons],
        "quotes_stand": found.quotes_stand,
        "proposals": [_proposal(p) for p in found.proposals],
        "runs": [
            {"run": r.key, "kind": r.kind, "agents": list(r.agents), "facts": dict(r.facts)}
            for r in found.runs
        ],
        "decisions": [decision_json(app, d) for d in found.decisions],
        "journal": [
            {
                "revision": e.revision,
                "time": e.time,
                "kind": e.kind,
                "role": e.role,
                "by": e.principal if staff else "",
                "note": e.note if staff else "",
                "effect": e.effect,
            }
            for e in found.history
        ],
    }


def _proposal(one: Proposal) -> Json:
    told = {name: getattr(one, name) for name in Proposal.__slots__ if name != "checks"}
    told["checks"] = [
        {"stage": c.stage, "result": c.result, "reasons": [_reason(r) for r in c.reasons]}
        for c in one.checks
    ]
    return told


def _reason(one: Reason) -> Json:
    return {"code": one.code, "sentence": one.sentence}
