"""The rows of a table: which things of a description they are, their parents and identifiers."""

from __future__ import annotations

from dataclasses import dataclass

from rdfkms.ingest.describing.table_columns import LEVEL, NAME, RECORDS, TYPE, Columns
from rdfkms.ingest.describing.table_survey import type_of
from rdfkms.ingest.describing.things import SET_TYPES
from rdfkms.publish.describing.reading import Account, Said

_DESCRIBES = "description/describes"
_INCLUDES = ("description/includes", "description/constituent", "description/part")
CODE, RANK, SET_TYPE = (
    "description/identifier", "description/rank", "description/recordSetType",
)  # fmt: skip
_LEVEL = "description/level"


@dataclass(frozen=True, slots=True)
class Thing:
    """A row: the thing, its entity type, its identifier in the table and that of its parent."""

    iri: str
    type: str
    identifier: str
    parent: str


def things(account: Account, columns: Columns) -> tuple[list[Thing], set[str]]:
    """Return the rows in the order of the file, and the claims that say where they belong.

    A row is what the file describes, or what belongs to such a thing, if the columns have rows of
    its type. It goes by its first identifier; where it has none of its own, by kind and key.
    """
    parents, carried = _parents(account, columns)
    used: set[str] = set()
    identifiers: dict[str, str] = {}
    for iri in parents:
        codes = [" ".join(one.text.split()) for one in account.of(iri, CODE)]
        own = next((one for one in codes[:1] if one not in used), "")
        identifiers[iri] = own or _key(account, iri)
        used.add(identifiers[iri])
    ordered = _in_order(account, parents)
    rows = [
        Thing(iri, _type(account, iri), identifiers[iri], identifiers.get(parent, ""))
        for iri, parent in ordered.items()
    ]
    return rows, carried | _ranks_kept(account, ordered)


def _in_order(account: Account, parents: dict[str, str]) -> dict[str, str]:
    """Return the rows as they stand, if that tells their ranks; else below their parents, by rank.

    Stretches that begin on one line of the file have no order there.
    """
    told = {one.subject for one in account.all(RANK)}
    kept = _ranks_kept(account, parents)
    if all(any(r.claim in kept for r in account.of(iri, RANK)) for iri in parents if iri in told):
        return parents
    inside: dict[str, list[str]] = {}
    for iri, parent in parents.items():
        inside.setdefault(parent, []).append(iri)
    ordered: dict[str, str] = {}
    waiting = list(reversed(inside.get("", [])))
    while waiting:
        iri = waiting.pop()
        ordered[iri] = parents[iri]
        waiting += sorted(inside.get(iri, []), key=lambda one: _rank(account, one), reverse=True)
    return ordered | {iri: parent for iri, parent in parents.items() if iri not in ordered}


def _rank(account: Account, iri: str) -> int:
    return min((int(one.text) for one in account.of(iri, RANK)), default=0)


def _ranks_kept(account: Account, parents: dict[str, str]) -> set[str]:
    """Return the claims of rank that the rows say by their order."""
    number: dict[str, int] = {}
    kept: set[str] = set()
    for iri, parent in parents.items():
        if parent:
            number[parent] = number.get(parent, 0) + 1
            told = account.of(iri, RANK)
            kept |= {one.claim for one in told if one.text == str(number[parent])}
    return kept


def _parents(account: Account, columns: Columns) -> tuple[dict[str, str], set[str]]:
    """Return the parent of each row, "" where it has none, and the claims that say so."""
    wanted = {columns.type, *(one.type for one in columns.types.values())}
    if wanted & RECORDS:
        wanted |= {"RecordPart"}  # what belongs to a record is one
    is_agent = not wanted <= RECORDS
    parents: dict[str, str] = {}
    said: dict[str, Said] = {}
    for one in account.all(_DESCRIBES, *_INCLUDES):
        kind = _type(account, one.object)
        is_row = kind in wanted or (is_agent and kind == "Agent")
        if is_row and one.object not in parents:
            parents[one.object] = one.subject if one.name != _DESCRIBES else ""
            said[one.object] = one
    if not any(account.all(_DESCRIBES)):  # RiC-O has things, and no file that describes them
        for iri in account.by_subject:
            if _type(account, iri) in wanted and account.of(iri, *_tellings(account, iri)):
                parents.setdefault(iri, "")
    return parents, {
        one.claim for iri, one in said.items() if not parents[iri] or parents[iri] in parents
    }


def _tellings(account: Account, iri: str) -> set[str]:
    """Return the statements about a thing that say more than how it is called."""
    return {one.name for one in account.by_subject[iri]} - {NAME}


def _type(account: Account, iri: str) -> str:
    rule = account.scope.mapping.by_kind(account.kind(iri))
    return rule.name if rule is not None else ""


def _key(account: Account, iri: str) -> str:
    kind, key = account.scope.base.split(iri) or ("", "")
    return f"{kind}-{key}"


def kind_told(account: Account, columns: Columns, thing: Thing) -> tuple[str, list[Said]]:
    """Return what the level or type column says of a row, and the claims that this carries.

    The level is as the file has it. Where it has none, a word stands that means the type of the
    row, unless that is what the columns take for granted.
    """
    roles = {one.says for one in columns.columns}
    carried: list[Said] = []
    word = ""
    if LEVEL in roles:
        carried = account.of(thing.iri, _LEVEL)[:1]
        word = next((" ".join(one.text.split()) for one in carried), "")
    if not word and thing.type not in (columns.type, "RecordPart") and roles & {LEVEL, TYPE}:
        told = [word for word, row in columns.types.items() if row.type == thing.type]
        told.sort(key=lambda one: bool(columns.types[one].set))
        word = next(iter(told), "")
    means = type_of(word, columns)[1] if word else ""
    if means:
        types = account.of(thing.iri, SET_TYPE)
        carried += [one for one in types if one.text == SET_TYPES + means]
    return word, carried
