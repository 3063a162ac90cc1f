"""A whole run that asks a server: what it says is judged, counted, shown, and survives a death."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rdfkms.app import composition, operations
from rdfkms.errors import Unavailable
from rdfkms.knowledge import decoding
from rdfkms.ledger import tokens
from rdfkms.model import Principal, Role
from rdfkms.web import create_app
from rdfkms.web.services import services_of
from tests.tools.model_server import Body, Handler, completion, serving

EVA = Principal("eva", Role.CONTRIBUTOR)
PAGES = {
    f"registro-p{n}.md": f"# Registro\n\n{name}: treinta años, fue juez de Castrovil en {n}.\n"
    for n, name in enumerate(("Rosa Ferrer", "Luis Vidal", "Ana Gil", "Juan Soler"), 1)
}


def answer(asked: str) -> str:
    if '"ready"' in asked:
        return '{"ready": "yes"}'
    if "Statement" in asked:
        return json.dumps({"stated": "no", "quote": None, "ambiguity": None})
    unit = re.search(r"Id of the passage: (\S+)", asked)
    name = re.search(r"([A-Z]\w+ [A-Z]\w+): treinta", asked)
    assert unit and name
    quote = re.search(rf"{name[1]}: treinta años, fue juez", asked)
    assert quote
    return json.dumps({
        "unit": unit[1],
        "mentions": [{"type": "Person", "text": name[1], "quote": name[1]},
                     {"type": "Title", "text": "juez", "quote": "juez"}],
        "statements": [{"name": "OfficeHolding", "subject": name[1], "subject_type": "Person",
                        "object": "juez", "object_type": "Title", "value": None, "time": None,
                        "cue": "fue", "quote": quote[0]}],
        "events": [{"number": 1, "type": "LearningEvent", "trigger": "juez", "quote": "juez"}],
        "arguments": [{"event": 1, "role": "participant", "object": name[1],
                       "object_type": "Person", "value": None, "quote": quote[0]}],
        "uncertainties": [{"about": "place", "question": "Which Castrovil?", "quote": "Castrovil"}],
    })  # fmt: skip


def good(handler: Handler, body: Body) -> None:
    handler.answer(completion(answer(body["messages"][-1]["content"]), tokens=(100, 20)))


def archive(tmp_path: Path, url: str, **more: Any) -> tuple[Path, Path]:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "records.toml").write_text('[[records]]\nmatch = "*.md"\nprofile = "register"\n')
    root = tmp_path / "A"
    operations.create(root, title="T", base="", profile="plain")
    told = {"llm_url": url, "llm_model": "m", "timeout": 5.0, "embedder": "none", **more}
    with (root / "archive.toml").open("a") as out:
        lines = "\n".join(f"{name} = {json.dumps(value)}" for name, value in told.items())
        out.write(f"\n[models]\n{lines}\n")
    return root, folder


def test_a_run_counts_what_models_took_and_shows_it_to_staff(tmp_path: Path) -> None:
    with serving(good) as server:
        root, folder = archive(tmp_path, server.url, price_in=1.0, price_out=5.0)
        report = operations.perform(root, "run", {"paths": [str(folder)], "jobs": 1})
    used = report["usage"]
    assert (used["calls"], used["tokens_in"], used["tokens_out"]) == (8, 800, 160)
    assert used["purposes"]["confirm"]["calls"] == 4
    assert used["cost"] == pytest.approx((800 * 1 + 160 * 5) / 1e6)
    assert report["reasons"]["statedUncertain"] == 4
    with composition.writing(root, "test") as app:
        secret = tokens.add(app.work, "rev", Role.REVIEWER)
        client = create_app(services_of(app)).test_client()
        page = f"/page/run/{report['run']}"
        assert "What models took" not in client.get(page).get_data(as_text=True)
        staff = client.get(page, headers={"Authorization": f"Bearer {secret}"})
        assert "800 in, 160 out" in staff.get_data(as_text=True)
        (record,) = app.record_keys()
        units = decoding.units_of_record(app.ledger.store, app.base, record)
        told = operations.perform_here(app, "record_proposals", {"record": record}, EVA)
        names = ("entities", "relations", "events", "uncertainties")
        said = {n: [o for o in told[n] if o["proposer"].startswith("model:")] for n in names}
    assert [len(said[n]) for n in names] == [
        8, 4, 4, 4,
    ]  # fmt: skip
    by_key = {unit.key: unit for unit in units}
    for records in said.values():
        for one in records:
            unit = by_key[one["evidence_unit_id"]]
            assert unit.raw.text[one["start"] : one["end"]] == one["quote"]
            assert one["source_id"] == unit.source
            assert one["locator"]["page"] == unit.page_label
            assert one["status"] in ("admitted", "quarantined", "rejected")
    assert all(one["arguments"][0]["role"] == "participant" for one in said["events"])
    # The second question was answered with no; a rule says the same and needs no model.
    assert {one["status"] for one in said["relations"]} == {"admitted"}
    assert all("sameStatement" in one["reasons"] for one in said["relations"])


def test_a_run_whose_server_dies_is_taken_up_where_it_stood(tmp_path: Path) -> None:
    state = {"left": 3}

    def dying(handler: Handler, body: Body) -> None:
        if state["left"] <= 0:
            handler.connection.close()
            return
        state["left"] -= "ready" not in body["messages"][-1]["content"]
        good(handler, body)

    with serving(dying) as server:
        root, folder = archive(tmp_path, server.url)
        asked = {"paths": [str(folder)], "jobs": 1}
        with pytest.raises(Unavailable):
            operations.perform(root, "run", asked)
        with composition.reading(root) as app:
            done = sum(1 for _ in app.work.candidates())
        assert done > 0  # the first page is in
        server.behave = good
        before = len(server.requests)
        report = operations.perform(root, "run", asked)
        calls = [
            b for _, b in server.requests[before:] if '"ready"' not in b["messages"][-1]["content"]
        ]
    assert report["usage"]["calls"] == 8
    assert len(calls) == 8 - 3
    assert report["reasons"]["statedUncertain"] == 4


def test_a_document_over_its_budget_is_a_fault_of_the_report(tmp_path: Path) -> None:
    with serving(good) as server:
        root, folder = archive(tmp_path, server.url, max_tokens_per_document=400)
        report = operations.perform(root, "run", {"paths": [str(folder)], "jobs": 1})
    assert report["usage"]["calls"] == 4
    assert len(report["faults"]) == 2
    assert all("its 400 tokens" in fault["reason"] for fault in report["faults"])
    assert report["verdicts"]["pending"] == 0
