"""Which entities a person has merged (``kms:mergedInto``), as re-projection needs it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pyoxigraph import NamedNode

from rdfkms.model import Ref
from rdfkms.ports import QuadReader
from rdfkms.vocab import KMS, Base


@dataclass(frozen=True, slots=True)
class Merges:
    """Each merged thing with the one that stands for it, followed to the end."""

    final: dict[Ref, Ref]

    def canonical(self, ref: Ref) -> Ref:
        """Return the thing that stands for `ref`, itself where it was not merged."""
        return self.final.get(ref, ref)

    def members(self, ref: Ref) -> Iterable[Ref]:
        """Return the thing that stands for `ref` and all that were merged into it."""
        head = self.canonical(ref)
        return [head, *(one for one, target in self.final.items() if target == head)]

    def touches(self, ref: Ref) -> bool:
        """Return whether the thing was merged into another or has others merged into it."""
        return ref in self.final or ref in self.final.values()


def merges(store: QuadReader, base: Base) -> Merges:
    """Read the merges that hold now; a circle ends where it began."""
    step: dict[Ref, Ref] = {}
    for graph in (base.public, base.internal):
        for quad in store.match(None, KMS("mergedInto"), None, graph):
            one, other = _ref(base, quad.subject), _ref(base, quad.object)
            if one is not None and other is not None:
                step[one] = other
    return Merges({ref: _end(step, ref) for ref in step})


def _end(step: dict[Ref, Ref], ref: Ref) -> Ref:
    seen, at = {ref}, step[ref]
    while at in step and at not in seen:
        seen.add(at)
        at = step[at]
    return at


def _ref(base: Base, term: object) -> Ref | None:
    split = base.split(term.value) if isinstance(term, NamedNode) else None
    return Ref(*split) if split else None
