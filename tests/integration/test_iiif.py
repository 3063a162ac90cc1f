"""Manifests, annotations, collections and search of pages that were really read, over HTTP."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import iiif_prezi3
import numpy as np
import pytest
from PIL import Image

from rdfkms.ingest import wordsfile
from rdfkms.ledger.archive import Archive
from rdfkms.publish.iiif import searching, tiles
from tests.integration.test_iiif_images import Got, get
from tests.tools.iiif_rules import breaches, parts
from tests.tools.service import Service, free_port, serving
from tests.tools.small_run import ROOT, Built, command, result

CAUSE = "Causa 118"
BASE = "http://localhost:8080"  # of an archive that was made without --base


@dataclass(frozen=True)
class Read:
    """A served archive, the base of its addresses, and the token of an administrator."""

    service: Service
    base: str
    token: str

    def json(self, path: str, token: str = "") -> Any:
        """Return a document that must be there."""
        answer = self.get(path, token)
        assert answer.status == 200, (path, answer.status, answer.body[:300])
        return json.loads(answer.body)

    def get(self, path: str, token: str = "") -> Got:
        """Return the answer to a GET of a path or a whole address."""
        address = self.service.address + path.removeprefix(self.base)
        named = {"Authorization": f"Bearer {token}"} if token else {}
        return get(address.partition("#")[0], Accept="application/json", **named)

    def manifests(self) -> list[Any]:
        """Return every manifest that the collections lead to."""
        waiting, found = ["/iiif/collection/top"], []
        while waiting:
            document = self.json(waiting.pop())
            if document["type"] == "Manifest":
                found.append(document)
            else:
                waiting += [item["id"] for item in document["items"]]
        return sorted(found, key=lambda m: str(m["label"]))


@pytest.fixture(scope="module")
def place(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Read]:
    """Serve a copy of the small archive."""
    archive = Path(shutil.copytree(built.archive, tmp_path_factory.mktemp("iiif") / "A"))
    token = result("token", "add", "ana", "--role", "administrator", "--archive", archive)
    with serving(archive) as service:
        yield Read(service, BASE, token["secret"])


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Read]:
    """Serve the whole sample, with the address of the service as its base."""
    archive, port = tmp_path_factory.mktemp("iiif-sample") / "A", free_port()
    base = f"http://127.0.0.1:{port}"
    command("init", "--archive", archive, "--base", base, "--title", "Belmira")
    command("run", ROOT / "examples", "--archive", archive)
    with serving(archive, port) as service:
        yield Read(service, base, "")


def titled(place: Read, title: str) -> Any:
    """Return the manifest with a title."""
    return next(m for m in place.manifests() if title in str(m["label"]))


def annotation_pages(place: Read, manifest: Any) -> Iterator[tuple[Any, str, Any]]:
    """Yield canvas, name and document of each annotation page of a manifest."""
    for canvas in manifest["items"]:
        for reference in canvas.get("annotations", ()):
            yield canvas, reference["id"].rpartition("/")[2], place.json(reference["id"])


# ---- form ---------------------------------------------------------------------------------------


def check_form(place: Read) -> int:
    """Validate every manifest, collection and annotation page; return how many manifests."""
    top = place.json("/iiif/collection/top")
    for document in (
        top,
        *(place.json(c["id"]) for c in top["items"] if c["type"] == "Collection"),
    ):
        iiif_prezi3.Collection.model_validate(document)
        assert breaches(document) == []
    manifests = place.manifests()
    for manifest in manifests:
        iiif_prezi3.Manifest.model_validate(manifest)
        assert breaches(manifest) == []
        for canvas, name, page in annotation_pages(place, manifest):
            iiif_prezi3.AnnotationPage.model_validate(page)
            assert breaches(page) == []
            for item in page["items"]:
                assert_on_canvas(canvas, item["target"], name)
    return len(manifests)


def assert_on_canvas(canvas: Any, target: Any, name: str) -> None:
    for one in target if isinstance(target, list) else [target]:
        head, _, fragment = one.partition("#xywh=")
        assert head == canvas["id"], name
        if fragment:
            x, y, w, h = map(int, fragment.split(","))
            assert w > 0 and h > 0
            assert x + w <= canvas["width"] and y + h <= canvas["height"], (name, one)


def test_every_document_is_valid(place: Read) -> None:
    assert check_form(place) == 1


def test_the_rules_find_what_prezi3_lets_through(place: Read) -> None:
    good = place.manifests()[0]
    assert breaches(good) == []
    changes: list[tuple[Callable[[Any], Any], str]] = [
        (lambda m: m.update(label="causa"), "no language map"),
        (lambda m: m["items"][0].pop("height"), "alone"),
        (lambda m: m["items"][0].update(width=10.5), "no whole number"),
        (lambda m: m.update(label={"en": "causa"}), "no language map"),
        (lambda m: m["items"].append(m["items"][0]), "one id"),
        (lambda m: m["items"][0]["items"][0]["items"][0].update(target="http://x/y"), "paint"),
        (lambda m: m.update(thumbnail={"id": "http://x/y", "type": "Image"}), "no list"),
    ]
    for change, said in changes:
        bad = json.loads(json.dumps(good))
        change(bad)
        assert any(said in sentence for sentence in breaches(bad)), said


def check_links(place: Read) -> int:
    """Fetch every address that manifests and annotation pages name; return how many."""
    named: set[str] = set()
    for manifest in place.manifests():
        pages = [page for _, _, page in annotation_pages(place, manifest)]
        for part in parts([manifest, *pages]):
            named.update(str(part[k]) for k in ("id", "target") if isinstance(part.get(k), str))
    whole = {address.partition("#")[0] for address in named}
    assert all(address.startswith(place.base + "/") for address in whole)
    bad = {address: place.get(address).status for address in whole}
    assert {a: s for a, s in bad.items() if s != 200} == {}
    return len(whole)


def test_every_address_in_the_documents_leads_somewhere(place: Read) -> None:
    assert check_links(place) > 100


def test_a_manifest_says_what_a_viewer_needs(place: Read) -> None:
    manifest = titled(place, CAUSE)
    assert manifest["label"] == {"es": [CAUSE]}
    assert [c["label"]["en"] for c in manifest["items"]] == [["Page 1"], ["Page 2"]]
    assert manifest["requiredStatement"]["value"] == {"none": ["An archive"]}
    assert {e["format"] for e in manifest["seeAlso"]} >= {"text/turtle", "application/ld+json"}
    assert "rights" not in manifest, "no licence was stated"
    ranges = manifest["structures"][0]["items"]
    assert ranges and all(r["type"] == "Range" and r["items"] for r in ranges)
    key = manifest["id"].rpartition("/")[2]
    html = place.service.get(f"/page/record/{key}")[1]
    assert f'<link rel="alternate" type="application/ld+json" href="/iiif/manifest/{key}"' in html


# ---- content ------------------------------------------------------------------------------------


def sources_by_service(place: Read) -> dict[str, Any]:
    archive = Archive.open(place.service.archive)
    found: dict[str, Any] = {}
    for path in archive.files.glob("*/*"):
        data = path.read_bytes()
        if data[:4] == b"\x89PNG":
            with Image.open(io.BytesIO(data)) as opened:
                found[path.name] = np.asarray(opened.convert("RGB"))
    return found


def check_crops(place: Read) -> int:
    """Compare the crop of each passage with the source, pixel for pixel; return how many."""
    sources, count = sources_by_service(place), 0
    for manifest in place.manifests():
        for canvas, name, page in annotation_pages(place, manifest):
            if name != "text":
                continue
            service = canvas["items"][0]["items"][0]["body"]["service"][0]["id"]
            source = sources[service.rpartition("/")[2]]
            for item in page["items"]:
                targets = item["target"] if isinstance(item["target"], list) else [item["target"]]
                for region in (t.partition("#xywh=")[2] for t in targets):
                    x, y, w, h = map(int, region.split(","))
                    crop = place.get(f"{service}/{region}/max/0/default.png")
                    got = np.asarray(crop.picture.convert("RGB"))
                    assert np.array_equal(got, source[y : y + h, x : x + w]), (service, region)
                    count += 1
    return count


def test_the_crop_of_each_passage_is_the_page_pixel_for_pixel(place: Read) -> None:
    assert check_crops(place) >= 10


def test_passages_lines_and_quotes_say_what_the_archive_holds(place: Read) -> None:
    manifest = titled(place, CAUSE)
    by_name: dict[str, list[Any]] = {"text": [], "lines": [], "claims": []}
    for _, name, page in annotation_pages(place, manifest):
        by_name[name] += page["items"]
    texts = [item["body"]["value"] for item in by_name["text"]]
    assert all(item["motivation"] == "supplementing" for item in by_name["text"])
    joined = "".join("".join(texts).split())
    for line in by_name["lines"]:
        assert "".join(line["body"]["value"].split()) in joined
    quoted = [item for item in by_name["claims"] if ": born in " in item["body"][0]["value"]]
    assert quoted and all("linking" in item["motivation"] for item in quoted)
    for item in by_name["claims"]:
        quote_said = re.search(r"“(.*)”\)$", item["body"][0]["value"], re.DOTALL)
        assert quote_said is not None
        assert any(quote_said[1] in text for text in texts)


def words_at(place: Read, canvas: str, region: str) -> str:
    """Return the words of a page whose boxes lie in a region, by the words files themselves."""
    x, y, w, h = map(int, region.split(","))
    archive = Archive.open(place.service.archive)
    found = ""
    for path in archive.files.glob("*/*"):
        data = path.read_bytes()
        if data[:4] != b"\x28\xb5\x2f\xfd":
            continue
        text, words = wordsfile.load(data)
        inside = [
            text[word.start : word.end]
            for word in words
            if word.box is not None
            and x <= word.box.x and y <= word.box.y
            and word.box.x + word.box.w <= x + w and word.box.y + word.box.h <= y + h
        ]  # fmt: skip
        found += " ".join(inside) + "\n"
    return found


@pytest.mark.parametrize("asked", ["natural", "NATURAL", "procesado"])
def test_search_finds_words_with_their_boxes(place: Read, asked: str) -> None:
    manifest = titled(place, CAUSE)
    service = manifest["service"][0]["id"]
    document = place.json(f"{service}?q={asked}&motivation=x&user=y")
    iiif_prezi3.AnnotationPage.model_validate(
        {k: v for k, v in document.items() if k not in ("ignored", "annotations")}
    )
    assert document["ignored"] == ["motivation", "user"]
    assert document["items"]
    canvases = {c["id"]: c for c in manifest["items"]}
    contexts = document["annotations"][0]["items"]
    assert [c["target"]["source"] for c in contexts] == [i["id"] for i in document["items"]]
    for item, context in zip(document["items"], contexts, strict=True):
        canvas, _, region = item["target"].partition("#xywh=")
        assert_on_canvas(canvases[canvas], item["target"], "search")
        assert item["body"]["value"].casefold() == asked.casefold()
        assert asked.casefold() in words_at(place, canvas, region).casefold()
        (selector,) = context["target"]["selector"]
        passage = place.json(item["id"])
        whole = selector["prefix"] + selector["exact"] + selector["suffix"]
        assert whole in passage["body"]["value"]


def test_words_are_offered_as_one_types(place: Read) -> None:
    service = titled(place, CAUSE)["service"][0]
    terms = service["service"][0]["id"]
    document = place.json(f"{terms}?q=NATU&date=1")
    assert document["type"] == "TermPage" and document["ignored"] == ["date"]
    (natural,) = [item for item in document["items"] if item["value"] == "natural"]
    found = place.json(natural["service"][0]["id"])["items"]
    assert len(found) == natural["total"] > 0
    assert place.json(terms)["items"] == []
    assert place.json(f"{terms}?q=zzyzx")["items"] == []


def test_search_demands_all_words(place: Read) -> None:
    spanish = titled(place, CAUSE)["service"][0]["id"]
    both = place.json(f"{spanish}?q=natural+procesado")
    for item in both["items"]:
        passage = place.json(item["id"])["body"]["value"].casefold()
        assert "natural" in passage and "procesado" in passage
    assert place.json(f"{spanish}?q=zzyzx")["items"] == []
    assert place.json(spanish)["items"] == []


def test_a_long_answer_comes_in_parts(place: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    from rdfkms.app import composition
    from rdfkms.web import create_app
    from rdfkms.web.services import services_of

    monkeypatch.setattr(searching, "PASSAGES", 1)
    key = titled(place, CAUSE)["id"].rpartition("/")[2]
    with composition.reading(place.service.archive) as app:
        client = create_app(services_of(app)).test_client()
        whole, address = [], f"/iiif/search/{key}?q=de"
        while address:
            page = client.get(address).get_json()
            whole += [item["id"] for item in page["items"]]
            address = page.get("next", {}).get("id", "").removeprefix(place.base)
        assert len(whole) == len(set(whole)) > 3
        assert page["partOf"]["last"]["id"].endswith(page["id"].partition("?")[2])


# ---- refusals -----------------------------------------------------------------------------------


def test_hostile_requests_get_a_sentence(place: Read) -> None:
    key = titled(place, CAUSE)["id"].rpartition("/")[2]
    manifest = f"/iiif/manifest/{key}"
    canvas = titled(place, CAUSE)["items"][0]["id"].removeprefix(place.base)
    for path, status in (
        (f"{manifest}/canvas/nope", 404), (f"{manifest}/canvas/nope/text", 404),
        (f"{canvas}/nope", 404), (f"{canvas}/text/nope", 404), (f"{manifest}/range/99", 404),
        ("/iiif/manifest/nope", 404), ("/iiif/manifest/%00", 404), ("/iiif/manifest/..%2f..", 404),
        ("/iiif/collection/nope", 404), ("/iiif/collection/top/0", 404),
        ("/iiif/collection/top/1", 404), ("/iiif/collection/top/" + "9" * 400, 404),
        (f"/iiif/search/{key}?q=" + "a" * 500, 400), (f"/iiif/search/{key}?q=a&part=x", 400),
        (f"/iiif/search/{key}?q=%00%ff%22((%2A", 200), ("/iiif/search/nope?q=a", 404),
        (f"/iiif/search/{key}?q=a&part=999999", 200), ("/iiif/nope", 404), ("/iiif", 404),
        ("/iiif/activity/page/7", 404), ("/iiif/activity/page/-1", 404),
        ("/iiif/activity/page/" + "9" * 300, 404), ("/iiif/activity/revision/1/nope", 404),
        ("/iiif/manifest/%22%3E%3Cscript%3E", 404),
    ):  # fmt: skip
        answer = place.get(path)
        assert answer.status == status, path
        assert answer.headers["Access-Control-Allow-Origin"] == "*", path
        assert b"<script>" not in answer.body


def test_a_record_without_pictures_says_so(place: Read) -> None:
    rows = result("source", "list", "--archive", place.service.archive)["records"]
    key = next(r["record"] for r in rows if r["title"] == "Registro")
    answer = place.get(f"/iiif/manifest/{key}")
    assert answer.status == 404 and b"no page pictures" in answer.body
    assert key not in str(place.json("/iiif/collection/top"))


def test_documents_are_not_sent_twice(place: Read) -> None:
    address = place.service.address + titled(place, CAUSE)["id"].removeprefix(place.base)
    first = get(address)
    assert get(address, If_None_Match=first.headers["ETag"]).status == 304
    linked = get(address, Accept="application/ld+json")
    assert linked.headers["Content-Type"].startswith('application/ld+json;profile="http://iiif.io')
    assert linked.body == first.body
    assert "Accept" in linked.headers["Vary"]


def test_ingest_wrote_the_tiles(place: Read) -> None:
    archive = Archive.open(place.service.archive)
    shown = {c["items"][0]["items"][0]["body"]["service"][0]["id"].rpartition("/")[2]
             for m in place.manifests() for c in m["items"]}  # fmt: skip
    assert shown
    assert {s for s in shown if not tiles.path_of(archive, s).is_file()} == set()


# ---- visibility: these change the archive, so they come last ------------------------------------


def everything(place: Read, manifest: Any) -> list[str]:
    """Return the addresses of a record's IIIF documents and pictures, of annotations some."""
    key = manifest["id"].rpartition("/")[2]
    found = {f"/iiif/search/{key}{rest}" for rest in ("?q=de", "", "/terms?q=d")}
    pages = [page for _, _, page in annotation_pages(place, manifest)]
    some = [{**page, "items": page["items"][:2]} for page in pages]
    for part in parts([manifest, *some]):
        address = str(part.get("id", "")).partition("#")[0]
        if "/iiif/" in address and "/collection/" not in address:
            found.add(address)
    return sorted(found)


