"""Exports of linked data: dumps, nanopublications, RO-Crates (DESIGN 4: only what is public)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rdfkms.app import dumping
from rdfkms.app.composition import App
from rdfkms.errors import Conflict
from rdfkms.ledger.disk import guard, temporary
from rdfkms.publish.dataset import dumps


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
