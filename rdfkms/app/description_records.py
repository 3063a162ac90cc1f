"""The record that a description file becomes, and who is who in what it says."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pyoxigraph import NamedNode, Quad

from rdfkms.access import is_open
from rdfkms.app.composition import App
from rdfkms.errors import BadInput, Conflict
from rdfkms.ingest.describing import formats, table
from rdfkms.knowledge import declaring, decoding
from rdfkms.knowledge.declaring import RefOf
from rdfkms.knowledge.encoding import record_triples
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.ledger.ledger import Activity, Change
from rdfkms.model import (
    DESCRIBING_FILE,
    Access,
    Modality,
    Principal,
    Record,
    Ref,
    SourceFile,
    Stretch,
    Thing,
    Value,
)
from rdfkms.pipeline.gone import gone
from rdfkms.vocab import RICO, TYPE, key_of

_AGENTS = ("Person", "OrganizationState", "Family", "Agent")


@dataclass(frozen=True, slots=True)
class Target:
    """The record of a file, as it is to be written, and its title by this version of the file.

    `versions` are the digests of the versions that the archive has.
    """

    record: Record
    title: str
    versions: frozenset[str]

    @property
    def is_new(self) -> bool:
        """Whether the archive has no version of the file yet."""
        return not self.versions

    def has_others(self, sha256: str) -> bool:
        """Return whether the archive has other versions of the file than this one."""
        return bool(self.versions - {sha256})


def target_of(
    app: App,
    head: Sequence[Stretch],
    source: SourceFile,
    form: formats.Form,
    profile: str,
    access: Access | None,
) -> Target:
    """Return the record that a file becomes, or is a version of.

    What the archive decided on a record stays: its title, profile and condition of access. Raises
    `Conflict` for one that was withdrawn or erased, `BadInput` where another condition is wanted.
    """
    named = _named(head, source, form, profile, access or Access())
    demand_welcome(app, named, source)
    store, base = app.ledger.store, app.base
    if not any(
        next(iter(store.match(base.iri("record", named.key), TYPE, None, g)), None)
        for g in (base.public, base.internal)
    ):
        return Target(named, named.title, frozenset())
    known = decoding.record(store, base, named.key)
    if access is not None and _condition(access) != _condition(known.access):
        raise BadInput(
            f"{source.name} is in the archive already, and its condition is "
            f"{known.access.condition}: a description is read under the condition that it has.",
            hint=f"Change it first: rdfkms access {known.key} {access.condition}.",
        )
    versions = frozenset(file.sha256 for file in known.files)
    files = known.files if source.sha256 in versions else (*known.files, source)
    return Target(replace(known, files=files, pages=()), named.title, versions)


def retitle(app: App, target: Target, principal: Principal) -> None:
    """Call a record by the title that the newest version of its file has."""
    base = app.base
    known = decoding.record(app.ledger.store, base, target.record.key)
    if known.title == target.title:
        return
    graph = base.public if is_open(known.access) else base.internal
    old, new = (
        {Quad(t.subject, t.predicate, t.object, graph) for t in record_triples(one, base)}
        for one in (known, replace(known, title=target.title))
    )
    change = Change(Activity("ingest", f"record/{known.key}"), tuple(new - old), tuple(old - new))
    app.ledger.commit(change, principal)


def _condition(access: Access) -> tuple[str, object]:
    return access.condition, access.until


def demand_welcome(app: App, record: Record, source: SourceFile) -> None:
    """Raise `Conflict` for a file that was withdrawn from the archive or erased."""
    refused = gone(
        app.ledger.store, app.base, source.name, "the file",
        record=record.key, page="", file=source.sha256,
    )  # fmt: skip
    if refused is not None:
        raise Conflict(f"{source.name} is not taken: {refused.reason}", hint=refused.hint)


@contextmanager
def kept(app: App, path: Path, source: SourceFile, record: Record) -> Iterator[Path]:
    """Keep a file and give it under its own name as it was kept, whatever becomes of the original.

    Raises `Conflict` for one that is not to be kept, `BadInput` for one that has changed.
    """
    with app.ledger.frozen():  # an erasure comes before, and is heeded, or after, and takes it
        demand_welcome(app, record, source)
        if app.archive.keep(path) != source.sha256:
            raise BadInput(f"{path.name} was changed while it was read.", hint="Run it again.")
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / path.name
        link.symlink_to(app.archive.path_of(source.sha256).absolute())
        yield link


def _named(
    head: Sequence[Stretch], source: SourceFile, form: formats.Form, profile: str, access: Access
) -> Record:
    """Return the record of a file: by its own identifier, so that it stays the same.

    RDF has none, and may begin with any subject: such a file goes by its name. So does a table,
    also where its columns say whose list it is: rows come and go, and lists have parts.
    """
    about = next((s.about for s in head if s.about.identity != DESCRIBING_FILE), None)
    identity = about.identity if about is not None else (source.name,)
    if form.name == formats.RICO.name:
        identity = (form.name, source.name)
    elif identity[0] == table.KIND:
        identity = tuple(dict.fromkeys((*identity[:2], source.name)))
    titles = (
        said.value
        for stretch in head
        for said in stretch.statements
        if said.name == NAMED_AS and said.subject.identity == DESCRIBING_FILE and said.value
    )
    title = next(titles, Value(source.name))
    tongue = title.language or next((s.language for s in head if s.language), "und")
    return Record(
        key=key_of("record", "description", *identity),
        title=title.lexical,
        profile=profile,
        language=tongue,
        access=access,
        modality=Modality.DESCRIPTION,
        files=(source,),
        pages=(),
    )


def refs(app: App, record: Record) -> RefOf:
    """Return what gives each thing of a file its place in the archive.

    An agent whose kind the file does not say is the one of that identifier which the archive has;
    for an open record, which it has in the open: what is closed is told by no kind.
    """
    kinds = {name: app.mapping.entity(name).kind for name in app.mapping.entities}
    known: dict[tuple[str, tuple[str, ...]], Ref] = {}
    graphs = (app.base.public,) if is_open(record.access) else (app.base.public, app.base.internal)

    def is_there(ref: Ref) -> bool:
        iri = app.base.iri(ref.kind, ref.key)
        return any(next(iter(app.ledger.store.match(iri, TYPE, None, g)), None) for g in graphs)

    def ref_of(thing: Thing) -> Ref:
        if thing.identity == DESCRIBING_FILE:
            return Ref(declaring.FILE_KIND, record.key)
        found = known.get((thing.type, thing.identity))
        if found is None:
            key = declaring.thing_key(thing)
            kind = kinds[thing.type]
            if thing.type == "Agent":
                others = (kinds[name] for name in _AGENTS)
                kind = next((k for k in others if is_there(Ref(k, key))), kind)
            found = known[thing.type, thing.identity] = Ref(kind, key)
        return found

    return ref_of


def has_page(app: App, key: str) -> bool:
    """Return whether a section of a description file is in the archive."""
    iri, base = app.base.iri("inst", key), app.base
    store, kind = app.ledger.store, RICO("Instantiation")
    return any(
        next(iter(store.match(iri, TYPE, kind, graph)), None)
        for graph in (base.public, base.internal)
    )


def path_of(app: App, term: object) -> str:
    """Return kind and key of a thing of the archive as one path, "" for any other term."""
    split = app.base.split(term.value) if isinstance(term, NamedNode) else None
    return "/".join(split) if split else ""
