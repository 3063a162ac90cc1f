"""roc-validator without network, run by an interpreter that has it and the package `rocrate`.

    INTERPRETER tests/tools/validate_crate.py CACHE CRATE

The validator fetches the JSON-LD context of RO-Crate 1.1. Here its HTTP cache holds the context
that the package `rocrate` ships (of a later version, which keeps the terms of 1.1). It stands
apart since roc-validator pins an older `rich` than this project's.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

CONTEXT = "https://w3id.org/ro/crate/1.1/context"


def warm(cache: str) -> None:
    """Put the context into the cache of the validator, as if it had been fetched."""
    import requests
    import urllib3
    from requests_cache import CachedSession

    spec = importlib.util.find_spec("rocrate")
    assert spec is not None and spec.origin is not None
    data = (Path(spec.origin).parent / "data" / "ro-crate.jsonld").read_bytes()

    class Shipped(requests.adapters.BaseAdapter):
        def send(self, request: Any, *_: Any, **__: Any) -> requests.Response:
            headers = {"Content-Type": "application/ld+json"}
            made = requests.Response()
            made.status_code, made.url, made.request = 200, request.url, request
            made.headers.update(headers)
            made.raw = urllib3.HTTPResponse(
                BytesIO(data), headers, 200, preload_content=False, request_url=request.url
            )
            return made

        def close(self) -> None:
            pass

    session = CachedSession(cache_name=cache, expire_after=-1, backend="sqlite")
    session.mount("https://", Shipped())
    session.get(CONTEXT)


def main(cache: str, crate: str) -> int:
    """Validate the crate offline; print what is wrong and return the validator's exit code."""
    warm(cache)
    tool = Path(sys.executable).parent / "rocrate-validator"
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        line = [
            str(tool), "--no-interactive", "-y", "validate", "--offline", "--cache-path", cache,
            "-p", "ro-crate-1.1", "--no-paging", "-f", "json", "-o", str(report), crate,
        ]  # fmt: skip
        done = subprocess.run(line, capture_output=True, text=True, timeout=240)
        found = json.loads(report.read_text()) if report.is_file() else {}
    for issue in found.get("issues", []):
        print(issue.get("severity"), issue.get("message"))
    if not found:
        print(done.stdout[-2000:], done.stderr[-2000:])
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
