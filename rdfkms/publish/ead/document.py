"""`export`: what one file says of records, as finding aids in EAD 2002 or EAD3.

They are made of the admitted claims, in the order of the file; its markup is not repeated. A
finding aid has one whole: where a file describes several things side by side, they are the parts
of a whole that has the file's title.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

from lxml import etree

from rdfkms.errors import BadInput
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.publish.describing.markup import Markup, markup
from rdfkms.publish.describing.reading import Account, read
from rdfkms.publish.describing.xmlwriting import whole
from rdfkms.publish.ead.components import Tree, say_components
from rdfkms.publish.ead.dialect import Dialect
from rdfkms.publish.ead.draft import INCLUDES, UNITS, Draft, main_language
from rdfkms.publish.ead.elements import Maker
from rdfkms.publish.ead.header import IDENTIFIER, declared_language, header
from rdfkms.publish.ead.units import level, say_unit
from rdfkms.publish.views import Scope

_NO_NAME = re.compile(r"[^\w.-]+")
_TITLES = ("description/titleOfDescription", NAMED_AS)


@dataclass(frozen=True, slots=True)
class Document:
    """A finding aid: a name for its file, without ending, and its XML."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Exported:
    """The finding aids, the number of claims they carry, and those left out, by statement.

    `moved` are those that are carried as something else, `plainly` those whose words are there
    without their language.
    """

    documents: tuple[Document, ...]
    carried: int
    left: dict[str, int]
    moved: dict[str, int]
    plainly: dict[str, int]


def export(scope: Scope, record_key: str, dialect: Dialect) -> Exported:
    """Return what a file says of records, as far as the reader sees it.

    `record_key` is the key of the record that stands for the file. Raises `NotFound` where it is
    no description, `BadInput` where it describes no records.
    """
    account, found = read(scope, record_key), markup(scope, record_key)
    wholes = _described(account)
    if not wholes and found.is_ead:
        wholes = {scope.base.iri("record", record_key).value: []}  # a header alone
    if not wholes:
        raise BadInput(
            "This file describes no records.",
            hint="Persons, corporate bodies and families go out as EAC-CPF: rdfkms export eac.",
        )
    documents: list[Document] = []
    taken, moved, plainly = set[str](), set[str](), set[str]()
    for record, units in wholes.items():
        draft = Draft(account, found, Maker(dialect), _document_id(account, found, record))
        data = _finding_aid(draft, record, units)
        documents.append(Document(_NO_NAME.sub("_", draft.document), data))
        taken |= draft.taken
        moved |= draft.moved
        plainly |= draft.plainly
    carried = sum(said.claim in taken for said in account.said)
    counted = (
        dict(sorted(Counter(said.name for said in account.said if fits(said.claim)).items()))
        for fits in (lambda claim: claim not in taken, moved.__contains__, plainly.__contains__)
    )
    return Exported(tuple(documents), carried, *counted)


def _described(account: Account) -> dict[str, list[str]]:
    """Return the units that each finding aid of a file describes, by its record.

    RiC-O has units, and no file that describes them: there it is those that are in no other.
    """
    told = account.all("description/describes")
    described: dict[str, list[str]] = defaultdict(list)
    for said in told:
        if account.kind(said.object) in UNITS and said.object not in described[said.subject]:
            described[said.subject].append(said.object)
    if not told:
        inside = {said.object for said in account.all(*INCLUDES)}
        things = dict.fromkeys(one for s in account.said for one in (s.subject, s.object))
        described[account.scope.base.iri("record", account.key).value] = [
            one for one in things
            if account.kind(one) in UNITS and one not in inside and account.of(one, NAMED_AS)
        ]  # fmt: skip
    return {one: units for one, units in described.items() if units}


def _document_id(account: Account, found: Markup, record: str) -> str:
    """Return the identifier of a finding aid: its own, else the name of the file.

    Names are things within it, so that these stay the same.
    """
    told = [said.text for said in account.of(record, IDENTIFIER)]
    if told and found.is_ead:
        return told[0]
    return found.file or (told[0] if told else account.key)


def _finding_aid(draft: Draft, record: str, units: list[str]) -> bytes:
    maker, dialect = draft.maker, draft.dialect
    declared = declared_language(draft, record)
    main = main_language(draft.account.said)
    draft.language = declared
    root = maker.made("ead")
    if main and not declared and dialect.language:
        root.set(dialect.language, main)
        draft.language = main
    root.append(header(draft, record))
    draft.take(draft.account.of(record, "description/describes"))
    tree = Tree(draft, units)
    one = tree.whole
    archdesc = maker.add(root, "archdesc")
    for key, value in (level(draft, one) if one else {}).items():
        archdesc.set(key, value)
    if "level" not in archdesc.attrib:
        archdesc.set("level", "otherlevel")
    if one:
        say_unit(draft, archdesc, one)
    else:
        _say_title_of_file(draft, maker.add(archdesc, "did"), record)
    say_components(draft, archdesc, tree)
    return whole(root)


def _say_title_of_file(draft: Draft, did: etree._Element, record: str) -> None:
    titles = draft.account.of(record, *_TITLES)
    draft.maker.add(did, "unittitle", titles[0].text if titles else draft.document)
