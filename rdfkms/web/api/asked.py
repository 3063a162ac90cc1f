"""What the API takes, as pydantic models: the one source of validation and of OpenAPI."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Text = Annotated[str, Field(max_length=10_000)]
Short = Annotated[str, Field(max_length=300)]
Key = Annotated[str, Field(min_length=1, max_length=200)]
Note = Annotated[str, Field(max_length=2_000, description="Why; kept with the decision.")]
Seen = Annotated[
    str, Field(max_length=200, description="The state in which the reviewer saw the claim.")
]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Nothing(_Form):
    """No body."""


class ItemsQuery(_Form):
    """Filters of the queue."""

    kind: Literal["", "doubt", "conflict", "merge", "refused"] = ""
    state: Literal["open", "closed"] = "open"
    statement: Short = ""
    unit: Short = ""
    record: Short = ""
    proposer: Short = ""
    run: Short = ""
    assignee: Short = ""
    code: Short = ""
    limit: int = Field(50, ge=0, le=500)
    offset: int = Field(0, ge=0, le=1_000_000_000)


class DecisionsQuery(_Form):
    """Which decisions."""

    about: Short = ""
    limit: int = Field(50, ge=0, le=500)


class Accept(_Form):
    """Accept an item."""

    note: Note = ""
    seen: Seen = ""
    with_ends: bool = False


class Reject(_Form):
    """Reject or reopen an item."""

    note: Note = ""
    seen: Seen = ""
    with_dependents: bool = False


class Keep(_Form):
    """Leave an item as it is."""

    note: Note = ""


class Rank(_Form):
    """Rank a claim."""

    rank: Literal["preferred", "normal", "deprecated"]
    note: Note = ""
    seen: Seen = ""


class Edit(_Form):
    """Correct a claim; what is left out stays."""

    quote: Text | None = None
    start: int | None = Field(None, ge=0, le=1_000_000_000)
    name: Text | None = None
    subject: Text | None = None
    object: Text | None = None
    value: Text | None = None
    verbatim: Text | None = None
    with_dependents: bool = False
    note: Note = ""
    seen: Seen = ""


class Batch(_Form):
    """One act on all open items that the filters choose."""

    act: Literal["accept", "reject", "keep"]
    kind: Literal["", "doubt", "conflict", "merge", "refused"] = ""
    statement: Short = ""
    unit: Short = ""
    record: Short = ""
    proposer: Short = ""
    run: Short = ""
    assignee: Short = ""
    code: Short = ""
    dry_run: bool = False
    with_ends: bool = False
    with_dependents: bool = False
    note: Note = ""


class Assign(_Form):
    """Give an item to a person, or to nobody."""

    to: Annotated[str, Field(max_length=200)] = ""


class Second(_Form):
    """Ask for a second opinion."""

    opinion: Literal["", "accept", "reject", "edit", "merge", "differ", "unsure"] = ""
    note: Note = ""


class Opine(_Form):
    """Give an opinion."""

    opinion: Literal["accept", "reject", "edit", "merge", "differ", "unsure"]
    note: Note = ""


class Pair(_Form):
    """Two things, as ``person/KEY``."""

    one: Key
    other: Key
    note: Note = ""


class Split(_Form):
    """Mentions of a thing that are of another."""

    thing: Key
    mentions: list[Key] = Field(min_length=1, max_length=1_000)
    note: Note = ""


class Triple(_Form):
    """What a statement says, with the words of it that say so."""

    subject: Key
    predicate: Key
    object: Key
    quote: Annotated[str, Field(min_length=1, max_length=8_000)]
    subject_type: Annotated[str, Field(max_length=60)] = ""
    object_type: Annotated[str, Field(max_length=60)] = ""


class Statement(_Form):
    """What a person knows and states."""

    text: Annotated[str, Field(min_length=1, max_length=8_000)]
    language: Annotated[str, Field(min_length=2, max_length=12, pattern="^[A-Za-z-]+$")] = "en"
    triples: list[Triple] = Field(default=[], max_length=50)


class Amendment(_Form):
    """What an archivist writes into a field of a description."""

    field: Annotated[str, Field(min_length=1, max_length=100, description="As scopeAndContent.")]
    value: Annotated[str, Field(max_length=20_000)] = ""
    edtf: Annotated[str, Field(max_length=100, description="What a date means.")] = ""
    language: Annotated[str, Field(max_length=35, description="BCP 47.")] = ""
    object: Annotated[
        str, Field(max_length=300, description="Where a link leads: kind/KEY, IRI or name.")
    ] = ""
    replaces: Annotated[str, Field(max_length=200, description="Key of a claim.")] = ""
    note: Note = ""
    seen: Seen = ""


class Removal(_Form):
    """A value (claim) that is to go."""

    claim: Key
    note: Note = ""
    seen: Seen = ""
