"""`records.toml` beside the files: titles, profile, language, rights; read from top to bottom.

Conditions of access and use hold for what a rule's glob names and for nothing else: a record
inherits them only where a rule states it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rdfkms.errors import BadInput
from rdfkms.ingest import profiles

NAME = "records.toml"


class Rule(BaseModel):
    """What a sidecar says about the records or files that `match` names."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    match: str
    title: str | None = None
    profile: str | None = None
    language: str | None = None
    access: Literal["open", "closed", "embargo"] | None = None
    until: date | None = None
    part_of: str | None = None
    use: str | None = Field(default=None, max_length=500)
    personal_data: bool | None = None

    @model_validator(mode="after")
    def _sound(self) -> Rule:
        if self.access == "embargo" and self.until is None:
            raise ValueError("access = 'embargo' needs until = a date such as 2030-01-01")
        if self.until is not None and self.access != "embargo":
            raise ValueError("until is given, but access is not 'embargo'")
        if self.use is not None and not self.use.isprintable():
            raise ValueError("use is one line: the address of a rights statement, or words")
        if self.profile is not None and self.profile not in profiles.names():
            known = ", ".join(profiles.names())
            raise ValueError(f"there is no profile {self.profile!r} (known: {known})")
        return self


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    ignore: tuple[str, ...] = ()
    records: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class Sidecar:
    """The rules of one `records.toml`; globs are relative to its folder."""

    folder: Path
    ignore: tuple[str, ...]
    rules: tuple[Rule, ...]


def load(folder: Path) -> Sidecar | None:
    """Return the sidecar of a folder, None when there is none; `BadInput` when it is wrong."""
    path = folder / NAME
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        pass  # it may be there: reading it below says why it cannot be read
    hint = "Nothing below this folder is read until it is mended: it says who may see what."
    try:
        value = _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as err:
        right = "Give the user that runs rdfkms the right to read it (chmod u+r). "
        raise BadInput(
            f"{NAME} cannot be opened: {err.strerror}.",
            hint=(right if isinstance(err, PermissionError) else "") + hint,
        ) from err
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise BadInput(f"{NAME} cannot be read as TOML: {err}.", hint=hint) from err
    except RecursionError as err:
        raise BadInput(f"{NAME} is nested too deeply.", hint=hint) from err
    except ValidationError as err:
        first = err.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadInput(f"{NAME}: {where}: {first['msg']}.", hint=hint) from err
    return Sidecar(folder, value.ignore, value.records)


def ignored(path: Path, sidecars: Sequence[Sidecar]) -> bool:
    """Return whether any of the sidecars above a file says to leave it alone."""
    return any(
        matches(glob, name)
        for sidecar in sidecars
        for name in _names(path, sidecar)
        for glob in sidecar.ignore
    )


def rule_for(record: Path, files: Sequence[Path], sidecars: Sequence[Sidecar]) -> Rule:
    """Return all that is said about a record, later and deeper rules winning field by field."""
    merged: dict[str, object] = {"match": "*"}
    for sidecar in sidecars:
        names = [name for path in (record, *files) for name in _names(path, sidecar)]
        for rule in sidecar.rules:
            if any(matches(rule.match, name) for name in names):
                fields = rule.model_dump(exclude={"match"})
                said = {name: value for name, value in fields.items() if value is not None}
                if "access" in said:
                    merged.pop("until", None)
                merged.update(said)
    return Rule.model_validate(merged)


def _names(path: Path, sidecar: Sidecar) -> Iterator[PurePosixPath]:
    """Yield the path as seen from the sidecar: where it is named, and where a link leads."""
    for place in dict.fromkeys((path, path.resolve())):
        if place.is_relative_to(sidecar.folder):
            yield PurePosixPath(place.relative_to(sidecar.folder).as_posix())


def matches(glob: str, path: PurePosixPath) -> bool:
    """Return whether a glob matches; one without a slash matches a name at any depth."""
    pattern = _pattern(glob.strip("/"))
    if "/" not in glob.strip("/"):
        return any(pattern.fullmatch(part) for part in path.parts)
    return pattern.fullmatch(str(path)) is not None


@lru_cache(maxsize=512)
def _pattern(glob: str) -> re.Pattern[str]:
    out = ""
    for token in re.findall(r"\*\*/|\*\*|\*|\?|.", glob, re.S):
        out += {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(
            token, re.escape(token)
        )
    return re.compile(out, re.S)
