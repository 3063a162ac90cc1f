"""Manifests and collections over pictures that were made for it: sizes, rights, parts, order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.access import ANONYMOUS
from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.errors import NotFound, Unavailable
from rdfkms.knowledge import mapping
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.model import Principal, Role
from rdfkms.publish.iiif import activity, collections, presentation, terms
from rdfkms.publish.iiif.terms import Addresses, Json
from rdfkms.publish.views import Scope, scope_of
from rdfkms.settings import Settings
from rdfkms.vocab import KMS, RICO
from tests.tools.iiif_rules import breaches
from tests.tools.pictured import Pictured, archive_of, png

AT = Addresses("http://localhost:8080")
OWNER = Principal("owner", Role.ADMINISTRATOR)


@pytest.fixture
def made(tmp_path: Path) -> dict[str, Pictured]:
    """Make an archive of six records, one of them closed, one with a very large page."""
    picture = Image.new("L", (300, 200), 255)
    pictures = {f"r{n}": png(picture.resize((300 + n, 200))) for n in (10, 9, 1, 2, 3)}
    pictures["closed"] = png(picture.resize((90, 80)))
    sizes = {"r1": (6000, 8000)}
    return archive_of(tmp_path / "A", pictures, Settings(), ("closed",), sizes)


@pytest.fixture
def ledger(tmp_path: Path, made: dict[str, Pictured]) -> Iterator[Ledger]:
    """Open the archive."""
    archive = Archive.open(tmp_path / "A")
    opened = Ledger(archive, OxigraphStore(archive.store_path))
    yield opened
    opened.close()


@pytest.fixture
def scope(ledger: Ledger) -> Scope:
    """Return what the public reads."""
    return scope_of(ledger.store, ledger.base, mapping.load(), ANONYMOUS)


def manifest(scope: Scope, key: str) -> Json:
    return presentation.manifest(presentation.pictured(scope, key), AT, "Belmira")


def ids(document: Any) -> list[str]:
    return [item["id"].removeprefix(AT.base) for item in document["items"]]


def test_records_stand_in_natural_order_and_closed_ones_do_not(
    scope: Scope, made: dict[str, Pictured]
) -> None:
    top = collections.collection(scope, AT, "Belmira", "top")
    assert [str(i["label"]["en"][0]) for i in top["items"]] == ["r1", "r2", "r3", "r9", "r10"]
    assert breaches(top) == []
    with pytest.raises(NotFound):
        manifest(scope, made["closed"].record)


def test_a_long_collection_comes_in_parts(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collections, "PART", 2)
    top = collections.collection(scope, AT, "Belmira", "top")
    assert ids(top) == [f"/iiif/collection/top/{n}" for n in (1, 2, 3)]
    assert [i["label"]["fr"] for i in top["items"]] == [["1–2"], ["3–4"], ["5–5"]]
    parts = [collections.collection(scope, AT, "Belmira", "top", n) for n in (1, 2, 3)]
    members = [key for part in parts for key in ids(part)]
    assert len(members) == len(set(members)) == 5
    assert all(part["partOf"][0]["id"] == top["id"] and breaches(part) == [] for part in parts)
    with pytest.raises(NotFound):
        collections.collection(scope, AT, "Belmira", "top", 4)


def test_sets_within_sets_lead_down_to_records(
    ledger: Ledger, scope: Scope, made: dict[str, Pictured]
) -> None:
    base, public = ledger.base, ledger.base.public
    outer, inner = base.iri("recordset", "outer"), base.iri("recordset", "inner")
    quads = [
        Quad(outer, RICO("directlyIncludes"), inner, public),
        Quad(inner, RICO("directlyIncludes"), base.iri("record", made["r1"].record), public),
    ]
    for iri, title in ((outer, "Fonds"), (inner, "Serie")):
        kind = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
        quads.append(Quad(iri, kind, RICO("RecordSet"), public))
        quads.append(Quad(iri, RICO("title"), Literal(title, language="es"), public))
    ledger.commit(Change(Activity("test"), add=tuple(quads)), OWNER)
    assert ids(collections.collection(scope, AT, "B", "top"))[0] == "/iiif/collection/outer"
    assert ids(collections.collection(scope, AT, "B", "outer")) == ["/iiif/collection/inner"]
    found = collections.collection(scope, AT, "B", "inner")
    assert ids(found) == [f"/iiif/manifest/{made['r1'].record}"]
    assert found["partOf"][0]["id"].endswith("/collection/outer")
    assert found["label"] == {"es": ["Serie"]}


def test_a_page_over_the_limits_is_painted_by_the_largest_picture_there_is(
    scope: Scope, made: dict[str, Pictured]
) -> None:
    (canvas,) = manifest(scope, made["r1"].record)["items"]
    body = canvas["items"][0]["items"][0]["body"]
    assert (canvas["width"], canvas["height"]) == (6000, 8000)
    assert (body["width"], body["height"]) == (3464, 4618)
    assert body["service"][0]["width"] == 6000
    assert "annotations" not in canvas, "nothing was read there"


@pytest.mark.parametrize(
    ("stated", "rights"),
    [
        ("https://creativecommons.org/licenses/by/4.0/", "http://creativecommons.org/licenses/by/4.0/"),
        ("http://rightsstatements.org/vocab/InC/1.0/", "http://rightsstatements.org/vocab/InC/1.0/"),
        ("Ask the archive before printing.", ""),
    ],
)  # fmt: skip
def test_conditions_of_use_are_rights_or_words(
    ledger: Ledger, scope: Scope, made: dict[str, Pictured], stated: str, rights: str
) -> None:
    record = ledger.base.iri("record", made["r2"].record)
    quad = Quad(record, RICO("conditionsOfUse"), Literal(stated), ledger.base.public)
    ledger.commit(Change(Activity("test"), add=(quad,)), OWNER)
    found = manifest(scope, made["r2"].record)
    assert found.get("rights", "") == rights
    assert ("Conditions of use" in str(found["metadata"])) is (not rights)
    assert breaches(found) == []


# ---- what became of manifests -------------------------------------------------------------------


def told(found: list[activity.Activity], made: dict[str, Pictured]) -> list[tuple[str, str]]:
    names = {picture.record: name for name, picture in made.items()}
    return [(item.kind, names[item.record]) for item in found]


def moved(ledger: Ledger, record: str, source: NamedNode, target: NamedNode) -> Change:
    """Return the change that takes a record's own triples to another graph."""
    quads = list(ledger.store.match(ledger.base.iri("record", record), None, None, source))
    there = tuple(Quad(q.subject, q.predicate, q.object, target) for q in quads)
    return Change(Activity("access"), add=there, remove=tuple(quads))


