"""A source is withdrawn while the service runs: every surface of linked data lets go of it."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tests.tools.service import serving
from tests.tools.small_run import Built, result
from tests.tools.web import Answer, fetch


@dataclass(frozen=True)
class Surface:
    """What one state of the service gives out."""

    dump: set[bytes]
    release: set[bytes]
    sitemap: str
    dataset: str
    names: dict[str, str]
    changes: list[dict[str, Any]]


def activities(address: str) -> list[dict[str, Any]]:
    """Return all activities, page after page, as a client of the feed finds them."""
    whole = fetch(f"{address}/activity").json
    at, found = whole["first"], []
    while at:
        page = fetch(at["id"]).json
        found += page["orderedItems"]
        at = page.get("next")
    assert page["id"] == whole["last"]["id"] and len(found) == whole["totalItems"]
    return found


def lines(answer: Answer) -> set[bytes]:
    with zstandard.ZstdDecompressor().stream_reader(answer.body) as reader:
        return set(reader.read().splitlines())


def reconciled(address: str, query: str) -> list[dict[str, Any]]:
    found = fetch(f"{address}/reconcile?{urllib.parse.urlencode({'query': query})}")
    return list(found.json["result"])


def look(address: str) -> Surface:
    suggested = fetch(f"{address}/reconcile/suggest/entity?prefix=").json["result"]
    return Surface(
        lines(fetch(f"{address}/dumps/latest.nq.zst")),
        lines(fetch(f"{address}/dumps/before.nq.zst")),
        fetch(f"{address}/sitemap-1.xml").text,
        fetch(f"{address}/dataset.nt").text,
        {one["id"]: one["name"] for one in suggested},
        activities(address),
    )


@dataclass(frozen=True)
class Both:
    """The states before and after, the record that went, and the running service."""

    address: str
    record: str
    before: Surface
    after: Surface
    archive: Path


@pytest.fixture(scope="module")
def both(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    """Return what the service gives out before and after the withdrawal of a record."""
    import shutil

    archive = Path(shutil.copytree(built.archive, tmp_path_factory.mktemp("gone") / "A"))
    result("release", "create", "before", "--archive", archive)
    with serving(archive) as service:
        before = look(service.address)
        record = result("source", "list", "--archive", archive)["records"][0]["record"]
        result("source", "withdraw", record, "--note", "rights", "--archive", archive)
        yield Both(service.address, record, before, look(service.address), archive)


def test_dumps_of_now_and_of_releases_lose_it(both: Both) -> None:
    assert both.before.dump == both.before.release
    gone = both.before.dump - both.after.dump
    assert gone and not gone & both.after.release
    assert both.after.release == both.before.release & both.after.dump
    assert len(list((both.archive / "dumps").iterdir())) == 2, "older dumps are removed"


def test_sitemaps_lose_it_and_statistics_follow(both: Both) -> None:
    assert both.record in both.before.sitemap and both.record not in both.after.sitemap
    assert both.before.dataset != both.after.dataset
    assert fetch(f"{both.address}/linkset/record/{both.record}").status == 410


def test_what_it_alone_named_is_no_candidate(both: Both) -> None:
    lost = set(both.before.names) - set(both.after.names)
    assert lost
    for one in lost:
        found = json.dumps(reconciled(both.address, both.before.names[one]))
        assert one not in found
        assert fetch(f"{both.address}/reconcile/preview?id={one}").status in (404, 410)
        asked = json.dumps({"ids": [one], "properties": [{"id": "namedAs"}]})
        rows = fetch(f"{both.address}/reconcile?{urllib.parse.urlencode({'extend': asked})}").json
        assert rows["rows"] == {one: {"namedAs": []}}


def test_the_feed_tells_of_its_deletion(both: Both) -> None:
    before, after = both.before.changes, both.after.changes
    assert after[: len(before)] == before, "what stood on a page stays there"
    new = {one["object"]["id"].rpartition("/id/")[2]: one["type"] for one in after[len(before) :]}
    assert new[f"record/{both.record}"] == "Delete"
    lost = set(both.before.names) - set(both.after.names)
    assert all(new[one] == "Delete" for one in lost)
    assert "Create" not in new.values()
    names = [name for name in both.before.names.values() if len(name) > 5]
    assert not [name for name in names if name in json.dumps(after, ensure_ascii=False)]
