"""How much of the RiC-O that others made of finding aids and authority records comes out here.

The pairs are an input in EAD or EAC-CPF with the RiC-O that is expected of it. Both sides name
things as they please, so things are first told to be the same by what is said of them
(`rdfkms.evaluation.alignment`); then each expected statement is there or not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyoxigraph import RdfFormat, Triple, parse

from rdfkms.errors import BadInput, NotFound
from rdfkms.evaluation.alignment import Stated, Statement, Words, align, renamed, statements
from rdfkms.evaluation.tables import table

KINDS = ("ead2rico", "eac2rico")
NAMES = {"ead2rico": "EAD", "eac2rico": "EAC-CPF"}
INPUT, EXPECTED = "input.xml", "expected.xml"
_BASE = re.compile(rb"""xml:base\s*=\s*["']([^"']+)["']""")
Report = Callable[[str, int, int], None]
SHOWN = 15

NOTES = (
    "The base IRI of the expected graph is that of its xml:base; every IRI below it and every "
    "blank node is a name that may stand for another. All other IRIs must be the same, but for "
    "those of other sites that come out and that nobody expects: they may stand for a name too.",
    "White space is folded. A literal that is expected as XML is compared by its words without "
    "markup, white space and language; other literals by words, datatype and language.",
    "A statement that is expected twice counts once. Nothing expected is left out of the count, "
    "addresses of the institution (rdfs:seeAlso) among them.",
    "What is said beyond what is expected is counted, not held against the share.",
)


@dataclass(frozen=True, slots=True)
class Exported:
    """What came out for an input, and what of it had no place, by element."""

    triples: Sequence[Triple]
    unmapped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Compared:
    """Two graphs held against each other, `missing` and `beyond` in the names of the expected."""

    expected: int
    reproduced: int
    beyond: int
    missing: tuple[Statement, ...]

    @property
    def share(self) -> float:
        """The part of the expected statements that is there."""
        return self.reproduced / self.expected if self.expected else 1.0

    @property
    def identical(self) -> bool:
        """Whether nothing is missing and nothing was added."""
        return self.reproduced == self.expected and not self.beyond


Export = Callable[[Path, Sequence[Path]], Exported]


def evaluate(gold: Path, export: Export, report: Report) -> dict[str, Any]:
    """Return the figures over the pairs below a folder: each case, totals, what is missing most.

    `export` makes RiC-O of an input with the linked records beside it. A case that fails counts
    with all its statements as missing and tells its reason. Raises `NotFound` where no pair is.
    """
    cases = [
        (kind, folder)
        for kind in KINDS
        for folder in sorted((gold / kind).glob("*"))
        if (folder / INPUT).is_file() and (folder / EXPECTED).is_file()
    ]
    if not cases:
        raise NotFound(
            f"There are no pairs in {gold}.",
            hint=f"Name the folder that holds {' and '.join(KINDS)}, each with cases in folders.",
        )
    found: dict[str, list[dict[str, Any]]] = {}
    missing: dict[str, Counter[str]] = {}
    for number, (kind, folder) in enumerate(cases, 1):
        case, lacking = _case(folder, export)
        found.setdefault(kind, []).append(case)
        missing.setdefault(kind, Counter()).update(lacking)
        report("cases", number, len(cases))
    totals = {kind: _total(some) for kind, some in found.items()}
    return {
        "totals": totals,
        "missing": {kind: dict(some.most_common()) for kind, some in missing.items()},
        "cases": found,
        "notes": list(NOTES),
        "tables": list(_tables(found, totals, missing)),
    }


def _case(folder: Path, export: Export) -> tuple[dict[str, Any], Counter[str]]:
    linked = sorted(p for p in folder.glob("*.xml") if p.name not in (INPUT, EXPECTED))
    expected, base = read(folder / EXPECTED)
    unmapped: dict[str, int] = {}
    failed = ""
    try:
        made = export(folder / INPUT, linked)
        compared, unmapped = compare(expected, base, made.triples), dict(made.unmapped)
    except (BadInput, NotFound) as err:
        compared, failed = compare(expected, base, ()), err.message
    lacking = Counter(_short(one.predicate) for one in compared.missing)
    case = {
        "case": folder.name,
        "expected": compared.expected,
        "reproduced": compared.reproduced,
        "share": compared.share,
        "beyond": compared.beyond,
        "identical": compared.identical,
        "missing": dict(sorted(lacking.items())),
        "missing_statements": [_told(one) for one in compared.missing],
        "unmapped": unmapped,
        "failed": failed,
    }
    return case, lacking


def read(path: Path) -> tuple[list[Triple], str]:
    """Return the triples of an RDF/XML file and its base; raises `BadInput` for what is none."""
    try:
        data = path.read_bytes()
        told = _BASE.search(data)
        base = told[1].decode() if told else path.resolve().as_uri()
        quads = parse(data, format=RdfFormat.RDF_XML, base_iri=base)
        return [quad.triple for quad in quads], base
    except (OSError, SyntaxError, ValueError) as err:
        raise BadInput(f"{path}: cannot be read as RDF/XML: {err}.") from err


def compare(expected: Iterable[Triple], base: str, made: Iterable[Triple]) -> Compared:
    """Return what of an expected graph is in another; `base` is where its own names begin."""
    wanted = statements(expected, names_below=base)
    have = statements(made, names_below="")
    names = align(wanted, have)
    told = [renamed(one, names) for one in wanted]
    there, expects = Stated(have), Stated(told)
    missing = tuple(one for one, as_told in zip(wanted, told, strict=True) if as_told not in there)
    beyond = sum(one not in expects for one in have)
    return Compared(len(wanted), len(wanted) - len(missing), beyond, missing)


# ---- figures ------------------------------------------------------------------------------------


def _total(cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    expected = sum(case["expected"] for case in cases)
    reproduced = sum(case["reproduced"] for case in cases)
    return {
        "cases": len(cases),
        "expected": expected,
        "reproduced": reproduced,
        "share": reproduced / expected if expected else 1.0,
        "beyond": sum(case["beyond"] for case in cases),
        "complete": sum(case["reproduced"] == case["expected"] for case in cases),
        "identical": sum(case["identical"] for case in cases),
        "failed": sum(bool(case["failed"]) for case in cases),
    }


def _tables(
    found: Mapping[str, Sequence[Mapping[str, Any]]],
    totals: Mapping[str, Mapping[str, Any]],
    missing: Mapping[str, Counter[str]],
) -> Iterable[dict[str, Any]]:
    names = (
        "cases",
        "expected",
        "reproduced",
        "share",
        "beyond",
        "complete",
        "identical",
        "failed",
    )
    yield table(
        "Expected statements that come out",
        ("pairs", *names),
        ((NAMES[kind], *(total[name] for name in names)) for kind, total in totals.items()),
    )
    for kind, some in missing.items():
        rows = some.most_common(SHOWN)
        yield table(f"{NAMES[kind]}: what is missing most", ("property", "statements"), rows)
    for kind, cases in found.items():
        yield table(
            f"{NAMES[kind]}: each case",
            ("case", "expected", "reproduced", "share", "identical", "missing", "unmapped"),
            (
                (
                    case["case"], case["expected"], case["reproduced"], case["share"],
                    "yes" if case["identical"] else "no", _counts(case["missing"]),
                    case["failed"] or _counts(case["unmapped"]),
                )
                for case in cases
            ),
        )  # fmt: skip


def _counts(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counted.items()) or "-"


def _short(iri: str) -> str:
    return re.split(r"[#/]", iri)[-1]


def _told(one: Statement) -> str:
    ends = (end.text if isinstance(end, Words) else end for end in (one.subject, one.object))
    subject, object_ = ends
    return f"{subject} {_short(one.predicate)} {object_}"


def markdown(result: Mapping[str, Any], head: str) -> str:
    """Return the figures as a page in Markdown below `head`."""
    parts = [head.rstrip(), "", *(f"- {note}" for note in result["notes"])]
    for one in result["tables"]:
        parts += ["", f"## {one['title']}", "", _line(one["columns"])]
        parts.append(_line("---" for _ in one["columns"]))
        parts += [_line(map(_cell, row)) for row in one["rows"]]
    return "\n".join(parts) + "\n"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: object) -> str:
    told = f"{cell:.1%}" if isinstance(cell, float) else str(cell)
    return told.replace("|", "\\|")
