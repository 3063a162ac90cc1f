"""OAI-PMH 2.0 over HTTP: the schema of every answer, errors, tokens, harvests under change."""

from __future__ import annotations

import re
import sqlite3
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from lxml import etree
from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.access import ANONYMOUS
from rdfkms.ledger.work import Work
from rdfkms.model import Access
from rdfkms.publish.oai import index as harvest_index
from rdfkms.publish.oai import provider as provider_module
from rdfkms.publish.oai.arguments import VERBS
from rdfkms.publish.oai.index import NAME, discard
from rdfkms.publish.oai.tokens import Place, Signer
from rdfkms.review import conditions
from rdfkms.vocab import KMS, KV, RICO, TYPE, key_of
from rdfkms.web import Services, create_app
from tests.tools import europeana, harvesting
from tests.tools.harvesting import Many, Mirror, asker, canonical, fresh, many, public_keys, touch
from tests.tools.small_archive import OWNER

OAI = harvesting.OAI
Ask = Callable[..., str]


def app_of(made: Many) -> FlaskClient:
    work = Work(made.ledger.archive.work_path)
    return create_app(Services(made.ledger, work, made.builder.mapping)).test_client()


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Many]:
    """An archive of 9 text records and one closed, in pages of 4; tests do not change it."""
    made = many(tmp_path_factory.mktemp("oai") / "A", 9, page_records=4)
    _, _, _ = made.builder.picture_record("causa-7", ("Vidal vive en Belmira.",), Access(), 1)
    made.builder.commit("ingest")
    made.builder.picture_record("reservada", ("Ficha de Oculto.",), Access("closed"), 1)
    made.builder.commit("ingest")
    yield made
    made.ledger.close()


@pytest.fixture(scope="module")
def client(still: Many) -> FlaskClient:
    return app_of(still)


@pytest.fixture
def moving(tmp_path: Path) -> Iterator[Many]:
    """An archive of 9 records in pages of 2 that a test may change."""
    made = many(tmp_path / "A", 9, page_records=2)
    yield made
    made.ledger.close()


def get(client: FlaskClient, method: str = "GET", **arguments: str) -> str:
    if "from_" in arguments:
        arguments["from"] = arguments.pop("from_")
    if method == "POST":
        answer = client.post("/oai", data=arguments)
    else:
        answer = client.get("/oai?" + urllib.parse.urlencode(arguments))
    assert answer.status_code == 200
    assert answer.content_type == "text/xml; charset=utf-8"
    return answer.get_data(as_text=True)


def root(document: str) -> etree._Element:
    return etree.fromstring(document.encode())


def code(document: str) -> str:
    return root(document).find(f"{OAI}error").get("code", "")  # type: ignore[union-attr]


def token(document: str) -> str:
    found = root(document).find(f".//{OAI}resumptionToken")
    return (found.text or "") if found is not None else ""


def first(still: Many) -> str:
    return still.ledger.base.iri("record", still.keys[0]).value


# ---- the schema ---------------------------------------------------------------------------------


def questions(still: Many) -> list[dict[str, str]]:
    one = first(still)
    listed = ("ListRecords", "ListIdentifiers")
    return [
        {"verb": "Identify"},
        {"verb": "ListMetadataFormats"},
        {"verb": "ListMetadataFormats", "identifier": one},
        {"verb": "ListSets"},
        *({"verb": v, "metadataPrefix": p} for v in listed for p in ("oai_dc", "edm", "rico")),
        *(
            {"verb": "GetRecord", "metadataPrefix": p, "identifier": one}
            for p in ("oai_dc", "edm", "rico")
        ),
        {"verb": "ListRecords", "metadataPrefix": "oai_dc", "from": "2000-01-01"},
        {"verb": "ListRecords", "metadataPrefix": "edm", "until": "2999-01-01T00:00:00Z"},
    ]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_every_verb_gives_what_the_schemas_want(
    method: str, still: Many, client: FlaskClient, shared: Path
) -> None:
    for arguments in questions(still):
        document = get(client, method, **arguments)
        assert root(document).find(f"{OAI}error") is None, arguments
        assert europeana.oai_faults(shared, document) == [], arguments
        request = root(document).find(f"{OAI}request")
        assert request is not None
        assert {str(k): str(v) for k, v in request.attrib.items()} == arguments
        assert request.text == "http://localhost:8080/oai"


