"""Archives of many small records to harvest, and a harvester that keeps a mirror."""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lxml import etree

from rdfkms.access import ANONYMOUS
from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.knowledge import encoding, mapping
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.model import EvidenceUnit, Record, Ref
from rdfkms.publish.edm import building, reading
from rdfkms.publish.edm import xml as edm_xml
from rdfkms.publish.oai.provider import Provider
from rdfkms.publish.views import scope_of
from rdfkms.settings import PublishingSettings, Settings
from rdfkms.vocab import RICO, TYPE, key_of
from tests.tools.small_archive import OWNER, Builder, mention

OAI = "{http://www.openarchives.org/OAI/2.0/}"


def settings(**told: object) -> Settings:
    """Return settings with what [publishing] says."""
    return Settings(title="Belmira", publishing=PublishingSettings.model_validate(told))


@dataclass
class Many:
    """An archive of text records, `keys` in the order in which they were written."""

    ledger: Ledger
    builder: Builder
    keys: list[str] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)

    def provider(self) -> Provider:
        """Return a provider of its own over the archive."""
        return Provider(self.ledger, mapping.load(), self.settings)

    def add(self, name: str) -> str:
        """Write a record that names a person; returns its key."""
        record, unit = self.builder.text_record(name, f"Vidal {name} vive en Belmira.")
        self._say(record, unit, name)
        self.builder.commit("ingest")
        self.keys.append(record.key)
        return record.key

    def _say(self, record: Record, unit: EvidenceUnit, name: str) -> None:
        whole = f"Vidal {name}"
        person = Ref("person", key_of("person", name))
        self.builder.claim(unit, whole, mention(person, "Person", whole))
        place = Ref("place", "b" * 24)
        self.builder.claim(unit, "Belmira", mention(place, "Location", "Belmira"))


def many(root: Path, count: int, **told: object) -> Many:
    """Return a new archive of `count` records in a folder."""
    chosen = settings(**told)
    archive = Archive.create(root, chosen)
    ledger = Ledger(archive, OxigraphStore(archive.store_path))
    builder = Builder(ledger)
    vocabulary = encoding.vocabulary_triples()
    builder.write(tuple(vocabulary), True)
    builder.commit("init")
    made = Many(ledger, builder, settings=chosen)
    for number in range(count):
        made.add(f"r{number:03}")
    return made


def public_keys(ledger: Ledger) -> set[str]:
    """Return the keys of all records that anyone may read."""
    found = set()
    for quad in ledger.store.match(None, TYPE, RICO("Record"), ledger.base.public):
        split = ledger.base.split(getattr(quad.subject, "value", ""))
        if split is not None:
            found.add(split[1])
    return found


def fresh(ledger: Ledger, told: Settings) -> dict[str, bytes]:
    """Return the EDM of every public record as it is now, read anew one by one."""
    known = mapping.load()
    scope = scope_of(ledger.store, ledger.base, known, ANONYMOUS)
    by = building.publisher(told, known)
    return {
        key: etree.tostring(edm_xml.element(building.build(described, by)), encoding="UTF-8")
        for name in sorted(public_keys(ledger))
        for key, described in reading.read(scope, [name]).items()
    }


@dataclass
class Mirror:
    """What a harvester holds: metadata by identifier, None for deleted ones."""

    ask: Callable[[dict[str, str]], str]
    prefix: str = "edm"
    held: dict[str, bytes | None] = field(default_factory=dict)
    stamps: dict[str, str] = field(default_factory=dict)
    last: str = ""  # the responseDate of the first answer of the last harvest
    pages: int = 0

    def harvest(self, between: Callable[[int], None] | None = None, **more: str) -> list[str]:
        """Harvest what changed since the last time; returns the identifiers as they came."""
        arguments = {"verb": "ListRecords", "metadataPrefix": self.prefix, **more}
        if self.last:
            arguments["from"] = self.last
        came, first, self.pages = list[str](), "", 0
        while True:
            root = etree.fromstring(self.ask(arguments).encode())
            first = first or root.findtext(f"{OAI}responseDate", "")
            error = root.find(f"{OAI}error")
            if error is not None:
                assert error.get("code") == "noRecordsMatch", error.text
                break
            self.pages += 1
            came += [self._keep(record) for record in root.iter(f"{OAI}record")]
            token = root.findtext(f"{OAI}ListRecords/{OAI}resumptionToken", "")
            if not token:
                break
            if between is not None:
                between(self.pages)
            arguments = {"verb": "ListRecords", "resumptionToken": token}
        self.last = first
        return came

    def _keep(self, record: etree._Element) -> str:
        header = record.find(f"{OAI}header")
        assert header is not None
        identifier = header.findtext(f"{OAI}identifier", "")
        self.stamps[identifier] = header.findtext(f"{OAI}datestamp", "")
        metadata = record.find(f"{OAI}metadata")
        if header.get("status") == "deleted":
            assert metadata is None
            self.held[identifier] = None
        else:
            assert metadata is not None
            self.held[identifier] = canonical(etree.tostring(metadata[0]))
        return identifier

    def live(self) -> dict[str, bytes]:
        """Return what is held by key of record, without the deleted ones."""
        return {i.rpartition("/")[2]: data for i, data in self.held.items() if data is not None}


def canonical(data: bytes) -> bytes:
    """Return XML in its exclusive canonical form."""
    make: Any = etree.tostring  # its stub does not know `exclusive`
    made: bytes = make(etree.fromstring(data), method="c14n", exclusive=True)
    return made.rstrip()


def asker(provider: Provider) -> Callable[[dict[str, str]], str]:
    """Return a function that asks a provider directly."""
    return lambda arguments: provider.answer(list(arguments.items())).decode()


def query(arguments: dict[str, str]) -> str:
    """Return the path of a request."""
    return "/oai?" + urllib.parse.urlencode(arguments)


def touch(ledger: Ledger, key: str, title: str) -> None:
    """Give a record another title."""
    iri, base = ledger.base.iri("record", key), ledger.base
    old = tuple(ledger.store.match(iri, RICO("title"), None, base.public))
    new = tuple(
        type(q)(q.subject, q.predicate, encoding.text_literal(title, "es"), q.graph_name)
        for q in old
    )
    ledger.commit(Change(Activity("edit"), add=new, remove=old), OWNER)
