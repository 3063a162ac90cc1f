"""/data/annotation/...: each pointer of an admitted claim as a Web Annotation."""

from __future__ import annotations

import json

from flask import Blueprint, Response
from flask.typing import ResponseReturnValue

from rdfkms.errors import NotFound
from rdfkms.model import Ref
from rdfkms.publish import webannotations
from rdfkms.web.blueprints.linksets import public_scope
from rdfkms.web.blueprints.pages import demand_not_withdrawn
from rdfkms.web.site import by_revision, site

blueprint = Blueprint("webannotations", __name__)

# Web Annotation Protocol, section 4.1 (the profile makes it an annotation for its clients).
MEDIA_TYPE = 'application/ld+json; profile="http://www.w3.org/ns/anno.jsonld"'


@blueprint.get("/data/annotation/<claim>/<pointer>.jsonld")
@by_revision
def annotation(claim: str, pointer: str) -> ResponseReturnValue:
    """Serve one annotation."""
    seen, services = public_scope(), site().services
    if not (claim.isalnum() and pointer.isalnum()):
        raise NotFound("There is no such annotation.", hint="See the page of a claim.")
    demand_not_withdrawn(seen, Ref("claim", claim))
    rights = services.settings.dataset.license
    found = webannotations.annotation(seen, services.archive, claim, pointer, rights)
    body = json.dumps(found, ensure_ascii=False, indent=1)
    response = Response(body, content_type=MEDIA_TYPE)
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Link"] = '<http://www.w3.org/ns/ldp#Resource>; rel="type"'
    return response