ERRORS: list[tuple[str, dict[str, str]]] = [
    ("badVerb", {}),
    ("badVerb", {"verb": "Delete"}),
    ("badVerb", {"verb": "identify"}),
    ("badVerb", {"metadataPrefix": "oai_dc"}),
    ("badArgument", {"verb": "Identify", "set": "a"}),
    ("badArgument", {"verb": "GetRecord"}),
    ("badArgument", {"verb": "GetRecord", "identifier": "a:b"}),
    ("badArgument", {"verb": "GetRecord", "identifier": "a b", "metadataPrefix": "edm"}),
    ("badArgument", {"verb": "ListRecords"}),
    ("badArgument", {"verb": "ListRecords", "metadataPrefix": ""}),
    ("badArgument", {"verb": "ListRecords", "metadataPrefix": "a b"}),
    ("badArgument", {"verb": "ListRecords", "metadataPrefix": "edm", "from": "yesterday"}),
    ("badArgument", {"verb": "ListRecords", "metadataPrefix": "edm", "from": "2026-02-30"}),
    ("badArgument", {"verb": "ListRecords", "metadataPrefix": "edm", "from": "2026-01-01T10:00Z"}),
    ("badArgument", {"verb": "ListRecords", "metadataPrefix": "edm", "from": "2026-W01-1"}),
    ("badArgument", {"verb": "ListRecords", "metadataPrefix": "edm", "from": "2026-01-02",
                     "until": "2026-01-01"}),
    ("badArgument", {"verb": "ListRecords", "metadataPrefix": "edm", "from": "2026-01-02",
                     "until": "2026-01-03T00:00:00Z"}),
    ("badArgument", {"verb": "ListRecords", "metadataPrefix": "edm", "set": "a b"}),
    ("badArgument", {"verb": "ListRecords", "metadataPrefix": "edm", "resumptionToken": "x"}),
    ("badArgument", {"verb": "ListRecords", "metadataPrefix": "edm", "limit": "9"}),
    ("badResumptionToken", {"verb": "ListRecords", "resumptionToken": "x"}),
    ("badResumptionToken", {"verb": "ListSets", "resumptionToken": "x.y"}),
    ("cannotDisseminateFormat", {"verb": "ListRecords", "metadataPrefix": "marc21"}),
    ("idDoesNotExist", {"verb": "GetRecord", "identifier": "oai:x:y", "metadataPrefix": "edm"}),
    ("idDoesNotExist", {"verb": "ListMetadataFormats", "identifier": "oai:x:y"}),
    ("noRecordsMatch", {"verb": "ListRecords", "metadataPrefix": "edm", "from": "2999-01-01"}),
    ("noRecordsMatch", {"verb": "ListRecords", "metadataPrefix": "edm", "until": "1999-01-01"}),
    ("noRecordsMatch", {"verb": "ListRecords", "metadataPrefix": "edm", "set": "nothing"}),
]  # fmt: skip


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(("wanted", "arguments"), ERRORS)
def test_errors_have_their_code_status_200_and_the_schema(
    method: str, wanted: str, arguments: dict[str, str], client: FlaskClient, shared: Path
) -> None:
    document = get(client, method, **arguments)
    assert code(document) == wanted
    assert europeana.oai_faults(shared, document) == []
    request = root(document).find(f"{OAI}request")
    assert request is not None
    assert bool(request.attrib) is (wanted not in ("badVerb", "badArgument"))


def test_arguments_that_stand_twice_are_refused(client: FlaskClient) -> None:
    for path in (
        "/oai?verb=Identify&verb=Identify",
        "/oai?verb=ListRecords&metadataPrefix=edm&metadataPrefix=edm",
    ):
        assert code(client.get(path).get_data(as_text=True)) in ("badVerb", "badArgument")


