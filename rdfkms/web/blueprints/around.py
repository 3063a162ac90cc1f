"""The views of a thing beside its page: mentions, network, timeline, map, history."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence

from flask import Blueprint, Response, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from rdfkms.errors import NotFound
from rdfkms.model import Ref
from rdfkms.publish import entities
from rdfkms.publish.around import atlas, hierarchy, life, mentions, network, timeline
from rdfkms.publish.around.mentions import Mention
from rdfkms.publish.entities import Heading
from rdfkms.publish.views import Scope
from rdfkms.web.blueprints.pages import demand_not_withdrawn
from rdfkms.web.keeping import kept
from rdfkms.web.site import by_revision, is_staff, page_scope, site

blueprint = Blueprint("around", __name__)

_COLUMNS = (
    "record", "record_title", "page", "before", "quote", "after", "language", "start", "end",
    "status", "rank", "passage", "claim",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
View = Callable[[Scope, Ref], object]


@blueprint.get("/page/<kind>/<key>/mentions")
@by_revision
def all_mentions(kind: str, key: str) -> ResponseReturnValue:
    """Show every place where the thing is named, a page at a time."""
    after = request.args.get("after", "")[:2_000]
    return _shown("mentions", Ref(kind, key), lambda s, ref: mentions.mentions(s, ref, after))


@blueprint.get("/page/<kind>/<key>/mentions.csv")
@by_revision
def mentions_table(kind: str, key: str) -> ResponseReturnValue:
    """Serve all mentions as CSV (RFC 4180, UTF-8)."""
    seen, ref = page_scope(), Ref(kind, key)
    head = _heading(seen, ref)
    if head.merged_into is not None:
        return redirect(f"/page/{head.merged_into.path}/mentions.csv", 301)
    lines = _lines(mentions.every(seen, ref))
    response = Response("".join(lines), content_type="text/csv; charset=utf-8; header=present")
    response.headers["Content-Disposition"] = f'attachment; filename="mentions-{key[:24]}.csv"'
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


@blueprint.get("/page/<kind>/<key>/hierarchy")
@by_revision
def components(kind: str, key: str) -> ResponseReturnValue:
    """Show where a record or record set stands in its finding aid, a level at a time."""
    if kind not in hierarchy.KINDS:
        raise NotFound(f"A {kind} stands in no hierarchy.", hint="Records and record sets do.")
    after = request.args.get("after", "")[:500]
    return _shown("hierarchy", Ref(kind, key), lambda s, ref: hierarchy.hierarchy(s, ref, after))


@blueprint.get("/page/<kind>/<key>/network")
@by_revision
def local_network(kind: str, key: str) -> ResponseReturnValue:
    """Draw what the thing is joined to."""
    return _shown("network", Ref(kind, key), network.network)


@blueprint.get("/page/<kind>/<key>/timeline")
@by_revision
def dates(kind: str, key: str) -> ResponseReturnValue:
    """Draw what is dated around the thing."""
    return _shown("timeline", Ref(kind, key), timeline.timeline)


@blueprint.get("/page/<kind>/<key>/map")
def places(kind: str, key: str) -> ResponseReturnValue:
    """Draw the places around the thing; no tag: positions are no part of a revision."""
    known = kept("positions", lambda services: atlas.positions(services.archive))
    shown = _shown("map", Ref(kind, key), lambda s, ref: atlas.atlas(s, ref, known))
    response = make_response(shown)
    response.headers["Cache-Control"] = "private, no-cache" if is_staff() else "no-cache"
    return response


@blueprint.get("/page/<kind>/<key>/history")
@by_revision
def history(kind: str, key: str) -> ResponseReturnValue:
    """Tell what runs and people did to what is said of the thing."""
    here = site().services
    return _shown(
        "history",
        Ref(kind, key),
        lambda s, ref: life.life(s, here.ledger, here.work, ref, staff=is_staff()),
    )


def _shown(name: str, ref: Ref, view: View) -> ResponseReturnValue:
    seen = page_scope()
    head = _heading(seen, ref)
    if head.merged_into is not None:
        return redirect(f"/page/{head.merged_into.path}/{name}", 301)
    return render_template(f"{name}.html", head=head, found=view(seen, ref))


def _heading(seen: Scope, ref: Ref) -> Heading:
    try:
        return entities.heading(seen, ref)
    except NotFound:
        demand_not_withdrawn(seen, ref)
        raise


def _lines(found: Sequence[Mention]) -> Iterator[str]:
    """Yield the lines of the table; a cell that a spreadsheet would compute begins with ``'``."""
    base = site().services.ledger.base
    yield _line(_COLUMNS)
    for one in found:
        e = one.evidence
        yield _line((
            base.iri("record", e.record).value, e.record_title, e.page_label, e.before, e.quote,
            e.after, e.language, str(e.start), str(e.end), one.status, one.rank,
            base.iri("evidence", e.unit).value, base.iri("claim", e.claim).value,
        ))  # fmt: skip


def _line(cells: tuple[str, ...]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow([f"'{c}" if c.startswith(_FORMULA) else c for c in cells])
    return out.getvalue()
