"""Asks the service that holds an archive to do an operation; shows its progress."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from rdfkms.errors import RdfkmsError, Unavailable
from rdfkms.ledger.lock import Served


def perform(
    service: Served,
    name: str,
    arguments: Mapping[str, Any],
    report: Callable[[str, int, int], None],
) -> dict[str, Any]:
    """Return the result; raises the error that the service reports, with its exit code."""
    url = f"{service.address}/api/commands/{name}"
    headers = {"Authorization": f"Bearer {service.token}"}
    last: dict[str, Any] = {}
    try:
        with (
            httpx.Client(timeout=httpx.Timeout(30, read=None), trust_env=False) as client,
            client.stream("POST", url, json=dict(arguments), headers=headers) as response,
        ):
            if response.status_code != 200:
                raise _refused(response.read().decode("utf-8", "replace"), response.status_code)
            for line in response.iter_lines():
                last = json.loads(line)
                if "progress" in last:
                    report(*last["progress"])
    except httpx.HTTPError as err:
        raise Unavailable(
            f"The service at {service.address} did not answer: {err}.",
            hint="Look at its log; the command may have been done: rdfkms audit log.",
        ) from err
    if "result" in last:
        result: dict[str, Any] = last["result"]
        return result
    raise _error(last.get("error", "The service broke off without a result."), last)


def _error(message: str, line: Mapping[str, Any]) -> RdfkmsError:
    error = RdfkmsError(message)
    error.exit_code = int(line.get("exit_code", 1))
    return error


def _refused(body: str, status: int) -> RdfkmsError:
    try:
        told = json.loads(body)
        message = told.get("error") or told.get("title") or body
    except (ValueError, AttributeError):
        message = body[:300]
    return RdfkmsError(f"The service refused ({status}): {message}")
