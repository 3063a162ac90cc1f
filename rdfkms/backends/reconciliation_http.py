"""An authority behind a reconciliation service (Reconciliation API 0.2) over HTTP (R67).

One query a call, as a form. Answers are hostile until checked: size, form and lengths. Retries are
on time-outs, 429 and 5xx only; redirects are not followed, so that no other host is asked than the
one that was configured.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx
import tenacity
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rdfkms.errors import Misconfigured, Unavailable
from rdfkms.ports import AuthorityCandidate
from rdfkms.settings import AuthoritySettings

ATTEMPTS = 3
LIMIT = 10
_TRANSIENT = frozenset({408, 429, 500, 502, 503, 504})


class _Again(Exception):
    """A fault that may pass."""


class _Entry(BaseModel):
    """What we read of a candidate; whatever else is there is passed over."""

    model_config = ConfigDict(extra="ignore", strict=True)

    id: str = Field(min_length=1, max_length=200)
    name: str = Field(min_length=1, max_length=500)
    description: str = Field(default="", max_length=2_000)


class _Result(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    result: list[_Entry] = Field(max_length=200)


class ReconciliationService:
    """Asks one service; `version` is its address. `wait` multiplies pauses (tests set it to 0)."""

    def __init__(
        self, settings: AuthoritySettings, name: str = "service", *, wait: float = 1.0
    ) -> None:
        if not settings.service.startswith(("http://", "https://")):
            raise Misconfigured(
                f"The authority {name} has no address.",
                hint=f"Set authorities.{name}.service in archive.toml to an http(s) address.",
            )
        self.name = name
        self.version = settings.service
        self._settings = settings
        self._wait = wait
        self._client = httpx.Client(timeout=settings.timeout, follow_redirects=False)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def candidates(
        self, name: str, type: str, facts: Mapping[str, str]
    ) -> tuple[AuthorityCandidate, ...]:
        """Return the service's candidates in its order; raises `Unavailable`."""
        query: dict[str, Any] = {"query": name, "type": type, "limit": LIMIT}
        if facts:
            query["properties"] = [{"pid": pid, "v": facts[pid]} for pid in sorted(facts)]
        found = self._entries(self._ask({"queries": json.dumps({"q0": query})}))
        return tuple(
            AuthorityCandidate(entry.id, entry.name, description=entry.description)
            for entry in found
        )

    def _ask(self, form: Mapping[str, str]) -> bytes:
        retry = tenacity.Retrying(
            stop=tenacity.stop_after_attempt(ATTEMPTS),
            wait=tenacity.wait_exponential(multiplier=self._wait, max=10.0),
            retry=tenacity.retry_if_exception_type(_Again),
            reraise=True,
        )
        try:
            return retry(self._once, form)
        except (_Again, httpx.HTTPError, httpx.InvalidURL) as err:
            raise Unavailable(
                f"The authority {self.name} at {self.version} does not answer: {err}.",
                hint="Try again later, or use a local file of it.",
            ) from err

    def _once(self, form: Mapping[str, str]) -> bytes:
        try:
            with self._client.stream("POST", self.version, data=dict(form)) as response:
                if response.status_code in _TRANSIENT:
                    raise _Again(f"status {response.status_code}")
                if response.status_code != httpx.codes.OK:
                    raise Unavailable(
                        f"The authority {self.name} answers with status {response.status_code}.",
                        hint=f"Check authorities.{self.name}.service: {self.version}.",
                    )
                return self._bounded(response)
        except (httpx.TimeoutException, httpx.ConnectError, httpx.ReadError) as err:
            raise _Again(str(err) or type(err).__name__) from err

    def _bounded(self, response: httpx.Response) -> bytes:
        data = bytearray()
        for chunk in response.iter_bytes():
            data += chunk
            if len(data) > self._settings.max_bytes:
                raise Unavailable(
                    f"The answer of the authority {self.name} is larger than "
                    f"{self._settings.max_bytes} bytes.",
                    hint="It is refused; ask the service's keeper.",
                )
        return bytes(data)

    def _entries(self, data: bytes) -> list[_Entry]:
        try:
            answer = json.loads(data)
            return _Result.model_validate(answer["q0"]).result
        except (ValueError, TypeError, KeyError, RecursionError, ValidationError) as err:
            raise Unavailable(
                f"The authority {self.name} does not answer as the Reconciliation API 0.2 asks.",
                hint=f"Check authorities.{self.name}.service: {self.version}.",
            ) from err
