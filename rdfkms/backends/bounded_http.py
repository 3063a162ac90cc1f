"""An HTTP client whose answers are read within bounds of bytes and of time.

A server that sends fifty megabytes, or one byte every few seconds for ever, must neither fill the
memory nor hold up a run. httpx bounds the wait for each piece only; here the whole is bounded.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import httpx


class AnswerTooLong(Exception):
    """The server sends more bytes than an answer may have, or packs them."""


class _Stream(httpx.SyncByteStream):
    """Counts the bytes of an answer as they come."""

    def __init__(
        self, inner: httpx.SyncByteStream, most: int, until: float, request: httpx.Request
    ) -> None:
        self._inner = inner
        self._most = most
        self._until = until
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        seen = 0
        for chunk in self._inner:
            seen += len(chunk)
            if seen > self._most:
                raise AnswerTooLong(f"The answer is longer than {self._most} bytes.")
            if time.monotonic() > self._until:
                raise httpx.ReadTimeout("The answer never ends.", request=self._request)
            yield chunk

    def close(self) -> None:
        self._inner.close()


class _Transport(httpx.HTTPTransport):
    """Bounds every answer; takes none that is packed, since its length would be unknown."""

    def __init__(self, most: int, seconds: float) -> None:
        super().__init__()
        self._most = most
        self._seconds = seconds

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.headers["Accept-Encoding"] = "identity"
        until = time.monotonic() + self._seconds
        response = super().handle_request(request)
        fault = self._refused(response)
        if fault:
            response.close()
            raise AnswerTooLong(fault)
        inner = response.stream
        assert isinstance(inner, httpx.SyncByteStream)
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=_Stream(inner, self._most, until, request),
            extensions=response.extensions,
        )

    def _refused(self, response: httpx.Response) -> str:
        packed = response.headers.get("content-encoding", "identity").lower()
        if packed not in ("", "identity"):
            return f"The answer is packed ({packed[:20]}), which was not asked for."
        length = response.headers.get("content-length", "")
        if length.isdigit() and int(length) > self._most:
            return f"The answer would be {length[:20]} bytes long, {self._most} are allowed."
        return ""


def client(seconds: float, connect: float, most: int) -> httpx.Client:
    """Return a client that reads at most `most` bytes and `seconds` seconds of each answer."""
    timeout = httpx.Timeout(seconds, connect=connect)
    return httpx.Client(timeout=timeout, transport=_Transport(most, seconds))
