"""A page shares the condition of its record, whatever was said of it before and meanwhile."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from rdfkms.app import building, checking, composition, operations
from rdfkms.app.composition import OWNER, App
from rdfkms.errors import Broken
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.lock import Lock
from rdfkms.model import Access
from rdfkms.review import conditions, withdrawing
from rdfkms.vocab import KMS
from rdfkms.web import serving
from tests.tools.small_run import command, result

FIRST = "# Registro\n\nRosa Ferrer Quiles: treinta años, natural de Castrovil, maestra.\n"
SECOND = "# Registro\n\nHilario Benaque Ruiz: carpintero, natural de Montelargo, vecino de Orna.\n"
CLOSED = '[[records]]\nmatch = "*.md"\nprofile = "register"\naccess = "closed"\n'
Texts = Callable[[dict[str, str]], Path]


def record_of(archive: Path) -> str:
    with composition.reading(archive) as app:
        (quad,) = app.ledger.store.match(None, KMS("profile"), None, None)
        return str(getattr(quad.subject, "value", "")).rpartition("/")[2]


def public(app: App) -> str:
    return "\n".join(str(q) for q in app.ledger.store.match(None, None, None, app.base.public))


def test_a_new_page_of_a_closed_record_is_closed(texts: Texts, tmp_path: Path) -> None:
    archive = tmp_path / "A"
    result("ingest", texts({"registro-p1.md": FIRST}), "--archive", archive)
    result("access", record_of(archive), "closed", "--archive", archive)
    report = result("ingest", texts({"registro-p2.md": SECOND}), "--archive", archive)
    assert report["files"]["new"] == 1
    with composition.reading(archive) as app:
        said = public(app)
        assert len(list(app.ledger.store.match(None, KMS("ofUnit"), None, app.base.internal))) >= 2
    assert "Ferrer" not in said
    assert "Benaque" not in said
    assert result("check", "--archive", archive)["ok"]


def test_what_should_be_closed_does_not_come_into_an_open_record(
    texts: Texts, tmp_path: Path
) -> None:
    archive = tmp_path / "A"
    result("ingest", texts({"registro-p1.md": FIRST}), "--archive", archive)
    sources = texts({"registro-p2.md": SECOND})
    (sources / "records.toml").write_text(CLOSED, encoding="utf-8")
    report = json.loads(command("ingest", sources, "--json", "--archive", archive).stdout)
    (fault,) = report["faults"]
    assert fault["source"].endswith("registro-p2.md")
    assert f"rdfkms access {record_of(archive)} closed" in fault["hint"]
    with composition.reading(archive) as app:
        assert "Benaque" not in public(app)
    result("access", record_of(archive), "closed", "--archive", archive)
    assert result("ingest", sources, "--archive", archive)["files"]["new"] == 1
    assert result("check", "--archive", archive)["ok"]


def test_a_record_that_is_closed_during_a_run_stays_closed(texts: Texts, tmp_path: Path) -> None:
    archive = tmp_path / "A"
    command("init", "--archive", archive)
    sources = texts({"registro-p1.md": FIRST, "registro-p2.md": SECOND})
    with composition.writing(archive, "test") as app:

        def report(stage: str, done: int, total: int) -> None:
            if (stage, done) == ("pages", 1):  # page 1 is committed, page 2 is read or waits
                (quad,) = app.ledger.store.match(None, KMS("profile"), None, app.base.public)
                key = str(getattr(quad.subject, "value", "")).rpartition("/")[2]
                conditions.change(app.ledger, app.mapping, key, Access("closed"), OWNER)

        told = building.ingest(app, {"paths": [str(sources)]}, OWNER, report)
        said = public(app)
    assert told["units"] == 2
    assert "Ferrer" not in said
    assert "Benaque" not in said
    assert result("check", "--archive", archive)["ok"]


def test_a_record_that_is_withdrawn_during_a_run_stays_so(texts: Texts, tmp_path: Path) -> None:
    archive = tmp_path / "A"
    command("init", "--archive", archive)
    sources = texts({"registro-p1.md": FIRST, "registro-p2.md": SECOND})
    with composition.writing(archive, "test") as app:

        def report(stage: str, done: int, total: int) -> None:
            if (stage, done) == ("pages", 1):
                (quad,) = app.ledger.store.match(None, KMS("profile"), None, app.base.public)
                key = str(getattr(quad.subject, "value", "")).rpartition("/")[2]
                withdrawing.apply(app.desk, withdrawing.plan(app.desk, key), OWNER)

        told = building.ingest(app, {"paths": [str(sources)]}, OWNER, report)
        said = public(app)
        assert [f for test in checking.TESTS.values() for f in test(app)] == []
    assert "Ferrer" not in said
    assert "Benaque" not in said
    (fault,) = told["faults"]
    assert "withdrawn" in fault["reason"]


EMBARGO = CLOSED.replace('"closed"', '"embargo"\nuntil = 2999-01-01')


@pytest.fixture
def embargoed(texts: Texts, tmp_path: Path) -> Path:
    sources = texts({"registro-p1.md": FIRST})
    (sources / "records.toml").write_text(EMBARGO, encoding="utf-8")
    result("ingest", sources, "--archive", tmp_path / "A")
    return tmp_path / "A"


def test_an_embargo_that_ends_is_lifted_by_the_next_command(
    embargoed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rdfkms.access.today", lambda: date(2999, 1, 1))
    with composition.writing(embargoed, "test") as app:
        assert "Ferrer" not in public(app)
        operations.perform_here(app, "token_list", {}, OWNER)
        assert "Ferrer" in public(app)


def test_an_embargo_that_ends_is_lifted_by_the_running_service(
    embargoed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "LAPSE_SECONDS", 0.05)
    stop = threading.Event()
    with composition.writing(embargoed, "test") as app:
        waiting = threading.Thread(target=serving.lapsing, args=(app, stop))
        waiting.start()
        time.sleep(0.3)
        before = public(app)
        monkeypatch.setattr("rdfkms.access.today", lambda: date(2999, 1, 1))
        until = time.monotonic() + 20
        while "Ferrer" not in public(app) and time.monotonic() < until:
            time.sleep(0.05)
        stop.set()
        waiting.join(20)
        assert not waiting.is_alive()
        assert "Ferrer" not in before
        assert "Ferrer" in public(app)


def test_what_was_closed_before_a_failure_is_closed_for_readers_of_the_next(
    embargoed: Path,
) -> None:
    record = record_of(embargoed)
    result("access", record, "open", "--archive", embargoed)
    with pytest.raises(Broken), composition.writing(embargoed, "test") as app:
        conditions.change(app.ledger, app.mapping, record, Access("closed"), OWNER)
        raise Broken("the search index cannot be written")
    with Lock(Archive.open(embargoed), "test"), composition.reading(embargoed) as app:
        assert app.frozen is not None
        assert "Ferrer" not in public(app)
