"""The feed of changes is the journal as the public may know it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rdfkms.app import composition
from rdfkms.app.composition import OWNER, App
from rdfkms.model import Access, Ref
from rdfkms.publish import activity
from rdfkms.publish.activity import Changed, Feed, History
from rdfkms.review import conditions
from rdfkms.vocab import KMS, TYPE
from tests.tools.service import Service
from tests.tools.small_archive import Small
from tests.tools.small_run import Built
from tests.tools.web import fetch


def told(app: App) -> tuple[History, Feed]:
    history = History(app.ledger, app.mapping)
    return history, activity.feed(app.ledger, history, app.ledger.revision)


def standing(found: tuple[Changed, ...]) -> set[Ref]:
    """Return what there is when all changes were followed."""
    things: set[Ref] = set()
    for one in found:
        assert (one.ref in things) is (one.kind != "Create"), one
        things = things - {one.ref} if one.kind == "Delete" else things | {one.ref}
    return things


def public(app: App) -> set[Ref]:
    kinds = {rule.kind for rule in app.mapping.entities.values()} | {"event", "record", "recordset"}
    found = set()
    for quad in app.ledger.store.match(None, TYPE, None, app.base.public):
        parts = app.base.split(getattr(quad.subject, "value", ""))
        if parts and parts[0] in kinds - {"date"} and quad.object != KMS("Tombstone"):
            found.add(Ref(*parts))
    return found


def test_following_the_feed_gives_what_is_public(built: Built) -> None:
    with composition.reading(built.archive) as app:
        _, feed = told(app)
        assert standing(feed.named) == public(app) and len(feed.named) > 30
        assert [c.revision for c in feed.named] == sorted(c.revision for c in feed.named)


def test_what_is_closed_is_named_no_more_and_comes_back(copy: Path) -> None:
    with composition.writing(copy, "test") as app:
        history, before = told(app)
        record = next(one.ref.key for one in before.named if one.ref.kind == "record")

        def change(condition: str) -> Feed:
            conditions.change(app.ledger, app.mapping, record, Access(condition), OWNER)
            return activity.feed(app.ledger, history, app.ledger.revision)

        shut = change("closed")
        assert not [one for one in shut.named if one.ref == Ref("record", record)]
        assert {one.ref for one in shut.named if one.kind != "Delete"} >= public(app)
        opened = change("open")
        mine = [one.kind for one in opened.named if one.ref == Ref("record", record)]
        assert mine[-2:] == ["Delete", "Create"]
        assert standing(opened.named) == public(app)


def test_pages_are_ranges_of_revisions(monkeypatch: pytest.MonkeyPatch, built: Built) -> None:
    monkeypatch.setattr(activity, "PAGE", 3)
    with composition.reading(built.archive) as app:
        _, feed = told(app)
    pages = [activity.page(feed, n, "http://x", "http://b") for n in range(feed.last + 1)]
    found = [one for page in pages for one in page["orderedItems"]]
    assert len(found) == len(feed.named) and len({one["id"] for one in found}) == len(found)
    assert all(len({p["id"] for p in (page["partOf"],)}) == 1 for page in pages)
    assert "prev" not in pages[0] and "next" not in pages[-1]
    assert [p["next"]["id"] for p in pages[:-1]] == [p["id"] for p in pages[1:]]


def test_the_feed_over_http(small_service: Service, small_archive: Small) -> None:
    answer = fetch(f"{small_service.address}/activity")
    assert answer.status == 200 and answer.type == "application/ld+json"
    assert answer.json["type"] == "OrderedCollection" and answer.json["totalItems"] > 3
    page = fetch(answer.json["first"]["id"])
    one = page.json["orderedItems"][0]
    assert {"id", "type", "endTime", "object"} <= one.keys()
    assert small_archive.hidden.key not in page.text
    assert small_archive.closed_record not in page.text
    again = fetch(answer.json["first"]["id"], If_None_Match=page.headers["ETag"])
    assert again.status == 304
    assert fetch(f"{small_service.address}/activity/page/9999999").status == 404
    assert fetch(f"{small_service.address}/activity/page/-1").status == 404
