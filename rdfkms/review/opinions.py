"""What reviewers think of an item, and how far two of them agree (R78, R139: kappa).

A decision is an opinion of who made it. A second person gives one without deciding, or decides
and so gives it; with the setting `four_eyes` nothing is admitted before two have said so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from rdfkms.errors import BadInput
from rdfkms.ledger.work import Work, now
from rdfkms.model import Principal
from rdfkms.review.decisions import Decision

ACTIONS = ("accept", "reject", "edit", "merge", "differ", "unsure")
_DECIDED = {"reopen": "reject", "keep": "accept", "dismiss": "reject"}


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one person thinks should become of an item, and when; `decision` where it was done."""

    item: str
    principal: str
    action: str
    note: str
    time: str
    decision: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two reviewers on the items that both judged: share of agreement and Cohen's kappa.

    `kappa` is None where chance alone would agree always (both said the same of everything).
    """

    one: str
    other: str
    items: int
    agreed: float
    kappa: float | None


def note(
    work: Work, item: str, principal: Principal, action: str, text: str = "", decision: str = ""
) -> None:
    """Keep what a person thinks of an item; a later opinion of the same person replaces it."""
    action = _DECIDED.get(action, action)
    if action not in ACTIONS:
        raise BadInput(f"There is no opinion {action!r}.", hint=f"Known: {', '.join(ACTIONS)}.")
    with work.transaction() as db:
        db.execute(
            "INSERT OR REPLACE INTO opinion VALUES (?, ?, ?, ?, ?, ?)",
            (item, principal.id, action, text, now("milliseconds"), decision),
        )


def of(work: Work, item: str) -> list[Opinion]:
    """Return the opinions on an item, the oldest first."""
    rows = work.rows(
        "SELECT item, principal, action, note, time, decision FROM opinion WHERE item = ? "
        "ORDER BY time, principal",
        (item,),
    )
    return [Opinion(*row) for row in rows]


def seconded(
    work: Work, item: str, principal: Principal, action: str, last: Decision | None
) -> bool:
    """Return whether another person thinks the same of the item since the last decision on it.

    What was said before that was said of another state: it holds only as that decision itself.
    """

    def holds(said: Opinion) -> bool:
        if last is None:
            return True
        if said.decision:
            return said.decision == last.key
        return datetime.fromisoformat(said.time) > datetime.fromisoformat(last.time)

    return any(
        said.action == action and said.principal != principal.id and holds(said)
        for said in of(work, item)
    )


def agreement(work: Work) -> list[Agreement]:
    """Return the agreement of each two reviewers who judged an item in common, most items first."""
    said: dict[str, dict[str, str]] = {}
    for item, principal, action in work.rows(
        "SELECT item, principal, action FROM opinion WHERE action <> 'unsure'"
    ):
        said.setdefault(principal, {})[item] = action
    found = []
    for one, other in combinations(sorted(said), 2):
        common = sorted(said[one].keys() & said[other].keys())
        if common:
            pairs = [(said[one][item], said[other][item]) for item in common]
            agreed = sum(a == b for a, b in pairs) / len(pairs)
            found.append(Agreement(one, other, len(pairs), agreed, kappa(pairs)))
    return sorted(found, key=lambda a: (-a.items, a.one, a.other))


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Return Cohen's kappa of two raters' labels; None where it is not defined."""
    if not pairs:
        return None
    agreed = sum(a == b for a, b in pairs) / len(pairs)
    first, second = _shares(a for a, _ in pairs), _shares(b for _, b in pairs)
    chance = sum(share * second.get(label, 0.0) for label, share in first.items())
    return None if chance >= 1.0 else (agreed - chance) / (1.0 - chance)


def _shares(labels: Iterable[str]) -> dict[str, float]:
    counts = Counter(labels)
    total = sum(counts.values())
    return {label: count / total for label, count in counts.items()}
