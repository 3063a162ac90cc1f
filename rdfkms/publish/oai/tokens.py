"""Resumption tokens: all that a list needs to go on, signed with a key of the archive.

Nothing is kept of them (OAI-PMH 2.0, section 3.5): a token is valid as often as it is sent, until
it expires, and goes on after the place it names whatever was inserted or withdrawn meanwhile.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from rdfkms.ledger.archive import Archive

KEY = "harvest.key"
LONGEST = 1_500  # characters
_FIELDS = 9


@dataclass(frozen=True, slots=True)
class Place:
    """Where a list goes on: which list, after which item, how many were given, asked when."""

    verb: str
    prefix: str
    set: str
    first: int | None
    last: int | None
    stamp: int
    key: str
    cursor: int
    issued: int


class Signer:
    """Makes and reads tokens of one archive."""

    def __init__(self, archive: Archive) -> None:
        self._path = archive.indexes / KEY
        self._kept = b""

    def seal(self, place: Place) -> str:
        """Return the token of a place."""
        fields = [getattr(place, name) for name in Place.__slots__]
        data = json.dumps(fields, separators=(",", ":")).encode()
        body = base64.urlsafe_b64encode(data).decode().rstrip("=")
        return f"{body}.{self._seal_of(body)}"

    def open(self, token: str) -> Place | None:
        """Return the place that a token names, None for one that was not made here."""
        body, dot, seal = token.partition(".")
        if not dot or len(token) > LONGEST or not token.isascii():
            return None
        if not hmac.compare_digest(seal, self._seal_of(body)):
            return None
        try:
            fields = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        except (binascii.Error, ValueError):
            return None
        return Place(*fields) if isinstance(fields, list) and len(fields) == _FIELDS else None

    def _seal_of(self, body: str) -> str:
        return hmac.new(self._key(), body.encode(), hashlib.sha256).hexdigest()[:40]

    def _key(self) -> bytes:
        if not self._kept:
            self._kept = _kept_key(self._path)
        return self._kept


def _kept_key(path: Path) -> bytes:
    """Return the archive's key, made when it is first needed; only its owner may read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        found = path.read_bytes()
        if len(found) >= 32:
            return found
        path.unlink(missing_ok=True)  # its making was broken off
        return _kept_key(path)
    with os.fdopen(handle, "wb") as out:
        key = secrets.token_bytes(32)
        out.write(key)
    return key
