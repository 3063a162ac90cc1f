"""What the API takes and gives, as pydantic models: the one source of validation and of OpenAPI."""

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


# ---- what is asked ------------------------------------------------------------------------------


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


# ---- what is given ------------------------------------------------------------------------------


class Reason(BaseModel):
    """Why a verdict fell."""

    code: str
    sentence: str


class Evidence(BaseModel):
    """A quote in its passage."""

    unit: str
    iri: str
    record: str
    record_title: str
    page_label: str
    quote: str
    before: str
    after: str
    start: int
    end: int


class Claim(BaseModel):
    """A claim in words with its evidence."""

    claim: str
    iri: str
    status: str
    rank: str
    label: str
    confidence: float
    sentence: str
    evidence: list[Evidence]


class Side(BaseModel):
    """One of two things that may be one."""

    thing: str
    iri: str
    name: str
    mentions: int
    claims: list[Claim]


class Proposed(BaseModel):
    """A candidate that became no claim."""

    candidate: str
    name: str
    subject: str
    object: str
    value: str
    quote: str
    raw: str
    note: str
    evidence: Evidence | None


class Item(BaseModel):
    """An item of the queue."""

    item: str
    kind: str
    state: str
    statement: str
    priority: float
    assignee: str
    second: str
    proposer: str
    sentence: str
    reasons: list[Reason]
    claims: list[Claim]
    things: list[Side]
    candidate: Proposed | None


class Items(BaseModel):
    """A page of the queue."""

    revision: int
    open: dict[str, int]
    total: int
    items: list[Item]


class Opinion(BaseModel):
    """What a person thinks of an item."""

    item: str
    principal: str
    action: str
    note: str
    time: str
    decision: str


class Decision(BaseModel):
    """A decision of a person."""

    decision: str
    kind: str
    by: str
    role: str
    time: str
    note: str
    claims: list[str]
    things: list[str]
    undoes: str
    undone_by: str
    revision: int


class FullItem(Item):
    """An item with its history, and what an act would take along."""

    revision: int
    opinions: list[Opinion]
    decisions: list[Decision]
    seen: str
    needs: list[str]
    dependents: list[str]


class Done(BaseModel):
    """What was decided; with `waiting`, that a second person must say the same."""

    revision: int
    decision: Decision | None = None
    waiting: bool = False
    item: str = ""


class Taken(BaseModel):
    """An item with who has it and what is thought of it."""

    revision: int
    item: str
    assignee: str = ""
    second: str = ""
    opinions: list[Opinion] = []


class Mention(BaseModel):
    """A mention of a thing."""

    claim: str
    status: str
    name: str
    unit: str
    quote: str


class Thing(BaseModel):
    """A thing with its mentions."""

    thing: str
    mentions: list[Mention]


class Decisions(BaseModel):
    """Decisions."""

    decisions: list[Decision]


class AgreementOf(BaseModel):
    """Two reviewers on the items that both judged."""

    one: str
    other: str
    items: int
    agreed: float
    kappa: float | None


class AgreementPairs(BaseModel):
    """How far reviewers agree."""

    pairs: list[AgreementOf]


class Lesson(BaseModel):
    """What later runs take from a decision."""

    kind: str
    name: str
    form: str
    language: str
    decision: str


class Lessons(BaseModel):
    """What was learnt."""

    lessons: list[Lesson]
    different: list[list[str]]


class Check(BaseModel):
    """One stage of the gate with its result."""

    stage: str
    result: str
    reasons: list[Reason]


class Proposal(BaseModel):
    """A candidate that became the claim, or said it again, with its first verdict."""

    key: str
    kind: str
    name: str
    quote: str
    start: int | None
    end: int | None
    confidence: float
    proposer: str
    note: str
    raw: str
    run: str
    verdict: str
    label: str
    checks: list[Check]


class RunOf(BaseModel):
    """A run that stands behind a claim."""

    run: str
    kind: str
    agents: list[str]
    facts: dict[str, str]


class Row(BaseModel):
    """A row of the journal that touched a claim."""

    revision: int
    time: str
    kind: str
    role: str
    by: str
    note: str
    effect: str


class Audit(BaseModel):
    """The whole life of a claim."""

    revision: int
    claim: Claim
    reasons: list[Reason]
    quotes_stand: bool
    proposals: list[Proposal]
    runs: list[RunOf]
    decisions: list[Decision]
    journal: list[Row]


class Fault(BaseModel):
    """A refusal: what, and what to do next."""

    status: int
    error: str
    hint: str