def test_a_form_that_does_not_exist_for_one_record_is_said(moving: Many, shared: Path) -> None:
    client, base, key = app_of(moving), moving.ledger.base, moving.keys[0]
    said = Quad(
        base.iri("record", key), RICO("conditionsOfUse"), Literal("Nur mit Erlaubnis."), base.public
    )
    identifier = base.iri("record", key).value
    mirror = Mirror(lambda arguments: get(client, **arguments))
    mirror.harvest()
    assert identifier in mirror.held
    moving.ledger.commit(_change(add=(said,)), OWNER)
    formats = get(client, verb="ListMetadataFormats", identifier=identifier)
    assert "rico" in formats
    mirror.harvest()
    assert mirror.held[identifier] is None, "who has it as EDM is told that it is gone"
    other = moving.add("sin-derechos")
    unsaid = Quad(
        base.iri("record", other), RICO("conditionsOfUse"), Literal("Sin permiso."), base.public
    )
    discard(moving.ledger.archive)
    moving.ledger.commit(_change(add=(unsaid,)), OWNER)
    client = app_of(moving)
    iri = base.iri("record", other).value
    document = get(client, verb="GetRecord", identifier=iri, metadataPrefix="edm")
    assert code(document) == "cannotDisseminateFormat"
    assert "edm" not in get(client, verb="ListMetadataFormats", identifier=iri)
    assert iri not in get(client, verb="ListIdentifiers", metadataPrefix="edm")


def _change(**parts: Any) -> Any:
    from rdfkms.ledger.ledger import Activity, Change

    return Change(Activity("edit"), **parts)


def test_an_archive_without_record_sets_says_so(moving: Many, shared: Path) -> None:
    client = app_of(moving)
    for arguments in (
        {"verb": "ListSets"},
        {"verb": "ListRecords", "metadataPrefix": "oai_dc", "set": "a"},
    ):
        document = get(client, **arguments)
        assert code(document) == "noSetHierarchy"
        assert europeana.oai_faults(shared, document) == []


def test_a_set_holds_its_records(still: Many, client: FlaskClient) -> None:
    (spec,) = [e.text or "" for e in root(get(client, verb="ListSets")).iter(f"{OAI}setSpec")]
    document = get(client, verb="ListRecords", metadataPrefix="edm", set=spec)
    assert document.count("<record>") == 1
    assert "causa-7" in document
    assert f"<setSpec>{spec}</setSpec>" in document


# ---- harvesting ----------------------------------------------------------------------------------


def test_a_full_harvest_equals_the_store_and_counts_it(still: Many, client: FlaskClient) -> None:
    mirror = Mirror(lambda arguments: get(client, **arguments))
    came = mirror.harvest()
    assert len(came) == len(set(came)) == 10
    assert mirror.pages == 3
    now = {key: canonical(data) for key, data in fresh(still.ledger, still.settings).items()}
    assert mirror.live() == now
    assert "Oculto" not in str(mirror.held)
    document = get(client, verb="ListIdentifiers", metadataPrefix="edm")
    found = root(document).find(f".//{OAI}resumptionToken")
    assert found is not None
    assert (found.get("completeListSize"), found.get("cursor")) == ("10", "0")
    following = get(client, verb="ListIdentifiers", resumptionToken=found.text or "")
    told = root(following).find(f".//{OAI}resumptionToken")
    assert told is not None
    assert (told.get("completeListSize"), told.get("cursor")) == ("10", "4")
    assert (
        get(client, verb="ListIdentifiers", resumptionToken=found.text or "")[300:]
        == (following[300:])
    ), "a token is valid as often as it is sent"
    last = get(client, verb="ListIdentifiers", resumptionToken=told.text or "")
    assert token(last) == ""
    assert '<resumptionToken completeListSize="10" cursor="8"></resumptionToken>' in last


