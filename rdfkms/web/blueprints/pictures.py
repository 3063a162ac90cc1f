"""Page pictures and crops, as far as the reader may see the page."""

from __future__ import annotations

import re

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue
from pyoxigraph import Literal

from rdfkms.errors import BadInput, NotFound
from rdfkms.publish import places, sources
from rdfkms.publish.crops import MEDIA_TYPE
from rdfkms.publish.views import text_of
from rdfkms.web.site import by_revision, scope, site

blueprint = Blueprint("pictures", __name__)

WIDEST = 1600


@blueprint.get("/picture/<sha256>.jpg")
@by_revision
def picture(sha256: str) -> ResponseReturnValue:
    """Serve a whole page picture, ``?w=`` pixels wide at most."""
    if not re.fullmatch(r"[0-9a-f]{64}", sha256):
        raise NotFound("There is no such picture here.")
    if not scope().select("pages/picture_is_shown", picture=Literal(sha256)):
        raise NotFound("There is no such picture here.")
    return _jpeg(site().pictures.page(sha256, _width(2400)))


@blueprint.get("/crop/<page>")
@by_revision
def crop(page: str) -> ResponseReturnValue:
    """Serve the region ``?xywh=`` of a page picture."""
    region = sources.box_of("xywh=" + request.args.get("xywh", ""))
    if region is None or region.w == 0 or region.h == 0:
        raise BadInput("'xywh' must be four whole numbers: x,y,width,height in page pixels.")
    seen = scope()
    for row in seen.select("pages/page_picture", page=seen.base.iri("inst", page)):
        return _jpeg(site().pictures.crop(text_of(row["picture"]), region, _width(1200)))
    raise NotFound("There is no such page picture here.")


@blueprint.get("/crop/claim/<claim>/<pointer>.jpg")
@by_revision
def quote(claim: str, pointer: str) -> ResponseReturnValue:
    """Serve the lines that hold a claim's quote, with its words marked."""
    cut = places.cut_of_claim(scope(), site().services.archive, claim, pointer)
    return _jpeg(site().pictures.crop(cut.picture, cut.region, _width(1200), cut.marks))


@blueprint.get("/crop/passage/<unit>.jpg")
@by_revision
def passage(unit: str) -> ResponseReturnValue:
    """Serve the lines of a passage that hold the words of ``?q=``, marked."""
    question = request.args.get("q", "")[:400]
    cut = places.cut_of_passage(scope(), site().services.archive, unit, question)
    return _jpeg(site().pictures.crop(cut.picture, cut.region, _width(1200), cut.marks))


def _width(default: int) -> int:
    asked = request.args.get("w", "")
    if not asked:
        return default
    if not asked.isdecimal() or not 16 <= int(asked[:6]) <= 4000:
        raise BadInput("'w' must be a width in pixels, 16 to 4000.")
    return min(int(asked), 2400 if default > WIDEST else WIDEST)


def _jpeg(data: bytes) -> Response:
    return Response(data, content_type=MEDIA_TYPE)
