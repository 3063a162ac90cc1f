"""What a file in RDF says, with the place of each piece: nodes and arcs, whatever the syntax.

The readers of RDF/XML and of Turtle give out blocks; what they say is told by `rico_saying`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from urllib.parse import urljoin

from rdfkms.errors import BadInput
from rdfkms.ingest.describing.rico_terms import (
    OWN_ENDS,
    POINTING,
    RDF,
    best,
    conflicting,
    entity_type,
    is_known,
    is_rico,
    reading,
    renamed,
    rico,
    rules,
    shown,
)
from rdfkms.ingest.describing.things import folded
from rdfkms.model import Fault

Identity = tuple[str, ...]
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S*")
_ACTIVITY_TYPE = rico("hasActivityType")
_MOST_DEPTH = 60
_MOST_NAME = 200  # of the words by which a nameless node is told
_MEMBER = re.compile(re.escape(RDF) + r"(?:li|first|_[0-9]+)")
_REST, _NIL = RDF + "rest", RDF + "nil"


@dataclass(frozen=True, slots=True)
class Arc:
    """A property with its value: a literal (`text`) or another node (`target`).

    Offsets count code points of the block: from `start` to `end` is the quote of the value, from
    `outer_start` to `outer_end` the property as well (of a node that stands in it, its beginning).
    `escaped` says that the words do not stand there as they are read.
    """

    predicate: str
    line: int
    start: int
    end: int
    outer_start: int
    outer_end: int
    text: str | None = None
    language: str = ""
    target: Node | None = None
    escaped: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """A subject, or the value of a property. `start` and `end` are those of its beginning.

    One that is only pointed to has no classes and no arcs.
    """

    identity: Identity
    iri: str
    line: int
    start: int
    end: int
    classes: tuple[str, ...] = ()
    arcs: tuple[Arc, ...] = ()

    @property
    def is_told(self) -> bool:
        """Whether something is said of it in this place."""
        return bool(self.classes or self.arcs)


@dataclass(frozen=True, slots=True)
class Block:
    """What a file says of one subject in one place; the fields are those of a stretch."""

    node: Node
    element: str
    line: int
    start: int
    raw: str
    text: str
    is_xml: bool


@dataclass(slots=True)
class Source:
    """The file that is read: names its nodes, and notes the terms that RiC-O 1.1 does not know."""

    name: str
    notes: list[Fault]
    uses_rico: bool = False
    _noted: set[str] = field(default_factory=set)
    _counts: dict[Identity, int] = field(default_factory=dict)

    def again(self) -> None:
        """Forget how many nameless nodes were met, before the file is read once more."""
        self._counts.clear()

    def thing(self, iri: str) -> Identity:
        """Return the identity of what an IRI names; one that is not absolute is of this file."""
        return ("authority", "" if _ABSOLUTE.fullmatch(iri) else self.name, iri)

    def labelled(self, label: str) -> Identity:
        """Return the identity of a blank node that has a label in the file."""
        return ("blank", self.name, f"_:{label}")

    def nameless(self, near: str, predicate: str, node: Node) -> Node:
        """Return a blank node with its identity: where it belongs and what is said of it.

        `near` is the nearest subject with a name, `predicate` what points to the node from around
        it. Its class and its own name tell it from others there, so that it stays the same when
        one is put before it; only those that are alike are told by their order.
        """
        step = shown(predicate) if predicate else ""
        cls = shown(node.classes[0]) if node.classes else ""
        like: Identity = ("blank", self.name, near, step, cls, _own_name(node))
        number = self._counts[like] = self._counts.get(like, 0) + 1
        return replace(node, identity=like if number == 1 else (*like, f"[{number}]"))

    def term(self, iri: str, line: int) -> str:
        """Return a class or property as RiC-O 1.1 calls it; one that was removed as it stands."""
        if not is_rico(iri):
            return iri
        self.uses_rico = True
        if is_known(iri):
            return iri
        new = renamed(iri)
        if iri not in self._noted:
            self._noted.add(iri)
            self._note(iri, new, line)
        return new or iri

    def _note(self, iri: str, new: str | None, line: int) -> None:
        if new is None:
            reason, hint = f"{shown(iri)} is no term of RiC-O 1.1; it was not read.", ""
        elif new:
            reason = f"{shown(iri)} is a term of RiC-O 0.2; it was read as {shown(new)}."
            hint = f"Write {shown(new)}."
        else:
            reason = f"{shown(iri)} is a term of RiC-O 0.2 that was removed; it was not read."
            hint = "See the list of changes of RiC-O 1.1."
        self.notes.append(Fault(self.name, f"line {line}", reason, hint))


def _own_name(node: Node) -> str:
    """Return the words by which a nameless node is told: its name, its first words or link."""
    named = (arc for arc in node.arcs if _names(arc.predicate))
    for arc in (*named, *node.arcs):
        inner = arc.target.arcs if arc.target is not None and not arc.target.iri else ()
        for one in (arc, *inner):
            if one.text:
                return folded(one.text[:_MOST_NAME])
    return next((arc.target.iri for arc in node.arcs if arc.target and arc.target.iri), "")


def _names(predicate: str) -> bool:
    return any(rule.kind == "name" and not rule.flipped for rule in rules(predicate))


def spread(arc: Arc) -> Iterator[Arc]:
    """Yield an arc; of one that points to a list or a container an arc for each member."""
    target = arc.target
    if target is not None and target.iri == _NIL:
        return
    inner = target.arcs if target is not None else ()
    within_list = arc.predicate == _REST or _MEMBER.fullmatch(arc.predicate)
    if within_list or not any(_MEMBER.fullmatch(one.predicate) for one in inner):
        yield arc  # within a list, it is the whole list that is spread
        return
    for one in inner:
        if _MEMBER.fullmatch(one.predicate):
            yield from spread(replace(one, predicate=arc.predicate))
        elif one.predicate == _REST:
            # What stands in another place of the file is left, and listed as unmapped.
            told = one.target is not None and one.target.is_told
            yield from spread(replace(one, predicate=arc.predicate) if told else one)


def resolved(base: str, reference: str) -> str:
    """Return an IRI reference made absolute by a base; without a base it stays as it is."""
    reference = reference.strip()
    if not base or _ABSOLUTE.fullmatch(reference):
        return reference
    try:
        return urljoin(base, reference) if reference else base.partition("#")[0]
    except ValueError:  # no address of the web: a bracket that is not closed
        return reference


def check_depth(source: Source, depth: int, line: int) -> None:
    """Raise `BadInput` for nodes that are nested deeper than anybody writes them."""
    if depth > _MOST_DEPTH:
        raise BadInput(
            f"{source.name}, line {line}: nodes are nested more than {_MOST_DEPTH} deep."
        )


# ---- a look at the whole file -------------------------------------------------------------------


@dataclass(slots=True)
class Sight:
    """What must be known of a file before its blocks are told one by one.

    `types` are the entity types of the things that it gives a class, `told` the nodes of which it
    says something, `pointers` who points to a node that tells of another thing (a date, a name, a
    relation) and by which property, `ended` the relations that name an end themselves, `aliases`
    the activities that only their type tells, `classes` which classes a thing is given, anywhere.
    """

    types: dict[Identity, str] = field(default_factory=dict)
    readings: dict[Identity, str] = field(default_factory=dict)
    told: set[Identity] = field(default_factory=set)
    pointers: dict[Identity, list[tuple[Identity, str]]] = field(default_factory=dict)
    ended: set[Identity] = field(default_factory=set)
    aliases: dict[Identity, Identity] = field(default_factory=dict)
    classes: dict[Identity, tuple[str, ...]] = field(default_factory=dict)

    def resolved(self, identity: Identity) -> Identity:
        """Return which thing is meant: for an activity without a name its type."""
        return self.aliases.get(identity, identity)


def look(blocks: Iterable[Block], source: Source) -> Sight:
    """Return what the whole file says about the kinds of its things.

    The file's notes get those that are said to be of two kinds; the first counts.
    """
    sight = Sight()
    found: dict[Identity, dict[str, int]] = defaultdict(dict)
    for block in blocks:
        for node in within(block.node):
            _see(sight, node, found)
    torn: dict[tuple[str, str, str], list[tuple[Identity, int]]] = defaultdict(list)
    for identity, readings in found.items():
        sight.readings[identity] = best(readings)
        if kind := entity_type(sight.readings[identity]):
            sight.types[identity] = kind
        both = conflicting(readings)
        if both is not None:
            torn[(*both, sight.readings[identity])].append((identity, readings[both[1]]))
    source.notes += [_of_two_kinds(source, kinds, things) for kinds, things in torn.items()]
    return sight


def _of_two_kinds(
    source: Source, kinds: tuple[str, str, str], things: list[tuple[Identity, int]]
) -> Fault:
    """Return the note on what is said to be of the first two kinds, and is read as the third."""
    one, other, read = (kind.strip("@?") for kind in kinds)
    identity, line = things[0]
    more = f", and {len(things) - 1} more" if things[1:] else ""
    return Fault(
        source.name,
        f"line {line}",
        f"{identity[-1] or 'A node'}{more}: of two kinds that exclude each other, {one} and "
        f"{other}; it was read as {read}.",
        "Take the wrong class away.",
    )


def within(node: Node) -> Iterator[Node]:
    """Yield a node and those of which something is said inside it."""
    yield node
    for arc in node.arcs:
        if arc.target is not None and arc.target.is_told:
            yield from within(arc.target)


def _see(sight: Sight, node: Node, found: dict[Identity, dict[str, int]]) -> None:
    if not node.is_told:
        return
    sight.told.add(node.identity)
    if node.classes:
        before = sight.classes.get(node.identity, ())
        sight.classes[node.identity] = tuple(dict.fromkeys((*before, *node.classes)))
    readings = [one for one in map(reading, node.classes) if one]
    for one in readings:
        found[node.identity].setdefault(one, node.line)
    if "Activity" in readings and node.identity[0] == "blank":
        _see_alias(sight, node)
    for arc in node.arcs:
        if arc.target is not None and arc.predicate in OWN_ENDS:
            # The other end may be named in another place of the file.
            sight.ended.add(node.identity)
            ends = sight.pointers.setdefault(node.identity, [])
            ends.append((arc.target.identity, arc.predicate))
        if arc.target is not None and not arc.target.is_told and points(arc.predicate):
            sight.pointers.setdefault(arc.target.identity, []).append(
                (node.identity, arc.predicate)
            )


def _see_alias(sight: Sight, node: Node) -> None:
    kinds = {arc.target.identity for arc in node.arcs
             if arc.predicate == _ACTIVITY_TYPE and arc.target is not None}  # fmt: skip
    named = any(rule.kind == "name" for arc in node.arcs for rule in rules(arc.predicate))
    if len(kinds) == 1 and not named:
        sight.aliases[node.identity] = kinds.pop()


def points(predicate: str) -> bool:
    """Return whether a property points to a node that tells of the one that points."""
    told = ("name", "text", "date", "begin", "end", "from", "to")
    return predicate in POINTING or any(
        rule.kind in told and not rule.flipped for rule in rules(predicate)
    )