def test_as_europeana_does_it(still: Many, client: FlaskClient) -> None:
    """List identifiers, then get each; the first child of metadata is rdf:RDF."""
    found, document = [], get(client, verb="ListIdentifiers", metadataPrefix="edm")
    size = int(root(document).find(f".//{OAI}resumptionToken").get("completeListSize", ""))  # type: ignore[union-attr]
    while True:
        found += [e.text or "" for e in root(document).iter(f"{OAI}identifier")]
        if not token(document):
            break
        document = get(client, verb="ListIdentifiers", resumptionToken=token(document))
    assert len(found) == size == 10
    for identifier in found:
        record = get(client, verb="GetRecord", metadataPrefix="edm", identifier=identifier)
        metadata = root(record).find(f".//{OAI}metadata")
        assert metadata is not None
        assert metadata[0].tag.endswith("}RDF")


def test_change_between_pages_loses_nothing_and_repeats_nothing(moving: Many) -> None:
    provider = moving.provider()
    mirror = Mirror(asker(provider))
    order = sorted(moving.keys)
    added: list[str] = []

    def meddle(page: int) -> None:
        time.sleep(1.05)  # a datestamp is a second
        if page == 1:
            added.append(moving.add("nuevo"))
        if page == 2:
            gone = next(key for key in order if f"record/{key}" not in str(mirror.held))
            conditions.change(moving.ledger, moving.builder.mapping, gone, Access("closed"), OWNER)
            added.append(gone)

    came = mirror.harvest(meddle)
    assert len(came) == len(set(came)) == 10
    assert mirror.live().keys() == public_keys(moving.ledger)
    new, gone = added
    assert new in mirror.live()
    assert mirror.held[moving.ledger.base.iri("record", gone).value] is None
    assert mirror.harvest(), "what has the second of the last answer may come again"
    assert mirror.live().keys() == public_keys(moving.ledger)


def test_closed_and_opened_again_and_changed(moving: Many) -> None:
    provider, ledger, key = moving.provider(), moving.ledger, moving.keys[3]
    mirror = Mirror(asker(provider))
    identifier = ledger.base.iri("record", key).value
    mirror.harvest()
    before = mirror.stamps[identifier]
    time.sleep(1.05)
    conditions.change(ledger, moving.builder.mapping, key, Access("closed"), OWNER)
    assert identifier in mirror.harvest()
    assert mirror.held[identifier] is None
    assert mirror.stamps[identifier] > before
    deleted = provider.answer(
        [("verb", "GetRecord"), ("identifier", identifier), ("metadataPrefix", "rico")]
    ).decode()
    assert 'status="deleted"' in deleted
    assert "<metadata>" not in deleted
    with sqlite3.connect(ledger.archive.indexes / NAME) as db:
        kept = db.execute("SELECT edm_xml, dc_xml FROM item WHERE key = ?", (key,)).fetchone()
    db.close()
    assert kept == (None, None), "the index keeps nothing of what is closed"
    conditions.change(ledger, moving.builder.mapping, key, Access(), OWNER)
    touch(ledger, moving.keys[5], "Otro título")
    assert {identifier, ledger.base.iri("record", moving.keys[5]).value} <= set(mirror.harvest())
    now = {k: canonical(data) for k, data in fresh(ledger, moving.settings).items()}
    assert mirror.live() == now


def test_only_what_changed_gets_a_new_datestamp(moving: Many) -> None:
    mirror = Mirror(asker(moving.provider()))
    mirror.harvest()
    time.sleep(1.1)
    mirror.harvest()  # from now on nothing is of the second of the last answer
    time.sleep(1.1)
    touch(moving.ledger, moving.keys[4], "Cambiado")
    assert mirror.harvest() == [moving.ledger.base.iri("record", moving.keys[4]).value]


