"""Answers a file of prompts with vLLM; run as a file by the interpreter that has vLLM (R125).

    python vllm_worker.py REQUESTS ANSWERS SETTINGS

REQUESTS has one JSON object a line (key, messages, schema), ANSWERS gets one a line (key, text,
finish_reason, tokens_in, tokens_out, seconds), SETTINGS is one JSON object (model, args, at_once,
sampling). Answers are written and flushed a few at a time, so that a worker that dies leaves what
it did. This file imports nothing of rdfkms: vLLM pins its own versions of almost everything.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any


def main(requests: str, answers: str, settings: str) -> None:
    """Answer all requests in order."""
    from vllm import LLM, SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    told: dict[str, Any] = json.loads(Path(settings).read_text(encoding="utf-8"))
    asked = [json.loads(line) for line in Path(requests).read_text(encoding="utf-8").splitlines()]
    model = LLM(model=told["model"], seed=told["sampling"]["seed"], **told["args"])
    with Path(answers).open("a", encoding="utf-8") as out:
        for start in range(0, len(asked), told["at_once"]):
            some = asked[start : start + told["at_once"]]
            sampling = [
                SamplingParams(
                    **told["sampling"],
                    structured_outputs=StructuredOutputsParams(json=one["schema"]),
                )
                for one in some
            ]
            began = time.monotonic()
            found = model.chat([one["messages"] for one in some], sampling, use_tqdm=False)
            each = (time.monotonic() - began) / len(some)
            for one, output in zip(some, found, strict=True):
                said = output.outputs[0]
                answer = {
                    "key": one["key"],
                    "text": said.text,
                    "finish_reason": said.finish_reason or "",
                    "tokens_in": len(output.prompt_token_ids or ()),
                    "tokens_out": len(said.token_ids),
                    "seconds": each,
                }
                out.write(json.dumps(answer, ensure_ascii=False) + "\n")
            out.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
