"""What reconciliation sees of a batch: the named stretches of text and what is said of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rdfkms.knowledge.nameforms import normal
from rdfkms.model import Anchor, Candidate, EvidenceUnit, Kind
from rdfkms.vocab import KEY_LENGTH

Place = tuple[str, int, int, str]  # unit key, start, end, entity type
_STATEMENTS = (Kind.RELATION, Kind.ATTRIBUTE)
_WHOLE_RECORD = re.compile(rf"[0-9a-f]{{{KEY_LENGTH}}}\Z")


@dataclass(frozen=True, slots=True)
class Spot:
    """A named stretch of a unit, its normal form, and whether a mention was proposed there.

    `form` is what is compared; for a dated time expression it is the date.
    """

    place: Place
    surface: str
    form: str
    record: str
    mention: bool
    language: str = ""

    @property
    def type(self) -> str:
        """The entity type."""
        return self.place[3]


@dataclass
class Batch:
    """The spots of one record in order of reading, and the candidates that speak of them."""

    record: str
    spots: list[Spot] = field(default_factory=list)
    saying: defaultdict[Place, list[Candidate]] = field(default_factory=lambda: defaultdict(list))
    apart: defaultdict[Place, set[Place]] = field(default_factory=lambda: defaultdict(set))
    aliases: dict[str, set[Place]] = field(default_factory=dict)
    years: list[Candidate] = field(default_factory=list)
    # Events of the record: where its actors are named. A group given as a key is the record's.
    actors: defaultdict[str, set[Place]] = field(default_factory=lambda: defaultdict(set))

    def of_type(self, *types: str, but: Sequence[str] = ()) -> list[Spot]:
        """Return the spots of these types (none given: all), without those of `but`."""
        return [s for s in self.spots if (not types or s.type in types) and s.type not in but]


def batches(
    candidates: Iterable[Candidate],
    units: Mapping[str, EvidenceUnit],
    accept: Callable[[Candidate], bool],
) -> list[Batch]:
    """Return one batch a record, in the order of `units`.

    Statements count as details only where `accept` holds: hearsay must not make two beings one.
    """
    order = {key: at for at, key in enumerate(units)}
    known = [c for c in candidates if c.unit in units]
    known.sort(key=lambda c: (order[c.unit], c.start or 0, c.end or 0, c.key))
    mentions = {p: c for c in known if c.kind is Kind.MENTION for p in _places(c)}
    found: dict[str, Batch] = {}
    seen: dict[Place, Spot] = {}
    for candidate in known:
        record = units[candidate.unit].record
        batch = found.setdefault(record, Batch(record))
        for anchor in _anchors(candidate):
            place = place_of(candidate.unit, anchor)
            if place not in seen:
                form = _form(anchor, mentions.get(place))
                language = units[candidate.unit].language
                seen[place] = Spot(place, anchor.surface, form, record, place in mentions, language)
                batch.spots.append(seen[place])
        if accept(candidate):
            _note(batch, candidate)
    for batch in found.values():
        batch.spots.sort(key=lambda s: (order[s.place[0]], *s.place[1:]))
        for date in batch.years:
            for place in sorted(batch.actors[_event(date)]):
                batch.saying[place].append(date)
    return list(found.values())


def place_of(unit: str, anchor: Anchor) -> Place:
    """Return the place that an anchor of a unit stands for."""
    return unit, anchor.start, anchor.end, anchor.type


def _note(batch: Batch, candidate: Candidate) -> None:
    if candidate.kind is Kind.ARGUMENT and candidate.name == "time":
        batch.years.append(candidate)
    elif candidate.kind is Kind.ARGUMENT and candidate.object is not None:
        batch.actors[_event(candidate)].add(place_of(candidate.unit, candidate.object))
    if candidate.kind not in _STATEMENTS or candidate.subject is None:
        return
    subject = place_of(candidate.unit, candidate.subject)
    batch.saying[subject].append(candidate)
    if candidate.object is not None:
        thing = place_of(candidate.unit, candidate.object)
        batch.saying[thing].append(candidate)
        batch.apart[subject].add(thing)
        batch.apart[thing].add(subject)
    if candidate.name == "Alias" and candidate.value is not None:
        form = normal(candidate.value.lexical, candidate.subject.type)
        if form:
            batch.aliases.setdefault(form, set()).add(subject)


def _event(candidate: Candidate) -> str:
    group = candidate.group or ""
    return group if _WHOLE_RECORD.match(group) else f"{candidate.unit} {group}"


def _anchors(candidate: Candidate) -> Iterator[Anchor]:
    if candidate.kind is Kind.EVENT:
        return
    for anchor in (candidate.subject, candidate.object, candidate.place):
        if anchor is not None and anchor.type:
            yield anchor


def _places(candidate: Candidate) -> list[Place]:
    return [place_of(candidate.unit, anchor) for anchor in _anchors(candidate)]


def _form(anchor: Anchor, mention: Candidate | None) -> str:
    time = mention.time if mention is not None else None
    if anchor.type == "TimeExpression" and time is not None and time.datatype != "string":
        return time.lexical
    return normal(anchor.surface, anchor.type)
