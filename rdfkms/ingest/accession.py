"""Accession (R25, R42): which files make which records, under which rules; nothing is decoded here.

Files ``<name>-p<N>.<ext>`` of one folder are the pages of one record; any other file is a record
of its own. A `records.toml` in a folder speaks for all that lies below it.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from rdfkms.errors import BadInput, RdfkmsError, TooLarge
from rdfkms.ingest import profiles, sidecar, sniffing
from rdfkms.ingest.formats import pdf, pictures, text
from rdfkms.ingest.sidecar import Sidecar
from rdfkms.ingest.sniffing import sniff
from rdfkms.model import Access, Fault, Modality, Record, SourceFile
from rdfkms.settings import Settings
from rdfkms.vocab import key_of

_PAGE_NAME = re.compile(r"(?P<record>.+?)[-_ ]p(?:age|ag)?\.?(?P<number>\d{1,5})", re.I | re.S)
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Overrides:
    """What a command says for all files; it wins over `records.toml`. Empty means unsaid."""

    profile: str = ""
    language: str = ""
    access: Access | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a record: where it lies, what it is, how many pages it has.

    `label` is the page number that its name gives, empty where it gives none.
    """

    path: Path
    file: SourceFile
    pages: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Accession:
    """A record to be read, with its files in order; `record.pages` is still empty."""

    record: Record
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """All that was found: records in order, what could not be taken, how many were left alone."""

    accessions: tuple[Accession, ...]
    faults: tuple[Fault, ...]
    ignored: int


@dataclass
class _Found:
    """What one walk gathers."""

    settings: Settings
    overrides: Overrides
    report: Callable[[str, int, int], None]
    faults: list[Fault] = field(default_factory=list)
    ignored: int = 0
    seen: set[str] = field(default_factory=set)
    twins: list[tuple[str, Access]] = field(default_factory=list)  # SHA-256, access of the second


def discover(
    paths: Iterable[Path],
    settings: Settings,
    overrides: Overrides = Overrides(),
    report: Callable[[str, int, int], None] = lambda stage, done, total: None,
) -> Batch:
    """Return the records that files and folders make up; bad files become faults, never errors."""
    found = _Found(settings, overrides, report)
    accessions: list[Accession] = []
    for given in paths:
        path = given.absolute()
        root = path if path.is_dir() else path.parent
        groups = _groups(list(_files(path, found)), root)
        for number, (record, files) in enumerate(groups, 1):
            report("accession", number, len(groups))
            accession = _accession(record, files, root, found)
            if accession is not None:
                accessions.append(accession)
    kept = tuple(_strictest(accession, found.twins) for accession in accessions)
    return Batch(kept, tuple(found.faults), found.ignored)


def _strictest(accession: Accession, twins: Iterable[tuple[str, Access]]) -> Accession:
    """The same content under two names is one source; the stricter condition holds for it."""
    record = accession.record
    digests = {file.sha256 for file in record.files}
    conditions = [record.access, *(access for digest, access in twins if digest in digests)]
    strictest = max(conditions, key=_strictness)
    return replace(accession, record=replace(record, access=strictest))


def _strictness(access: Access) -> tuple[int, date]:
    rank = {"open": 0, "embargo": 1, "closed": 2}[access.condition]
    return rank, access.until or date.min


# ---- files and their sidecars -------------------------------------------------------------------


def _files(path: Path, found: _Found) -> Iterator[tuple[Path, tuple[Sidecar, ...]]]:
    """Yield the files below a path in natural order, with the sidecars that speak for them."""
    above = _above(path, found)
    if above is None:
        return
    if path.is_dir():
        yield from _walk(path, above, found)
    elif sidecar.ignored(path, above):
        found.ignored += 1
    else:
        yield path, above


def _above(path: Path, found: _Found) -> tuple[Sidecar, ...] | None:
    """Return the sidecars of all folders above, outermost first: they may close what lies here.

    Of a link, those above its target speak too, after those above the link.
    """
    sidecars = []
    folders = (*reversed(path.absolute().parents), *reversed(path.resolve().parents))
    for folder in dict.fromkeys(folders):
        try:
            own = sidecar.load(folder)
        except RdfkmsError as err:
            found.faults.append(_fault(folder, err, place=sidecar.NAME))
            return None
        if own is not None:
            sidecars.append(own)
    return tuple(sidecars)


def _walk(
    folder: Path, above: tuple[Sidecar, ...], found: _Found
) -> Iterator[tuple[Path, tuple[Sidecar, ...]]]:
    try:
        own = sidecar.load(folder)
        entries = sorted(os.scandir(folder), key=lambda entry: _natural(entry.name))
    except RdfkmsError as err:
        found.faults.append(_fault(folder, err, place=sidecar.NAME))
        return
    except OSError as err:
        found.faults.append(_unreadable(folder, err))
        return
    sidecars = (*above, own) if own else above
    for entry in entries:
        path = Path(entry.path)
        if entry.name.startswith(".") or entry.name == sidecar.NAME:
            continue
        if sidecar.ignored(path, sidecars):
            found.ignored += 1
        elif entry.is_dir(follow_symlinks=False):
            yield from _walk(path, sidecars, found)
        elif entry.is_symlink() and not path.is_file():
            reason = "It is a link to a folder or to nothing, and is not followed."
            found.faults.append(_refused(path, reason, "Name what it points to, or ignore it."))
        elif entry.is_symlink():
            beyond = _above(path, found)
            if beyond is not None:
                known = {s.folder for s in sidecars}
                yield path, (*sidecars, *(s for s in beyond if s.folder not in known))
        elif entry.is_file():
            yield path, sidecars
        else:
            hint = f"Leave it out, or `ignore` it in {sidecar.NAME}."
            found.faults.append(_refused(path, "It is no regular file.", hint))


