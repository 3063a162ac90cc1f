"""Reading what a language model answered: strict JSON of one form, or the reason why it is none."""

from __future__ import annotations

import json
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from rdfkms.ports import Answer

LONGEST_ANSWER = 200_000
Form = TypeVar("Form", bound=BaseModel)

_THOUGHT, _THOUGHT_END, _FENCE = "<think>", "</think>", "```"


def read(answer: Answer, form: type[Form]) -> tuple[Form | None, str]:
    """Return the value of `form` in an answer, or None and the reason why there is none.

    Thoughts before the answer (``<think>``) and a code fence around it are dropped. Never raises.
    """
    fault = _unusable(answer)
    if fault:
        return None, fault
    text = _after_thought(answer.text.strip())
    if text.startswith(_THOUGHT):
        return None, "the answer is a thought without an end"
    if not text:
        return None, "the answer is empty"
    try:
        found = json.loads(_without_fence(text), parse_constant=_no_number)
        return form.model_validate_json(json.dumps(found)), ""
    except ValidationError as err:
        first = err.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        return None, f"the JSON has another form: {where}: {first['msg']}"
    except (ValueError, RecursionError) as err:
        return None, f"the answer is no JSON: {str(err)[:200]}"


# Plain searches, no expressions: an answer of nothing but white space must not hold up a run.


def _after_thought(text: str) -> str:
    """Return what follows the first thought; servers may leave out how it begins."""
    end = text.find(_THOUGHT_END)
    return text[end + len(_THOUGHT_END) :].strip() if end >= 0 else text


def _without_fence(text: str) -> str:
    """Return what stands in a code fence that is all of the text."""
    first, newline, rest = text.partition("\n")
    fenced = newline and rest.endswith(_FENCE) and first.strip() in (_FENCE, f"{_FENCE}json")
    return rest.removesuffix(_FENCE) if fenced else text


def _unusable(answer: Answer) -> str:
    if answer.finish_reason == "refused":
        return f"the server refused the request: {answer.text[:200]}"
    if answer.finish_reason == "length":
        return "the answer was cut off at the limit of tokens"
    too_long = answer.finish_reason == "too_long" or len(answer.text) > LONGEST_ANSWER
    return "the answer is longer than any true answer" if too_long else ""


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")
