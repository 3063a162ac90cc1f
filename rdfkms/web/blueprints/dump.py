"""/dumps: everything that is public as one file, of the newest state and of each release."""

from __future__ import annotations

import re

from flask import Blueprint, Response, send_file
from flask.typing import ResponseReturnValue

from rdfkms.app import dumping
from rdfkms.errors import NotFound
from rdfkms.publish.dcat import dumps
from rdfkms.publish.dcat.description import FORMS
from rdfkms.web.site import site

blueprint = Blueprint("dump", __name__)

_FILE = re.compile(r"([a-z0-9][a-z0-9.-]{0,39})\.(nq|trig|trig12)\.zst")


@blueprint.get("/dumps/<name>")
def dump(name: str) -> ResponseReturnValue:
    """Send a dump; ranges and conditional requests are answered."""
    found = _FILE.fullmatch(name)
    if found is None:
        forms = " or ".join(f"{kind.extension}.zst" for kind in FORMS)
        raise NotFound(
            "There is no such dump.", hint=f"latest or the name of a release, then {forms}."
        )
    try:
        response = _sent(found, name)
    except FileNotFoundError:  # another request made a newer one just now
        response = _sent(found, name)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Link"] = '</dataset>; rel="describedby"'
    return response


def _sent(found: re.Match[str], name: str) -> Response:
    path = dumping.file(site().services.ledger, found[1], dumps.kind_of(found[2]))
    return send_file(
        path, mimetype="application/zstd", etag=path.name, conditional=True, max_age=0,
        download_name=name, as_attachment=True,
    )  # fmt: skip
