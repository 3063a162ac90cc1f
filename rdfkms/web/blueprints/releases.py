"""/releases: the named releases of the archive, and how to cite each (R80)."""

from __future__ import annotations

from flask import Blueprint, jsonify, render_template
from flask.typing import ResponseReturnValue

from rdfkms.app.releasing import told
from rdfkms.ledger import releases
from rdfkms.web.site import site

blueprint = Blueprint("releases", __name__)


@blueprint.get("/releases")
def page() -> ResponseReturnValue:
    """List the releases, the newest first."""
    return render_template("releases.html", releases=_all())


@blueprint.get("/releases.json")
def data() -> ResponseReturnValue:
    """Return the releases as JSON, the newest first."""
    return jsonify(releases=_all())


def _all() -> list[dict[str, object]]:
    """Return the releases without who made them: that is for staff."""
    found = releases.listing(site().services.archive)
    return [
        {name: value for name, value in told(made).items() if name != "principal"}
        for made in reversed(found)
    ]
