"""What the pages need, built by the caller: one frozen value, no globals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rdfkms.knowledge.mapping import Mapping
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Ledger
from rdfkms.ledger.work import Work
from rdfkms.retrieval.index import Indexes
from rdfkms.settings import Settings

if TYPE_CHECKING:
    from rdfkms.app.composition import App


@dataclass(frozen=True, slots=True)
class Services:
    """An open archive as the web needs it.

    `indexes` serve the search box, `sparql` (a `publish.dataset.Dataset`) the endpoint and
    `release_sparql` (such a dataset by name) those of releases; None where they are not there: the
    pages then say so.
    """

    ledger: Ledger
    work: Work
    mapping: Mapping
    indexes: Indexes | None = None
    sparql: Any = None
    release_sparql: Any = None

    @property
    def archive(self) -> Archive:
        """The archive folder."""
        return self.ledger.archive

    @property
    def settings(self) -> Settings:
        """The settings of the archive."""
        return self.ledger.archive.settings


def services_of(app: App) -> Services:
    """Return the services of an open archive."""
    return Services(app.ledger, app.work, app.mapping, app.indexes, app.sparql, app.release_sparql)
