"""`rdfkms erase`: takes out of an archive what a law forbids to keep, everywhere (DESIGN 5, R80).

Order: withdraw, take the quads out, releases, files, rows, then the journal's payloads, then store
and indexes made anew, since their files still hold the words. Each step can be repeated: what a
crash left is finished by the next `rdfkms erase`. The archive must be free, as for `rebuild`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyoxigraph import Literal, Quad

from rdfkms.access import demand, today
from rdfkms.app import dumping, mirroring, released
from rdfkms.app.composition import App, make_indexes, make_store, open_store, writing
from rdfkms.errors import BadInput
from rdfkms.ledger import erasure, releases
from rdfkms.ledger.changes import Activity, Change, from_lines
from rdfkms.ledger.journal import Entry
from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.overlay import Overlaid
from rdfkms.ledger.traces import Trace, trace
from rdfkms.model import Principal, Role
from rdfkms.ports import TripleStore
from rdfkms.publish.iiif import tiles
from rdfkms.review import erasing
from rdfkms.review.erasing import Erasure
from rdfkms.review.queue import Queue
from rdfkms.vocab import KMS, KV

TAKEOUT = "takeout"
Report = Callable[[str, int, int], None]
Result = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Reach:
    """How far an erasure reaches: revisions of the journal, and what gives it away."""

    revisions: list[int]
    trace: Trace


def erase(root: Path, arguments: Mapping[str, Any], principal: Principal, report: Report) -> Result:
    """Erase a record or claims from the archive in `root`; a dry run changes nothing.

    Raises `Denied` below administrator, `Conflict` where the archive is in use, `NotFound`.
    """
    demand(principal, Role.ADMINISTRATOR, "erase")
    record = str(arguments.get("record") or "").rstrip("/").rpartition("/")[2]
    claims = [str(key).rpartition("/")[2] for key in arguments.get("claims") or ()]
    reason = str(arguments.get("reason") or "")
    if bool(record) is bool(claims):
        raise BadInput("Name a record or claims to erase.", hint="rdfkms erase RECORD --reason ...")
    if not reason:
        raise BadInput("An erasure needs a reason: the law or order it follows.")
    with writing(root, "erase") as app:
        if arguments.get("dry_run"):
            return _told(app, erasing.plan(app.desk, record, claims), dry=True)
        done = [_finished(app, entry, principal) for entry in _unfinished(app)]
        if not _is_erased(app, record, claims):
            erasing.withdrawn_first(app.desk, record, claims, principal, reason)
            entry = _taken_out(app, erasing.plan(app.desk, record, claims), principal, reason)
            done.append(_finished(app, entry, principal))
        Queue(app.work).in_step(app.ledger.revision)
    told = {**(done[-1] if done else {"erased": f"record/{record}"}), "done": True}
    return {**told, "mirrors": mirroring.rebuild_all(root, report)}


def _is_erased(app: App, record: str, claims: list[str]) -> bool:
    stone = KMS("withdrawalReason"), KV("erased"), app.base.public
    wanted = [("record", record)] if record else [("claim", key) for key in claims]
    return all(app.ledger.store.contains(Quad(app.base.iri(*w), *stone)) for w in wanted)


def _unfinished(app: App) -> list[Entry]:
    found = app.ledger.journal.entries(kind=TAKEOUT)
    return [entry for entry in found if not entry.erased]


def _taken_out(app: App, plan: Erasure, principal: Principal, reason: str) -> Entry:
    activity = Activity(TAKEOUT, subject=plan.subject, note=reason)
    revision = app.ledger.commit(Change(activity, plan.add, plan.remove), principal)
    return app.ledger.journal.entry(revision)


def _finished(app: App, entry: Entry, principal: Principal) -> Result:
    """Clear everything beside the store of what a row took out."""
    removed = from_lines(entry.removed or b"")
    plan = erasing.of_row(app.ledger.store, app.base, entry.activity.subject, removed)
    reach = _reach(app, plan)
    dumping.forget(app.archive)
    released.forget(app.archive)
    touched = list(_cleared_releases(app, reach.trace))
    told = _told(app, plan, dry=False, reach=reach, touched=touched)
    for sha256 in _unneeded(app, plan):
        path = app.archive.path_of(sha256)
        if path.is_file():
            path.chmod(0o600)
            path.unlink()
        tiles.forget(app.archive, sha256)
    _clear_rows(app, plan, reach.trace)
    erasure.erase(app.ledger, reach.revisions, principal, entry.activity.note)
    return told


def _reach(app: App, plan: Erasure) -> _Reach:
    after = Overlaid(app.ledger.store, plan.remove, plan.add)

    def is_left(word: Literal) -> bool:
        return next(iter(after.match(None, None, word, None)), None) is not None

    journal = app.ledger.journal
    asserted = erasing.asserted(after, app.base, plan.remove)
    return _Reach(
        *trace(journal, plan.nodes, asserted, is_left, erasing.quote_of, erasing.sentence_of)
    )


def _told(
    app: App,
    plan: Erasure,
    *,
    dry: bool,
    reach: _Reach | None = None,
    touched: list[str] | None = None,
) -> Result:
    found = reach or _reach(app, plan)
    return {
        "dry_run": dry,
        "done": False,
        "erased": plan.subject,
        "passages": len(plan.units),
        "claims": len(plan.claims),
        "statements": len(plan.remove),
        "files": _unneeded(app, plan),
        "revisions": found.revisions,
        "releases": list(_meeting(app, found.trace)) if touched is None else touched,
        "revision": app.ledger.revision,
    }


def _unneeded(app: App, plan: Erasure) -> list[str]:
    """Return the files that nothing needs once the quads are gone."""
    after = Overlaid(app.ledger.store, plan.remove, plan.add)
    named = (KMS(name) for name in ("sha256", "picture", "layoutFile"))
    users = list(named)
    return [
        sha256
        for sha256 in plan.files
        if not any(next(iter(after.match(None, p, Literal(sha256), None)), None) for p in users)
    ]


# ---- releases -----------------------------------------------------------------------------------


def _meeting(app: App, found: Trace) -> Iterator[str]:
    for known in releases.listing(app.archive):
        store = open_store(releases.folder(app.archive, known.name) / "store")
        try:
            if any(found.meets(quad) for quad in store.match()):
                yield known.name
        finally:
            store.close()


def _cleared_releases(app: App, found: Trace) -> Iterator[str]:
    def index(store: TripleStore, folder: Path) -> None:
        ledger = Ledger(app.archive, store, read_only=True)
        try:
            make_indexes(app.archive, folder).rebuild(ledger)
        finally:
            ledger.journal.close()

    for known in releases.listing(app.archive):
        if releases.without(
            app.archive, known.name, found.meets, open_store, make_store, index,
            today().isoformat(),
        ):  # fmt: skip
            yield known.name


# ---- rows ---------------------------------------------------------------------------------------


def _clear_rows(app: App, plan: Erasure, found: Trace) -> None:
    """Delete the rows that hold words of what was erased; the file is written anew.

    The cache of model calls goes whole: an answer does not say which passage it was about.
    """
    units, claims = json.dumps(plan.units), json.dumps(plan.claims)
    words = sorted(word.value for word in found.words)
    among = "IN (SELECT value FROM json_each(?))"
    record = plan.subject.removeprefix("record/") if plan.subject.startswith("record/") else ""
    with app.work.transaction() as db:
        db.execute(f"DELETE FROM opinion WHERE item IN (SELECT item FROM task WHERE unit {among})",
                   (units,))  # fmt: skip
        items = json.dumps([f"claim/{key}" for key in plan.claims])
        for table in ("opinion", "task"):
            db.execute(f"DELETE FROM {table} WHERE item {among}", (items,))
        db.execute(f"DELETE FROM task WHERE unit {among} OR record = ?", (units, record or None))
        about = f"EXISTS (SELECT 1 FROM json_each(things) t WHERE t.value {among})"
        things = (json.dumps([*plan.claims, *plan.things]),)
        db.execute(
            f"DELETE FROM opinion WHERE item IN (SELECT item FROM task WHERE {about})", things
        )
        db.execute(f"DELETE FROM task WHERE {about}", things)
        db.execute(f"DELETE FROM candidate WHERE unit {among} OR claim {among}", (units, claims))
        paths = json.dumps(plan.things)
        db.execute(f"DELETE FROM merge WHERE a {among} OR b {among}", (paths, paths))
        for rowid, reasons in db.execute("SELECT rowid, reasons FROM merge").fetchall():
            if any(word in reasons for word in words):
                db.execute("DELETE FROM merge WHERE rowid = ?", (rowid,))
        _clear_faults(db, plan.names)
        db.execute("DELETE FROM call")
    app.work.scrub()


def _clear_faults(db: Any, names: tuple[str, ...]) -> None:
    def is_named(text: str) -> bool:
        return any(name in text for name in names)

    for rowid, source in db.execute("SELECT rowid, source FROM fault").fetchall():
        if is_named(str(source)):
            db.execute("DELETE FROM fault WHERE rowid = ?", (rowid,))
    for key, told in db.execute("SELECT key, report FROM run WHERE report <> ''").fetchall():
        report = json.loads(told)
        faults = report.get("faults") or []
        left = [f for f in faults if not is_named(str(f.get("source", "")))]
        if len(left) < len(faults):
            changed = json.dumps({**report, "faults": left}, ensure_ascii=False)
            db.execute("UPDATE run SET report = ? WHERE key = ?", (changed, key))
