"""Column profiles: what the columns of a table say. `ingest/tables/<name>.toml`, or a file.

A column says a statement of the mapping table that is marked `declared`, or plays a part: it
identifies its row, names its parent, or tells of which type it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.ingest import tomlfile
from rdfkms.ingest.describing.things import AGENTS
from rdfkms.vocab import key_of

RECORDS = frozenset({"RecordSet", "Record", "RecordPart"})
_AGENTS = frozenset(AGENTS)
_SETS, _PERSONS = frozenset({"RecordSet"}), frozenset({"Person"})
_GROUPS = frozenset({"OrganizationState", "Family"})
_ALL = RECORDS | _AGENTS
_TOPICS = _AGENTS | {"Location", "Concept", "Activity", "OccupationType"}

IDENTIFIER, PARENT, LEVEL, TYPE = "identifier", "parent", "level", "type"
ROLES = (IDENTIFIER, PARENT, LEVEL, TYPE)
NAME = "namedAs"
NOTE = "description/note"
_LANGUAGE = re.compile(r"(?:[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)?")
_BETWEEN_WORDS = re.compile(r"[\s_-]+")


@dataclass(frozen=True, slots=True)
class Meaning:
    """How the cells of a column are read that says a statement.

    `about` are the types of rows of which it may be said; of others its words are a note. Where a
    cell names things, they are of the type `things[0]` unless the column tells another of them.
    """

    reads: Literal["text", "date", "names", "language", "copy", "address"]
    about: frozenset[str]
    things: tuple[str, ...] = ()


def _texts(about: frozenset[str], *names: str) -> dict[str, Meaning]:
    return {f"description/{name}": Meaning("text", about) for name in names}


def _names(about: frozenset[str], thing: str, others: frozenset[str], *names: str) -> (
    dict[str, Meaning]
):  # fmt: skip
    things = (thing, *sorted(others - {thing}))
    return {f"description/{name}": Meaning("names", about, things) for name in names}


_NOBODY_ELSE = frozenset[str]()
SAYS: dict[str, Meaning] = {
    NAME: Meaning("text", _ALL),
    **_texts(
        RECORDS, "otherTitle", "scopeAndContent", "custodialHistory", "acquisition", "originNote",
        "arrangement", "appraisal", "processing", "accessConditions", "useConditions", "extent",
        "physicalDescription", "physicalLocation", "container", "originals", "copies",
        "otherFindingAid", "relatedMaterial", "separatedMaterial",
    ),
    **_texts(_SETS, "accruals"),
    **_texts(_AGENTS, "context"),
    **_texts(_ALL, "identifier", "abstract", "biographyOrHistory", "bibliography", "note",
             "source"),
    "description/unitDate": Meaning("date", _ALL),
    "description/beginning": Meaning("date", _AGENTS),
    "description/ending": Meaning("date", _AGENTS),
    "description/language": Meaning("language", _ALL),
    "description/sameAs": Meaning("address", _ALL),
    "description/digitalCopy": Meaning("copy", RECORDS, ("Instantiation",)),
    **_names(RECORDS, "Agent", _AGENTS, "provenance", "holder"),
    **_names(RECORDS, "Concept", _TOPICS, "subject"),
    **_names(RECORDS, "FormType", _NOBODY_ELSE, "form"),
    **_names(_AGENTS, "Location", _NOBODY_ELSE, "place"),
    **_names(_AGENTS, "Activity", _NOBODY_ELSE, "function"),
    **_names(_PERSONS, "OccupationType", _NOBODY_ELSE, "occupationOf"),
    **_names(_AGENTS, "Mandate", _NOBODY_ELSE, "mandate"),
    **_names(_AGENTS, "LegalStatus", _NOBODY_ELSE, "legalStatus"),
    **_names(_AGENTS, "Agent", _AGENTS, "superior", "inferior", "controls", "controlledBy",
             "successor", "predecessor", "associated", "kin", "workRelation"),
    **_names(_PERSONS, "OrganizationState", _GROUPS, "memberOf", "leads"),
    **_names(_GROUPS, "Person", _NOBODY_ELSE, "hasMember", "ledBy"),
}  # fmt: skip


def folded(heading: str) -> str:
    """Return a heading, or a word for a type, as it is compared: ``Scope_and-content`` is one."""
    return _BETWEEN_WORDS.sub(" ", heading).strip().casefold()


class Column(BaseModel):
    """One column: the headings by which it is known, and what it says.

    `separator` stands between several values of one cell. `type` is what its names name, `language`
    that of its words; `normal` tells that its dates are in a normal form (EDTF, ISO 8601).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    headings: tuple[str, ...] = Field(min_length=1)
    says: str
    separator: str = ""
    type: str = ""
    language: str = ""
    normal: bool = False

    @property
    def meaning(self) -> Meaning | None:
        """How its cells are read, None for a column that plays a part."""
        return SAYS.get(self.says)

    @field_validator("headings")
    @classmethod
    def _headings(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(map(folded, value)):
            raise ValueError("a heading has words")
        return value

    @field_validator("says")
    @classmethod
    def _says(cls, value: str) -> str:
        if value not in ROLES and value not in SAYS:
            known = ", ".join((*ROLES, *SAYS))
            raise ValueError(f"a column cannot say {value!r}; it can say: {known}")
        return value

    @field_validator("language")
    @classmethod
    def _tag(cls, value: str) -> str:
        return _language(value)

    @field_validator("separator")
    @classmethod
    def _apart(cls, value: str) -> str:
        if value and ('"' in value or not value.strip(" ")):
            raise ValueError("a separator is neither a quotation mark nor a space")
        return value

    @model_validator(mode="after")
    def _fits(self) -> Column:
        meaning = self.meaning
        if meaning is None and (self.separator or self.type or self.normal):
            raise ValueError(f"a column that says {self.says!r} has one value and no type")
        if self.type and meaning is not None:
            if meaning.reads != "names":
                raise ValueError(f"a column that says {self.says!r} names nothing: it has no type")
            if self.type not in meaning.things:
                allowed = ", ".join(meaning.things)
                raise ValueError(f"type {self.type!r}: {self.says!r} names one of: {allowed}")
        if self.normal and meaning is not None and meaning.reads != "date":
            raise ValueError(f"a column that says {self.says!r} has no dates")
        return self


class RowType(BaseModel):
    """What a row is whose level or type is given in some word: entity type, type of record set."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: str
    set: Literal["", "Fonds", "Series", "File", "Collection"] = ""

    @field_validator("type")
    @classmethod
    def _known(cls, value: str) -> str:
        return _row_type(value)

    @model_validator(mode="after")
    def _fits(self) -> RowType:
        if self.set and self.type != "RecordSet":
            raise ValueError(f"{self.type} is no record set, which is what `set` is of")
        return self


class Columns(BaseModel):
    """A column profile. `type` is that of rows of which no level or type tells otherwise.

    `identity` is part of the identity of each row, so that two lists may use the same identifiers;
    where it is empty, the name of the file is. An empty `delimiter` is found out.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    title: str = ""
    type: str
    identity: str = ""
    delimiter: Literal["", ",", ";", "\t", "|"] = ""
    language: str = ""
    types: dict[str, RowType] = Field(default_factory=dict)
    columns: tuple[Column, ...]

    @field_validator("type")
    @classmethod
    def _known(cls, value: str) -> str:
        return _row_type(value)

    @field_validator("language")
    @classmethod
    def _tag(cls, value: str) -> str:
        return _language(value)

    @field_validator("types")
    @classmethod
    def _types(cls, value: dict[str, RowType]) -> dict[str, RowType]:
        return {folded(word): row for word, row in value.items()}

    @field_validator("columns")
    @classmethod
    def _apart(cls, value: tuple[Column, ...]) -> tuple[Column, ...]:
        headings = [folded(heading) for column in value for heading in column.headings]
        twice = sorted({heading for heading in headings if headings.count(heading) > 1})
        if twice:
            raise ValueError(f"the heading {twice[0]!r} is declared twice")
        said = [column.says for column in value]
        if said.count(IDENTIFIER) != 1:
            raise ValueError(f"one column says {IDENTIFIER!r}; here {said.count(IDENTIFIER)} do")
        several = next((role for role in ROLES if said.count(role) > 1), "")
        if several:
            raise ValueError(f"only one column may say {several!r}")
        if LEVEL in said and TYPE in said:
            raise ValueError(f"only one of {LEVEL!r} and {TYPE!r} tells what a row is")
        return value

    @model_validator(mode="after")
    def _fits(self) -> Columns:
        types = {self.type, *(row.type for row in self.types.values())}
        for role in (PARENT, LEVEL):
            if not types <= RECORDS and any(column.says == role for column in self.columns):
                raise ValueError(f"only records have a {role}; here rows may be of other types")
        return self

    def column_of(self, heading: str) -> Column | None:
        """Return the column that is declared for a heading, or None."""
        told = folded(heading)
        return next(
            (one for one in self.columns if told in map(folded, one.headings)), None
        )  # fmt: skip

    @property
    def digest(self) -> str:
        """Names all that the profile says; another one reads a file otherwise."""
        return key_of("columns", self.model_dump_json(exclude={"name", "title"}))


def _language(value: str) -> str:
    if not _LANGUAGE.fullmatch(value):
        raise ValueError(f"{value!r} is no language tag; write one as 'en' or 'zh-Hant'")
    return value


def _row_type(value: str) -> str:
    if value not in _ALL:
        raise ValueError(f"no row is of type {value!r}; it is one of: {', '.join(sorted(_ALL))}")
    return value


# ---- files --------------------------------------------------------------------------------------


def load(name_or_path: str | Path) -> Columns:
    """Return a shipped column profile by its name, or that of a TOML file.

    Raises `Misconfigured` with file, key and reason.
    """
    path = Path(name_or_path)
    if path.suffix != ".toml":
        path = resources.folder("ingest") / "tables" / f"{name_or_path}.toml"
        if str(name_or_path) not in names():
            raise Misconfigured(
                f"There is no column profile {str(name_or_path)!r}.",
                hint=f"Known are: {', '.join(names())}; or name a file that ends with .toml.",
            )
    return tomlfile.load(path, Columns, name=path.stem)


def names() -> list[str]:
    """Return the names of the shipped column profiles, sorted."""
    return sorted(path.stem for path in (resources.folder("ingest") / "tables").glob("*.toml"))
