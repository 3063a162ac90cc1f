"""Matching the rules of a book on a shadow, and which of the mentions in the matches stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rdfkms.knowledge.proposers.candidates import Span
from rdfkms.knowledge.proposers.rules import Rule, RuleTable
from rdfkms.knowledge.proposers.shadow import Shadow

WINDOW, OVERLAP = 12_000, 1_000
MOST_MATCHES = 2_000
# Words of a name after which, in a short line of a head, the next line begins something else.
FULL_NAME, SHORT_LINE = 3, 42
# The second surname stands alone on its line, or a mark ends it there.
_ALONE = re.compile(r"[^\s:]{1,30}[ \t]{0,8}(?:\n|\Z)|\w{1,30}[,;.)]")


@dataclass(frozen=True, slots=True)
class Match:
    """One match of a rule: spans of its groups on the shadow."""

    rule: RuleTable
    start: int
    end: int
    groups: dict[str, Span]


def matches(rules: Iterable[Rule], text: str, language: str) -> list[Match]:
    """Return the matches of the rules of `language`, in order of place.

    Long texts are matched window by window; at most `MOST_MATCHES` are kept.
    """
    found: dict[tuple[object, ...], Match] = {}
    for rule in rules:
        if rule.table.languages and language not in rule.table.languages:
            continue
        for match in _spread(rule, text):
            groups = tuple(sorted(match.groups.items()))
            found.setdefault((rule.table.id, match.start, match.end, groups), match)
            if len(found) >= MOST_MATCHES:
                break
    return sorted(found.values(), key=lambda m: (m.start, m.end, m.rule.id))


def within_lines(match: Match, shadow: Shadow, raw: str) -> Match:
    """Return the match with each full name of a person ended at the end of its line.

    In heads of forms the next line begins with a capital too, and would be taken for one more
    surname: three words and the end of a short line make a name, unless one word fills the next
    line. Particles count for nothing, and no name ends with one.
    """
    clipped = {
        group: (span[0], _line_end(span, shadow, raw))
        for group, span in match.groups.items()
        if match.rule.mentions.get(group) == "Person"
    }
    return replace(match, groups=match.groups | clipped)


def _line_end(span: Span, shadow: Shadow, raw: str) -> int:
    for at in range(*span):
        broken = shadow.text[at] == " " and "\n" in raw[shadow.starts[at] : shadow.ends[at]]
        if not broken or _ALONE.match(raw, shadow.ends[at]):
            continue
        words = shadow.text[span[0] : at].split()
        names = [word for word in words if word[:1].isupper()]
        line = raw[raw.rfind("\n", 0, shadow.starts[at]) + 1 : shadow.starts[at]]
        if len(names) >= FULL_NAME and words[-1] in names and len(line) <= SHORT_LINE:
            return at
    return span[1]


def _spread(rule: Rule, text: str) -> Iterator[Match]:
    for at in range(0, max(len(text), 1), WINDOW):
        for outer in rule.regex.finditer(text, at, min(len(text), at + WINDOW + OVERLAP)):
            groups = _spans(outer)
            if rule.inner is None or rule.table.each is None:
                yield Match(rule.table, outer.start(), outer.end(), groups)
                continue
            within = groups.get(rule.table.each.within)
            for inner in rule.inner.finditer(text, *within) if within else ():
                yield Match(rule.table, inner.start(), inner.end(), groups | _spans(inner))


def _spans(match: re.Match[str]) -> dict[str, Span]:
    spans = ((name, match.span(name)) for name in match.re.groupindex)
    return {name: span for name, span in spans if 0 <= span[0] < span[1]}


def best_mentions(matches: Sequence[Match]) -> dict[Span, tuple[str, float]]:
    """Return non-overlapping mentions: the longest win, then the surest, then the first."""
    offered: dict[tuple[Span, str], float] = {}
    for match in matches:
        for group, type_ in match.rule.mentions.items():
            span = match.groups.get(group)
            if span:
                sure = max(match.rule.confidence, offered.get((span, type_), 0.0))
                offered[(span, type_)] = sure
    chosen: dict[Span, tuple[str, float]] = {}
    order = sorted(
        offered.items(), key=lambda o: (o[0][0][0] - o[0][0][1], -o[1], o[0][0], o[0][1])
    )
    for (span, type_), sure in order:
        if not any(other[0] < span[1] and span[0] < other[1] for other in chosen):
            chosen[span] = (type_, sure)
    return chosen
