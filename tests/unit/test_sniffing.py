"""What a file is, by its first bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdfkms.ingest.sniffing import READABLE, sniff_bytes


@pytest.mark.parametrize(
    ("head", "name", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n....", "a.txt", "image/png"),
        (b"\xff\xd8\xff\xe0", "a.png", "image/jpeg"),
        (b"II*\x00", "a", "image/tiff"),
        (b"MM\x00*", "a", "image/tiff"),
        (b"junk before %PDF-1.7", "a.pdf", "application/pdf"),
        (b"PK\x03\x04", "a.png", "application/zip"),
        (b"GIF89a", "a.png", "image/gif"),
        (b"RIFF....WEBP", "a.png", "image/webp"),
        (b"Buen d\xc3\xada", "a.txt", "text/plain"),
        (b"Buen d\xeda", "a.txt", "text/plain"),
        (b"Buen dia", "a.png", "text/plain"),
        (b"BMC es una sigla", "a.txt", "text/plain"),
        (b"BM\x00\x01\x02\x03\x00\x04\x05", "a.txt", "image/bmp"),
        (b"# T\n\nuno", "a.md", "text/markdown"),
        (b"\xff\xfeB\x00", "a.txt", "text/plain"),
        (b"<?xml version='1.0'?>", "a.txt", "application/xml"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>", "a.xml", "application/xml"),
        (b"<!DOCTYPE html><p>", "a.txt", "text/html"),
        (b'{"a": 1}', "a.json", "text/x-json"),
        (bytes(range(64)), "a.txt", "application/octet-stream"),
    ],
)
def test_content_comes_before_the_name(head: bytes, name: str, kind: str) -> None:
    assert sniff_bytes(head, name) == kind


@given(st.binary(max_size=200), st.sampled_from(["a.png", "a", "a.md", "x.json", ".."]))
def test_any_bytes_have_a_media_type(head: bytes, name: str) -> None:
    kind = sniff_bytes(head, name)
    assert kind.count("/") == 1 and (kind in READABLE or kind.isascii())
