"""Reads every query by the grammar of SPARQL 1.1 before an engine of another make sees it.

Engines extend SPARQL: by words that write, fetch addresses or call functions of theirs. What our
own engine cannot read as a query is refused here, so that none of that reaches a mirror.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from rdfkms.errors import BadInput
from rdfkms.publish.endpoint import Engine
from rdfkms.publish.pool import Pool
from rdfkms.publish.tokenizer import Query

# Functions of an engine's own stand in schemes of its own (Virtuoso).
_OWN = ("bif:", "sql:", "sql-int:")


class Grammar:
    """An engine behind which another one answers; the first only reads (port `Engine`)."""

    def __init__(self, reader: Pool, engine: Engine) -> None:
        self._reader = reader
        self._engine = engine

    def answer(self, job: Mapping[str, Any], seconds: float) -> tuple[IO[bytes], dict[str, int]]:
        """Return the answer; raises `BadInput` for what is no SPARQL 1.1 query, and as both do."""
        query = Query(job["query"])
        if any(iri.startswith(_OWN) for iri in query.names):
            raise BadInput("The query calls a function of one engine.", hint="Use those of SPARQL.")
        body, _ = self._reader.answer({**job, "snapshot": ""}, seconds)
        body.close()
        return self._engine.answer(job, seconds)

    def is_isolated(self) -> bool:
        """Return whether queries run without a network."""
        return self._engine.is_isolated()

    def close(self) -> None:
        """End both."""
        self._reader.close()
        self._engine.close()
