"""Two names said as one: "Juan y Sara", "Anne et Paul", "甲與乙" are taken apart (R61).

Never inside a known full name, a name that holds a conjunction ("Trinidad y Tobago"), a firm's
("Smith and Sons") or the two surnames of one person ("José Ortega y Gasset").
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from rdfkms.knowledge import dates, lexicons
from rdfkms.knowledge.nameforms import is_han

SPLIT_TYPES = ("", "Person", "Location")  # offices, works and bodies have "and" in their names
LONGEST = 300
_COMMA = re.compile(r"\s{0,3},\s{1,3}")


@cache
def _joiners() -> re.Pattern[str]:
    words = [re.escape(r[0]) for r in lexicons.rows("joiners") if r[1] != "han"]
    return re.compile(rf"\s{{1,3}}(?:{'|'.join(words)})\s{{1,3}}")


@cache
def _han_joiners() -> str:
    return "".join(r[0] for r in lexicons.rows("joiners") if r[1] == "han")


@cache
def _fixed(kind: str) -> frozenset[str]:
    return frozenset(dates.fold(r[0]) for r in lexicons.rows("joined-names") if r[1] == kind)


@cache
def _given() -> frozenset[str]:
    lists = ("given.es", "given.fr", "given.en")
    return frozenset(dates.fold(row[0]) for name in lists for row in lexicons.rows(name))


def parts(surface: str, type: str = "", known: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names in `surface`, in order; the surface itself where it is one name.

    `known` are full names that are never divided. Nothing longer than 300 characters is.
    """
    whole = surface.strip()
    if type not in SPLIT_TYPES or len(whole) > LONGEST:
        return (whole,)
    kept = _fixed("name") | {dates.fold(name) for name in known}
    if dates.fold(whole) in kept:
        return (whole,)
    if is_han(whole):
        return _han(whole, kept)
    pieces = _latin(whole, kept)
    return tuple(pieces) if all(pieces) else (whole,)


def _latin(whole: str, kept: Collection[str]) -> list[str]:
    joints = [found for found in _joiners().finditer(whole) if _divides(whole, found, kept)]
    if not joints:
        return [whole]
    cuts = [found.span() for found in joints]
    # Commas part names only in a list: alone they turn one round ("Vidal, Andrés").
    cuts += [found.span() for found in _COMMA.finditer(whole, 0, joints[-1].start())]
    pieces, at = [], 0
    for start, end in sorted(cuts):
        pieces.append(whole[at:start].strip())
        at = end
    return [*pieces, whole[at:].strip()]


def _divides(whole: str, joint: re.Match[str], kept: Collection[str]) -> bool:
    left, right = whole[: joint.start()].split(), whole[joint.end() :].split()
    if not left or not right:
        return False
    if _inside(whole, joint, kept):
        return False
    if dates.fold(right[0].strip(",")) in _fixed("tail"):
        return False
    after = _joiners().split(whole[joint.end() :])[0].split(",")[0].split()
    if joint[0].strip() in ("y", "e") and len(after) == 1 and len(_own(left)) > 1:
        return dates.fold(after[0]) in _given()  # else the second surname of the one before
    return True


def _own(left: list[str]) -> list[str]:
    """Return the words of the last name before a joint."""
    text = " ".join(left)
    return _COMMA.split(_joiners().split(text)[-1])[-1].split()


def _inside(whole: str, joint: re.Match[str], kept: Collection[str]) -> bool:
    """Return whether the joint lies inside a name that is never divided."""
    word = " ".join(joint[0].split())
    folded_left, folded_right = dates.fold(whole[: joint.start()]), dates.fold(whole[joint.end() :])
    for name in kept:
        head, found, tail = name.partition(f" {dates.fold(word)} ")
        if found and _ends(folded_left, head) and _begins(folded_right, tail):
            return True
    return False


def _ends(text: str, head: str) -> bool:
    return text == head or text.endswith((f" {head}", f",{head}"))


def _begins(text: str, tail: str) -> bool:
    return text == tail or text.startswith((f"{tail} ", f"{tail},"))


def _han(whole: str, kept: Collection[str]) -> tuple[str, ...]:
    """Pieces of two to four characters, or known names; else it is one name ("鄭和")."""
    pieces = re.split(f"[{_han_joiners()}]", whole)
    fits = all(2 <= len(p.strip()) <= 4 or p.strip() in kept for p in pieces)
    return tuple(p.strip() for p in pieces) if len(pieces) > 1 and fits else (whole,)
