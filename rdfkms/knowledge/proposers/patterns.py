"""The pattern proposer: runs the rule book of a profile over one unit (issue: proposers (a)).

Deterministic and pure. Matching happens on the shadow of the raw text; everything that leaves
this module is in raw offsets. A reference that cannot be resolved, a number or date that cannot
be read, or an anchor that a better mention of another type covers: then that statement is not
proposed (precision before recall).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from rdfkms.knowledge import dates
from rdfkms.knowledge.proposers import matching
from rdfkms.knowledge.proposers import shadow as shadows
from rdfkms.knowledge.proposers.candidates import Quoting, Span, plain
from rdfkms.knowledge.proposers.matching import Match
from rdfkms.knowledge.proposers.rules import Argument, Rule, RuleBook, Statement
from rdfkms.knowledge.proposers.shadow import Shadow
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind, Value
from rdfkms.vocab import key_of


@dataclass(frozen=True, slots=True)
class Focus:
    """Something declared under a label, to which later matches may refer."""

    label: str
    span: Span
    type: str


@dataclass(frozen=True, slots=True)
class Happening:
    """An event found in the unit: type, trigger span on the shadow, group key."""

    type: str
    trigger: Span
    group: str


class PatternProposer:
    """Proposes by the patterns of one profile; `name` is ``patterns:<profile>``.

    `issued` is the date of the paper, against which relative dates are resolved; `hints` are the
    weak triggers that stand for the event of the record on this page: unit, rule and place.
    """

    def __init__(
        self,
        book: RuleBook,
        issued: date | None = None,
        hints: frozenset[tuple[str, str, int]] = frozenset(),
    ) -> None:
        self.book = book
        self.issued = issued
        self.hints = hints
        self.name = f"patterns:{book.profile}"
        self.version = book.tables.version

    def for_units(self, units: Sequence[EvidenceUnit]) -> PatternProposer:
        """Return this proposer knowing what the page as a whole tells: its date and its event."""
        issued = self._date_of_issue(units) or self.issued
        return PatternProposer(self.book, issued, frozenset(self._hints(units)))

    def _date_of_issue(self, units: Sequence[EvidenceUnit]) -> date | None:
        if self.book.issued is None:
            return None
        for unit in units:
            found = self.book.issued.search(self._shadow(unit).text[: matching.WINDOW])
            text = dates.edtf(found["date"], unit.language) if found else None
            if text and len(text) == 10:
                return date.fromisoformat(text)
        return None

    def _hints(self, units: Sequence[EvidenceUnit]) -> Iterator[tuple[str, str, int]]:
        """Yield, for each record-wide event that nothing on the page triggers, its surest hint."""
        rules = [rule for rule in self.book.rules if rule.table.event is not None]
        rules = [rule for rule in rules if rule.table.event and rule.table.event.scope == "record"]
        if not any(rule.table.event and rule.table.event.weak for rule in rules):
            return
        matches = [
            (unit.key, match)
            for unit in units
            for match in self._matches(rules, unit)
            if match.rule.event and match.rule.event.trigger in match.groups
        ]
        told = {m.rule.event.type for _, m in matches if m.rule.event and not m.rule.event.weak}
        surest = sorted(matches, key=lambda found: -found[1].rule.confidence)
        for unit_key, match in surest:
            if match.rule.event and match.rule.event.type not in told:
                told.add(match.rule.event.type)
                yield unit_key, match.rule.id, match.start

    def _matches(self, rules: Sequence[Rule], unit: EvidenceUnit) -> list[Match]:
        """Return the matches in the unit's language; where there are none, of the others."""
        text = self._shadow(unit).text
        languages = (unit.language, *sorted(self._spoken() - {unit.language}))
        tried = (matching.matches(rules, text, language) for language in languages)
        return next((found for found in tried if found), [])

    def _spoken(self) -> set[str]:
        return {language for rule in self.book.rules for language in rule.table.languages}

    def propose(self, unit: EvidenceUnit) -> tuple[Candidate, ...]:
        """Return what the rules find in the unit, in order of place.

        Short entries are easily taken for another language of the profile: where the rules of
        the unit's language state nothing, those of the others are tried.
        """
        shadow = self._shadow(unit)
        first: tuple[Candidate, ...] = ()
        for language in (unit.language, *sorted(self._spoken() - {unit.language})):
            matches = [
                matching.within_lines(match, shadow, unit.raw.text)
                for match in matching.matches(self.book.rules, shadow.text, language)
            ]
            found = tuple(_Reading(self, unit, shadow, matches, language).candidates())
            if any(candidate.kind is not Kind.MENTION for candidate in found):
                return found
            first = first or found
        return first

    def _shadow(self, unit: EvidenceUnit) -> Shadow:
        tables = self.book.tables
        return shadows.cast(unit.raw.text, spaces=tables.spaces, accents=tables.accents)


