"""What the sections of an authority record share while it is written: names, notes, claims."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from lxml import etree

from rdfkms.ingest.describing import languages
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.publish.describing.markup import Markup, key_of_name
from rdfkms.publish.describing.reading import Account, Said
from rdfkms.publish.describing.xmlwriting import one_line
from rdfkms.publish.eac.dates import moment, written
from rdfkms.publish.eac.elements import add, speaking

NOTE, SOURCE, DATE = "description/note", "description/source", "description/unitDate"
PLACE = "description/place"
TERMS = {
    "description/function": "function",
    "description/legalStatus": "legalStatus",
    "description/mandate": "mandate",
    "description/occupationOf": "occupation",
}
# How a relation is told: its type, and the role of the other towards the agent.
RELATIONS = {
    "description/superior": ("hierarchical-parent", ""),
    "description/inferior": ("hierarchical-child", ""),
    "description/predecessor": ("temporal-earlier", ""),
    "description/successor": ("temporal-later", ""),
    "description/kin": ("family", ""),
    "description/associated": ("associative", ""),
    "description/controls": ("hierarchical", "isControllerOf"),
    "description/controlledBy": ("hierarchical", "isControlledBy"),
    "description/leads": ("associative", "isLeaderOf"),
    "description/ledBy": ("associative", "isLedBy"),
    "description/memberOf": ("associative", "isMemberOf"),
    "description/hasMember": ("associative", "hasMember"),
    "description/workRelation": ("associative", "worksWith"),
}
RESOURCES = {
    "description/provenanceOf": "creatorOf",
    "description/subjectOf": "subjectOf",
    "description/resource": "other",
}
_ENTRIES = frozenset({PLACE, DATE, *TERMS, *RELATIONS, *RESOURCES})
_UNSPOKEN = frozenset({NAMED_AS, "description/titleOfDescription"})  # written without a language


Fits = Callable[[Said], bool]


def no_name(said: Said) -> bool:
    """Return False: no name may stand beside the first that would name another thing."""
    return False


def any_name(said: Said) -> bool:
    """Return True: what stands beside the first is another name of the same thing."""
    return True


def in_a_language(said: Said) -> bool:
    """Return whether a name states its language, as names of one place do that stand together."""
    return said.value is not None and bool(said.value.language)


@dataclass
class Notes:
    """The notes about an agent that belong to something: entries, by their claim, or identity."""

    of: dict[str, Said] = field(default_factory=dict)
    of_place: dict[str, Said] = field(default_factory=dict)  # the words of the whole entry
    together: dict[str, list[str]] = field(default_factory=dict)  # the places within such words
    of_identity: Said | None = None


@dataclass
class Draft:
    """An authority record in the making.

    `scopes` are those within which names are things: the id of the record, or the file's name
    where it has none. `language` is that of the description, `taken` holds the claims that are
    written.
    """

    account: Account
    markup: Markup
    scopes: tuple[str, ...]
    language: str = ""
    taken: set[str] = field(default_factory=set)
    _met: set[str] = field(default_factory=set)

    def take(self, said: Iterable[Said]) -> list[Said]:
        """Note that claims are written; returns them."""
        told = list(said)
        self.taken |= {one.claim for one in told}
        return told

    def key(self, iri: str) -> str:
        """Return the key of a thing of the archive."""
        return (self.account.scope.base.split(iri) or ("", ""))[1]

    def where(self, iri: str) -> dict[str, str]:
        """Return the attributes that name a thing by its identifier, none where it has none.

        What has no name either is named by its IRI in the archive.
        """
        found = self.markup.identifier(self.key(iri))
        if found is None:
            return {} if self.account.of(iri, NAMED_AS) else {"valueURI": iri}
        return {"vocabularySource": found[0], "valueURI": found[1]}

    def all_names(self, iri: str) -> list[Said]:
        """Return all names of a thing that is told by something else than its name."""
        told = self.account.of(iri, NAMED_AS)
        self.take(told)
        return _each_once(told)

    def names(self, iri: str, beside: Fits = no_name) -> list[Said]:
        """Return the names by which a thing is written, the one first that tells which it is.

        All are given once, and then the first alone; of a thing that has a name alone, those are
        left out that would name another thing, except what may stand `beside` the first.
        """
        told = _each_once(self.account.of(iri, NAMED_AS))
        fit = [one for one in told if self._is_name_of(iri, one)]
        first = (fit or told)[:1]
        more = [one for one in told if one not in first and (one in fit or beside(one))]
        some = first if iri in self._met else first + more
        self._met.add(iri)
        marks = {mark(one) for one in some}
        self.take(one for one in self.account.of(iri, NAMED_AS) if mark(one) in marks)
        return some

    def _is_name_of(self, iri: str, said: Said) -> bool:
        key = self.key(iri)
        return self.markup.identifier(key) is not None or any(
            key_of_name(scope, said.text) == key for scope in self.scopes
        )

    # ---- pieces of entries ---------------------------------------------------------------------

    def add_time(self, parent: etree._Element, said: Said) -> None:
        """Add when something held, where the claim tells."""
        if said.time is not None:
            parent.append(written(moment(said.time, said.time_words)))

    def add_place_name(self, parent: etree._Element, iri: str) -> None:
        """Add the name of a place where something held."""
        for said in self.names(iri)[:1]:
            add(
                parent, "placeName", one_line(said.text), **self.where(iri),
                languageOfElement=speaking(said.value),
            )  # fmt: skip

    # ---- notes ---------------------------------------------------------------------------------

    def notes(self, agent: str) -> Notes:
        """Return what the notes about an agent are of.

        A note stands behind what it is about, in the same element, or is the whole of an entry. Of
        several about one entry the first alone has a place there.
        """
        found, last = Notes(), dict[str, str]()
        places: dict[str, list[Said]] = defaultdict(list)
        for said in self.account.of(agent, PLACE):
            places[said.unit].append(said)
        for said in self.account.by_subject.get(agent, ()):
            if said.name in _ENTRIES:
                last[said.unit] = said.claim
            if said.name != NOTE or said.value is None:
                continue
            around = [place for place in places[said.unit] if _is_one_entry(place, said)]
            entry = last.get(said.unit, "")
            if around and around[0].claim not in found.of_place:
                found.of_place[around[0].claim] = said
                found.together[around[0].claim] = [one.claim for one in around]
            elif not around and entry and entry not in found.of:
                found.of[entry] = said
            elif self.markup.element(said.unit) == "identity" and found.of_identity is None:
                found.of_identity = said
        return found


def _is_one_entry(place: Said, note: Said) -> bool:
    """Return whether one quote lies in the other; that of a place with a date is its entry."""
    inside = note.start <= place.start and place.end <= note.end
    return inside or (place.start <= note.start and note.end <= place.end)


def mark(said: Said) -> tuple[str, str, str, str]:
    """Return what makes a name one and the same: words, language, when it was used."""
    language = (said.value.language or "") if said.value is not None else ""
    time = said.time.value if said.time is not None else ""
    words = said.time_words.value if said.time_words is not None else ""
    return said.text, language, time, words


def _each_once(told: Iterable[Said]) -> list[Said]:
    return list({mark(one): one for one in reversed(list(told))}.values())[::-1]


def main_language(told: Iterable[Said]) -> str:
    """Return the language of most texts of a record, "" where most are in none."""
    found: Counter[str] = Counter()
    for said in told:
        texts = () if said.name in _UNSPOKEN else (said.value, said.words, said.time_words)
        for value in texts:
            if value is not None and (value.language or said.name in (NOTE, SOURCE)):
                found[value.language or ""] += 1
    if not found:
        return ""
    return min(found, key=lambda tongue: (-found[tongue], tongue))


def declared(code: str) -> str:
    """Return the language that a declaration of this code would make that of the description."""
    return languages.tag(code).lower()
