"""Brings the translations of the pages up to date with the templates: new texts, lost texts.

``python tests/tools/translations.py`` rewrites ``web/translations/*.po``: what is new stands there
without a translation, what is used no more is gone. `found()` is what the tests hold them against.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from rdfkms.publish import example_queries, vocabularies

HEADER = "# The pages of rdfkms. The English text is the key."
_LEFT_OUT = (
    b'"Project-Id', b'"Report-', b'"POT-', b'"PO-', b'"Last-', b'"Language-Team', b'"Generated',
)  # fmt: skip
ROOT = Path(__file__).parents[2]
KEYWORDS = {
    "_": None, "gettext": None, "ngettext": (1, 2), "N_": None, "counted": (1, 2),
}  # fmt: skip
SOURCES = (
    ("web/templates", [("evaluation/**", "ignore"), ("**.html", "jinja2")]),
    ("rdfkms/web", [("**.py", "python")]),
)
OPTIONS = {"**.html": {"trimmed": "true", "newstyle_gettext": "true"}}


def found() -> Catalog:
    """Return every text of the pages, with the files it stands in."""
    catalog = Catalog(project="rdfkms", copyright_holder="the rdfkms authors")
    for folder, methods in SOURCES:
        for name, _line, message, comments, context in extract_from_dir(
            str(ROOT / folder), methods, OPTIONS, KEYWORDS
        ):
            catalog.add(message, None, [(f"{folder}/{name}", 1)], auto_comments=comments,
                        context=context)  # fmt: skip
    for example in example_queries.examples():
        catalog.add(example.title)
    for vocabulary in vocabularies.VOCABULARIES.values():
        catalog.add(vocabulary.title)
    return catalog


def main() -> None:
    """Rewrite the files."""
    wanted = found()
    for path in sorted((ROOT / "web" / "translations").glob("*.po")):
        with path.open("rb") as file:
            old = read_po(file, locale=path.stem)
        made = Catalog(path.stem, header_comment=HEADER, fuzzy=False, project="rdfkms")
        for message in wanted:
            if message.id:
                known = old.get(message.id)
                made.add(message.id, known.string if known else None)
        out = BytesIO()
        write_po(out, made, width=100, no_location=True, sort_output=True)
        lines = out.getvalue().splitlines(keepends=True)
        path.write_bytes(b"".join(line for line in lines if not line.startswith(_LEFT_OUT)))
        empty = sum(not m.string or m.string == ("",) * len(m.string) for m in made if m.id)
        sys.stdout.write(f"{path.name}: {len(list(made)) - 1} texts, {empty} without translation\n")


if __name__ == "__main__":
    main()
