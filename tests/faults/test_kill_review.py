"""kill -9 in the middle of a decision: it is there whole or not at all, and the queue is right."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from rdfkms.app import checking, composition
from rdfkms.knowledge import decoding
from rdfkms.ledger.journal import Journal
from rdfkms.ledger.work import Work
from rdfkms.model import Kind, Principal, Ref, Role, Status
from rdfkms.review import edits, identities
from rdfkms.review.edits import Correction
from rdfkms.review.merges import merges
from rdfkms.review.queue import Queue
from rdfkms.review.tasks import MERGE
from tests.tools.small_run import command, folder

EVA = Principal("eva", Role.REVIEWER)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("kill-review")
    command("run", folder(root / "sources"), "--archive", root / "A")
    return root / "A"


def dies(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def after(method: Callable[..., object]) -> Callable[..., object]:
    def done_then_dead(*given: object, **named: object) -> object:
        method(*given, **named)
        dies()
        return None

    return done_then_dead


def before_the_journal(app: composition.App) -> None:
    patch.object(Journal, "append", dies).start()  # for good: the process dies of it


def before_the_store(app: composition.App) -> None:
    patch.object(app.ledger.store, "patch", dies).start()


def after_the_store(app: composition.App) -> None:
    patch.object(app.ledger.store, "patch", after(app.ledger.store.patch)).start()


def between_rows_and_journal(app: composition.App) -> None:
    patch.object(Work, "prepare", after(Work.prepare)).start()


POINTS = (before_the_journal, before_the_store, after_the_store)


def proposed(root: Path) -> tuple[str, Ref, Ref]:
    with composition.writing(root, "test") as app:
        task = Queue(app.work).tasks(kind=MERGE)[0]
        one, other = (Ref(*path.split("/", 1)) for path in task.things)
        return task.item, one, other


def killed(
    root: Path, point: Callable[[composition.App], None], act: Callable[..., object]
) -> None:
    def work() -> None:
        with composition.writing(root, "test") as app:
            assert app.desk.shapes
            point(app)
            act(app)

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    process.join(120)
    assert process.exitcode == -signal.SIGKILL


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_merge_that_is_killed_is_whole_or_not_at_all(
    archive: Path, tmp_path: Path, point: Callable[[composition.App], None]
) -> None:
    command("backup", tmp_path / "copy", "--archive", archive)
    root = tmp_path / "copy"
    item, one, other = proposed(root)
    killed(root, point, lambda app: identities.merge(app.desk, one, other, EVA))
    with composition.writing(root, "test") as app:
        known = merges(app.ledger.store, app.base)
        merged = known.canonical(one) == known.canonical(other)
        assert merged is (point is not before_the_journal)
        assert Queue(app.work).task(item).state == ("closed" if merged else "open")
        assert [fault for test in checking.TESTS.values() for fault in test(app)] == []
        if not merged:
            identities.merge(app.desk, one, other, EVA)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("point", [between_rows_and_journal, before_the_store])
def test_an_edit_that_is_killed_leaves_no_half(
    archive: Path, tmp_path: Path, point: Callable[[composition.App], None]
) -> None:
    command("backup", tmp_path / "copy", "--archive", archive)
    root = tmp_path / "copy"
    with composition.writing(root, "test") as app:
        found = list(decoding.all_claims(app.ledger.store, app.base))
        claim = next(
            c for c in found if c.kind is Kind.MENTION and len(c.pointers[0].quote.split()) > 2
        )
    shorter = Correction(quote=claim.pointers[0].quote.rsplit(None, 1)[0])
    killed(root, point, lambda app: edits.edit(app.desk, claim.key, shorter, EVA))
    with composition.writing(root, "test") as app:
        now = decoding.claim(app.ledger.store, app.base, claim.key)
        whole = point is before_the_store
        assert now.status is (Status.SUPERSEDED if whole else Status.ADMITTED)
        assert [fault for test in checking.TESTS.values() for fault in test(app)] == []
