"""What a batch came to: candidates with verdicts and claims, and proposals to merge."""

from __future__ import annotations

from dataclasses import dataclass

from rdfkms.model import Candidate, Claim, MergeProposal, Verdict, Verification


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with its verdict, and the claim it became where it passed screening.

    Candidates of one statement share the claim; it is complete in each of them. `verification` is
    what the verifiers found, None for what never came before them.
    """

    candidate: Candidate
    claim: Claim | None
    verdict: Verdict
    verification: Verification | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """A batch decided: each candidate in the order given, and proposals to merge."""

    judged: tuple[Judged, ...]
    proposals: tuple[MergeProposal, ...]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims of the batch, each once, in order."""
        return tuple({j.claim.key: j.claim for j in self.judged if j.claim}.values())
