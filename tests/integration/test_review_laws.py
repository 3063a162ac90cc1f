"""Any decisions keep the laws, and undoing all of them restores the archive exactly (R78, R81)."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from pyoxigraph import Quad

from rdfkms.admission.shapes import ShapesGate
from rdfkms.app import checking, composition
from rdfkms.app.composition import App
from rdfkms.errors import BadInput, Conflict
from rdfkms.knowledge import decoding
from rdfkms.model import Claim, Kind, Principal, Rank, Ref, Role
from rdfkms.review import acts, edits, identities, undoing
from rdfkms.review.decisions import Decision, Desk
from rdfkms.review.edits import Correction
from rdfkms.review.tombstones import is_stone

EVA = Principal("eva", Role.REVIEWER)
LAWS = ("evidence", "orphans", "graphs", "access", "projection", "nothing more", "counts")
ACTS = ("accept", "reject", "reopen", "rank", "merge", "differ", "split", "edit")


def faults(app: App) -> list[object]:
    return [fault for law in LAWS for fault in checking.TESTS[law](app)]


def content(app: App) -> set[Quad]:
    """What is in the archive besides decisions, persons' runs and tombstones."""
    found = set()
    for graph in (app.base.public, app.base.internal):
        for quad in app.ledger.store.match(None, None, None, graph):
            split = app.base.split(getattr(quad.subject, "value", ""))
            if not is_stone(quad) and (split is None or split[0] not in ("decision", "run")):
                found.add(quad)
    return found


class Walk:
    """Does one random act after another; remembers what was there before each."""

    def __init__(self, app: App, seed: int) -> None:
        self.app = app
        self.desk = Desk(app.ledger, app.work, app.mapping, ShapesGate())
        self.dice = random.Random(seed)
        self.done: list[tuple[Decision, set[Quad]]] = []

    def step(self) -> None:
        store, base = self.app.ledger.store, self.app.base
        claims = sorted(decoding.all_claims(store, base, (), None), key=lambda c: c.key)
        before = content(self.app)
        act: Callable[[list[Claim]], Decision | None] = getattr(self, self.dice.choice(ACTS))
        try:
            made = act(claims)
        except (Conflict, BadInput):
            assert content(self.app) == before  # a refusal leaves nothing behind
            return
        if made is not None:
            self.done.append((made, before))

    def accept(self, claims: list[Claim]) -> Decision:
        return acts.accept(self.desk, self.dice.choice(claims).key, EVA, with_ends=True)

    def reject(self, claims: list[Claim]) -> Decision:
        return acts.reject(self.desk, self.dice.choice(claims).key, EVA, with_dependents=True)

    def reopen(self, claims: list[Claim]) -> Decision:
        return acts.reopen(self.desk, self.dice.choice(claims).key, EVA, with_dependents=True)

    def rank(self, claims: list[Claim]) -> Decision:
        wanted = self.dice.choice(list(Rank))
        return acts.rank(self.desk, self.dice.choice(claims).key, wanted, EVA)

    def merge(self, claims: list[Claim]) -> Decision:
        return identities.merge(self.desk, *self.two(claims), EVA)

    def differ(self, claims: list[Claim]) -> Decision:
        return identities.differ(self.desk, *self.two(claims), EVA)

    def two(self, claims: list[Claim]) -> tuple[Ref, Ref]:
        things = sorted({c.subject for c in claims if c.kind is Kind.MENTION}, key=lambda r: r.path)
        one = self.dice.choice(things)
        return one, self.dice.choice([ref for ref in things if ref.kind == one.kind])

    def split(self, claims: list[Claim]) -> Decision | None:
        thing, _ = self.two(claims)
        own = [c.key for c in claims if c.kind is Kind.MENTION and c.subject == thing]
        if len(own) < 2:
            return None
        chosen = self.dice.sample(own, self.dice.randint(1, len(own) - 1))
        return identities.split(self.desk, thing, chosen, EVA)

    def edit(self, claims: list[Claim]) -> Decision:
        claim = self.dice.choice(claims)
        shorter = claim.pointers[0].quote[:-1] if self.dice.random() < 0.5 else None
        name = "OrganizationState" if claim.kind is Kind.MENTION else None
        value = "41" if claim.statement == "age" else None
        wanted = Correction(quote=shorter, name=name, value=value)
        return edits.edit(self.desk, claim.key, wanted, EVA, with_dependents=True)


@pytest.mark.parametrize("seed", [1, 2])
def test_decisions_keep_the_laws_and_can_all_be_undone(copy: Path, seed: int) -> None:
    with composition.writing(copy, "test") as app:
        walk = Walk(app, seed)
        for step in range(40):
            walk.step()
            if step % 4 == 3:
                assert faults(app) == []
        assert len(walk.done) > 15
        for made, before in reversed(walk.done):
            undoing.undo(walk.desk, made.key, EVA)
            now = content(app)
            assert before - now == set()
            # What an edit proposed stays, withdrawn: the row of its candidate names it.
            extra = {app.base.split(quad.subject.value) for quad in now - before}  # type: ignore[union-attr]
            edited = {key for m, _ in walk.done if m.kind == "edit" for key in m.claims}
            assert {split[1] for split in extra if split} <= edited
        assert faults(app) == []
        assert app.ledger.journal.verify() == []
