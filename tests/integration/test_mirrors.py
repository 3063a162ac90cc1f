"""Mirrors: two stores of other makes show the public graph, exactly, and answer in its stead."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple, parse

from rdfkms import queries
from rdfkms.app import composition, mirrored, mirroring
from rdfkms.errors import BadInput, Broken, Conflict, Misconfigured, NotFound, RdfkmsError
from rdfkms.ledger import erasure
from rdfkms.ledger import mirror as mirrors
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Activity, Change
from rdfkms.publish.endpoint import Request, SparqlService
from rdfkms.settings import MirrorSettings
from rdfkms.vocab import KMS, XSD
from tests.tools import engines, small_archive
from tests.tools.engines import Engine
from tests.tools.service import serving
from tests.tools.small_run import command, result

HARD: tuple[Literal | NamedNode, ...] = (
    Literal("a \"quote\", a \\ and\ta tab\nnew line\r"),
    Literal("Ünïcödé 漢字 𝄞", language="zh"),
    Literal("1937~", datatype=NamedNode("http://id.loc.gov/datatypes/edtf/EDTF-level1")),
    Literal("007", datatype=XSD("integer")),
    Literal("1939-03-12", datatype=XSD("date")),
    Literal("2026-11-30T10:00:00.123+00:00", datatype=XSD("dateTime")),
    Literal("0.850", datatype=XSD("decimal")),
    Literal("true", datatype=XSD("boolean")),
    Literal(""),
    Literal("x" * 40_000),
    NamedNode("http://example.org/ä/%20?q=1&b=(2)#x"),
)  # fmt: skip


@pytest.fixture(scope="module", params=["oxigraph", "virtuoso"])
def engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    start = {"oxigraph": engines.oxigraph, "virtuoso": engines.virtuoso}[request.param]
    with start(tmp_path_factory.mktemp(request.param) / "data") as found:
        yield found


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    made = small_archive.build(tmp_path / "A")
    made.close()
    return tmp_path / "A"


def told(engine: Engine) -> MirrorSettings:
    return MirrorSettings(query_url=engine.query_url, update_url=engine.update_url)


def silent(stage: str, done: int, total: int) -> None:
    pass


def shown(engine: Engine, archive: Path) -> set[Triple]:
    """Return what a mirror has in the public graph, by its own answer to a query."""
    opened = Archive.open(archive)
    source, remote = mirrored.queried(opened, engine.name)
    service = SparqlService(source, opened.base, opened.settings.sparql, engine=remote)
    try:
        asked = queries.text("publish/graph")
        answer = service.answer(Request(asked, format="nt"))
        assert answer.body is not None
        with answer.body:
            read = parse(answer.body.read(), format=RdfFormat.N_TRIPLES)
            return {quad.triple for quad in read}
    finally:
        service.close()


def own(app: composition.App) -> set[Triple]:
    return {q.triple for q in app.ledger.store.match(None, None, None, app.base.public)}


def test_a_mirror_shows_the_public_graph_to_the_last_literal(engine: Engine, archive: Path) -> None:
    assert mirroring.add(archive, engine.name, told(engine))["name"] == engine.name
    mirroring.rebuild(archive, engine.name, silent)
    with composition.writing(archive, "test") as app:
        subject, base = app.base.iri("person", "hard"), app.base
        quads = tuple(
            Quad(subject, NamedNode(f"http://p/{n}"), term, base.public)
            for n, term in enumerate(HARD)
        )
        secret = Quad(subject, NamedNode("http://p/x"), Literal("secret"), base.internal)
        app.ledger.commit(Change(Activity("ingest"), add=(*quads, secret)), small_archive.OWNER)
        app.ledger.commit(Change(Activity("ingest"), remove=quads[::2]), small_archive.OWNER)
        journal, mirror = app.ledger.journal, mirrored.opened(engine.name, told(engine))
        assert mirrors.feed(journal, base, mirror) == app.ledger.revision
        expected, revision = own(app), app.ledger.revision
    assert shown(engine, archive) == expected
    (row,) = mirroring.status(archive)
    assert (row["revision"], row["behind"], row["fault"]) == (revision, 0, "")
    assert row["triples"] == row["archive_triples"] == len(expected)
    # Once more from the start comes to the same: what was broken off is simply done again.
    mirroring.rebuild(archive, engine.name, silent)
    assert shown(engine, archive) == expected


def test_queries_are_answered_by_a_mirror_as_by_the_archive(engine: Engine, archive: Path) -> None:
    mirroring.add(archive, engine.name, told(engine))
    mirroring.rebuild(archive, engine.name, silent)
    opened = Archive.open(archive)
    source, remote = mirrored.queried(opened, engine.name)
    service = SparqlService(source, opened.base, opened.settings.sparql, engine=remote)

    def rows(served: SparqlService, text: str) -> list[str]:
        answer = served.answer(Request(text, format="tsv", base="http://localhost/sparql"))
        assert answer.body is not None
        with answer.body:
            return sorted(answer.body.read().decode().splitlines()[1:])

    internal = opened.base.internal.value
    asked = [
        *(queries.text(n) for n in ("examples/persons-with-evidence", "examples/claims-per-record",
                                    "examples/things-by-class", "examples/family-two-steps")),
        "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
        "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }",
        f"SELECT * FROM <{internal}> {{ ?s ?p ?o }}",
        f"SELECT * FROM NAMED <{internal}> {{ GRAPH ?g {{ ?s ?p ?o }} }}",
        "SELECT ?x { BIND(<x> AS ?x) }",
    ]  # fmt: skip
    try:
        with composition.writing(archive, "test") as app:
            for text in asked:
                expected, got = rows(app.sparql, text), rows(service, text)
                assert len(got) == len(expected), text
                if "LIMIT" not in text:
                    assert got == expected, text
        for form in ("json", "xml"):
            answer = service.answer(Request("ASK { ?s ?p ?o }", format=form))
            assert answer.body is not None
            with answer.body:
                assert b"true" in answer.body.read()
        for text in ("SELECT * { ?s ?p", "SELECT (AVG(*) AS ?x) {"):
            with pytest.raises(BadInput):
                service.answer(Request(text))
    finally:
        service.close()


@pytest.mark.parametrize(
    "engine", ["oxigraph", pytest.param("virtuoso", marks=pytest.mark.slow)], indirect=True
)
def test_a_service_keeps_its_mirror_two_seconds_behind_at_most_and_catches_up(
    engine: Engine, archive: Path
) -> None:
    mirroring.add(archive, engine.name, told(engine))
    mirroring.rebuild(archive, engine.name, silent)
    mirror = mirrored.opened(engine.name, told(engine))
    base = Archive.open(archive).base

    def wait(revision: int, seconds: float) -> float:
        begun = time.monotonic()
        while mirror.state(NamedNode(base.base)).revision < revision:
            assert time.monotonic() - begun < seconds, "the mirror lags"
            time.sleep(0.05)
        return time.monotonic() - begun

    with serving(archive) as service:
        record = result("source", "list", "--archive", service.archive)["records"][0]["record"]
        made = result("access", record, "closed", "--archive", service.archive)
        assert wait(made["revision"], 2.0) <= 2.0
        engine.stop()
        away = result("access", record, "open", "--archive", service.archive)
        time.sleep(1.5)
        engine.start()
        wait(away["revision"], 20.0)
    with composition.writing(archive, "test") as app:  # the service is down, the mirror is up
        quad = Quad(base.iri("person", "late"), NamedNode("http://p"), Literal("x"), base.public)
        late = app.ledger.commit(Change(Activity("ingest"), add=(quad,)), small_archive.OWNER)
        expected = own(app)
    with serving(archive):
        wait(late, 20.0)
    assert shown(engine, archive) == expected


@pytest.mark.parametrize(
    "text",
    [
        "MODIFY GRAPH <%g> DELETE { ?s ?p ?o } INSERT { <a:x> <a:y> <a:pwned> } WHERE {}",
        'SELECT * FROM <%u> OPTION (get:soft "soft") { ?s ?p ?o }',
        "SELECT * { SERVICE <%u> (IN ?s) { ?s ?p ?o } }",
        'DEFINE get:soft "soft" SELECT * FROM <%u> { ?s ?p ?o }',
        "SELECT (bif:sys_stat('st_dbms_ver') AS ?v) {}",
        "PREFIX bif: <bif:> SELECT (bif:sys_stat('st_dbms_ver') AS ?v) {}",
        "SELECT (<sql:rdf_load>('%u') AS ?v) {}",
        "INSERT DATA { GRAPH <%g> { <a:x> <a:y> <a:pwned> } }",
    ],
)
def test_what_only_another_engine_reads_never_reaches_it(
    engine: Engine, archive: Path, liar: tuple[str, Callable[[int, bytes], None]], text: str
) -> None:
    url, _ = liar
    mirroring.add(archive, engine.name, told(engine))
    mirroring.rebuild(archive, engine.name, silent)
    opened = Archive.open(archive)
    source, remote = mirrored.queried(opened, engine.name)
    service = SparqlService(source, opened.base, opened.settings.sparql, engine=remote)
    asked = text.replace("%g", opened.base.public.value).replace("%u", url)
    try:
        with pytest.raises(RdfkmsError) as refused:
            service.answer(Request(asked, format="json"))
        assert refused.value.http_status in (400, 403)
        answer = service.answer(Request("ASK { ?s ?p <a:pwned> }", format="json"))
        assert answer.body is not None
        with answer.body:
            assert b"false" in answer.body.read()
    finally:
        service.close()


def test_a_mirror_of_another_history_is_known_by_its_hash(
    engine: Engine, archive: Path, tmp_path: Path
) -> None:
    mirroring.add(archive, engine.name, told(engine))
    shutil.copytree(archive, tmp_path / "before")
    for root, value in ((archive, "lost"), (tmp_path / "before", "new")):
        with composition.writing(root, "test") as app:
            quad = Quad(app.base.iri("person", "x"), NamedNode("http://p"), Literal(value),
                        app.base.public)  # fmt: skip
            app.ledger.commit(Change(Activity("ingest"), add=(quad,)), small_archive.OWNER)
    mirroring.rebuild(archive, engine.name, silent)
    with pytest.raises(Broken, match="another history"):
        mirroring.feed(tmp_path / "before", engine.name)
    (row,) = mirroring.status(tmp_path / "before")
    assert "another history" in row["fault"]
    mirroring.rebuild(tmp_path / "before", engine.name, silent)
    assert mirroring.status(tmp_path / "before")[0]["fault"] == ""


def test_what_was_erased_is_read_from_no_mirror(engine: Engine, archive: Path) -> None:
    mirroring.add(archive, engine.name, told(engine))
    mirroring.rebuild(archive, engine.name, silent)
    mirror = mirrored.opened(engine.name, told(engine))
    with composition.writing(archive, "test") as app:
        journal, base, ledger = app.ledger.journal, app.base, app.ledger
        quad = Quad(base.iri("person", "x"), NamedNode("http://p"), Literal("y"), base.public)
        number = ledger.commit(Change(Activity("ingest"), add=(quad,)), small_archive.OWNER)
        erasure.erase(ledger, [number], small_archive.OWNER)
        with pytest.raises(Broken, match="erased"):
            mirrors.feed(journal, base, mirror)
        assert mirror.state(NamedNode(base.base)).revision == 0  # and so it answers nobody
    assert mirroring.rebuild_all(archive, silent) == {engine.name: ""}
    assert mirroring.status(archive)[0]["fault"] == ""


def test_a_large_patch_is_told_while_it_is_on_its_way(
    engine: Engine, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirroring.add(archive, engine.name, told(engine))
    mirroring.rebuild(archive, engine.name, silent)
    monkeypatch.setattr(mirrors, "CHUNK", 100)
    mirror = mirrored.opened(engine.name, told(engine))
    told_then: list[bool] = []
    apply = mirror.apply

    def watched(remove: Sequence[Quad], add: Sequence[Quad]) -> None:
        apply(remove, add)
        told_then.append(mirror.state(NamedNode(base.base)).loading)

    monkeypatch.setattr(mirror, "apply", watched)
    with composition.writing(archive, "test") as app:
        base = app.base
        quads = tuple(
            Quad(base.iri("person", f"n{n}"), NamedNode("http://p"), Literal("x"), base.public)
            for n in range(250)
        )
        app.ledger.commit(Change(Activity("ingest"), add=quads), small_archive.OWNER)
        mirrors.feed(app.ledger.journal, base, mirror)
    assert told_then == [True, True, True, True, False]
    # One that was broken off leaves its mark; the next patch, however small, takes it away.
    mark = Quad(NamedNode(base.base), KMS("loading"), Literal("true", datatype=XSD("boolean")),
                base.system)  # fmt: skip
    apply([], [mark])
    assert mirror.state(NamedNode(base.base)).loading
    with composition.writing(archive, "test") as app:
        app.ledger.commit(Change(Activity("ingest"), remove=quads[:1]), small_archive.OWNER)
        mirrors.feed(app.ledger.journal, base, mirror)
    assert not mirror.state(NamedNode(base.base)).loading


# ---- what goes wrong -----------------------------------------------------------------------------


@pytest.fixture
def liar() -> Iterator[tuple[str, Callable[[int, bytes], None]]]:
    """A server that answers whatever it is told to."""
    answer: list[tuple[int, bytes]] = [(200, b"")]

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, body = answer[0]
            self.send_response(status)
            self.send_header("Content-Type", "application/sparql-results+json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()

    def tell(status: int, body: bytes) -> None:
        answer[0] = (status, body)

    yield f"http://127.0.0.1:{server.server_port}/sparql", tell
    server.shutdown()
    thread.join()
    server.server_close()


def revision(number: str) -> bytes:
    row = {"revision": {"type": "literal", "value": number}}
    return json.dumps({"head": {"vars": ["revision"]}, "results": {"bindings": [row]}}).encode()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b"oops"), (401, b""), (200, b"<html>"), (200, b""), (200, b"[]"),
        (200, b'{"head": 3}'),
        (200, b'{"head":{"vars":["revision"]},"results":{"bindings":[{"revision":3}]}}'),
    ],
)  # fmt: skip
def test_a_mirror_that_answers_nonsense_is_named_and_nothing_is_lost(
    archive: Path, liar: tuple[str, Callable[[int, bytes], None]], status: int, body: bytes
) -> None:
    url, tell = liar
    tell(200, revision("0"))
    mirroring.add(archive, "bad", MirrorSettings(query_url=url))
    tell(status, body)
    with pytest.raises(RdfkmsError, match=r"SPARQL service|mirror"):
        mirroring.feed(archive, "bad")
    (row,) = mirroring.status(archive)
    assert row["fault"]
    opened = Archive.open(archive)
    _, remote = mirrored.queried(opened, "bad")
    limits = opened.settings.sparql
    service = SparqlService(lambda: (Path(), 1), opened.base, limits, engine=remote)
    with pytest.raises(RdfkmsError) as refused:
        service.answer(Request("SELECT * { ?s ?p ?o }"))
    assert refused.value.http_status == 503
    service.close()


def test_a_mirror_that_lies_about_its_revision_is_not_fed(
    archive: Path, liar: tuple[str, Callable[[int, bytes], None]]
) -> None:
    url, tell = liar
    tell(200, revision("0"))
    mirroring.add(archive, "bad", MirrorSettings(query_url=url))
    tell(200, revision("many"))
    with pytest.raises(RdfkmsError, match="no number"):
        mirroring.feed(archive, "bad")
    tell(200, revision("999"))
    with pytest.raises(Broken, match="revision 999"):
        mirroring.feed(archive, "bad")
    (row,) = mirroring.status(archive)
    assert "beyond" in row["fault"]
    tell(200, revision("0"))
    opened = Archive.open(archive)
    source, _ = mirrored.queried(opened, "bad")
    with pytest.raises(RdfkmsError, match="empty or being loaded"):
        source()


def test_bad_names_and_addresses_are_refused(
    archive: Path, liar: tuple[str, Callable[[int, bytes], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, tell = liar
    tell(200, revision("0"))
    good = MirrorSettings(query_url=url)
    before = (archive / "archive.toml").read_text()
    with pytest.raises(BadInput):
        mirroring.add(archive, "Bad Name", good)
    with pytest.raises(BadInput):
        mirroring.settings_of(query_url="file:///etc/passwd")
    with pytest.raises(BadInput):
        mirroring.add(archive, "bad", MirrorSettings(query_url=url, user="a\nb"))
    with pytest.raises(Misconfigured, match="KMS_TEST_WORD"):
        mirroring.add(
            archive, "bad", MirrorSettings(query_url=url, user="a", password_env="KMS_TEST_WORD")
        )
    with pytest.raises(NotFound):
        mirroring.feed(archive, "none")
    assert (archive / "archive.toml").read_text() == before
    mirroring.add(archive, "good", good)
    with pytest.raises(Conflict):
        mirroring.add(archive, "good", good)


@pytest.mark.parametrize("engine", ["oxigraph"], indirect=True)
def test_the_command_line_adds_loads_and_shows(engine: Engine, archive: Path) -> None:
    none = command("mirror", "status", "--archive", archive)
    assert "There is no mirror" in none.stdout
    command("mirror", "add", "one", "--query", engine.query_url, "--update", engine.update_url,
            "--archive", archive)  # fmt: skip
    assert "triples; revision" in command("mirror", "rebuild", "one", "--archive", archive).stdout
    assert "(0 behind)" in command("mirror", "status", "--archive", archive).stdout
    fed = result("mirror", "feed", "one", "--archive", archive)
    assert fed["revision"] > 0
