"""The public SPARQL service: what a request asks, whether it may, and its whole answer (R90).

An answer is made completely, within its limits, before its first byte is sent: so every refusal
is a clean 4xx or 503, nothing is ever cut, and a slow reader holds no worker.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from pyoxigraph import Triple

from rdfkms import queries
from rdfkms.errors import BadInput, Broken, Denied, NotFound, TooLarge
from rdfkms.publish import results, search_functions, service_description
from rdfkms.publish.dataset import (
    GraphRequest,
    GraphWrite,
    NotAcceptable,
    Request,
    Response,
    Update,
)
from rdfkms.publish.negotiation import HTML, Format
from rdfkms.publish.pool import Pool
from rdfkms.publish.search_functions import Call, Searcher
from rdfkms.publish.tokenizer import Query
from rdfkms.settings import SparqlSettings
from rdfkms.vocab import Base

__all__ = ["NotAcceptable", "Request", "Response", "SparqlService", "single"]

# (folder of the newest snapshot, its revision); called when a query arrives.
SnapshotSource = Callable[[], tuple[Path, int]]
READ_ONLY = (
    "This address only reads: every statement enters by the gate, with its evidence. "
    "Bring sources by `rdfkms run` or `rdfkms ingest`, claims as RDF by POST /api/v1/claims."
)
CHANGING = -1  # the revision of a snapshot that is being changed: no answer of it is kept
PAGE_BYTES = 8_000_000  # of an answer that becomes a page: it is held whole
CUT_HEADER = "Search-Cut"


class Engine(Protocol):
    """Runs queries within limits: `pool.Pool`, or a mirror."""

    def answer(self, job: Mapping[str, Any], seconds: float) -> tuple[IO[bytes], dict[str, int]]:
        """Return the whole answer to a job (see `worker`) and its rows and bytes."""
        ...

    def is_isolated(self) -> bool:
        """Return whether queries run without a network."""
        ...

    def close(self) -> None:
        """End what runs."""
        ...


@dataclass(frozen=True, slots=True)
class _Plan:
    query: Query
    format: Format
    media_type: str
    default: tuple[str, ...]
    named: tuple[str, ...]
    seconds: float
    base: str | None
    searches: list[Call]


class SparqlService:
    """Answers read-only queries on the public graph of the newest snapshot.

    The port `publish.dataset.Dataset`. `searcher` finds what `kms:textMatch` and `kms:similarTo`
    ask for; without one they are refused. `engine` runs the queries: workers of its own, unless a
    mirror does. `salt` tells snapshots of one revision apart, in entity tags.
    """

    read_only = READ_ONLY

    def __init__(
        self,
        snapshot: SnapshotSource,
        base: Base,
        settings: SparqlSettings,
        waiting: int = 4,
        searcher: Searcher | None = None,
        engine: Engine | None = None,
        salt: str = "",
    ) -> None:
        self._snapshot = snapshot
        self._base = base
        self._public = base.public.value
        self._searcher = searcher
        self._salt = salt
        self.settings = settings
        patience = min(1.0, settings.timeout / 4)
        self._engine = engine or Pool(settings.workers, settings.memory_mb, waiting, patience)

    @property
    def network_isolated(self) -> bool:
        """Whether the workers have no network (starts one to see); for `rdfkms doctor`."""
        return self._engine.is_isolated()

    def answer(self, request: Request) -> Response:
        """Return the whole answer.

        Raises `BadInput` 400 syntax, 406 format, 413 too long or too much; `Denied` 403 updates,
        SERVICE; `Unavailable` 503 busy, too slow, out of memory.
        """
        plan = self._plan(request)
        for attempt in (1, 2):
            path, revision = self._snapshot()
            tag = self._tag(plan, revision)
            if tag and tag in request.known:
                return Response(304, plan.query.form, plan.media_type, None, tag=tag)
            done = search_functions.rewritten(plan.query.text, plan.searches, self._searcher)
            try:
                body, size = self._engine.answer(self._job(plan, done.text, path), plan.seconds)
            except Broken:
                # The snapshot can have been replaced between the two lines above: once more.
                if attempt == 2:
                    raise
                continue
            form = plan.query.form
            return Response(
                200, form, plan.media_type, body, size["bytes"], size["rows"], revision, tag,
                {CUT_HEADER: ", ".join(done.cuts)} if done.cuts else {},
            )  # fmt: skip
        raise AssertionError  # the loop returns or raises

    def graph(self, request: GraphRequest) -> Response:
        """Return the public graph, by whichever of its names; raises `NotFound` for another."""
        if request.graph not in ("", self._public):
            raise NotFound(
                f"There is no public graph {request.graph[:200]}.",
                hint=f"There is one: {self._public}, which is the default graph too.",
            )
        asked = Request(
            queries.text("publish/graph"), format=request.format, accept=request.accept,
            known=request.known, html=False,
        )  # fmt: skip
        return self.answer(asked)

    def update(self, request: Update) -> None:
        """Refuse: raises `Denied`."""
        raise Denied(READ_ONLY)

    def write(self, change: GraphWrite) -> tuple[str, bool]:
        """Refuse: raises `Denied`."""
        raise Denied(READ_ONLY)

    def describe(self, address: str) -> Sequence[Triple]:
        """Return what programs may know of the service."""
        return service_description.describe(address, self._base)

    def close(self) -> None:
        """End the worker processes."""
        self._engine.close()

    def _plan(self, request: Request) -> _Plan:
        limit = self.settings.max_query_chars
        if len(request.query) > limit:
            raise TooLarge(f"The query is longer than {limit} characters.")
        query = Query(request.query)
        if query.is_update:
            raise Denied(READ_ONLY)
        if query.calls_service:
            raise Denied(
                "SERVICE is not allowed here: this server asks no other server.",
                hint="Let your own client join the two sources.",
            )
        form = query.form or "SELECT"  # the parser says what is wrong with it
        chosen = results.choose(form, request.format, request.accept, html=request.html)
        if chosen is None:
            offered = results.offers(form, html=request.html)
            names = ", ".join(offer.media_type for offer in offered)
            raise NotAcceptable(f"The answer of {form} can be had as {names}.")
        default, named = self._dataset(request, query)
        seconds = self.settings.timeout
        if request.timeout is not None and math.isfinite(request.timeout):
            seconds = min(seconds, max(0.05, request.timeout))
        searches = search_functions.calls(query.text, query.prologue[0])
        return _Plan(query, *chosen, default, named, seconds, request.base, searches)

    def _dataset(self, request: Request, query: Query) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return default and named graphs: the public graph, or nothing where others are named.

        The protocol's parameters win over FROM; without either both are the public graph.
        """
        asked: tuple[Sequence[str], Sequence[str]] | None = query.dataset
        if request.default_graphs or request.named_graphs:
            asked = (request.default_graphs, request.named_graphs)
        if asked is None:
            return (self._public,), (self._public,)
        default, named = asked
        public = (self._public,)
        return (
            public if self._public in default else (),
            public if self._public in named else (),
        )

    def _job(self, plan: _Plan, text: str, snapshot: Path) -> dict[str, object]:
        most = self.settings.max_bytes
        return {
            "snapshot": str(snapshot),
            "query": text,
            "base": plan.base,
            "default": plan.default,
            "named": plan.named,
            "format": _engine_format(plan),
            "max_rows": self.settings.max_rows,
            "max_bytes": min(most, PAGE_BYTES) if plan.format is HTML else most,
        }

    def _tag(self, plan: _Plan, revision: int) -> str:
        """Return the entity tag (weak: rows may come in another order), "" for clock and chance."""
        if not plan.query.is_stable or revision == CHANGING:
            return ""
        found = str(self._searcher.revision) if plan.searches and self._searcher else ""
        parts = (
            self._salt,
            plan.query.text,
            plan.base or "",
            plan.media_type,
            *plan.default,
            "|",
            *plan.named,
            found,
        )
        digest = hashlib.sha256("\x00".join(parts).encode("utf-8", "replace")).hexdigest()
        return f'W/"{revision}-{digest[:16]}"'


def _engine_format(plan: _Plan) -> str:
    """Return the extension that the worker writes; a page is made from JSON or Turtle."""
    if plan.format is not HTML:
        return plan.format.extension
    return "json" if plan.query.form in ("SELECT", "ASK", "") else "ttl"


def single(name: str, values: Sequence[str]) -> str:
    """Return the only value of a parameter; raises `BadInput` for none or several."""
    if len(values) > 1:
        raise BadInput(f"Parameter {name} was given {len(values)} times; once is meant.")
    if not values:
        raise NotFound(f"Parameter {name} is missing.")
    return values[0]
