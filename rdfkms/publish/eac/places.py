"""The places of an agent: entries with their names, roles, time and notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from rdfkms.ingest.describing.eac_telling import lines
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.publish.describing.reading import Said
from rdfkms.publish.describing.xmlwriting import one_line, plain
from rdfkms.publish.eac.draft import PLACE, Draft, Notes, in_a_language
from rdfkms.publish.eac.elements import add, made, paragraphs, speaking

_LONGEST_ROLE = 60


@dataclass(frozen=True, slots=True)
class _Member:
    """A place that an entry names, and the names that are to be written."""

    said: Said
    names: tuple[Said, ...]


def places(draft: Draft, agent: str, notes: Notes) -> Iterator[etree._Element]:
    """Yield the entries of places in their order.

    A note that is the whole of an entry tells which places and words stood in it together. A place
    without a name has no entry in the standard.
    """
    told = draft.take(
        one for one in draft.account.of(agent, PLACE) if draft.account.of(one.object, NAMED_AS)
    )
    members = {
        one.claim: _Member(one, tuple(draft.names(one.object, in_a_language))) for one in told
    }
    done: set[str] = set()
    for said in told:
        note = notes.of_place.get(said.claim)
        among = [members[one] for one in notes.together.get(said.claim, ()) if one not in done]
        if note is not None and among and (entry := _together(draft, note, among)) is not None:
            draft.take([note])
            yield entry[0]
            done |= {one.said.claim for one in among}
            for member in among:
                rest = [name for name in member.names if name not in entry[1]]
                yield from (_entry(draft, member.said, [name]) for name in rest)
        elif said.claim not in done:
            names = members[said.claim].names
            beside = [name for name in names[1:] if in_a_language(name)]
            yield _entry(draft, said, [*names[:1], *beside])
            yield from (_entry(draft, said, [one]) for one in names[1:] if one not in beside)


def _entry(draft: Draft, said: Said, names: list[Said]) -> etree._Element:
    entry = made("place")
    for one in names:
        _add_name(draft, entry, said, one)
    draft.add_time(entry, said)
    return entry


def _add_name(draft: Draft, entry: etree._Element, said: Said, name: Said) -> None:
    add(
        entry, "placeName", one_line(name.text), **draft.where(said.object),
        languageOfElement=speaking(name.value),
    )  # fmt: skip


def _together(
    draft: Draft, note: Said, among: list[_Member]
) -> tuple[etree._Element, list[Said]] | None:
    """Return the entry whose words a note is, and the names in it; None where it cannot be made."""
    entry = made("place", languageOfElement=speaking(note.value, draft.language))
    dates = made("place")
    draft.add_time(dates, among[0].said)
    last = lines(plain(dates)).split("\n") if len(dates) else []
    words = note.text.split("\n")
    used: list[Said] = []
    named: set[str] = set()
    rest: list[str] = []
    for line in words:
        found = next(
            (
                (member, name)
                for member in among
                for name in member.names
                if name not in used and one_line(name.text) == line
                and (member.said.object not in named or in_a_language(name))
            ),
            None,
        )  # fmt: skip
        if found is not None:
            for role in rest:
                add(entry, "placeRole", role)
            rest = []
            _add_name(draft, entry, found[0].said, found[1])
            used.append(found[1])
            named.add(found[0].said.object)
        elif line in last:
            last.remove(line)
        else:
            rest.append(line)
    if {member.said.object for member in among} != named:
        return None
    if rest and len(rest[0]) <= _LONGEST_ROLE:
        add(entry, "placeRole", rest.pop(0))
    for date in list(dates):
        entry.append(date)
    if rest:
        paragraphs(add(entry, "descriptiveNote"), "\n".join(rest))
    return (entry, used) if lines(plain(entry)) == note.text else None
