"""What the gate asks about claims that are in the archive already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from pyoxigraph import NamedNode, Quad

from rdfkms.knowledge import decoding, mapping
from rdfkms.knowledge.nodes import key_in
from rdfkms.model import Claim, Kind, Ref, Status
from rdfkms.ports import QuadReader
from rdfkms.vocab import KMS, Base


class Known(Protocol):
    """Looks up claims of the archive."""

    def claim(self, key: str) -> Claim | None:
        """Return the claim with this key, whatever its status."""
        ...

    def about(self, subject: Ref, statement: str) -> Sequence[Claim]:
        """Return the admitted claims with this subject and statement, sorted by key."""
        ...

    def naming(self, thing: Ref, statements: Iterable[str]) -> Sequence[Claim]:
        """Return the admitted claims that name the thing as their object, sorted by key."""
        ...

    def triggers(self, event: Ref) -> Sequence[Claim]:
        """Return the admitted claims that report the event, sorted by key."""
        ...

    def names(self, thing: Ref, unit: str) -> Sequence[Claim]:
        """Return the claims, whatever their status, that the unit names the thing."""
        ...


class NothingKnown:
    """An archive without claims: what a first batch meets."""

    def claim(self, key: str) -> Claim | None:
        """Return None."""
        return None

    def about(self, subject: Ref, statement: str) -> Sequence[Claim]:
        """Return nothing."""
        return ()

    def naming(self, thing: Ref, statements: Iterable[str]) -> Sequence[Claim]:
        """Return nothing."""
        return ()

    def triggers(self, event: Ref) -> Sequence[Claim]:
        """Return nothing."""
        return ()

    def names(self, thing: Ref, unit: str) -> Sequence[Claim]:
        """Return nothing."""
        return ()


class StoredClaims:
    """The claims of a store, in the graphs public and internal unless others are given."""

    def __init__(self, store: QuadReader, base: Base, graphs: Sequence[NamedNode] = ()) -> None:
        self._store = store
        self._base = base
        self._graphs = tuple(graphs) or (base.public, base.internal)
        self._mapping = mapping.load()

    def claim(self, key: str) -> Claim | None:
        """Return the claim with this key, whatever its status."""
        found = decoding.claims(self._store, self._base, [key], self._graphs)
        return found[0] if found else None

    def about(self, subject: Ref, statement: str) -> Sequence[Claim]:
        """Return the admitted claims with this subject and statement, sorted by key."""
        found = self._with_end("claimSubject", subject, (statement,))
        return [c for c in found if c.statement == statement]

    def naming(self, thing: Ref, statements: Iterable[str]) -> Sequence[Claim]:
        """Return the admitted claims that name the thing as their object, sorted by key.

        Only those that `about` would show as well: whoever narrows that narrows this.
        """
        wanted = frozenset(statements)
        found = self._with_end("claimObject", thing, wanted)
        seen: dict[tuple[Ref, str], set[str]] = {}
        for claim in found:
            slot = claim.subject, claim.statement
            if slot not in seen:
                seen[slot] = {other.key for other in self.about(*slot)}
        return [c for c in found if c.key in seen[c.subject, c.statement]]

    def triggers(self, event: Ref) -> Sequence[Claim]:
        """Return the admitted claims that report the event, sorted by key."""
        return [c for c in self.about(event, "triggeredBy") if c.kind is Kind.EVENT]

    def names(self, thing: Ref, unit: str) -> Sequence[Claim]:
        """Return the claims, whatever their status, that the unit names the thing."""
        about, keys = self._base.iri(thing.kind, thing.key), set()
        cited = self._base.iri("evidence", unit)
        for graph in self._graphs:
            for quad in self._store.match(None, KMS("citesUnit"), cited, graph):
                key = key_in(self._base, quad.subject)
                claim = self._base.iri("claim", key)
                if self._store.contains(Quad(claim, KMS("claimSubject"), about, graph)):
                    keys.add(key)
        found = decoding.claims(self._store, self._base, sorted(keys), self._graphs)
        return [c for c in found if c.kind is Kind.MENTION]

    def _with_end(self, end: str, ref: Ref, statements: Iterable[str]) -> list[Claim]:
        concepts = [self._mapping.statement(name).concept for name in statements]
        iri, keys = self._base.iri(ref.kind, ref.key), set()
        for graph in self._graphs:
            for quad in self._store.match(None, KMS(end), iri, graph):
                claim = quad.subject
                if not isinstance(claim, NamedNode):
                    continue
                split = self._base.split(claim.value)
                if split is not None and self._states(claim, concepts, graph):
                    keys.add(split[1])
        found = decoding.claims(self._store, self._base, sorted(keys), self._graphs)
        return [c for c in found if c.status is Status.ADMITTED]

    def _states(self, claim: NamedNode, concepts: Sequence[NamedNode], graph: NamedNode) -> bool:
        said = KMS("statementType")
        return any(self._store.contains(Quad(claim, said, kind, graph)) for kind in concepts)


class RivalsInSight(StoredClaims):
    """Known claims, of which an open record's claims may be compared with public ones only.

    A reason on a public claim quotes its rivals: it must not quote what is closed.
    """

    def __init__(self, store: QuadReader, base: Base, *, is_open: bool) -> None:
        super().__init__(store, base)
        graphs = (base.public,) if is_open else ()
        self._rivals = StoredClaims(store, base, graphs)

    def about(self, subject: Ref, statement: str) -> Sequence[Claim]:
        """Return the admitted claims with this subject and statement that may be quoted."""
        return self._rivals.about(subject, statement)
