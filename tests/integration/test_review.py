"""Review as a reviewer meets it: command line, API and pages, on a free and on a served archive."""

from __future__ import annotations

import json
import re
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Quad

from rdfkms.app import checking, composition, operations
from rdfkms.app.composition import App
from rdfkms.errors import BadInput, Conflict, Denied, NotFound
from rdfkms.knowledge import decoding
from rdfkms.model import Claim, Kind, Principal, Role
from rdfkms.review import acts, lessons
from rdfkms.vocab import KMS, TYPE, key_of
from tests.tools.service import Service, serving
from tests.tools.small_run import command, result

EVA, UGO = Principal("eva", Role.REVIEWER), Principal("ugo", Role.REVIEWER)


Do = Callable[..., dict[str, Any]]


@pytest.fixture
def do(copy: Path) -> Iterator[Do]:
    """Do operations of review as the owner, in an archive that is opened once."""
    with composition.writing(copy, "test") as app:

        def perform(name: str, who: Principal = EVA, /, **arguments: object) -> dict[str, Any]:
            return operations.perform_here(app, f"review_{name}", arguments, who)

        perform.app = app  # type: ignore[attr-defined]
        yield perform


def app_of(do: Do) -> App:
    found: App = do.app  # type: ignore[attr-defined]
    return found


