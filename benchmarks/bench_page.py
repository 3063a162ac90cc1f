"""Entity page of 200 statements: queries to the store, and CPU that HTTP adds to query and render.

Prints milliseconds of CPU of one thread: reading the view, rendering the template, the whole
request through the WSGI application, and what HTTP adds: the same request with the page made
beforehand.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from unittest.mock import patch

from flask import render_template
from pyoxigraph import NamedNode, Quad, Triple
from werkzeug.test import run_wsgi_app

from rdfkms import access
from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.knowledge import encoding, mapping, statements
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.work import Work
from rdfkms.model import (
    Access,
    Claim,
    EvidenceUnit,
    Kind,
    Label,
    Locator,
    Modality,
    Page,
    Pointer,
    Principal,
    Record,
    Ref,
    Role,
    SourceFile,
    UnitText,
    Value,
    View,
)
from rdfkms.ports import Bindings, Row
from rdfkms.publish import entities
from rdfkms.publish.views import scope_of
from rdfkms.settings import Settings
from rdfkms.web import Services, create_app
from rdfkms.web.blueprints import pages

STATEMENTS = 200
ROUNDS = 30
PERSON = Ref("person", "a" * 24)


class Counting(OxigraphStore):
    """Counts the queries."""

    queries = 0

    def select(
        self, text: str, bindings: Bindings | None = None, graphs: Sequence[NamedNode] = ()
    ) -> list[Row]:
        self.queries += 1
        return super().select(text, bindings, graphs)


def triples(ledger: Ledger) -> list[Triple]:
    """Return a person with 200 statements, each about another person, each with its passage."""
    table, base = mapping.load(), ledger.base
    file = SourceFile("0" * 64, "acta.txt", "text/plain", 1)
    page = Page("pg", "0" * 64, 1, "1")
    record = Record("r", "Acta", "plain", "es", Access(), Modality.BORN_DIGITAL, (file,), (page,))
    made = encoding.record_triples(record, base) + encoding.page_triples(page, base)
    for n in range(STATEMENTS):
        child = f"Hija Número {n}"
        text = f"Consta que Ana Roca Fuster es madre de {child}, según el acta levantada aquel día."
        unit = EvidenceUnit(
            f"u{n}", "r", "0" * 64, "pg", n, Modality.BORN_DIGITAL, "es", "1", n,
            (UnitText(f"t{n}", f"u{n}", "v", View.RAW, text, 0, len(text), "es"),),
            (Locator("pg", ""),),
        )  # fmt: skip
        made += encoding.unit_triples(unit, base)
        pointer = Pointer(f"u{n}", f"t{n}", 11, 39 + len(child), text[11 : 39 + len(child)])
        other = Ref("person", f"c{n}")
        whole = Claim(
            "", Kind.MENTION, "namedAs", PERSON, (pointer,), confidence=0.9, label=Label.SUPPORTED
        )
        own, name = Value("Ana Roca Fuster"), Value(child)
        for claim in (
            replace(whole, key=f"m{n}", name="Person", value=own),
            replace(whole, key=f"o{n}", subject=other, name="Person", value=name),
            replace(
                whole, key=f"k{n}", kind=Kind.RELATION, statement="Kinship/child", object=other
            ),
        ):
            made += encoding.claim_triples(claim, base, table)
            made += statements.project(claim, base, table)
    return made


def spent(work: Callable[[], object]) -> float:
    """Return the CPU time of this thread in milliseconds."""
    begin = time.thread_time()
    work()
    return (time.thread_time() - begin) * 1000


def cpu(work: Callable[[], object]) -> float:
    """Return the median of `spent`."""
    return median(spent(work) for _ in range(ROUNDS))


def measure(folder: Path) -> dict[str, float]:
    """Return the figures."""
    archive = Archive.create(folder / "archive", Settings())
    store = Counting(archive.store_path)
    ledger, work = Ledger(archive, store), Work(archive.work_path)
    public = ledger.base.public
    quads = tuple(Quad(t.subject, t.predicate, t.object, public) for t in triples(ledger))
    ledger.commit(Change(Activity("bench"), add=quads), Principal("bench", Role.ADMINISTRATOR))
    app = create_app(Services(ledger, work, mapping.load()))
    scope = scope_of(store, ledger.base, mapping.load(), access.ANONYMOUS)
    client = app.test_client()
    path = f"/page/{PERSON.path}"
    store.queries = 0
    assert client.get(path).status_code == 200
    queries = store.queries
    with app.test_request_context(path):
        view = entities.entity(scope, PERSON)
        reading = cpu(lambda: entities.entity(scope, PERSON))
        rendering = cpu(lambda: render_template("entity.html", view=view))
        html = render_template("entity.html", view=view)
    environ = app.test_request_context(path).request.environ
    whole = cpu(lambda: run_wsgi_app(app.wsgi_app, dict(environ)))
    with patch.object(pages, "_entity", lambda *ignored: html):
        http = cpu(lambda: run_wsgi_app(app.wsgi_app, dict(environ)))
    known = {**environ, "HTTP_IF_NONE_MATCH": client.get(path).headers["ETag"]}
    unchanged = cpu(lambda: run_wsgi_app(app.wsgi_app, dict(known)))
    ledger.close()
    work.close()
    return {
        "statements": view.statements, "queries": queries, "read_ms": reading,
        "render_ms": rendering, "request_ms": whole, "http_ms": http,
        "not_modified_ms": unchanged,
    }  # fmt: skip


def main() -> int:
    """Print the figures; exit 1 where a limit is not held."""
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder))
    print(json.dumps({name: round(value, 2) for name, value in figures.items()}, indent=1))
    return int(figures["queries"] > 6 or figures["http_ms"] > 1)


if __name__ == "__main__":
    sys.exit(main())
