"""Opens an archive and wires its rooms; nothing else may import a backend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rdfkms import backends
from rdfkms.app import mirrored
from rdfkms.app.released import ReleaseSparql
from rdfkms.errors import Conflict, Missing, NotFound, RdfkmsError
from rdfkms.knowledge import decoding, encoding
from rdfkms.knowledge import mapping as mapping_table
from rdfkms.knowledge.mapping import Mapping
from rdfkms.ledger import releases, snapshots, tokens
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.lock import Lock, is_held
from rdfkms.ledger.snapshots import Snapshot
from rdfkms.ledger.work import Work, recover
from rdfkms.model import Principal, Role
from rdfkms.pipeline.writing import in_graph
from rdfkms.ports import Embedder, TripleStore
from rdfkms.publish.endpoint import Engine, SnapshotSource, SparqlService
from rdfkms.publish.freshness import FreshSnapshots
from rdfkms.retrieval.index import Indexes, Makers
from rdfkms.retrieval.recall import Recall
from rdfkms.review.decisions import Desk
from rdfkms.review.queue import Queue
from rdfkms.settings import Settings
from rdfkms.vocab import KMS, Base

OWNER = Principal("owner", Role.ADMINISTRATOR)

__all__ = ["OWNER", "App", "reading", "tokens", "writing"]


def make_store(path: Path) -> TripleStore:
    """Open the store in a folder for reading and writing."""
    store: TripleStore = backends.load("store", "oxigraph")(path)
    return store


def open_store(path: Path) -> TripleStore:
    """Open the store in a folder to read only."""
    store: TripleStore = backends.load("store", "oxigraph")(path, read_only=True)
    return store


def make_indexes(archive: Archive, folder: Path | None = None) -> Indexes:
    """Open the archive's indexes, with the embedder of its settings where that is installed."""
    makers = Makers(
        fulltext=backends.load("fulltext", "tantivy"),
        vectors=backends.load("vectors", "usearch"),
        embedder=_embedder(archive.settings.models.embedder),
    )
    return Indexes(folder or archive.indexes / "search", archive.base, makers)


def _embedder(name: str) -> Embedder | None:
    """Return the embedder of a setting; without it, search goes by words alone.

    ``none``, ``use``, ``e5`` or ``sentence_transformers:<model or folder>``.
    """
    kind, _, model = name.partition(":")
    if kind == "none":
        return None
    try:
        made = backends.load("embedder", kind)
        embedder: Embedder = made(model) if model else made()
    except Missing:
        if kind == "use":  # the default: its absence must not stop an archive, doctor says it
            return None
        raise
    return embedder


@dataclass
class App:
    """An open archive: its rooms, made when first asked for."""

    ledger: Ledger
    work: Work
    principal: Principal = OWNER
    frozen: tuple[Path, int] | None = None  # the snapshot that is read, where one is
    on_change: Callable[[], None] | None = None  # told of commits, where indexing can wait
    _stack: ExitStack = field(default_factory=ExitStack)

    @property
    def archive(self) -> Archive:
        """The archive folder."""
        return self.ledger.archive

    @property
    def settings(self) -> Settings:
        """The archive's settings."""
        return self.archive.settings

    @property
    def base(self) -> Base:
        """The base of the archive's IRIs."""
        return self.archive.base

    @cached_property
    def mapping(self) -> Mapping:
        """The mapping table."""
        return mapping_table.load()

    @cached_property
    def indexes(self) -> Indexes:
        """The search indexes, as they were when last brought up to date."""
        return make_indexes(self.archive)

    @cached_property
    def sparql(self) -> SparqlService:
        """The public SPARQL service over snapshots."""
        searcher = Recall(lambda: self.indexes, self.ledger.store)
        source, engine = self._queried()
        service = SparqlService(
            source, self.base, self.settings.sparql, searcher=searcher, engine=engine
        )
        self._stack.callback(service.close)
        return service

    def _queried(self) -> tuple[SnapshotSource, Engine | None]:
        """Return what public queries read: a snapshot by own workers, or a mirror by itself."""
        if self.settings.sparql.mirror:
            return mirrored.queried(self.archive, self.settings.sparql.mirror)
        if self.frozen is not None:
            frozen = self.frozen
            return lambda: frozen, None
        return FreshSnapshots(self.ledger), None

    @cached_property
    def release_sparql(self) -> ReleaseSparql:
        """The public SPARQL services of the releases, each opened when it is first asked."""
        opened = ReleaseSparql(self.ledger, open_store, make_store)
        self._stack.callback(opened.close)
        return opened

    @cached_property
    def desk(self) -> Desk:
        """What acts of review need; the shapes are parsed when it is first asked for."""
        from rdfkms.admission.shapes import ShapesGate  # pyshacl takes half a second to load

        return Desk(self.ledger, self.work, self.mapping, ShapesGate())

    def changed(self) -> None:
        """Bring the indexes in step after a commit; a service does so in the background."""
        if self.on_change is None:
            self.indexes.update(self.ledger)
        else:
            self.on_change()

    def record_keys(self) -> list[str]:
        """Return the keys of all records that were not withdrawn, sorted."""
        found = set()
        for graph in (self.base.public, self.base.internal):
            for quad in self.ledger.store.match(None, KMS("profile"), None, graph):
                split = self.base.split(getattr(quad.subject, "value", ""))
                if split is not None and split[0] == "record":
                    found.add(split[1])
        withdrawn = decoding.is_withdrawn
        return sorted(k for k in found if not withdrawn(self.ledger.store, self.base, "record", k))

    def close(self) -> None:
        """Release everything."""
        self._stack.close()


