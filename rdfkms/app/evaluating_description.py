"""Describes each pair of the gold in an archive of its own and exports it, to be compared."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rdfkms.app import composition, describing
from rdfkms.app.composition import OWNER, App
from rdfkms.errors import BadInput
from rdfkms.evaluation import description
from rdfkms.evaluation.description import Exported
from rdfkms.evaluation.tools import Report
from rdfkms.ledger.archive import Archive
from rdfkms.publish.rico import practice as practices
from rdfkms.publish.rico.description import export
from rdfkms.publish.rico.practice import Practice
from rdfkms.publish.views import Scope, key_in, scope_of, text_of
from rdfkms.settings import Settings

_IDENTIFIER = re.compile(r"<(?:recordId|recordid|eadid)\b[^>]*>([^<]*)<")
HEAD = """\
# Descriptions in and out again: RiC-O against gold pairs

Each pair is described in an archive of its own (with the linked records beside it), exported as
RiC-O by `rdfkms export rico` and held against the RiC-O that is expected of it. Measured by
`rdfkms evaluate description --gold DIR --practice FILE --markdown FILE`; practice: {practice}.

"""


def evaluate(gold: Path, practice: Path | None, report: Report) -> dict[str, Any]:
    """Return how much of the RiC-O of the pairs below `gold` comes out (`description.evaluate`).

    `practice` is a TOML file of what the institution of the pairs adds by rule; raises what
    `practice.load` and `description.evaluate` raise.
    """
    rules = practices.load(practice) if practice is not None else Practice()

    def exported(path: Path, linked: Sequence[Path]) -> Exported:
        return _exported(path, linked, rules)

    done = description.evaluate(gold, exported, report)
    return {"practice": practice.name if practice is not None else "", **done}


def page(result: Mapping[str, Any]) -> str:
    """Return the figures as a page in Markdown, with how they were measured."""
    return description.markdown(result, HEAD.format(practice=result["practice"] or "none"))


def _exported(path: Path, linked: Sequence[Path], rules: Practice) -> Exported:
    with tempfile.TemporaryDirectory(prefix="rdfkms-description-") as folder:
        root = Path(folder) / "archive"
        Archive.create(root, Settings(title="A throw-away archive"))
        with composition.writing(root, "evaluate") as app:
            own = _identifier(path)
            _describe(app, [one for one in linked if _identifier(one) != own])
            done = _describe(app, [path])
            scope = scope_of(app.ledger.store, app.base, app.mapping, OWNER)
            for fault in done["faults"]:
                if fault["place"] == "the file":
                    raise BadInput(fault["reason"])
            triples = export(scope, _record(scope, path.name), rules)
        return Exported(triples, done["unmapped"])


def _describe(app: App, paths: Sequence[Path]) -> dict[str, Any]:
    if not paths:
        return {}
    told = {"paths": [str(path) for path in paths]}
    return describing.describe(app, told, OWNER, lambda *_: None)


def _identifier(path: Path) -> str:
    """Return the identifier of a description file, or its name: a folder may hold one twice."""
    found = _IDENTIFIER.search(path.read_text(encoding="utf-8", errors="replace"))
    return found[1].strip() if found else path.name


def _record(scope: Scope, name: str) -> str:
    for row in scope.select("publishing/description_files"):
        if text_of(row["file"]) == name:
            return key_in(scope, row["record"])
    raise BadInput(f"{name} says nothing that could come out.")
