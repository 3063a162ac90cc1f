"""What a request reaches: services, pictures, lists, its principal and its scope."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import ParamSpec, cast

from flask import Response, current_app, g, make_response, request
from flask.typing import ResponseReturnValue

import rdfkms
from rdfkms.access import ANONYMOUS, at_least
from rdfkms.ledger import tokens
from rdfkms.model import Principal, Role
from rdfkms.publish.catalogue import Catalogue
from rdfkms.publish.crops import Pictures
from rdfkms.publish.iiif.activity import Activities
from rdfkms.publish.iiif.completing import Lexicons
from rdfkms.publish.iiif.images import Images
from rdfkms.publish.views import Scope, scope_of
from rdfkms.web.languages import language
from rdfkms.web.limits import Places
from rdfkms.web.services import Services

P = ParamSpec("P")
EXTENSION = "rdfkms"
COOKIE = "rdfkms-token"


class Unauthorised(Exception):
    """A bearer token that is not (or no longer) valid."""


@dataclass(frozen=True, slots=True)
class Site:
    """The parts that live as long as the application."""

    services: Services
    pictures: Pictures
    images: Images
    activities: Activities
    lexicons: Lexicons
    catalogue: Catalogue
    has_viewer: bool
    places: Places


def site() -> Site:
    """Return the site of the running application."""
    return cast(Site, current_app.extensions[EXTENSION])


def principal() -> Principal:
    """Return who asks: the owner of the bearer token or cookie, else the anonymous reader."""
    if "principal" not in g:
        header = request.headers.get("Authorization", "")
        kept = request.cookies.get(COOKIE, "")
        try:
            g.principal = _principal(header or (f"Bearer {kept}" if kept else ""))
        except Unauthorised:
            if header:
                raise
            g.principal = ANONYMOUS  # a cookie of a token that was revoked since
    return cast(Principal, g.principal)


def _principal(header: str) -> Principal:
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != "bearer":
        return ANONYMOUS
    found = tokens.verify(site().services.work, secret.strip())
    if found is None:
        raise Unauthorised
    return found


def bearer() -> Principal:
    """Return who asks by the token in the header alone: what programs use, never a cookie."""
    return _principal(request.headers.get("Authorization", ""))


def is_staff() -> bool:
    """Return whether the reader sees what is not public."""
    return at_least(principal(), Role.CONTRIBUTOR)


def scope() -> Scope:
    """Return what this reader may read."""
    services = site().services
    ledger = services.ledger
    return scope_of(ledger.store, ledger.base, services.mapping, principal())


def page_scope() -> Scope:
    """Return what this reader may read, with labels in the language of the page."""
    return replace(scope(), language=language())


def tag() -> str:
    """Return the ETag of this request: revision, reader's graphs, address, form, language."""
    revision = site().services.ledger.revision
    parts = (
        rdfkms.__version__, str(revision), str(is_staff() and principal().role), request.full_path,
        request.headers.get("Accept", ""), language(),
    )  # fmt: skip
    digest = hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()
    return f"r{revision}-{digest[:16]}"


def by_revision(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """Answer 304 while nothing was committed; else add the ETag of the revision."""

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        current = tag()
        if request.if_none_match.contains(current) and not request.if_none_match.star_tag:
            response = Response(status=304)
        else:
            response = make_response(view(*args, **kwargs))
        if response.status_code in (200, 304):
            response.set_etag(current)
        response.headers["Cache-Control"] = "private, no-cache" if is_staff() else "no-cache"
        response.vary.update(("Accept", "Accept-Language", "Authorization", "Cookie"))
        return response

    return answer
