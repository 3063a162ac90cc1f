"""The operation that asks an authority about entities, and leaves its proposals to reviewers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import rdfkms
from rdfkms import backends
from rdfkms.app.composition import App
from rdfkms.errors import BadInput, Misconfigured, RdfkmsError
from rdfkms.knowledge import authorities
from rdfkms.knowledge.authorities import Rules
from rdfkms.knowledge.authorityfile import AuthorityFile
from rdfkms.model import Principal, Run
from rdfkms.pipeline.authorities import Linker
from rdfkms.ports import Authority
from rdfkms.vocab import key_of

Report = Callable[[str, int, int], None]


def link(
    app: App, arguments: Mapping[str, Any], principal: Principal, report: Report
) -> dict[str, Any]:
    """Propose links of entities to one authority; returns counts. Raises `Unavailable`."""
    source = str(arguments.get("source") or "")
    rules = authorities.load(source)
    types = _types(str(arguments.get("type") or ""), rules, source)
    limit = int(arguments.get("limit") or 0)
    with ExitStack() as stack:
        authority, told = _authority(app, source, rules, stack)
        run = _run(app, authority, types)
        linker = Linker(
            app.ledger, app.work, app.mapping, principal, run, rules, authority,
            (app.base.public,) if told else (),
        )  # fmt: skip
        entities = linker.entities(types)
        entities = entities[:limit] if limit else entities
        app.work.begin_run(run)
        rows = []
        try:
            for number, entity in enumerate(entities, 1):
                rows.append(linker.link(entity))
                report("entities", number, len(entities))
        except RdfkmsError as err:  # what was proposed stays; answers are kept for the next run
            app.work.end_run(run.key, "failed", json.dumps({"error": str(err)}))
            raise
    done = {
        "source": source,
        "asked": len(rows),
        "with_entries": sum(bool(row.found) for row in rows),
        "proposed": sum(row.proposed for row in rows),
        "entities": [row.entity.path for row in rows if row.proposed],
        "run": run.key,
        "revision": app.ledger.revision,
    }
    app.work.end_run(run.key, "done", json.dumps(done))
    return done


def _types(wanted: str, rules: Rules, source: str) -> tuple[str, ...]:
    if wanted and wanted not in rules.types:
        hint = f"It knows: {', '.join(rules.types)}."
        raise BadInput(f"The authority {source} is not asked about {wanted!r}.", hint=hint)
    return (wanted,) if wanted else tuple(rules.types)


def _authority(app: App, source: str, rules: Rules, stack: ExitStack) -> tuple[Authority, bool]:
    """Return the authority as the archive's settings say, and whether others are told of names."""
    settings = app.settings.authorities.get(source)
    if settings is None or bool(settings.file) is bool(settings.service):
        raise Misconfigured(
            f"The archive does not say where the authority {source} is.",
            hint=f"Set either file or service under [authorities.{source}] in archive.toml.",
        )
    if settings.file:
        path = Path(settings.file)
        return AuthorityFile(app.archive.root / path, source, rules.types), False
    service = backends.load("authority", "service")(settings, source)
    stack.callback(service.close)
    return service, True


def _run(app: App, authority: Authority, types: tuple[str, ...]) -> Run:
    agent, version = f"authority:{authority.name}", authority.version
    key = key_of("link", rdfkms.__version__, agent, version, *types, app.ledger.revision)
    parameters = json.dumps({"types": list(types)})
    return Run(key, "link", agent, version, parameters, rdfkms.__version__)
