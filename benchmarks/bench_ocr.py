"""Time outside Tesseract in the OCR stage, on the pictures of examples/first: at most 10 %.

    python benchmarks/bench_ocr.py [--pages N]

The stage is all from the file to cut and located passages; inside is the time of the Tesseract
process itself. Prints one line; exits with 1 when the share is over the aim.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from rdfkms.backends.tesseract import Tesseract
from rdfkms.ingest.accession import discover
from rdfkms.ingest.reading import ReadJob, read_source
from rdfkms.settings import Settings

FIRST = Path(__file__).resolve().parents[1] / "examples" / "first"
AIM = 0.10


def main() -> int:
    """Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=0, help="only so many (default: all)")
    most = parser.parse_args().pages or None
    settings = Settings()
    found = [
        (a.record, s) for a in discover([FIRST], settings).accessions for s in a.sources
        if s.file.media_type.startswith("image/")
    ]  # fmt: skip
    engine = Tesseract()
    print(f"tesseract {engine.version}", file=sys.stderr)
    stage = inside = 0.0
    pages = 0
    for record, source in found[:most]:
        started = time.perf_counter()
        job = ReadJob(record, source.path, source.file, 1, "1", settings.reading)
        result = read_source(job, engine)
        stage += time.perf_counter() - started
        inside += result.seconds["ocr engine"]
        pages += 1
    share = 1 - inside / stage
    print(
        f"ocr: {pages} pages, {stage:.2f} s, of which outside Tesseract {stage - inside:.2f} s "
        f"= {share:.1%} (aim at most {AIM:.0%}), {1000 * (stage - inside) / pages:.0f} ms a page"
    )
    return int(share > AIM)


if __name__ == "__main__":
    sys.exit(main())
