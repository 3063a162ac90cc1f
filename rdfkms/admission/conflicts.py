"""Conflicts: statements that cannot all be true stay side by side, flagged (law 7).

Compared are single-valued statements that differ, births and deaths with one another and with the
times of events, ages with births, and holders of one office. `Rivals` looks up only what a claim
of these kinds may contradict; nothing is withdrawn, and no admission refused.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from rapidfuzz.distance import Prefix

from rdfkms.admission import offices, timeorder
from rdfkms.admission.known import Known
from rdfkms.knowledge.details import year_of
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.nameforms import normal
from rdfkms.knowledge.names import Names
from rdfkms.knowledge.timespans import Timespan, timespan
from rdfkms.model import Claim, Kind, Rank, Ref, Status, Value

PERSON = "Person"
# Reasons that say "another source says otherwise", each with its claim under `conflicts`.
CODES = ("conflictsWith", "impossibleOrder", "ageAgainstDates", "officeHeldTwice")
Found = tuple[str, tuple[Claim, ...]]  # code of the reason, claims that say otherwise

# Years by which an age may differ when both sources are dated.
AGE_TOLERANCE = 1
# Words that share so many letters are forms of one word: condenamos, condenar.
_SAME_STEM = 5


def conflicts(
    claim: Claim, others: Iterable[Claim], mapping: Mapping, names: Names | None = None
) -> tuple[str, ...]:
    """Return the keys, sorted, of admitted claims that say otherwise on a single-valued statement.

    `names` lets two spellings of one place count as the same.
    """
    if not mapping.statement(claim.statement).single_valued:
        return ()
    return tuple(sorted({other.key for other in others if _differ(claim, other, names)}))


class Rivals:
    """What stands beside the claims of one batch: the batch itself and the archive.

    `years` gives the years known of a claim's paper, in which an age may have been stated.
    """

    def __init__(
        self,
        claims: Sequence[Claim],
        known: Known,
        mapping: Mapping,
        names: Names,
        years: Callable[[Claim], Sequence[int]] = lambda claim: (),
    ) -> None:
        self._known = known
        self._mapping = mapping
        self._names = names
        self._years = years
        self._about: defaultdict[tuple[Ref, str], list[Claim]] = defaultdict(list)
        self._naming: defaultdict[Ref, list[Claim]] = defaultdict(list)
        self._looked: set[object] = set()
        self._fresh: set[str] = set()
        persons = {n for n, r in mapping.statements.items() if PERSON in r.range}
        self._parts = tuple(sorted(n for n in persons if mapping.statements[n].kind == "argument"))
        self._mentions = [claim for claim in claims if claim.kind is Kind.MENTION]
        for claim in claims:
            self._fresh.add(claim.key)
            self._keep(claim)

    def of(self, claim: Claim) -> Iterator[Found]:
        """Yield each kind of contradiction with the claims that contradict this one."""
        if self._mapping.statement(claim.statement).single_valued:
            rivals = self._said(claim.subject, claim.statement)
            keys = set(conflicts(claim, rivals, self._mapping, self._names))
            yield from _found("conflictsWith", [r for r in rivals if r.key in keys])
        if claim.statement in timeorder.LIFE:
            yield from _found("impossibleOrder", self._against_life(claim))
        if claim.statement in (timeorder.BIRTH, timeorder.AGE):
            yield from _found("ageAgainstDates", self._against_age(claim))
        if claim.kind is Kind.ARGUMENT:
            yield from _found("impossibleOrder", self._against_event(claim))
        if claim.statement == offices.HOLDING and claim.object is not None:
            others = self._held(claim.object)
            names = self._with_batch
            clash = [o for o in others if offices.two_holders(claim, o, names)]
            yield from _found("officeHeldTwice", clash)

    # ---- the kinds of order ------------------------------------------------------------------

    def _against_life(self, life: Claim) -> list[Claim]:
        """Births against deaths, and either against the person's part in events."""
        other = timeorder.DEATH if life.statement == timeorder.BIRTH else timeorder.BIRTH
        found = [c for c in self._said(life.subject, other) if timeorder.disordered(life, c)]
        for part in self._taken(life.subject):
            if timeorder.outside(life, self._times(part.subject)):
                found.append(part)
        return found

    def _against_age(self, claim: Claim) -> list[Claim]:
        if claim.statement == timeorder.AGE:
            births = self._said(claim.subject, timeorder.BIRTH)
            return [b for b in births if timeorder.misaged(claim, b, self._years(claim))]
        ages = self._said(claim.subject, timeorder.AGE)
        return [a for a in ages if timeorder.misaged(a, claim, self._years(a))]

    def _against_event(self, claim: Claim) -> list[Claim]:
        """A part in an event against the life; a new time against the lives of those before."""
        if claim.statement == timeorder.TIME:
            parts = [
                part
                for name in self._parts
                for part in self._said(claim.subject, name)
                if part.key not in self._fresh
            ]
        elif claim.statement in self._parts:
            parts = [claim]
        else:
            return []
        times = self._times(claim.subject) if parts else []
        people = dict.fromkeys(part.object for part in parts if part.object is not None)
        lives = [
            life for who in people for name in timeorder.LIFE for life in self._said(who, name)
        ]
        return [life for life in lives if timeorder.outside(life, times)]

    @cached_property
    def _with_batch(self) -> Names:
        """The names of archive and batch: an office or a holder may be named for the first time."""
        names = self._names.fork()
        names.learn(self._mentions, lambda unit: "")
        return names

    # ---- looking up ----------------------------------------------------------------------------

    def _times(self, event: Ref) -> list[Timespan]:
        spans = (timespan(claim.value) for claim in self._said(event, timeorder.TIME))
        return [span for span in spans if span is not None]

    def _said(self, subject: Ref, statement: str) -> list[Claim]:
        slot = subject, statement
        if slot not in self._looked:
            self._looked.add(slot)
            for claim in self._known.about(subject, statement):
                self._keep(claim)
        return [c for c in self._about[slot] if _stands(c)]

    def _taken(self, person: Ref) -> list[Claim]:
        return self._of_object(person, self._parts)

    def _held(self, title: Ref) -> list[Claim]:
        return self._of_object(title, (offices.HOLDING,))

    def _of_object(self, thing: Ref, statements: Sequence[str]) -> list[Claim]:
        if thing not in self._looked:
            self._looked.add(thing)
            for claim in self._known.naming(thing, statements):
                self._keep(claim)
        return [c for c in self._naming[thing] if c.statement in statements and _stands(c)]

    def _keep(self, claim: Claim) -> None:
        here = self._about[claim.subject, claim.statement]
        if any(other.key == claim.key for other in here):
            return
        here.append(claim)
        if claim.object is not None:
            self._naming[claim.object].append(claim)


