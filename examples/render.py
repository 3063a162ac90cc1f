"""Make the pictures and the truth of the sample archive from ``sources/``.

``python examples/render.py [--out DIR] [--part first|second] [--only NAME] [--text]``
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from _degrade import age  # noqa: E402
from _layout import SETTERS, Page, draw  # noqa: E402
from _markup import Resolver  # noqa: E402

PARTS = ("first", "second")
LANGUAGES = {"court-martial": "es", "newspaper": "fr", "annals": "lzh", "register": "es"}
LINKED = {"Person", "OrganizationState", "Location"}


@dataclass(frozen=True)
class Sheet:
    """One page of one record, set and ready to be drawn."""

    part: str
    kind: str
    record: str
    number: int
    source: dict[str, Any]
    page: Page

    @property
    def file(self) -> str:
        """The path of the picture or text within the part."""
        ending = "md" if self.kind == "register" else "png"
        return f"{self.kind}/{self.record}-p{self.number}.{ending}"


def load_part(part: str) -> list[Sheet]:
    """Set every page of a part, in the order of its source files."""
    sheets: list[Sheet] = []
    for path in sorted((HERE / "sources" / part).glob("*.json")):
        data = json.loads(path.read_text("utf-8"))
        for record in data.get("records", []):
            for number, source in enumerate(record["pages"], 1):
                try:
                    page = SETTERS[data["kind"]](source)
                except (KeyError, ValueError) as problem:
                    raise SystemExit(f"{record['record']}-p{number}: {problem!r}") from problem
                name = record["record"]
                sheets.append(Sheet(part, data["kind"], name, number, source, page))
    return sheets


def truth_of(sheet: Sheet) -> dict[str, Any]:
    """The truth file of a page."""
    language = sheet.source.get("language", LANGUAGES[sheet.kind])
    page = sheet.page
    resolver = Resolver(page.text, sheet.part, page.marks, page.starts, language == "lzh")
    try:
        found = resolver.run()
    except (KeyError, ValueError) as problem:
        raise SystemExit(f"{sheet.file}: {problem}") from problem
    return {
        "source": Path(sheet.file).name,
        "record": sheet.record,
        "page": sheet.number,
        "profile": sheet.kind,
        "language": language,
        "text": found.text,
        "mentions": found.mentions,
        "facts": found.facts,
    }


def write_json(path: Path, value: Any) -> None:
    """Write JSON with a short indentation, so that a change stays readable."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")


def render_sheet(sheet: Sheet, back: Sheet | None, out: Path) -> Path:
    """Draw and age one page (or write its text) below ``out``; gives the file."""
    path = out / sheet.part / sheet.file
    path.parent.mkdir(parents=True, exist_ok=True)
    if sheet.kind == "register":
        path.write_text(sheet.page.text, "utf-8")
        return path
    behind = draw(back.page) if back is not None else None
    picture = age(draw(sheet.page), behind, sheet.source.get("level", 1), sheet.file)
    picture.save(path, optimize=True)
    return path