def test_an_embargoed_record_leaks_nothing_and_a_withdrawn_one_is_gone(place: Read) -> None:
    manifest = titled(place, CAUSE)
    key, at = manifest["id"].rpartition("/")[2], ("--archive", place.service.archive)
    hidden = everything(place, manifest)
    assert len(hidden) > 25
    result("access", key, "embargo", "--until", "2999-01-01", *at)
    assert {place.get(path).status for path in hidden} == {404}
    assert {place.get(path, place.token).status for path in hidden} == {200}, "staff see it"
    shown = [place.json("/iiif/collection/top")]
    shown += [place.json(item["id"]) for item in shown[0]["items"]]
    assert key not in str(shown) and CAUSE not in str(shown)
    assert place.get(hidden[0], "wrong").status == 401
    result("access", key, "open", *at)
    assert place.get(f"/iiif/manifest/{key}").status == 200
    result("source", "withdraw", key, "--note", "returned", *at)
    statuses = {path: place.get(path).status for path in hidden}
    assert {s for p, s in statuses.items() if "/iiif/image/" in p} == {404}
    assert {s for p, s in statuses.items() if "/iiif/image/" not in p} == {410}
    shown = [place.json("/iiif/collection/top")]
    assert key not in str(shown) and CAUSE not in str(shown)
    head = place.json("/iiif/activity")
    items = place.json(head["last"]["id"])["orderedItems"]
    assert {item["object"]["id"] for item in items} == {manifest["id"]}
    assert [item["type"] for item in items if item["type"] != "Update"] == [
        "Create", "Delete", "Create", "Delete",
    ]  # fmt: skip
    assert place.json(items[0]["id"])["type"] == "Create"


# ---- the whole sample ---------------------------------------------------------------------------


@pytest.mark.slow
def test_the_whole_sample_is_valid_resolves_and_crops_true(sample: Read) -> None:
    assert check_form(sample) == 30
    assert check_crops(sample) > 250
    assert check_links(sample) > 1000
    chinese = titled(sample, "cangguo-ji")
    text = next(page for _, name, page in annotation_pages(sample, chinese) if name == "text")
    name = text["items"][0]["body"]["value"][:2]
    assert sample.json(f"{chinese['service'][0]['id']}?q={quote(name)}")["items"]