@contextmanager
def writing(root: Path, command: str) -> Iterator[App]:
    """Open an archive for writing; raises `Conflict` that says who else holds it."""
    archive = Archive.open(root)
    with ExitStack() as stack:
        stack.enter_context(Lock(archive, command))
        app = _open(archive, make_store(archive.store_path), stack)
        recover(app.work, app.ledger.journal)
        releases.tidy(archive)
        if app.ledger.revision == 0:  # new, or its making was broken off
            _seed(app)
        _follow(app)
        try:
            yield app
        finally:  # also after a failure: what was committed is what readers must see next
            with suppress(RdfkmsError, OSError):
                snapshots.make(app.ledger)  # only where this revision has none


_NEVER_IN_QUEUE = ("init", "access")


def _follow(app: App) -> None:
    """Bring the review queue in step where a crash or an older version left it behind."""
    queue, ledger = Queue(app.work), app.ledger
    if queue.revision >= ledger.revision:
        return
    missed = ledger.journal.entries(after=max(queue.revision, 0), payload=False)
    if queue.revision < 0 or any(e.activity.kind not in _NEVER_IN_QUEUE for e in missed):
        queue.sync(ledger.store, app.base, app.mapping, ledger.revision)


def _seed(app: App) -> None:
    """Put ontology and concept schemes in the public graph of a new archive."""
    add = tuple(in_graph(encoding.vocabulary_triples(), app.base.public))
    app.ledger.commit(Change(Activity("init"), add=add), app.principal)


@contextmanager
def reading(root: Path) -> Iterator[App]:
    """Open an archive for reading, also while another process writes.

    Free archives are read as they stand; of one in use the newest snapshot is read, at its
    revision.
    """
    archive = Archive.open(root)
    if not is_held(archive):
        try:
            with writing(root, "reading") as app:
                yield app
            return
        except Conflict:
            if not is_held(archive):
                raise
    with ExitStack() as stack:
        newest = _newest(archive)
        path = stack.enter_context(snapshots.hold(newest))
        store = open_store(path)
        yield _open(archive, store, stack, frozen=(path, newest.revision))


@contextmanager
def reading_current(root: Path) -> Iterator[App]:
    """Open an archive as `reading`, for what leaves it: never an older state than it has now.

    Raises `Conflict` where a service holds the archive and has changed it since its snapshot.
    """
    with reading(root) as app:
        if app.frozen is not None and app.ledger.journal.last() > app.frozen[1]:
            raise Conflict(
                "The archive is served, and changed since its newest snapshot.",
                hint="Fetch /dumps/latest.nq.zst from it, which makes a new one, and try again.",
            )
        yield app


def _newest(archive: Archive) -> Snapshot:
    newest = snapshots.newest(archive)
    if newest is None:
        raise NotFound(
            f"{archive.root} is in use and has no snapshot to read yet.",
            hint="Wait for the command that holds it, or ask the running service.",
        )
    return newest


def _open(
    archive: Archive,
    store: TripleStore,
    stack: ExitStack,
    frozen: tuple[Path, int] | None = None,
) -> App:
    ledger = Ledger(archive, store, read_only=frozen is not None)
    stack.callback(ledger.close)
    work = Work(archive.work_path)
    stack.callback(work.close)
    app = App(ledger, work, frozen=frozen)
    stack.callback(app.close)
    return app
