"""Who may see and do what: one function chooses the graph (DESIGN 4, "Graphs are visibility")."""

from __future__ import annotations

from datetime import UTC, date, datetime

from rdfkms.errors import Denied
from rdfkms.model import Access, Principal, Role, Status

ANONYMOUS = Principal("anonymous", Role.READER)
_ORDER = [Role.READER, Role.CONTRIBUTOR, Role.REVIEWER, Role.ADMINISTRATOR]


def today() -> date:
    """Return the day by which embargoes are judged (UTC)."""
    return datetime.now(UTC).date()


def is_open(access: Access, on: date | None = None) -> bool:
    """Return whether anyone may read what has this access condition on that day."""
    if access.condition == "open":
        return True
    if access.condition == "embargo" and access.until is not None:
        return (on or today()) >= access.until
    return False


def is_public(access: Access, status: Status = Status.ADMITTED, on: date | None = None) -> bool:
    """Return whether a thing with this access condition and status belongs in the public graph."""
    return status is Status.ADMITTED and is_open(access, on)


def visible(access: Access, status: Status, principal: Principal, on: date | None = None) -> bool:
    """Return whether `principal` may read the thing: the public reads what is public, staff all."""
    return is_public(access, status, on) or at_least(principal, Role.CONTRIBUTOR)


def at_least(principal: Principal, role: Role) -> bool:
    """Return whether the principal's role includes `role`."""
    return _ORDER.index(principal.role) >= _ORDER.index(role)


def demand(principal: Principal, role: Role, what: str) -> None:
    """Raise `Denied` below the role; `what` completes "may not ..."."""
    if not at_least(principal, role):
        raise Denied(
            f"{principal.id} ({principal.role}) may not {what}.",
            hint=f"An administrator can give a token with role {role} (rdfkms token add).",
        )
