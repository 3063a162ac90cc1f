"""Bearer tokens: shown once, kept as a hash, ended at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rdfkms.errors import BadInput, Conflict, NotFound
from rdfkms.ledger import tokens
from rdfkms.ledger.work import Work
from rdfkms.model import Principal, Role


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    found = Work(tmp_path / "work.sqlite")
    yield found
    found.close()


def test_a_secret_names_its_principal_and_nothing_else_does(work: Work) -> None:
    ana = tokens.add(work, "ana@example.org", Role.REVIEWER)
    bob = tokens.add(work, "bob", Role.CONTRIBUTOR)
    assert tokens.verify(work, ana) == Principal("ana@example.org", Role.REVIEWER)
    assert tokens.verify(work, bob) == Principal("bob", Role.CONTRIBUTOR)
    for wrong in ("", ana[:-1], ana + "x", ana.upper(), "\ud800", "' OR '1'='1"):
        assert tokens.verify(work, wrong) is None


def test_a_revoked_token_ends_at_once_and_its_id_stays_taken(work: Work) -> None:
    secret = tokens.add(work, "ana", Role.REVIEWER)
    tokens.revoke(work, "ana")
    assert tokens.verify(work, secret) is None
    assert tokens.list_tokens(work)[0].revoked
    with pytest.raises(Conflict):
        tokens.add(work, "ana", Role.ADMINISTRATOR)
    with pytest.raises(NotFound):
        tokens.revoke(work, "ana")


def test_the_secret_is_nowhere_on_disk(work: Work) -> None:
    secret = tokens.add(work, "ana", Role.REVIEWER)
    files = [p.read_bytes() for p in work.path.parent.iterdir()]
    assert files
    assert all(secret.encode() not in data for data in files)


@pytest.mark.parametrize("name", ["", "a b", "<script>", "a" * 81, "a\n"])
def test_an_id_is_a_plain_word(work: Work, name: str) -> None:
    with pytest.raises(BadInput):
        tokens.add(work, name, Role.REVIEWER)
