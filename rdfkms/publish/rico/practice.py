"""What an institution adds to its descriptions by rule, without any file saying it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from rdfkms.errors import BadInput

_TABLES = ("name_rules", "headings", "relation_names")
_LISTS = ("copy_endings",)
_OF_RELATIONS = ("name", "source", "target")
_PATTERNS = {
    "file_address": ("file",),
    "authority_address": ("file",),
    "unit_address": ("file", "unit"),
    "copy_address": ("file", "unit", "copy"),
    "relation_label": _OF_RELATIONS,
    "relation_beginning": ("date",),
    "relation_end": ("date",),
}
_FLAGS = ("no_end_is_now",)


@dataclass(frozen=True, slots=True)
class Practice:
    """The rules of an institution; with none set nothing is added to what the file says.

    Addresses are patterns: ``{file}`` is the identifier of the finding aid or authority record,
    ``{unit}`` the id of a component, ``{copy}`` the identifier of a digital copy.
    """

    language: str = ""  # of words whose file does not say one
    holder: str = ""  # IRI of who holds what no repository is named for, the description itself too
    file_address: str = ""
    authority_address: str = ""  # of an authority record, where other than `file_address`
    unit_address: str = ""
    copy_address: str = ""
    copy_format: str = ""  # media type of digital copies
    copy_technique: str = ""  # IRI of the technique by which digital copies are made
    copy_endings: tuple[str, ...] = ()  # taken off the identifiers of digital copies
    name_rules: Mapping[str, str] = field(default_factory=dict)  # class of agent -> IRI of a rule
    preferred_name: str = ""  # words for the type of the first name of an authority record
    legal_status: str = "hasOrHadLegalStatus"
    headings: Mapping[str, str] = field(default_factory=dict)  # statement -> heading of its text
    # class -> its name in labels, or a whole pattern where that names {source} and {target}
    relation_names: Mapping[str, str] = field(default_factory=dict)
    relation_label: str = ""  # pattern of {name}, {source}, {target}
    relation_beginning: str = ""  # pattern of {date}, added where the relation has a beginning
    relation_end: str = ""
    no_end_is_now: bool = False  # a subordination of which no end is told goes on


def load(path: Path) -> Practice:
    """Return the rules that a TOML file sets; raises `BadInput` for what is no such file."""
    try:
        told: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise BadInput(f"{path}: the practice cannot be read: {err}.") from err
    known = {one.name for one in fields(Practice)}
    for name, value in told.items():
        if name not in known or not _fits(name, value):
            raise BadInput(
                f"{path}: {name!r} is no setting of a practice, or not of this form.",
                hint=f"Known: {', '.join(sorted(known))}.",
            )
    _demand_patterns(path, told)
    given: dict[str, Any] = {n: tuple(v) if n in _LISTS else v for n, v in told.items()}
    return Practice(**given)


def _demand_patterns(path: Path, told: Mapping[str, Any]) -> None:
    """Raise `BadInput` for a pattern that names what is not there."""
    patterns = {name: str(told.get(name, "")) for name in _PATTERNS}
    names = told.get("relation_names", {})
    patterns |= {f"relation_names.{kind}": pattern for kind, pattern in names.items()}
    for name, pattern in patterns.items():
        known = _PATTERNS.get(name, _OF_RELATIONS)
        try:
            pattern.format(**dict.fromkeys(known, ""))
        except (KeyError, IndexError, ValueError, AttributeError) as err:
            raise BadInput(
                f"{path}: {name}: {pattern!r} is no pattern that can be filled.",
                hint=f"Known in it: {', '.join(f'{{{one}}}' for one in known) or 'nothing'}; "
                "write other braces twice.",
            ) from err


def _fits(name: str, value: object) -> bool:
    if name in _TABLES:
        return isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
    if name in _LISTS:
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    if name in _FLAGS:
        return isinstance(value, bool)
    return isinstance(value, str)