def queue(do: Do, **filters: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = do("list", limit=500, **filters)["items"]
    return found


def names(do: Do, **filters: str) -> set[str]:
    return {item["item"] for item in queue(do, **filters)}


def doubted(do: Do) -> dict[str, Any]:
    """A proposal to merge two of whom a detail differs that a being has only once."""
    said = ((item, {r["code"] for r in item["reasons"]}) for item in queue(do, kind="merge"))
    return next(item for item, codes in said if "disagreeingDetail" in codes)


def faults(do: Do) -> list[object]:
    return [fault for test in checking.TESTS.values() for fault in test(app_of(do))]


def admitted(do: Do, kind: Kind) -> list[Claim]:
    app = app_of(do)
    found = decoding.all_claims(app.ledger.store, app.base)
    return sorted((c for c in found if c.kind is kind), key=lambda c: c.key)


# ---- the operations -----------------------------------------------------------------------------


def test_the_queue_lists_doubts_and_merges_with_their_reasons(do: Do) -> None:
    told = do("list")
    assert told["open"]["doubt"] == 2
    assert told["open"]["merge"] == 2
    worth = [item["priority"] for item in told["items"]]
    assert worth == sorted(worth, reverse=True)
    doubts = [item for item in told["items"] if item["kind"] == "doubt"]
    assert all(item["reasons"] and item["claims"][0]["evidence"][0]["quote"] for item in doubts)
    assert names(do, code="hearsay") == {item["item"] for item in doubts}
    with pytest.raises(BadInput, match="whole number"):
        do("list", limit="many")


def test_accepting_admits_projects_and_closes_and_undo_takes_it_back(do: Do) -> None:
    item = queue(do, kind="doubt")[0]["item"]
    app, claim = app_of(do), app_of(do).base.iri("claim", item.partition("/")[2])
    public = Quad(claim, TYPE, KMS("Claim"), app.base.public)
    assert not app.ledger.store.contains(public)
    made = do("accept", item=item, note="two witnesses")["decision"]
    assert app.ledger.store.contains(public)
    assert item not in names(do)
    shown = do("show", item=item)
    assert shown["claims"][0]["status"] == "admitted"
    assert shown["decisions"][0]["note"] == "two witnesses"
    undone = do("undo", decision=made["decision"])["decision"]
    assert undone["undoes"] == made["decision"]
    assert not app.ledger.store.contains(public)
    assert item in names(do)
    with pytest.raises(Conflict, match="was undone by"):
        do("undo", decision=made["decision"])
    do("undo", decision=undone["decision"])
    assert app.ledger.store.contains(public)
    assert item not in names(do)
    assert faults(do) == []


def test_deciding_twice_says_who_was_first(do: Do) -> None:
    item = queue(do, kind="doubt")[0]["item"]
    seen = do("show", item=item)["seen"]
    do("reject", item=item)
    with pytest.raises(Conflict, match=r"rejected already \(reject by eva"):
        do("reject", item=item)
    with pytest.raises(Conflict, match="Look at it again"):
        do("accept", item=item, seen=seen)


def test_a_merge_brings_conflicts_to_light_and_undo_parts_the_two_again(do: Do) -> None:
    merge = doubted(do)
    made = do("accept", item=merge["item"])["decision"]
    assert made["kind"] == "merge"
    conflicts = queue(do, kind="conflict")
    assert conflicts
    assert all(len(item["claims"]) == 2 for item in conflicts)
    with pytest.raises(Conflict, match="are one already"):
        do("merge", one=made["things"][0], other=made["things"][1])
    do("undo", decision=made["decision"])
    assert queue(do, kind="conflict") == []
    assert merge["item"] in names(do)
    assert faults(do) == []


def test_what_was_declared_different_is_not_merged(do: Do) -> None:
    merge = queue(do, kind="merge")[0]
    one, other = (thing["thing"] for thing in merge["things"])
    do("reject", item=merge["item"])
    assert merge["item"] not in names(do)
    with pytest.raises(Conflict, match="declared"):
        do("merge", one=one, other=other)
    with pytest.raises(BadInput, match="nothing is merged with itself"):
        do("merge", one=one, other=one)
    with pytest.raises(NotFound):
        do("merge", one=one, other="person/nobody")
    place = admitted(do, Kind.MENTION)
    kinds = {c.subject.kind: c.subject.path for c in place}
    with pytest.raises(BadInput, match="cannot be one"):
        do("merge", one=kinds["person"], other=kinds["place"])


def test_merges_in_a_circle_are_refused_and_chains_are_followed(do: Do) -> None:
    persons = sorted({c.subject.path for c in admitted(do, Kind.MENTION) if c.name == "Person"})
    first, second, third = persons[:3]
    do("merge", one=first, other=second)
    do("merge", one=second, other=third)
    with pytest.raises(Conflict, match="one already"):
        do("merge", one=third, other=first)
    assert faults(do) == []


def test_ranking_one_of_two_settles_their_conflict(do: Do) -> None:
    merge = doubted(do)
    do("accept", item=merge["item"])
    conflict = queue(do, kind="conflict")[0]
    do("rank", item=conflict["claims"][0]["claim"], rank="preferred")
    assert conflict["item"] not in names(do)
    for other in queue(do, kind="conflict"):
        kept = do("keep", item=other["item"], note="both stand")["decision"]
    assert queue(do, kind="conflict") == []
    do("undo", decision=kept["decision"])
    assert len(queue(do, kind="conflict")) == 1
    assert faults(do) == []


def test_an_edit_must_quote_the_passage_and_supersedes(do: Do) -> None:
    mention = next(c for c in admitted(do, Kind.MENTION) if len(c.pointers[0].quote.split()) > 2)
    with pytest.raises(Conflict, match="does not stand in the passage"):
        do("edit", item=mention.key, quote="words of no passage", subject=mention.pointers[0].quote)
    shorter = mention.pointers[0].quote.rsplit(None, 1)[0]
    made = do("edit", item=mention.key, quote=shorter)["decision"]
    new, old = made["claims"][:2]
    assert do("show", item=old)["claims"][0]["status"] == "superseded"
    shown = do("show", item=new)["claims"][0]
    assert shown["status"] == "admitted"
    assert shown["evidence"][0]["quote"] == shorter
    with pytest.raises(BadInput, match="changes nothing"):
        do("edit", item=new)
    assert faults(do) == []


def test_an_edit_by_which_the_gate_refuses_leaves_all_as_it_was(do: Do) -> None:
    age = next(c for c in admitted(do, Kind.ATTRIBUTE) if c.statement == "age")
    revision = app_of(do).ledger.revision
    for wrong in ({"name": "birthplace"}, {"value": "old"}, {"subject": "Nadie Ninguno"}):
        with pytest.raises((Conflict, BadInput)):
            do("edit", item=age.key, **wrong)
    assert app_of(do).ledger.revision == revision


def test_rejecting_a_name_on_which_statements_rest_wants_to_be_meant(do: Do) -> None:
    shown = next(
        told for c in admitted(do, Kind.MENTION) if (told := do("show", item=c.key))["dependents"]
    )
    key = shown["claims"][0]["claim"]
    with pytest.raises(Conflict, match="--with-dependents"):
        do("reject", item=key)
    do("reject", item=key, with_dependents=True)
    assert {f"claim/{one}" for one in shown["dependents"]} <= names(do)
    assert any(one["kind"] == "rejected" for one in do("lessons")["lessons"])
    needed = do("show", item=shown["dependents"][0])
    with pytest.raises(Conflict, match="is not an admitted mention"):
        do("accept", item=shown["dependents"][0])
    assert needed["needs"] == []  # a rejected mention is not accepted in passing
    do("accept", item=key)
    do("accept", item=shown["dependents"][0])
    assert not any(one["kind"] == "rejected" for one in do("lessons")["lessons"])
    assert faults(do) == []


def test_a_split_gives_mentions_and_what_is_said_of_them_to_a_new_thing(do: Do) -> None:
    by_thing: dict[str, list[Claim]] = {}
    for claim in admitted(do, Kind.MENTION):
        if claim.name == "Person":
            by_thing.setdefault(claim.subject.path, []).append(claim)
    thing, mentions = next(
        (t, m) for t, m in by_thing.items() if len({c.pointers[0].unit for c in m}) > 1
    )
    keys = [c.key for c in mentions if c.pointers[0].unit == mentions[0].pointers[0].unit]
    with pytest.raises(BadInput, match="all its mentions"):
        do("split", thing=thing, mentions=[c.key for c in mentions])
    made = do("split", thing=thing, mentions=keys)["decision"]
    new = next(path for path in made["things"] if path != thing)
    assert {m["claim"] for m in do("thing", thing=new)["mentions"]} == set(keys)
    with pytest.raises(Conflict, match="declared"):
        do("merge", one=thing, other=new)
    assert faults(do) == []
    do("undo", decision=made["decision"])
    assert {m["claim"] for m in do("thing", thing=thing)["mentions"]} == {c.key for c in mentions}
    assert faults(do) == []


def test_a_batch_decides_what_is_alike_and_says_before_what_it_would_do(do: Do) -> None:
    before = names(do, code="hearsay")
    told = do("batch", act="reject", code="hearsay", dry_run=True)
    assert set(told["items"]) == before
    assert names(do, code="hearsay") == before
    made = do("batch", act="reject", code="hearsay", note="rumours")
    assert {one["item"] for one in made["done"]} == before
    assert names(do, code="hearsay") == set()
    merges = do("batch", act="keep", kind="merge")
    assert len(merges["refused"]) == 2  # a merge is accepted or rejected, not kept
    with pytest.raises(BadInput, match="at least one filter"):
        do("batch", act="reject")
    assert faults(do) == []


def test_with_four_eyes_one_person_admits_nothing_alone(do: Do) -> None:
    gate = app_of(do).settings.gate
    object.__setattr__(gate, "four_eyes", True)
    item = queue(do, kind="doubt")[0]["item"]
    try:
        assert do("accept", item=item)["waiting"]
        assert do("accept", item=item)["waiting"]  # the same person twice is one person
        assert do("show", item=item)["claims"][0]["status"] == "quarantined"
        assert do("accept", UGO, item=item)["decision"]["by"] == "ugo"
        mention = next(
            c for c in admitted(do, Kind.MENTION) if len(c.pointers[0].quote.split()) > 2
        )
        shorter = mention.pointers[0].quote.rsplit(None, 1)[0]
        made = do("edit", item=mention.key, quote=shorter, with_dependents=True)["decision"]
        new = f"claim/{made['claims'][0]}"
        assert do("show", item=new)["claims"][0]["status"] == "quarantined"
        assert do("accept", item=new)["waiting"]  # who corrected it is one person
        assert do("accept", UGO, item=new)["decision"]["kind"] == "accept"
        assert faults(do) == []
    finally:
        object.__setattr__(gate, "four_eyes", False)


def test_with_four_eyes_a_yes_counts_for_what_it_was_said_of(do: Do) -> None:
    ana = Principal("ana", Role.CONTRIBUTOR)
    gate = app_of(do).settings.gate
    object.__setattr__(gate, "four_eyes", True)
    try:
        item = queue(do, kind="doubt")[0]["item"]
        with pytest.raises(Denied):
            do("second", ana, item=item, opinion="accept")
        assert do("accept", item=item)["waiting"]
        assert do("accept", UGO, item=item)["decision"]
        do("reopen", UGO, item=item, with_dependents=True)
        assert do("accept", UGO, item=item)["waiting"]  # what EVA decided was undone by it
        named = next(c for c in admitted(do, Kind.RELATION) if not acts.ends(app_of(do).desk, c))
        mention = next(
            c for c in admitted(do, Kind.MENTION)
            if c.subject == named.subject and c.pointers[0].unit == named.pointers[0].unit
        )  # fmt: skip
        do("reopen", item=mention.key, with_dependents=True)
        lone = f"claim/{named.key}"
        assert do("show", item=lone)["claims"][0]["status"] == "quarantined"
        do("opine", UGO, item=lone, opinion="accept")  # of the statement, not of its ends
        assert do("accept", item=lone, with_ends=True)["waiting"]
        assert do("accept", UGO, item=lone, with_ends=True)["decision"]["claims"]
        assert faults(do) == []
    finally:
        object.__setattr__(gate, "four_eyes", False)


def test_two_decisions_that_teach_the_same_are_undone_one_by_one(do: Do) -> None:
    forms: dict[tuple[str, str], list[Claim]] = {}
    for claim in admitted(do, Kind.MENTION):
        lesson = lessons.of_acceptance(claim)
        if lesson is not None:
            forms.setdefault((lesson.name, lesson.form), []).append(claim)
    (_, form), alike = next((k, c) for k, c in forms.items() if len(c) > 2)
    one, other, third = alike[:3]

    def known() -> set[str]:
        app = app_of(do)
        return {o.kind for o in lessons.all_lessons(app.ledger.store, app.base) if o.form == form}

    for claim in (one, other, third):
        do("reopen", item=claim.key, with_dependents=True)
    first = do("accept", item=one.key)["decision"]["decision"]
    second = do("accept", item=other.key)["decision"]["decision"]
    do("undo", decision=first)
    assert known() == {"name"}  # the other decision teaches it still
    gone = do("reject", item=third.key)["decision"]["decision"]
    assert "name" not in known()
    do("undo", decision=second)
    do("undo", decision=gone)
    assert "name" not in known()  # both that taught it are undone
    assert faults(do) == []


def test_a_contributor_takes_no_item_from_another(do: Do) -> None:
    item = queue(do, kind="doubt")[0]["item"]
    do("assign", item=item, to="ugo")
    with pytest.raises(Conflict, match="ugo has this item"):
        do("assign", Principal("ana", Role.CONTRIBUTOR), item=item, to="ana")


def test_contributors_look_and_reviewers_decide(do: Do) -> None:
    item = queue(do, kind="doubt")[0]["item"]
    ana = Principal("ana", Role.CONTRIBUTOR)
    assert do("list", ana)["items"]
    for act in ("accept", "reject", "edit", "keep", "opine"):
        with pytest.raises(Denied):
            do(act, ana, item=item, opinion="accept")
    with pytest.raises(Denied):
        do("list", Principal("leo", Role.READER))


def test_what_was_rejected_is_not_admitted_by_the_next_run(do: Do) -> None:
    mention = next(c for c in admitted(do, Kind.MENTION) if c.name == "OrganizationState")
    do("reject", item=mention.key, with_dependents=True)
    app = app_of(do)
    operations.perform_here(app, "extract", {}, app.principal)
    assert do("show", item=mention.key)["claims"][0]["status"] == "rejected"
    assert faults(do) == []


def test_the_life_of_a_claim_is_told_whole_to_staff_and_without_persons_to_the_public(
    do: Do,
) -> None:
    item = queue(do, kind="doubt")[0]["item"]
    app, key = app_of(do), item.partition("/")[2]
    public = Principal("anonymous", Role.READER)
    with pytest.raises(NotFound):
        operations.perform_here(app, "claim_audit", {"claim": key}, public)
    do("accept", item=item, note="a letter of the son")
    told = operations.perform_here(app, "claim_audit", {"claim": key}, EVA)
    assert [check["stage"] for check in told["proposals"][0]["checks"]] == [
        "structure", "pointer", "ends", "verification", "shapes",
    ]  # fmt: skip
    assert told["proposals"][0]["checks"][3]["result"] == "quarantined"
    assert told["decisions"][0]["by"] == "eva"
    assert told["quotes_stand"]
    assert [row["kind"] for row in told["journal"]] == ["ingest", "decision"]
    seen = operations.perform_here(app, "claim_audit", {"claim": key}, public)
    assert seen["decisions"][0]["kind"] == "accept"
    assert "eva" not in json.dumps(seen)
    assert "letter of the son" not in json.dumps(seen)


# ---- the command line ---------------------------------------------------------------------------


def test_the_command_line_lists_shows_decides_and_undoes(copy: Path) -> None:
    listed = command("review", "list", "--kind", "doubt", "--archive", copy).stdout
    item = re.findall(r"claim/[0-9a-f]+", listed)[0]
    assert "hearsay" in command("review", "show", item, "--archive", copy).stdout
    made = command("review", "accept", item, "--note", "seen", "--archive", copy).stdout
    undo = made.strip().rpartition(" ")[2]
    again = command("review", "accept", item, "--archive", copy, check=False)
    assert again.returncode == 6
    assert "admitted already (accept by owner" in again.stderr
    assert "undo by owner" in command("review", "undo", undo, "--archive", copy).stdout
    assert item in command("review", "list", "--archive", copy).stdout
    record = result("source", "list", "--archive", copy)["records"][0]["record"]
    told = result("audit", "proposals", record, "--archive", copy)
    assert told["entities"] and told["title"]
    said = command("audit", "proposals", record, "--archive", copy).stdout
    assert f"entities: {len(told['entities'])}" in said
    none = command("audit", "proposals", "none", "--archive", copy, check=False)
    assert none.returncode == 4 and "No record none" in none.stderr
    gone = command("review", "show", "claim/none", "--archive", copy, check=False)
    assert gone.returncode == 4


# ---- a served archive ---------------------------------------------------------------------------


@pytest.fixture
def served(copy: Path) -> Iterator[tuple[Service, dict[str, str]]]:
    roles = {"eva": "reviewer", "ugo": "reviewer", "ana": "contributor", "leo": "reader"}
    secrets = {
        name: result("token", "add", name, "--role", role, "--archive", copy)["secret"]
        for name, role in roles.items()
    }
    with serving(copy) as service:
        yield service, secrets


def call(
    service: Service,
    path: str,
    token: str = "",
    body: object = None,
    kind: str = "application/json",
) -> tuple[int, Any]:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": kind} if data is not None else {}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    status, text = service._send(
        urllib.request.Request(f"{service.address}/api/v1{path}", data, headers)
    )
    return status, json.loads(text)