def _natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """p2 before p10."""
    parts = re.split(r"(\d+)", name)
    return tuple((0, int(p), "") if p.isdecimal() and p.isascii() else (1, 0, p) for p in parts)


def _groups(
    files: list[tuple[Path, tuple[Sidecar, ...]]], root: Path
) -> list[tuple[Path, list[tuple[Path, tuple[Sidecar, ...]]]]]:
    """Return records (the path of the files without page number) with their files in order."""
    grouped: dict[Path, list[tuple[Path, tuple[Sidecar, ...]]]] = {}
    for path, sidecars in files:
        match = _PAGE_NAME.fullmatch(path.stem)
        record = path.with_name(match["record"]) if match else path
        grouped.setdefault(record, []).append((path, sidecars))
    return list(grouped.items())


# ---- records -----------------------------------------------------------------------------------


def _accession(
    record: Path, files: list[tuple[Path, tuple[Sidecar, ...]]], root: Path, found: _Found
) -> Accession | None:
    overrides = found.overrides
    sidecars = files[0][1]
    said = sidecar.rule_for(record, [path for path, _ in files], sidecars)
    access = overrides.access
    if access is None:
        access = Access(said.access or "open", said.until)
    if said.personal_data and access.condition == "open":
        reason = "It is said to hold personal data, and is not closed."
        hint = "Add access = 'closed', or 'embargo' with until = the day it opens, to records.toml."
        found.faults.append(_refused(record, reason, hint))
        return None
    sources = [s for path, _ in files if (s := _source(path, access, found)) is not None]
    if not sources:
        return None
    name = overrides.profile or said.profile or found.settings.default_profile
    profile = profiles.load(name)
    relative = record.relative_to(root)
    folder = relative.parent.as_posix()
    text_like = sources[0].file.media_type in (sniffing.TEXT, sniffing.MARKDOWN)
    value = Record(
        key=key_of("record", relative.as_posix(), sources[0].file.sha256),
        title=said.title or _printable(relative.stem if len(files) == 1 else relative.name),
        profile=name,
        language=overrides.language or said.language or profile.language,
        access=access,
        modality=Modality.BORN_DIGITAL if text_like else Modality.DOCUMENT,
        files=tuple(source.file for source in sources),
        pages=(),
        part_of=said.part_of or (_printable(folder if folder != "." else root.name) or None),
        use=said.use or "",
        personal_data=bool(said.personal_data),
    )
    return Accession(value, tuple(sources))


def _source(path: Path, access: Access, found: _Found) -> Source | None:
    """Return a readable file, or None with a fault noted."""
    limits = found.settings.reading
    try:
        size = path.stat().st_size
        if size == 0:
            raise BadInput("The file is empty.", hint="Copy it again from its origin.")
        if size > limits.max_file_bytes:
            hint = "Raise reading.max_file_bytes in archive.toml, or split the file."
            raise TooLarge(f"The file has {size:,} bytes, more than allowed.", hint=hint)
        kind = sniff(path)
        if kind not in sniffing.READABLE:
            raise BadInput(
                f"Files of type {kind} are not read.",
                hint="PNG, JPEG, TIFF, PDF, UTF-8 text and Markdown are. `ignore` in "
                "records.toml leaves others out silently.",
            )
        digest = _sha256(path)
        pages = _count(path, kind, found)
    except OSError as err:
        found.faults.append(_unreadable(path, err))
        return None
    except RdfkmsError as err:
        found.faults.append(_fault(path, err))
        return None
    if digest in found.seen:
        found.ignored += 1  # the same content under a second name
        found.twins.append((digest, access))
        return None
    found.seen.add(digest)
    match = _PAGE_NAME.fullmatch(path.stem)
    label = str(int(match["number"])) if match and pages == 1 else ""
    return Source(path, SourceFile(digest, _printable(path.name), kind, size), pages, label)


def _count(path: Path, kind: str, found: _Found) -> int:
    limits = found.settings.reading
    if kind == sniffing.PDF:
        return pdf.count_pages(path, limits)
    if kind in sniffing.PICTURES:
        return pictures.count_frames(path, limits)
    sections = text.load(path, limits, markdown=kind == sniffing.MARKDOWN)
    if not sections:
        raise BadInput("The text holds no words.", hint="Look at the file.")
    return len(sections)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        while chunk := handle.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _printable(name: str) -> str:
    """A file name is hostile: line breaks and bytes that are no UTF-8 do not go further."""
    return "".join(c if c.isprintable() else "\ufffd" for c in name)


def _fault(path: Path, err: RdfkmsError, place: str = "") -> Fault:
    return Fault(_printable(str(path)), place, err.message, err.hint)


def _refused(path: Path, reason: str, hint: str) -> Fault:
    return Fault(_printable(str(path)), "", reason, hint)


def _unreadable(path: Path, err: OSError) -> Fault:
    hint = "See whether it is still there and its disk answers."
    if isinstance(err, PermissionError):
        hint = "Give the user that runs rdfkms the right to read it (chmod u+r; u+rx for a folder)."
    return _refused(path, f"It cannot be opened: {err.strerror or err}.", hint)
