"""An archivist edits a description in headless Chromium: without JavaScript, wide and narrow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rdfkms.app import composition, operations
from rdfkms.knowledge import decoding
from rdfkms.ledger import tokens
from rdfkms.model import Role
from rdfkms.web.languages import NAMES
from tests.browser.conftest import NARROW, WIDE
from tests.browser.test_accessibility import AXE, faults
from tests.tools.service import Service, serving

pytestmark = pytest.mark.browser
FILES = Path(__file__).parent.parent / "golden" / "describing"
OPEN = "document.querySelectorAll('details').forEach((d) => d.open = true)"


@dataclass(frozen=True)
class Served:
    """A served archive, the token of a reviewer, and a series that is described."""

    service: Service
    token: str
    series: str


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    root = tmp_path_factory.mktemp("amending") / "A"
    operations.perform(root, "describe", {"paths": [str(FILES)]})
    with composition.writing(root, "tokens") as app:
        token = tokens.add(app.work, "eva", Role.REVIEWER)
        named = list(decoding.all_claims(app.ledger.store, app.base))
        series = next(c for c in named if c.value and c.value.lexical == "Pilots' journals")
    with serving(root) as service:
        yield Served(service, token, series.subject.path)


def visit(chromium: Any, served: Served, size: tuple[int, int], **more: Any) -> Any:
    """Return the page of the series, as a reviewer who signed in sees it."""
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, **more)
    page = context.new_page()
    page.goto(f"{served.service.address}/review/sign-in")
    page.fill("#token", served.token)
    page.locator("main button").click()
    page.goto(f"{served.service.address}/page/{served.series}")
    return page


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_value_is_replaced_added_taken_out_and_undone(
    chromium: Any, served: Served, size: tuple[int, int]
) -> None:
    page = visit(chromium, served, size, java_script_enabled=False)
    was = page.locator("h1").inner_text()
    page.get_by_role("link", name="Edit the description").click()
    name = page.get_by_role("region", name="is named as")
    name.locator("summary", has_text="Edit").click()
    name.get_by_label("Value").first.fill("Journals of the pilots")
    name.get_by_label("Why").first.fill("so on the spine")
    name.get_by_role("button", name="Replace").click()
    assert page.locator("h1").inner_text() == "Journals of the pilots"
    note = page.get_by_role("status")
    assert "Written." in note.inner_text()
    assert note.bounding_box()["y"] < size[1], "what came of it is in sight"
    note.get_by_role("button", name="Undo").click()
    assert page.locator("h1").inner_text() == was

    for summary in page.locator("details.empty > summary").all():
        summary.click()
    scope = page.get_by_role("region", name="scope and content")
    scope.locator("summary", has_text="Add").click()
    scope.get_by_label("Value").fill("Two hands.\n\nIn pencil.")
    scope.get_by_label("Language").fill("de")
    scope.get_by_role("button", name="Add").click()
    scope = page.get_by_role("region", name="scope and content")
    assert "In pencil." in scope.locator(".statement .value").inner_text()
    assert scope.locator(".written").get_attribute("lang") == "de"
    scope.locator("summary", has_text="Edit").click()
    scope.get_by_role("button", name="Take out").click()
    scope = page.get_by_role("region", name="scope and content")
    assert scope.locator(".statement").count() == 0
    assert "Written." in scope.get_by_role("status").inner_text()
    page.context.close()


def test_what_is_refused_keeps_the_words_in_the_open_form(chromium: Any, served: Served) -> None:
    page = visit(chromium, served, NARROW, java_script_enabled=False)
    page.get_by_role("link", name="Edit the description").click()
    rank = page.get_by_role("region", name="place in the sequence")
    rank.locator("summary", has_text="Edit").click()
    rank.get_by_label("Number").first.fill("first")
    rank.get_by_role("button", name="Replace").click()
    rank = page.get_by_role("region", name="place in the sequence")
    box = rank.get_by_label("Number").first
    assert (box.input_value(), box.get_attribute("aria-invalid")) == ("first", "true")
    told = page.locator("#" + box.get_attribute("aria-describedby"))
    assert told.get_attribute("role") == "alert"
    assert "needs a value of the kind integer" in told.inner_text()
    assert told.bounding_box()["y"] < NARROW[1], "why it was refused is in sight"
    page.context.close()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_form_fits_its_window_and_has_no_serious_fault(
    chromium: Any, served: Served, size: tuple[int, int]
) -> None:
    if not AXE.is_file():
        pytest.skip("no axe-core: npm ci in tests/clients/")
    page = visit(chromium, served, size)
    complaints: list[str] = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    found = faults(page, "entity")
    page.get_by_role("link", name="Edit the description").click()
    address = page.url
    for language in NAMES:
        page.goto(f"{address}?lang={language}")
        page.evaluate(OPEN)
        found += faults(page, language, axe=language in ("en", "zh"))
    page.goto(f"{address}?lang=en")
    page.evaluate(OPEN)
    link = page.get_by_role("region", name="created or gathered by")
    link.get_by_label("Name of the thing").fill("Port Selene")
    link.get_by_role("button", name="Add").click()
    page.get_by_role("alert").wait_for()
    assert page.get_by_role("radio").count() >= 2
    page.evaluate(OPEN)
    found += faults(page, "choices")
    page.emulate_media(color_scheme="dark")
    found += faults(page, "dark")
    page.context.close()
    assert found == []
    assert [c for c in complaints if "409" not in c] == []
