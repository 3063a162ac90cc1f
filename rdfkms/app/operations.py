"""What may be done to an archive, by name: the same from the command line and over the service.

`perform` does it here when the archive is free, and asks the running service when it is served.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rdfkms import access as access_module
from rdfkms.app import (
    amending,
    building,
    curating,
    describing,
    enriching,
    erasing,
    governing,
    linking,
    meeting,
    proposing,
    releasing,
    remote,
    reviewing,
    reviewing_batches,
    stating,
)
from rdfkms.app.composition import OWNER, App, make_indexes, make_store, writing
from rdfkms.errors import NotFound
from rdfkms.ledger import backup as backups
from rdfkms.ledger import rebuild as rebuilding
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.lock import Lock, served
from rdfkms.model import Principal, Role
from rdfkms.publish.oai import index as harvest
from rdfkms.review import conditions
from rdfkms.settings import DEFAULT_BASE, Settings

Report = Callable[[str, int, int], None]
Arguments = Mapping[str, Any]
Result = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """A named operation, the role it demands, and what completes "may not ..."."""

    perform: Callable[[App, Arguments, Principal, Report], Result]
    role: Role
    what: str


def _silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


OPERATIONS: dict[str, Operation] = {
    # Paths are those of the machine that serves: only its owner may name them.
    "run": Operation(building.run, Role.ADMINISTRATOR, "read files of the server"),
    "ingest": Operation(building.ingest, Role.ADMINISTRATOR, "read files of the server"),
    "describe": Operation(describing.describe, Role.ADMINISTRATOR, "read files of the server"),
    "meet": Operation(meeting.meet, Role.ADMINISTRATOR, "read files of the server"),
    "extract": Operation(building.extract, Role.CONTRIBUTOR, "extract statements"),
    "link": Operation(linking.link, Role.CONTRIBUTOR, "ask authorities"),
    "state": Operation(stating.state, Role.CONTRIBUTOR, "state what is in no source"),
    "propose": Operation(proposing.propose, Role.CONTRIBUTOR, "propose claims"),
    "enrich": Operation(enriching.enrich, Role.CONTRIBUTOR, "describe passages"),
    "rollback": Operation(governing.rollback, Role.REVIEWER, "take back claims"),
    "source_list": Operation(curating.listed, Role.READER, "list sources"),
    "source_withdraw": Operation(curating.withdraw, Role.REVIEWER, "withdraw sources"),
    "source_replace": Operation(curating.replace, Role.ADMINISTRATOR, "read files of the server"),
    "release_create": Operation(releasing.create, Role.REVIEWER, "make releases"),
    "access": Operation(governing.access, Role.REVIEWER, "change access conditions"),
    "token_add": Operation(governing.token_add, Role.ADMINISTRATOR, "add tokens"),
    "token_list": Operation(governing.token_list, Role.ADMINISTRATOR, "list tokens"),
    "token_revoke": Operation(governing.token_revoke, Role.ADMINISTRATOR, "revoke tokens"),
    "claim_audit": Operation(reviewing.audited, Role.READER, "read"),
    "record_proposals": Operation(reviewing.proposed, Role.CONTRIBUTOR, "read proposals"),
    "review_list": Operation(reviewing.listed, Role.CONTRIBUTOR, "read the review queue"),
    "review_show": Operation(reviewing.shown, Role.CONTRIBUTOR, "read the review queue"),
    "review_thing": Operation(reviewing.thing, Role.CONTRIBUTOR, "read the review queue"),
    "review_decisions": Operation(reviewing.decided, Role.CONTRIBUTOR, "read decisions"),
    "review_agreement": Operation(reviewing.agreement, Role.CONTRIBUTOR, "read opinions"),
    "review_lessons": Operation(reviewing.learnt, Role.CONTRIBUTOR, "read lessons"),
    "review_accept": Operation(reviewing.accept, Role.REVIEWER, "accept claims"),
    "review_reject": Operation(reviewing.reject, Role.REVIEWER, "reject claims"),
    "review_reopen": Operation(reviewing.reopen, Role.REVIEWER, "reopen claims"),
    "review_keep": Operation(reviewing.keep, Role.REVIEWER, "settle conflicts"),
    "review_rank": Operation(reviewing.rank, Role.REVIEWER, "rank claims"),
    "review_edit": Operation(reviewing.edit, Role.REVIEWER, "edit claims"),
    "review_merge": Operation(reviewing.merge, Role.REVIEWER, "merge things"),
    "review_differ": Operation(reviewing.differ, Role.REVIEWER, "declare things different"),
    "review_split": Operation(reviewing.split, Role.REVIEWER, "split things"),
    "review_undo": Operation(reviewing.undo, Role.REVIEWER, "undo decisions"),
    "review_batch": Operation(reviewing_batches.decide, Role.REVIEWER, "decide on claims"),
    "review_assign": Operation(reviewing.assign, Role.CONTRIBUTOR, "take items of the queue"),
    "review_second": Operation(reviewing.second, Role.CONTRIBUTOR, "ask for a second opinion"),
    "review_opine": Operation(reviewing.opine, Role.REVIEWER, "give opinions"),
    "amend_fields": Operation(amending.listed, Role.CONTRIBUTOR, "read what waits"),
    "amend": Operation(amending.amend, Role.REVIEWER, "edit descriptions"),
    "amend_remove": Operation(amending.remove, Role.REVIEWER, "edit descriptions"),
    "backup": Operation(governing.backup, Role.ADMINISTRATOR, "write files of the server"),
}


def perform(root: Path, name: str, arguments: Arguments, report: Report = _silent) -> Result:
    """Do one operation on the archive in `root`, here or through the service that holds it."""
    if name in ("run", "ingest", "describe") and not (root / "archive.toml").exists():
        if arguments.get("dry_run"):  # what would come into an archive that is not there yet
            with tempfile.TemporaryDirectory() as folder:
                create(Path(folder) / "archive", title="", base="", profile="plain")
                return perform(Path(folder) / "archive", name, arguments, report)
        create(root, title="An archive", base="", profile="plain")
    archive = Archive.open(root)
    service = served(archive)
    if service is not None:
        return remote.perform(service, name, arguments, report)
    with writing(root, name) as app:
        return perform_here(app, name, arguments, OWNER, report)


def perform_here(
    app: App, name: str, arguments: Arguments, principal: Principal, report: Report = _silent
) -> Result:
    """Do one operation on an open archive; raises `Denied` below its role."""
    operation = OPERATIONS.get(name)
    if operation is None:
        raise NotFound(f"There is no command {name!r}.", hint="See rdfkms --help.")
    access_module.demand(principal, operation.role, operation.what)
    conditions.lapse(app.ledger, app.mapping, OWNER)  # an embargo may have ended since
    return operation.perform(app, arguments, principal, report)


def create(root: Path, *, title: str, base: str, profile: str) -> Result:
    """Make a new archive with its vocabulary."""
    settings = Settings(title=title, base=base or DEFAULT_BASE, default_profile=profile)
    building.check_profile(profile)
    archive = Archive.create(root, settings)
    with writing(root, "init") as app:
        revision = app.ledger.revision
    return {"archive": str(archive.root), "base": settings.base, "revision": revision}


def rebuild(root: Path, report: Report = _silent) -> Result:
    """Make store and indexes anew from journal and files; the archive must be free."""
    archive = Archive.open(root)
    with Lock(archive, "rebuild"):
        done = rebuilding.rebuild(
            archive, make_store, lambda step, steps: report("rebuild store", step, steps)
        )
        harvest.discard(archive)  # it is made anew when a harvester comes
        ledger = Ledger(archive, make_store(archive.store_path))
        try:
            make_indexes(archive).rebuild(
                ledger, lambda step, steps: report("rebuild indexes", step, steps)
            )
        finally:
            ledger.close()
    return {"revision": done.revision, "quads": done.quads, "seconds": round(done.seconds, 3)}


def erase(root: Path, arguments: Arguments, report: Report = _silent) -> Result:
    """Erase a record or claims by law; the archive must be free. Store and indexes are remade."""
    result = erasing.erase(root, arguments, OWNER, report)
    if result["done"]:
        rebuild(root, report)
        with writing(root, "erase") as app:  # leaves a snapshot for those who read
            result["revision"] = app.ledger.revision
    return result


def restore(source: Path, target: Path) -> Result:
    """Make an archive from a backup."""
    archive = backups.restore(source, target)
    with writing(archive.root, "restore") as app:
        app.indexes.update(app.ledger)
        return {"archive": str(archive.root), "revision": app.ledger.revision}
