"""A small fictional archive, built through the ledger, for the tests of pages and pictures.

Three records: a typed court-martial page (a picture with words and boxes), a born-digital
register that disagrees with it and names somebody in HTML, and a closed record. Loaded by path,
since tests are no package: ``load_builder()`` in the conftest files.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from pyoxigraph import Quad, Triple

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.ingest import wordsfile
from rdfkms.knowledge import encoding, mapping, statements
from rdfkms.ledger.archive import Archive
from rdfkms.ledger.ledger import Activity, Change, Ledger
from rdfkms.ledger.work import Work
from rdfkms.model import (
    Access,
    Box,
    Claim,
    EvidenceUnit,
    Kind,
    Label,
    Locator,
    Modality,
    Page,
    Pointer,
    Principal,
    Reason,
    Record,
    Ref,
    Role,
    Run,
    SourceFile,
    Status,
    TextVersion,
    UnitText,
    Value,
    View,
    Word,
)
from rdfkms.ports import TripleStore
from rdfkms.settings import Settings
from rdfkms.vocab import key_of

OWNER = Principal("owner", Role.ADMINISTRATOR)
HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)>'
TYPED = (
    "RESULTANDO que el procesado Andrés Vidal Soler,",
    "de 31 años, natural de Belmira, jornalero, fue",
    "juzgado en consejo de guerra el 12 de marzo de 1939",
    "CONSIDERANDO que no consta que Andrés Vidal Soler",
    "mandase fuerza alguna.",
)
REGISTER = (
    "Vidal Soler, Andrés: 33 años, natural de Belmira. "
    f"Firmó como testigo {HOSTILE} vecino de Belmira."
)
SECRET = "Ficha reservada de Tomás Oculto Prieto, natural de Belmira."
RUN = Run("run1", "extract", "rules", "1.0", '{"profile": "court-martial"}', "0.1.0")


@dataclass(frozen=True)
class Small:
    """The archive and the keys that tests name."""

    ledger: Ledger
    work: Work
    person: Ref
    hostile: Ref
    hidden: Ref
    place: Ref
    event: Ref
    unit: str
    closed_unit: str
    closed_page: str
    closed_picture: str
    page: str
    picture: str
    record: str
    closed_record: str
    birthplace: str
    age: str
    other_age: str
    quarantined: str
    secret_claim: str

    def close(self) -> None:
        """Close the ledger and the rows."""
        self.ledger.close()
        self.work.close()


def typed_page(lines: tuple[str, ...]) -> tuple[bytes, tuple[Word, ...], str]:
    """Return a PNG of typed lines, its words with their boxes, and its text."""
    font = ImageFont.load_default(size=30)
    picture = Image.new("L", (1000, 120 + 70 * len(lines)), 245)
    draw = ImageDraw.Draw(picture)
    words, text = [], ""
    for number, line in enumerate(lines):
        x, y = 70.0, 60 + 70 * number
        for token in line.split(" "):
            width = draw.textlength(token, font=font)
            draw.text((x, y), token, 40, font=font)
            box = Box(round(x), y, round(width), 40)
            words.append(Word(len(text), len(text) + len(token), box, 0.95, number, 0))
            text += token + " "
            x += width + 12
        text = text[:-1] + "\n"
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue(), tuple(words), text[:-1]


class Builder:
    """Collects the triples of records and claims by graph, then commits them."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.mapping = mapping.load()
        self.base = ledger.base
        self.quads: list[Quad] = []

    def write(self, triples: list[Triple] | tuple[Triple, ...], public: bool) -> None:
        """Add triples to the public or the internal graph."""
        graph = self.base.public if public else self.base.internal
        self.quads += [Quad(t.subject, t.predicate, t.object, graph) for t in triples]

    def commit(self, kind: str) -> None:
        """Write what was collected as one change."""
        self.ledger.commit(Change(Activity(kind, run=RUN.key), add=tuple(self.quads)), OWNER)
        self.quads = []

    def picture_record(
        self, name: str, lines: tuple[str, ...], access: Access, cut: int
    ) -> tuple[Record, Page, list[EvidenceUnit]]:
        """Add a record of one typed page, with passages before and after line `cut`."""
        data, words, text = typed_page(lines)
        sha256 = self.ledger.archive.keep(data)
        with Image.open(io.BytesIO(data)) as opened:
            size = opened.size
        page = Page(key_of("page", sha256, 1), sha256, 1, "1", size[0], size[1], sha256)
        source = SourceFile(sha256, f"{name}-p1.png", "image/png", len(data))
        record = Record(
            key_of("record", name), f"Sentencia, {name}", "court-martial", "es", access,
            Modality.DOCUMENT, (source,), (page,), "consejos",
        )  # fmt: skip
        version = TextVersion(
            key_of("version", page.key), page.key, text, words, "ocr", "drawn", "1"
        )
        edge = len("\n".join(lines[:cut]))
        spans = [(0, edge)] if edge == len(text) else [(0, edge), (edge + 1, len(text))]
        units = [self.unit(record, page, version, n, *s) for n, s in enumerate(spans, 1)]
        words_file = self.ledger.archive.keep(wordsfile.dump(version))
        public = access.condition == "open"
        self.write(encoding.record_triples(record, self.base), public)
        self.write(encoding.page_triples(page, self.base), public)
        self.write(encoding.version_triples(version, page, self.base, words_file, RUN.key), public)
        for unit in units:
            self.write(encoding.unit_triples(unit, self.base), public)
        return record, page, units

    def text_record(self, name: str, text: str) -> tuple[Record, EvidenceUnit]:
        """Add a born-digital record of one passage."""
        sha256 = self.ledger.archive.keep(text.encode())
        page = Page(key_of("page", sha256, 1), sha256, 1, "1", heading="Testigos")
        source = SourceFile(sha256, f"{name}.md", "text/markdown", len(text))
        record = Record(
            key_of("record", name), f"Registro, {name}", "register", "es", Access(),
            Modality.BORN_DIGITAL, (source,), (page,),
        )  # fmt: skip
        version = TextVersion(
            key_of("version", page.key), page.key, text, (), "born_digital", "text", "1"
        )
        unit = self.unit(record, page, version, 1, 0, len(text))
        words_file = self.ledger.archive.keep(wordsfile.dump(version))
        self.write(encoding.record_triples(record, self.base), True)
        self.write(encoding.page_triples(page, self.base), True)
        self.write(encoding.version_triples(version, page, self.base, words_file, RUN.key), True)
        self.write(encoding.unit_triples(unit, self.base), True)
        return record, unit

    def unit(
        self, record: Record, page: Page, version: TextVersion, number: int, start: int, end: int
    ) -> EvidenceUnit:
        """Return a passage [start, end) of a version, framed by its words."""
        key = key_of("unit", page.source, page.label, number)
        boxes = wordsfile.boxes_of(version.words, start, end)
        fragment = f"char={start},{end}"
        if boxes:
            frame = boxes[0]
            for box in boxes[1:]:
                frame = frame.union(box)
            fragment = frame.fragment
        text = UnitText(
            key_of("text", key, version.key, "raw"), key, version.key, View.RAW,
            version.text[start:end], start, end, "es",
        )  # fmt: skip
        return EvidenceUnit(
            key, record.key, page.source, page.key, number, record.modality, "es", page.label,
            number, (text,), (Locator(page.key, fragment),),
        )  # fmt: skip

    def claim(self, unit: EvidenceUnit, quote: str, claim: Claim, public: bool = True) -> Claim:
        """Add a claim that quotes the first place of `quote` in the passage; returns it."""
        start = unit.raw.text.index(quote)
        pointer = Pointer(unit.key, unit.raw.key, start, start + len(quote), quote)
        key = key_of("claim", claim.statement, claim.subject.path, unit.key, quote)
        whole = replace(claim, key=key, pointers=(pointer,), runs=(RUN.key,))
        public = public and whole.status is Status.ADMITTED
        self.write(encoding.claim_triples(whole, self.base, self.mapping), public)
        self.write(statements.project(whole, self.base, self.mapping), public)
        return whole


