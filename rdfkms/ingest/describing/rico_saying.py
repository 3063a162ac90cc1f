"""Tells what a block in RiC-O states, by the table: each statement with the words it stands in."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace

from rdfkms.ingest.describing import languages
from rdfkms.ingest.describing.rico_graph import (
    Arc,
    Block,
    Identity,
    Node,
    Sight,
)
from rdfkms.ingest.describing.rico_relations import MOST_PAIRS, Ends, ends_of, fitting, place_of
from rdfkms.ingest.describing.rico_terms import (
    OWN_ENDS,
    POINTING,
    Rule,
    best,
    entity_type,
    frame,
    is_record_set_type,
    reading,
    relation_rules,
    rico,
    rules,
    shown,
)
from rdfkms.ingest.describing.rico_values import (
    Told,
    commonest,
    date_of,
    in_use,
    of_kind,
    period,
    when,
    words_of,
)
from rdfkms.ingest.describing.things import address
from rdfkms.model import Statement, Stretch, Thing, Unmapped, Value

NAMED = "namedAs"
_UNIT_DATE = "description/unitDate"
_RECORD_SET_TYPE = "description/recordSetType"
_LANGUAGE = "description/language"
_IDENTIFIER = "description/identifier"
_SAME = "description/sameAs"
_ACTIVITY_TYPE = rico("hasActivityType")
_OF_NODES = ("name", "text", "number", "date", "begin", "end")
_SATELLITES = ("@name", "@identifier", "@date", "@extent")


class Telling:
    """Tells one block.

    `escaped` are the lines of values whose words do not stand there as read, `crowded` those of
    relations with more ends than are told.
    """

    def __init__(self, block: Block, sight: Sight) -> None:
        self._block, self._sight = block, sight
        self._said: dict[Statement, None] = {}
        self._names: set[tuple[Thing, str, str, Value | None]] = set()
        self._left: list[Unmapped] = []
        self._done: set[int] = set()  # ids of the arcs that are told
        self._types: dict[Identity, str] = {}  # by the first statement about each
        self.escaped: list[int] = []
        self.crowded: list[int] = []

    def stretch(self) -> Stretch:
        """Return the block as a stretch, with what it states and what has no place."""
        block = self._block
        self._node(block.node, "", None)
        kind = self._kind(block.node) or "Concept"
        about = Thing(kind, block.node.identity)
        return Stretch(
            about, block.element, block.line, block.start, block.raw, block.text,
            commonest([said.value.language for said in self._said
                       if said.value is not None and said.value.language]),
            tuple(self._said), tuple(self._left),
        )  # fmt: skip

    # ---- nodes ---------------------------------------------------------------------------------

    def _kind(self, node: Node) -> str:
        """Return the entity type of a node, as far as the file tells it."""
        own = entity_type(best(map(reading, node.classes)))
        return self._sight.types.get(self._sight.resolved(node.identity), "") or own

    def _node(self, node: Node, guessed: str, pointed: tuple[Arc, Identity] | None) -> None:
        """Tell what is said of a node; `pointed` is what points to it from around it."""
        if not node.is_told:
            return
        found = self._sight.readings.get(node.identity, "")
        kind = self._kind(node) or guessed
        if found == "@relation":
            self._relation(node, pointed)
        elif found in _SATELLITES:
            self._satellite(node)
        elif kind:
            self._thing(node, Thing(kind, self._sight.resolved(node.identity)))
        else:
            for cls in node.classes:
                self._left.append(Unmapped(shown(cls), node.line))
        self._rest(node)

    def _thing(self, node: Node, subject: Thing) -> None:
        alias = self._sight.aliases.get(node.identity)
        if alias is None:
            self._period(node, subject)
        for arc in node.arcs:
            if id(arc) in self._done:
                continue
            if alias is not None and arc.predicate == _ACTIVITY_TYPE:
                self._done.add(id(arc))
            else:
                self._arc(arc, subject)

    def _rest(self, node: Node) -> None:
        """Go into what stands inside, and list what is not told."""
        for arc in node.arcs:
            told = id(arc) in self._done
            if arc.target is not None and arc.target.is_told:
                if not self._is_satellite(arc.target.identity):
                    self._node(arc.target, self._guessed(arc), (arc, node.identity))
                elif told:
                    self._rest(arc.target)
            if (
                not told
                and (arc.text or arc.target is not None)
                and not self._is_structure(node, arc)
            ):
                self._left.append(Unmapped(_path(node, arc, self._sight), arc.line))

    def _guessed(self, arc: Arc) -> str:
        """Return the type of a node without one by what a statement of this block says of it."""
        if arc.target is None:
            return ""
        return self._types.get(self._sight.resolved(arc.target.identity), "")

    def _is_structure(self, node: Node, arc: Arc) -> bool:
        """Return whether an arc only repeats what stands around it."""
        if any(rule.kind == "none" for rule in rules(arc.predicate)):
            return True
        return bool(_inverse(arc)) and self._is_satellite(node.identity)

    # ---- properties ----------------------------------------------------------------------------

    def _arc(self, arc: Arc, subject: Thing) -> None:
        """Say what a property says by the first rule that fits."""
        for rule in rules(arc.predicate):
            if rule.kind == "stop":
                return
            mine = not rule.flipped or rule.kind == "link"
            if mine and self._by_rule(rule, arc, subject):
                self._done.add(id(arc))
                return

    def _by_rule(self, rule: Rule, arc: Arc, subject: Thing) -> bool:
        say = {
            "link": self._link, "code": self._iri, "iri": self._iri, "name": self._named,
            "text": self._text, "number": self._text,
        }.get(rule.kind, self._date)  # fmt: skip
        if rule.kind in _OF_NODES:
            target = arc.target
            if target is not None and not target.arcs:  # what it says stands in another place
                return target.identity in self._sight.told and self._is_satellite(target.identity)
        elif say == self._date:
            return False
        return say(rule, arc, subject)

    def _is_satellite(self, identity: Identity) -> bool:
        return self._sight.readings.get(identity, "") in _SATELLITES

    def _named(self, _: Rule, arc: Arc, subject: Thing) -> bool:
        time, used = in_use(arc.target) if arc.target is not None else (None, ())
        found = words_of(arc)
        for told in found:
            key = (subject, told.value.lexical, told.value.language, time)
            if key not in self._names and self._say(NAMED, subject, _around(told, used), time=time):
                self._names.add(key)
            self._done.update(map(id, told.arcs))
        if found:
            self._done.update(map(id, used))
        return bool(found)

    def _text(self, rule: Rule, arc: Arc, subject: Thing) -> bool:
        name = next((one for one in rule.says if subject.type in frame(one).domain), "")
        found = words_of(arc)[:1]
        if not name or not found:
            return False
        told = found[0]
        if rule.kind == "number":
            if not told.value.lexical.isascii() or not told.value.lexical.isdigit():
                return False
            number = Value(told.value.lexical, "integer", verbatim=told.value.lexical)
            told = replace(told, value=number)
        if arc.target is not None:
            self._done.update(id(one) for one in arc.target.arcs if one.text == told.value.lexical)
        return self._say(name, subject, told)

    def _date(self, rule: Rule, arc: Arc, subject: Thing) -> bool:
        name = next((one for one in rule.says if subject.type in frame(one).domain), "")
        told = date_of(arc)
        return bool(name) and told is not None and self._say(name, subject, told)

    def _period(self, node: Node, subject: Thing) -> None:
        """Say the time between beginning and end, of what has no statement for each."""
        kinds = frame("description/beginning").domain
        if subject.type in kinds or subject.type not in frame(_UNIT_DATE).domain:
            return
        found = period(node, self._block.raw, is_xml=self._block.is_xml)
        if found is not None and self._say(_UNIT_DATE, subject, found):
            for arc, _ in of_kind(node, "begin", "end"):
                if arc in found.arcs or (arc.target and set(arc.target.arcs) & set(found.arcs)):
                    self._done.add(id(arc))

    def _iri(self, rule: Rule, arc: Arc, subject: Thing) -> bool:
        name = next((one for one in rule.says if subject.type in frame(one).domain), "")
        target = arc.target
        if target is not None and not target.iri and rule.kind == "code":
            found = words_of(arc)[:1]
            return bool(found) and self._say_if(_LANGUAGE, subject, found[0])
        iri = target.iri if target is not None else arc.text or ""
        if not name or (name == _RECORD_SET_TYPE and not is_record_set_type(iri)):
            return False  # a type of one's own says nothing to others
        written = html.unescape(self._block.raw[arc.start : arc.end]).strip("<>")
        value = (languages.coded(iri) if rule.kind == "code" else None) or address(iri)
        if value is None and name == _SAME and iri and iri == written:
            return self._say_if(_IDENTIFIER, subject, Told(Value(iri), arc.start, arc.end, (arc,)))
        if value is None:
            return False
        if value.verbatim and value.verbatim not in written:
            value = replace(value, verbatim=written)
        return self._say(name, subject, Told(value, arc.start, arc.end, (arc,)))

    def _say_if(self, name: str, subject: Thing, told: Told) -> bool:
        return subject.type in frame(name).domain and self._say(name, subject, told)

    def _link(self, rule: Rule, arc: Arc, subject: Thing) -> bool:
        target = arc.target
        if target is None:
            return False
        other = self._sight.resolved(target.identity)
        flipped = rule.flipped != (rule.direction == "in")
        ends = (other, subject.identity) if flipped else (subject.identity, other)
        types = {subject.identity: subject.type, other: self._kind(target)}
        found = fitting(rule, *ends, types)
        if found is None or subject.identity == other:
            return False
        time: Value | None = None
        used: tuple[Arc, ...] = ()
        if target.identity in self._sight.aliases and target.arcs:
            time, used = when(target, self._block.raw, is_xml=self._block.is_xml)
            self._done.update(map(id, used))
        name, one, two = found
        start, end = _hull((arc.start, arc.end), used)
        self._add(Statement(name, one, start, end, object=two, time=time))
        return True

    # ---- nodes that tell of others -------------------------------------------------------------

    def _satellite(self, node: Node) -> None:
        """Say what a name, identifier, date or extent says of those who point to it."""
        pointers = [
            (identity, rule)
            for identity, predicate in self._sight.pointers.get(node.identity, ())
            for rule in rules(predicate)
        ]
        for arc in node.arcs:
            if arc.target is not None:
                identity = arc.target.identity
                pointers += [(identity, replace(rule, flipped=False)) for rule in _inverse(arc)]
        arc = Arc("", node.line, node.start, node.end, node.start, node.end, target=node)
        told: set[Identity] = set()
        for identity, rule in pointers:
            kind = self._sight.types.get(identity, "")
            if kind and identity not in told:
                subject = Thing(kind, identity)
                if rule.kind in _OF_NODES and self._by_rule(rule, arc, subject):
                    told.add(identity)

    def _relation(self, node: Node, pointed: tuple[Arc, Identity] | None) -> None:
        """Say a relation as one statement between each two of its ends."""
        pointers = [
            (identity, role)
            for identity, predicate in self._sight.pointers.get(node.identity, ())
            if (role := POINTING.get(predicate) or OWN_ENDS.get(predicate))
        ]
        if pointed is not None and pointed[0].predicate in POINTING:
            pointers.append((pointed[1], POINTING[pointed[0].predicate]))
        ends = ends_of(node, pointers)
        if node.identity in self._sight.ended and pointed is None and not ends.arcs:
            return  # it is said where its ends are named
        time, used = when(node, self._block.raw, is_xml=self._block.is_xml)
        place, where = place_of(node, self._sight)
        said, crowded = False, ends.count > MOST_PAIRS
        if crowded:
            self.crowded.append(node.line)
            self._done.update(map(id, ends.arcs))
        for one, other, row in () if crowded else ends.pairs():
            said = self._between(node, ends, (one, other, row), time, place, used) or said
        if said:
            self._done.update(map(id, (*ends.arcs, *used, *where)))
            # A label only tells in words what the relation says.
            self._done.update(id(arc) for arc, _ in of_kind(node, "name") if arc.text)
        else:
            cls = self._sight.classes[node.identity][0]
            self._left.append(Unmapped(shown(cls), node.line))

    def _between(
        self,
        node: Node,
        ends: Ends,
        pair: tuple[Identity, Identity, bool],
        time: Value | None,
        place: Thing | None,
        used: Sequence[Arc],
    ) -> bool:
        one, other = (self._sight.resolved(identity) for identity in pair[:2])
        if one == other:
            return False
        types = {identity: self._sight.types.get(identity, "") for identity in (one, other)}
        for rule in relation_rules(tuple(sorted(self._sight.classes[node.identity]))):
            if rule.direction != "any" and not pair[2]:
                continue
            flipped = rule.direction == "in"
            first, second = (other, one) if flipped else (one, other)
            found = fitting(rule, first, second, types)
            if found is not None:
                start, end = _hull(ends.quote(pair[0], pair[1], node), used)
                self._add(Statement(found[0], found[1], start, end, object=found[2], time=time,
                                    place=place))  # fmt: skip
                return True
        return False

    # ---- statements ----------------------------------------------------------------------------

    def _say(self, name: str, subject: Thing, told: Told, *, time: Value | None = None) -> bool:
        if any(arc.escaped for arc in told.arcs) and told.value.datatype != "anyURI":
            self.escaped.append(told.arcs[0].line)
            return True  # noted by the reader, so that it is no unmapped property
        self._done.update(map(id, told.arcs))
        self._add(Statement(name, subject, told.start, told.end, told.value, time=time))
        return True

    def _add(self, said: Statement) -> None:
        self._said.setdefault(said)
        for thing in (said.object, said.subject):
            if thing is not None:
                self._types.setdefault(thing.identity, thing.type)


def _inverse(arc: Arc) -> list[Rule]:
    """Return the rules by which a name or date says whose it is."""
    return [rule for rule in rules(arc.predicate) if rule.flipped and rule.kind in _OF_NODES]


def _path(node: Node, arc: Arc, sight: Sight) -> str:
    classes = sight.classes.get(node.identity, ())
    return f"{shown(classes[-1]) if classes else 'rdf:Description'}/{shown(arc.predicate)}"


def _hull(span: tuple[int, int], arcs: Sequence[Arc]) -> tuple[int, int]:
    """Return the span with the arcs that tell when: a statement quotes its time as well."""
    starts, ends = zip(span, *((arc.outer_start, arc.outer_end) for arc in arcs), strict=True)
    return min(starts), max(ends)


def _around(told: Told, arcs: Sequence[Arc]) -> Told:
    start, end = _hull((told.start, told.end), arcs)
    return replace(told, start=start, end=end)