def test_activities_follow_what_the_public_sees(ledger: Ledger, made: dict[str, Pictured]) -> None:
    activities, base = activity.Activities(ledger), ledger.base
    first = activities.all()
    assert {kind for kind, _ in told(first, made)} == {"Create"}
    assert {name for _, name in told(first, made)} == {"r1", "r2", "r3", "r9", "r10"}
    r1, closed = made["r1"].record, made["closed"].record
    title = Quad(base.iri("record", r1), RICO("title"), Literal("new"), base.public)
    claim = Quad(base.iri("claim", "c"), KMS("claimStatus"), KMS("admitted"), base.public)
    version = Quad(base.iri("inst", "v"), KMS("ofPage"), base.iri("inst", made["r2"].page),
                   base.public)  # fmt: skip
    hidden = Quad(base.iri("record", closed), RICO("title"), Literal("x"), base.internal)
    for quad in (title, claim, version, hidden):
        ledger.commit(Change(Activity("test"), add=(quad,)), OWNER)
    ledger.commit(moved(ledger, r1, base.public, base.internal), OWNER)
    ledger.commit(moved(ledger, r1, base.internal, base.public), OWNER)
    found = activities.all()
    assert found[: len(first)] == first, "what was told stays told"
    assert told(found[len(first) :], made) == [
        ("Update", "r1"), ("Update", "r2"), ("Delete", "r1"), ("Create", "r1"),
    ]  # fmt: skip
    assert activity.Activities(ledger).all() == found, "the journal tells it again"
    assert [item.time for item in found] == sorted(item.time for item in found)


def test_a_long_journal_is_read_in_pieces(
    ledger: Ledger, made: dict[str, Pictured], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = activity.Activities(ledger).all()
    for _ in range(3):
        title = Quad(
            ledger.base.iri("claim", f"c{_}"), KMS("rank"), KMS("normal"), ledger.base.public
        )
        ledger.commit(Change(Activity("test"), add=(title,)), OWNER)
    monkeypatch.setattr(activity, "_PATIENCE", 0.0)
    slow = activity.Activities(ledger)
    refused = 0
    while True:
        try:
            found = slow.all()
            break
        except Unavailable as error:
            assert error.http_status == 503
            refused += 1
    assert found == whole and refused == 4


def test_pages_of_activities_are_linked_and_stay_as_they_are(
    ledger: Ledger, made: dict[str, Pictured], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity, "PAGE", 2)
    activities = activity.Activities(ledger)
    found = activities.all()
    head = activity.whole(found, AT)
    assert head["totalItems"] == 5 and head["last"]["id"].endswith("/page/2")
    pages = [activity.page(found, n, AT) for n in (0, 1, 2)]
    assert [p.get("next", {}).get("id", "")[-1:] for p in pages] == ["1", "2", ""]
    assert [p.get("prev", {}).get("id", "")[-1:] for p in pages] == ["", "0", "1"]
    assert [len(p["orderedItems"]) for p in pages] == [2, 2, 1]
    assert all(i["endTime"].endswith("Z") for p in pages for i in p["orderedItems"])
    record = made["r1"].record
    title = Quad(ledger.base.iri("record", record), RICO("title"), Literal("n"), ledger.base.public)
    ledger.commit(Change(Activity("test"), add=(title,)), OWNER)
    later = activities.all()
    assert [activity.page(later, n, AT) for n in (0, 1)] == pages[:2]
    assert activity.one(later, later[-1].revision, record, AT)["type"] == "Update"
    with pytest.raises(NotFound):
        activity.page(later, 3, AT)


def test_every_label_is_there_in_every_language() -> None:
    known = terms._labels()
    for name, forms in known.items():
        assert set(forms) == {"en", "fr", "es", "de", "zh"}, name
        assert all(forms.values()), name
        assert len({form.count("{}") for form in forms.values()}) == 1, name
