"""The dataset as an RO-Crate 1.1: the files of a folder, described in JSON-LD.

Source: RO-Crate Metadata Specification 1.1 (2020), "Root Data Entity" and "Data Entities".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import rdfkms
from rdfkms.publish.dcat.description import Described, publisher, summary

METADATA = "ro-crate-metadata.json"
CONTEXT = "https://w3id.org/ro/crate/1.1/context"
_PROFILE = "https://w3id.org/ro/crate/1.1"
Entity = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CrateFile:
    """One file of the crate."""

    path: str
    title: str
    size: int
    sha256: str
    formats: tuple[str, ...]  # media types


@dataclass(frozen=True, slots=True)
class Made:
    """What a crate is and how it came to be."""

    name: str
    description: str
    version: str
    time: str
    action: str


def metadata(told: Described, files: Sequence[CrateFile], release: str) -> Entity:
    """Return the metadata document; `release` is the name of the release it is of, if any."""
    time = next((r.time for r in told.releases if r.name == release), told.counts.last)
    version = release or f"revision {told.counts.revision}"
    name, about = f"{told.settings.title}, {version}", summary(told.settings)
    return assemble(told, files, Made(name, about, version, time, "Export of what is public"))


def assemble(
    told: Described,
    files: Sequence[CrateFile],
    made: Made,
    root: Entity | None = None,
    action: Entity | None = None,
    more: Sequence[Entity] = (),
) -> Entity:
    """Return the metadata of a crate; `root` and `action` add to these, `more` are entities."""
    settings, agent = told.settings, {"@id": told.agent.value}
    whole: Entity = {
        "@id": "./",
        "@type": "Dataset",
        "name": made.name,
        "description": made.description,
        "datePublished": made.time,
        "version": made.version,
        "license": {"@id": _licence(told)["@id"]},
        "publisher": agent,
        "author": agent,
        "url": told.base.base,
        "hasPart": [{"@id": file.path} for file in files],
        "mentions": {"@id": "#made"},
    }
    about = {"@id": METADATA, "@type": "CreativeWork", "conformsTo": {"@id": _PROFILE},
             "about": {"@id": "./"}}  # fmt: skip
    return {
        "@context": CONTEXT,
        "@graph": [
            about,
            whole | _languages(told.counts.languages) | (root or {}),
            *(_file(file) for file in files),
            {
                "@id": told.agent.value,
                "@type": "Organization",
                "name": publisher(settings),
                "url": settings.dataset.publisher_iri or told.base.base,
            },
            _licence(told),
            {
                "@id": "#rdfkms",
                "@type": "SoftwareApplication",
                "name": "rdfkms",
                "version": rdfkms.__version__,
                "softwareVersion": rdfkms.__version__,
                "url": "https://w3id.org/rdfkms/ns",
            },
            {
                "@id": "#made",
                "@type": "CreateAction",
                "name": made.action,
                "instrument": {"@id": "#rdfkms"},
                "agent": agent,
                "endTime": made.time,
                "result": [{"@id": file.path} for file in files],
            }
            | (action or {}),
            *more,
        ],
    }


def _languages(tags: tuple[str, ...]) -> Entity:
    """Return the languages of the texts; a single value stands alone, as the profile advises."""
    return {"inLanguage": tags[0] if len(tags) == 1 else list(tags)} if tags else {}


def _licence(told: Described) -> Entity:
    iri = told.settings.dataset.license
    if iri:
        return {
            "@id": iri,
            "@type": "CreativeWork",
            "name": iri,
            "description": f"The licence {iri}",
        }
    return {
        "@id": "#rights",
        "@type": "CreativeWork",
        "name": "No licence is stated",
        "description": "Ask the publisher before you use this beyond what the law allows.",
    }


def _file(file: CrateFile) -> Entity:
    return {
        "@id": file.path,
        "@type": "File",
        "name": file.title,
        "description": file.title,
        "contentSize": str(file.size),
        "encodingFormat": list(file.formats) if len(file.formats) > 1 else file.formats[0],
        "sha256": file.sha256,
    }
