"""The API against its own OpenAPI document, with what schemathesis makes up: never a 500."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.service import serving
from tests.tools.small_run import result

CHECKS = (
    "not_a_server_error,response_schema_conformance,content_type_conformance,"
    "status_code_conformance"
)
KNOWN = """[parameters]
"path.kind" = "claim"
"path.key" = "{key}"
"""


def fuzz(address: str, token: str, folder: Path, examples: int) -> subprocess.CompletedProcess[str]:
    phases = "fuzzing" if examples < 100 else "examples,coverage,fuzzing"
    tool = Path(sys.executable).parent / "schemathesis"
    line = [
        str(tool), "run", f"{address}/api/v1/openapi.json",
        "-H", f"Authorization: Bearer {token}", "--checks", CHECKS,
        "--max-examples", str(examples), "--phases", phases, "--seed", "7", "--no-color",
    ]  # fmt: skip
    return subprocess.run(
        line, capture_output=True, text=True, cwd=folder, timeout=900, check=False,
        env={**os.environ, "PYTHONWARNINGS": "default"},
    )  # fmt: skip


@pytest.mark.parametrize(
    "examples", [8, pytest.param(150, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_nothing_that_is_sent_breaks_the_api(copy: Path, tmp_path: Path, examples: int) -> None:
    token = result("token", "add", "eva", "--role", "reviewer", "--archive", copy)["secret"]
    waiting = result("review", "list", "--kind", "doubt", "--archive", copy)["items"]
    with serving(copy) as service:
        for place, config in (("any", ""), ("known", KNOWN.format(key=waiting[0]["item"][6:]))):
            folder = tmp_path / place
            folder.mkdir()
            (folder / "schemathesis.toml").write_text(config, encoding="utf-8")
            done = fuzz(service.address, token, folder, examples)
            told = [line[:200] for line in done.stdout.splitlines() if line.strip()]
            assert done.returncode == 0, "\n".join(told[-60:])
            assert any("Test cases" in line for line in told), "\n".join(told[-60:])
    assert result("check", "--archive", copy)["faults"] == []
