"""IIIF Image API 3.0, level 2: page pictures as far as the reader may see the page."""

from __future__ import annotations

import re

from flask import Blueprint, Response, jsonify, redirect, request
from flask.typing import ResponseReturnValue
from pyoxigraph import Literal
from werkzeug.wrappers import Response as BaseResponse

from rdfkms.errors import NotFound
from rdfkms.publish import negotiation
from rdfkms.publish.iiif import images
from rdfkms.web.site import is_staff, scope, site

blueprint = Blueprint("iiif_images", __name__)

_JSON = negotiation.Format("JSON", "json", ("application/json",))
_PROFILE = f'<{images.PROFILE}>; rel="profile"'


@blueprint.after_request
def open_to_all(response: Response) -> Response:
    """Let viewers of any site read what the reader may read (CORS; no cookies travel)."""
    return crossing(response)


def crossing(response: Response) -> Response:
    """Return the response with the headers that a viewer of another site needs."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] = "ETag, Link"
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
        response.headers["Access-Control-Allow-Headers"] = "Accept, Authorization, If-None-Match"
        response.headers["Access-Control-Max-Age"] = "86400"
    return response


@blueprint.get("/iiif/image/<sha256>")
def picture(sha256: str) -> ResponseReturnValue:
    """Lead from the picture to its description (section 2: the base address)."""
    _demand_shown(sha256)
    return _kept(redirect(f"/iiif/image/{sha256}/info.json", 303))


@blueprint.get("/iiif/image/<sha256>/info.json")
def information(sha256: str) -> ResponseReturnValue:
    """Describe a picture: size, sizes, tiles, limits (section 5)."""
    _demand_shown(sha256)
    here = site()
    width, height = here.images.size(sha256)
    address = f"{here.services.settings.base}/iiif/image/{sha256}"
    response = jsonify(images.information(address, width, height))
    asked = request.headers.get("Accept", "")
    if negotiation.best(asked, (_JSON, negotiation.JSON_LD)) is negotiation.JSON_LD:
        response.content_type = f'application/ld+json;profile="{images.CONTEXT}"'
    response.headers["Link"] = _PROFILE
    response.add_etag()
    response.vary.add("Accept")
    return _kept(response.make_conditional(request))


@blueprint.get("/iiif/image/<sha256>/<region>/<size>/<rotation>/<name>")
def image(sha256: str, region: str, size: str, rotation: str, name: str) -> ResponseReturnValue:
    """Serve a region of a picture at a size, turned, in a quality and format (section 4)."""
    _demand_shown(sha256)
    here = site()
    asked = here.images.asked(sha256, region, size, rotation, name)
    mark = images.etag(sha256, asked)
    if request.if_none_match.contains(mark):
        response = Response(status=304)
    else:
        data = here.images.render(sha256, asked)
        response = Response(data, content_type=images.media_type(asked))
    response.set_etag(mark)
    canonical = f"{here.services.settings.base}/iiif/image/{sha256}/{asked.canonical}"
    response.headers["Link"] = f'<{canonical}>; rel="canonical", {_PROFILE}'
    return _kept(response)


def _demand_shown(sha256: str) -> None:
    """Raise `NotFound` unless a page that the reader may see has this picture."""
    if not re.fullmatch(r"[0-9a-f]{64}", sha256) or not scope().select(
        "pages/picture_is_shown", picture=Literal(sha256)
    ):
        raise NotFound("There is no such picture here.", hint="Take the address from a manifest.")


def _kept(response: BaseResponse) -> BaseResponse:
    """Let caches ask each time: access to a page may end, its pixels never change."""
    response.headers["Cache-Control"] = "private, no-cache" if is_staff() else "no-cache"
    response.vary.update(("Authorization", "Cookie"))
    return response
