"""What later runs take from decisions: names that stand, wordings that were rejected (R82).

A lesson is a node of the graph `internal`, written with its decision and gone when that is undone.
That two things are not one is said by ``owl:differentFrom``; that they are, by ``kms:mergedInto``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.admission.doubt import REJECTED_BEFORE
from rdfkms.knowledge.nameforms import normal
from rdfkms.knowledge.nodes import Node
from rdfkms.model import Candidate, Claim, Kind
from rdfkms.ports import QuadReader
from rdfkms.vocab import KMS, OWL, PROV, TYPE, Base, key_of

NAME, REJECTED = "name", "rejected"
LONGEST_FORM = 200
SHORTEST_FORM = 3


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson: its kind, entity type or statement, form of words, language and decision."""

    kind: str
    name: str
    form: str
    language: str = ""
    decision: str = ""

    @property
    def key(self) -> str:
        """The key of the lesson's node: one for each thing that a decision teaches."""
        return key_of("lesson", self.kind, self.name, self.form, self.language, self.decision)


@dataclass(frozen=True, slots=True)
class Lessons:
    """All lessons of an archive, ready to be asked."""

    names: tuple[Lesson, ...] = ()
    rejected: frozenset[tuple[str, str]] = frozenset()

    def was_rejected(self, name: str, words: str) -> bool:
        """Return whether a reviewer rejected these words as such a thing or statement."""
        return (name, form_of(words)) in self.rejected


def heeded(candidate: Candidate, known: Lessons) -> Candidate:
    """Return the candidate noted as rejected before, where a reviewer rejected the like."""
    mention = candidate.kind is Kind.MENTION and candidate.subject is not None
    words = candidate.subject.surface if mention and candidate.subject else candidate.quote
    if not known.was_rejected(candidate.name, words):
        return candidate
    return replace(candidate, note=f"{candidate.note} {REJECTED_BEFORE}".strip())


def form_of(words: str) -> str:
    """Return the form under which words are remembered, empty where they are too short or long."""
    form = normal(words)
    return form if SHORTEST_FORM <= len(form) <= LONGEST_FORM else ""


def of_acceptance(claim: Claim) -> Lesson | None:
    """Return what an accepted mention teaches: this form names a thing of this type."""
    if claim.kind is not Kind.MENTION or claim.value is None:
        return None
    form = " ".join(claim.value.lexical.split())
    if not form_of(form) or len(form) > LONGEST_FORM:
        return None
    return Lesson(NAME, claim.name, form, claim.value.language)


def of_rejection(claim: Claim) -> Lesson | None:
    """Return what a rejection teaches: these words are no such thing or statement."""
    words = claim.value.lexical if claim.kind is Kind.MENTION and claim.value else ""
    form = form_of(words or (claim.pointers[0].quote if claim.pointers else ""))
    name = claim.name if claim.kind in (Kind.MENTION, Kind.EVENT) else claim.statement
    return Lesson(REJECTED, name, form) if form else None


def quads(lesson: Lesson, decision: str, base: Base) -> Iterator[Quad]:
    """Yield the quads of a lesson that a decision teaches."""
    lesson = replace(lesson, decision=decision)
    iri, graph = base.iri("lesson", lesson.key), base.internal
    yield Quad(iri, TYPE, KMS("Lesson"), graph)
    yield Quad(iri, KMS("lessonKind"), Literal(lesson.kind), graph)
    yield Quad(iri, KMS("lessonType"), Literal(lesson.name), graph)
    yield Quad(iri, KMS("lessonForm"), Literal(lesson.form), graph)
    if lesson.language:
        yield Quad(iri, KMS("language"), Literal(lesson.language), graph)
    yield Quad(iri, PROV("wasGeneratedBy"), base.iri("decision", decision), graph)


def forgotten(store: QuadReader, base: Base, lesson: Lesson) -> list[Quad]:
    """Return the quads of a lesson that no longer holds, since a later decision says otherwise.

    Of all decisions that taught it, each has its own node.
    """
    form, graph = Literal(lesson.form), base.internal
    found: list[Quad] = []
    for quad in store.match(None, KMS("lessonForm"), form, graph):
        if isinstance(quad.subject, NamedNode):
            known = _read(store, base, quad.subject)
            if replace(known, decision=lesson.decision) == lesson:
                found += store.match(quad.subject, None, None, graph)
    return found


def all_lessons(store: QuadReader, base: Base) -> list[Lesson]:
    """Return the lessons that hold now, sorted."""
    found = [
        _read(store, base, quad.subject)
        for quad in store.match(None, TYPE, KMS("Lesson"), base.internal)
        if isinstance(quad.subject, NamedNode)
    ]
    return sorted(found, key=lambda o: (o.kind, o.name, o.form, o.language, o.decision))


def _read(store: QuadReader, base: Base, iri: NamedNode) -> Lesson:
    node = Node(store, base, iri, (base.internal,))
    return Lesson(
        node.text("lessonKind"), node.text("lessonType"), node.text("lessonForm"),
        node.text("language"), node.key(PROV("wasGeneratedBy")),
    )  # fmt: skip


def load(store: QuadReader, base: Base) -> Lessons:
    """Return the lessons as a run needs them."""
    known = all_lessons(store, base)
    return Lessons(
        tuple({(o.name, o.form, o.language): o for o in known if o.kind == NAME}.values()),
        frozenset((lesson.name, lesson.form) for lesson in known if lesson.kind == REJECTED),
    )


def kept_apart(store: QuadReader, base: Base) -> list[tuple[str, str]]:
    """Return the pairs of things (paths) that people declared different, sorted."""
    pairs = []
    for quad in store.match(None, OWL("differentFrom"), None, base.internal):
        ends = [base.split(getattr(t, "value", "")) for t in (quad.subject, quad.object)]
        if ends[0] and ends[1]:
            pairs.append(("/".join(ends[0]), "/".join(ends[1])))
    return sorted(pairs)
