"""Exports of linked data: dumps, nanopublications, RO-Crates (DESIGN 4: only what is public)."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from rdfkms import resources
from rdfkms.access import ANONYMOUS
from rdfkms.app import dumping
from rdfkms.app.composition import App
from rdfkms.errors import Conflict
from rdfkms.knowledge import decoding
from rdfkms.ledger import releases
from rdfkms.ledger.disk import guard, temporary
from rdfkms.publish import nanopub as nanopubs
from rdfkms.publish import negotiation
from rdfkms.publish.dcat import crate as crates
from rdfkms.publish.dcat import description, dumps, statistics
from rdfkms.publish.dcat.crate import CrateFile
from rdfkms.publish.dcat.description import DUMPS, Described
from rdfkms.publish.views import scope_of

T = TypeVar("T")


def dump(app: App, release: str, form: str, target: Path | None) -> dict[str, Any]:
    """Write a dump to a new file; says where and how large. `Conflict` where it exists already."""
    kind, name = dumps.kind_of(form), release or dumps.LATEST
    path = (target or Path(f"{name}.{kind.extension}.zst")).absolute()
    demand_new(path)
    with guard(path, "writing a dump"):
        draft = temporary(path.parent)
        try:
            with draft.open("xb") as out:
                revision = _written(app, name, form, out)
            draft.rename(path)
        finally:
            draft.unlink(missing_ok=True)
    return {"target": str(path), "bytes": path.stat().st_size, "revision": revision}


def demand_new(path: Path) -> None:
    """Raise `Conflict` where something stands at the path already."""
    if path.exists():
        raise Conflict(f"{path} exists already.", hint="Name another file or folder with --to.")


def _written(app: App, name: str, form: str, out: Any) -> int:
    kind = dumps.kind_of(form)
    if name == dumps.LATEST:  # the store that was opened may be a snapshot already
        dumps.write(app.ledger.store, app.base, kind, out, None)
        return app.ledger.revision
    return dumping.write(app.ledger, name, kind, out)


def nanopub(app: App, claim: str) -> bytes:
    """Return the nanopublication of a claim (key or IRI) as TriG; raises as `nanopub.nanopub`."""
    key = claim.rstrip("/").rpartition("/")[2].partition("#")[0]
    scope = scope_of(app.ledger.store, app.base, app.mapping, ANONYMOUS)
    return nanopubs.trig(nanopubs.nanopub(scope, app.settings, key, _made(app, key)))


def _made(app: App, key: str) -> str:
    """Return when the claim was first proposed: it stays so, as a nanopublication must."""
    store, base = app.ledger.store, app.base
    told = decoding.claims(store, base, [key], (base.public,))
    times = [decoding.run(store, base, run).started for claim in told for run in claim.runs]
    return min(filter(None, times), default="")


def crate(app: App, release: str, target: Path) -> dict[str, Any]:
    """Write an RO-Crate of the dataset to a new folder; says where and what is in it."""
    path = target.absolute()
    demand_new(path)
    told = described(app)

    def write(draft: Path) -> list[CrateFile]:
        files = _crate_files(app, release, told, draft)
        metadata(draft, crates.metadata(told, files, release))
        return files

    files = in_new_folder(path, write)
    return {"target": str(path), "files": [file.path for file in files],
            "revision": app.ledger.revision}  # fmt: skip


def in_new_folder(path: Path, write: Callable[[Path], T]) -> T:
    """Return what `write` gives of a draft that becomes the folder; half a folder is never left."""
    with guard(path, "writing a crate"):
        draft = temporary(path.parent)
        try:
            draft.mkdir()
            made = write(draft)
            draft.rename(path)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return made


def metadata(folder: Path, document: dict[str, Any]) -> None:
    """Write the description of a crate into its folder."""
    data = json.dumps(document, ensure_ascii=False, indent=1)
    (folder / crates.METADATA).write_text(data + "\n", encoding="utf-8")


def described(app: App) -> Described:
    """Return what is told of the dataset at the revision that was opened."""
    counts = statistics.count(app.ledger, app.mapping, app.ledger.revision)
    return Described(app.settings, app.base, counts, releases.listing(app.archive))


def _crate_files(app: App, release: str, told: Described, folder: Path) -> list[CrateFile]:
    """Write the data of a crate: dumps, the description of the dataset, the vocabularies."""
    made = []
    for kind in DUMPS:
        path = folder / f"public.{kind.extension}.zst"
        with path.open("xb") as out:
            _written(app, release or dumps.LATEST, kind.extension, out)
        title = f"All public statements as {kind.feature}, compressed by zstd"
        made.append(file_of(path, title, ("application/zstd", kind.media_type)))
    turtle = negotiation.TURTLE
    path = folder / "dataset.ttl"
    path.write_bytes(
        negotiation.serialise(description.describe(told), turtle, description.PREFIXES)
    )
    made.append(file_of(path, "Description of the dataset: VoID, DCAT-AP", ("text/turtle",)))
    for name, title in (("rdfkms.ttl", "The terms kms:"), ("vocab.ttl", "The schemes kv:")):
        shutil.copyfile(resources.file(f"ontology/{name}"), folder / name)
        made.append(file_of(folder / name, title, ("text/turtle",)))
    return made


def file_of(path: Path, title: str, formats: tuple[str, ...]) -> CrateFile:
    """Return the description of a file of a crate: size and SHA-256."""
    with path.open("rb") as data:
        digest = hashlib.file_digest(data, "sha256").hexdigest()
    return CrateFile(path.name, title, path.stat().st_size, digest, formats)