def test_the_api_decides_under_tokens_and_two_reviewers_do_not_collide(
    served: tuple[Service, dict[str, str]],
) -> None:
    service, token = served
    assert call(service, "/review/items")[0] == 401
    assert call(service, "/review/items", token["leo"])[0] == 403
    status, told = call(service, "/review/items?kind=doubt", token["ana"])
    assert status == 200
    item = told["items"][0]["item"]
    path = f"/review/items/{item}"
    assert call(service, f"{path}/accept", token["ana"], {})[0] == 403
    seen = call(service, path, token["eva"])[1]["seen"]
    assert call(service, f"{path}/assign", token["ana"], {"to": "ugo"})[1]["assignee"] == "ana"
    opinion = {"opinion": "accept"}
    assert call(service, f"{path}/opine", token["ugo"], opinion)[0] == 200
    status, made = call(service, f"{path}/accept", token["eva"], {"note": "read", "seen": seen})
    assert status == 200
    assert made["decision"]["by"] == "eva"
    status, late = call(service, f"{path}/reject", token["ugo"], {"seen": seen})
    assert status == 409
    assert "accept by eva" in late["error"]
    pairs = call(service, "/review/agreement", token["eva"])[1]["pairs"]
    assert [(p["one"], p["other"], p["items"], p["agreed"]) for p in pairs] == [
        ("eva", "ugo", 1, 1.0)
    ]
    key = made["decision"]["decision"]
    assert call(service, f"/review/decisions/{key}/undo", token["ugo"], {})[0] == 200
    status, again = call(service, f"/review/decisions/{key}/undo", token["ugo"], {})
    assert status == 409
    assert "undone by ugo" in again["error"]


