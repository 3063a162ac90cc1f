"""The SPARQL 1.1 Protocol: queries and updates by GET and both kinds of POST (W3C, section 2)."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from flask import Response, make_response, request
from werkzeug.exceptions import RequestEntityTooLarge

from rdfkms.errors import BadInput, Denied, RdfkmsError, TooLarge
from rdfkms.publish import negotiation
from rdfkms.publish.dataset import Dataset, Update
from rdfkms.publish.dataset import Request as QueryRequest
from rdfkms.publish.dataset import Response as Answer
from rdfkms.publish.endpoint import single
from rdfkms.web.protocols import answers

QUERY_TYPE, UPDATE_TYPE = "application/sparql-query", "application/sparql-update"
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
METHODS = "GET, HEAD, POST, OPTIONS"


@dataclass(frozen=True, slots=True)
class Editor:
    """The pages for people: the empty editor, an answer shown in it, and a refused query."""

    empty: Callable[[], str]
    shown: Callable[[str, Answer], str]
    refused: Callable[[str, RdfkmsError], str]


@dataclass(frozen=True, slots=True)
class SparqlProtocol:
    """Answers the requests at one address.

    `admit` lends the place of one running query, or raises; `address` is how the service calls
    itself; without an `editor` there are no pages.
    """

    dataset: Dataset
    address: str
    admit: Callable[[], AbstractContextManager[object]]
    editor: Editor | None = None

    def respond(self) -> Response:
        """Return the answer to the present request; refusals are answers too."""
        text = ""
        try:
            asked = self._asked()
            if isinstance(asked, Update):
                return answers.crossing(self._updated(asked))
            if not asked:
                return answers.crossing(self._without_query())
            text = asked[0]
            return answers.crossing(self._answered(single("query", asked)))
        except RdfkmsError as error:
            return answers.crossing(answers.refusal(error, self._page_of(text)))
        except RequestEntityTooLarge:
            large = TooLarge("The request is too large.", hint="Send a shorter query.")
            return answers.crossing(answers.refusal(large, self._page_of(text)))

    def _page_of(self, text: str) -> answers.Page | None:
        editor = self.editor
        if editor is None:
            return None
        return lambda error: editor.refused(text, error)

    # ---- what is asked ---------------------------------------------------------------------------

    def _asked(self) -> list[str] | Update:
        """Return the query texts of the request, or its update; no text for a plain GET."""
        if "update" in request.args:
            raise self._refused_update() or BadInput("An update is sent by POST, never by GET.")
        if request.method != "POST":
            return [text for text in request.args.getlist("query") if text.strip()]
        kind = request.mimetype
        if kind == UPDATE_TYPE:
            return self._update(lambda: [self._body("update")], request.args.getlist)
        if kind == QUERY_TYPE:
            return [self._body("query"), *request.args.getlist("query")]
        if kind not in FORM_TYPES:
            raise answers.UnknownType(
                f"A body of type '{kind[:60]}' is not understood.",
                hint=f"Send {QUERY_TYPE} or a form with the field query.",
            )
        if "update" in request.form:
            return self._update(lambda: request.form.getlist("update"), request.values.getlist)
        texts = request.form.getlist("query") + request.args.getlist("query")
        if not texts:
            raise BadInput("The form has no field query.")
        return texts

    def _update(
        self, texts: Callable[[], list[str]], parameters: Callable[[str], list[str]]
    ) -> Update:
        refused = self._refused_update()
        if refused is not None:
            raise refused
        return Update(
            single("update", texts()),
            tuple(parameters("using-graph-uri")),
            tuple(parameters("using-named-graph-uri")),
            self.address,
        )

    def _refused_update(self) -> Denied | None:
        return Denied(self.dataset.read_only) if self.dataset.read_only else None

    def _body(self, what: str) -> str:
        return answers.body_text(4 * self.dataset.settings.max_query_chars, what)

    def _read(self, text: str) -> QueryRequest:
        values = request.values
        return QueryRequest(
            query=text,
            default_graphs=tuple(values.getlist("default-graph-uri")),
            named_graphs=tuple(values.getlist("named-graph-uri")),
            format=values.get("format", ""),
            accept=request.headers.get("Accept", ""),
            timeout=_seconds(values.get("timeout", "")),
            known=answers.known_tags(),
            html=self.editor is not None,
            base=self.address,
        )

    # ---- what is answered ------------------------------------------------------------------------

    def _answered(self, text: str) -> Response:
        with self.admit():
            answer = self.dataset.answer(self._read(text))
            is_page = answer.media_type in negotiation.HTML.media_types
            if is_page and answer.body is not None and self.editor is not None:
                with answer.body:
                    page = make_response(self.editor.shown(text, answer))
                # No tag: a page is also made of the reader's language.
                return answers.tagged(page, replace(answer, tag=""))
        return answers.sent(answer)

    def _updated(self, asked: Update) -> Response:
        with self.admit():
            self.dataset.update(asked)
        return make_response("", 204)

    def _without_query(self) -> Response:
        """Return the editor for people, for programs the description of the service."""
        data = (*negotiation.DATA, negotiation.TRIG, negotiation.N_QUADS)
        offers = (negotiation.HTML, *data) if self.editor else data
        name, accept = request.args.get("format", ""), request.headers.get("Accept", "")
        form = negotiation.by_name(name, offers) if name else negotiation.best(accept, offers)
        if form is None or not (name or accept.strip(" */,;q=.0123456789")):
            form = offers[0]
        if form is negotiation.HTML and self.editor is not None:
            response = make_response(self.editor.empty())
        else:
            described = self.dataset.describe(self.address)
            response = make_response(negotiation.serialise(described, form))
            response.mimetype = form.media_type
        response.headers["Cache-Control"] = "no-cache"
        response.vary.add("Accept")
        return response


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text) if text else None
    except ValueError as err:
        raise BadInput("timeout is a number of seconds.") from err
    if seconds is not None and not math.isfinite(seconds):
        raise BadInput("timeout is a number of seconds.")
    return seconds
