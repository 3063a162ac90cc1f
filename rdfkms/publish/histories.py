"""The pages of claims (their whole life) and of runs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode

from rdfkms.errors import NotFound
from rdfkms.ledger.journal import Entry
from rdfkms.ports import Row
from rdfkms.publish.views import (
    ClaimRow,
    Evidence,
    Link,
    Scope,
    claims_of,
    evidences,
    humanise,
    iri_of,
    key_in,
    local_name,
    names_of,
    statement_label,
    text_of,
)
from rdfkms.vocab import KMS, PROV


@dataclass(frozen=True, slots=True)
class Said:
    """A claim in words: subject, what is stated, value or object, and its evidence."""

    claim: ClaimRow
    label: str
    subject: Link
    object: Link | None
    place: Link | None
    value: str
    language: str
    evidences: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class RunView:
    """A run: what did it, how, and what came of it."""

    key: str
    iri: str
    kind: str
    agents: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    counts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the journal that touched a claim."""

    revision: int
    time: str
    kind: str
    role: str
    principal: str
    note: str
    effect: str


@dataclass(frozen=True, slots=True)
class ClaimView:
    """All that a claim page shows."""

    iri: str
    said: Said
    group: tuple[Said, ...]
    conflicts: tuple[Said, ...]
    runs: tuple[RunView, ...]


def claim(scope: Scope, key: str) -> ClaimView:
    """Return the view of a claim; `NotFound` where the reader's graphs do not hold it."""
    thing = scope.base.iri("claim", key)
    circle = scope.select("pages/claim_circle", this=thing)
    near = [iri.value for row in circle if (iri := iri_of(row["claim"])) is not None]
    said = said_of(scope, [local_name(iri) for iri in near])
    if key not in said:
        raise NotFound(
            f"There is no claim {key} here.",
            hint="It may be quarantined or withdrawn: what is not public is not shown.",
        )
    this = said[key].claim
    others = [one.claim for one in said.values() if one.claim.key != key]
    return ClaimView(
        iri=thing.value,
        said=said[key],
        group=tuple(said[c.key] for c in others if this.group and c.group == this.group),
        conflicts=tuple(
            said[c.key] for c in others if c.key in this.conflicts or key in c.conflicts
        ),
        runs=runs(scope, this.runs),
    )


def said_of(scope: Scope, keys: Iterable[str]) -> dict[str, Said]:
    """Return claims in words by key, those that the reader may see. Three queries."""
    rows = claims_of(scope, [scope.base.iri("claim", key) for key in dict.fromkeys(keys)])
    proofs = evidences(scope, [scope.base.iri("claim", c.key) for c in rows])
    named = {t for c in rows for t in (c.subject, c.object, c.place) if t is not None}
    links = names_of(scope, named)
    return {c.key: _said(scope, c, links, proofs) for c in rows}


def _said(
    scope: Scope, row: ClaimRow, links: dict[str, Link], proofs: dict[str, list[Evidence]]
) -> Said:
    def link(term: NamedNode | None) -> Link | None:
        return None if term is None else links.get(term.value)

    return Said(
        claim=row,
        label=statement_label(scope, row),
        subject=link(row.subject) or Link("", "", local_name(row.subject)),
        object=link(row.object),
        place=link(row.place),
        value=row.value.value if row.value is not None else "",
        language=(row.value.language or "") if row.value is not None else "",
        evidences=tuple(proofs.get(row.key, [])),
    )


def effect(entry: Entry, thing: NamedNode) -> str:
    """Return what a row of the journal did to a thing: written, changed, removed or nothing."""
    subject = f"{thing} ".encode()  # a row of N-Quads that starts with the claim
    added = _starts(entry.added, subject)
    removed = _starts(entry.removed, subject)
    return {(True, True): "changed", (True, False): "written", (False, True): "removed"}.get(
        (added, removed), ""
    )


def _starts(lines: bytes | None, subject: bytes) -> bool:
    return lines is not None and (lines.startswith(subject) or b"\n" + subject in lines)


def runs(scope: Scope, keys: Iterable[str]) -> tuple[RunView, ...]:
    """Return what is known of runs, in order of their keys. One query."""
    things = [scope.base.iri("run", key) for key in keys]
    return _run_views(scope, scope.select_of("pages/properties", "thing", things), "thing")


def all_runs(scope: Scope) -> tuple[RunView, ...]:
    """Return every run that the reader may see."""
    return _run_views(scope, scope.select("pages/runs"), "run")


def run(scope: Scope, key: str) -> RunView:
    """Return the view of one run with the counts of its claims; `NotFound`."""
    found = runs(scope, [key])
    if not found:
        raise NotFound(f"There is no run {key} here.")
    counts = scope.select("pages/run_counts", run=scope.base.iri("run", key))
    view = found[0]
    by_status = sorted((local_name(text_of(r["status"])), int(text_of(r["count"]))) for r in counts)
    return RunView(view.key, view.iri, view.kind, view.agents, view.facts, tuple(by_status))


def _run_views(scope: Scope, rows: Sequence[Row], name: str) -> tuple[RunView, ...]:
    properties: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in rows:
        p = iri_of(row["p"])
        if p is not None:
            called = " ".join(t for t in (text_of(row["called"]), text_of(row["version"])) if t)
            properties[text_of(row[name])].append((p.value, called or text_of(row["o"])))
    return tuple(_run_view(scope, iri, properties[iri]) for iri in sorted(properties))


def _run_view(scope: Scope, iri: str, properties: Sequence[tuple[str, str]]) -> RunView:
    agents, facts, kind = [], [], ""
    for predicate, value in sorted(properties):
        name = local_name(predicate)
        if predicate == PROV("wasAssociatedWith").value:
            agents.append(local_name(value) if "/id/" in value else value)
        elif predicate == KMS("runKind").value:
            kind = local_name(value)
        elif name == "type":
            continue
        elif name == "parameters":
            facts += _parameters(value)
        else:
            facts.append((humanise(name), local_name(value) if "/id/" in value else value))
    return RunView(key_in(scope, NamedNode(iri)), iri, kind, tuple(agents), tuple(facts))


def _parameters(text: str) -> list[tuple[str, str]]:
    """Return the parameters of a run one by one where they are a JSON object."""
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        return [("parameters", text)]
    return [(str(name), json.dumps(v, ensure_ascii=False)) for name, v in sorted(value.items())]
