"""The pages in headless Chromium: one click to the evidence, with and without JavaScript."""

from __future__ import annotations

from typing import Any

import pytest

from rdfkms import resources
from tests.browser.conftest import NARROW, WIDE

pytestmark = pytest.mark.browser


def visit(chromium: Any, size: tuple[int, int], **options: Any) -> tuple[Any, list[str]]:
    """Return a new page and the list into which its complaints and foreign requests go."""
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, **options)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: complaints.append(str(e)))
    page.on("dialog", lambda d: complaints.append(f"a dialog opened: {d.message}"))
    page.on("request", lambda r: None if "127.0.0.1" in r.url else complaints.append(r.url))
    return page, complaints


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("script", [True, False])
def test_one_click_opens_quote_and_crop(
    chromium: Any, address: str, small: Any, size: tuple[int, int], script: bool
) -> None:
    page, complaints = visit(chromium, size, java_script_enabled=script)
    page.goto(f"{address}/page/{small.person.path}")
    born = page.locator(".group", has_text="born in")
    crop = born.locator("figure.evidence img").first
    assert not crop.is_visible()
    born.locator("summary").first.click()
    crop.wait_for(state="attached")
    crop.scroll_into_view_if_needed()
    crop.wait_for(state="visible")  # which it is when its picture has come
    assert born.locator("mark").first.inner_text().startswith("Andrés Vidal Soler")
    page.wait_for_load_state("networkidle")
    assert crop.bounding_box()["height"] > 40, "the crop has loaded"
    assert complaints == []
    page.context.close()


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_pages_fit_the_window_and_break_no_rule(
    chromium: Any, address: str, small: Any, size: tuple[int, int]
) -> None:
    page, complaints = visit(chromium, size)
    paths = ["/", f"/page/{small.person.path}", f"/page/{small.hostile.path}", "/rules",
             f"/page/record/{small.record}", f"/page/claim/{small.age}", "/browse/person",
             f"/page/evidence/{small.unit}?claim={small.birthplace}&pointer=p1"]  # fmt: skip
    for path in paths:
        page.goto(address + path)
        page.wait_for_load_state("networkidle")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size[0], f"{path} is {wide} pixels wide"
    assert complaints == []
    page.context.close()


def frame_and_words(page: Any) -> tuple[Any, Any, Any]:
    picture = page.locator(".scan svg").bounding_box()
    frame = page.locator("rect.frame").bounding_box()
    word = page.locator("rect.word").first.bounding_box()
    return picture, frame, word


def test_the_quote_lies_in_the_frame_on_the_picture(
    chromium: Any, address: str, small: Any
) -> None:
    page, complaints = visit(chromium, WIDE, java_script_enabled=False)
    page.goto(f"{address}/page/evidence/{small.unit}?claim={small.birthplace}&pointer=p1")
    picture, frame, word = frame_and_words(page)
    for inner, outer in ((frame, picture), (word, frame)):
        assert inner["x"] >= outer["x"] - 2 and inner["y"] >= outer["y"] - 2
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 2
        assert inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 2
    assert word["width"] < frame["width"] / 2, "the quote begins in the middle of its line"
    assert complaints == []
    page.context.close()


def test_the_viewer_zooms_where_it_is_built(chromium: Any, address: str, small: Any) -> None:
    if not resources.file("web/static/vendor/viewer.js").is_file():
        pytest.skip("no front-end bundle: npm ci && npm run build in web/")
    page, complaints = visit(chromium, WIDE)
    page.goto(f"{address}/page/evidence/{small.unit}?claim={small.birthplace}&pointer=p1")
    overlay = page.locator(".overlay.word").first
    overlay.wait_for(state="visible")
    before = overlay.bounding_box()["width"]
    page.get_by_role("button", name="Zoom in").click()
    page.wait_for_timeout(1500)
    assert overlay.bounding_box()["width"] > before * 1.2
    assert complaints == []
    page.context.close()


def test_the_keyboard_reaches_content_and_evidence(chromium: Any, address: str, small: Any) -> None:
    page, _ = visit(chromium, WIDE)
    page.goto(f"{address}/page/{small.person.path}")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    for _ in range(8):  # the trail and the views of the thing come before its first name
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    page.keyboard.press("Enter")
    assert page.locator("details.proofs").first.get_attribute("open") is not None
    page.context.close()
