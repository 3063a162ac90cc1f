"""What the command line reads from an archive: SPARQL, search, evidence for a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rdfkms.access import ANONYMOUS
from rdfkms.app.composition import App
from rdfkms.dialogue import answering
from rdfkms.errors import BadInput
from rdfkms.knowledge.encoding import ref_iri
from rdfkms.model import Citation, Claim, Ref
from rdfkms.publish.endpoint import Request
from rdfkms.publish.views import Link, names_of, scope_of
from rdfkms.retrieval import searching
from rdfkms.retrieval.documents import PUBLIC
from rdfkms.retrieval.index import Indexes
from rdfkms.retrieval.searching import Hit

LONGEST = 100_000


def query(app: App, text: str, form: str) -> bytes:
    """Return the answer of a SPARQL query on what is public, in a format by name.

    Raises what `SparqlService.answer` raises: the limits are those of the service.
    """
    if not text.strip():
        raise BadInput("There is no query.", hint='Example: rdfkms query "ASK { ?s ?p ?o }"')
    response = app.sparql.answer(Request(text, format=form, accept="text/csv, text/turtle;q=0.9"))
    if response.body is None:
        return b""
    with response.body as body:
        return body.read()


def search(app: App, words: str, limit: int) -> dict[str, Any]:
    """Return entities by name and passages by words and meaning, as the public sees them."""
    store, indexes = app.ledger.store, _current(app)
    things = searching.find_things(words, indexes, store, ANONYMOUS, limit)
    hits = searching.search(words, indexes, store, ANONYMOUS, limit, machine=True)
    return {
        "revision": app.ledger.revision,
        "entities": [
            {
                "iri": ref_iri(thing.ref, app.base).value,
                "type": thing.ref.kind,
                "label": thing.name,
                "other_names": list(thing.other_names),
            }
            for thing in things
        ],
        "hits": [_hit(app, hit) for hit in hits],
    }


def ask(app: App, question: str) -> dict[str, Any]:
    """Return the evidence for a question, or ``found_information: false`` and what is missing."""
    answer = answering.ask(question, _current(app), app.ledger.store, ANONYMOUS)
    return {
        "question": answer.question,
        "found_information": answer.found_information,
        "statements": _statements(app, answer.statements),
        "evidence": [_hit(app, hit) for hit in answer.evidence],
        "missing": list(answer.missing),
        "limitations": answer.limitations,
        "revision": app.ledger.revision,
    }


def _current(app: App) -> Indexes:
    """Return the indexes in step with the store, as far as this process may write them."""
    if app.ledger.revision == app.ledger.journal.last():
        app.indexes.update(app.ledger)
    return app.indexes


def _hit(app: App, hit: Hit) -> dict[str, Any]:
    cited = hit.citation
    return {
        "iri": app.base.iri("evidence", cited.unit).value,
        "record": app.base.iri("record", cited.record).value,
        "record_title": cited.record_title,
        "page_label": cited.page_label,
        "fragment": cited.fragment,
        "text": cited.context,
        "quote": cited.quote,
        "score": round(hit.score, 4),
        "ranks": dict(hit.ranks),
        "words": list(hit.words),
        "only_machine_text": hit.only_machine,
    }


def _statements(app: App, claims: tuple[Claim, ...]) -> list[dict[str, Any]]:
    things = {ref for claim in claims for ref in (claim.subject, claim.object) if ref is not None}
    scope = scope_of(app.ledger.store, app.base, app.mapping, ANONYMOUS)
    named = names_of(scope, [ref_iri(ref, app.base) for ref in sorted(things, key=_path)])
    units = [claim.pointers[0].unit for claim in claims]
    cited = searching.cite(units, app.ledger.store, app.base, (PUBLIC,))
    rows = []
    for claim in claims:
        pointer = claim.pointers[0]
        value = claim.value.lexical if claim.value else _named(app, named, claim.object)
        name = app.mapping.statement(claim.statement).label_en
        rows.append(
            {
                "claim": app.base.iri("claim", claim.key).value,
                "sentence": f"{_named(app, named, claim.subject)}: {name}: {value}",
                "quote": pointer.quote,
                "place": _place(cited.get(pointer.unit)),
            }
        )
    return rows


def _path(ref: Ref) -> str:
    return ref.path


def _named(app: App, named: Mapping[str, Link], ref: Ref | None) -> str:
    """Return the displayed name of a thing, its path where it has none."""
    if ref is None:
        return ""
    link = named.get(ref_iri(ref, app.base).value)
    return link.text if link else ref.path


def _place(cited: Citation | None) -> str:
    return f"{cited.record_title}, p. {cited.page_label}" if cited else ""
