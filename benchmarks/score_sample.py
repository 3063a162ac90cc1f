"""Score an archive of the sample against the truth files beside its pages.

    python benchmarks/score_sample.py --archive A [--part first|second] [--names] [--misses]

The archive is what ``rdfkms run examples --archive A`` built. Admitted claims are compared with
``examples/<part>/**/*.truth.json``; a page is found by the SHA-256 of its file. The text that was
read is aligned with the truth text passage by passage, so that offsets can be compared.

* A mention is right when its span overlaps a truth mention of that type and the surfaces are
  at least 0.8 alike.
* A relation, attribute or argument is right when the page states one of that name whose ends are
  those of the claim: some mention of the claim's entity within its quote is a right mention of the
  truth's entity; literal values are compared in normal form, numbers and dates as such.
* An event is right when an event of that type stands where one of its triggers does; several
  triggers of one event on a page count once.
Only what the truth gives as stated counts as true. Rumours and denials that were admitted are wrong
and are also counted apart. Several admitted claims that say one true thing are all right.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from _matching import Count, Page, Reader, Scorer  # beside this script

from rdfkms import resources
from rdfkms.model import Kind, Ref

KINDS = ("mention", "attribute", "relation", "event", "argument")
FACTS = KINDS[1:]


# ---- entity linking --------------------------------------------------------------------------


def linking(
    links: Sequence[dict[str, Any]], pages: dict[str, Page], proposed: Sequence[tuple[Ref, Ref]]
) -> dict[str, Any]:
    """Return pairwise precision and recall over the mentions of links.json.

    Recall counts pairs with a mention that was not found as missed. `proposed` pairs count as
    linked in the second figure.
    """
    gold = [
        (group["entity"], pages[file].found.get(mention))
        for group in links
        for file, mention in group["mentions"]
    ]
    joined = _neighbours(proposed)
    exact = {(a, b): a == b for _, a in gold for _, b in gold}
    loose = {(a, b): same or (a is not None and b in joined[a]) for (a, b), same in exact.items()}
    return {
        "mentions": len(gold),
        "found": sum(ref is not None for _, ref in gold),
        "linked": _pairwise(gold, exact),
        "linked_or_proposed": _pairwise(gold, loose),
    }


def _pairwise(
    gold: Sequence[tuple[str, Ref | None]], same: dict[tuple[Ref | None, Ref | None], bool]
) -> dict[str, Any]:
    right = made = true = 0
    for at, (entity, ref) in enumerate(gold):
        for other, other_ref in gold[at + 1 :]:
            link = ref is not None and other_ref is not None and same[ref, other_ref]
            made += link
            true += entity == other
            right += link and entity == other
    precision, recall = right / made if made else 0.0, right / true if true else 0.0
    return {"precision": round(precision, 4), "recall": round(recall, 4), "pairs": true,
            "made": made}  # fmt: skip


def _neighbours(pairs: Sequence[tuple[Ref, Ref]]) -> defaultdict[Ref, set[Ref]]:
    """Proposals are taken one by one, not followed further: a person decides each."""
    joined: defaultdict[Ref, set[Ref]] = defaultdict(set)
    for a, b in pairs:
        joined[a].add(b)
        joined[b].add(a)
    return joined


# ---- running ---------------------------------------------------------------------------------


def score_part(root: Path, archive: Path, misses: bool) -> dict[str, Any]:
    """Return the scores of the part whose pages and truth files lie below `root`."""
    reader = Reader(archive)
    pages: dict[str, Page] = {}
    profiles: defaultdict[str, defaultdict[str, Count]] = defaultdict(lambda: defaultdict(Count))
    names: defaultdict[str, defaultdict[str, Count]] = defaultdict(lambda: defaultdict(Count))
    unsaid = read = 0
    for path in sorted(root.rglob("*.truth.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        file = path.parent / truth["source"]
        page = Page(str(file.relative_to(root)), truth)
        page.mentions = {m["id"]: m for m in truth["mentions"]}
        page.claims = reader.by_source.get(sha256(file.read_bytes()).hexdigest(), [])
        read += bool(page.claims)
        scorer = Scorer(page, reader)
        scorer.score()
        unsaid += scorer.unsaid
        for kind, count in scorer.counts.items():
            profiles[truth["profile"]][kind].add(count)
        for name, count in scorer.by_name.items():
            names[truth["profile"]][name].add(count)
        pages[page.path] = page
        if misses:
            _tell(scorer)
    links = json.loads((root / "links.json").read_text(encoding="utf-8"))
    reader.store.close()
    return {
        "pages": len(pages),
        "pages_with_claims": read,
        **_table(profiles),
        "names": {
            profile: {name: count.scores() for name, count in sorted(counts.items())}
            for profile, counts in sorted(names.items())
        },
        "rumours_or_denials_admitted": unsaid,
        "linking": linking(links, pages, reader.proposed),
    }


def _table(profiles: dict[str, defaultdict[str, Count]]) -> dict[str, Any]:
    whole: defaultdict[str, Count] = defaultdict(Count)
    by_profile: dict[str, Any] = {}
    for profile, counts in sorted(profiles.items()):
        for kind in KINDS:
            whole[kind].add(counts[kind])
        by_profile[profile] = _rows(counts)
    return {"all": _rows(whole), "profiles": by_profile}


def _rows(counts: defaultdict[str, Count]) -> dict[str, Any]:
    facts, every = Count(), Count()
    for kind in KINDS:
        every.add(counts[kind])
        if kind in FACTS:
            facts.add(counts[kind])
    rows = {kind: counts[kind].scores() for kind in KINDS}
    return {**rows, "facts": facts.scores(), "facts_and_mentions": every.scores()}


def _tell(scorer: Scorer) -> None:
    for claim in scorer.wrong:
        quote = " ".join(claim.pointers[0].quote.split())
        name = claim.name if claim.kind is Kind.MENTION else claim.statement
        value = claim.value.lexical if claim.value else ""
        print(f"WRONG {scorer.page.path} {claim.kind} {name} {value!r}: {quote}", file=sys.stderr)
    for truth in scorer.missed:
        name = truth.get("name") or truth["type"]
        text = truth["quote"]["text"] if "quote" in truth else truth["surface"]
        shown = " ".join(text.split())
        print(f"MISSED {scorer.page.path} {name} {truth.get('value')!r}: {shown}", file=sys.stderr)


def print_part(part: str, result: dict[str, Any], names: bool) -> None:
    """Print the scores of a part."""
    print(f"{part}: {result['pages']} pages, {result['pages_with_claims']} with claims")
    for name, rows in {"all": result["all"], **result["profiles"]}.items():
        print(f"  {name}")
        for kind, row in rows.items():
            print(
                f"    {kind:<19} precision {row['precision']:.3f}  recall {row['recall']:.3f}  "
                f"F1 {row['f1']:.3f}   ({row['right']}/{row['admitted']} admitted right, "
                f"{row['found']}/{row['true']} found)"
            )
    for profile, counts in result["names"].items() if names else ():
        print(f"  {profile}, by statement: right/admitted, found/true")
        for name, row in counts.items():
            told = f"{row['right']}/{row['admitted']}, {row['found']}/{row['true']}"
            print(f"    {name:<32} {told}")
    print(f"  rumours or denials admitted: {result['rumours_or_denials_admitted']}")
    for name in ("linked", "linked_or_proposed"):
        row = result["linking"][name]
        print(f"  {name}: pairwise precision {row['precision']:.3f}  recall {row['recall']:.3f}")
    print(f"  linked mentions found: {result['linking']['found']}/{result['linking']['mentions']}")


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--archive", type=Path, required=True)
    parser.add_argument("--part", choices=("first", "second"))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--names", action="store_true", help="figures of each statement too")
    parser.add_argument(
        "--misses", action="store_true", help="say what was wrong or missed; only for first"
    )
    options = parser.parse_args()
    if options.misses and options.part != "first":
        parser.error("--misses needs --part first: the second part is for measuring only")
    parts = [options.part] if options.part else ["first", "second"]
    root = resources.folder("examples")
    results = {part: score_part(root / part, options.archive, options.misses) for part in parts}
    if options.json:
        print(json.dumps(results, indent=1))
        return
    for part, result in results.items():
        print_part(part, result, options.names)


if __name__ == "__main__":
    main()
