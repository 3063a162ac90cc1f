"""The rooms of linked data, in one list: each blueprint is registered here."""

from __future__ import annotations

from flask import Flask
from markupsafe import Markup

from rdfkms.model import Ref
from rdfkms.publish import schemaorg
from rdfkms.web.addresses import root
from rdfkms.web.blueprints import (
    activity,
    crawling,
    dataset,
    dump,
    linksets,
    reconcile,
    vocabulary,
    webannotations,
)

BLUEPRINTS = (
    reconcile.blueprint, dataset.blueprint, dump.blueprint, crawling.blueprint,
    linksets.blueprint, webannotations.blueprint, activity.blueprint,
    vocabulary.blueprint,
)  # fmt: skip


def install(app: Flask) -> None:
    """Register the blueprints, the typed links of pages, and what templates embed."""
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.after_request(linksets.sign)
    app.jinja_env.globals["schema_org"] = schema_org


def schema_org(kind: str, key: str) -> Markup:
    """Return schema.org about a thing as a script element, or nothing where it is not public."""
    found = schemaorg.document(
        linksets.public_scope(), Ref(kind, key), f"{root()}/page/{kind}/{key}"
    )
    if found is None:
        return Markup("")
    # The text holds no markup any more: see `embedded`.
    text = Markup(schemaorg.embedded(found))
    return Markup('<script type="application/ld+json">{}</script>').format(text)
