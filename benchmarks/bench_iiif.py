"""Crops of a 6,000 x 8,000 scan through the Image API, response cache cold: p50 and p95 in ms.

Each request is a region that was never asked before, over HTTP from a service of its own process.
`--scan FILE` measures a scan of yours. Prints also how long the tiles take to write, and their
size.
"""

from __future__ import annotations

import argparse
import http.client
import io
import json
import os
import random
import tempfile
import time
from pathlib import Path
from statistics import quantiles
from urllib.parse import urlsplit

import numpy as np
from PIL import Image

from rdfkms.ledger.archive import Archive
from rdfkms.publish.iiif import tiles
from rdfkms.settings import Settings
from tests.tools.pictured import archive_of
from tests.tools.service import serving

WIDTH, HEIGHT = 6000, 8000
ROUNDS = 200
ROOT = Path(__file__).resolve().parent.parent
TEXTURE = ROOT / "examples" / "first" / "court-martial" / "causa-118-p1.png"


def drawn_scan() -> bytes:
    """Return a colour JPEG of a typed page at 6,000 x 8,000 with the grain of a scanner."""
    grain = np.random.default_rng(5)
    with Image.open(TEXTURE) as opened:
        page = opened.convert("RGB").resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC)
    noisy = np.asarray(page, np.int16) + grain.integers(-6, 7, (HEIGHT, WIDTH, 1), np.int16)
    out = io.BytesIO()
    Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)).save(out, "JPEG", quality=92)
    return out.getvalue()


def requests(kind: str, width: int, height: int, dice: random.Random) -> str:
    """Return an address part that nobody asked before."""
    if kind == "tile":  # what a viewer loads while zooming
        factor = dice.choice([1, 2, 4, 8])
        side = 512 * factor
        x, y = dice.randrange(width // side + 1) * side, dice.randrange(height // side + 1) * side
        x, y = min(x, width - 64), min(y, height - 64)
        w, h = min(side, width - x), min(side, height - y)
        return f"{x},{y},{w},{h}/{-(-w // factor)},{-(-h // factor)}/0/default.jpg"
    if kind == "page":  # the whole page at some width
        return f"full/{dice.randrange(200, 1400)},/0/default.jpg"
    if kind == "passage":  # some lines of a column, as wide as a screen
        w, h = dice.randrange(2000, 4000), dice.randrange(300, 1200)
        x, y = dice.randrange(width - w), dice.randrange(height - h)
        return f"{x},{y},{w},{h}/1200,/0/default.jpg"
    w, h = dice.randrange(200, 1600), dice.randrange(60, 400)  # words of a quote, every pixel
    x, y = dice.randrange(width - w), dice.randrange(height - h)
    return f"{x},{y},{w},{h}/max/0/default.{'png' if kind == 'quote.png' else 'jpg'}"


def measure(
    address: str, prefix: str, size: tuple[int, int], rounds: int
) -> dict[str, list[float]]:
    """Return milliseconds by kind of request, over one kept connection."""
    dice = random.Random(7)
    times: dict[str, list[float]] = {}
    link = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    for kind in ("quote", "quote.png", "passage", "tile", "page"):
        asked: set[str] = set()
        for _ in range(rounds):
            path = requests(kind, *size, dice)
            if path in asked:
                continue
            asked.add(path)
            started = time.perf_counter()
            link.request("GET", prefix + path)
            answer = link.getresponse()
            answer.read()
            times.setdefault(kind, []).append((time.perf_counter() - started) * 1000)
            assert answer.status == 200, (path, answer.status)
    return times


def main() -> None:
    """Print one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scan", type=Path)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args()
    data = chosen.scan.read_bytes() if chosen.scan else drawn_scan()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "A"
        made = archive_of(root, {"scan": data}, Settings())["scan"]
        started = time.perf_counter()
        pyramid = tiles.make(Archive.open(root), made.sha256)
        writing = time.perf_counter() - started
        result: dict[str, object] = {
            "scan": f"{pyramid.width} x {pyramid.height}",
            "source_bytes": len(data),
            "tiles_bytes": pyramid.path.stat().st_size,
            "tiles_seconds": round(writing, 2),
            "cores": os.cpu_count(),
        }
        with serving(root) as service:
            service.get("/health")
            found = measure(
                service.address,
                f"/iiif/image/{made.sha256}/",
                (pyramid.width, pyramid.height),
                chosen.rounds,
            )
    everything = [t for times in found.values() for t in times]
    for kind, times in [*found.items(), ("all", everything)]:
        cuts = quantiles(times, n=20)
        result[kind] = {"p50": round(cuts[9], 1), "p95": round(cuts[18], 1), "n": len(times)}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
