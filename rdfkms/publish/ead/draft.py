"""What the sections of a finding aid share while it is written: claims, languages, paragraphs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from lxml import etree

from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.publish.describing.markup import Markup
from rdfkms.publish.describing.reading import Account, Said
from rdfkms.publish.ead.dialect import Dialect
from rdfkms.publish.ead.elements import Maker
from rdfkms.vocab import RDF, XSD

UNITS = frozenset({"set", "item", "itempart"})
INCLUDES = ("description/includes", "description/constituent", "description/part")
_OF_OBJECT = frozenset({*INCLUDES, "description/describes"})
_CODED = frozenset({"description/identifier", "description/level"})  # words of no language
_IN_LANGUAGE = RDF("langString")
_NO_LANGUAGE = frozenset({"", "und", "zxx", "mul"})


@dataclass
class Draft:
    """A finding aid in the making.

    `document` is its identifier, `language` that of the words around. `taken` holds the claims
    that are written, `moved` those among them that are written as something else, `plainly` those
    whose language is lost, where the words around are in another.
    """

    account: Account
    markup: Markup
    maker: Maker
    document: str
    language: str = ""
    taken: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)
    plainly: set[str] = field(default_factory=set)
    _names: dict[str, list[Said]] = field(default_factory=dict)  # of things, by the unit described
    _about: dict[str, str] = field(default_factory=dict)  # what a passage is about

    def __post_init__(self) -> None:
        """Find out what each passage is about, and which names stand in what is about a unit."""
        for said in self.account.said:
            about = said.object if said.name in _OF_OBJECT else said.subject
            if self.account.kind(about) in UNITS or about == self.file:
                self._about.setdefault(said.unit, about)
        paths = {self.markup.sections.get(unit, ""): about for unit, about in self._about.items()}
        names: dict[str, list[Said]] = defaultdict(list)
        for said in self.account.all(NAMED_AS):
            if self.account.kind(said.subject) not in UNITS:
                names[self._about_of(said.unit, paths)].append(said)
        self._names = dict(names)

    def _about_of(self, unit: str, paths: dict[str, str]) -> str:
        path = self.markup.sections.get(unit, "")
        while unit not in self._about and path:
            path = path.rpartition("/")[0]
            if path in paths:
                return paths[path]
        return self._about.get(unit, "")

    @property
    def dialect(self) -> Dialect:
        """The version that is written."""
        return self.maker.dialect

    @property
    def file(self) -> str:
        """The IRI of the record that stands for the file."""
        return self.account.scope.base.iri("record", self.account.key).value

    def key(self, iri: str) -> str:
        """Return the key of a thing of the archive."""
        return (self.account.scope.base.split(iri) or ("", ""))[1]

    def names_in(self, unit: str) -> list[Said]:
        """Return the names of other things that stand in what is said of a unit."""
        return self._names.get(unit, [])

    def take(self, told: Iterable[Said], *, moved: bool = False) -> list[Said]:
        """Note that claims are written, `moved` as something else; returns them."""
        some = list(told)
        self.taken |= {one.claim for one in some}
        if moved:
            self.moved |= {one.claim for one in some}
        return some

    def open(self, unit: str, *names: str) -> list[Said]:
        """Return what is said of a unit by these statements and is not written yet."""
        return [one for one in self.account.of(unit, *names) if one.claim not in self.taken]

    # ---- language ------------------------------------------------------------------------------

    def tongue(self, said: Said) -> dict[str, str]:
        """Return the attribute for the language of words, none where it is that around them."""
        told = language_of(said)
        if told and told != self.language and self.dialect.language:
            return {self.dialect.language: told}
        self.as_around(said)
        return {}

    def as_around(self, said: Said) -> None:
        """Note that words are read in the language around them, whether it is theirs or not."""
        if language_of(said) != self.language:
            self.plainly.add(said.claim)

    # ---- words ---------------------------------------------------------------------------------

    def text(self, parent: etree._Element, name: str, said: Said, **more: str) -> etree._Element:
        """Add an element with the words of a claim, in its language."""
        self.take([said])
        return self.maker.add(parent, name, said.text, **more, **self.tongue(said))

    def prose(
        self, parent: etree._Element, name: str, said: Said, *, moved: bool = False
    ) -> list[etree._Element]:
        """Add an element with the words of a claim in paragraphs; returns these."""
        self.take([said], moved=moved)
        return self.maker.paragraphs(self.maker.add(parent, name, **self.tongue(said)), said.text)


def language_of(said: Said) -> str:
    """Return the language of the words of a claim, "" where they are in none."""
    words = said.value if said.value is not None and said.value.language else said.words
    told = (words.language or "") if words is not None else ""
    return "" if told in _NO_LANGUAGE else told


def main_language(told: Iterable[Said]) -> str:
    """Return the language of most words, "" where most are in none."""
    found = Counter(
        language_of(said)
        for said in told
        if said.value is not None
        and said.value.datatype in (XSD("string"), _IN_LANGUAGE)
        and said.name not in _CODED
    )
    return min(found, key=lambda tongue: (-found[tongue], tongue), default="")
