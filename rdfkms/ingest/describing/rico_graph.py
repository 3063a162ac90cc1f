"""What a file in RDF says, with the place of each piece: nodes and arcs, whatever the syntax.

The readers of RDF/XML and of Turtle give out blocks; what they say is told by `rico_saying`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urljoin

from rdfkms.errors import BadInput
from rdfkms.ingest.describing.rico_terms import (
    best,
    entity_type,
    is_known,
    is_rico,
    reading,
    renamed,
    rico,
    rules,
    shown,
)
from rdfkms.model import Fault

Identity = tuple[str, ...]
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S*")
_ENDS = {
    rico("thingIsSourceOfRelation"): "source",
    rico("thingIsTargetOfRelation"): "target",
    rico("thingIsConnectedToRelation"): "connects",
}
_OWN_ENDS = {
    rico("relationHasSource"): rico("thingIsSourceOfRelation"),
    rico("relationHasTarget"): rico("thingIsTargetOfRelation"),
    rico("relationConnects"): rico("thingIsConnectedToRelation"),
}
_ACTIVITY_TYPE = rico("hasActivityType")
_MOST_DEPTH = 60


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
    _counts: dict[tuple[Identity, str], int] = field(default_factory=dict)

    def again(self) -> None:
        """Forget how many nameless nodes were met, before the file is read once more."""
        self._counts.clear()

    def thing(self, iri: str) -> Identity:
        """Return the identity of what an IRI names; one that is not absolute is of this file."""
        return ("authority", "" if _ABSOLUTE.fullmatch(iri) else self.name, iri)

    def labelled(self, label: str) -> Identity:
        """Return the identity of a blank node that has a label in the file."""
        return ("blank", self.name, f"_:{label}")

    def nameless(self, parent: Identity | None, predicate: str) -> Identity:
        """Return the identity of a blank node by where it stands beneath its subject."""
        within = parent or ("blank", self.name, "")
        number = self._counts[within, predicate] = self._counts.get((within, predicate), 0) + 1
        step = f"{shown(predicate) if predicate else ''}[{number}]"
        if within[0] == "blank":
            return ("blank", self.name, *within[2:-1], f"{within[-1]}/{step}")
        return ("blank", self.name, within[-1], step)

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


def resolved(base: str, reference: str) -> str:
    """Return an IRI reference made absolute by a base; without a base it stays as it is."""
    reference = reference.strip()
    if not base or _ABSOLUTE.fullmatch(reference):
        return reference
    try:
        return urljoin(base, reference) if reference else base.partition("#")[0]
    except ValueError:  # no address of the web: a bracket that is not closed
        return reference


def is_absolute(iri: str) -> bool:
    """Return whether an IRI tells the same thing in every file."""
    return _ABSOLUTE.fullmatch(iri) is not None


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


def look(blocks: Iterable[Block]) -> Sight:
    """Return what the whole file says about the kinds of its things."""
    sight = Sight()
    found: dict[Identity, set[str]] = defaultdict(set)
    for block in blocks:
        for node in within(block.node):
            _see(sight, node, found)
    for identity, readings in found.items():
        sight.readings[identity] = best(sorted(readings))
        if kind := entity_type(sight.readings[identity]):
            sight.types[identity] = kind
    return sight


def within(node: Node) -> Iterator[Node]:
    """Yield a node and those of which something is said inside it."""
    yield node
    for arc in node.arcs:
        if arc.target is not None and arc.target.is_told:
            yield from within(arc.target)


def _see(sight: Sight, node: Node, found: dict[Identity, set[str]]) -> None:
    if not node.is_told:
        return
    sight.told.add(node.identity)
    if node.classes:
        before = sight.classes.get(node.identity, ())
        sight.classes[node.identity] = tuple(dict.fromkeys((*before, *node.classes)))
    readings = {reading(cls) for cls in node.classes} - {""}
    if readings:
        found[node.identity] |= readings
    if "Activity" in readings and node.identity[0] == "blank":
        _see_alias(sight, node)
    for arc in node.arcs:
        if arc.target is not None and arc.predicate in _OWN_ENDS:
            # The other end may be named in another place of the file.
            sight.ended.add(node.identity)
            ends = sight.pointers.setdefault(node.identity, [])
            ends.append((arc.target.identity, _OWN_ENDS[arc.predicate]))
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


def end_of(predicate: str) -> str:
    """Return which end of a relation a thing is that points to it so: source, target, connects."""
    return _ENDS.get(predicate, "")


def points(predicate: str) -> bool:
    """Return whether a property points to a node that tells of the one that points."""
    told = ("name", "text", "date", "begin", "end", "from", "to")
    return predicate in _ENDS or any(
        rule.kind in told and not rule.flipped for rule in rules(predicate)
    )
