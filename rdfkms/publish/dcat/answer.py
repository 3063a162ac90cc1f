"""An answer as files: a page to read, and its description for an RO-Crate."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rdfkms.publish.around.rights import Source
from rdfkms.publish.dcat.crate import CrateFile, Entity, Made, assemble
from rdfkms.publish.dcat.description import Described
from rdfkms.publish.views import Scope

PAGE, DATA, EVIDENCE = "answer.md", "answer.json", "evidence.ttl"
_SIGNS = str.maketrans({c: f"\\{c}" for c in "\\`*_{}[]<>#|!~=+&-"})


def page(answer: Mapping[str, Any], title: str, crops: Mapping[str, str]) -> str:
    """Return the answer as Markdown: what was asked, what is stated with quote and place, limits.

    `crops` gives the picture of a claim's quote by the claim's IRI.
    """
    lines = [
        f"# {_text(answer['question'])}",
        "",
        f"{_text(title)}, revision {answer['revision']}.",
    ]
    if not answer["found_information"]:
        lines += ["", "**The sources do not tell.**"]
    lines += ["", _text(answer["limitations"])]
    if answer["missing"]:
        lines += ["", f"Nothing was found for: {_text(', '.join(answer['missing']))}."]
    if answer["statements"]:
        lines += ["", "## Statements"]
    for one in answer["statements"]:
        lines += ["", f"**{_text(one['sentence'])}**", "", _quoted(one["quote"])]
        lines += ["", f"{_text(one['place'])}, <{one['claim']}>"]
        if one["claim"] in crops:
            lines += ["", f"![Lines of the page that hold the quote]({crops[one['claim']]})"]
    if answer["evidence"]:
        heading = "Passages" if answer["found_information"] else "The nearest passages"
        lines += ["", f"## {heading}"]
    for one in answer["evidence"]:
        lines += ["", _quoted(one["text"]), "", f"{_text(_place(one))}, <{one['iri']}>"]
    return "\n".join(lines) + "\n"


def _place(one: Mapping[str, Any]) -> str:
    label = one["page_label"]
    return f"{one['record_title']}, {label}" if label else str(one["record_title"])


def _text(words: str) -> str:
    """Return words of others as text that Markdown does not interpret, on one line."""
    return " ".join(str(words).split()).translate(_SIGNS)


def _quoted(words: str) -> str:
    """Return a quote as it stands: within fences that are longer than any in it."""
    longest = max((len(run) for run in re.findall("`+", words)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{words}\n{fence}"


def metadata(
    told: Described,
    scope: Scope,
    answer: Mapping[str, Any],
    files: Sequence[CrateFile],
    sources: Sequence[Source],
) -> Entity:
    """Return the metadata of the crate: the question, the answer, and the records it rests on."""
    found = bool(answer["found_information"])
    version = f"revision {answer['revision']}"
    said = "an answer from the sources" if found else "the sources do not tell"
    about = f"Asked of {told.settings.title} at {version}: {said}, with the evidence for it."
    name = f"{answer['question'][:200]} ({told.settings.title})"
    # The time is that of the state that was asked: the same question of it gives the same files.
    made = Made(name, about, version, told.counts.last, "Search for the evidence for a question")
    records = [_record(scope, source) for source in sources]
    question = {"@id": "#question", "@type": "Question", "name": answer["question"][:2_000]}
    dataset = {
        "@id": told.dataset.value,
        # Not "Dataset": in a crate that would be one of its parts.
        "@type": "CreativeWork",
        "name": told.settings.title,
        "version": version,
    }
    root: Entity = {
        "mainEntity": {"@id": PAGE},
        "about": {"@id": "#question"},
        "isBasedOn": {"@id": dataset["@id"]},
    }
    if records:
        root["citation"] = [{"@id": record["@id"]} for record in records]
    action = {"object": [{"@id": "#question"}, {"@id": dataset["@id"]}]}
    return assemble(told, files, made, root, action, [question, dataset, *records])


def _record(scope: Scope, source: Source) -> Entity:
    """Return a record with its conditions: a crop of it may be used no further than it."""
    made: Entity = {
        "@id": scope.base.iri("record", source.record.key).value,
        "@type": "CreativeWork",
        "name": source.record.text,
        "conditionsOfAccess": source.access,
    }
    if source.use:
        made["usageInfo"] = source.use
    return made
