"""What forms of people who signed in share: who they are, and that the form is of this site.

Every form carries a word that only this site knows for the cookie of its reader.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any

from flask import Response, make_response, render_template, request

from rdfkms.access import at_least
from rdfkms.errors import Denied
from rdfkms.model import Principal, Role
from rdfkms.web import site

_KEY = secrets.token_bytes(32)  # forms hold until the service starts anew


def signed_in(role: Role, refusal: str) -> Principal:
    """Return who asks; raises `Denied` with the sentence `refusal` below the role."""
    who = site.principal()
    if not at_least(who, role):
        raise Denied(refusal, hint="Sign in at /review/sign-in.")
    return who


def page(template: str, who: Principal, **values: Any) -> Response:
    """Return a page with forms, which nobody keeps."""
    response = make_response(render_template(template, who=who, word=word(), **values))
    response.headers["Cache-Control"] = "no-store"
    return response


def word() -> str:
    """Return the word that the forms of this reader carry."""
    kept = request.cookies.get(site.COOKIE, "")
    return hmac.new(_KEY, kept.encode(), hashlib.sha256).hexdigest()


def demand_word() -> None:
    """Raise `Denied` for a form that is not from this site, or from before it started anew."""
    demand_same_site()
    if not hmac.compare_digest(request.form.get("word", ""), word()):
        raise Denied("The form is out of date, or is not from this site.", hint="Load it again.")


def demand_same_site() -> None:
    """Refuse what another site sends: browsers say where a form comes from."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Denied("The form comes from another site.")
    origin = request.headers.get("Origin", "")
    if origin and origin != "null" and origin.partition("://")[2] != request.host:
        raise Denied("The form comes from another site.")