def test_the_command_line_decides_on_a_served_archive(
    served: tuple[Service, dict[str, str]],
) -> None:
    service, token = served
    item = call(service, "/review/items?kind=doubt", token["eva"])[1]["items"][0]["item"]
    made = result("review", "reject", item, "--archive", service.archive)
    assert made["decision"]["kind"] == "reject"
    twice = command("review", "reject", item, "--archive", service.archive, check=False)
    assert twice.returncode == 6


def test_the_api_says_what_it_cannot_read(served: tuple[Service, dict[str, str]]) -> None:
    service, token = served
    item = call(service, "/review/items?kind=doubt", token["eva"])[1]["items"][0]["item"]
    wrong: list[tuple[object, str, str]] = [
        ({"note": 3}, "application/json", "note"),
        ({"nonsense": "x"}, "application/json", "nonsense"),
        ([], "application/json", "one JSON object"),
        ({}, "text/plain", "must be JSON"),
        ({"note": "x" * 3000}, "application/json", "note"),
    ]
    for body, kind, told in wrong:
        status, answer = call(service, f"/review/items/{item}/accept", token["eva"], body, kind)
        assert status == 400
        assert told in answer["error"]
    assert call(service, "/review/items?limit=many", token["eva"])[0] == 400
    assert call(service, "/review/items?kind=doubt&kind=merge", token["eva"])[0] == 400
    assert call(service, "/review/items/claim/none", token["eva"])[0] == 404


