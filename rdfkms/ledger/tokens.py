"""Bearer tokens: who may write over the service's API (DESIGN 4).

A secret holds 256 random bits, so its plain SHA-256 can be kept: there is nothing to guess.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

from rdfkms.errors import BadInput, Conflict, NotFound
from rdfkms.ledger.work import Work, now
from rdfkms.model import Principal, Role

_PREFIX = "rdfkms_"
_ID = re.compile(r"[\w.@+-]{1,80}")


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token: the principal's id and role, when it was made and revoked."""

    id: str
    role: Role
    created: str
    revoked: str


def add(work: Work, id: str, role: Role) -> str:
    """Make a token for a new principal; returns the secret, which is shown this once.

    Raises `BadInput` for an id of other than 1-80 letters, digits and ``._@+-``, `Conflict` for
    one that has a token. A revoked id stays taken: the journal names what it wrote.
    """
    if not _ID.fullmatch(id):
        raise BadInput(f"{id!r} is no id: use 1-80 letters, digits and . _ @ + -")
    secret = _PREFIX + secrets.token_urlsafe(32)
    with work.transaction() as db:
        if db.execute("SELECT 1 FROM token WHERE id = ?", (id,)).fetchone():
            raise Conflict(f"{id} has or had a token.", hint="Choose another id.")
        db.execute(
            "INSERT INTO token VALUES (?, ?, ?, ?, '')", (id, str(role), _hash(secret), now())
        )
    return secret


def verify(work: Work, secret: str) -> Principal | None:
    """Return whose secret this is, or None; takes the same time whichever token is like it."""
    given = _hash(secret)
    found: Principal | None = None
    for id_, role, kept in work.rows("SELECT id, role, hash FROM token WHERE revoked = ''"):
        if hmac.compare_digest(given, kept):
            found = Principal(id_, Role(role))
    return found


def list_tokens(work: Work) -> list[Token]:
    """Return all tokens, the revoked too, in the order in which they were made."""
    found = work.rows("SELECT id, role, created, revoked FROM token ORDER BY rowid")
    return [Token(id_, Role(role), created, revoked) for id_, role, created, revoked in found]


def revoke(work: Work, id: str) -> None:
    """End a token at once; `NotFound` where there is none that holds."""
    with work.transaction() as db:
        done = db.execute("UPDATE token SET revoked = ? WHERE id = ? AND revoked = ''", (now(), id))
        if done.rowcount == 0:
            raise NotFound(f"{id} has no token.", hint="See: rdfkms token list")


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
