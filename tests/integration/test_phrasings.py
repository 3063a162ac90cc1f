"""What the patterns of each genre find in sentences of our own, after screening and verification.

The sentences stand in `tests/golden/phrasings/<genre>.toml`. Each fact that a case lists must be
admitted by the deterministic gate; what it lists under `not` must never be, only quarantined.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.phrasings import admitted, cases

FOLDER = Path(__file__).parent.parent / "golden" / "phrasings"
# Share of the listed facts of a genre that must be found: some phrasings are kept that no rule
# reads yet, so that what is missing stays in sight.
LEAST = {"court-martial": 0.95, "newspaper": 0.95, "annals": 0.95, "register": 0.95}


@pytest.mark.parametrize("genre", sorted(LEAST))
def test_facts_are_found_in_many_phrasings(genre: str) -> None:
    listed, missed = 0, []
    for case in cases(FOLDER / f"{genre}.toml"):
        found = admitted(case) if case.facts else set()
        listed += len(case.facts)
        missed += [f"{fact} in: {case.text}" for fact in sorted(case.facts - found)]
    assert listed - len(missed) >= LEAST[genre] * listed, "\n".join(missed)


@pytest.mark.parametrize("genre", sorted(LEAST))
def test_rumours_denials_and_conditions_are_not_admitted(genre: str) -> None:
    for case in cases(FOLDER / f"{genre}.toml"):
        if case.refused:
            assert not case.refused & admitted(case), case.text
