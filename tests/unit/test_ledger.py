"""The one way to write: net patches, visibility of graphs, expect, recovery, erasure, mirrors."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.errors import BadInput, Broken, Conflict, Denied, NotFound
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.erasure import erase
from rdfkms.ledger.ledger import Activity, Change, Ledger, revision_of
from rdfkms.ledger.rebuild import compare, fold, rebuild
from rdfkms.ledger.snapshots import hold, listing, make, newest, prune
from rdfkms.model import Principal, Role
from rdfkms.settings import Settings
from rdfkms.vocab import XSD, Base

BASE = Base()
ANA = Principal("ana", Role.REVIEWER)
ADMIN = Principal("root", Role.ADMINISTRATOR)
READER = Principal("anonymous", Role.READER)
TALK = NamedNode(f"{BASE.base}/graph/conversation/1")
P = NamedNode("http://p")


def quad(value: str | Literal, graph: NamedNode = BASE.public) -> Quad:
    literal = Literal(value) if isinstance(value, str) else value
    return Quad(BASE.iri("claim", "c"), P, literal, graph)


def change(*add: Quad, remove: tuple[Quad, ...] = (), kind: str = "ingest") -> Change:
    return Change(Activity(kind), add, remove)


def reopen(ledger: Ledger) -> Ledger:
    ledger.close()
    return Ledger(ledger.archive, OxigraphStore(ledger.archive.store_path))


def content(ledger: Ledger) -> set[Quad]:
    return {q for q in ledger.store.match() if q.graph_name != BASE.system}


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    archive = Archive.create(tmp_path / "a", Settings())
    found = Ledger(archive, OxigraphStore(archive.store_path))
    yield found
    found.close()


def test_a_commit_is_in_store_and_journal_and_counts_the_revision(ledger: Ledger) -> None:
    assert ledger.revision == 0
    assert ledger.commit(change(quad("a"), quad("b")), ANA) == 1
    assert ledger.revision == revision_of(ledger.store, BASE) == ledger.journal.last() == 1
    assert content(ledger) == {quad("a"), quad("b")}
    (entry,) = ledger.journal.entries()
    assert (entry.added_count, entry.principal, entry.activity.kind) == (2, ANA, "ingest")


def test_only_what_really_changes_is_written(ledger: Ledger) -> None:
    ledger.commit(change(quad("a"), quad("b")), ANA)
    ledger.commit(change(quad("b"), quad("c"), remove=(quad("a"), quad("z"))), ANA)
    entry = ledger.journal.entry(2)
    assert (entry.removed, entry.added) == (
        f"{quad('a')} .\n".encode(),
        f"{quad('c')} .\n".encode(),
    )


def test_a_change_that_comes_to_nothing_writes_no_row(ledger: Ledger) -> None:
    ledger.commit(change(quad("a")), ANA)
    assert ledger.commit(change(quad("a"), remove=(quad("a"), quad("z"))), ANA) == 1
    assert ledger.journal.last() == 1


def test_the_same_number_written_otherwise_is_the_same_quad(ledger: Ledger) -> None:
    ledger.commit(change(quad(Literal("01", datatype=XSD("integer")))), ANA)
    ledger.commit(change(remove=(quad(Literal("+1", datatype=XSD("integer"))),)), ANA)
    assert content(ledger) == set()
    assert list(fold(ledger.journal)) != []
    assert b"".join(fold(ledger.journal)) == b""


def test_what_becomes_public_leaves_internal_and_what_is_public_stays_so(ledger: Ledger) -> None:
    ledger.commit(change(quad("a", BASE.internal)), ANA)
    ledger.commit(change(quad("a")), ANA)
    assert content(ledger) == {quad("a")}
    assert ledger.commit(change(quad("a", BASE.internal)), ANA) == 2
    ledger.commit(change(quad("a", BASE.internal), remove=(quad("a"),)), ANA)
    assert content(ledger) == {quad("a", BASE.internal)}


def test_within_one_change_public_wins_in_either_order(ledger: Ledger) -> None:
    ledger.commit(change(quad("a", BASE.internal), quad("a")), ANA)
    ledger.commit(change(quad("b"), quad("b", BASE.internal)), ANA)
    assert content(ledger) == {quad("a"), quad("b")}


def test_a_conversation_may_repeat_what_is_public(ledger: Ledger) -> None:
    ledger.commit(change(quad("a"), quad("a", TALK)), ANA)
    assert content(ledger) == {quad("a"), quad("a", TALK)}


def test_a_reader_writes_to_conversations_only(ledger: Ledger) -> None:
    ledger.commit(change(quad("a", TALK)), READER)
    for refused in (change(quad("a")), change(quad("b", TALK), remove=(quad("a"),))):
        with pytest.raises(Denied, match="anonymous"):
            ledger.commit(refused, READER)


def test_blank_nodes_get_an_iri_and_the_same_one_within_a_change(ledger: Ledger) -> None:
    node = BlankNode("x")
    quads = Quad(node, P, Literal("a"), BASE.public), Quad(BASE.iri("a", "b"), P, node, BASE.public)
    ledger.commit(change(*quads), ANA)
    subject = next(q.subject for q in content(ledger) if q.object == Literal("a"))
    assert isinstance(subject, NamedNode)
    assert Quad(BASE.iri("a", "b"), P, subject, BASE.public) in content(ledger)


@pytest.mark.parametrize(
    "bad",
    [
        Quad(BASE.iri("a", "b"), P, Literal("x"), DefaultGraph()),
        Quad(BASE.iri("a", "b"), P, Literal("x"), NamedNode("http://elsewhere/graph/public")),
        Quad(BASE.iri("a", "b"), P, Triple(P, P, P), BASE.public),
        Quad(NamedNode(BASE.base), NamedNode("https://w3id.org/rdfkms/ns#revision"),
             Literal("9"), BASE.system),
    ],
)  # fmt: skip
def test_what_may_not_be_kept_is_refused_before_anything_is_written(
    ledger: Ledger, bad: Quad
) -> None:
    with pytest.raises(BadInput):
        ledger.commit(change(quad("a"), bad), ANA)
    assert ledger.journal.last() == 0
    assert ledger.commit(change(quad("a")), ANA) == 1


def test_of_two_who_expect_the_same_revision_one_gets_a_conflict(ledger: Ledger) -> None:
    seen = ledger.revision
    outcomes: list[str] = []

    def decide(name: str) -> None:
        try:
            ledger.commit(change(quad(name)), Principal(name, Role.REVIEWER), expect=seen)
            outcomes.append("written")
        except Conflict:
            outcomes.append("conflict")

    threads = [threading.Thread(target=decide, args=(name,)) for name in ("ana", "bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["conflict", "written"]


def test_threads_that_write_at_once_lose_nothing(ledger: Ledger) -> None:
    def write(name: str) -> None:
        for n in range(20):
            ledger.commit(change(quad(f"{name}{n}")), ANA)

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(content(ledger)) == ledger.revision == 60
    assert ledger.journal.verify() == compare(ledger.journal, ledger.store, BASE) == []


def test_a_store_ahead_of_the_journal_is_not_opened(ledger: Ledger) -> None:
    ledger.commit(change(quad("a")), ANA)
    ledger.close()
    ledger.archive.journal_path.unlink()
    store = OxigraphStore(ledger.archive.store_path)
    with pytest.raises(Broken, match="rdfkms rebuild"):
        Ledger(ledger.archive, store)
    store.close()


def test_a_closed_ledger_writes_no_more(ledger: Ledger) -> None:
    ledger.close()
    with pytest.raises(Broken, match="closed"):
        ledger.commit(change(quad("a")), ANA)


# ---- any sequence of changes, then a rebuild ---------------------------------------------------

small = st.sampled_from("abcdef")
graphs = st.sampled_from([BASE.public, BASE.internal, TALK])
numbers = st.sampled_from(["1", "01", "+1", "2"]).map(lambda n: Literal(n, datatype=XSD("integer")))
quads = st.builds(quad, small | numbers, graphs)
several = st.lists(quads, max_size=4).map(tuple)
changes = st.lists(st.builds(Change, st.just(Activity("ingest")), several, several), max_size=12)


def memory_ledger(folder: str) -> Ledger:
    archive = Archive.create(Path(folder) / "a", Settings())
    return Ledger(archive, OxigraphStore())


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(changes)
def test_any_changes_folded_from_the_journal_give_the_quads_of_the_store(
    wanted: list[Change],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ledger = memory_ledger(folder)
        for each in wanted:
            ledger.commit(each, ANA)
        assert compare(ledger.journal, ledger.store, BASE) == []
        assert ledger.journal.verify() == []
        twice = [q for q in content(ledger) if q.graph_name == BASE.public]
        assert not any(ledger.store.contains(Quad(q.subject, q.predicate, q.object, BASE.internal))
                       for q in twice)  # fmt: skip
        ledger.close()


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(changes, st.lists(st.sets(st.integers(1, 14), min_size=1, max_size=4), max_size=3))
def test_any_erasures_leave_the_quads_as_they_were(
    wanted: list[Change], doomed: list[set[int]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ledger = memory_ledger(folder)
        for each in wanted:
            ledger.commit(each, ANA)
        before = content(ledger)
        for numbers in doomed:
            rows = [n for n in numbers if n <= ledger.revision]
            if rows:
                erase(ledger, rows, ADMIN)
                assert all(ledger.journal.entry(n).added is None for n in rows)
        assert content(ledger) == before
        assert compare(ledger.journal, ledger.store, BASE) == ledger.journal.verify() == []
        ledger.close()


def test_erasing_a_removal_between_two_additions_keeps_one_quad(ledger: Ledger) -> None:
    ledger.commit(change(quad("a")), ANA)
    ledger.commit(change(remove=(quad("a"),)), ANA)
    ledger.commit(change(quad("a")), ANA)
    erase(ledger, [2], ADMIN)
    assert content(ledger) == {quad("a")}
    assert compare(ledger.journal, ledger.store, BASE) == []


def test_what_was_withdrawn_and_erased_is_on_no_disk_after_a_rebuild(ledger: Ledger) -> None:
    secret = "nombre-que-debe-irse"
    ledger.commit(change(quad("stays"), quad(secret)), ANA)
    ledger.commit(change(remove=(quad(secret),)), ANA)
    with pytest.raises(Denied):
        erase(ledger, [1, 2], ANA)
    with pytest.raises(NotFound):
        erase(ledger, [7], ADMIN)
    erase(ledger, [1, 2], ADMIN, note="court order")
    ledger.close()
    rebuild(ledger.archive, OxigraphStore)
    files = [p for p in ledger.archive.root.rglob("*") if p.is_file()]
    assert not [p for p in files if secret.encode() in p.read_bytes()]
    again = reopen(ledger)
    assert content(again) == {quad("stays")}
    again.close()


def test_a_store_that_lacks_an_erased_revision_asks_for_a_rebuild(ledger: Ledger) -> None:
    ledger.commit(change(quad("a")), ANA)
    erase(ledger, [1], ADMIN)
    store = OxigraphStore()
    with pytest.raises(Broken, match="rdfkms rebuild"):
        Ledger(ledger.archive, store)


# ---- snapshots ---------------------------------------------------------------------------------


def test_snapshots_are_named_by_revision_and_the_last_two_are_kept(ledger: Ledger) -> None:
    assert newest(ledger.archive) is None
    for n in range(4):
        ledger.commit(change(quad(str(n))), ANA)
        first = make(ledger)
        assert make(ledger) == first
    assert [s.revision for s in listing(ledger.archive)] == [4, 3]
    copy = OxigraphStore(listing(ledger.archive)[1].path, read_only=True)
    assert revision_of(copy, BASE) == 3
    copy.close()


def test_a_snapshot_that_a_reader_holds_is_kept_until_it_lets_go(ledger: Ledger) -> None:
    ledger.commit(change(quad("a")), ANA)
    old = make(ledger)
    with hold(old) as path:
        for n in range(3):
            ledger.commit(change(quad(str(n))), ANA)
            make(ledger)
        reader = OxigraphStore(path, read_only=True)
        assert revision_of(reader, BASE) == 1
        reader.close()
    prune(ledger.archive)
    assert [s.revision for s in listing(ledger.archive)] == [4, 3]
    with pytest.raises(NotFound, match="newest"), hold(old):
        pass
