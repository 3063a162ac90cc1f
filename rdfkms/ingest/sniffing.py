"""What a file is, by its content: the name's extension is only asked where content is silent."""

from __future__ import annotations

from pathlib import Path, PurePath

PICTURES = frozenset({"image/png", "image/jpeg", "image/tiff"})
PDF = "application/pdf"
TEXT = "text/plain"
MARKDOWN = "text/markdown"
UNKNOWN = "application/octet-stream"
READABLE = PICTURES | {PDF, TEXT, MARKDOWN}

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"II+\x00", "image/tiff"),
    (b"MM\x00+", "image/tiff"),
    (b"GIF8", "image/gif"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"BM", "image/bmp"),
    (b"\xd0\xcf\x11\xe0", "application/x-ole-storage"),
    (b"{\\rtf", "application/rtf"),
    (b"ID3", "audio/mpeg"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
)
_TEXT_NAMES = frozenset({"", ".txt", ".text", ".asc"})
_MARKDOWN_NAMES = frozenset({".md", ".markdown"})
# Text under a picture's name is text; other names (.json, .py ...) say that it is not for reading.
_WRONG_NAMES = frozenset({".png", ".jpg", ".jpeg", ".jpe", ".tif", ".tiff", ".pdf"})


def sniff(path: Path) -> str:
    """Return the media type of a file by its content; raises OSError when it cannot be opened."""
    with path.open("rb") as handle:
        return sniff_bytes(handle.read(4096), path.name)


def sniff_bytes(head: bytes, name: str = "") -> str:
    """Return the media type of a file that begins with `head`."""
    for magic, kind in _MAGIC:
        if head.startswith(magic) and not (kind == "image/bmp" and _is_text(head)):
            return kind
    if head[:4] == b"RIFF":
        return {b"WEBP": "image/webp", b"WAVE": "audio/wav"}.get(head[8:12], UNKNOWN)
    if b"%PDF-" in head[:1024]:
        return PDF
    if not _is_text(head):
        return UNKNOWN
    return _kind_of_text(head, name)


def _kind_of_text(head: bytes, name: str) -> str:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:64].lower()
    if start.startswith((b"<?xml", b"<tei", b"<alto", b"<mets")):
        return "application/xml"
    if start.startswith((b"<!doctype html", b"<html")):
        return "text/html"
    suffix = PurePath(name).suffix.lower()
    if suffix in _MARKDOWN_NAMES:
        return MARKDOWN
    if suffix in _TEXT_NAMES or suffix in _WRONG_NAMES or not suffix[1:].isalnum():
        return TEXT
    return "text/x-" + suffix[1:]


def _is_text(head: bytes) -> bool:
    """Whether bytes look like text of any encoding; the decoder says whether it is UTF-8."""
    if head[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return True
    control = sum(1 for byte in head if byte < 32 and byte not in b"\t\n\r\f\x1b\x00")
    zeros = head.count(0)
    # UTF-16 without a mark: every second byte of Latin text is zero.
    return control * 20 <= len(head) and (zeros * 20 <= len(head) or zeros * 5 >= len(head) * 2)
