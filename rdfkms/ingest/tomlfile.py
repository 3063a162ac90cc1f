"""`load`: a file of settings of one's own (TOML), checked against its model."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from rdfkms.errors import Misconfigured

Model = TypeVar("Model", bound=BaseModel)


def load(path: Path, model: type[Model], **given: Any) -> Model:
    """Return what a TOML file sets; `given` is used where the file does not say otherwise.

    Raises `Misconfigured` with file, key and reason.
    """
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise Misconfigured(f"{path}: cannot be read as TOML: {err}.") from err
    try:
        return model.model_validate({**given, **values})
    except ValidationError as err:
        first = err.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        told = first["msg"].removeprefix("Value error, ")
        raise Misconfigured(f"{path}: {where}: {told}.") from err
