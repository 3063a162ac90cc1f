"""Operations of review: the queue, acts on its items, opinions, decisions and their undoing.

The same from the command line, over `/api/commands`, behind the API and the pages of review.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from rdfkms.access import at_least, demand
from rdfkms.admission.contract import contract
from rdfkms.app.arguments import Arguments, needed, text_of
from rdfkms.app.composition import App
from rdfkms.app.reviewing_json import audit_json, decision_json, full_json, item_json
from rdfkms.errors import BadInput, Conflict, NotFound
from rdfkms.knowledge import decoding
from rdfkms.model import Principal, Role
from rdfkms.publish import audits
from rdfkms.publish import desk as desks
from rdfkms.publish.desk import Item
from rdfkms.publish.views import Scope, scope_of
from rdfkms.review import acts, decisions, edits, identities, lessons, opinions, undoing
from rdfkms.review.decisions import Decision
from rdfkms.review.edits import Correction
from rdfkms.review.queue import MOST, Queue
from rdfkms.review.tasks import MERGE, OPEN, Task

Report = Callable[[str, int, int], None]
Result = dict[str, Any]
FILTERS = ("kind", "statement", "unit", "record", "proposer", "run", "state", "assignee", "code")
CORRECTION = ("quote", "name", "subject", "object", "value", "verbatim")
_NAME = re.compile(r"[A-Za-z0-9:/._#~-]{1,300}\Z")


# ---- reading ------------------------------------------------------------------------------------


def listed(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Return a page of the queue, those of most worth first, with counts of what is open."""
    queue = Queue(app.work)
    where = {name: text for name in FILTERS if (text := text_of(arguments, name))}
    where.setdefault("state", OPEN)
    limit, offset = _number(arguments, "limit", 50, MOST), _number(arguments, "offset", 0, 10**9)
    tasks = queue.tasks(limit=limit, offset=offset, **where)
    items = desks.items(_scope(app, principal), app.work, tasks)
    return {
        "revision": app.ledger.revision,
        "open": queue.counts(),
        "total": queue.count(**where),
        "items": [item_json(app, item) for item in items],
    }


