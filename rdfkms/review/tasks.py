"""Items of the review queue: what waits for a person, and what a decision on it is worth (R79)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pyoxigraph import NamedNode, Quad

from rdfkms.admission.conflicts import CODES
from rdfkms.knowledge import decoding
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.nodes import key_in
from rdfkms.ledger.rows import CandidateRow
from rdfkms.model import (
    Candidate,
    Claim,
    Decision,
    EvidenceUnit,
    Flag,
    Kind,
    Label,
    MergeProposal,
    Ref,
    Verdict,
)
from rdfkms.ports import QuadReader
from rdfkms.review.merges import merges
from rdfkms.vocab import KMS, OWL, RICO, Base, key_of

OPEN, CLOSED = "open", "closed"
DOUBT, CONFLICT, MERGE, REFUSED = "doubt", "conflict", "merge", "refused"
KINDS = (DOUBT, CONFLICT, MERGE, REFUSED)

# What a decision is worth: shown on the rules page and in docs/review.md.
WORTH = {CONFLICT: 0.8, MERGE: 0.6, DOUBT: 0.5, REFUSED: 0.1}
HIGH_RISK, NAMES, NEARLY, POORLY_READ, ALIKE = 0.2, 0.15, 0.05, 0.1, 0.2
_FLAG = KMS("conflictsWith")


@dataclass(frozen=True, slots=True)
class Task:
    """One item of the queue.

    `item` is ``claim/KEY``, ``candidate/KEY`` (what became no claim), ``conflict/KEY`` or
    ``merge/KEY``; `things` are the two claims of a conflict (keys), the two things of a merge
    (paths); `codes` are the reasons; `second` is who asked for a second opinion; `decision` is the
    one that closed it.
    """

    item: str
    kind: str
    statement: str
    things: tuple[str, ...] = ()
    unit: str = ""
    record: str = ""
    proposer: str = ""
    run: str = ""
    codes: tuple[str, ...] = ()
    priority: float = 0.0
    state: str = OPEN
    assignee: str = ""
    second: str = ""
    decision: str = ""
    updated: str = ""

    @property
    def key(self) -> str:
        """The key of the claim, candidate, conflict or merge."""
        return self.item.partition("/")[2]


# ---- making them --------------------------------------------------------------------------------


def of_candidate(
    candidate: Candidate,
    verdict: Verdict,
    claim: str | None,
    mapping: Mapping,
    unit: EvidenceUnit | None = None,
    run: str = "",
) -> Task | None:
    """Return the task of a candidate that was not admitted; None for one that was."""
    if verdict.decision in (Decision.ADMITTED, Decision.PENDING):
        return None
    refused = verdict.decision is Decision.REJECTED or candidate.kind is Kind.UNPARSEABLE
    task = Task(
        item=f"claim/{claim}" if claim else f"candidate/{candidate.key}",
        kind=REFUSED if refused else DOUBT,
        statement=candidate.name,
        unit=candidate.unit,
        record=unit.record if unit else "",
        proposer=candidate.proposer,
        run=run,
        codes=tuple(r.code for r in verdict.reasons),
    )
    flags = unit.flags if unit else ()
    return replace(task, priority=_worth(task, candidate.kind, verdict.label, mapping, flags))


def of_claim(claim: Claim, unit: EvidenceUnit, mapping: Mapping) -> Task:
    """Return the task of a quarantined claim."""
    name = claim.name if claim.kind in (Kind.MENTION, Kind.EVENT) else claim.statement
    codes = tuple(r.code for r in claim.reasons)
    task = Task(f"claim/{claim.key}", DOUBT, name, (), unit.key, unit.record, "", "", codes)
    return replace(task, priority=_worth(task, claim.kind, claim.label, mapping, unit.flags))


def of_conflicts(claim: Claim, record: str = "") -> Iterator[Task]:
    """Yield a task for each admitted claim that says otherwise."""
    unit = claim.pointers[0].unit if claim.pointers else ""
    for other in claim.conflicts:
        pair = tuple(sorted((claim.key, other)))
        yield Task(
            f"conflict/{key_of('conflict', *pair)}", CONFLICT, claim.statement, pair, unit, record,
            codes=tuple(r.code for r in claim.reasons if r.code in CODES) or CODES[:1],
            priority=WORTH[CONFLICT],
        )  # fmt: skip


def of_merge(proposal: MergeProposal) -> Task:
    """Return the task of a proposal to merge."""
    a, b = sorted((proposal.a.path, proposal.b.path))
    codes = tuple(r.code for r in proposal.reasons)
    worth = WORTH[MERGE] + ALIKE * max(0.0, min(proposal.score, 1.0))
    return Task(merge_item(a, b), MERGE, "merge", (a, b), codes=codes, priority=round(worth, 4))


def merge_item(a: str, b: str) -> str:
    """Return the item of a proposal to merge two things, given by path in any order."""
    return f"merge/{key_of('merge', *sorted((a, b)))}"


def of_rows(
    rows: Iterable[CandidateRow], store: QuadReader, base: Base, mapping: Mapping
) -> Iterator[Task]:
    """Yield the tasks of candidates that were not admitted, as rows tell them."""
    records: dict[str, str] = {}
    for row in rows:
        task = of_candidate(row.candidate, row.verdict, row.claim, mapping, None, row.run)
        if task is not None:
            if task.unit not in records:
                records[task.unit] = _record(store, base, task.unit)
            yield replace(task, record=records[task.unit])


def of_flags(store: QuadReader, base: Base, mapping: Mapping) -> Iterator[Task]:
    """Yield the tasks of all conflicts that are flagged in the store."""
    for graph in (base.public, base.internal):
        for quad in store.match(None, _FLAG, None, graph):
            pair = tuple(sorted((key_in(base, quad.subject), key_in(base, quad.object))))
            item = f"conflict/{key_of('conflict', *pair)}"
            name = _statement(store, base, pair[0], mapping)
            yield Task(item, CONFLICT, name, pair, codes=CODES[:1], priority=WORTH[CONFLICT])


def _worth(
    task: Task, kind: Kind, label: Label | None, mapping: Mapping, flags: Sequence[Flag]
) -> float:
    """High-risk statements weigh more, and so do names, on which other statements rest."""
    worth = WORTH[task.kind]
    if task.kind == DOUBT:
        rule = mapping.statements.get(task.statement)
        worth += HIGH_RISK if rule is not None and rule.high_risk else 0.0
        worth += NAMES if kind in (Kind.MENTION, Kind.EVENT) else 0.0
        worth += NEARLY if label in (Label.PARTIAL, Label.AMBIGUOUS, Label.SUPPORTED) else 0.0
        worth += POORLY_READ if Flag.LOW_CONFIDENCE in flags else 0.0
    return round(worth, 4)


# ---- do they still wait? ------------------------------------------------------------------------


def waits(task: Task, store: QuadReader, base: Base) -> bool:
    """Return whether the archive, as it is now, leaves this for a person to decide."""
    if task.item.startswith("claim/"):
        return _is(store, base, task.key, "claimStatus", "quarantined")
    if task.kind == CONFLICT:
        standing = [_is(store, base, key, "claimStatus", "admitted") for key in task.things]
        normal = [_is(store, base, key, "rank", "normal") for key in task.things]
        flagged = _flagged(store, base, *task.things)
        return flagged and all(standing) and all(normal) and not task.decision
    if task.kind == MERGE:
        one, other = (Ref(*path.split("/", 1)) for path in task.things)
        if not (_is_spoken_of(store, base, one) and _is_spoken_of(store, base, other)):
            return False
        known = merges(store, base)
        apart = Quad(_iri(base, task.things[0]), OWL("differentFrom"), _iri(base, task.things[1]),
                     base.internal)  # fmt: skip
        return known.canonical(one) != known.canonical(other) and not store.contains(apart)
    return not task.decision and not decoding.is_withdrawn_unit(store, base, task.unit)


def _is_spoken_of(store: QuadReader, base: Base, thing: Ref) -> bool:
    """Whether a claim that is admitted or waits for review still speaks of the thing."""
    for graph in (base.public, base.internal):
        for quad in store.match(None, KMS("claimSubject"), base.iri(thing.kind, thing.key), graph):
            key = key_in(base, quad.subject)
            if any(_is(store, base, key, "claimStatus", s) for s in ("admitted", "quarantined")):
                return True
    return False


def _flagged(store: QuadReader, base: Base, one: str, other: str) -> bool:
    first, second = base.iri("claim", one), base.iri("claim", other)
    return any(
        store.contains(Quad(a, _FLAG, b, graph))
        for a, b in ((first, second), (second, first))
        for graph in (base.public, base.internal)
    )


def _is(store: QuadReader, base: Base, key: str, name: str, value: str) -> bool:
    iri = base.iri("claim", key)
    graphs = (base.internal, base.public)
    return any(store.contains(Quad(iri, KMS(name), KMS(value), graph)) for graph in graphs)


def _iri(base: Base, path: str) -> NamedNode:
    return base.iri(*path.split("/", 1))


def _record(store: QuadReader, base: Base, unit: str) -> str:
    iri = base.iri("evidence", unit)
    for graph in (base.public, base.internal):
        for quad in store.match(iri, RICO("isDirectConstituentOf"), None, graph):
            return key_in(base, quad.object)
    return ""


def _statement(store: QuadReader, base: Base, key: str, mapping: Mapping) -> str:
    iri = base.iri("claim", key)
    for graph in (base.public, base.internal):
        for quad in store.match(iri, KMS("statementType"), None, graph):
            rule = mapping.by_concept(quad.object) if isinstance(quad.object, NamedNode) else None
            if rule is not None:
                return rule.name
    return ""
