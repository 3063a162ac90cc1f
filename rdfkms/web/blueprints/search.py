"""The search page: names, and passages with the matched words marked and their page crop."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

blueprint = Blueprint("search", __name__)

LONGEST = 400


@blueprint.get("/search")
def search() -> ResponseReturnValue:
    """Show what is found for ``?q=``."""
    query = request.args.get("q", "").strip()[:LONGEST]
    return render_template("search.html", query=query, names=[], hits=[], notice="")