def test_the_index_made_anew_says_the_same(moving: Many) -> None:
    mirror = Mirror(asker(moving.provider()))
    conditions.change(
        moving.ledger, moving.builder.mapping, moving.keys[1], Access("closed"), OWNER
    )
    mirror.harvest()
    discard(moving.ledger.archive)
    again = Mirror(asker(moving.provider()))
    again.harvest()
    assert (again.stamps, again.held) == (mirror.stamps, mirror.held)


def test_a_damaged_index_is_made_anew(moving: Many) -> None:
    provider = moving.provider()
    Mirror(asker(provider)).harvest()
    discard(moving.ledger.archive)
    (moving.ledger.archive.indexes / NAME).write_bytes(b"no database at all" * 400)
    mirror = Mirror(asker(moving.provider()))
    assert len(mirror.harvest()) == 9


def test_another_default_licence_is_told_to_harvesters(moving: Many) -> None:
    mirror = Mirror(asker(moving.provider()))
    mirror.harvest()
    time.sleep(1.1)
    mirror.harvest()
    time.sleep(1.1)
    rights = "http://creativecommons.org/publicdomain/zero/1.0/"
    moving.settings = harvesting.settings(rights=rights, page_records=2)
    mirror.ask = asker(moving.provider())
    assert len(mirror.harvest()) == 9
    assert all(rights.encode() in data for data in mirror.live().values())


def test_harvests_during_commits_end_equal_to_the_store(moving: Many) -> None:
    """A writer closes, opens and renames records; a harvester comes again and again."""
    provider, ledger = moving.provider(), moving.ledger
    mirror, stop, failed = Mirror(asker(provider), "oai_dc"), threading.Event(), list[str]()

    def write() -> None:
        number = 0
        try:
            while not stop.is_set():
                key = moving.keys[number % len(moving.keys)]
                if key in public_keys(ledger):
                    if number % 3:
                        touch(ledger, key, f"Título {number}")
                    else:
                        conditions.change(
                            ledger, moving.builder.mapping, key, Access("closed"), OWNER
                        )
                else:
                    conditions.change(ledger, moving.builder.mapping, key, Access(), OWNER)
                number += 1
                time.sleep(0.01)
        except Exception as err:
            failed.append(repr(err))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        until = time.monotonic() + 2.5
        while time.monotonic() < until:
            mirror.harvest()
    finally:
        stop.set()
        writer.join()
    assert failed == []
    mirror.harvest()
    assert mirror.live().keys() == public_keys(ledger)
    whole = Mirror(asker(moving.provider()), "oai_dc")
    whole.harvest()
    assert mirror.live() == whole.live()


# ---- tokens --------------------------------------------------------------------------------------


def test_forged_tokens_are_refused(still: Many, client: FlaskClient, tmp_path: Path) -> None:
    sealed = token(get(client, verb="ListRecords", metadataPrefix="edm"))
    assert sealed
    assert code(get(client, verb="ListIdentifiers", resumptionToken=sealed)) == "badResumptionToken"
    for at in range(0, len(sealed), 7):
        other = "A" if sealed[at] != "A" else "B"
        forged = sealed[:at] + other + sealed[at + 1 :]
        document = get(client, verb="ListRecords", resumptionToken=forged)
        assert code(document) == "badResumptionToken", forged
    stranger = many(tmp_path / "B", 1)
    place = Place("ListRecords", "edm", "", None, None, 0, "", 0, int(time.time()))
    foreign = Signer(stranger.ledger.archive).seal(place)
    stranger.ledger.close()
    assert code(get(client, verb="ListRecords", resumptionToken=foreign)) == "badResumptionToken"
    kept = still.ledger.archive.indexes / "harvest.key"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert Signer(still.ledger.archive).open(sealed) is not None


def test_expired_tokens_are_refused(moving: Many, monkeypatch: pytest.MonkeyPatch) -> None:
    client = app_of(moving)
    document = get(client, verb="ListRecords", metadataPrefix="edm")
    assert 'expirationDate="' in document
    real = time.time()
    monkeypatch.setattr(time, "time", lambda: real + 25 * 3600)
    answered = get(client, verb="ListRecords", resumptionToken=token(document))
    assert code(answered) == "badResumptionToken"
    assert "expired" in answered


