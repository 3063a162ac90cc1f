"""Claims with their evidence, and what stands around them."""

from __future__ import annotations

from dataclasses import dataclass, field

from rdfkms.model.proposals import Kind, Reason, Value
from rdfkms.model.sources import Box
from rdfkms.model.words import Label, Rank, Status


@dataclass(frozen=True, slots=True)
class Ref:
    """A thing of this archive: ``{base}/id/{kind}/{key}``."""

    kind: str
    key: str

    @property
    def path(self) -> str:
        """``kind/key``, as in the IRI."""
        return f"{self.kind}/{self.key}"


@dataclass(frozen=True, slots=True)
class Pointer:
    """An evidence pointer (R41): ``unit_text.text[start:end] == quote`` to the code point."""

    unit: str
    unit_text: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement with its evidence. `statement` is a name of the mapping table.

    * mention:  statement "namedAs", value = the surface form, name = entity type.
    * event:    statement "triggeredBy", value = the trigger, name = event type, group set.
    * argument: statement = the role, subject = the event, group set.
    * others:   statement = the relation or attribute.
    """

    key: str
    kind: Kind
    statement: str
    subject: Ref
    pointers: tuple[Pointer, ...]
    object: Ref | None = None
    value: Value | None = None
    name: str = ""
    group: str | None = None
    confidence: float = 0.5
    label: Label | None = None
    status: Status = Status.ADMITTED
    rank: Rank = Rank.NORMAL
    reasons: tuple[Reason, ...] = ()
    runs: tuple[str, ...] = ()
    time: Value | None = None
    place: Ref | None = None
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """A pass over sources: key = key_of(inputs and settings), so that a resumed run keeps it."""

    key: str
    kind: str
    agent: str
    agent_version: str
    parameters: str
    pipeline_version: str
    started: str = ""

    @property
    def is_persons(self) -> bool:
        """Whether a person stated what stands under it, and no software."""
        return self.agent.startswith("person:")


@dataclass(frozen=True, slots=True)
class MergeProposal:
    """Two entities that may be one being; a person decides (R65). a < b as paths."""

    a: Ref
    b: Ref
    score: float
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A file or page that could not be read: which, where, why, and what to do."""

    source: str
    place: str
    reason: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """Everything needed to show one piece of evidence, resolved for a reader."""

    unit: str
    record: str
    record_title: str
    page: str
    page_label: str
    quote: str
    start: int
    end: int
    context: str
    fragment: str
    picture: str | None
    boxes: tuple[Box, ...] = field(default=())
