"""What search engines ask for: robots.txt and sitemaps."""

from __future__ import annotations

from flask import Blueprint, Response
from flask.typing import ResponseReturnValue

from rdfkms.errors import NotFound
from rdfkms.publish import sitemap
from rdfkms.publish.perrevision import PerRevision
from rdfkms.web.addresses import root
from rdfkms.web.blueprints.linksets import public_scope
from rdfkms.web.keeping import kept
from rdfkms.web.services import Services
from rdfkms.web.site import site

blueprint = Blueprint("crawling", __name__)

_KEPT = "rdfkms-sitemap"
# What is made for each question anew, or is for staff: no use to a search engine.
_CLOSED = ("/search", "/sparql?", "/review", "/api/", "/reconcile", "/crop/", "/linkset/")


@blueprint.get("/robots.txt")
def robots() -> ResponseReturnValue:
    """Say what crawlers should leave alone, and where the sitemap is."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _CLOSED), "", ""]
    text = "\n".join(lines) + f"Sitemap: {root()}/sitemap.xml\n"
    return _sent(text, "text/plain; charset=utf-8")


@blueprint.get("/sitemap.xml")
def index() -> ResponseReturnValue:
    """List the sitemaps."""
    return _sent(sitemap.index(root(), sitemap.pages(_paths())), "application/xml")


@blueprint.get("/sitemap-<int:number>.xml")
def page(number: int) -> ResponseReturnValue:
    """List a part of the pages."""
    found = _paths()
    if not 1 <= number <= sitemap.pages(found):
        raise NotFound("There is no such sitemap.", hint="See /sitemap.xml.")
    return _sent(sitemap.page(root(), found, number), "application/xml")


def _paths() -> list[str]:
    def make(services: Services) -> PerRevision[list[str]]:
        seen, catalogue = public_scope(), site().catalogue
        return PerRevision(services.ledger, lambda revision: sitemap.paths(seen, catalogue))

    return kept(_KEPT, make).current()


def _sent(text: str, media_type: str) -> Response:
    response = Response(text, content_type=media_type)
    response.vary.add("Host")
    return response
