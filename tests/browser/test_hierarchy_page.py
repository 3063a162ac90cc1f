"""The hierarchy of what is described in headless Chromium: paging, links, axe, wide and narrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rdfkms.app import composition, operations
from rdfkms.knowledge import decoding
from tests.browser.conftest import NARROW, WIDE
from tests.browser.test_accessibility import AXE, faults
from tests.tools.service import Service, serving

pytestmark = pytest.mark.browser
UNIT = "<c level='file' id='u{0}'><did><unittitle>Unit {0:03}</unittitle></did></c>"
EAD = "<ead><eadheader><eadid>long</eadid></eadheader><archdesc level='fonds'><did><unittitle>All" \
    "</unittitle></did><dsc>{}</dsc></archdesc></ead>"  # fmt: skip


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, str]]:
    root = tmp_path_factory.mktemp("hierarchy")
    path = root / "long.xml"
    path.write_text(EAD.format("".join(UNIT.format(n) for n in range(1, 131))), encoding="utf-8")
    operations.perform(root / "A", "describe", {"paths": [str(path)]})
    with composition.reading(root / "A") as app:
        named = list(decoding.all_claims(app.ledger.store, app.base))
        whole = next(c.subject.path for c in named if c.value and c.value.lexical == "All")
    with serving(root / "A") as service:
        yield service, whole


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_level_is_read_to_its_end_and_upwards_again(
    chromium: Any, served: tuple[Service, str], size: tuple[int, int]
) -> None:
    service, whole = served
    context = chromium.new_context(
        viewport={"width": size[0], "height": size[1]}, java_script_enabled=False
    )
    page = context.new_page()
    page.goto(f"{service.address}/page/{whole}/hierarchy")
    assert page.get_by_role("link", name="Unit 100").count() == 1
    page.get_by_role("link", name="More").click()
    assert page.get_by_role("link", name="Unit 100").count() == 0
    page.get_by_role("link", name="Unit 130").click()
    page.get_by_role("link", name="Hierarchy").click()
    assert page.get_by_role("link", name="Unit 129").count() == 1  # beside it
    page.locator("main ul.tree > li > a").first.click()
    assert page.locator("h1").inner_text() == "All"


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_no_serious_fault_of_accessibility(
    chromium: Any, served: tuple[Service, str], size: tuple[int, int]
) -> None:
    if not AXE.exists():
        pytest.skip("no axe-core: npm ci in tests/clients/")
    service, whole = served
    page = chromium.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.goto(f"{service.address}/page/{whole}/hierarchy")
    assert faults(page, "hierarchy") == []
