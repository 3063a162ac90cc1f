"""What the API gives, as pydantic models for its OpenAPI document."""

from __future__ import annotations

from pydantic import BaseModel


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


class FieldValue(BaseModel):
    """What stands or waits in a field; `seen` goes with what is done to it."""

    claim: str
    status: str
    rank: str
    value: str
    edtf: str
    language: str
    object: str
    object_name: str
    record: str
    record_title: str
    amended: bool
    seen: str


class DescribedField(BaseModel):
    """A field with the first of its values; `seen` goes with what is added to it."""

    field: str
    label: str
    theme: str
    holds: str
    leads_to: list[str]
    seen: str
    total: int
    values: list[FieldValue]


class Description(BaseModel):
    """The fields of a thing; amendments are kept with `record`."""

    revision: int
    thing: str
    name: str
    record: str
    record_title: str
    fields: list[DescribedField]


class Amended(BaseModel):
    """What was done to a description: the decision, and the claim with its status."""

    revision: int
    decision: Decision
    claim: str
    status: str


class Taken(BaseModel):
    """An item with who has it and what is thought of it."""

    revision: int
    item: str
    assignee: str = ""
    second: str = ""
    opinions: list[Opinion] = []


class BatchDone(BaseModel):
    """What became of the items of a batch."""

    revision: int
    dry_run: bool
    items: list[str]
    done: list[dict[str, str]]
    refused: list[dict[str, str]]


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


class Outcome(BaseModel):
    """One proposal of a statement, and what became of it."""

    claim: str
    name: str
    quote: str
    decision: str
    reasons: list[str]


class Stated(BaseModel):
    """A statement that was kept."""

    revision: int
    record: str
    units: list[str]
    proposals: list[Outcome]


class Fault(BaseModel):
    """A refusal: what, and what to do next."""

    status: int
    error: str
    hint: str


class ProposedClaim(BaseModel):
    """What the gate said of one candidate."""

    claim: str
    kind: str
    name: str
    quote: str
    decision: str
    known: bool
    reasons: list[Reason]


class Judged(BaseModel):
    """What came of an RDF document."""

    run: str
    revision: int
    claims: int
    proposals: list[ProposedClaim]


class Breach(BaseModel):
    """One place of RDF that breaks the shape."""

    focus: str
    path: str
    message: str
    value: str


class Unfit(BaseModel):
    """Why RDF was not looked at: the SHACL report in Turtle, and its results."""

    status: int
    error: str
    hint: str
    report: str
    results: list[Breach]
