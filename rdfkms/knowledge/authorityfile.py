"""A local dump of an authority, searched by the index of names (port Authority, R67).

CSV, TSV or JSON lines with the columns id, label, aliases, type, birth, death, place, description;
aliases separated by ``|`` (in JSON a list). Unknown columns are passed over, id and label needed.
Places may have latitude and longitude in decimal degrees (WGS 84), which the map of a page uses.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from rdfkms.errors import BadInput
from rdfkms.knowledge.nameforms import normal
from rdfkms.knowledge.nameindex import NameIndex
from rdfkms.knowledge.variants import key
from rdfkms.ports import AuthorityCandidate

CUTOFF = 0.8  # likeness from which an entry is a candidate; the rules decide what becomes of it
MOST = 50
LONGEST = 2_000  # characters of a cell
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


class AuthorityFile:
    """The entries of one file, by name; `version` names its content."""

    def __init__(
        self, path: Path, name: str = "file", types: Mapping[str, str] | None = None
    ) -> None:
        """Read the file; `types` translates ours into the authority's. Raises `BadInput`."""
        self.name = name
        self.version = _digest(path)
        self._entries: list[tuple[str, AuthorityCandidate]] = []
        self._by_form: defaultdict[str, list[int]] = defaultdict(list)
        self._by_key: defaultdict[str, list[int]] = defaultdict(list)
        self._index = NameIndex()
        for type_, entry in _read(path):
            self._add((types or {}).get(type_, type_), entry)

    def __len__(self) -> int:
        return len(self._entries)

    def candidates(
        self, name: str, type: str, facts: Mapping[str, str]
    ) -> tuple[AuthorityCandidate, ...]:
        """Return entries of the type (or of none) that bear the name or one like it, best first."""
        found: dict[int, float] = {}
        for form in sorted(self._forms(name)):
            for at in self._by_form.get(form, ()):
                found[at] = 1.0
            for at in self._by_key.get(key(form), ()):
                found.setdefault(at, 0.95)
            for other, score in self._index.similar(form, CUTOFF):
                for at in self._by_form[other]:
                    found[at] = max(score, found.get(at, 0.0))
        ranked = sorted(found, key=lambda at: (-found[at], self._entries[at][1].id))
        fitting = [at for at in ranked if self._entries[at][0] in ("", type)]
        return tuple(self._entries[at][1] for at in fitting[:MOST])

    def _add(self, type_: str, entry: AuthorityCandidate) -> None:
        at = len(self._entries)
        self._entries.append((type_, entry))
        for name in (entry.label, *entry.aliases):
            for form in self._forms(name):
                self._by_form[form].append(at)
                self._by_key[key(form)].append(at)
                self._index.add(form)

    @staticmethod
    def _forms(name: str) -> set[str]:
        """The normal form with and without honorifics, and with the words after a comma first."""
        last, comma, first = name.partition(",")
        turned = f"{first} {last}" if comma else name
        forms = {normal(name), normal(name, "Person"), normal(turned, "Person")}
        return {form for form in forms if form}


def positions(path: Path) -> dict[str, tuple[float, float]]:
    """Return latitude and longitude by id, of the entries that have both; raises `BadInput`."""
    rows = _json_rows(path) if path.suffix in (".jsonl", ".ndjson") else _table_rows(path)
    found = {}
    for number, row in rows:
        if row.get("id") and row.get("latitude") and row.get("longitude"):
            try:
                at = float(row["latitude"]), float(row["longitude"])
            except ValueError as err:
                raise BadInput(f"{path}:{number}: latitude and longitude must be numbers.") from err
            if not (-90 <= at[0] <= 90 and -180 <= at[1] <= 180):
                raise BadInput(f"{path}:{number}: there is no such place on earth: {at}.")
            found[row["id"]] = at
    return found


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:12]
    except OSError as err:
        raise BadInput(f"{path}: the authority's file cannot be read: {err}.") from err


def _read(path: Path) -> Iterator[tuple[str, AuthorityCandidate]]:
    rows = _json_rows(path) if path.suffix in (".jsonl", ".ndjson") else _table_rows(path)
    for number, row in rows:
        if not row.get("id") or not row.get("label"):
            raise BadInput(f"{path}:{number}: an entry needs an id and a label.")
        if any(len(value) > LONGEST for value in row.values()):
            raise BadInput(f"{path}:{number}: a cell is longer than {LONGEST} characters.")
        aliases = tuple(a.strip() for a in row.get("aliases", "").split("|") if a.strip())
        yield (
            row.get("type", ""),
            AuthorityCandidate(
                row["id"], row["label"], aliases, row.get("birth", ""), row.get("death", ""),
                row.get("place", ""), row.get("description", ""),
            ),
        )  # fmt: skip


def _table_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    delimiter = _DELIMITERS.get(path.suffix)
    if delimiter is None:
        raise BadInput(f"{path}: an authority's file ends in .csv, .tsv, .jsonl or .ndjson.")
    try:
        with path.open(encoding="utf-8", newline="") as file:
            for row in (reader := csv.DictReader(file, delimiter=delimiter)):
                yield reader.line_num, {k: (v or "").strip() for k, v in row.items() if k}
    except (OSError, UnicodeDecodeError, csv.Error, AttributeError) as err:
        raise BadInput(f"{path}: the authority's file cannot be read: {err}.") from err


def _json_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        file = path.open("rb")
    except OSError as err:
        raise BadInput(f"{path}: the authority's file cannot be read: {err}.") from err
    with file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line) if line.strip() else None
            except (ValueError, RecursionError) as err:
                raise BadInput(f"{path}:{number}: no JSON: {err}.") from err
            if row is None:
                continue
            if not isinstance(row, dict):
                raise BadInput(f"{path}:{number}: a line must be one JSON object.")
            yield number, {str(k): _cell(v) for k, v in row.items()}


def _cell(value: object) -> str:
    if isinstance(value, list):
        return "|".join(str(one) for one in value)
    return "" if value is None else str(value).strip()
