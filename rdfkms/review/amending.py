"""Amend: an archivist edits a description, field by field; the words are evidence of their own.

A value is added, replaced or taken out, a link to another thing set. The new statement rests on the
words that were written (`amended`), in the description that speaks of the thing, and passes the
gate of descriptions. What it replaces is superseded, never changed. Every edit is a decision:
journaled with who, when and why, and undone like any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pyoxigraph import Quad

from rdfkms.access import demand, is_open, today
from rdfkms.admission import overruling
from rdfkms.admission.declared import judge_declared
from rdfkms.admission.judged import Judged
from rdfkms.admission.reasons import quoted, reason
from rdfkms.errors import BadInput, Conflict, NotFound
from rdfkms.ingest.describing import dates, languages
from rdfkms.knowledge import decoding
from rdfkms.knowledge.declaring import Declared, Declaring
from rdfkms.knowledge.encoding import ref_iri
from rdfkms.knowledge.mapping import StatementRule
from rdfkms.knowledge.names import Names
from rdfkms.knowledge.proposers.candidates import keyed
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.ledger.overlay import Overlaid
from rdfkms.model import (
    Candidate,
    Claim,
    EvidenceUnit,
    Kind,
    Principal,
    Record,
    Ref,
    Role,
    Statement,
    Status,
    Stretch,
    Thing,
    Value,
    Verdict,
)
from rdfkms.model import Decision as Verdicts
from rdfkms.review import acts, amended, decisions, edits, fields
from rdfkms.review.amended import Words
from rdfkms.review.decisions import Decision, Desk, Draft
from rdfkms.review.rewriting import rewritten
from rdfkms.vocab import TYPE

LONGEST = 20_000  # characters of a value
WHAT = "edit descriptions"
_LIVE = (Status.ADMITTED, Status.QUARANTINED)
_IRI = "anyURI"
_IN_NO_LANGUAGE = ("description/identifier", "description/level")


@dataclass(frozen=True, slots=True)
class Amendment:
    """What an archivist writes into a field of a thing.

    `statement` is the field; `value` the words, `edtf` what they mean where they are a date,
    `language` their BCP 47 tag, `object` the thing to which a link leads. `replaces` is the key of
    the claim that the new one takes the place of; without it, a value is added.
    """

    statement: str
    value: str = ""
    edtf: str = ""
    language: str = ""
    object: Ref | None = None
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class _Said:
    """An amendment as it is to be stated: in which record, of what, in which words."""

    rule: StatementRule
    record: Record
    subject: Ref
    words: str
    value: Value | None
    object: Ref | None
    old: Claim | None

    @property
    def is_open(self) -> bool:
        """Whether anyone may read the description."""
        return is_open(self.record.access)


def amend(
    desk: Desk,
    ref: Ref,
    amendment: Amendment,
    principal: Principal,
    *,
    note: str = "",
    seen: str = "",
) -> Decision:
    """Write an amendment of a described thing; returns the decision, whose first claim is new.

    `seen` is the state in which the value that is replaced, or the field, was seen. Where two
    persons are demanded (`gate.four_eyes`) the new claim waits for the second, and what it is to
    replace stands until then. Raises `Denied` below reviewer, `NotFound` for a thing that no
    description speaks of, `BadInput` for words that say nothing new or do not fit the field,
    `Conflict` where somebody changed it meanwhile or the gate refuses.
    """
    demand(principal, Role.REVIEWER, WHAT)
    with desk.ledger.frozen():
        said = _said(desk, ref, amendment, seen)
        language = said.value.language if said.value is not None else ""
        words = Words(said.record, said.subject, said.rule.name, said.words, language)
        found = amended.evidence(desk, words)
        judged, new = _judged(desk, said, found.unit, principal)
        waits = new.status is not Status.ADMITTED
        graph = desk.base.public if said.is_open and not waits else desk.base.internal
        kept = amended.keep(desk, words, found)
        add = [Quad(t.subject, t.predicate, t.object, graph) for t in kept]
        remove: list[Quad] = []
        if not found.is_new and not waits:
            remove, shown = amended.brought_to_light(desk, new)
            add += shown
        old = (acts.superseded(said.old),) if said.old is not None and not waits else ()
        draft = Draft(
            "amend",
            (new, *old),
            rows=(judged,),
            add=(*add, *edits.provenance(desk, new, said.old, principal)),
            remove=tuple(remove),
            note=note,
        )
        return decisions.write(desk, draft, principal)


def remove(
    desk: Desk, ref: Ref, key: str, principal: Principal, *, note: str = "", seen: str = ""
) -> Decision:
    """Take a value out of a description; returns the decision. The claim is rejected, not gone.

    Raises what `amend` raises, and `Conflict` for the only name of a thing.
    """
    demand(principal, Role.REVIEWER, WHAT)
    with desk.ledger.frozen():
        claim = _standing(desk, fields.known_thing(desk, ref), key, seen)
        if claim.kind is Kind.MENTION and not _other_names(desk, claim):
            raise Conflict(
                f"This is the only name of {claim.subject.path}.", hint="Replace it instead."
            )
        return acts.reject(desk, claim.key, principal, note=note, teaches=False)


def _other_names(desk: Desk, claim: Claim) -> list[Claim]:
    gate = desk.gate(desk.ledger.store, is_open=desk.is_open(claim))
    known = gate.known.about(claim.subject, NAMED_AS)
    return [one for one in known if one.key != claim.key]


# ---- what is to be stated -----------------------------------------------------------------------


def _said(desk: Desk, ref: Ref, amendment: Amendment, seen: str) -> _Said:
    head = fields.known_thing(desk, ref)
    rule = fields.rule_of(desk, head, amendment.statement)
    field = fields.field_of(desk, head, rule)
    old = _standing(desk, head, amendment.replaces, seen) if amendment.replaces else None
    if old is not None and old.statement != rule.name:
        raise BadInput(f"Claim {old.key} is no value of the field {rule.name}.")
    if old is None and seen and seen != field.seen:
        raise Conflict(
            f"Somebody changed the field {rule.name} of {head.path} meanwhile.",
            hint="Look at it again; nothing was changed.",
        )
    record = decoding.record(desk.ledger.store, desk.base, _record(desk, head, old))
    subject = old.subject if old is not None else head
    target = _target(desk, rule, amendment.object, is_open(record.access))
    language = _language(amendment.language, rule, old, record)
    if rule.claim_kind is Kind.MENTION:  # a name is one line
        amendment = replace(amendment, value=" ".join(amendment.value.split()))
    value = None if rule.literal is None else _value(rule, amendment, language, old)
    words = _words(desk, amendment, value, target, is_open(record.access))
    said = _Said(rule, record, subject, words, value, target, old)
    _demand_news(said, field.claims)
    return said


def _standing(desk: Desk, head: Ref, key: str, seen: str) -> Claim:
    """Return a claim that may be replaced or taken out; raises `Conflict`, `BadInput`."""
    claim = desk.claim(key.rpartition("/")[2])
    acts.demand_state(desk, claim, seen)
    if claim.subject not in fields.members(desk, head):
        raise BadInput(f"Claim {claim.key} says nothing of {head.path}.")
    if claim.status not in _LIVE:
        raise Conflict(
            f"Claim {claim.key} is {claim.status}; it stands no more.", hint="Look at it again."
        )
    if not fields.rests(desk, claim.key):
        raise Conflict(
            f"Claim {claim.key} was read in a document, not in a description.",
            hint=f"Correct it in review: rdfkms review edit {claim.key}",
        )
    return claim


def _record(desk: Desk, head: Ref, old: Claim | None) -> str:
    record = fields.rests(desk, old.key) if old is not None else fields.home(desk, head)
    if not record:
        raise NotFound(
            f"No description names {head.path}.",
            hint="State it as an expert: rdfkms state.",
        )
    return record


def _target(desk: Desk, rule: StatementRule, object_: Ref | None, open_: bool) -> Ref | None:
    """Return the thing that a link leads to; raises `BadInput`, `NotFound`."""
    if rule.literal is not None:
        if object_ is not None:
            raise BadInput(f"{rule.name} holds words, not a link.", hint="Give a value.")
        return None
    if rule.claim_kind is Kind.MENTION:
        return None
    if object_ is None:
        raise BadInput(f"{rule.name} leads to a thing of the archive.", hint="Name it (object).")
    target = fields.known_thing(desk, object_)
    type_ = fields.type_of(desk, target)
    if type_ not in rule.range:
        raise BadInput(
            f"{rule.name} does not lead to a {type_}.", hint=f"Possible: {', '.join(rule.range)}."
        )
    if not _is_named(desk, target, open_):
        raise NotFound(
            f"There is no thing {target.path} that this description may name.",
            hint="An open description names nothing that only closed sources know.",
        )
    return target


def _is_named(desk: Desk, ref: Ref, open_: bool) -> bool:
    iri, cls = ref_iri(ref, desk.base), desk.mapping.by_kind(ref.kind)
    graphs = (desk.base.public,) if open_ else (desk.base.public, desk.base.internal)
    known = cls is not None and any(
        desk.ledger.store.contains(Quad(iri, TYPE, cls.cls, graph)) for graph in graphs
    )
    return known


def _words(
    desk: Desk, amendment: Amendment, value: Value | None, target: Ref | None, open_: bool
) -> str:
    """Return what is written, to the letter: the words, a date, or the name of what is linked.

    What a date means stands below its words, where these alone do not tell it.
    """
    text = amendment.value.replace("\r\n", "\n").strip()
    if value is not None and value.datatype == "edtf" and value.lexical != dates.span(text):
        text = f"{text}\n{value.lexical}".strip()
    if not text and target is not None:
        gate = desk.gate(desk.ledger.store, is_open=open_)
        known = gate.known.about(target, NAMED_AS)
        text = next((one.value.lexical for one in known if one.value is not None), target.path)
    if not text:
        raise BadInput("There is nothing written.", hint="To take a value out, remove it.")
    if len(text) > LONGEST:
        raise BadInput(f"A value may have {LONGEST} characters; this has {len(text)}.")
    if any(not (c.isprintable() or c in "\n\t") for c in text):
        raise BadInput("The value holds characters that no text file may hold.")
    return text


def _language(given: str, rule: StatementRule, old: Claim | None, record: Record) -> str:
    if given.strip():
        tag = languages.tag(given)
        if not tag:
            raise BadInput(f"{given[:40]!r} is no code of a language.", hint="As en, de, zh-Hant.")
        return tag
    if old is not None and old.value is not None:
        return old.value.language
    return "" if rule.name in _IN_NO_LANGUAGE else languages.tag(record.language)


def _value(rule: StatementRule, amendment: Amendment, language: str, old: Claim | None) -> Value:
    """Return the value of a field that holds words; the gate tells whether it fits."""
    text = amendment.value.replace("\r\n", "\n").strip()
    if amendment.edtf.strip() and rule.literal != "edtf":
        raise BadInput(f"{rule.name} is no date.", hint="Leave EDTF out.")
    if rule.literal == "edtf":
        known = old.value if old is not None else None
        same = known is not None and known.datatype == "edtf" and text == known.verbatim
        meant = known.lexical if known is not None and same else ""
        return _date(text, amendment.edtf.strip() or meant, language)
    if rule.literal == _IRI and ":" not in text:
        return languages.thing(text) or Value(text, _IRI)
    return Value(text, rule.literal or "string", language if rule.literal == "string" else "")


def _date(words: str, normal: str, language: str) -> Value:
    """Return a date with its words; one that no rule understands stays words, as readers do."""
    edtf = (dates.edtf(normal) or normal) if normal else dates.edtf(words) or dates.span(words)
    if not edtf:
        return Value(words, "string", language)
    return Value(edtf, "edtf", language if words else "", words)


def _demand_news(said: _Said, standing: Iterable[Claim]) -> None:
    """Raise `BadInput` for what stands in the field already."""
    for claim in standing:
        if (claim.object, _plain(claim.value)) == (said.object, _plain(said.value)):
            own = said.old is not None and claim.key == said.old.key
            raise BadInput(
                "This says what stands there already."
                if own
                else f"The field says this already: claim {claim.key}.",
                hint="Nothing was changed.",
            )


def _plain(value: Value | None) -> Value | None:
    if value is None:
        return None
    return replace(value, verbatim=value.verbatim if value.verbatim != value.lexical else "")


# ---- the same gate ------------------------------------------------------------------------------


def _judged(
    desk: Desk, said: _Said, unit: EvidenceUnit, principal: Principal
) -> tuple[Judged, Claim]:
    """Return the verdict on an amendment, and its claim; raises `Conflict` with the reasons."""
    store, base, old = desk.ledger.store, desk.base, said.old
    gone, come = (
        rewritten(store, base, desk.mapping, acts.superseded(old), public=False)
        if old is not None
        else ([], [])
    )
    gate = desk.gate(Overlaid(store, gone, come), is_open=said.is_open)
    declared = _declared(desk, said, unit, principal)
    (judged,) = judge_declared([(declared, unit)], gate, Names(), (), trusted=True)
    claim = judged.claim
    if claim is None or claim.status is not Status.ADMITTED:
        raise edits.refused(judged.verdict.reasons)
    if gate.settings.four_eyes:
        waits = reason("secondPerson", what=quoted(said.words))
        held = replace(claim, status=Status.QUARANTINED, reasons=(waits,), conflicts=())
        verdict = Verdict(Verdicts.QUARANTINED, "review", (waits,), judged.verdict.label)
        return Judged(judged.candidate, held, verdict), held
    taken = overruling.accepted(claim, unit, gate, today().isoformat())
    taken = taken if old is None else replace(taken, rank=old.rank)
    given = Verdict(Verdicts.ADMITTED, "review", taken.reasons, judged.verdict.label)
    return Judged(judged.candidate, taken, given), taken


def _declared(desk: Desk, said: _Said, unit: EvidenceUnit, principal: Principal) -> Declared:
    """Return the statement as descriptions make them, quoting the whole of the words."""
    subject = _thing(desk, said.subject)
    target = None if said.object is None else _thing(desk, said.object)
    whole = unit.raw.text
    statement = Statement(said.rule.name, subject, 0, len(whole), value=said.value, object=target)
    stretch = Stretch(subject, "", 1, 0, whole, whole, "", (statement,))
    declaring = Declaring(
        lambda thing: Ref(*thing.identity), desk.mapping, f"person:{principal.id}",
        edits.run_of(desk, principal.id), lambda key: _is_known(desk, key),
    )  # fmt: skip
    (declared,) = declaring.declare(stretch, unit)
    return replace(declared, candidate=_once(declared.candidate, declared.claim))


def _once(candidate: Candidate, claim: Claim) -> Candidate:
    """Return the candidate as one of its own, also where the same was written before."""
    return keyed(replace(candidate, raw=f"{candidate.raw} claim/{claim.key}"))


def _is_known(desk: Desk, key: str) -> bool:
    return bool(decoding.claims(desk.ledger.store, desk.base, [key]))


def _thing(desk: Desk, ref: Ref) -> Thing:
    return Thing(fields.type_of(desk, ref), (ref.kind, ref.key))
