"""One thing of the store with its properties, as `decoding` reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pyoxigraph import Literal, NamedNode, Triple

from rdfkms.model import Ref
from rdfkms.ports import QuadReader, Term
from rdfkms.vocab import KMS, Base

Graphs = Sequence[NamedNode]
_LAST_NUMBER = re.compile(r"(\d+)$")


class Node:
    """The properties of one thing, over the graphs asked for."""

    def __init__(self, store: QuadReader, base: Base, iri: NamedNode, graphs: Graphs) -> None:
        self.base = base
        self.terms: dict[str, list[Term]] = {}
        for graph in graphs or (base.public, base.internal):
            for quad in store.match(iri, None, None, graph):
                found = self.terms.setdefault(quad.predicate.value, [])
                term = quad.object
                if not isinstance(term, Triple) and term not in found:
                    found.append(term)

    def __bool__(self) -> bool:
        return bool(self.terms)

    def all(self, predicate: NamedNode) -> list[Term]:
        """Return the objects of a predicate."""
        return self.terms.get(predicate.value, [])

    def nodes(self, predicate: NamedNode) -> list[NamedNode]:
        """Return those objects that are IRIs."""
        return [t for t in self.all(predicate) if isinstance(t, NamedNode)]

    def literal(self, name: str) -> Literal | None:
        """Return one literal of a `kms:` property."""
        return next((t for t in self.all(KMS(name)) if isinstance(t, Literal)), None)

    def text(self, name: str) -> str:
        """Return the text of a `kms:` property, empty without one."""
        literal = self.literal(name)
        return "" if literal is None else literal.value

    def number(self, name: str) -> int:
        """Return the integer of a `kms:` property, 0 without one."""
        return int(self.text(name) or 0)

    def word(self, name: str) -> str:
        """Return the local name of a `kms:` individual (a status, a view), empty without one."""
        found = self.nodes(KMS(name))
        return found[0].value.removeprefix(KMS.iri) if found else ""

    def key(self, predicate: NamedNode) -> str:
        """Return the key of one thing of this archive, empty without one."""
        keys = self.keys(predicate)
        return keys[0] if keys else ""

    def keys(self, predicate: NamedNode) -> list[str]:
        """Return the keys of the objects that are things of this archive."""
        return [ref.key for ref in map(self.ref, self.nodes(predicate)) if ref is not None]

    def ref(self, iri: NamedNode) -> Ref | None:
        """Return the thing of an IRI of this archive, or None."""
        split = self.base.split(iri.value)
        return None if split is None else Ref(*split)


def numbered(node: Node, name: str) -> list[NamedNode]:
    """Return the part nodes (``#p1``, ``#p2`` ...) in the order of their numbers."""
    return sorted(node.nodes(KMS(name)), key=number_of)


def number_of(iri: NamedNode) -> int:
    """Return the number at the end of an IRI, 0 without one."""
    match = _LAST_NUMBER.search(iri.value)
    return int(match.group(1)) if match else 0


def key_in(base: Base, subject: object) -> str:
    """Return the key of a thing of this archive, empty for anything else."""
    split = base.split(subject.value) if isinstance(subject, NamedNode) else None
    return split[1] if split is not None else ""


def first_text(terms: list[Term]) -> str:
    """Return the text of the first literal, empty without one."""
    return next((t.value for t in terms if isinstance(t, Literal)), "")
