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


def metadata(told: Described, files: Sequence[CrateFile], release: str) -> Entity:
    """Return the metadata document; `release` is the name of the release it is of, if any."""
    counts, settings = told.counts, told.settings
    time = next((r.time for r in told.releases if r.name == release), counts.last)
    version = release or f"revision {counts.revision}"
    agent, software = {"@id": told.agent.value}, {"@id": "#rdfkms"}
    root: Entity = {
        "@id": "./",
        "@type": "Dataset",
        "name": f"{settings.title}, {version}",
        "description": summary(settings),
        "datePublished": time,
        "version": version,
        "license": {"@id": _licence(told)["@id"]},
        "publisher": agent,
        "author": agent,
        "url": told.base.base,
        "hasPart": [{"@id": file.path} for file in files],
        "mentions": {"@id": "#made"},
    }
    return {
        "@context": CONTEXT,
        "@graph": [
            {
                "@id": METADATA,
                "@type": "CreativeWork",
                "conformsTo": {"@id": _PROFILE},
                "about": {"@id": "./"},
            },
            root | _languages(counts.languages),
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
                "name": "Export of what is public",
                "instrument": software,
                "agent": agent,
                "endTime": time,
                "result": [{"@id": file.path} for file in files],
            },
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
