"""/page/.../describe: the fields of a description as plain forms, for archivists in a browser.

One form for each value, and one to add a value to a field. What the gate refuses comes back with
the words that were entered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from rdfkms.app.amending import Called
from rdfkms.errors import BadInput, RdfkmsError
from rdfkms.model import Principal, Ref, Role
from rdfkms.publish import entities
from rdfkms.publish.views import Link, Scope
from rdfkms.web import forms
from rdfkms.web.languages import DEFAULT, gettext
from rdfkms.web.site import page_scope

Perform = Callable[[str, dict[str, Any], Principal], dict[str, Any]]
See = Callable[[Ref, Scope], dict[str, Any]]
Find = Callable[[Ref, str, str, Principal], Called]
_PARTS = ("value", "edtf", "language", "object", "note", "seen")
_LINES = ("namedAs", "description/identifier", "description/level", "description/container")
_KEY = re.compile(r"[0-9a-f]{8,64}\Z")
_SHOWN_AGAIN = (400, 404, 409)


def blueprint(perform: Perform, see: See, find: Find) -> Blueprint:
    """Return the blueprint.

    `perform` does an operation, `see` gives the fields of a thing, `find` the things that a field
    of it may lead to and that are called so.
    """
    pages, views = Blueprint("amending", __name__), _Views(perform, see, find)
    path = "/page/<kind>/<key>/describe"
    pages.add_url_rule(path, "describe", views.show)
    pages.add_url_rule(path, "amend", views.write, methods=["POST"])
    pages.add_url_rule(f"{path}/undo/<decision>", "undo", views.undo, methods=["POST"])
    return pages


class _Unclear(BadInput):
    """A name of no thing, or of several; said in the language of the page."""


class _Views:
    """The form of a thing, and what is done by it."""

    def __init__(self, perform: Perform, see: See, find: Find) -> None:
        self._perform = perform
        self._see = see
        self._find = find

    def show(self, kind: str, key: str) -> ResponseReturnValue:
        """Show the fields of a thing with what stands in them."""
        return self._show(_archivist(), Ref(kind, key))

    def _show(
        self,
        who: Principal,
        ref: Ref,
        refusal: RdfkmsError | None = None,
        entered: Mapping[str, str] | None = None,
        choices: Sequence[Link] = (),
    ) -> ResponseReturnValue:
        scope = page_scope()
        told = self._see(ref, scope)
        if told["thing"] != ref.path and entered is None:
            return redirect(f"/page/{told['thing']}/describe", 303)
        made, waits = (_key(request.args.get(name, "")) for name in ("done", "waits"))
        at = (entered or request.args).get("field", "")
        known = {one["field"] for one in told["fields"]}
        response = forms.page(
            "describe.html", who,
            head=entities.heading(scope, Ref(*told["thing"].split("/"))), told=told,
            themes=_by_theme(told["fields"]), refusal=refusal, lines=_LINES,
            refusal_language="" if isinstance(refusal, _Unclear) else DEFAULT,
            at=at if at in known else "",
            entered=_placed(told["fields"], entered or {}), choices=choices,
            done=made, waits=waits,
        )  # fmt: skip
        response.status_code = 409 if refusal else 200
        return response

    def write(self, kind: str, key: str) -> ResponseReturnValue:
        """Write one value or take it out, and show the form again."""
        who, ref = _archivist(), Ref(kind, key)
        forms.demand_word()
        entered = {name: request.form.get(name, "") for name in (*_PARTS, "field", "replaces")}
        act = request.form.get("act", "")
        if act not in ("write", "remove"):
            raise BadInput(f"There is no act {act[:20]!r}.")
        choices: Sequence[Link] = ()
        try:
            if act == "remove":
                done = self._perform("amend_remove", {
                    "thing": ref.path, "claim": entered["replaces"], "note": entered["note"],
                    "seen": entered["seen"],
                }, who)  # fmt: skip
            else:
                chosen = request.form.get("chosen", "") or entered["object"].strip()
                if chosen and "/" not in chosen:
                    found = self._find(ref, entered["field"], chosen, who)
                    choices = found.things
                    chosen = _sole(found)
                given = {name: text for name, text in entered.items() if text.strip()}
                done = self._perform("amend", {**given, "object": chosen, "thing": ref.path}, who)
        except RdfkmsError as err:
            if err.http_status not in _SHOWN_AGAIN:
                raise
            return self._show(who, ref, err, entered, choices)
        return redirect(_after(ref, done, entered["field"]), 303)

    def undo(self, kind: str, key: str, decision: str) -> ResponseReturnValue:
        """Take back what was done last, and show the form again."""
        who, ref = _archivist(), Ref(kind, key)
        forms.demand_word()
        field = request.form.get("field", "")[:100]
        try:
            self._perform("review_undo", {"decision": decision}, who)
        except RdfkmsError as err:
            if err.http_status not in _SHOWN_AGAIN:
                raise
            return self._show(who, ref, err, {"field": field, "replaces": ""})
        at = f"?field={quote(field, safe='')}#{quote(field)}" if field else ""
        return redirect(f"/page/{ref.path}/describe{at}", 303)


def _key(text: str) -> str:
    """Return a key that an address gives, "" for what is none."""
    return text if _KEY.match(text) else ""


def _archivist() -> Principal:
    return forms.signed_in(Role.REVIEWER, gettext("Descriptions are edited by reviewers."))


def _sole(found: Called) -> str:
    """Return the path of the one thing that is called so; raises `_Unclear` for none or several."""
    if found.sole is not None:
        return found.sole.path
    if found.things:
        raise _Unclear(gettext("Several things are called like this: choose one."))
    raise _Unclear(gettext("Nothing that this field may lead to is called so."))


def _after(ref: Ref, done: dict[str, Any], field: str) -> str:
    """Return the address of the form, at the field that was written."""
    waits = f"&waits={done['claim']}" if done["status"] == "quarantined" else ""
    made = done["decision"]["decision"]
    at = f"field={quote(field, safe='')}"
    return f"/page/{ref.path}/describe?done={made}{waits}&{at}#{quote(field)}"


def _by_theme(fields: list[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the fields by theme: those with values, then, in each, the empty ones."""
    names = dict.fromkeys(one["theme"] for one in fields)
    return [
        (name, sorted((f for f in fields if f["theme"] == name), key=lambda f: not f["values"]))
        for name in names
    ]


def _placed(fields: list[dict[str, Any]], entered: Mapping[str, str]) -> dict[str, str]:
    """Return what was entered with the form to which it belongs, as it stands now.

    What was to replace a value that stands no more is offered as a new one.
    """
    if not entered:
        return {"field": "", "replaces": ""}
    values = [v for f in fields if f["field"] == entered["field"] for v in f["values"]]
    stands = entered["replaces"] in {value["claim"] for value in values}
    return {**entered, "replaces": entered["replaces"] if stands else ""}