def shown(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Return one item with opinions, decisions, its state and what would follow."""
    item = one(app, _name(arguments, "item"), principal)
    return {"revision": app.ledger.revision, **full_json(app, item)}


def one(app: App, name: str, principal: Principal) -> Item:
    """Return an item of the queue, or a claim that was never in it, by item, key or IRI."""
    return several(app, [name], principal)[0]


def several(app: App, names: Sequence[str], principal: Principal) -> list[Item]:
    """Return items as `one` does, in order, with few queries however many they are."""
    return desks.items(_scope(app, principal), app.work, [task_of(app, name) for name in names])


def task_of(app: App, name: str) -> Task:
    """Return the task of an item, a key or an IRI; raises `NotFound`."""
    try:
        return Queue(app.work).task(name)
    except NotFound:
        key = name.rpartition("/")[2]
        if not decoding.claims(app.ledger.store, app.base, [key]):
            raise
        return Task(f"claim/{key}", "claim", "", state="closed")


def thing(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Return the mentions of a thing, as a split wants them."""
    ref = identities.thing_of(_name(arguments, "thing"))
    found = decoding.claims_of_thing(app.ledger.store, app.base, ref)
    mentions = [c for c in found if c.statement == "namedAs" and c.subject == ref]
    return {
        "thing": ref.path,
        "mentions": [
            {
                "claim": c.key,
                "status": str(c.status),
                "name": c.value.lexical if c.value else "",
                "unit": c.pointers[0].unit,
                "quote": c.pointers[0].quote,
            }
            for c in mentions
        ],
    }


def decided(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Return the newest decisions, or those on a claim or thing."""
    name = _name(arguments, "about") if text_of(arguments, "about") else ""
    limit = _number(arguments, "limit", 50, MOST)
    about = decisions.about(app.ledger, name)[-limit:] if name else None
    found = decisions.latest(app.ledger, limit) if about is None else about
    return {"decisions": [decision_json(app, d) for d in found]}


def agreement(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Return how far each two reviewers agree: share and Cohen's kappa."""
    return {"pairs": [asdict(pair) for pair in opinions.agreement(app.work)]}


def learnt(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Return what later runs take from decisions, each with the decision it comes from."""
    found = lessons.all_lessons(app.ledger.store, app.base)
    return {
        "lessons": [asdict(lesson) for lesson in found],
        "different": [list(pair) for pair in lessons.kept_apart(app.ledger.store, app.base)],
    }


def audited(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Return the whole life of a claim, as far as the principal may know it (R80)."""
    key = _name(arguments, "claim").rpartition("/")[2]
    staff = at_least(principal, Role.CONTRIBUTOR)
    found = audits.audit(_scope(app, principal), app.ledger, app.work, key, staff=staff)
    return {"revision": app.ledger.revision, **audit_json(app, found, staff=staff)}


def proposed(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Return all that was proposed about a record, in the form of the output contract (R52-R56)."""
    key = _name(arguments, "record").rpartition("/")[2]
    record = decoding.record(app.ledger.store, app.base, key)
    units = {u.key: u for u in decoding.units_of_record(app.ledger.store, app.base, key)}
    rows = [row for unit in units for row in app.work.candidates(unit=unit)]
    return {"revision": app.ledger.revision, "record": record.key, "title": record.title,
            **contract(rows, units)}  # fmt: skip


# ---- acts ---------------------------------------------------------------------------------------


def accept(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Accept an item: admit its claim, or merge the two things that it proposes to be one."""
    task = task_of(app, _name(arguments, "item"))
    note = text_of(arguments, "note")
    if task.kind == MERGE:
        return _merge(app, task.things[0], task.things[1], note, principal)
    key, with_ends = _claim_key(task), _flag(arguments, "with_ends")
    with app.ledger.frozen():  # what two have said yes to is what is admitted
        if app.settings.gate.four_eyes and not _agreed(app, key, principal, with_ends=with_ends):
            acts.demand_acceptable(app.desk, key, principal, with_ends=with_ends)
            for item in _with_ends(app, key, with_ends=with_ends):
                opinions.note(app.work, item, principal, "accept", note)
            Queue(app.work).ask_second(task.item, principal.id)
            return {"waiting": True, "item": task.item, "revision": app.ledger.revision}
        made = acts.accept(
            app.desk, key, principal, note=note, with_ends=with_ends,
            seen=text_of(arguments, "seen"),
        )  # fmt: skip
    return _done(app, made, task.item, principal)


def _with_ends(app: App, key: str, *, with_ends: bool) -> list[str]:
    """Return the items that accepting a claim admits: itself, and its ends where wanted."""
    ends = acts.ends(app.desk, app.desk.claim(key)) if with_ends else []
    return [f"claim/{one}" for one in (key, *(claim.key for claim in ends))]


def _agreed(app: App, key: str, principal: Principal, *, with_ends: bool) -> bool:
    """Return whether another person said yes to all that would be admitted, as it is now."""
    for item in _with_ends(app, key, with_ends=with_ends):
        made = decisions.of_claim(app.ledger, item.rpartition("/")[2])
        last = max(made, key=lambda one: one.revision, default=None)
        if not opinions.seconded(app.work, item, principal, "accept", last):
            return False
    return True


def reject(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Reject an item: its claim, its proposal to merge, or a candidate that is none."""
    task = task_of(app, _name(arguments, "item"))
    note = text_of(arguments, "note")
    if task.kind == MERGE:
        one, other = (identities.thing_of(path) for path in task.things)
        return _done(
            app, identities.differ(app.desk, one, other, principal, note=note), task.item, principal
        )
    if task.item.startswith("candidate/"):
        return _done(
            app, acts.keep(app.desk, task.item, principal, note=note), task.item, principal
        )
    made = acts.reject(
        app.desk, _claim_key(task), principal, note=note,
        with_dependents=_flag(arguments, "with_dependents"), seen=text_of(arguments, "seen"),
    )  # fmt: skip
    return _done(app, made, task.item, principal)


def reopen(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Send an admitted or rejected claim back to review."""
    task = task_of(app, _name(arguments, "item"))
    made = acts.reopen(
        app.desk, _claim_key(task), principal, note=text_of(arguments, "note"),
        with_dependents=_flag(arguments, "with_dependents"), seen=text_of(arguments, "seen"),
    )  # fmt: skip
    return _done(app, made, task.item, principal)


def keep(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Leave a conflict side by side, or dismiss a candidate that became no claim."""
    task = task_of(app, _name(arguments, "item"))
    made = acts.keep(app.desk, task.item, principal, note=text_of(arguments, "note"))
    return _done(app, made, task.item, principal)


def rank(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Rank an admitted claim: preferred, normal or deprecated."""
    key = _claim_key(task_of(app, _name(arguments, "item")))
    made = acts.rank(
        app.desk, key, needed(arguments, "rank"), principal, note=text_of(arguments, "note"),
        seen=text_of(arguments, "seen"),
    )  # fmt: skip
    return _done(app, made, f"claim/{key}", principal)


def edit(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Replace a claim, or a candidate that became none, by a corrected statement."""
    task = task_of(app, _name(arguments, "item"))
    start = None if arguments.get("start") is None else _number(arguments, "start", 0, 10**9)
    given = {
        name: text_of(arguments, name) for name in CORRECTION if arguments.get(name) is not None
    }
    made = edits.edit(
        app.desk, task.item, Correction(start=start, **given), principal,
        note=text_of(arguments, "note"), with_dependents=_flag(arguments, "with_dependents"),
        seen=text_of(arguments, "seen"),
    )  # fmt: skip
    if app.settings.gate.four_eyes:  # whoever corrects says yes to the correction
        item = f"claim/{made.claims[0]}"
        opinions.note(app.work, item, principal, "accept", made.note, made.key)
    return _done(app, made, task.item, principal)


def merge(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Make two things one."""
    note = text_of(arguments, "note")
    return _merge(app, _name(arguments, "one"), _name(arguments, "other"), note, principal)


def _merge(app: App, one: str, other: str, note: str, principal: Principal) -> Result:
    first, second = identities.thing_of(one), identities.thing_of(other)
    made = identities.merge(app.desk, first, second, principal, note=note)
    return _done(app, made, "", principal)


def differ(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Declare two things different."""
    one = identities.thing_of(_name(arguments, "one"))
    other = identities.thing_of(_name(arguments, "other"))
    made = identities.differ(app.desk, one, other, principal, note=text_of(arguments, "note"))
    return _done(app, made, "", principal)


def split(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Give some mentions of a thing to a new one."""
    ref = identities.thing_of(_name(arguments, "thing"))
    mentions = arguments.get("mentions")
    if not isinstance(mentions, list) or not all(isinstance(m, str) for m in mentions):
        raise BadInput("'mentions' must be a list of keys of mention claims.")
    keys = [m.rpartition("/")[2] for m in mentions]
    made = identities.split(app.desk, ref, keys, principal, note=text_of(arguments, "note"))
    return _done(app, made, "", principal)


def undo(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Undo a decision."""
    key = _name(arguments, "decision").rpartition("/")[2]
    made = undoing.undo(app.desk, key, principal, note=text_of(arguments, "note"))
    return _done(app, made, "", principal)


def assign(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Give an item to a person; contributors may only take one themselves or give it back."""
    who = text_of(arguments, "to")
    if who not in ("", principal.id) and not at_least(principal, Role.REVIEWER):
        who = principal.id
    if not at_least(principal, Role.REVIEWER):
        taken = task_of(app, _name(arguments, "item")).assignee
        if taken not in ("", principal.id):
            raise Conflict(f"{taken} has this item.", hint="Ask them, or a reviewer.")
    task = Queue(app.work).assign(_name(arguments, "item"), who)
    return {"item": task.item, "assignee": task.assignee, "revision": app.ledger.revision}


def second(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Ask for a second opinion, and say one's own where one has one."""
    task = Queue(app.work).ask_second(_name(arguments, "item"), principal.id)
    said = text_of(arguments, "opinion")
    if said:
        _demand_voice(app, principal)
        opinions.note(app.work, task.item, principal, said, text_of(arguments, "note"))
    found = [asdict(o) for o in opinions.of(app.work, task.item)]
    return {"item": task.item, "second": task.second, "opinions": found,
            "revision": app.ledger.revision}  # fmt: skip


def opine(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Give an opinion on an item without deciding."""
    task = task_of(app, _name(arguments, "item"))
    said = needed(arguments, "opinion")
    _demand_voice(app, principal)
    opinions.note(app.work, task.item, principal, said, text_of(arguments, "note"))
    return {"item": task.item, "opinions": [asdict(o) for o in opinions.of(app.work, task.item)],
            "revision": app.ledger.revision}  # fmt: skip


def _demand_voice(app: App, principal: Principal) -> None:
    """Raise `Denied` where an opinion would count as one of two persons' and is none such."""
    if app.settings.gate.four_eyes:
        demand(principal, Role.REVIEWER, "give an opinion that counts as one of two")


# ---- shared -------------------------------------------------------------------------------------


def _done(app: App, made: Decision, item: str, principal: Principal) -> Result:
    if item and made.kind in ("accept", "reject", "edit", "differ", "merge", "keep", "dismiss"):
        opinions.note(app.work, item, principal, made.kind, made.note, made.key)
    app.changed()
    return {"decision": decision_json(app, made), "revision": app.ledger.revision}


def _claim_key(task: Task) -> str:
    if not task.item.startswith("claim/"):
        raise BadInput(
            f"{task.item} is no single claim.",
            hint="A conflict: rank or reject one of its claims, or keep both (review keep).",
        )
    return task.key


def _scope(app: App, principal: Principal) -> Scope:
    return scope_of(app.ledger.store, app.base, app.mapping, principal)


def _name(arguments: Arguments, name: str) -> str:
    """Return a key, ``kind/key`` or IRI that the operation needs; raises `BadInput`."""
    text = needed(arguments, name)
    if not _NAME.match(text):
        raise BadInput(f"{name!r} holds characters that no key or address has.")
    return text


def _number(arguments: Arguments, name: str, default: int, most: int) -> int:
    value = arguments.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise BadInput(f"{name!r} must be a whole number from 0 to {most}.")
    return value


def _flag(arguments: Arguments, name: str) -> bool:
    value = arguments.get(name, False)
    if not isinstance(value, bool):
        raise BadInput(f"{name!r} must be true or false.")
    return value
