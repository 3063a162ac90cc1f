"""The home page and the lists of persons, places, events ..., cached by revision."""

from __future__ import annotations

import threading
import unicodedata
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rdfkms.knowledge.mapping import EVENT_SEGMENT
from rdfkms.ledger.ledger import Ledger
from rdfkms.ports import Term
from rdfkms.publish.records import natural
from rdfkms.publish.views import (
    Form,
    Link,
    Scope,
    forms_of,
    iri_of,
    link_of,
    literal_of,
    text_of,
)

LIST_PAGE = 100
_KEPT = 12  # some of them in five languages, for the public and for staff
RECENT_ROWS = 12


@dataclass(frozen=True, slots=True)
class Listed:
    """A thing in a list: its link, how often it was read, and its other names."""

    link: Link
    count: int
    other_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Home:
    """What the home page shows."""

    counts: tuple[tuple[str, int], ...]
    kinds: tuple[tuple[str, int], ...]
    collections: tuple[tuple[Link, int], ...]
    loose: tuple[Link, ...]
    recent: tuple[Link, ...]


class Catalogue:
    """Lists and counts of one archive, made once per revision and reader's graphs."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._kept: OrderedDict[tuple[object, ...], object] = OrderedDict()
        self._lock = threading.Lock()

    def things(self, scope: Scope) -> dict[str, tuple[Listed, ...]]:
        """Return all named things by kind (person, place, event ...), in order of their names."""
        read = self._once(("things", scope.graphs), lambda: _read(scope))
        assert isinstance(read, _Read)
        # Only events are called otherwise in each language: by their type.
        events = self._once(
            ("events", scope.graphs, scope.language), lambda: _listed(scope, read.events)
        )
        assert isinstance(events, dict)
        return {**read.things, **events}

    def home(self, scope: Scope) -> Home:
        """Return counts, collections and the things written last."""
        found = self._once(("home", scope.graphs, scope.language), lambda: self._home(scope))
        assert isinstance(found, Home)
        return found

    def _once(self, key: tuple[object, ...], make: Callable[[], object]) -> object:
        full = (*key, self._ledger.revision)
        with self._lock:
            if full in self._kept:
                return self._kept[full]
        made = make()
        with self._lock:
            self._kept[full] = made
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made

    def _home(self, scope: Scope) -> Home:
        row = next(iter(scope.select("pages/counts")), {})
        names = ("records", "pages", "passages", "claims")
        things = self.things(scope)
        sets = []
        for found in scope.select("pages/collections"):
            link = _titled(scope, found["set"], found["title"])
            if link is not None:
                sets.append((link, int(text_of(found["count"]))))
        loose = [
            _titled(scope, r["record"], r["title"]) for r in scope.select("pages/loose_records")
        ]
        return Home(
            counts=tuple((name, int(text_of(row.get(name)) or 0)) for name in names),
            kinds=tuple((kind, len(listed)) for kind, listed in sorted(things.items())),
            collections=tuple(sorted(sets, key=lambda pair: natural(pair[0].text))),
            loose=tuple(link for link in loose if link is not None),
            recent=self._recent(scope, things),
        )

    def _recent(self, scope: Scope, things: dict[str, tuple[Listed, ...]]) -> tuple[Link, ...]:
        """Return the persons, places and events named in the newest rows of the journal."""
        known = {(t.link.kind, t.link.key): t.link for listed in things.values() for t in listed}
        found: dict[tuple[str, str], Link] = {}
        entries = self._ledger.journal.entries(descending=True)
        head = f"<{scope.base.base}/id/".encode()
        for _, entry in zip(range(RECENT_ROWS), entries, strict=False):
            for word in set((entry.added or b"").split()):
                if word.startswith(head):
                    parts = scope.base.split(word[1:-1].decode("utf-8", "replace"))
                    if parts in known:
                        found[parts] = known[parts]
            if len(found) >= RECENT_ROWS:
                break
        return tuple(sorted(found.values(), key=lambda link: collation(link.text)))[:RECENT_ROWS]


def _titled(scope: Scope, thing: Term | None, title: Term | None) -> Link | None:
    iri, label = iri_of(thing), literal_of(title)
    parts = scope.base.split(iri.value) if iri is not None else None
    if parts is None or label is None:
        return None
    return Link(*parts, label.value, label.language or "")


@dataclass(frozen=True, slots=True)
class _Read:
    """Things by kind under names that are the same in every language, and the forms of events."""

    things: dict[str, tuple[Listed, ...]]
    events: dict[str, list[Form]]


def _read(scope: Scope) -> _Read:
    named: dict[str, list[Form]] = {}
    events: dict[str, list[Form]] = {}
    for iri, forms in forms_of(scope.select("pages/name_forms")).items():
        is_event = (scope.base.split(iri) or ("",))[0] == EVENT_SEGMENT
        (events if is_event else named)[iri] = forms
    return _Read(_listed(scope, named), events)


def _listed(scope: Scope, named: Mapping[str, Sequence[Form]]) -> dict[str, tuple[Listed, ...]]:
    by_kind: dict[str, list[Listed]] = defaultdict(list)
    for iri, forms in named.items():
        link = link_of(scope, iri, forms)
        others = {f.name.value for f in forms if f.event is None} - {link.text}
        count = sum(f.count for f in forms)
        by_kind[link.kind].append(Listed(link, count, tuple(sorted(others))))
    return {
        kind: tuple(sorted(listed, key=lambda t: (collation(t.link.text), t.link.key)))
        for kind, listed in by_kind.items()
        if kind
    }


def collation(text: str) -> str:
    """Return a sort key: without accents and case."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


def initial(text: str) -> str:
    """Return the letter under which a name stands in an index."""
    letter = collation(text)[:1].upper()
    return letter if letter.isalpha() else "#"
