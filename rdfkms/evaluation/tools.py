"""What the measurements need of the layers above: made by `rdfkms.app.evaluating`."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.knowledge.mapping import Mapping as Table
from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.work import Work
from rdfkms.pipeline.proposing import ProposersFor
from rdfkms.ports import FullTextIndex, NameFinder, Proposer

SEED = 20_261_130
Report = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Throwaway:
    """An empty archive that is gone after the measurement: its ledger and its work rows."""

    ledger: Ledger
    work: Work


@dataclass(frozen=True, slots=True)
class Tools:
    """Engines and makers. `model` gives a proposer that asks the packaged small model.

    `finder` returns None and `model` raises `Missing` where the software is not installed.
    """

    mapping: Table
    proposers: ProposersFor
    finder: Callable[[str], NameFinder | None]
    model: Callable[[], AbstractContextManager[Proposer]]
    archive: Callable[[], AbstractContextManager[Throwaway]]
    fulltext: Callable[[Path], FullTextIndex]
    versions: Mapping[str, str]


@cache
def plan(name: str) -> dict[str, Any]:
    """Return ``ingest/evaluation/<name>.toml``; raises `Misconfigured` with the reason."""
    path = resources.file(f"ingest/evaluation/{name}.toml")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise Misconfigured(f"{path}: the plan of a measurement cannot be read: {err}.") from err
