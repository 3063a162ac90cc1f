"""/activity: what changed, for those that keep a copy."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, Response
from flask.typing import ResponseReturnValue

from rdfkms.errors import NotFound
from rdfkms.publish import activity
from rdfkms.publish.perrevision import PerRevision
from rdfkms.web.addresses import root
from rdfkms.web.keeping import kept
from rdfkms.web.services import Services
from rdfkms.web.site import by_revision, site

blueprint = Blueprint("activity", __name__)

_KEPT = "rdfkms-activity"
_TYPE = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'


@blueprint.get("/activity")
@by_revision
def collection() -> ResponseReturnValue:
    """Say how much changed, and where to begin."""
    return _sent(activity.collection(_feed(), root()))


@blueprint.get("/activity/page/<int:number>")
@by_revision
def page(number: int) -> ResponseReturnValue:
    """List the changes of a range of revisions, the oldest first."""
    found = _feed()
    if number > found.last:
        raise NotFound("There is no such page of changes yet.", hint="/activity names the last.")
    return _sent(activity.page(found, number, root(), site().services.settings.base))


def _feed() -> activity.Feed:
    def make(services: Services) -> PerRevision[activity.Feed]:
        ledger, history = services.ledger, activity.History(services.ledger, services.mapping)
        return PerRevision(ledger, lambda revision: activity.feed(ledger, history, revision))

    return kept(_KEPT, make).current()


def _sent(found: dict[str, Any]) -> Response:
    response = Response(json.dumps(found, indent=1), content_type=_TYPE)
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.vary.add("Host")
    return response
