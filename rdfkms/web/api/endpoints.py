"""The table of endpoints: method, path, operation, what is asked and what is given."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import BaseModel

from rdfkms.knowledge.incoming import FORMATS
from rdfkms.web.api import asked, given

PREFIX = "/api/v1"
ITEM = "/review/items/<kind>/<key>"
DESCRIBED = "/descriptions/<kind>/<key>"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One endpoint. `joins` says which operation argument the path's kind and key make up."""

    method: str
    path: str
    operation: str
    summary: str
    gives: type[BaseModel]
    takes: type[BaseModel] = asked.Nothing  # the query of a GET, the JSON body of a POST
    joins: str = ""
    role: str = "reviewer"
    public: bool = False
    consumes: tuple[str, ...] = ()  # media types of RDF that are taken instead of JSON
    tags: tuple[str, ...] = field(default=("review",))

    @property
    def name(self) -> str:
        """A name for routes and for OpenAPI's operationId."""
        return self.operation


def _act(name: str, summary: str, takes: type[BaseModel], **more: str) -> Endpoint:
    role = more.get("role", "reviewer")
    gives = given.Taken if name in ("assign", "second", "opine") else given.Done
    path = f"{ITEM}/{name}"
    return Endpoint("POST", path, f"review_{name}", summary, gives, takes, "item", role)


ENDPOINTS = (
    Endpoint(
        "GET", "/claims/<key>/audit", "claim_audit", "The whole life of a claim",
        given.Audit, joins="claim", role="reader", public=True, tags=("claims",),
    ),
    Endpoint(
        "POST", "/statements", "state", "State what is in no source, as evidence of its author",
        given.Stated, asked.Statement, role="contributor", tags=("statements",),
    ),
    Endpoint(
        "POST", "/claims", "propose", "Propose claims as RDF; the gate decides on each",
        given.Judged, role="contributor", consumes=tuple(FORMATS), tags=("claims",),
    ),
    Endpoint(
        "GET", DESCRIBED, "amend_fields", "The fields of a description, with what stands in them",
        given.Description, joins="thing", role="contributor", tags=("descriptions",),
    ),
    Endpoint(
        "POST", f"{DESCRIBED}/amendments", "amend", "Add a value to a field, or replace one",
        given.Amended, asked.Amendment, "thing", tags=("descriptions",),
    ),
    Endpoint(
        "POST", f"{DESCRIBED}/removals", "amend_remove", "Take a value out of a description",
        given.Amended, asked.Removal, "thing", tags=("descriptions",),
    ),
    Endpoint(
        "GET", "/review/items", "review_list", "The queue, those of most worth first",
        given.Items, asked.ItemsQuery, role="contributor",
    ),
    Endpoint(
        "GET", ITEM, "review_show", "One item: evidence, reasons, history, what an act takes along",
        given.FullItem, joins="item", role="contributor",
    ),
    _act("accept", "Admit the claim, or merge the two things", asked.Accept),
    _act("reject", "Reject the claim, the merge or the proposal", asked.Reject),
    _act("reopen", "Send a decided claim back to review", asked.Reject),
    _act("keep", "Leave a conflict side by side, or dismiss a proposal", asked.Keep),
    _act("rank", "Rank an admitted claim", asked.Rank),
    _act("edit", "Replace by a corrected statement, which passes the same gate", asked.Edit),
    _act("assign", "Give the item to a person, or to nobody", asked.Assign, role="contributor"),
    _act("second", "Ask for a second opinion", asked.Second, role="contributor"),
    _act("opine", "Give an opinion without deciding", asked.Opine),
    Endpoint(
        "GET", "/review/things/<kind>/<key>", "review_thing", "The mentions of a thing",
        given.Thing, joins="thing", role="contributor",
    ),
    Endpoint(
        "POST", "/review/merges", "review_merge", "Make two things one", given.Done, asked.Pair
    ),
    Endpoint(
        "POST", "/review/differences", "review_differ", "Declare two things different",
        given.Done, asked.Pair,
    ),
    Endpoint(
        "POST", "/review/splits", "review_split", "Give mentions of a thing to a new one",
        given.Done, asked.Split,
    ),
    Endpoint(
        "POST", "/review/batches", "review_batch", "One act on all open items that are alike",
        given.BatchDone, asked.Batch,
    ),
    Endpoint(
        "GET", "/review/decisions", "review_decisions", "Decisions, the newest first",
        given.Decisions, asked.DecisionsQuery, role="contributor",
    ),
    Endpoint(
        "POST", "/review/decisions/<key>/undo", "review_undo", "Take back a decision, exactly",
        given.Done, asked.Keep, "decision",
    ),
    Endpoint(
        "GET", "/review/agreement", "review_agreement", "How far reviewers agree (Cohen's kappa)",
        given.AgreementPairs, role="contributor",
    ),
    Endpoint(
        "GET", "/review/lessons", "review_lessons", "What later runs take from decisions",
        given.Lessons, role="contributor",
    ),
)  # fmt: skip