class _Reading:
    """One unit being read: foci, events and mentions of all matches, then what they yield."""

    def __init__(
        self,
        proposer: PatternProposer,
        unit: EvidenceUnit,
        shadow: Shadow,
        matches: list[Match],
        language: str,
    ) -> None:
        self.proposer = proposer
        self.unit = unit
        self.shadow = shadow
        self.matches = matches
        self.language = language
        self.quoting = Quoting(unit, proposer.name)
        self.mentions = matching.best_mentions(matches)
        self.foci = list(self._declared())
        self.events = [
            Happening(m.rule.event.type, m.groups[m.rule.event.trigger], self._group(m))
            for m in matches
            if m.rule.event and self._triggers(m)
        ]

    def _declared(self) -> Iterator[Focus]:
        """The foci of all matches; one that begins inside a longer name declares nothing."""
        for match in self.matches:
            for group, labels in match.rule.focus.items():
                span, type_ = match.groups.get(group), match.rule.mentions.get(group, "")
                settled = self._settle(span, type_) if span and type_ else span
                for label in (labels,) if isinstance(labels, str) else labels:
                    if settled:
                        yield Focus(label, settled, type_)

    def candidates(self) -> Iterator[Candidate]:
        """Yield mentions, then each statement once: in the words of its surest, shortest quote."""
        best: dict[tuple[object, ...], Candidate] = {}
        for candidate in self._all():
            what = (candidate.kind, candidate.name, candidate.subject, candidate.object)
            key = (*what, candidate.value, candidate.group, candidate.time, candidate.place)
            kept = best.setdefault(key, candidate)
            if _rank(candidate) < _rank(kept):
                best[key] = candidate
        yield from best.values()

    def _all(self) -> Iterator[Candidate]:
        for span, (type_, confidence) in sorted(self.mentions.items()):
            yield self.quoting.mention(self._raw(span), type_, confidence)
        for match in self.matches:
            yield from self._event(match)
            for statement in match.rule.relations:
                yield from self._statement(match, statement, Kind.RELATION)
            for statement in match.rule.attributes:
                yield from self._statement(match, statement, Kind.ATTRIBUTE)
            for argument in match.rule.arguments:
                yield from self._argument(match, argument)

    def _triggers(self, match: Match) -> bool:
        """Return whether the match has its trigger, and a weak one is the hint of the page."""
        event = match.rule.event
        if event is None or event.trigger not in match.groups:
            return False
        hint = (self.unit.key, match.rule.id, match.start)
        return not event.weak or hint in self.proposer.hints

    def _event(self, match: Match) -> Iterator[Candidate]:
        event = match.rule.event
        if event is None or not self._triggers(match):
            return
        trigger = self._raw(match.groups[event.trigger])
        yield self.quoting.candidate(
            Kind.EVENT,
            event.type,
            self._raw((match.start, match.end)),
            subject=self.quoting.anchor(trigger),
            cue=self.quoting.anchor(trigger),
            group=self._group(match),
            confidence=match.rule.confidence,
        )

    def _statement(self, match: Match, statement: Statement, kind: Kind) -> Iterator[Candidate]:
        subject = self._thing(match, statement.subject)
        thing = self._thing(match, statement.object) if statement.object else None
        value = self._value(match, statement.value, statement.convert)
        if subject is None or (thing is None and value is None) or _same(subject, thing):
            return
        spans = [self._raw(value[1])] if value else []
        fields = self._qualifiers(match, statement)
        yield self.quoting.candidate(
            kind,
            statement.name,
            *spans,
            subject=subject,
            object=thing,
            value=value[0] if value else None,
            cue=self._cue(match),
            confidence=match.rule.confidence,
            **fields,
        )

    def _qualifiers(self, match: Match, statement: Statement) -> dict[str, Value | Anchor]:
        fields: dict[str, Value | Anchor] = {}
        time = self._value(match, statement.time, "date")
        place = self._thing(match, statement.place) if statement.place else None
        if time and time[0].datatype == "edtf":
            fields["time"] = time[0]
        if place:
            fields["place"] = place
        return fields

    def _argument(self, match: Match, argument: Argument) -> Iterator[Candidate]:
        event = self._event_of(match, argument)
        thing = self._thing(match, argument.object) if argument.object else None
        value = self._value(match, argument.value, argument.convert)
        if event is None or (thing is None and value is None):
            return
        group, trigger = event
        cue = self._cue(match) or (self.quoting.anchor(self._raw(trigger)) if trigger else None)
        spans = [self._raw(span) for span in (trigger, value[1] if value else None) if span]
        yield self.quoting.candidate(
            Kind.ARGUMENT,
            argument.role,
            *spans,
            object=thing,
            value=value[0] if value else None,
            group=group,
            cue=cue,
            confidence=match.rule.confidence,
        )

    def _event_of(self, match: Match, argument: Argument) -> tuple[str, Span | None] | None:
        """Return the group of the argument's event, and its trigger where it is at hand."""
        if not argument.of:
            event = match.rule.event
            if event is None or event.trigger not in match.groups:
                return None
            return self._group(match), match.groups[event.trigger]
        if argument.of in self._record_events():
            return key_of("event", self.unit.record, argument.of), None
        at, wide = match.start, match.rule.reach == "unit"
        near = [
            e
            for e in self.events
            if e.type == argument.of
            and self._reaches(e.trigger, (match.start, match.end), match, wide)
        ]
        if not near:
            return None
        best = min(near, key=lambda e: (e.trigger[0] > at, abs(e.trigger[0] - at)))
        return best.group, best.trigger

    def _record_events(self) -> set[str]:
        events = (rule.table.event for rule in self.proposer.book.rules)
        return {event.type for event in events if event and event.scope == "record"}

    def _group(self, match: Match) -> str:
        event = match.rule.event
        if event is None:
            return ""
        if event.type in self._record_events():
            return key_of("event", self.unit.record, event.type)
        start, end = self._raw(match.groups[event.trigger])
        return key_of("event", self.unit.key, event.type, start, end)

    def _thing(self, match: Match, reference: str) -> Anchor | None:
        for name in reference.split("|"):
            found = self._resolve(match, name)
            if found is None:
                continue
            span, type_ = found
            settled = self._settle(span, type_)
            return self.quoting.anchor(self._raw(settled), type_) if settled else None
        return None

    def _settle(self, span: Span, type_: str) -> Span | None:
        """Return the mention that begins where `span` does.

        None where another type won, or where the match began in the middle of a longer name.
        """
        if span in self.mentions:
            return span if self.mentions[span][0] == type_ else None
        for other, (other_type, _) in self.mentions.items():
            if other[0] < span[1] and span[0] < other[1]:
                return other if other_type == type_ and other[0] == span[0] else None
        return None

    def _value(self, match: Match, reference: str, convert: str) -> tuple[Value, Span] | None:
        for name in reference.split("|") if reference else ():
            found = self._resolve(match, name)
            if found is None:
                continue
            span = found[0]
            surface = self.unit.raw.text[slice(*self._raw(span))]
            value = self._literal(surface, convert)
            return (value, span) if value else None
        return None

    def _literal(self, surface: str, convert: str) -> Value | None:
        language = self.language
        words = plain(surface, language)
        if convert == "date":
            return dates.time_value(words, language, self.proposer.issued)
        if convert == "number":
            number = dates.number(words, language)
            return None if number is None else Value(str(number), "integer", "", words)
        return Value(words, "string", language, words)

    def _resolve(self, match: Match, name: str) -> tuple[Span, str] | None:
        if not name.startswith("@"):
            span = match.groups.get(name)
            return (span, match.rule.mentions.get(name, "")) if span else None
        label, wide = name.lstrip("@"), name.startswith("@@") or match.rule.reach == "unit"
        near = [
            f
            for f in self.foci
            if f.label == label
            and f.span[1] <= match.end
            and not self._used(f.span, match)
            and self._reaches(f.span, (match.start, match.end), match, wide)
        ]
        if not near:
            return None
        best = max(near, key=lambda f: f.span)
        stops = (f.span for f in self.foci if f.label == f"!{label}")
        if any(best.span[1] <= stop[0] and stop[1] <= match.end for stop in stops):
            return None
        return best.span, best.type

    def _used(self, span: Span, match: Match) -> bool:
        """Return whether a group of the match begins where the mention does."""
        return any(span[0] == group[0] for group in match.groups.values())

    def _reaches(self, span: Span, target: Span, match: Match, wide: bool) -> bool:
        """Return whether `span` is near enough to `target`: in its sentence, if `wide` its unit."""
        first, second = sorted((span, target))
        if second[0] - first[1] > match.rule.within:
            return False
        if wide:
            return span[0] <= target[1]
        between = self.shadow.text[first[1] : max(second[0], first[1]) + 1]
        return self.proposer.book.sentence_end.search(between) is None

    def _cue(self, match: Match) -> Anchor | None:
        span = match.groups.get(match.rule.cue)
        return self.quoting.anchor(self._raw(span)) if span else None

    def _raw(self, span: Span) -> Span:
        return self.shadow.raw_span(*span)


def _rank(candidate: Candidate) -> tuple[float, int, int]:
    return -candidate.confidence, len(candidate.quote), candidate.start or 0


def _same(subject: Anchor, thing: Anchor | None) -> bool:
    return thing is not None and (subject.start, subject.end) == (thing.start, thing.end)
