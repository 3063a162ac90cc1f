"""The public SPARQL service: what a request asks, whether it may, and its whole answer (R90).

An answer is made completely, within its limits, before its first byte is sent: so every refusal
is a clean 4xx or 503, nothing is ever cut, and a slow reader holds no worker.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from rdfkms.errors import BadInput, Broken, Denied, NotFound, TooLarge
from rdfkms.publish import results
from rdfkms.publish.negotiation import HTML, Format
from rdfkms.publish.pool import Pool
from rdfkms.publish.tokenizer import Query
from rdfkms.settings import SparqlSettings
from rdfkms.vocab import Base

# (folder of the newest snapshot, its revision); called when a query arrives.
SnapshotSource = Callable[[], tuple[Path, int]]


class NotAcceptable(BadInput):
    """None of the formats that the client accepts can be had."""

    http_status = 406


@dataclass(frozen=True, slots=True)
class Request:
    """A query request, whatever way it came by HTTP."""

    query: str
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    format: str = ""
    accept: str = ""
    timeout: float | None = None
    known: tuple[str, ...] = ()  # entity tags that the client holds (If-None-Match)


@dataclass(slots=True)
class Response:
    """A whole answer: 200 with a body at its start, or 304 without. The caller closes `body`."""

    status: int
    form: str
    media_type: str
    body: IO[bytes] | None
    bytes: int = 0
    rows: int = 0
    revision: int = 0
    tag: str = ""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Plan:
    query: Query
    format: Format
    media_type: str
    default: tuple[str, ...]
    named: tuple[str, ...]
    seconds: float


class SparqlService:
    """Answers read-only queries on the public graph of the newest snapshot."""

    def __init__(
        self, snapshot: SnapshotSource, base: Base, settings: SparqlSettings, waiting: int = 4
    ) -> None:
        self._snapshot = snapshot
        self._public = base.public.value
        self.settings = settings
        patience = min(1.0, settings.timeout / 4)
        self._pool = Pool(settings.workers, settings.memory_mb, waiting, patience)

    @property
    def network_isolated(self) -> bool:
        """Whether the workers have no network (starts one to see); for `rdfkms doctor`."""
        return self._pool.is_isolated()

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
            try:
                body, size = self._pool.answer(self._job(plan, path), plan.seconds)
            except Broken:
                # The snapshot can have been replaced between the two lines above: once more.
                if attempt == 2:
                    raise
                continue
            form = plan.query.form
            return Response(
                200, form, plan.media_type, body, size["bytes"], size["rows"], revision, tag
            )
        raise AssertionError  # the loop returns or raises

    def close(self) -> None:
        """End the worker processes."""
        self._pool.close()

    def _plan(self, request: Request) -> _Plan:
        limit = self.settings.max_query_chars
        if len(request.query) > limit:
            raise TooLarge(f"The query is longer than {limit} characters.")
        query = Query(request.query)
        if query.is_update:
            raise Denied("This address only reads: updates are not accepted.")
        if query.calls_service:
            raise Denied(
                "SERVICE is not allowed here: this server asks no other server.",
                hint="Let your own client join the two sources.",
            )
        form = query.form or "SELECT"  # the parser says what is wrong with it
        chosen = results.choose(form, request.format, request.accept)
        if chosen is None:
            names = ", ".join(offer.media_type for offer in results.offers(form))
            raise NotAcceptable(f"The answer of {form} can be had as {names}.")
        default, named = self._dataset(request, query)
        seconds = self.settings.timeout
        if request.timeout is not None and math.isfinite(request.timeout):
            seconds = min(seconds, max(0.05, request.timeout))
        return _Plan(query, *chosen, default, named, seconds)

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

    def _job(self, plan: _Plan, snapshot: Path) -> dict[str, object]:
        return {
            "snapshot": str(snapshot),
            "query": plan.query.text,
            "default": plan.default,
            "named": plan.named,
            "format": _engine_format(plan),
            "max_rows": self.settings.max_rows,
            "max_bytes": self.settings.max_bytes,
        }

    def _tag(self, plan: _Plan, revision: int) -> str:
        """Return the entity tag (weak: rows may come in another order), "" for clock and chance."""
        if not plan.query.is_stable:
            return ""
        parts = (plan.query.text, plan.media_type, *plan.default, "|", *plan.named)
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