def mention(entity: Ref, name: str, surface: str) -> Claim:
    """Return a claim that the passage names an entity."""
    return Claim(
        "", Kind.MENTION, "namedAs", entity, (), value=Value(surface, language="es"), name=name,
        confidence=0.97, label=Label.SUPPORTED,
    )  # fmt: skip


def said(subject: Ref, statement: str, kind: Kind = Kind.ATTRIBUTE, **more: object) -> Claim:
    """Return a claim about a subject."""
    claim = Claim("", kind, statement, subject, (), confidence=0.9, label=Label.SUPPORTED)
    # Each caller names fields of a claim; `object` is what they have in common.
    return replace(claim, **more)  # type: ignore[arg-type]


def build(
    root: Path, make_store: Callable[[Path], TripleStore] | None = None, title: str = "Belmira"
) -> Small:
    """Return the archive, built in `root`."""
    archive = Archive.create(root, Settings(title=title))
    store = (make_store or OxigraphStore)(archive.store_path)
    ledger, work = Ledger(archive, store), Work(archive.work_path)
    builder = Builder(ledger)
    builder.write(encoding.run_triples(RUN, ledger.base), True)
    record, page, units = builder.picture_record("causa-7", TYPED, Access(), 3)
    _, entry = builder.text_record("padrón", REGISTER)
    closed, closed_page, closed_units = builder.picture_record(
        "reservada", (SECRET,), Access("closed"), 1
    )
    builder.commit("ingest")
    keys = _claims(builder, units, entry, closed_units[0])
    builder.commit("extract")
    return Small(
        ledger=ledger,
        work=work,
        unit=units[0].key,
        closed_unit=closed_units[0].key,
        closed_page=closed_page.key,
        closed_picture=closed_page.picture or "",
        page=page.key,
        picture=page.picture or "",
        record=record.key,
        closed_record=closed.key,
        # The keys are fields of `Small`, by name.
        **keys,  # type: ignore[arg-type]
    )


