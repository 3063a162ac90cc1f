"""One office with two holders at one time: the same title and place, other persons."""

from __future__ import annotations

from functools import cache

from rdfkms.knowledge import lexicons
from rdfkms.knowledge.nameforms import normal
from rdfkms.knowledge.names import Names
from rdfkms.knowledge.timespans import timespan
from rdfkms.model import Claim, Ref

HOLDING = "OfficeHolding"
_LISTS = ("offices.en", "offices.es", "offices.fr", "offices.lzh")


def two_holders(one: Claim, other: Claim, names: Names) -> bool:
    """Return whether two holdings of an office exclude one another.

    Both need a time, and the times must meet. A bare office word ("alcalde") names an office of
    one place only together with that place; a longer title ("gobernador de Belmira") by itself.
    """
    if one.object is None or one.object != other.object or one.subject == other.subject:
        return False
    ours, theirs = timespan(one.time), timespan(other.time)
    if ours is None or theirs is None or not ours.overlaps(theirs):
        return False
    if one.place is not None and other.place is not None:
        same = one.place == other.place
    else:
        same = one.place == other.place and not _generic(one.object, names)
    return same and not _namesakes(one.subject, other.subject, names)


def _generic(title: Ref, names: Names) -> bool:
    entity = names.entity(title)
    return entity is None or any(form in _words() for form in entity.forms)


def _namesakes(one: Ref, other: Ref, names: Names) -> bool:
    """Two entities of one name may be one being that nobody has merged yet."""
    ours, theirs = names.entity(one), names.entity(other)
    return ours is not None and theirs is not None and bool(set(ours.forms) & set(theirs.forms))


@cache
def _words() -> frozenset[str]:
    return frozenset(normal(word) for name in _LISTS for word in lexicons.words(name))
