"""Requests that keep status, headers and body, and redirects that are not followed."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
import warnings
from dataclasses import dataclass
from email.message import Message
from typing import Any

import rdflib


@dataclass(frozen=True)
class Answer:
    """Status, headers and body of an answer."""

    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8")

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def type(self) -> str:
        """The media type without parameters."""
        return self.headers["Content-Type"].partition(";")[0].strip()

    @property
    def graph(self) -> rdflib.Graph:
        """The body as RDF."""
        with warnings.catch_warnings():
            # rdflib's own parser of JSON-LD warns of what rdflib calls.
            warnings.simplefilter("ignore", DeprecationWarning)
            return rdflib.Graph().parse(data=self.body, format=self.type)


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_Stay)


def fetch(url: str, accept: str = "*/*", method: str = "GET", **headers: str) -> Answer:
    """Return the answer to a request, whatever its status; redirects are not followed."""
    sent = {"Accept": accept, **{k.replace("_", "-"): v for k, v in headers.items()}}
    request = urllib.request.Request(url, headers=sent, method=method)
    try:
        with _opener.open(request, timeout=60) as got:
            return Answer(got.status, got.headers, got.read())
    except urllib.error.HTTPError as err:
        with err:
            return Answer(err.code, err.headers, err.read())
