"""Draw, read and score the parts of `benchmarks/parts/`, which are no part of the sample archive.

    python benchmarks/score_parts.py [third] [fourth] [--names] [--misses]

They are of the kinds of the sample, by other writers: `fourth` was measured once before its misses
were looked at, `third` is for learning from. The pictures are drawn into a temporary folder by
`examples/render.py` (its fonts must be installed), read by ``rdfkms run`` and scored as
`score_sample.py` scores.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from score_sample import print_part, score_part  # beside this script

from rdfkms import resources

HERE = Path(__file__).resolve().parent
RENDER = "import render, sys; render.PARTS = (sys.argv.pop(),); render.main()"


def drawn(part: str, folder: Path) -> Path:
    """Return the folder of the part's pages and truth files, drawn below `folder`."""
    examples = resources.folder("examples")
    for script in examples.glob("*.py"):
        shutil.copy(script, folder)
    shutil.copytree(HERE / "parts" / part, folder / "sources" / part)
    subprocess.run([sys.executable, "-c", RENDER, part], cwd=folder, check=True)
    shutil.copy(examples / "records.toml", folder)
    return folder / part


def main() -> None:
    """Print the scores of the parts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", default=["third", "fourth"])
    parser.add_argument("--names", action="store_true", help="figures of each statement too")
    parser.add_argument("--misses", action="store_true", help="say what was wrong or missed")
    options = parser.parse_args()
    for part in options.parts:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "sources-of-part"
            folder.mkdir()
            root = drawn(part, folder)
            archive = Path(place) / "archive"
            line = [sys.executable, "-m", "rdfkms", "run", str(folder), "--archive", str(archive)]
            subprocess.run([*line, "--json"], check=True, stdout=subprocess.DEVNULL)
            print_part(part, score_part(root, archive, options.misses), options.names)


if __name__ == "__main__":
    main()
