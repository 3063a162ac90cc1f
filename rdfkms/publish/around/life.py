"""How the page of a thing came to be what it is: commits that touched its claims, and decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from pyoxigraph import NamedNode

from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.work import Work
from rdfkms.model import Ref
from rdfkms.publish.views import Scope, claims_of, iri_of, key_in, text_of
from rdfkms.review import decisions as acts

CLAIMS = 400  # of a thing that are looked at
ENTRIES = 200  # rows of the journal of each run that are looked at


@dataclass(frozen=True, slots=True)
class Commit:
    """A revision that wrote claims about the thing, or a decision about it."""

    revision: int
    time: str
    kind: str
    role: str
    principal: str
    claims: int


@dataclass(frozen=True, slots=True)
class Life:
    """The commits in order; `left_out` claims were not looked at."""

    commits: tuple[Commit, ...]
    left_out: int


def life(scope: Scope, ledger: Ledger, work: Work, ref: Ref, *, staff: bool = False) -> Life:
    """Return the history of a thing, as far as the reader may see its claims.

    Decisions about the thing itself (one with another, or not) are for staff: the other may be
    closed.
    """
    thing = scope.base.iri(ref.kind, ref.key)
    rows = scope.select("pages/about", thing=thing)
    claims = sorted({key_in(scope, row["claim"]) for row in rows if iri_of(row["claim"])})
    touched: Counter[int] = Counter()
    unproposed = []
    for key in claims[:CLAIMS]:
        batches = {row.batch for row in work.candidates(claim=key)}
        revisions = {ledger.journal.revision_of_batch(batch) for batch in batches}
        revisions |= {made.revision for made in acts.of_claim(ledger, key)}
        touched.update(revisions - {0})
        if not batches:
            unproposed.append(scope.base.iri("claim", key))
    touched.update(_imported(scope, ledger, unproposed))
    if staff:
        touched.update({made.revision: 0 for made in acts.about(ledger, ref.path)})
    counted = next(iter(scope.select("pages/claim_count", thing=thing)), {})
    total = int(text_of(counted.get("claims")) or 0)
    return Life(tuple(_commits(ledger, touched)), max(0, total - len(claims[:CLAIMS])))


def _imported(scope: Scope, ledger: Ledger, claims: Sequence[NamedNode]) -> Counter[int]:
    """Return the revisions that wrote claims without a proposal: their runs tell which."""
    subjects = {f"{claim}".encode() for claim in claims}
    runs = sorted({run for claim in claims_of(scope, claims) for run in claim.runs})
    found: Counter[int] = Counter()
    for run in runs:
        for entry in islice(ledger.journal.entries(run=run), ENTRIES):
            lines = (entry.added or b"").splitlines()
            wrote = {line.partition(b" ")[0] for line in lines} & subjects
            if wrote:
                found[entry.revision] = len(wrote)
    return found


def _commits(ledger: Ledger, touched: Counter[int]) -> Sequence[Commit]:
    made = []
    for revision in sorted(touched):
        entry = next(iter(ledger.journal.entries(revision - 1, payload=False)))
        who, kind, claims = entry.principal, entry.activity.kind, touched[revision]
        made.append(Commit(revision, entry.time, kind, str(who.role), who.id, claims))
    return made
