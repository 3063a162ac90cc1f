"""Operations on sources: list, withdraw, replace; what a rollback of a source comes to (R43)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rdfkms.access import at_least
from rdfkms.app import rereading
from rdfkms.app.composition import App
from rdfkms.errors import BadInput
from rdfkms.knowledge import decoding
from rdfkms.model import Principal, Record, Role
from rdfkms.review import replacing, sources, withdrawing
from rdfkms.review.replacing import Counts
from rdfkms.review.withdrawing import Withdrawal
from rdfkms.vocab import KEY_LENGTH, KMS

Report = Callable[[str, int, int], None]
Arguments = Mapping[str, Any]
Result = dict[str, Any]


def text_of(arguments: Arguments, name: str, *, needed: bool = True) -> str:
    """Return a text argument; raises `BadInput` where it is needed and absent, or no text."""
    value = arguments.get(name) or ""
    if not isinstance(value, str) or (needed and not value):
        raise BadInput(f"The command needs a text {name!r}.")
    return value


def record_key(arguments: Arguments) -> str:
    """Return the key of the record that is named by key or IRI."""
    return text_of(arguments, "record").rstrip("/").rpartition("/")[2]


def listed(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Return the records with their files, passages, claims by status and condition.

    What is not public is listed for contributors alone.
    """
    staff = at_least(principal, Role.CONTRIBUTOR)
    store, base = app.ledger.store, app.base
    graphs = (base.public, base.internal) if staff else (base.public,)
    keys = {
        split[1]
        for graph in graphs
        for quad in store.match(None, KMS("profile"), None, graph)
        if (split := base.split(getattr(quad.subject, "value", ""))) and split[0] == "record"
    }
    rows = [_row(app, decoding.record(store, base, key, graphs)) for key in sorted(keys)]
    return {
        "revision": app.ledger.revision,
        "records": sorted(rows, key=lambda row: (row["title"], row["record"])),
    }


def _row(app: App, record: Record) -> Result:
    store, base = app.ledger.store, app.base
    source = sources.source_of(store, base, record.key)
    claims = sources.claims_on(store, base, source.units)
    gone = decoding.is_withdrawn(store, base, "record", record.key)
    return {
        "record": record.key,
        "title": record.title,
        "part_of": record.part_of or "",
        "access": record.access.condition,
        "until": record.access.until.isoformat() if record.access.until else "",
        "withdrawn": gone,
        "passages": len(source.units),
        "claims": dict(sorted(Counter(str(claim.status) for claim in claims).items())),
        "files": [
            {
                "name": file.name,
                "sha256": file.sha256,
                "media_type": file.media_type,
                "size": file.size,
                "pages": [p.label for p in record.pages if p.source == file.sha256],
                "withdrawn": gone
                or decoding.is_withdrawn(store, base, "inst", file.sha256[:KEY_LENGTH]),
            }
            for file in record.files
        ],
    }


def withdraw(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Withdraw a record or one file of it; a dry run changes nothing."""
    dry, decision = bool(arguments.get("dry_run")), ""
    with app.ledger.frozen():  # a run may write between two holds
        plan = withdrawing.plan(
            app.desk, record_key(arguments), text_of(arguments, "file", needed=False)
        )
        if not dry and not plan.refusals:
            note = text_of(arguments, "note", needed=False)
            decision = withdrawing.apply(app.desk, plan, principal, note=note).key
    if decision:
        app.changed()
    return {
        "dry_run": dry,
        "done": bool(decision),
        "decision": decision,
        "record": plan.source.record,
        "file": plan.source.file,
        **effect(app, plan),
        "revision": app.ledger.revision,
    }


def effect(app: App, plan: Withdrawal) -> Result:
    """Return what a plan to withdraw comes to, in numbers and keys."""
    return {
        "passages": len(plan.source.units),
        "claims": len(plan.withdrawn),
        "by_status": dict(sorted(Counter(str(c.status) for c in plan.withdrawn).items())),
        "kept": [claim.key for claim in plan.kept],
        "sent_back": [claim.key for claim in plan.sent_back],
        "entities": [ref.path for ref in plan.entities],
        "merges_dissolved": [[one.path, other.path] for one, other in plan.parted],
        "removed": len(plan.remove),
        "added": len(plan.add),
        "refused": [reason.sentence for reason in plan.refusals],
    }


def replace(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Replace a page by a better scan or a corrected transcription; a dry run changes nothing."""
    record, page = replacing.page_of(app.desk, record_key(arguments), text_of(arguments, "page"))
    path = Path(text_of(arguments, "path"))
    newer, beside = rereading.newer(app, record, page, path)
    plan = replacing.plan(app.desk, record, page, newer)
    dry, decision = bool(arguments.get("dry_run")), ""
    if not dry:
        if app.archive.keep(path) != newer.file.sha256:
            raise BadInput(f"{path} changed while it was read.", hint="Do it again.")
        for data in beside:
            app.archive.keep(data)
        note = text_of(arguments, "note", needed=False)
        decision = replacing.apply(app.desk, plan, principal, note=note).key
        app.changed()
    return {
        "dry_run": dry,
        "done": bool(decision),
        "decision": decision,
        "record": plan.record,
        "page": plan.page,
        "file": newer.file.sha256,
        "passages": {
            "aligned": len(plan.aligned),
            "new": len(plan.fresh),
            "without_counterpart": list(plan.missing),
        },
        "pointers": {**asdict(plan.counts), **_resolvability(plan.counts)},
        "claims": {
            "carried": len(plan.carried),
            "lost": [claim.key for claim in plan.lost],
            "sent_back": [claim.key for claim in plan.sent_back],
        },
        "revision": app.ledger.revision,
    }


def _resolvability(counts: Counts) -> dict[str, float]:
    """Return the share of pointers that resolve in the newer version, before and after."""
    total = max(counts.pointers, 1)
    return {
        "r_res_before": round(counts.unmoved / total, 4),
        "r_res_after": round((counts.exact + counts.near) / total, 4),
    }
