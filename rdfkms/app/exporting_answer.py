"""An answer as an RO-Crate: what was asked, what the sources say, and the evidence to check it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from pyoxigraph import Triple

from rdfkms.access import ANONYMOUS
from rdfkms.app import reading
from rdfkms.app.composition import App
from rdfkms.app.exporting_linked import (
    demand_new,
    described,
    file_of,
    in_new_folder,
    metadata,
)
from rdfkms.errors import BadInput, RdfkmsError
from rdfkms.model import Ref
from rdfkms.publish import negotiation, places, things
from rdfkms.publish.around import rights
from rdfkms.publish.crops import Pictures
from rdfkms.publish.dcat import answer as answers
from rdfkms.publish.dcat.crate import CrateFile
from rdfkms.publish.views import Evidence, Scope, evidences, scope_of

WIDTH = 1200  # pixels of a crop


def answer(app: App, question: str, target: Path) -> dict[str, Any]:
    """Ask, and write what was found to a new folder; says where, and whether it was found.

    Raises `BadInput` without a question, `Conflict` where the folder exists.
    """
    if not question.strip():
        raise BadInput("There is no question.", hint='Example: rdfkms export answer "Who was ...?"')
    path = target.absolute()
    demand_new(path)
    told = reading.ask(app, question)
    scope = scope_of(app.ledger.store, app.base, app.mapping, ANONYMOUS)
    files = in_new_folder(path, lambda draft: _write(app, scope, told, draft))
    return {"target": str(path), "files": [file.path for file in files],
            "found_information": told["found_information"],
            "revision": told["revision"]}  # fmt: skip


def _write(app: App, scope: Scope, told: dict[str, Any], folder: Path) -> list[CrateFile]:
    claims = [_key(one["claim"]) for one in told["statements"]]
    proofs = evidences(scope, [scope.base.iri("claim", key) for key in claims])
    quoted = [one for key in claims for one in proofs.get(key, ())]
    units = [_key(one["iri"]) for one in told["evidence"]]
    cited = [*quoted, *(_cited(one) for one in told["evidence"])]
    files, crops = _crops(app, scope, quoted, folder)
    text = answers.page(told, app.settings.title, crops)
    (folder / answers.PAGE).write_text(text, encoding="utf-8")
    data = json.dumps(told, ensure_ascii=False, indent=1)
    (folder / answers.DATA).write_text(data + "\n", encoding="utf-8")
    triples = _evidence(scope, claims, [*units, *(one.unit for one in quoted)])
    body = negotiation.serialise(triples, negotiation.TURTLE)
    (folder / answers.EVIDENCE).write_bytes(body)
    made = [
        file_of(folder / answers.PAGE, "The answer, to read", ("text/markdown",)),
        file_of(folder / answers.DATA, "The answer, for programs", ("application/json",)),
        file_of(folder / answers.EVIDENCE, "Claims, quotes and passages", ("text/turtle",)),
        *files,
    ]
    sources = rights.sources(scope, cited)
    metadata(folder, answers.metadata(described(app), scope, told, made, sources))
    return made


def _crops(
    app: App, scope: Scope, quoted: list[Evidence], folder: Path
) -> tuple[list[CrateFile], dict[str, str]]:
    """Write the lines of the pages that hold the quotes; a picture that is lost is left out."""
    pictures, files, crops = Pictures(app.archive), [], {}
    for one in quoted:
        claim = scope.base.iri("claim", one.claim).value
        if not one.has_picture or claim in crops:
            continue
        try:
            cut = places.cut_of_claim(scope, app.archive, one.claim, one.pointer)
            data = pictures.crop(cut.picture, cut.region, WIDTH, cut.marks)
        except RdfkmsError:
            continue
        name = f"quote-{one.claim}.jpg"
        (folder / name).write_bytes(data)
        crops[claim] = name
        title = f"The lines of {one.record_title} that hold a quote"
        files.append(file_of(folder / name, title, ("image/jpeg",)))
    return files, crops


def _evidence(scope: Scope, claims: list[str], units: list[str]) -> set[Triple]:
    """Return the data documents of the claims and passages."""
    refs = [Ref("claim", key) for key in claims] + [Ref("evidence", key) for key in units]
    return {triple for ref in dict.fromkeys(refs) for triple in things.document(scope, ref)}


def _cited(one: dict[str, Any]) -> Evidence:
    record = _key(one["record"])
    return Evidence("", "", _key(one["iri"]), record, one["record_title"], one["page_label"],
                    "", "", "", "", 0, 0, has_picture=False)  # fmt: skip


def _key(iri: str) -> str:
    return re.sub(r".*/", "", iri)
