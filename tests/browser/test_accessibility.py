"""axe-core on every kind of page in five languages, wide and narrow (WCAG 2.1 A and AA).

No serious or critical finding is let pass. axe comes from npm (tests/clients).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from rdfkms.ledger import tokens
from rdfkms.model import Role
from rdfkms.web.languages import NAMES
from tests.browser.conftest import NARROW, WIDE
from tests.tools.service import serving
from tests.tools.small_archive import Small, build

pytestmark = pytest.mark.browser
AXE = Path(__file__).parents[1] / "clients" / "node_modules" / "axe-core" / "axe.min.js"
# What axe finds hardly depends on the words: it runs in all languages with RDFKMS_AXE_ALL=1, and
# otherwise in some; that each page fits its window is always tested in all.
EVERY = os.environ.get("RDFKMS_AXE_ALL") == "1"
AXED = {WIDE: tuple(NAMES) if EVERY else ("en", "zh"), NARROW: tuple(NAMES) if EVERY else ("de",)}
RUN = """async () => {
  const found = await axe.run(document, {resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]});
  return found.violations.map((v) => [v.impact, v.id, v.nodes.map((n) => n.html).slice(0, 3)]);
}"""


@pytest.fixture(autouse=True)
def axe() -> None:
    """Skip, with the reason, where axe is not installed."""
    if not AXE.is_file():
        pytest.skip("no axe-core: npm ci in tests/clients/")


def paths(small: Small) -> list[str]:
    """Return an address of every kind of page."""
    person = f"/page/{small.person.path}"
    return [
        "/", "/search", "/collections", "/rules", "/runs", "/page/run/run1", "/releases",
        "/dataset", "/rdfkms/ns", "/rdfkms/vocab", "/browse/person",
        person, f"/page/{small.event.path}", f"/page/{small.place.path}",
        *(f"{person}/{view}" for view in ("mentions", "network", "timeline", "map", "history")),
        f"/page/record/{small.record}", f"/page/claim/{small.age}", "/no/such/page",
        f"/page/evidence/{small.unit}?claim={small.birthplace}&pointer=p1",
    ]  # fmt: skip


def faults(page: Any, where: str, *, axe: bool = True) -> list[str]:
    """Return what axe finds serious, and what does not fit the window."""
    found = []
    if axe:
        page.evaluate(AXE.read_text(encoding="utf-8"))
        told = page.evaluate(RUN)
        found = [f"{where}: {i} {n} {html}" for i, n, html in told if i in ("serious", "critical")]
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > page.viewport_size["width"]:
        found.append(f"{where}: {wide} pixels wide")
    return found


def test_a_planted_fault_is_found(chromium: Any, address: str) -> None:
    page = chromium.new_page()
    page.goto(address)
    page.evaluate("document.body.append(new Image())")
    assert [fault for fault in faults(page, "planted") if "image-alt" in fault]
    page.close()


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_no_page_has_a_serious_fault(
    chromium: Any, address: str, small: Small, language: str, size: tuple[int, int]
) -> None:
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, locale=language)
    page = context.new_page()
    found = []
    for path in paths(small):
        page.goto(address + path)
        page.evaluate("document.querySelectorAll('details').forEach((d) => d.open = true)")
        found += faults(page, f"{path} {language}", axe=language in AXED[size])
        assert page.evaluate("document.documentElement.lang").startswith(language), path
    context.close()
    assert found == []


def test_the_dark_colours_can_be_told_apart(chromium: Any, address: str, small: Small) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    page = context.new_page()
    found = []
    for path in paths(small):
        page.goto(address + path)
        found += faults(page, f"{path} dark")
    context.close()
    assert found == []


def test_the_pages_of_reviewers_have_no_serious_fault(chromium: Any, tmp_path: Path) -> None:
    built = build(tmp_path / "archive", title="Belmira")
    token = tokens.add(built.work, "ines", Role.REVIEWER)
    built.close()
    with serving(tmp_path / "archive") as service:
        context = chromium.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.goto(f"{service.address}/review/sign-in")
        found = faults(page, "sign-in")
        page.fill("#token", token)
        page.locator("main button").click()
        for path in ("/review", "/review/decisions", f"/review/claim/{built.quarantined}",
                     f"/page/{built.person.path}", f"/page/claim/{built.quarantined}",
                     "/sparql?query=SELECT%20*%20%7B%3Fs%20%3Fp%20%3Fo%7D%20LIMIT%205",
                     "/search?q=vidal"):  # fmt: skip
            answer = page.goto(service.address + path)
            assert answer.status == 200, path
            found += faults(page, path)
        context.close()
    assert found == []
