"""Exports of what is public: EDM records for aggregators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rdfkms.access import ANONYMOUS
from rdfkms.app.composition import App
from rdfkms.publish.edm import building, export, tables
from rdfkms.publish.edm.official import Validator
from rdfkms.publish.views import scope_of

Report = Callable[[str, int, int], None]


def edm(
    app: App, target: Path | None, xsd: Path | None, schematron: Path | None, report: Report
) -> dict[str, Any]:
    """Write the public records as EDM and say what the others lack.

    Without a target they are only checked. Raises what `export.export` and `Validator` raise.
    """
    tables.load()
    validator = Validator(xsd, schematron) if xsd or schematron else None
    told = app.settings.publishing
    done = export.export(
        scope_of(app.ledger.store, app.base, app.mapping, ANONYMOUS),
        building.publisher(app.settings, app.mapping),
        target,
        validator,
        lambda step, steps: report("records", step, steps),
    )
    return {
        "ok": not done.lacking,
        "records": done.records,
        "written": done.written if target is not None else 0,
        "target": str(target) if target is not None else "",
        "tiers": dict(sorted(done.tiers.items())),
        "country": told.country,
        "language": told.language,
        "lacking": {
            app.base.iri("record", key).value: [
                {"element": f.element, "sentence": f.sentence, "remedy": f.remedy} for f in found
            ]
            for key, found in sorted(done.lacking.items())
        },
        "revision": app.ledger.revision,
    }
