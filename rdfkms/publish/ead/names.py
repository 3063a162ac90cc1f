"""Names of agents, places, subjects and forms, each with what it has to do with the material."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lxml import etree

from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.publish.describing.markup import attributes, key_of_authority, key_of_name
from rdfkms.publish.describing.reading import Said
from rdfkms.publish.describing.xmlwriting import one_line
from rdfkms.publish.ead.draft import Draft

PROVENANCE, HOLDER = "description/provenance", "description/holder"
TERMS = ("description/subject", "description/form", "description/membersForm")
_ELEMENTS = {
    "person": "persname",
    "organization": "corpname",
    "family": "famname",
    "party": "name",
    "place": "geogname",
    "concept": "subject",
    "activity": "function",
    "occupation": "occupation",
    "formtype": "genreform",
}
_HOLDERS = frozenset({"corpname", "name"})
_BEHIND_NORMAL = re.compile(r"""["'][^<>]*>\s*""")
_LINKED = (PROVENANCE, HOLDER, *TERMS)


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing as it is named in one place: its name there, and its name in a normal form."""

    thing: str
    name: Said | None
    normal: Said | None = None
    statement: Said | None = None

    @property
    def claims(self) -> list[Said]:
        """The claims that are written with it."""
        return [one for one in (self.statement, self.name, self.normal) if one is not None]


@dataclass(frozen=True)
class Mentions:
    """All names in what is said of a unit: of things it is linked with, and of others."""

    linked: tuple[Mention, ...]
    loose: tuple[Mention, ...]

    def of(self, *statements: str) -> Iterator[Mention]:
        """Yield the mentions with one of these statements."""
        for one in self.linked:
            if one.statement is not None and one.statement.name in statements:
                yield one


def mentions(draft: Draft, unit: str) -> Mentions:
    """Return the names in what is said of a unit.

    A link and the name of what it leads to were read from the same words. Where a name was said
    before, and is no claim of its own here, the first name of the thing stands for it.
    """
    names = draft.names_in(unit)
    normals = dict(_normals(draft, names))
    apart = [one for one in names if one.claim not in {n.claim for n in normals.values()}]
    free = {(one.subject, *one.spot): one for one in reversed(apart)}
    linked = []
    for said in draft.account.of(unit, *_LINKED):
        name = free.pop((said.object, *said.spot), None)
        linked.append(_mention(draft, said.object, name, normals, said, names))
    left = set(free.values())
    loose = [
        _mention(draft, one.subject, one, normals, None, names) for one in apart if one in left
    ]
    return Mentions(tuple(linked), tuple(loose))


def _mention(
    draft: Draft,
    thing: str,
    name: Said | None,
    normals: dict[str, Said],
    statement: Said | None,
    names: list[Said],
) -> Mention:
    if name is None:
        told = [*(one for one in names if one.subject == thing), *draft.account.of(thing, NAMED_AS)]
        name = next((one for one in told if _is_its_name(draft, one)), next(iter(told), None))
    normal = normals.get(name.claim) if name is not None else None
    return Mention(thing, name, normal, statement)


def _is_its_name(draft: Draft, said: Said) -> bool:
    key = draft.key(said.subject)
    return key in draft.markup.identifiers or key_of_name(draft.document, said.text) == key


def _normals(draft: Draft, names: Iterable[Said]) -> Iterator[tuple[str, Said]]:
    """Yield names with those in a normal form that stand in their start tags."""
    before: Said | None = None
    for one in names:
        if before is not None and before.subject == one.subject:
            between = draft.markup.between(before, one)
            if between is not None and _BEHIND_NORMAL.fullmatch(between):
                yield one.claim, before
        before = one


# ---- elements -----------------------------------------------------------------------------------


def element_of(draft: Draft, mention: Mention) -> str:
    """Return the name of the element for a thing, "" where there is none for its kind."""
    return _ELEMENTS.get(draft.account.kind(mention.thing), "")


def named(draft: Draft, mention: Mention, role: str = "") -> etree._Element | None:
    """Return the element of a thing that is named, None where it has no place or no name."""
    element, dialect = element_of(draft, mention), draft.dialect
    name = one_line(mention.name.text) if mention.name is not None else ""
    has = _identity(draft, mention, name)
    if not element or not (name or has.get(dialect.number)):
        return None
    draft.take(mention.claims)
    for said in (mention.name, mention.normal):
        if said is not None:
            draft.as_around(said)
    more = {dialect.role: role} if role and element != "subject" else {}
    made = draft.maker.made(element, "" if dialect.is_newer else name, **has, **more)
    if dialect.is_newer:
        draft.maker.add(made, "part", name)
    return made


def _identity(draft: Draft, mention: Mention, name: str) -> dict[str, str]:
    """Return the attributes that tell which thing is named, so that it is the same again.

    What has neither a number in an authority file nor a name by which it is known goes by an
    address it is the same as, else by its own in the archive.
    """
    thing, dialect = mention.thing, draft.dialect
    key, normal = draft.key(thing), one_line(mention.normal.text) if mention.normal else ""
    known = draft.markup.identifiers.get(key)
    if known is not None:
        return {"source": known[0], dialect.number: known[1], "normal": normal}
    if key_of_name(draft.document, normal or name) == key:
        return {"normal": normal}
    others = draft.account.of(thing, NAMED_AS)
    fit = [one for one in others if key_of_name(draft.document, one.text) == key]
    if fit:
        return {"normal": one_line(draft.take(fit)[0].text)}
    same = draft.take(draft.account.of(thing, "description/sameAs")[:1], moved=True)
    return {dialect.number: same[0].text if same else thing, "normal": normal}


def holders(draft: Draft, mention: Mention) -> etree._Element | None:
    """Return the element of who holds the material."""
    element = named(draft, mention)
    if (
        element is not None
        and not draft.dialect.is_newer
        and element_of(draft, mention) not in _HOLDERS
    ):
        element.tag = f"{{{draft.dialect.namespace}}}name"  # EAD 2002 has no persons there
    return element


def role_of(draft: Draft, mention: Mention) -> str:
    """Return the role that the file gives a name of its own element."""
    tag = draft.markup.before(mention.name) if mention.name is not None else ""
    if tag.endswith("part>"):
        return ""
    told = attributes(tag)
    return told.get("relator") or told.get("role") or ""


# ---- names within prose -------------------------------------------------------------------------


def mark_up(
    draft: Draft, paragraphs: list[etree._Element], some: list[Mention], role: bool
) -> None:
    """Mark names within the words of paragraphs, each behind the one before it."""
    rest = iter(paragraphs)
    place = next(rest, None)
    for mention in some:
        name = one_line(mention.name.text) if mention.name is not None else ""
        while place is not None and name and name not in _last(place):
            if not any(name in (one.text or "") for one in paragraphs[paragraphs.index(place) :]):
                break
            place = next(rest, None)
        if place is None or not name or name not in _last(place):
            continue
        told = role_of(draft, mention) if role else ""
        if role and not told:
            continue
        before, _, behind = _last(place).partition(name)
        if not before.strip() and len(place):
            continue  # two names without words between them would be drawn apart
        element = named(draft, mention, told)
        if element is not None:
            _set_last(place, before)
            place.append(element)
            element.tail = behind or None


def _last(element: etree._Element) -> str:
    return (element[-1].tail if len(element) else element.text) or ""


def _set_last(element: etree._Element, text: str) -> None:
    if len(element):
        element[-1].tail = text
    else:
        element.text = text


def agency_code(draft: Draft, agency: str) -> Said | None:
    """Return the code by which the keeper of a finding aid is known, if there is one."""
    codes = draft.account.of(agency, "description/identifier")
    return next(
        (one for one in codes if key_of_authority(one.text, "agencycode") == draft.key(agency)),
        None,
    )
