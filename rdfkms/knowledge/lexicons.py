"""Word lists in `ingest/lexicons/<name>.tsv`: first column the word, further columns about it.

Lines that start with ``#`` and empty lines are skipped. Curators edit these files, not code.
"""

from __future__ import annotations

from functools import cache

from rdfkms import resources
from rdfkms.errors import Misconfigured


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the rows of the list `name` (file name without ``.tsv``), cells stripped.

    Raises `Misconfigured` when there is no such list or it is not UTF-8.
    """
    path = resources.file(f"ingest/lexicons/{name}.tsv")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as err:
        raise Misconfigured(f"{path}: word list cannot be read: {err}.") from err
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return tuple(tuple(cell.strip() for cell in line.split("\t")) for line in lines)


@cache
def words(name: str) -> tuple[str, ...]:
    """Return the words (first column) of the list `name`, each once, longest first."""
    return tuple(sorted({row[0] for row in rows(name)}, key=lambda word: (-len(word), word)))