class Graph:
    """The stated facts of a part between entities, to resolve chains and questions."""

    def __init__(self, truths: dict[str, dict[str, Any]]) -> None:
        """Read the facts of all truth files (keyed by file) of a part."""
        self.between: dict[tuple[str, str], list[tuple[str, str, str]]] = defaultdict(list)
        self.named: dict[tuple[str, str], list[tuple[str, str, str]]] = defaultdict(list)
        for file, truth in truths.items():
            names = {m["id"]: m["entity"].split("/")[-1] for m in truth["mentions"]}
            events = {f["id"]: f.get("entity", "").split("/")[-1] for f in truth["facts"]}
            for fact in truth["facts"]:
                place = (file, fact["id"], truth["record"])
                start = names.get(fact["subject"]) or events.get(fact["event"])
                key = start or fact.get("entity", "").split("/")[-1]
                self.named[(key, fact["name"])].append(place)
                end = names.get(fact["object"])
                if start and end and fact["certainty"] == "stated":
                    self.between[(start, end)].append(place)
                    self.between[(end, start)].append(place)

    def path(self, text: str) -> list[tuple[str, str, str]]:
        """The facts behind ``a>b>c``, from as many different records as there are."""
        stops = [stop.strip() for stop in text.split(">")]
        steps = [self.between.get(pair, []) for pair in pairwise(stops)]
        if not all(steps):
            gap = next(i for i, step in enumerate(steps) if not step)
            raise SystemExit(f"no fact between {stops[gap]} and {stops[gap + 1]}")
        best = max(product(*(step[:8] for step in steps)), key=lambda c: len({f[2] for f in c}))
        return list(best)

    def facts(self, text: str) -> list[tuple[str, str, str]]:
        """The facts ``slug#name`` or ``slug#name@record``, or the path ``a>b``."""
        if "#" not in text:
            return self.path(text)
        slug, _, rest = text.partition("#")
        name, _, record = rest.partition("@")
        found = [f for f in self.named[(slug, name)] if not record or f[2] == record]
        if not found:
            raise SystemExit(f"no fact {text}")
        return found


def write_links(truths: dict[str, dict[str, Any]], path: Path) -> None:
    """The mentions of one being in two or more records: they must be linked."""
    groups: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for file, truth in truths.items():
        for mention in truth["mentions"]:
            if mention["type"] in LINKED:
                groups[mention["entity"]].append((file, mention["id"], truth["record"]))
    kept = [
        {"entity": entity, "mentions": [list(place[:2]) for place in places]}
        for entity, places in sorted(groups.items())
        if len({record for _, _, record in places}) > 1
    ]
    write_json(path, kept)


def write_part(part: str, out: Path, sheets: list[Sheet]) -> list[dict[str, Any]]:
    """Write truth, chains and links of a part; gives its questions."""
    truths = {sheet.file: truth_of(sheet) for sheet in sheets}
    for file, truth in truths.items():
        target = out / part / file
        write_json(target.with_name(target.stem + ".truth.json"), truth)
    graph = Graph(truths)
    extra = json.loads((HERE / "sources" / part / "questions.json").read_text("utf-8"))
    chains = []
    for text in extra["chains"]:
        found = graph.path(text)
        if len({place[2] for place in found}) < 2:
            raise SystemExit(f"chain within one record: {text}")
        chains.append({"path": text, "facts": [list(place[:2]) for place in found]})
    write_json(out / part / "chains.json", chains)
    write_links(truths, out / part / "links.json")
    questions = []
    for item in extra["questions"]:
        found = [place for text in item.get("facts", []) for place in graph.facts(text)]
        questions.append(
            {
                "part": part,
                "language": item["language"],
                "question": item["question"],
                "answer": item["answer"],
                "facts": [list(place[:2]) for place in found],
                "documents": len({place[2] for place in found}),
            }
        )
    return questions


def main() -> None:
    """Read the options and make everything, or what ``--only`` names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--part", choices=PARTS)
    parser.add_argument("--only", help="a page, such as causa-118-p1")
    parser.add_argument("--text", action="store_true", help="only truth, no pictures")
    options = parser.parse_args()
    questions: list[dict[str, Any]] = []
    for part in PARTS:
        if not (HERE / "sources" / part / "questions.json").exists():
            continue
        sheets = load_part(part)
        if options.only is None:
            questions += write_part(part, options.out, sheets)
        if options.text or options.part not in (None, part):
            continue
        place = {(sheet.record, sheet.number): sheet for sheet in sheets}
        for sheet in sheets:
            if options.only not in (None, Path(sheet.file).stem):
                continue
            back = place.get((sheet.record, sheet.number + (1 if sheet.number % 2 else -1)))
            render_sheet(sheet, back, options.out)
    if options.only is None:
        write_json(options.out / "questions.json", questions)


if __name__ == "__main__":
    main()
