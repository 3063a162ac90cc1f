"""What a reviewer sees of an item: the statement in words, its evidence, the reasons (R79)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pyoxigraph import Literal, NamedNode

from rdfkms.errors import NotFound
from rdfkms.knowledge import decoding
from rdfkms.knowledge.encoding import ref_iri
from rdfkms.ledger.work import Work
from rdfkms.model import Candidate, Reason, Ref
from rdfkms.publish.histories import Said, said_of
from rdfkms.publish.views import Evidence, Link, Scope, names_of
from rdfkms.review.tasks import CONFLICT, MERGE, Task
from rdfkms.vocab import KMS

LONGEST_RAW = 4_000
SAMPLES = 6  # statements shown of each thing of a merge


@dataclass(frozen=True, slots=True)
class Side:
    """One of two things that may be one: how it is called and what is said of it."""

    ref: Ref
    link: Link
    mentions: int
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Proposed:
    """A candidate that became no claim: what was proposed, word for word, and where."""

    key: str
    name: str
    subject: str
    object: str
    value: str
    quote: str
    evidence: Evidence | None
    raw: str
    note: str


@dataclass(frozen=True, slots=True)
class Item:
    """An item with all that is needed to decide on it."""

    task: Task
    claims: tuple[Said, ...] = ()
    sides: tuple[Side, ...] = ()
    proposed: Proposed | None = None
    reasons: tuple[Reason, ...] = ()


def items(scope: Scope, work: Work, tasks: Sequence[Task]) -> list[Item]:
    """Return the items of tasks in their order; few queries however many tasks."""
    claims = [key for task in tasks for key in _claims(task)]
    said = named(scope, said_of(scope, claims))
    return [_item(scope, work, task, said) for task in tasks]


def _claims(task: Task) -> tuple[str, ...]:
    if task.kind == CONFLICT:
        return task.things
    return (task.key,) if task.item.startswith("claim/") else ()


def _item(scope: Scope, work: Work, task: Task, said: dict[str, Said]) -> Item:
    found = tuple(said[key] for key in _claims(task) if key in said)
    if task.kind == MERGE:
        sides = tuple(side(scope, Ref(*path.split("/", 1))) for path in task.things)
        merge = work.merge(*task.things)
        return Item(task, sides=sides, reasons=merge.proposal.reasons if merge else ())
    if task.item.startswith("candidate/"):
        row = next(iter(work.candidates(key=task.key)), None)
        if row is None:
            return Item(task)
        return Item(task, proposed=_proposed(scope, row.candidate), reasons=row.verdict.reasons)
    reasons = _reasons(scope, found[0].claim.key) if found else ()
    return Item(task, claims=found, reasons=reasons)


def side(scope: Scope, ref: Ref) -> Side:
    """Return one of two things that may be one."""
    about = decoding.claims_of_thing(scope.store, scope.base, ref, scope.graphs)
    names = [c for c in about if c.statement == "namedAs" and c.subject == ref]
    told = [c for c in about if c not in names]
    shown = [c.key for c in (*names[:SAMPLES], *told[:SAMPLES])]
    iri = ref_iri(ref, scope.base)
    said = named(scope, said_of(scope, shown))
    link = _called(scope, names_of(scope, [iri])[iri.value], iri)
    return Side(ref, link, len(names), tuple(said[key] for key in shown if key in said))


def _proposed(scope: Scope, one: Candidate) -> Proposed:
    return Proposed(
        key=one.key,
        name=one.name,
        subject=one.subject.surface if one.subject else "",
        object=one.object.surface if one.object else "",
        value=one.value.lexical if one.value else "",
        quote=one.quote,
        evidence=_passage(scope, one),
        raw=one.raw[:LONGEST_RAW],
        note=one.note,
    )


def _passage(scope: Scope, one: Candidate) -> Evidence | None:
    """The passage that a candidate was made about, with its quote where that stands in it."""
    try:
        unit = decoding.unit(scope.store, scope.base, one.unit, scope.graphs)
        record = decoding.record(scope.store, scope.base, unit.record, scope.graphs)
    except NotFound:
        return None
    text = unit.raw.text
    at = text.find(one.quote) if one.quote else -1
    start, end = (at, at + len(one.quote)) if at >= 0 else (0, 0)
    return Evidence(
        claim="", pointer="", unit=unit.key, record=record.key, record_title=record.title,
        page_label=unit.page_label, quote=text[start:end], before=text[:start], after=text[end:],
        language=unit.language, start=start, end=end, has_picture=False,
        modality=unit.modality.value,
    )  # fmt: skip


def _reasons(scope: Scope, key: str) -> tuple[Reason, ...]:
    found = decoding.claims(scope.store, scope.base, [key], scope.graphs)
    return found[0].reasons if found else ()


# ---- names of what no admitted mention names -----------------------------------------------------


def named(scope: Scope, said: dict[str, Said]) -> dict[str, Said]:
    """Return the statements with names also for things whose mentions wait for review."""
    return {key: _named(scope, one) for key, one in said.items()}


def _named(scope: Scope, one: Said) -> Said:
    claim = one.claim
    subject = _called(scope, one.subject, claim.subject)
    thing = _called(scope, one.object, claim.object) if one.object and claim.object else one.object
    return replace(one, subject=subject, object=thing)


def _called(scope: Scope, link: Link, thing: NamedNode) -> Link:
    """Return the link under a proposed name where it has no admitted one."""
    if link.text and not link.text.endswith(f" {link.key[:8]}"):
        return link
    names = sorted(_proposed_names(scope, thing))
    return replace(link, text=names[0], note="name in review") if names else link


def _proposed_names(scope: Scope, thing: NamedNode) -> Iterable[str]:
    for graph in scope.graphs:
        for quad in scope.store.match(None, KMS("claimSubject"), thing, graph):
            if not isinstance(quad.subject, NamedNode):
                continue
            kinds = scope.store.match(quad.subject, KMS("claimPredicate"), KMS("namedAs"), graph)
            if next(iter(kinds), None) is not None:
                for value in scope.store.match(quad.subject, KMS("claimValue"), None, graph):
                    if isinstance(value.object, Literal):
                        yield value.object.value
