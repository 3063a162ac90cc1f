"""Expert statements: what a person knows and states becomes evidence of that person (R108, R152).

The words are kept as a record of their own, with an evidence unit of modality expert_statement:
what is claimed by it can be told from what stands in a source. A contributor's statement is a
closed record and waits for a reviewer; a reviewer's own is open and may be admitted, unless two
persons are demanded (`gate.four_eyes`).
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rdfkms
from rdfkms.access import at_least
from rdfkms.admission.doubt import STATED_BY_EXPERT
from rdfkms.admission.screening import screen
from rdfkms.app import engines
from rdfkms.app.composition import App
from rdfkms.errors import BadInput, Conflict, Missing
from rdfkms.ingest import sniffing
from rdfkms.ingest.reading import ReadJob, read_source
from rdfkms.knowledge import triples
from rdfkms.knowledge.predicates import Predicates
from rdfkms.knowledge.triples import Triple
from rdfkms.ledger.work import now
from rdfkms.model import (
    Access,
    Candidate,
    EvidenceUnit,
    Kind,
    Modality,
    Principal,
    Reading,
    Record,
    Role,
    Run,
    SourceFile,
)
from rdfkms.pipeline.gone import gone
from rdfkms.pipeline.line import Line
from rdfkms.pipeline.proposing import Outcome, Screened, propose_and_screen
from rdfkms.vocab import key_of

Report = Callable[[str, int, int], None]
Arguments = Mapping[str, Any]
LONGEST = 8_000
MOST_TRIPLES = 50
PROFILE = "plain"
_PARTS = ("subject", "predicate", "object", "quote", "subject_type", "object_type")


def state(app: App, arguments: Arguments, principal: Principal, report: Report) -> dict[str, Any]:
    """Keep a statement as evidence of its author and judge what it says; returns what came of it.

    `text` in the language `language`, and `triples`: what it says, each with subject, predicate,
    object and the words of the text it stands in. Raises `BadInput`, or `Conflict` for what was
    stated before and is withdrawn or erased.
    """
    text = _text(arguments)
    language = str(arguments.get("language") or "en")
    given = _triples(arguments)
    free = at_least(principal, Role.REVIEWER) and not app.settings.gate.four_eyes
    main = Run(
        app.archive.persons_key("run", "statement", principal.id, text, repr(given)),
        "statement",
        "rdfkms",
        rdfkms.__version__,
        json.dumps({"triples": len(given)}),
        rdfkms.__version__,
    )
    line = Line(app.ledger, app.work, app.mapping, principal, main)
    with tempfile.TemporaryDirectory() as folder:
        job = _job(app, principal, text, language, Path(folder), is_open=free)
        _keep(app, job)
        app.work.begin_run(main)
        outcome = _outcome(app, job, given, principal, free=free)
        batch = key_of("batch", main.key, job.page_key)
        line.publish(job.record, outcome, batch)
    app.changed()
    rows = list(app.work.candidates(run=main.key))
    told = {
        "record": job.record.key,
        "units": [unit.key for unit in outcome.page.units],
        "revision": app.ledger.revision,
        "proposals": [
            {
                "claim": row.claim or "",
                "name": row.candidate.name,
                "quote": row.candidate.quote,
                "decision": str(row.verdict.decision),
                "reasons": [r.sentence for r in row.verdict.reasons],
            }
            for row in rows
        ],
    }
    app.work.end_run(main.key, "done", json.dumps({"ok": True, "record": job.record.key}))
    return told


def _job(
    app: App, principal: Principal, text: str, language: str, folder: Path, *, is_open: bool
) -> ReadJob:
    path = folder / "statement.txt"
    path.write_text(text, encoding="utf-8")
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    size = len(text.encode())
    source = SourceFile(sha256, f"statement-{principal.id}.txt", sniffing.TEXT, size)
    record = Record(
        key=key_of("record", "statement", principal.id, sha256),
        title=f"Statement of {principal.id}, {now()[:10]}",
        profile=PROFILE,
        language=language,
        access=Access() if is_open else Access("closed"),
        modality=Modality.EXPERT,
        files=(source,),
        pages=(),
    )
    return ReadJob(record, path, source, 1, "1", app.settings.reading)


def _keep(app: App, job: ReadJob) -> None:
    """Keep the words of a statement; raises `Conflict` where they were withdrawn or erased."""
    with app.ledger.frozen():
        refused = gone(
            app.ledger.store, app.base, job.source.name, "page 1",
            record=job.record.key, page=job.page_key, file=job.source.sha256,
        )  # fmt: skip
        if refused is not None:
            raise Conflict(f"This was stated before. {refused.reason}", hint=refused.hint)
        app.archive.keep(job.path)


def _outcome(
    app: App, job: ReadJob, given: list[Triple], principal: Principal, *, free: bool
) -> Outcome:
    """Return the passages of the statement with what rules and its author say they state."""
    read = read_source(job, _NeverAsked())
    page = replace(read, units=tuple(replace(u, modality=Modality.EXPERT) for u in read.units))
    found, seconds = propose_and_screen(
        page.units, page.versions, engines.deterministic, job.record, app.mapping
    )
    mine = [
        screen(one, unit, app.mapping)
        for unit in page.units
        for one in _said(app, unit, given, found, f"person:{principal.id}")
    ]
    screened = [*found, *mine]
    if not free:
        screened = [(_waiting(c) if v is None else c, v) for c, v in screened]
    return Outcome(page, tuple(screened), seconds)


class _NeverAsked:
    """Stands where a picture's engine would: a statement is text."""

    name = "none"
    version = ""

    def read(self, picture: NDArray[np.uint8], languages: str, layout: str) -> Reading:
        """Raise `Missing`: there is nothing to look at."""
        raise Missing("A statement has no picture to read.")


