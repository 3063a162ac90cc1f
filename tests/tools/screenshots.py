"""Takes the pictures of docs/pictures from a running service over the sample archive.

``python tests/tools/screenshots.py http://127.0.0.1:8080 /page/person/KEY docs/pictures/entity``
writes ``entity-wide.png`` and ``entity-narrow.png``; the first statement's evidence is opened.
"""

from __future__ import annotations

import shutil
import sys

from playwright.sync_api import sync_playwright

SIZES = {"wide": (1280, 900), "narrow": (390, 844)}


def main(address: str, path: str, target: str) -> None:
    """Write the pictures of one page."""
    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=binary, args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )
        for name, (width, height) in SIZES.items():
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(address + path)
            summary = page.locator(".group .proofs summary").first
            if summary.count():
                summary.click()
            page.wait_for_load_state("networkidle")
            page.screenshot(path=f"{target}-{name}.png")
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:4])
