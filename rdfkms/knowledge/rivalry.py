"""Which claims project the same as a changed one, or outrank it: what re-projection must see.

`decoding.neighbours` gives all claims about a thing, which for a much named place are thousands.
A single decision needs far fewer: claims of the same subject under the same predicate, and of a
name only as many witnesses as keep its types standing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pyoxigraph import NamedNode, Quad

from rdfkms.knowledge import decoding
from rdfkms.knowledge.encoding import ref_iri
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.nodes import key_in
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.model import Claim, Rank, Ref
from rdfkms.ports import QuadReader
from rdfkms.vocab import KMS, Base

Members = Callable[[Ref], Iterable[Ref]]
WITNESSES = 3  # names that are looked at in each graph, where no name is preferred


def rivals(
    store: QuadReader, base: Base, mapping: Mapping, changed: Iterable[Claim], members: Members
) -> list[Claim]:
    """Return the claims, sorted by key, that `statements.reproject` must see beside `changed`.

    `changed` are the claims as they are before and after; they are not among the result. `members`
    gives a thing and all that is merged with it. For merges themselves, which project everything
    about a thing anew, take `decoding.neighbours` and `decoding.claims_of_thing`.
    """
    known = list(changed)
    own = {claim.key for claim in known}
    keys: set[str] = set()
    for claim in known:
        rule = mapping.statement(claim.statement)
        ends = [claim.subject]
        if rule.symmetric and claim.object is not None:
            ends.append(claim.object)
        for thing in {member for end in ends for member in members(end)}:
            said = _under(store, base, thing, rule.predicate)
            if claim.statement == NAMED_AS and not _preferred(store, base, thing, known):
                said = _witnesses(store, base, said, own)
            keys |= set(said)
    return decoding.claims(store, base, sorted(keys - own))


def _under(store: QuadReader, base: Base, thing: Ref, predicate: NamedNode) -> Iterator[str]:
    for graph in (base.public, base.internal):
        for quad in store.match(None, KMS("claimSubject"), ref_iri(thing, base), graph):
            key = key_in(base, quad.subject)
            wanted = Quad(quad.subject, KMS("claimPredicate"), predicate, graph)
            if key and store.contains(wanted):
                yield key


def _witnesses(store: QuadReader, base: Base, keys: Iterator[str], own: set[str]) -> Iterator[str]:
    """Yield a few standing claims of each graph: more would project no other types."""
    left = {base.public: WITNESSES, base.internal: WITNESSES}
    for key in keys:
        if key in own:
            continue
        iri = base.iri("claim", key)
        for graph, wanted in left.items():
            stands = Quad(iri, KMS("claimStatus"), KMS("admitted"), graph)
            normal = Quad(iri, KMS("rank"), KMS("normal"), graph)
            if wanted and store.contains(stands) and store.contains(normal):
                left[graph] = wanted - 1
                yield key
        if not any(left.values()):
            return


def _preferred(store: QuadReader, base: Base, thing: Ref, changed: list[Claim]) -> bool:
    if any(claim.rank is Rank.PREFERRED for claim in changed):
        return True
    about = ref_iri(thing, base)
    return any(
        store.contains(Quad(quad.subject, KMS("claimSubject"), about, graph))
        for graph in (base.public, base.internal)
        for quad in store.match(None, KMS("rank"), KMS("preferred"), graph)
    )
