"""The same act on many items of the queue that are alike, with a preview (R79)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rdfkms.app import reviewing
from rdfkms.app.composition import App
from rdfkms.errors import BadInput, RdfkmsError
from rdfkms.model import Principal
from rdfkms.review.queue import MOST, Queue
from rdfkms.review.tasks import OPEN

Report = Callable[[str, int, int], None]
Arguments = Mapping[str, Any]
ACTS = {"accept": reviewing.accept, "reject": reviewing.reject, "keep": reviewing.keep}


def decide(app: App, arguments: Arguments, principal: Principal, report: Report) -> dict[str, Any]:
    """Do one act on every open item that the filters choose; each is a decision of its own.

    A dry run says which they are. An item that is refused says why, and the others go on. Raises
    `BadInput` without an act or without any filter, and for more items than one call may decide.
    """
    act = ACTS.get(str(arguments.get("act", "")))
    if act is None:
        raise BadInput(f"A batch needs an act: {', '.join(ACTS)}.")
    where = {name: str(arguments[name]) for name in reviewing.FILTERS if arguments.get(name)}
    where["state"] = OPEN
    if len(where) == 1:
        raise BadInput(
            "A batch needs at least one filter: it is for items that are alike.",
            hint=f"Filters: {', '.join(f for f in reviewing.FILTERS if f != 'state')}.",
        )
    queue = Queue(app.work)
    total = queue.count(**where)
    if total > MOST:
        raise BadInput(f"{total} items fit; one batch may decide {MOST}.", hint="Filter more.")
    items = [task.item for task in queue.tasks(limit=MOST, offset=0, **where)]
    if arguments.get("dry_run"):
        return {"dry_run": True, "items": items, "done": [], "refused": [],
                "revision": app.ledger.revision}  # fmt: skip
    done, refused = [], []
    more = {name: arguments[name] for name in ("note", "with_ends", "with_dependents")
            if name in arguments}  # fmt: skip
    for number, item in enumerate(items, 1):
        try:
            made = act(app, {**more, "item": item}, principal, report)
            done.append({"item": item, "decision": made.get("decision", {}).get("decision", "")})
        except RdfkmsError as err:
            refused.append({"item": item, "reason": str(err)})
        report("decide", number, len(items))
    return {"dry_run": False, "items": items, "done": done, "refused": refused,
            "revision": app.ledger.revision}  # fmt: skip
