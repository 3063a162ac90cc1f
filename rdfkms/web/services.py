"""What the pages need, built by the caller: one frozen value, no globals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rdfkms.knowledge.mapping import Mapping
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.work import Work
from rdfkms.settings import Settings

Search = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Services:
    """An open archive as the web needs it.

    `search` answers the search box and `sparql` the endpoint (see their blueprints); None where
    the indexes or the workers are not there: the pages then say so.
    """

    ledger: Ledger
    work: Work
    mapping: Mapping
    search: Search | None = None
    sparql: Any = None

    @property
    def archive(self) -> Archive:
        """The archive folder."""
        return self.ledger.archive

    @property
    def settings(self) -> Settings:
        """The settings of the archive."""
        return self.ledger.archive.settings
