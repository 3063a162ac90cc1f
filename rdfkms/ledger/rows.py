"""The rows of `work.sqlite` as values, their tables, and their JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rdfkms.model import (
    Anchor,
    Candidate,
    Decision,
    Kind,
    Label,
    MergeProposal,
    Reason,
    Ref,
    Run,
    Value,
    Verdict,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

SCHEMA = """
CREATE TABLE IF NOT EXISTS run(
  key TEXT PRIMARY KEY, data TEXT NOT NULL, status TEXT NOT NULL, ended TEXT NOT NULL,
  report TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS batch(
  key TEXT PRIMARY KEY, run TEXT NOT NULL, state TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS batch_run ON batch(run);
CREATE TABLE IF NOT EXISTS candidate(
  key TEXT PRIMARY KEY, run TEXT NOT NULL, batch TEXT NOT NULL, unit TEXT NOT NULL,
  kind TEXT NOT NULL, name TEXT NOT NULL, decision TEXT NOT NULL, stage TEXT NOT NULL,
  label TEXT NOT NULL, reasons TEXT NOT NULL, claim TEXT, data TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS candidate_batch ON candidate(batch);
CREATE INDEX IF NOT EXISTS candidate_run ON candidate(run);
CREATE INDEX IF NOT EXISTS candidate_unit ON candidate(unit);
CREATE INDEX IF NOT EXISTS candidate_claim ON candidate(claim);
CREATE INDEX IF NOT EXISTS candidate_decision ON candidate(decision);
CREATE TABLE IF NOT EXISTS merge(
  a TEXT NOT NULL, b TEXT NOT NULL, score REAL NOT NULL, reasons TEXT NOT NULL,
  batch TEXT NOT NULL, state TEXT NOT NULL, principal TEXT NOT NULL, decided TEXT NOT NULL,
  PRIMARY KEY (a, b));
CREATE INDEX IF NOT EXISTS merge_batch ON merge(batch);
CREATE TABLE IF NOT EXISTS fault(
  run TEXT NOT NULL, batch TEXT NOT NULL, source TEXT NOT NULL, place TEXT NOT NULL,
  reason TEXT NOT NULL, hint TEXT NOT NULL, PRIMARY KEY (run, batch, source, place, reason));
CREATE TABLE IF NOT EXISTS call(key TEXT PRIMARY KEY, response TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS usage(
  run TEXT NOT NULL, unit TEXT NOT NULL, call TEXT NOT NULL, record TEXT NOT NULL,
  purpose TEXT NOT NULL, model TEXT NOT NULL, tokens_in INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL, seconds REAL NOT NULL, cached INTEGER NOT NULL, cost REAL NOT NULL,
  PRIMARY KEY (run, unit, call));
CREATE INDEX IF NOT EXISTS usage_record ON usage(record);
CREATE TABLE IF NOT EXISTS token(
  id TEXT PRIMARY KEY, role TEXT NOT NULL, hash TEXT NOT NULL, created TEXT NOT NULL,
  revoked TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS task(
  item TEXT PRIMARY KEY, kind TEXT NOT NULL, statement TEXT NOT NULL, things TEXT NOT NULL,
  unit TEXT NOT NULL,
  record TEXT NOT NULL, proposer TEXT NOT NULL, run TEXT NOT NULL, codes TEXT NOT NULL,
  priority REAL NOT NULL, state TEXT NOT NULL, assignee TEXT NOT NULL, second TEXT NOT NULL,
  decision TEXT NOT NULL, updated TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS task_open ON task(state, priority DESC, item);
CREATE INDEX IF NOT EXISTS task_unit ON task(unit);
CREATE TABLE IF NOT EXISTS opinion(
  item TEXT NOT NULL, principal TEXT NOT NULL, action TEXT NOT NULL, note TEXT NOT NULL,
  time TEXT NOT NULL, decision TEXT NOT NULL, PRIMARY KEY (item, principal));
CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A candidate with its first verdict and the key of the claim it became, if any."""

    candidate: Candidate
    verdict: Verdict
    claim: str | None
    run: str
    batch: str


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run, its status ("running", "done", "failed" ...), when it ended, its report as JSON."""

    run: Run
    status: str
    ended: str
    report: str


@dataclass(frozen=True, slots=True)
class MergeRow:
    """A merge proposal, its state ("open", "accepted", "refused"), and who decided when."""

    proposal: MergeProposal
    batch: str
    state: str
    principal: str
    decided: str


def dump(value: DataclassInstance) -> str:
    """Return a frozen value of the model as JSON."""
    return json.dumps(asdict(value), ensure_ascii=False)


def dump_reasons(reasons: tuple[Reason, ...]) -> str:
    """Return reasons as a JSON list of [code, sentence]."""
    return json.dumps([[r.code, r.sentence] for r in reasons], ensure_ascii=False)


def load_reasons(text: str) -> tuple[Reason, ...]:
    """Return what `dump_reasons` wrote."""
    return tuple(Reason(code, sentence) for code, sentence in json.loads(text))


def load_run(text: str) -> Run:
    """Return the run that `dump` wrote."""
    return Run(**json.loads(text))


def load_candidate(text: str) -> Candidate:
    """Return the candidate that `dump` wrote."""
    data: dict[str, Any] = json.loads(text)
    data["kind"] = Kind(data["kind"])
    for name in ("subject", "object", "cue", "place"):
        data[name] = Anchor(**data[name]) if data[name] else None
    for name in ("value", "time"):
        data[name] = Value(**data[name]) if data[name] else None
    return Candidate(**data)


def load_verdict(decision: str, stage: str, label: str, reasons: str) -> Verdict:
    """Return the verdict of a row's columns."""
    found = Label(label) if label else None
    return Verdict(Decision(decision), stage, load_reasons(reasons), found)


def load_ref(path: str) -> Ref:
    """Return the thing that ``kind/key`` names."""
    kind, _, key = path.partition("/")
    return Ref(kind, key)
