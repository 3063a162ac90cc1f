"""`enrich`: machine text about passages, kept beside them and marked as what it is (R21)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pyoxigraph import NamedNode, Quad, Triple

import rdfkms
from rdfkms import backends
from rdfkms.admission.shapes import ShapesGate
from rdfkms.app.asking import asking
from rdfkms.app.building import all_units
from rdfkms.app.composition import App
from rdfkms.errors import Broken
from rdfkms.knowledge import decoding, enrichments
from rdfkms.knowledge.enrichments import Enrichment, Extractive
from rdfkms.knowledge.proposers.calls import in_order
from rdfkms.knowledge.proposers.describing import Describer
from rdfkms.ledger import usage
from rdfkms.ledger.ledger import Activity, Change
from rdfkms.ledger.work import now
from rdfkms.model import EvidenceUnit, Principal, Record, Run
from rdfkms.pipeline.writing import in_graph, run_quads
from rdfkms.vocab import KMS, TYPE, key_of

Report = Callable[[str, int, int], None]
Arguments = Mapping[str, Any]


def enrich(app: App, arguments: Arguments, principal: Principal, report: Report) -> dict[str, Any]:
    """Describe the passages of records (default: all); returns the run report.

    By the language model of the settings, or without one (`extractive`) by their own words.
    """
    keys = [str(record).rpartition("/")[2] for record in arguments.get("records", ())]
    records = [decoding.record(app.ledger.store, app.base, k) for k in keys or app.record_keys()]
    by_model = bool(app.settings.models.llm_url) and not arguments.get("extractive")
    main = Run(
        key_of("enrich", rdfkms.__version__, app.settings.model_dump_json(), by_model, *keys),
        "enrich", "rdfkms", rdfkms.__version__, json.dumps({"by_model": by_model}),
        rdfkms.__version__,
    )  # fmt: skip
    app.work.begin_run(main)
    work = _Enriching(app, principal, main, ShapesGate(), by_model)
    for number, record in enumerate(records, 1):
        work.record(record, [unit for _, unit in all_units(app, [record])])
        report("records", number, len(records))
    app.indexes.update(app.ledger)
    result = {
        "ok": True,
        "run": main.key,
        "revision": app.ledger.revision,
        "records": len(records),
        "units": work.units,
        "enrichments": work.made,
        "faults": [asdict(fault) for fault in app.work.faults(main.key)],
        "usage": usage.report(app.work, main.key),
        "ended": now(),
    }
    app.work.end_run(main.key, "done", json.dumps(result))
    return result


class _Enriching:
    """One run over records: asks, checks against the shapes, commits record by record."""

    def __init__(
        self, app: App, principal: Principal, main: Run, shapes: ShapesGate, by_model: bool
    ) -> None:
        self._app = app
        self._principal = principal
        self._main = main
        self._shapes = shapes
        self._asking = None
        if by_model:
            model = backends.load("llm", "openai")(app.settings.models)
            self._asking = asking(model, app.settings.models, app.work, app.mapping, main.key)
        self.units = 0
        self.made = 0

    def record(self, record: Record, units: Sequence[EvidenceUnit]) -> None:
        """Describe the passages of one record and commit what is new."""
        own: Extractive | Describer = Extractive(units)
        budget, width = None, 1
        if self._asking is not None:
            own = Describer(self._asking.caller, Extractive(units))
            budget, width = self._asking.budget, self._app.settings.models.concurrency
        told = list(in_order(own.describe, units, width, budget, "enrich"))
        if self._asking is not None:
            self._app.work.add_faults(self._main.key, self._asking.faults(record, "all"))
        part = Run(
            key_of("enrich", self._main.key, own.name, own.version), "enrich", own.name,
            own.version, "", rdfkms.__version__,
        )  # fmt: skip
        with self._app.ledger.frozen():  # the record stays open or closed while it is written
            self._commit(record, [found for _, found in told], part)
        self.units += len(told)
        self.made += sum(len(found) for _, found in told)

    def _commit(self, record: Record, told: Sequence[tuple[Enrichment, ...]], part: Run) -> None:
        store, base = self._app.ledger.store, self._app.base
        remove: list[Quad] = []
        add: list[Quad] = []
        for found in told:
            for one in found:
                made = enrichments.triples(one, part.key, base)
                self._demand_shape(one, made)
                add += in_graph(made, self._graph_of(one.unit))
            for unit in {one.unit for one in found}:
                remove += enrichments.stored(store, base, unit)
        fresh = [quad for quad in add if not store.contains(quad)]
        gone = set(remove) - set(add)
        if fresh or gone:
            runs = run_quads(self._main, [part], base)
            activity = Activity("enrich", f"record/{record.key}", self._main.key)
            change = Change(activity, add=(*fresh, *runs), remove=tuple(sorted(gone, key=str)))
            self._app.ledger.commit(change, self._principal)

    def _graph_of(self, unit: str) -> NamedNode:
        """Return the graph in which the unit stands: machine text is seen by whom it is."""
        base, iri = self._app.base, self._app.base.iri("evidence", unit)
        known = Quad(iri, TYPE, KMS("EvidenceUnit"), base.public)
        return base.public if self._app.ledger.store.contains(known) else base.internal

    def _demand_shape(self, one: Enrichment, made: Sequence[Triple]) -> None:
        base = self._app.base
        unit = Triple(base.iri("evidence", one.unit), TYPE, KMS("EvidenceUnit"))
        node = base.iri("enrichment", one.key)
        found = self._shapes.validate([*made, unit], [node])
        if found:
            said = "; ".join(reason.sentence for reason in found[node])
            raise Broken(
                f"The machine text of {base.iri('evidence', one.unit).value} breaks a shape: "
                f"{said}",
                hint="This is a fault of rdfkms or of its shapes/: please report it.",
            )
