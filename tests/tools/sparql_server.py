"""An archive's SPARQL service over real HTTP, in this process."""

from __future__ import annotations

import http.client
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from werkzeug.serving import make_server

from rdfkms.app.composition import make_indexes, make_store, open_store
from rdfkms.app.released import ReleaseSparql
from rdfkms.knowledge import mapping
from rdfkms.publish.endpoint import SparqlService
from rdfkms.publish.freshness import FreshSnapshots
from rdfkms.retrieval.recall import Recall
from rdfkms.settings import SparqlSettings
from rdfkms.web.factory import create_app
from rdfkms.web.services import Services
from tests.tools import small_archive


class Service:
    """A running server and the archive behind it."""

    def __init__(self, folder: Path) -> None:
        self.small: Any = small_archive.build(folder / "archive")
        ledger = self.small.ledger
        snapshots = FreshSnapshots(ledger)
        self.indexes = make_indexes(ledger.archive)
        self.indexes.update(ledger)
        searcher = Recall(lambda: self.indexes, ledger.store)
        self.sparql = SparqlService(
            snapshots, ledger.base, SparqlSettings(timeout=2), searcher=searcher
        )
        self.releases = ReleaseSparql(ledger, open_store, make_store)
        services = Services(
            ledger, self.small.work, mapping.load(), self.indexes, self.sparql, self.releases
        )
        self.app = create_app(services)
        self.server = make_server("127.0.0.1", 0, self.app, threaded=True)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.port}/sparql"

    def ask(
        self, method: str, path: str = "/sparql", body: bytes | str | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers (lower case) and body."""
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=20)
        try:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            got = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, got, answer.read()
        finally:
            connection.close()

    def get(self, query: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Return the answer of GET ?query=."""
        return self.ask("GET", f"/sparql?{urlencode({'query': query})}", **headers)

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        self.sparql.close()
        self.releases.close()
        self.small.close()
