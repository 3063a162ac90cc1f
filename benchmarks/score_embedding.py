"""How often the form of a clause would hold a statement about a name, in newspapers of HIPE-2022.

    python benchmarks/score_embedding.py [--shared FOLDER]

For each annotated person and body of the dev files: would `rdfkms.admission.embedding` take a
statement that begins with the name for a report without a source? Nothing tells which of these are
reports, so that the share is an upper bound of what is held wrongly. The words are printed.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from rdfkms.admission import cues, embedding
from rdfkms.evaluation import corpora, hipe
from rdfkms.evaluation.tools import plan


def main() -> None:
    """Print the shares by language, and the words that would hold a statement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = os.environ.get("RDFKMS_SHARED", "../shared")
    parser.add_argument("--shared", type=Path, default=Path(default))
    shared = parser.parse_args().shared
    for row in plan("governance")["names"]:
        named, held = 0, []
        for file in row["files"]:
            folder, _, rest = file.partition("/")
            path = corpora.folder(shared, folder) / rest
            for document in hipe.load(
                path, row["language"], path.stem.rpartition("-")[0]
            ).documents:
                marked = cues.mark(document.text, row["language"])
                for span in document.spans:
                    if span.type not in ("Person", "OrganizationState"):
                        continue
                    named += 1
                    first, _ = marked.sentence(span.start, span.end)
                    words = embedding.reported(marked, row["language"], first, (span.start,))
                    held += [words] if words else []
        print(f"{row['language']}: {len(held)} of {named} ({len(held) / max(named, 1):.1%})")
        print("".join(f"    {words}\n" for words in held), end="")


if __name__ == "__main__":
    main()