def _claims(
    builder: Builder, units: list[EvidenceUnit], entry: EvidenceUnit, closed: EvidenceUnit
) -> dict[str, Ref | str]:
    person, place = Ref("person", "p" * 24), Ref("place", "b" * 24)
    hostile, hidden = Ref("person", "h" * 24), Ref("person", "s" * 24)
    event, group = Ref("event", "e" * 24), "e" * 24
    add = builder.claim
    name = "Andrés Vidal Soler"
    for unit in units:
        add(unit, name, mention(person, "Person", name))
    add(entry, "Vidal Soler, Andrés", mention(person, "Person", "Vidal Soler, Andrés"))
    add(units[0], "Belmira", mention(place, "Location", "Belmira"))
    add(entry, "Belmira", mention(place, "Location", "Belmira"))
    add(entry, HOSTILE, mention(hostile, "Person", HOSTILE))
    born = add(units[0], f"{name},\nde 31 años, natural de Belmira", said(
        person, "birthplace", object=place, confidence=0.93))  # fmt: skip
    add(entry, "Vidal Soler, Andrés: 33 años, natural de Belmira", said(
        person, "birthplace", object=place, confidence=0.88))  # fmt: skip
    one = said(person, "age", value=Value("31", "integer"))
    two = said(person, "age", value=Value("33", "integer"))
    quotes = (f"{name},\nde 31 años", "Vidal Soler, Andrés: 33 años")
    first = key_of("claim", "age", person.path, units[0].key, quotes[0])
    second = key_of("claim", "age", person.path, entry.key, quotes[1])
    add(units[0], quotes[0], replace(one, conflicts=(second,)))
    add(entry, quotes[1], replace(two, conflicts=(first,)))
    add(units[0], "juzgado", Claim("", Kind.EVENT, "triggeredBy", event, (),
        value=Value("juzgado", language="es"), name="CourtMartial", group=group,
        confidence=0.9, label=Label.SUPPORTED))  # fmt: skip
    add(units[0], f"el procesado {name}", said(
        event, "accused", Kind.ARGUMENT, object=person, group=group))  # fmt: skip
    add(units[0], "juzgado en consejo de guerra el 12 de marzo de 1939", said(
        event, "time", Kind.ARGUMENT, group=group,
        value=Value("1939-03-12", "edtf", verbatim="12 de marzo de 1939")))  # fmt: skip
    add(entry, f"{HOSTILE} vecino de Belmira", said(
        hostile, "residence", object=place))  # fmt: skip
    doubtful = add(units[1], f"no consta que {name}\nmandase fuerza", said(
        person, "militaryRank", value=Value("mandase fuerza", language="es"),
        status=Status.QUARANTINED, label=Label.AMBIGUOUS,
        reasons=(Reason("negationNearby", "A negation stands near the cue."),)))  # fmt: skip
    add(closed, "Tomás Oculto Prieto", mention(hidden, "Person", "Tomás Oculto Prieto"), False)
    secret = add(closed, "Tomás Oculto Prieto, natural de Belmira", said(
        hidden, "birthplace", object=place), False)  # fmt: skip
    return {
        "person": person, "hostile": hostile, "hidden": hidden, "place": place, "event": event,
        "birthplace": born.key, "age": first, "other_age": second,
        "quarantined": doubtful.key, "secret_claim": secret.key,
    }  # fmt: skip
