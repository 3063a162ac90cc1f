"""The rooms of linked data, in one list: each blueprint is registered here."""

from __future__ import annotations

from flask import Flask

from rdfkms.web.blueprints import dataset, reconcile

BLUEPRINTS = (reconcile.blueprint, dataset.blueprint)


def install(app: Flask) -> None:
    """Register the blueprints."""
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
