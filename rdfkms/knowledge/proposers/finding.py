"""Where words that a model names stand in a text: exact, else with other white space.

A model names things; it cannot count offsets. What is not there gets an anchor that the gate will
find wrong: refusing is the gate's office, not this module's.
"""

from __future__ import annotations

import re

from rdfkms.model import Anchor

LONGEST = 4_000


def locate(words: str, text: str, within: tuple[int, int] | None = None) -> tuple[int, int] | None:
    """Return the span of the first place where `words` stand in `text`, or None.

    Looked for in `within` first, then in the whole text; any white space equals any other.
    """
    tokens = words.split()
    if not tokens or len(words) > LONGEST:
        return None
    pattern = re.compile(r"\s{1,8}".join(re.escape(token) for token in tokens))
    for start, end in ((within,) if within else ()) + ((0, len(text)),):
        found = pattern.search(text, start, end)
        if found:
            return found.span()
    return None


def anchor(words: str, text: str, within: tuple[int, int] | None, type: str = "") -> Anchor:
    """Return the anchor of `words`; one at the start of the text where they are not in it."""
    span = locate(words, text, within)
    if span is None:
        return Anchor(0, min(max(len(words), 1), max(len(text), 1)), words, type)
    return Anchor(*span, text[slice(*span)], type)
