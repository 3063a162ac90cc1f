"""The components of a finding aid: their order, and what keeps each of them the same."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from lxml import etree

from rdfkms.knowledge.declaring import thing_key
from rdfkms.model import Thing
from rdfkms.publish.describing.markup import attributes
from rdfkms.publish.describing.reading import Said
from rdfkms.publish.ead.draft import INCLUDES, Draft, language_of
from rdfkms.publish.ead.units import level, say_unit

_RANK = "description/rank"
_COMPONENT = re.compile(r"c(?:0[1-9]|1[0-2])?")
# What is read in the language of the component around it, not in one of its own.
_OF_PART = frozenset({"description/unitDate", "namedAs"})
_PROSE = ("description/note",)


class Tree:
    """Which unit stands in which, in their order; what would stand in two places is in the first.

    `whole` is the unit that holds all others, "" where there are several side by side.
    """

    def __init__(self, draft: Draft, units: list[str]) -> None:
        account = draft.account
        ranks: dict[str, int] = {}
        for said in account.all(_RANK):
            if said.value is not None:
                ranks.setdefault(said.subject, int(said.value.value))
        inside: dict[str, list[str]] = defaultdict(list)
        links: dict[str, list[Said]] = defaultdict(list)
        held: set[str] = set(units)
        for said in account.all(*INCLUDES):
            if said.object not in held:
                held.add(said.object)
                inside[said.subject].append(said.object)
            if said.object in inside[said.subject]:
                links[said.object].append(said)
        for some in inside.values():
            some.sort(key=lambda iri: ranks.get(iri, 0))
        self.links = links
        self.whole = units[0] if len(units) == 1 else ""
        self._inside, self._units = inside, units

    def parts(self, unit: str) -> list[str]:
        """Return the units in a unit, or those side by side at the top."""
        return self._inside.get(unit, []) if unit else self._units


def say_components(draft: Draft, archdesc: etree._Element, tree: Tree) -> None:
    """Write the components in their order, to any depth."""
    top = tree.parts(tree.whole)
    if not top:
        return
    dsc = draft.maker.add(archdesc, "dsc", **draft.dialect.dsc)
    open_ = [(dsc, iter(top), "/ead[1]/archdesc[1]/dsc[1]", "", draft.language)]
    counts: list[Counter[str]] = [Counter()]
    while open_:
        parent, units, path, codes, draft.language = open_[-1]
        unit = next(units, "")
        if not unit:
            open_.pop()
            counts.pop()
            continue
        name = _name(draft, tree, unit, len(open_))
        counts[-1][name] += 1
        place = f"{path}/{name}[{counts[-1][name]}]"
        own = _codes(draft, unit)
        ways = "/".join(filter(None, (codes, own)))
        element = _component(draft, parent, tree, unit, name, (place, ways if own else ""))
        open_.append((element, iter(tree.parts(unit)), place, ways, draft.language))
        counts.append(Counter())


def _component(
    draft: Draft, parent: etree._Element, tree: Tree, unit: str, name: str, ways: tuple[str, ...]
) -> etree._Element:
    element = draft.maker.add(parent, name, **level(draft, unit), id=_id(draft, tree, unit, ways))
    links = draft.take(tree.links[unit])
    draft.take(draft.account.of(unit, _RANK)[: max(len(links), 1)])
    tongue = _language(draft, unit)
    if tongue:
        element.set(draft.dialect.language, tongue)
        draft.language = tongue
    say_unit(draft, element, unit)
    return element


def _codes(draft: Draft, unit: str) -> str:
    codes = draft.account.of(unit, "description/identifier") if unit else []
    return codes[0].text if codes else ""


def _name(draft: Draft, tree: Tree, unit: str, depth: int) -> str:
    """Return the name of the element: numbered where the file numbers it at the same depth."""
    for said in tree.links[unit]:
        name = draft.markup.sections.get(said.unit, "").rpartition("/")[2].partition("[")[0]
        if _COMPONENT.fullmatch(name) and name in ("c", f"c{depth:02}"):
            return name
    return "c"


def _id(draft: Draft, tree: Tree, unit: str, ways: tuple[str, ...]) -> str:
    """Return the id of a component: the one that it has, none where it needs none to be the same.

    Else it is made of its kind and key.
    """
    key = draft.key(unit)
    own = ""
    if draft.markup.is_ead:
        links = [said for said in tree.links[unit] if said.quote.startswith("<")]
        own = next(filter(None, (attributes(one.quote).get("id", "") for one in links)), "").strip()
    if own or any(_key_of(draft.document, way) == key for way in ways if way):
        return own
    return f"{draft.account.kind(unit)}-{key}"


def _language(draft: Draft, unit: str) -> str:
    """Return the language that a component has to state for its dates and names, or ""."""
    if not draft.dialect.language:
        return ""
    told = [
        said for said in draft.account.of(unit, "description/unitDate") if said.value is not None
    ]
    found = Counter(filter(None, map(language_of, [*told, *draft.names_in(unit)])))
    most = min(found, key=lambda tongue: (-found[tongue], tongue), default="")
    return most if most != draft.language else ""


def _key_of(document: str, told: str) -> str:
    """Return the key of a component that is known by its id, its codes or its place."""
    return thing_key(Thing("", ("ead", document, told)))
