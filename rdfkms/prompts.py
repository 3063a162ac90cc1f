"""Prompts: `ingest/prompts/<name>.v<N>.md`, read here and filled in; no prompt text in code.

A prompt file has the headings ``## system`` and ``## user``; what stands before the first is for
its editors. ``{{slot}}`` marks are filled in one pass, so that nothing in a filled-in document is
taken for a slot. A document goes between fences that its own text cannot contain.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.vocab import key_of

_FILE = re.compile(r"(?P<name>[a-z][a-z-]*)\.v(?P<version>[0-9]+)\.md\Z")
_HEADING = re.compile(r"^## (system|user)[ \t]*$", re.MULTILINE)
_SLOT = re.compile(r"\{\{([a-z_]+)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One version of a prompt. `label` (``extract.v1#<hash>``) is recorded with what it yields."""

    name: str
    version: int
    system: str
    user: str

    @property
    def label(self) -> str:
        """Name, version and a hash of the text, so that an edited file is seen to differ."""
        return f"{self.name}.v{self.version}#{key_of(self.system, self.user)[:8]}"

    @property
    def slots(self) -> frozenset[str]:
        """The names of the slots that must be filled."""
        return frozenset(_SLOT.findall(self.system + self.user))

    def messages(self, **slots: str) -> list[dict[str, str]]:
        """Return the chat messages with the slots filled; raises `Misconfigured` for a gap."""
        return [
            {"role": "system", "content": self._fill(self.system, slots)},
            {"role": "user", "content": self._fill(self.user, slots)},
        ]

    def _fill(self, text: str, slots: Mapping[str, str]) -> str:
        missing = sorted(set(_SLOT.findall(text)) - set(slots))
        if missing:
            raise Misconfigured(f"Prompt {self.label}: nothing to fill the slot {missing[0]!r}.")
        return _SLOT.sub(lambda match: slots[match[1]], text)


@cache
def load(name: str, version: int | None = None) -> Prompt:
    """Return a prompt, the newest version unless one is named.

    Raises `Misconfigured` when it is absent or has no system and user part.
    """
    folder = resources.file("ingest/prompts")
    found = {
        int(match["version"]): path
        for path in sorted(folder.glob(f"{name}.v*.md"))
        if (match := _FILE.match(path.name)) and match["name"] == name
    }
    chosen = max(found, default=0) if version is None else version
    if chosen not in found:
        raise Misconfigured(
            f"No prompt {name!r} in version {version if version is not None else 'any'}.",
            hint=f"Put it into {folder} as {name}.v1.md.",
        )
    path = found[chosen]
    parts = _HEADING.split(path.read_text(encoding="utf-8"))
    sections = dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))
    if set(sections) != {"system", "user"}:
        raise Misconfigured(f"{path}: a prompt needs the headings '## system' and '## user'.")
    return Prompt(name, chosen, sections["system"], sections["user"])


def fenced(document: str) -> str:
    """Return the document between fence lines made from its own hash: data, not instructions."""
    fence = f"DOCUMENT-{key_of('fence', document)[:12]}"
    return f"<<<{fence}\n{document}\n{fence}>>>"


def inline(words: str) -> str:
    """Return words of a document as one quoted line within a prompt."""
    plain = " ".join(words.split())[:400]
    return f"“{plain.replace('“', '').replace('”', '')}”"
