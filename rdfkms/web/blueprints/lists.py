"""Home, browse lists, collections, runs, and the rules by which the archive admits claims."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from rdfkms import resources
from rdfkms.admission import decisions, textual
from rdfkms.errors import BadInput, NotFound
from rdfkms.knowledge import words as labels
from rdfkms.publish import histories
from rdfkms.publish.catalogue import LIST_PAGE, Listed, initial
from rdfkms.publish.linking_rules import linking_rules
from rdfkms.review import tasks
from rdfkms.web.site import by_revision, page_scope, site
from rdfkms.web.wording import KINDS, kind_title

blueprint = Blueprint("lists", __name__)


@blueprint.get("/")
@by_revision
def home() -> ResponseReturnValue:
    """Say what this is and where to begin."""
    return render_template("home.html", home=site().catalogue.home(page_scope()))


@blueprint.get("/browse/<kind>")
@by_revision
def browse(kind: str) -> ResponseReturnValue:
    """List the things of one kind by name, a page at a time."""
    things = site().catalogue.things(page_scope())
    if kind not in things and kind not in KINDS:
        raise NotFound(
            f"There is no list of '{kind[:40]}'.", hint="See the lists on the home page."
        )
    listed = things.get(kind, ())
    asked = request.args.get("page", "1")
    if not asked.isdecimal() or not 1 <= int(asked[:9]) <= max(1, -(-len(listed) // LIST_PAGE)):
        raise BadInput("There is no such page of this list.")
    number = int(asked)
    shown = listed[(number - 1) * LIST_PAGE : number * LIST_PAGE]
    letters: dict[str, int] = {}
    for place, item in enumerate(listed):
        letters.setdefault(initial(item.link.text), place // LIST_PAGE + 1)
    return render_template(
        "browse.html",
        kind=kind,
        title=kind_title(kind),
        groups=_by_initial(shown),
        total=len(listed),
        number=number,
        last=max(1, -(-len(listed) // LIST_PAGE)),
        letters=letters,
    )


def _by_initial(shown: Sequence[Listed]) -> list[tuple[str, list[Listed]]]:
    groups: list[tuple[str, list[Listed]]] = []
    for item in shown:
        letter = initial(item.link.text)
        if not groups or groups[-1][0] != letter:
            groups.append((letter, []))
        groups[-1][1].append(item)
    return groups


@blueprint.get("/collections")
@by_revision
def collections() -> ResponseReturnValue:
    """List record sets and the records outside them."""
    return render_template("collections.html", home=site().catalogue.home(page_scope()))


@blueprint.get("/runs")
@by_revision
def runs() -> ResponseReturnValue:
    """List the runs that made what is here."""
    return render_template("runs.html", runs=histories.all_runs(page_scope()))


@blueprint.get("/rules")
@by_revision
def rules() -> ResponseReturnValue:
    """Publish the rules: decisions, thresholds, shapes, words that verification looks for."""
    services = site().services
    shapes = resources.folder("shapes")
    lists = resources.folder("ingest") / "lexicons"
    words = [p for kind in ("cues", "wording") for p in sorted(lists.glob(f"{kind}.*.tsv"))]
    return render_template(
        "rules.html",
        settings=services.settings,
        linking=linking_rules(),
        mapping=services.mapping,
        words=labels,
        decisions=decisions.table(),
        sentences=textual,
        review=tasks,
        shapes=[(p.name, p.read_text(encoding="utf-8")) for p in sorted(shapes.glob("*.ttl"))],
        cues=[(p.name, p.read_text(encoding="utf-8")) for p in words],
    )
