"""The address under which the client reached the service, for links in documents of programs."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import request

from rdfkms.web.site import site


def root() -> str:
    """Return scheme and host without a slash at the end.

    That is the base of the archive where the client used its host (a proxy may have taken away
    the https), else the address of the request.
    """
    base = site().services.settings.base
    if urlsplit(base).netloc.lower() == request.host.lower():
        return base
    return request.host_url.rstrip("/")
