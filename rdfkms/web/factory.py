"""Builds the Flask application (application factory, blueprints by topic)."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Flask, Response
from jinja2 import StrictUndefined

import rdfkms
from rdfkms import resources
from rdfkms.publish.catalogue import Catalogue
from rdfkms.publish.crops import Pictures
from rdfkms.publish.iiif.activity import Activities
from rdfkms.publish.iiif.completing import Lexicons
from rdfkms.publish.iiif.images import Images
from rdfkms.web import faults, languages, presentation
from rdfkms.web.blueprints import (
    around,
    data,
    iiif,
    iiif_images,
    linked,
    lists,
    oai,
    pages,
    pictures,
    releases,
    search,
    sparql,
)
from rdfkms.web.limits import Places
from rdfkms.web.services import Services
from rdfkms.web.site import EXTENSION, Site

MAX_BODY = 2_000_000  # bytes of a request
POLICY = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def create_app(services: Services, *more: Blueprint) -> Flask:
    """Return the application over an open archive; `more` adds blueprints of other rooms."""
    web = resources.folder("web")
    app = Flask(
        __name__,
        template_folder=str(web / "templates"),
        static_folder=str(web / "static"),
        static_url_path="/static",
    )
    app.config.update(MAX_CONTENT_LENGTH=MAX_BODY, MAX_FORM_MEMORY_SIZE=MAX_BODY)
    app.url_map.strict_slashes = False
    app.jinja_env.undefined = StrictUndefined
    languages.install(app, services.settings.language)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.extensions[EXTENSION] = Site(
        services=services,
        pictures=Pictures(services.archive),
        images=Images(services.archive),
        activities=Activities(services.ledger),
        lexicons=Lexicons(),
        catalogue=Catalogue(services.ledger),
        places=Places(services.settings.sparql.per_client),
        has_viewer=(web / "static" / "vendor" / "viewer.js").is_file(),
    )
    for blueprint in (
        pages.blueprint,
        around.blueprint,
        lists.blueprint,
        search.blueprint,
        data.blueprint,
    ):
        app.register_blueprint(blueprint)
    for blueprint in (pictures.blueprint, sparql.blueprint, *more):
        app.register_blueprint(blueprint)
    app.register_blueprint(releases.blueprint)
    linked.install(app)
    for blueprint in (iiif_images.blueprint, iiif.blueprint, oai.blueprint):
        app.register_blueprint(blueprint)
    presentation.install(app)
    faults.install(app)
    app.after_request(_secure)
    app.add_url_rule("/health", "health", _health(services))
    return app


def _secure(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if "frame-ancestors *" in response.headers["Content-Security-Policy"]:
        del response.headers["X-Frame-Options"]  # what is made to stand in a frame
    response.headers.setdefault("Cache-Control", "no-cache")
    return response


def _health(services: Services) -> Callable[[], dict[str, object]]:
    def health() -> dict[str, object]:
        """Say that the service answers; touches neither store nor locks."""
        return {
            "status": "ok",
            "version": rdfkms.__version__,
            "revision": services.ledger.revision,
        }

    return health
