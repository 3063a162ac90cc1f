"""The address under which the client reached the service, for links in documents of programs."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from flask import request

from rdfkms.web.site import site

_HOST = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")


def root() -> str:
    """Return scheme and host without a slash at the end.

    That is the base of the archive where the client used its host (a proxy may have taken away
    the https), or sent what is no host; else the address of the request.
    """
    base, host = site().services.settings.base, request.host
    if urlsplit(base).netloc.lower() == host.lower() or _HOST.fullmatch(host) is None:
        return base
    return request.host_url.rstrip("/")