# ---- busy, hostile -------------------------------------------------------------------------------


def test_while_others_write_for_long_harvesters_are_sent_away(
    moving: Many, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = app_of(moving)
    monkeypatch.setattr(harvest_index, "_PATIENCE", 0.1)
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with moving.ledger.frozen():
            held.set()
            done.wait(20)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(20)
    try:
        answer = client.get("/oai?verb=Identify")
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "5"
    finally:
        done.set()
        thread.join()
    assert client.get("/oai?verb=Identify").status_code == 200


def test_the_first_listing_of_a_large_archive_is_made_in_pieces(
    moving: Many, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(harvest_index, "_SECONDS", 0.0)
    monkeypatch.setattr(harvest_index, "_AT_ONCE", 3)
    client = app_of(moving)
    statuses = []
    for _ in range(40):
        answer = client.get("/oai?verb=ListIdentifiers&metadataPrefix=edm")
        statuses.append(answer.status_code)
        if answer.status_code == 200:
            break
        monkeypatch.setattr(harvest_index, "_SECONDS", 0.02)
    assert statuses[0] == 503
    assert statuses[-1] == 200


def test_large_bodies_and_other_methods_are_refused(client: FlaskClient) -> None:
    answer = client.post("/oai", data={"verb": "Identify", "x": "y" * 30_000})
    assert answer.status_code == 413
    assert client.put("/oai").status_code == 405
    answer = client.post("/oai", data=b'{"verb": "Identify"}', content_type="application/json")
    assert code(answer.get_data(as_text=True)) == "badVerb"


_names = st.sampled_from(
    ["verb", "metadataPrefix", "from", "until", "set", "identifier", "resumptionToken", "x"]
)
_values = st.text(max_size=30) | st.sampled_from(
    [*VERBS, "edm", "oai_dc", "rico", "2026-01-01", "2026-01-01T00:00:00Z", "9999-12-31",
     "0000-00-00", "<&>'\"", "\r\nSet-Cookie: a=b", "%00", "\x00", "http://localhost:8080/id/record/"]
)  # fmt: skip


@hypothesis_settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(pairs=st.lists(st.tuples(_names, _values), max_size=6), post=st.booleans())
def test_whatever_is_asked_the_answer_is_valid(
    pairs: list[tuple[str, str]], post: bool, client: FlaskClient, shared: Path
) -> None:
    encoded = urllib.parse.urlencode(pairs, errors="surrogatepass")
    if post:
        form = "application/x-www-form-urlencoded"
        answer = client.post("/oai", data=encoded, content_type=form)
    else:
        answer = client.get("/oai?" + encoded)
    assert answer.status_code == 200
    document = answer.get_data(as_text=True)
    assert europeana.oai_faults(shared, document) == []


def test_public_is_what_the_anonymous_reader_sees(still: Many) -> None:
    provider = still.provider()
    assert provider._renderer.scope.graphs == (still.ledger.base.public,)
    assert ANONYMOUS.role == "reader"
    document = asker(provider)({"verb": "ListRecords", "metadataPrefix": "rico"})
    assert not re.search("Oculto|graph/internal", document)
    hidden = {
        q.subject
        for q in still.ledger.store.match(None, TYPE, RICO("Record"), still.ledger.base.internal)
    }
    assert hidden
    for thing in hidden:
        identifier = getattr(thing, "value", "")
        asked = {"verb": "GetRecord", "metadataPrefix": "edm", "identifier": identifier}
        assert code(asker(provider)(asked)) == "idDoesNotExist"


# ---- what touches a record ----------------------------------------------------------------------


def quad(made: Many, subject: str, predicate: NamedNode, thing: NamedNode | Literal) -> Quad:
    base = made.ledger.base
    kind, _, key = subject.partition("/")
    return Quad(base.iri(kind, key), predicate, thing, base.public)


def claim_of(made: Many, key: str) -> str:
    """The claim by which a record names its person."""
    store, base = made.ledger.store, made.ledger.base
    person = base.iri("person", key_of("person", f"r{made.keys.index(key):03}"))
    (found,) = store.match(None, KMS("claimSubject"), person, base.public)
    assert isinstance(found.subject, NamedNode)
    return found.subject.value.rpartition("/id/")[2]


def test_a_merge_reaches_every_record_that_names_one_of_the_merged(moving: Many) -> None:
    mirror = Mirror(asker(moving.provider()))
    mirror.harvest()
    base, person = moving.ledger.base, [f"person/{key_of('person', f'r00{n}')}" for n in range(3)]
    for one, other in ((0, 1), (1, 2)):  # a chain: what was merged before is merged further
        target = base.iri(*person[other].split("/"))
        moving.ledger.commit(
            _change(add=(quad(moving, person[one], KMS("mergedInto"), target),)), OWNER
        )
        mirror.harvest()
        now = {k: canonical(d) for k, d in fresh(moving.ledger, moving.settings).items()}
        assert mirror.live() == now
    assert person[2].encode() in mirror.live()[moving.keys[0]]
    assert person[0].encode() not in mirror.live()[moving.keys[0]]


def test_a_preferred_rank_and_an_authority_reach_the_other_records(moving: Many) -> None:
    mirror, base = Mirror(asker(moving.provider())), moving.ledger.base
    one, two = (claim_of(moving, key) for key in moving.keys[:2])
    same = base.iri("person", "x" * 24)
    subjects = [
        q for c in (one, two)
        for q in moving.ledger.store.match(
            base.iri(*c.split("/")), KMS("claimSubject"), None, base.public)
    ]  # fmt: skip
    moving.ledger.commit(
        _change(
            remove=tuple(subjects),
            add=tuple(Quad(q.subject, q.predicate, same, base.public) for q in subjects),
        ),
        OWNER,
    )
    mirror.harvest()
    assert b"edm:Agent" in mirror.live()[moving.keys[1]]
    ranked = [quad(moving, one, KMS("rank"), KMS(r)) for r in ("normal", "preferred")]
    moving.ledger.commit(_change(remove=(ranked[0],), add=(ranked[1],)), OWNER)
    mirror.harvest()
    assert b"edm:Agent" not in mirror.live()[moving.keys[1]], "only the preferred name projects"
    moving.ledger.commit(_change(remove=(ranked[1],), add=(ranked[0],)), OWNER)
    authority = "http://viaf.org/viaf/1"
    stated: list[tuple[str, NamedNode | Literal]] = [
        ("claimSubject", same), ("statementType", KV("sameAsAuthority")), ("rank", KMS("normal")),
        ("claimStatus", KMS("admitted")), ("claimValue", Literal(authority)),
    ]  # fmt: skip
    said = tuple(quad(moving, "claim/z", KMS(name), value) for name, value in stated)
    moving.ledger.commit(_change(add=said), OWNER)
    mirror.harvest()
    for key in moving.keys[:2]:
        assert authority.encode() in mirror.live()[key]
    now = {k: canonical(d) for k, d in fresh(moving.ledger, moving.settings).items()}
    assert mirror.live() == now


def test_sets_within_sets_and_their_titles(moving: Many, shared: Path) -> None:
    client, base = app_of(moving), moving.ledger.base
    title = quad(moving, "recordset/serie", RICO("title"), Literal("Serie"))
    made = [
        quad(moving, "recordset/fondo", TYPE, RICO("RecordSet")),
        quad(moving, "recordset/fondo", RICO("title"), Literal("Fondo & más")),
        quad(moving, "recordset/serie", TYPE, RICO("RecordSet")),
        title,
        quad(moving, "recordset/fondo", RICO("directlyIncludes"), base.iri("recordset", "serie")),
        quad(
            moving, "recordset/serie", RICO("directlyIncludes"), base.iri("record", moving.keys[0])
        ),
        quad(
            moving, "recordset/fondo", RICO("directlyIncludes"), base.iri("record", moving.keys[1])
        ),
    ]
    moving.ledger.commit(_change(add=tuple(made)), OWNER)
    document = get(client, verb="ListSets")
    assert "Fondo &amp; más" in document
    assert europeana.oai_faults(shared, document) == []
    mirror = Mirror(lambda arguments: get(client, **arguments))
    whole = mirror.harvest(set="fondo")
    assert {i.rpartition("/")[2] for i in whole} == set(moving.keys[:2])
    assert mirror.live()[moving.keys[0]].count(b"Serie") == 1
    other = quad(moving, "recordset/serie", RICO("title"), Literal("Otra serie"))
    moving.ledger.commit(_change(remove=(title,), add=(other,)), OWNER)
    mirror.harvest(set="serie")
    assert b"Otra serie" in mirror.live()[moving.keys[0]]
    conditions.change(
        moving.ledger, moving.builder.mapping, moving.keys[0], Access("closed"), OWNER
    )
    iri = base.iri("record", moving.keys[0]).value
    assert iri in mirror.harvest(set="fondo"), "a deleted record stays in its sets"
    assert mirror.held[iri] is None
    circle = quad(
        moving, "recordset/serie", RICO("directlyIncludes"), base.iri("recordset", "fondo")
    )
    moving.ledger.commit(_change(add=(circle,)), OWNER)
    assert (
        get(client, verb="ListRecords", metadataPrefix="oai_dc", set="fondo").count("<record>") == 2
    )


def test_many_sets_come_in_pages(moving: Many, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provider_module, "_SETS_AT_ONCE", 3)
    client = app_of(moving)
    made = [quad(moving, f"recordset/s{n}", TYPE, RICO("RecordSet")) for n in range(7)]
    moving.ledger.commit(_change(add=tuple(made)), OWNER)
    document, found = get(client, verb="ListSets"), list[str]()
    while True:
        found += [e.text or "" for e in root(document).iter(f"{OAI}setSpec")]
        assert 'completeListSize="7"' in document
        if not token(document):
            break
        document = get(client, verb="ListSets", resumptionToken=token(document))
    assert found == [f"s{n}" for n in range(7)]


def test_from_and_until_take_in_both_ends(still: Many, client: FlaskClient) -> None:
    mirror = Mirror(lambda arguments: get(client, **arguments), "oai_dc")
    mirror.harvest()
    stamps = sorted(mirror.stamps.values())
    middle = stamps[len(stamps) // 2]

    def count(**arguments: str) -> int:
        one = Mirror(lambda asked: get(client, **asked), "oai_dc")
        return len(one.harvest(None, **arguments))

    assert count(**{"from": middle}) == sum(s >= middle for s in stamps)
    assert count(until=middle) == sum(s <= middle for s in stamps)
    assert count(**{"from": middle, "until": middle}) == stamps.count(middle)
    assert count(**{"from": stamps[0][:10], "until": stamps[-1][:10]}) == len(stamps)
    assert count(until="2020-01-01") == 0
    identify = root(get(client, verb="Identify"))
    assert identify.findtext(f".//{OAI}earliestDatestamp", "") <= stamps[0]


def test_a_commit_under_way_is_waited_for(moving: Many, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its datestamp is older than the answer: nobody would come back for it."""
    mirror, patch = Mirror(asker(moving.provider())), moving.ledger.store.patch
    mirror.harvest()
    time.sleep(1.05)
    begun = threading.Event()

    def slow(*quads: Any) -> None:
        begun.set()
        time.sleep(2.2)
        patch(*quads)

    monkeypatch.setattr(moving.ledger.store, "patch", slow)
    writer = threading.Thread(target=touch, args=(moving.ledger, moving.keys[2], "Tardío"))
    writer.start()
    begun.wait(10)
    time.sleep(1.05)  # this second is later than that of the commit
    mirror.harvest()
    writer.join()
    mirror.harvest()
    assert "Tardío".encode() in mirror.live()[moving.keys[2]]