def _said(
    app: App,
    unit: EvidenceUnit,
    given: list[Triple],
    found: tuple[Screened, ...],
    proposer: str,
) -> Iterator[Candidate]:
    predicates = Predicates(app.settings.triples, app.indexes.embedder)
    types = {
        c.subject.surface: c.name
        for c, _ in found
        if c.kind is Kind.MENTION and c.subject is not None and c.unit == unit.key
    }
    for triple in given:
        if triple.quote in unit.raw.text:
            yield from triples.candidates(
                triple, unit, app.mapping, predicates, app.settings.triples, proposer,
                type_of=lambda words: types.get(words, ""), known=tuple(types),
            )  # fmt: skip


def _waiting(candidate: Candidate) -> Candidate:
    return replace(candidate, note=f"{candidate.note} {STATED_BY_EXPERT}".strip())


# ---- what is given ------------------------------------------------------------------------------


def _text(arguments: Arguments) -> str:
    text = arguments.get("text")
    if not isinstance(text, str) or not text.strip():
        raise BadInput("A statement needs a text: what do you know?")
    if len(text) > LONGEST:
        raise BadInput(f"A statement may have {LONGEST} characters; this has {len(text)}.")
    return text.strip() + "\n"


def _triples(arguments: Arguments) -> list[Triple]:
    given = arguments.get("triples") or []
    if not isinstance(given, list) or len(given) > MOST_TRIPLES:
        raise BadInput(f"'triples' must be a list of at most {MOST_TRIPLES}.")
    made = []
    for number, one in enumerate(given, 1):
        if not isinstance(one, dict) or not all(isinstance(v, str) for v in one.values()):
            raise BadInput(f"Triple {number} must be an object of texts.")
        missing = [part for part in _PARTS[:4] if not one.get(part)]
        if missing or set(one) - set(_PARTS):
            raise BadInput(f"Triple {number} needs subject, predicate, object and quote.")
        made.append(Triple(**one))
    return made
