"""A description file in an archive of its own, opened in process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rdfkms.access import ANONYMOUS
from rdfkms.app import composition, describing
from rdfkms.app.composition import OWNER, App
from rdfkms.ledger.archive import Archive
from rdfkms.publish.describing.reading import read
from rdfkms.publish.views import key_in, scope_of
from rdfkms.settings import Settings

Statements = Counter[tuple[str, ...]]
FILE = "the file"


@dataclass(frozen=True)
class Described:
    """An open archive with one description file, and the key of its record."""

    app: App
    record: str

    def statements(self) -> Statements:
        """What the file says: names, keys of things, values, times, without the archive's IRIs."""
        scope = scope_of(self.app.ledger.store, self.app.base, self.app.mapping, ANONYMOUS)
        file = scope.base.iri("record", self.record).value

        def thing(iri: str) -> str:
            return FILE if iri == file else (scope.base.split(iri) or ("", ""))[1] if iri else ""

        return Counter(
            (
                one.name, thing(one.subject), thing(one.object), str(one.value), str(one.words),
                str(one.time), str(one.time_words), thing(one.place),
            )
            for one in read(scope, self.record).said
        )  # fmt: skip


@contextmanager
def described(folder: Path, path: Path, columns: str = "") -> Iterator[Described]:
    """Take a file into a new archive in a folder, by columns if it is a table."""
    Archive.create(folder, Settings())
    with composition.writing(folder, "describe") as app:
        arguments = {"paths": [path], "columns": columns}
        describing.describe(app, arguments, OWNER, lambda *_: None)
        scope = scope_of(app.ledger.store, app.base, app.mapping, ANONYMOUS)
        (row,) = scope.select("publishing/description_files")
        yield Described(app, key_in(scope, row["record"]))
