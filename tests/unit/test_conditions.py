"""Access conditions: what rests on a record moves whole, and comes back as it was."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from pyoxigraph import NamedNode

from rdfkms.errors import BadInput, Denied, NotFound
from rdfkms.knowledge import decoding, mapping
from rdfkms.model import Access, Principal, Role
from rdfkms.review import conditions
from tests.tools.small_archive import SECRET, Small, build

REVIEWER = Principal("ines", Role.REVIEWER)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    built = build(tmp_path / "archive", title="Belmira")
    yield built
    built.close()


def lines(small: Small, graph: NamedNode) -> set[str]:
    return {str(quad) for quad in small.ledger.store.match(None, None, None, graph)}


def change(small: Small, record: str, condition: str, until: date | None = None) -> int:
    access = Access(condition, until)
    return conditions.change(small.ledger, mapping.load(), record, access, REVIEWER)


def test_closed_and_opened_again_an_archive_is_as_before(small: Small) -> None:
    base = small.ledger.base
    change(small, small.record, "open")  # writes the condition in the form that changes have
    before = [lines(small, graph) for graph in (base.public, base.internal)]
    assert change(small, small.record, "closed") > 50
    assert change(small, small.record, "open") > 50
    assert [lines(small, graph) for graph in (base.public, base.internal)] == before


def test_a_closed_record_leaves_no_trace_of_its_claims_in_public(small: Small) -> None:
    base, store = small.ledger.base, small.ledger.store
    owner = decoding.claim(store, base, small.age).pointers[0].unit
    assert decoding.unit(store, base, owner).record == small.record
    change(small, small.record, "closed")
    public = "\n".join(lines(small, base.public))
    for key in (small.age, small.unit, small.page, small.record, small.picture):
        assert key not in public
    assert small.other_age in public


def test_an_open_claim_no_longer_tells_of_a_rival_that_was_closed(small: Small) -> None:
    base, store = small.ledger.base, small.ledger.store
    change(small, small.record, "closed")
    seen = decoding.claim(store, base, small.other_age, (base.public,))
    assert seen.conflicts == ()
    assert all(reason.code != "conflictsWith" for reason in seen.reasons)
    change(small, small.record, "open")
    assert decoding.claim(store, base, small.other_age, (base.public,)).conflicts == (small.age,)


def test_what_was_closed_from_the_start_can_be_opened(small: Small) -> None:
    base = small.ledger.base
    assert not any(SECRET in line for line in lines(small, base.public))
    change(small, small.closed_record, "open")
    public = "\n".join(lines(small, base.public))
    for key in (small.closed_unit, small.closed_page, small.secret_claim):
        assert key in public
    assert not any(small.closed_unit in line for line in lines(small, base.internal))


def test_an_embargo_ends_by_itself_when_serving_begins(small: Small) -> None:
    base = small.ledger.base
    change(small, small.record, "embargo", date(2999, 1, 1))
    assert conditions.lapse(small.ledger, mapping.load(), REVIEWER) == []
    assert small.unit not in "".join(lines(small, base.public))
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.setattr("rdfkms.review.conditions.is_open", lambda access: True)
        assert conditions.lapse(small.ledger, mapping.load(), REVIEWER) == [small.record]
    assert small.unit in "".join(lines(small, base.public))


def test_an_embargo_that_ended_yesterday_is_open(small: Small) -> None:
    assert change(small, small.record, "embargo", date(2001, 1, 1)) == 0
    assert small.unit in "".join(lines(small, small.ledger.base.public))


def test_changes_are_refused_with_their_reason(small: Small) -> None:
    with pytest.raises(BadInput):
        change(small, small.record, "embargo")
    with pytest.raises(BadInput):
        change(small, small.record, "closed", date(2999, 1, 1))
    with pytest.raises(NotFound):
        change(small, "0" * 24, "closed")
    who = Principal("ana", Role.CONTRIBUTOR)
    with pytest.raises(Denied):
        conditions.change(small.ledger, mapping.load(), small.record, Access("closed"), who)