def _found(code: str, rivals: Sequence[Claim]) -> Iterator[Found]:
    if rivals:
        yield code, tuple(sorted({c.key: c for c in rivals}.values(), key=lambda c: c.key))


def _stands(claim: Claim) -> bool:
    return claim.status is Status.ADMITTED and claim.rank is not Rank.DEPRECATED


def _differ(claim: Claim, other: Claim, names: Names | None) -> bool:
    if not _stands(other) or other.key == claim.key or other.statement != claim.statement:
        return False
    if claim.object is not None and other.object is not None:
        same = names is not None and _same_form(claim, other, names)
        return claim.object != other.object and not same
    if claim.value is None or other.value is None:
        return False
    if claim.statement == "age":
        return _ages_differ(claim, other)
    return _values_differ(claim.value, other.value)


def _same_form(claim: Claim, other: Claim, names: Names) -> bool:
    one = names.entity(claim.object) if claim.object else None
    two = names.entity(other.object) if other.object else None
    return one is not None and two is not None and bool(set(one.forms) & set(two.forms))


def _ages_differ(claim: Claim, other: Claim) -> bool:
    ages = [_number(c.value) for c in (claim, other)]
    if ages[0] is None or ages[1] is None:
        return False
    years = [year_of(c.time) for c in (claim, other)]
    if years[0] is None or years[1] is None:
        return ages[0] != ages[1]
    return abs((ages[0] - years[0]) - (ages[1] - years[1])) > AGE_TOLERANCE


def _number(value: Value | None) -> int | None:
    try:
        return int(value.lexical) if value else None
    except ValueError:
        return None


def _values_differ(one: Value, other: Value) -> bool:
    dated = [value.datatype in ("edtf", "date") for value in (one, other)]
    if dated[0] != dated[1]:
        return False  # a date in words cannot be compared with one that was understood
    if all(dated):
        # A coarser date does not contradict a finer one.
        return not (one.lexical.startswith(other.lexical) or other.lexical.startswith(one.lexical))
    ours, theirs = normal(one.lexical), normal(other.lexical)
    return ours != theirs and Prefix.similarity(ours, theirs) < _SAME_STEM
