"""Negations that are spent before they reach the statement they stand in.

Between a cue and its object a negation may belong to something else:

* it is corrected there: "ingresó, no en el Casino, sino en el Ateneo";
* it stands in an insertion between commas that speaks of something else: "ingresó, aunque no
  sabía firmar, en el Ateneo". An insertion that speaks of the truth of what is said ("lo que
  nunca fue cierto") is a denial, and one that is nothing but the negation may be.

In doubt a negation reaches: what is held back wrongly can be seen and admitted by a person.
"""

from __future__ import annotations

import re

from rdfkms.admission import cues
from rdfkms.admission.cues import Hit, Marked

# Words that an insertion needs, opening and negation included, to say something of its own.
LEAST_WORDS = 4
_MARKS = ",;(—–"
_CLOSING = re.compile(r"[,;)—–]")
_WORD = re.compile(r"[^\W\d_]+")


def negation(marked: Marked, hit: Hit, language: str, gap: tuple[int, int]) -> bool:
    """Return whether a negation between cue and object, in the raw span `gap`, denies neither."""
    if hit.kind != "negation" or gap[0] == gap[1]:
        return False
    known = cues.rules(language)
    behind = marked.text[hit.end : gap[1]]
    if known.of("correction").search(cues.folded(behind)):
        return True
    return _in_insertion(known, marked.text, hit, gap)


def _in_insertion(known: cues.Rules, text: str, hit: Hit, gap: tuple[int, int]) -> bool:
    opening = max(text.rfind(mark, gap[0], hit.start) for mark in _MARKS)
    closing = _CLOSING.search(text, hit.end, gap[1])
    if opening < 0 or closing is None:
        return False
    inside = cues.folded(text[opening + 1 : closing.start()])
    return (
        known.of("insertion").match(inside) is not None
        and len(_WORD.findall(inside)) >= LEAST_WORDS
        and known.of("truth").search(inside) is None
    )
