"""/review: the queue as plain pages, for people who decide in a browser.

A person signs in with a token, which is kept in a cookie that scripts cannot read and other sites
cannot send. Every form carries a word that only this site knows for that cookie.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from rdfkms.access import at_least
from rdfkms.errors import BadInput, RdfkmsError
from rdfkms.ledger import tokens
from rdfkms.model import Principal, Role
from rdfkms.publish.desk import Item
from rdfkms.web import forms, site

Perform = Callable[[str, dict[str, Any], Principal], dict[str, Any]]
Look = Callable[[Sequence[str], Principal], list[Item]]
PAGE = 20
_FILTERS = ("kind", "statement", "code", "proposer", "record", "assignee", "state")
_ACTS = ("accept", "reject", "reopen", "keep", "rank", "edit", "assign", "second", "opine")
_FLAGS = ("with_ends", "with_dependents")


def blueprint(perform: Perform, look: Look) -> Blueprint:
    """Return the blueprint; `perform` does an operation, `look` gives items with their evidence."""
    pages, views = Blueprint("review", __name__, url_prefix="/review"), _Views(perform, look)
    pages.add_url_rule("/sign-in", "sign_in", sign_in)
    pages.add_url_rule("/sign-in", "signed_in", signed_in, methods=["POST"])
    pages.add_url_rule("/sign-out", "sign_out", sign_out, methods=["POST"])
    pages.add_url_rule("", "queue", views.queue)
    pages.add_url_rule("/decisions", "decisions", views.decisions)
    pages.add_url_rule("/undo/<key>", "undo", views.undo, methods=["POST"])
    pages.add_url_rule("/<kind>/<key>", "item", views.item)
    pages.add_url_rule("/<kind>/<key>/<act>", "decide", views.decide, methods=["POST"])
    return pages


def sign_in() -> ResponseReturnValue:
    """Ask for a token."""
    return render_template("review_sign_in.html", refusal="")


def signed_in() -> ResponseReturnValue:
    """Keep a valid token in a cookie."""
    forms.demand_same_site()
    secret = request.form.get("token", "").strip()
    who = tokens.verify(site.site().services.work, secret) if secret else None
    if who is None or not at_least(who, Role.CONTRIBUTOR):
        refusal = "This token is not valid, or only for reading."
        return render_template("review_sign_in.html", refusal=refusal), 403
    response = redirect("/review", 303)
    response.set_cookie(
        site.COOKIE, secret, httponly=True, samesite="Strict", secure=request.is_secure
    )
    return response


def sign_out() -> ResponseReturnValue:
    """Forget the cookie."""
    forms.demand_word()
    response = redirect("/", 303)
    response.delete_cookie(site.COOKIE)
    return response


class _Views:
    """The pages of those who signed in."""

    def __init__(self, perform: Perform, look: Look) -> None:
        self._perform = perform
        self._look = look

    def queue(self) -> ResponseReturnValue:
        """List what waits."""
        who = _reviewer()
        chosen = {name: text for name in _FILTERS if (text := request.args.get(name, "")[:200])}
        offset = _offset()
        told = self._perform("review_list", {**chosen, "limit": PAGE, "offset": offset}, who)
        items = self._look([item["item"] for item in told["items"]], who)

        def link(**more: object) -> str:
            return "?" + urlencode({**chosen, **more})

        return forms.page(
            "review.html", who, told=told, items=items, offset=offset, size=PAGE, link=link,
            chosen=dict.fromkeys(_FILTERS, "") | chosen,
        )  # fmt: skip

    def item(self, kind: str, key: str) -> ResponseReturnValue:
        """Show one item with everything needed to decide, and the forms to do it."""
        return self._item(f"{kind}/{key}", "")

    def _item(self, name: str, refusal: str) -> Response:
        who = _reviewer()
        told = self._perform("review_show", {"item": name}, who)
        (shown,) = self._look([told["item"]], who)
        response = forms.page(
            "review_item.html", who, told=told, item=shown, refusal=refusal,
            waiting="waiting" in request.args,
        )  # fmt: skip
        response.status_code = 409 if refusal else 200
        return response

    def decide(self, kind: str, key: str, act: str) -> ResponseReturnValue:
        """Do one act, then show the next item; a refusal is shown beside the item."""
        who = _reviewer()
        forms.demand_word()
        if act not in _ACTS:
            raise BadInput(f"There is no act {act[:20]!r}.")
        name = f"{kind}/{key}"
        given = request.form.get("on", "") or name
        try:
            done = self._perform(f"review_{act}", {**_arguments(), "item": given}, who)
        except RdfkmsError as err:
            if err.http_status not in (400, 403, 409):
                raise
            return self._item(name, str(err))
        if done.get("waiting"):
            return redirect(f"/review/{given}?waiting=1", 303)
        return redirect(_next(self._perform, name, act, who), 303)

    def undo(self, key: str) -> ResponseReturnValue:
        """Take back a decision and show what it was about."""
        who = _reviewer()
        forms.demand_word()
        back = request.form.get("back", "/review")
        given = {"decision": key, "note": request.form.get("note", "")}
        try:
            self._perform("review_undo", given, who)
        except RdfkmsError as err:
            name = back.removeprefix("/review/")
            if err.http_status != 409 or name.count("/") != 1:
                raise
            return self._item(name, str(err))
        return redirect(back if back.startswith("/review") else "/review", 303)

    def decisions(self) -> ResponseReturnValue:
        """List the newest decisions, each with a button to take it back."""
        who = _reviewer()
        told = self._perform("review_decisions", {"limit": 100}, who)
        agreed = self._perform("review_agreement", {}, who)
        return forms.page("review_decisions.html", who, told=told, agreed=agreed)


def _next(perform: Perform, name: str, act: str, who: Principal) -> str:
    """The address of what comes next: the item itself where it still waits."""
    if act in ("assign", "second", "opine", "rank"):
        return f"/review/{name}"
    told = perform("review_list", {"limit": 1}, who)
    return f"/review/{told['items'][0]['item']}" if told["items"] else "/review"


def _arguments() -> dict[str, Any]:
    """What a form says; an empty field says nothing."""
    given: dict[str, Any] = {}
    for name, text in request.form.items():
        if name in _FLAGS:
            given[name] = True
        elif name == "start" and text.strip():
            if not text.strip().isdecimal():
                raise BadInput("The place where a quote begins is a number.")
            given[name] = int(text.strip())
        elif name not in ("word", "on") and text.strip():
            given[name] = text if name in ("quote", "verbatim") else text.strip()
    return given


def _offset() -> int:
    text = request.args.get("offset", "0")
    if not text.isdecimal() or len(text) > 9:
        raise BadInput("'offset' must be a number.")
    return int(text)


def _reviewer() -> Principal:
    return forms.signed_in(Role.CONTRIBUTOR, "The review queue is for staff.")
