"""One error tree. A refusal of a claim is a `Verdict`, never one of these (DESIGN law 5).

RdfkmsError
|-- BadInput           a file, text or request that cannot be read      exit 3, HTTP 400
|   `-- TooLarge       a limit was met (pixels, bytes, pages, length)   exit 3, HTTP 413
|-- NotFound           no such thing in this archive                    exit 4, HTTP 404
|-- Denied             the principal may not do this                    exit 5, HTTP 403
|-- Conflict           someone else changed it first, or holds the lock exit 6, HTTP 409
|-- Broken             the archive or an engine is damaged              exit 7, HTTP 500
|-- Missing            software or a model is not installed             exit 8, HTTP 501
|-- Unavailable        busy, over a limit or a remote service failed    exit 9, HTTP 503
`-- Misconfigured      a setting or profile is wrong                    exit 2, HTTP 500
"""

from __future__ import annotations


class RdfkmsError(Exception):
    """Base of all errors that carry a sentence for a person: what, where and what to do next."""

    exit_code = 1
    http_status = 500

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process pools; the keyword argument must survive pickling.
        return (_rebuild, (type(self), self.message, self.hint))


def _rebuild(kind: type[RdfkmsError], message: str, hint: str) -> RdfkmsError:
    return kind(message, hint=hint)


class BadInput(RdfkmsError):
    """A file, text, query or request that cannot be read as what it claims to be."""

    exit_code = 3
    http_status = 400


class TooLarge(BadInput):
    """Input over a stated limit."""

    http_status = 413


class NotFound(RdfkmsError):
    """No such thing in this archive."""

    exit_code = 4
    http_status = 404


class Denied(RdfkmsError):
    """The principal may not do this."""

    exit_code = 5
    http_status = 403


class Conflict(RdfkmsError):
    """The state is not the one expected, or another process holds the archive."""

    exit_code = 6
    http_status = 409


class Broken(RdfkmsError):
    """The archive on disk or an engine is damaged; the sentence says how to heal it."""

    exit_code = 7


class Missing(RdfkmsError):
    """Software, a model or an extra is not installed; the sentence names what to install."""

    exit_code = 8
    http_status = 501


class Unavailable(RdfkmsError):
    """Busy, over a resource limit, or a remote service failed; trying later may work."""

    exit_code = 9
    http_status = 503


class Misconfigured(RdfkmsError):
    """A setting, profile, mapping or query file is wrong."""

    exit_code = 2
