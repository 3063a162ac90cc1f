"""A language model behind any OpenAI-compatible server: vLLM, llama.cpp, Ollama, hosted (port).

How far the server can be held to a schema is tried once, at the first call: json_schema, else
json_object with the schema in the prompt, else plain text with it. Retries are ours (the client's
are off): on 408, 409, 429, 5xx and time-outs only, Retry-After honoured by all threads. Answers
are read within bounds of bytes and time (`bounded_http`).
"""

from __future__ import annotations

import json
import math
import os
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import openai
import tenacity

from rdfkms.backends.bounded_http import AnswerTooLong, client
from rdfkms.errors import Misconfigured, Unavailable
from rdfkms.ports import Answer
from rdfkms.settings import ModelSettings

ATTEMPTS = 4
LONGEST_WAIT = 30.0
SEED = 1
CONNECT_SECONDS = 5.0
_MODES = ("json_schema", "json_object", "text")
_PROBE: dict[str, Any] = {
    "type": "object",
    "properties": {"ready": {"type": "string", "enum": ["yes"]}},
    "required": ["ready"],
    "additionalProperties": False,
}


class OpenAIModel:
    """Asks one model at one address; `name` is the model, `version` address and mode.

    `wait` multiplies the pauses between attempts (tests set it to 0).
    """

    def __init__(
        self, settings: ModelSettings, *, attempts: int = ATTEMPTS, wait: float = 1.0
    ) -> None:
        if not settings.llm_url or not settings.llm_model:
            raise Misconfigured(
                "No language model is set.", hint="Set models.llm_url and models.llm_model."
            )
        self.name = settings.llm_model
        self.version = settings.llm_url
        self._settings = settings
        self._attempts = attempts
        self._wait = wait
        self._mode = ""
        self._top_k = settings.top_k > 0
        self._lock = threading.Lock()
        self._gate = threading.Lock()
        self._pause_until = 0.0  # no thread asks before: the server said so
        connect = min(CONNECT_SECONDS, settings.timeout)
        # Older clients are typed for httpx, newer ones for its successor; both take httpx.
        bounded: Any = client(settings.timeout, connect, settings.max_answer_bytes)
        self._client = openai.OpenAI(
            base_url=settings.llm_url,
            api_key=os.environ.get(settings.llm_key_env) or "none",
            max_retries=0,
            timeout=openai.Timeout(settings.timeout, connect=connect),
            http_client=bounded,
        )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    @property
    def sampling(self) -> str:
        """What decides the answers besides model and prompt, for the key of the call cache."""
        s = self._settings
        shown = (s.temperature, s.top_p, s.top_k, s.max_tokens, SEED)
        return "temperature={} top_p={} top_k={} max_tokens={} seed={}".format(*shown)

    def complete(
        self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None
    ) -> Answer:
        """Return the answer; finish reason ``refused`` where the server takes no such request.

        ``too_long`` where it sends more bytes than `models.max_answer_bytes`. Raises
        `Unavailable`, or `Misconfigured` for a refused key or an unknown model.
        """
        mode = self._probed() if schema else "text"
        try:
            return self._call(messages, schema, mode, self._settings.max_tokens)
        except (openai.BadRequestError, openai.UnprocessableEntityError) as err:
            # Too long a passage, for one: about this request, not about the service.
            return Answer(str(err)[:500], "refused", mode=mode)
        except AnswerTooLong as err:
            return Answer(str(err), "too_long", mode=mode)

    def _probed(self) -> str:
        with self._lock:
            if not self._mode:
                self._mode = next(mode for mode in _MODES if mode == "text" or self._obeys(mode))
            return self._mode

    def _obeys(self, mode: str) -> bool:
        """Return whether the server takes this way of asking and does answer accordingly."""
        asked = [{"role": "user", "content": 'Answer with this JSON: {"ready": "yes"}'}]
        try:
            answer = self._call(asked, _PROBE, mode, 40)
            said = json.loads(answer.text)
        except (openai.BadRequestError, openai.UnprocessableEntityError, ValueError):
            return False
        except AnswerTooLong:
            return False
        return isinstance(said, dict) and (mode == "json_object" or said == {"ready": "yes"})

    def _call(
        self,
        messages: Sequence[Mapping[str, str]],
        schema: Mapping[str, Any] | None,
        mode: str,
        most: int,
    ) -> Answer:
        request = self._request(messages, schema, mode, most)
        started = time.monotonic()
        try:
            response = self._retrying(request)
        except openai.APITimeoutError as err:
            seconds = self._settings.timeout
            raise self._unavailable(f"gave no answer within {seconds:g} s") from err
        except openai.APIConnectionError as err:
            if isinstance(err.__cause__, AnswerTooLong):
                raise err.__cause__ from None
            raise self._unavailable("cannot be reached, or broke off") from err
        except ValueError as err:
            raise self._unavailable("answers with something that is no JSON") from err
        except (openai.AuthenticationError, openai.PermissionDeniedError) as err:
            raise Misconfigured(
                f"{self.version} refuses the key of the language model.",
                hint=f"Put a valid key into the variable {self._settings.llm_key_env}.",
            ) from err
        except openai.NotFoundError as err:
            raise Misconfigured(
                f"{self.version} has no model {self.name!r}.", hint="Check models.llm_model."
            ) from err
        except openai.APIStatusError as err:
            if err.status_code in {400, 422}:
                raise
            wait = retry_after(err)
            asks = f" and asks to wait {wait:g} s" if wait else ""
            raise self._unavailable(f"answered {err.status_code}{asks}") from err
        return _answer(response, mode, time.monotonic() - started)

    def _request(
        self,
        messages: Sequence[Mapping[str, str]],
        schema: Mapping[str, Any] | None,
        mode: str,
        most: int,
    ) -> dict[str, Any]:
        s = self._settings
        sent = [dict(message) for message in messages]
        request: dict[str, Any] = {
            "model": self.name, "max_tokens": most, "temperature": s.temperature,
            "top_p": s.top_p, "seed": SEED, "messages": sent,
        }  # fmt: skip
        if self._top_k:
            request["extra_body"] = {"top_k": s.top_k}
        if schema and mode == "json_schema":
            form = {"name": "answer", "schema": dict(schema), "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": form}
        elif schema:
            shown = json.dumps(schema, ensure_ascii=False)
            sent[0]["content"] += f"\n\nJSON Schema: {shown}"
            if mode == "json_object":
                request["response_format"] = {"type": "json_object"}
        return request

    def _retrying(self, request: dict[str, Any]) -> Any:
        retrying = tenacity.Retrying(
            stop=tenacity.stop_after_attempt(self._attempts),
            wait=self._pause,
            retry=tenacity.retry_if_exception(self._worth_retrying),
            sleep=self._sleep,
            reraise=True,
        )
        try:
            return retrying(self._ask, request)
        except openai.BadRequestError as err:
            if not ("top_k" in str(err) and request.pop("extra_body", None)):
                raise
            self._top_k = False  # the hosted service knows no top_k: ask without
            return retrying(self._ask, request)

    def _ask(self, request: dict[str, Any]) -> Any:
        """Ask once, not before the time that the server named to any thread."""
        while True:
            with self._gate:
                left = self._pause_until - time.monotonic()
            if left <= 0:
                return self._client.chat.completions.create(**request)
            time.sleep(left)

    def _sleep(self, seconds: float) -> None:
        with self._gate:
            self._pause_until = max(self._pause_until, time.monotonic() + seconds)

    def _pause(self, state: tenacity.RetryCallState) -> float:
        failure = state.outcome.exception() if state.outcome else None
        asked = retry_after(failure)
        # Growing and uneven pauses, so that many workers do not come back at once.
        own: float = tenacity.wait_exponential_jitter(multiplier=0.5, max=LONGEST_WAIT)(state)
        return self._wait * (own if asked is None else asked)

    def _worth_retrying(self, failure: BaseException) -> bool:
        if isinstance(failure, openai.APITimeoutError):
            return True
        if (retry_after(failure) or 0.0) > self._settings.longest_wait:
            return False  # it asks for more patience than is set: a matter for the operator
        status = failure.status_code if isinstance(failure, openai.APIStatusError) else 0
        return status in {408, 409, 429} or status >= 500

    def _unavailable(self, what: str) -> Unavailable:
        return Unavailable(
            f"The language model at {self.version} {what}.",
            hint="Start it, or leave models.llm_url empty to go without.",
        )


def retry_after(failure: BaseException | None) -> float | None:
    """Return the seconds that a refusal asks to wait (a number or a date), None for none."""
    response = getattr(failure, "response", None)
    text = response.headers.get("retry-after", "").strip() if response is not None else ""
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def _answer(response: Any, mode: str, seconds: float) -> Answer:
    choices = getattr(response, "choices", None)
    if not choices or choices[0].message is None:
        return Answer("", "error", seconds=seconds, mode=mode)
    usage = response.usage
    return Answer(
        choices[0].message.content or "",
        choices[0].finish_reason or "",
        usage.prompt_tokens if usage else 0,
        usage.completion_tokens if usage else 0,
        seconds,
        mode,
    )
