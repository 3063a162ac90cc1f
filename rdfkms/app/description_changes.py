"""What a changed description file would change, and how that is done: by identifier, with a trace.

A stretch that is word for word the same is the same evidence, and its statements stand. What the
new file says otherwise comes in as for any file; what it says no more is taken back, as a rollback
takes claims back, and can be looked up ever after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from pyoxigraph import Literal, NamedNode

from rdfkms import queries
from rdfkms.app.composition import App
from rdfkms.ingest.describing.passages import Section
from rdfkms.knowledge.declaring import declare
from rdfkms.model import Fault, Principal, Record, Ref, SourceFile, Thing
from rdfkms.review import rollback as rollbacks
from rdfkms.review.queue import Queue
from rdfkms.vocab import KMS, RICO

MOST_SHOWN = 200  # lines of a difference in the report of a run
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a difference: ``+`` comes or ``-`` goes, of which thing, which statement."""

    sign: str
    subject: str
    statement: str
    value: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What a changed file changes: how many statements stay, which come and which go.

    `gone` are the keys of the claims that the new file says no more.
    """

    kept: int
    added: int
    gone: tuple[str, ...]
    lines: tuple[Line, ...]

    def told(self) -> dict[str, Any]:
        """Return the difference for a report, its first lines only."""
        return {
            "kept": self.kept,
            "added": self.added,
            "removed": len(self.gone),
            "lines": [asdict(line) for line in self.lines[:MOST_SHOWN]],
        }


def is_changed(app: App, record: Record, source: SourceFile) -> bool:
    """Return whether the archive has the record from another version of its file."""
    store, base = app.ledger.store, app.base
    iri, copy = base.iri("record", record.key), RICO("hasOrHadDigitalInstantiation")
    digests = {
        quad.object.value
        for graph in (base.public, base.internal)
        for link in store.match(iri, copy, None, graph)
        if isinstance(link.object, NamedNode)
        for quad in store.match(link.object, KMS("sha256"), None, graph)
        if isinstance(quad.object, Literal)
    }
    return bool(digests) and source.sha256 not in digests


def difference(
    app: App, record: Record, sections: Iterable[Section], ref_of: Callable[[Thing], Ref]
) -> Difference:
    """Return what the sections of a changed file would change. Writes nothing."""
    standing = _standing(app, record)
    said: set[str] = set()
    lines: list[Line] = []
    for section in sections:
        for unit, stretch in zip(section.units, section.stretches, strict=True):
            for one in declare(stretch, unit, ref_of, app.mapping, "", ""):
                said.add(one.claim.key)
                if one.claim.key not in standing:
                    value = one.claim.value.lexical if one.claim.value else ""
                    other = one.claim.object.path if one.claim.object else ""
                    lines.append(
                        Line("+", one.claim.subject.path, one.claim.statement, _short(value, other))
                    )
    gone = tuple(sorted(set(standing) - said))
    added = len(lines)
    lines += [standing[key] for key in gone]
    lines.sort(key=lambda line: (line.subject, line.statement, line.sign == "+", line.value))
    return Difference(len(said & set(standing)), added, gone, tuple(lines))


def _standing(app: App, record: Record) -> dict[str, Line]:
    store, base = app.ledger.store, app.base
    found: dict[str, Line] = {}
    rows = store.select(
        queries.text("describing/standing"),
        {"record": base.iri("record", record.key)},
        [base.public, base.internal],
    )
    for row in rows:
        claim, subject = _path(app, row["claim"]), _path(app, row["subject"])
        concept = row["statement"]
        rule = app.mapping.by_concept(concept) if isinstance(concept, NamedNode) else None
        told = row.get("value")
        value = told.value if isinstance(told, Literal) else ""
        other = _path(app, row.get("object"))
        name = rule.name if rule is not None else ""
        found[claim.partition("/")[2]] = Line("-", subject, name, _short(value, other))
    return found


def _path(app: App, term: object) -> str:
    split = app.base.split(term.value) if isinstance(term, NamedNode) else None
    return "/".join(split) if split else ""


def _short(value: str, other: str) -> str:
    text = " ".join((value or other).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def take_back(app: App, source: SourceFile, found: Difference, principal: Principal) -> list[Fault]:
    """Take back what a changed file says no more; returns what stays because others built on it."""
    if not found.gone:
        return []
    plan = rollbacks.plan(app.ledger, found.gone)
    refused = {refusal.claim: refusal.reason.sentence for refusal in plan.refusals}
    if refused:
        left = [key for key in found.gone if key not in refused]
        plan = rollbacks.plan(app.ledger, left)
    if plan.withdrawn and not plan.refusals:
        revision = rollbacks.apply(app.ledger, plan, principal)
        touched = [claim.key for claim in (*plan.withdrawn, *plan.kept)]
        paths = [ref.path for ref in plan.entities]
        Queue(app.work).follow(touched, paths, app.ledger.store, app.base, revision)
    refused |= {refusal.claim: refusal.reason.sentence for refusal in plan.refusals}
    hint = (
        "Look at it under /page/claim/..., and take it back by hand: rdfkms rollback --claim KEY."
    )
    return [
        Fault(
            source.name, f"claim {key}", f"It stays, though the file says it no more: {why}", hint
        )
        for key, why in sorted(refused.items())
    ]