class Browser:
    """A browser without scripts: cookies, forms and their hidden words."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> str:
        with self.opener.open(self.service.address + path) as answer:
            return str(answer.read().decode())

    def post(self, path: str, **fields: str) -> tuple[int, str]:
        data = urllib.parse.urlencode(fields).encode()
        try:
            with self.opener.open(self.service.address + path, data) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as err:
            with err:
                return err.code, err.read().decode()


def test_with_four_eyes_the_page_says_that_a_yes_waits(copy: Path) -> None:
    settings = copy / "archive.toml"
    settings.write_text(f"{settings.read_text()}\n[gate]\nfour_eyes = true\n")
    secrets = {
        name: result("token", "add", name, "--role", "reviewer", "--archive", copy)["secret"]
        for name in ("eva", "ugo")
    }
    with serving(copy) as service:
        said: dict[str, str] = {}
        for name, secret in secrets.items():
            browser = Browser(service)
            browser.post("/review/sign-in", token=secret)
            if not said:
                item = re.findall(r'href="/review/(claim/[0-9a-f]+)"', browser.get("/review"))[0]
            word = re.findall(r'name="word" value="([^"]+)"', browser.get(f"/review/{item}"))[0]
            status, said[name] = browser.post(f"/review/{item}/accept", word=word)
            assert status == 200
    assert "when a second person accepts it too" in said["eva"]
    assert "second opinion asked by eva" in said["eva"]
    assert "when a second person" not in said["ugo"]


def test_a_reviewer_signs_in_decides_and_undoes_in_a_browser(
    served: tuple[Service, dict[str, str]],
) -> None:
    service, token = served
    assert service.get("/review")[0] == 403
    browser = Browser(service)
    assert browser.post("/review/sign-in", token="wrong")[0] == 403
    assert browser.post("/review/sign-in", token=token["leo"])[0] == 403
    assert browser.post("/review/sign-in", token=token["eva"])[0] == 200
    page = browser.get("/review?kind=doubt")
    found = re.search(r'href="/review/(claim/[0-9a-f]+)"', page)
    assert found
    item = browser.get(f"/review/{found[1]}")
    word = re.search(r'name="word" value="([0-9a-f]+)"', item)
    assert word
    assert browser.post(f"/review/{found[1]}/reject", note="x")[0] == 403  # without the word
    status, _ = browser.post(f"/review/{found[1]}/reject", word=word[1], note="a rumour")
    assert status == 200
    decided = browser.get(f"/review/{found[1]}")
    assert "a rumour" in decided
    assert "rejected" in decided
    undo = re.search(r'action="/review/undo/([0-9a-f]+)"', decided)
    assert undo
    back = f"/review/{found[1]}"
    assert browser.post(f"/review/undo/{undo[1]}", word=word[1], back=back)[0] == 200
    assert found[1] in browser.get("/review?kind=doubt")
    status, told = browser.post(f"/review/{found[1]}/edit", word=word[1], quote="not in it")
    assert status == 409
    assert "does not stand in the passage" in told
    assert browser.post("/review/sign-out", word=word[1])[0] == 200
    assert service.get("/review")[0] == 403


def test_who_decided_is_not_found_by_guessing(do: Do) -> None:
    """The audit of a public claim tells the key of a decision: it is no hash of what all know."""
    item = queue(do, kind="doubt")[0]["item"]
    made = do("accept", item=item)["decision"]
    known = ("decision", "accept", app_of(do).ledger.revision, EVA.id)
    named = (*made["claims"], *made["things"], made["undoes"])
    assert made["decision"] != key_of(*known, *named)
