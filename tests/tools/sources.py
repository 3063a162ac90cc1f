"""Files for tests of reading: pictures of typed lines, PDFs and damaged bytes, made by hand."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

LINES = (
    "El procesado Andres Vidal Soler, carpintero,",
    "natural de Montelargo y vecino de Arana,",
    "fue condenado en el consejo de guerra.",
)


def typed(
    lines: Sequence[str] = LINES,
    size: tuple[int, int] = (1100, 420),
    at: tuple[int, int] = (60, 60),
) -> Image.Image:
    """Return a grey page with lines of type from `at` downwards, 60 pixels apart."""
    page = Image.new("L", size, 245)
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(36)
    for number, line in enumerate(lines):
        draw.text((at[0], at[1] + 60 * number), line, fill=20, font=font)
    return page


def png_header(width: int, height: int, rows: bytes = b"") -> bytes:
    """Return a PNG that declares a size, with only the compressed rows given."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    picture = chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + picture


def tiff_header(width: int, height: int, following: int = 0) -> bytes:
    """Return a TIFF of 8 bytes of pixels that declares a size; `following` is the next page."""
    entries = [
        (256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1),
        (273, 4, 1, 8), (277, 3, 1, 1), (278, 4, 1, height), (279, 4, 1, 8),
    ]  # fmt: skip
    table = b"".join(struct.pack("<HHII", *entry) for entry in entries)
    start = struct.pack("<2sHI", b"II", 42, 16) + b"\xff" * 8
    return start + struct.pack("<H", len(entries)) + table + struct.pack("<I", following)


def pdf(lines: Sequence[str], *, scan: Image.Image | None = None, encrypted: bool = False) -> bytes:
    """Return a PDF of one page, 396 x 151 points, one line of Helvetica a line.

    With `scan` the page shows that picture and the text lies over it unseen, as scanners save it.
    """
    mode = "3 Tr" if scan else "0 Tr"
    text = " ".join(
        f"BT /F1 13 Tf {mode} 21.6 {118 - 21.6 * n:.1f} Td ({line}) Tj ET"
        for n, line in enumerate(lines)
    )
    content = (("q 396 0 0 151.2 0 0 cm /I1 Do Q " if scan else "") + text).encode("ascii")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 396 151.2] /Contents 4 0 R /Resources "
        b"<< /Font << /F1 5 0 R >> " + (b"/XObject << /I1 6 0 R >> " if scan else b"") + b">> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    if scan is not None:
        out = io.BytesIO()
        scan.save(out, "JPEG", quality=90)
        data = out.getvalue()
        objects.append(
            b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray "
            b"/BitsPerComponent 8 /Filter /DCTDecode /Length %d >>\nstream\n%s\nendstream"
            % (scan.width, scan.height, len(data), data)
        )
    if encrypted:
        objects.append(
            b"<< /Filter /Standard /V 1 /R 2 /P -4 /O <" + b"ab" * 32 + b"> /U <" + b"cd" * 32
            + b"> >>"
        )  # fmt: skip
    return _assembled(objects, encrypted)


def _assembled(objects: Sequence[bytes], encrypted: bool) -> bytes:
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    crypt = b"/Encrypt %d 0 R /ID [<00><00>] " % len(objects) if encrypted else b""
    out += b"trailer << /Size %d /Root 1 0 R %s>>\n" % (len(objects) + 1, crypt)
    return out + b"startxref\n%d\n%%%%EOF\n" % table


def _bad() -> dict[str, tuple[bytes, str]]:
    whole = io.BytesIO()
    typed().save(whole, "PNG")
    page = pdf(LINES)
    return {
        "truncated.png": (whole.getvalue()[: len(whole.getvalue()) // 2], "damaged"),
        "huge.png": (png_header(30_000, 30_000), "30000 x 30000"),
        "bomb.png": (png_header(10_000, 10_000), "damaged"),
        "bomb.tif": (tiff_header(10_000, 10_000), "damaged"),
        "dot.png": (png_header(1, 1, b"\0\0"), "1 x 1"),
        "locked.pdf": (pdf(LINES, encrypted=True), "encrypted"),
        "damaged.pdf": (page[:60] + bytes(len(page) - 60), "damaged"),
        "empty.txt": (b"", "empty"),
        "blank.txt": (b" \n\t\n", "white space"),
        "utf16.txt": ("Un texto cualquiera de prueba.".encode("utf-16"), "UTF-16"),
        "utf16-bare.txt": ("Un texto cualquiera de prueba.".encode("utf-16-le"), "UTF-16"),
        "latin1.txt": ("El año de la acción, según consta.".encode("latin-1"), "Latin-1"),
        "nul.txt": (b"Un texto con un \x00 dentro, y nada mas que decir de ello aqui.", "NUL"),
        "noise.bin": (bytes(range(256)) * 8, "octet-stream"),
        "really-a-zip.png": (b"PK\x03\x04" + b"\x00" * 60, "zip"),
    }


BAD = _bad()


def write_all(folder: Path) -> dict[str, str]:
    """Write every kind of bad file into a folder; return a word of the reason by file name."""
    for name, (data, _) in BAD.items():
        (folder / name).write_bytes(data)
    return {name: word for name, (_, word) in BAD.items()}
