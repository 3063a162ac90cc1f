"""Archivists edit descriptions, field by field: journaled, by the gate, undone by one command."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.app import checking, composition, describing, operations
from rdfkms.app.composition import OWNER, App
from rdfkms.errors import BadInput, Conflict, Denied, NotFound
from rdfkms.knowledge import decoding
from rdfkms.model import Access, Modality, Principal, Role, Status
from rdfkms.review import conditions, lessons
from rdfkms.vocab import KMS, PROV, RICO, TYPE
from tests.tools.small_run import command

FILES = Path(__file__).parent.parent / "golden" / "describing"
EVA, UGO = Principal("eva", Role.REVIEWER), Principal("ugo", Role.REVIEWER)
NIA = Principal("nia", Role.CONTRIBUTOR)
WORDS = "Two hands.\n\nIn <pencil> & ink."


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an archive of the fictional finding aid and authority record."""
    archive = tmp_path_factory.mktemp("described") / "A"
    operations.perform(archive, "describe", {"paths": [str(FILES)]})
    return archive


class Desk:
    """An open copy of the archive, and what people do in it."""

    def __init__(self, app: App) -> None:
        self.app = app

    def __call__(self, name: str, who: Principal = EVA, /, **arguments: object) -> dict[str, Any]:
        """Do an operation."""
        return operations.perform_here(self.app, name, arguments, who)

    def amend(self, thing: str, field: str, value: str = "", **more: object) -> dict[str, Any]:
        """Write into a field as Eva."""
        return self("amend", thing=thing, field=field, value=value, **more)

    def undo(self, made: dict[str, Any]) -> dict[str, Any]:
        """Take back what an operation did."""
        return self("review_undo", decision=made["decision"]["decision"])

    def thing(self, title: str) -> str:
        """Return the path of what is called so, and nothing else is."""
        store, base = self.app.ledger.store, self.app.base
        found = {
            claim.subject.path
            for claim in decoding.all_claims(store, base)
            if claim.statement == "namedAs" and claim.value and claim.value.lexical == title
        }
        (one,) = found
        return one

    def field(self, thing: str, name: str) -> dict[str, Any]:
        """Return a field of a thing."""
        fields = self("amend_fields", thing=thing)["fields"]
        found: dict[str, Any] = next(f for f in fields if f["field"].rpartition("/")[2] == name)
        return found

    def values(self, thing: str, name: str) -> list[str]:
        """Return what stands in a field."""
        shown = self.field(thing, name)["values"]
        return [v["value"] or v["object_name"] for v in shown if v["status"] == "admitted"]

    def projected(self, thing: str, predicate: NamedNode) -> list[str]:
        """Return what the public reads of a thing."""
        about = self.app.base.iri(*thing.split("/"))
        found = self.app.ledger.store.match(about, predicate, None, self.app.base.public)
        return sorted(getattr(quad.object, "value", "") for quad in found)

    def claim(self, key: str) -> Any:
        """Return a claim."""
        return self.app.desk.claim(key)

    def public_words(self) -> str:
        """Return all literals that the public may read."""
        found = self.app.ledger.store.match(None, None, None, self.app.base.public)
        return "\n".join(q.object.value for q in found if isinstance(q.object, Literal))

    def four_eyes(self) -> None:
        """Demand two persons from now on; the archive was opened for one test."""
        object.__setattr__(self.app.settings.gate, "four_eyes", True)

    def whole(self) -> bool:
        """Return whether all laws hold."""
        told = checking.check(self.app, lambda *_: None)
        assert told["faults"] == []
        return bool(told["ok"])


@pytest.fixture
def desk(described: Path, tmp_path: Path) -> Iterator[Desk]:
    copy = Path(shutil.copytree(described, tmp_path / "A"))
    with composition.writing(copy, "test") as app:
        yield Desk(app)


@pytest.fixture
def series(desk: Desk) -> str:
    return desk.thing("Pilots' journals")


# ---- add, replace, take out ---------------------------------------------------------------------


def test_an_added_value_rests_on_the_words_that_were_written(desk: Desk, series: str) -> None:
    made = desk.amend(series, "scopeAndContent", f" {WORDS}\r\n".replace("\n", "\r\n"), note="seen")
    assert (made["status"], made["decision"]["kind"]) == ("admitted", "amend")
    assert desk.projected(series, RICO("scopeAndContent")) == [WORDS]
    claim = desk.claim(made["claim"])
    unit = desk.app.desk.unit(claim)
    assert unit.modality is Modality.EXPERT
    assert unit.raw.text == WORDS == claim.pointers[0].quote
    told = desk("amend_fields", thing=series)
    assert unit.record == told["record"]
    kept = desk.app.archive.read(unit.source).decode()
    assert kept.endswith(f"\n\n{WORDS}\n")
    record = decoding.record(desk.app.ledger.store, desk.app.base, unit.record)
    assert record.files[0].name == "harbour.xml"
    assert record.files[1].name.startswith("amendment-")
    assert not {"eva", "person:eva", "seen"} & set(desk.public_words().split("\n"))
    assert desk.whole()


def test_a_replaced_value_is_superseded_and_undo_brings_it_back(desk: Desk, series: str) -> None:
    (old,) = desk.field(series, "namedAs")["values"]
    made = desk.amend(
        series, "title", "Journals\nof the pilots", replaces=old["claim"], seen=old["seen"]
    )
    assert desk.projected(series, RICO("title")) == ["Journals of the pilots"]
    assert desk.claim(old["claim"]).status is Status.SUPERSEDED
    base, store = desk.app.base, desk.app.ledger.store
    revised = Quad(
        base.iri("claim", made["claim"]), PROV("wasRevisionOf"),
        base.iri("claim", old["claim"]), base.internal,
    )  # fmt: skip
    assert store.contains(revised)
    undone = desk.undo(made)
    assert desk.projected(series, RICO("title")) == ["Pilots' journals"]
    assert desk.claim(made["claim"]).status is Status.WITHDRAWN
    unit = base.iri("evidence", desk.claim(made["claim"]).pointers[0].unit)
    assert store.contains(Quad(unit, TYPE, KMS("EvidenceUnit"), base.public)), "the words stay"
    assert desk.whole()
    desk.undo(undone)
    assert desk.projected(series, RICO("title")) == ["Journals of the pilots"]
    assert store.contains(revised)
    assert desk.whole()


def test_what_was_undone_can_be_written_again(desk: Desk, series: str) -> None:
    first = desk.amend(series, "abstract", "Plates.")
    desk.undo(first)
    again = desk.amend(series, "abstract", "Plates.")
    assert again["claim"] != first["claim"]
    assert desk.projected(series, RICO("generalDescription")) == ["Plates."]
    (value,) = desk.field(series, "abstract")["values"]
    back = desk.amend(series, "abstract", "Maps.", replaces=value["claim"])
    last = desk.amend(series, "abstract", "Plates.", replaces=back["claim"])
    assert len({first["claim"], again["claim"], last["claim"]}) == 3
    units = {desk.claim(one["claim"]).pointers[0].unit for one in (first, again, last)}
    assert len(units) == 1, "the same words in the same field are the same evidence"
    assert {row.claim for row in desk.app.work.candidates(unit=units.pop())} == {
        first["claim"], again["claim"], last["claim"],
    }  # fmt: skip
    assert desk.whole()


def test_taking_out_keeps_the_last_name_and_teaches_nothing(desk: Desk, series: str) -> None:
    (code,) = desk.field(series, "identifier")["values"]
    made = desk("amend_remove", thing=series, claim=code["claim"], seen=code["seen"], note="wrong")
    assert made["status"] == "rejected"
    assert desk.projected(series, RICO("identifier")) == []
    (name,) = desk.field(series, "namedAs")["values"]
    with pytest.raises(Conflict, match="only name"):
        desk("amend_remove", thing=series, claim=name["claim"])
    desk.amend(series, "title", "Journals")
    desk("amend_remove", thing=series, claim=name["claim"])
    assert desk.projected(series, RICO("title")) == ["Journals"]
    assert desk.values(series, "level") == ["series"], "nothing else was sent back"
    assert lessons.all_lessons(desk.app.ledger.store, desk.app.base) == []
    assert desk.whole()
    desk.undo(made)
    assert desk.projected(series, RICO("identifier")) == ["HO/1"]
    assert desk.whole()


def test_what_does_not_fit_is_refused_and_leaves_no_trace(desk: Desk, series: str) -> None:
    before, files = desk.app.ledger.revision, len(list(desk.app.archive.files.rglob("*")))
    (rank,) = desk.field(series, "rank")["values"]
    (name,) = desk.field(series, "namedAs")["values"]
    for fault, words, given in (
        (BadInput, "no field of the description of a set", {"field": "function", "value": "x"}),
        (BadInput, "There is no field", {"field": "colour", "value": "x"}),
        (BadInput, "nothing written", {"field": "abstract", "value": " \n "}),
        (BadInput, "says this already", {"field": "title", "value": "Pilots' journals"}),
        (BadInput, "what stands there already",
         {"field": "title", "value": " Pilots'  journals", "replaces": name["claim"]}),
        (BadInput, "no value of the field", {"field": "abstract", "value": "x",
                                             "replaces": name["claim"]}),
        (BadInput, "no code of a language", {"field": "abstract", "value": "x", "language": "??"}),
        (BadInput, "holds words", {"field": "abstract", "object": series}),
        (BadInput, "leads to a thing", {"field": "provenance", "value": "x"}),
        (BadInput, "is no date", {"field": "abstract", "value": "x", "edtf": "1890"}),
        (BadInput, "characters", {"field": "abstract", "value": "a\x00b"}),
        (BadInput, "at most", {"field": "abstract", "value": "x" * 20_001}),
        (Conflict, "integer", {"field": "rank", "value": "first", "replaces": rank["claim"]}),
        (Conflict, "rankInSequence", {"field": "rank", "value": "0", "replaces": rank["claim"]}),
        (Conflict, "edtf", {"field": "unitDate", "value": "soon", "edtf": "soon"}),
        (NotFound, "no claim", {"field": "abstract", "value": "x", "replaces": "0" * 24}),
    ):  # fmt: skip
        with pytest.raises(fault, match=words):
            desk("amend", thing=series, **given)
    with pytest.raises(NotFound, match="No description speaks of"):
        desk.amend("set/000000", "abstract", "x")
    with pytest.raises(Denied, match=r"nia \(contributor\) may not edit descriptions"):
        desk("amend", NIA, thing=series, field="abstract", value="x")
    with pytest.raises(Denied):
        desk("amend_remove", NIA, thing=series, claim=rank["claim"])
    assert desk.app.ledger.revision == before
    assert len(list(desk.app.archive.files.rglob("*"))) == files


def test_a_date_is_read_from_its_words_or_told_in_edtf(desk: Desk, series: str) -> None:
    for words, normal, meant in (
        ("um 1890", "", "1890~"),
        ("in the days of the pilots", "", ""),
        ("the old queen's years", "1840-00-00/1861", "1840/1861"),
        ("", "1900?", "1900?"),
    ):
        made = desk.amend(series, "unitDate", words, edtf=normal)
        value = desk.claim(made["claim"]).value
        assert (value.lexical if value.datatype == "edtf" else "") == meant, words
        assert (value.verbatim or value.lexical) == words or not words
    (old,) = (v for v in desk.field(series, "unitDate")["values"] if v["edtf"] == "1840/1861")
    made = desk.amend(series, "unitDate", old["value"], language="de", replaces=old["claim"])
    assert desk.claim(made["claim"]).value.lexical == "1840/1861", "the same words mean the same"
    assert desk.whole()


def test_a_link_leads_to_a_thing_of_the_archive(desk: Desk, series: str) -> None:
    pilot = desk.thing("Vey, Orlande")
    made = desk.amend(series, "subject", object="vey, orlande")
    assert desk.claim(made["claim"]).object.path == pilot
    assert desk.claim(made["claim"]).pointers[0].quote.startswith("Vey, Orland")
    iri = desk.app.base.iri(*pilot.split("/")).value
    assert desk.projected(series, RICO("hasOrHadSubject")) == [iri]
    again = desk.amend(series, "provenance", "the pilot", object=iri)
    assert desk.claim(again["claim"]).pointers[0].quote == "the pilot"
    with pytest.raises(BadInput, match="does not lead to a RecordSet"):
        desk.amend(series, "subject", object=series)
    with pytest.raises(BadInput, match=r"not the name of one thing alone.*organization/"):
        desk.amend(series, "provenance", object="Port Selene")
    with pytest.raises(NotFound, match="No description speaks of"):
        desk.amend(series, "provenance", object="person/000000")
    assert desk.whole()


# ---- others -------------------------------------------------------------------------------------


def test_who_comes_second_is_told_so(desk: Desk, series: str) -> None:
    field = desk.field(series, "namedAs")
    (seen,) = field["values"]
    desk("amend", UGO, thing=series, field="title", value="Logs", replaces=seen["claim"])
    with pytest.raises(Conflict, match=r"superseded now \(amend by ugo"):
        desk.amend(series, "title", "Books", replaces=seen["claim"], seen=seen["seen"])
    with pytest.raises(Conflict, match="changed the field namedAs"):
        desk.amend(series, "title", "Books", seen=field["seen"])
    assert desk.projected(series, RICO("title")) == ["Logs"]


def test_two_persons_are_needed_where_two_are_demanded(desk: Desk, series: str) -> None:
    desk.four_eyes()
    (old,) = desk.field(series, "namedAs")["values"]
    made = desk.amend(series, "title", "Logs of the pilots", replaces=old["claim"])
    assert made["status"] == "quarantined"
    assert desk.projected(series, RICO("title")) == ["Pilots' journals"], "it stands until then"
    assert "Logs of the pilots" not in desk.public_words()
    item = f"claim/{made['claim']}"
    (waiting,) = desk("review_show", item=item)["claims"]
    assert waiting["evidence"][0]["quote"] == "Logs of the pilots"
    assert desk("review_accept", item=item)["waiting"], "who wrote it is one of the two"
    assert "Logs of the pilots" not in desk.public_words()
    accepted = desk("review_accept", UGO, item=item)
    assert desk.projected(series, RICO("title")) == ["Logs of the pilots"]
    assert desk.claim(old["claim"]).status is Status.SUPERSEDED
    assert desk.whole()
    desk.undo(accepted)
    assert desk.projected(series, RICO("title")) == ["Pilots' journals"]
    assert desk.claim(old["claim"]).status is Status.ADMITTED
    assert "Logs of the pilots" not in desk.public_words()
    assert desk.whole()
    desk.undo(made)
    assert desk.values(series, "namedAs") == ["Pilots' journals"]
    assert desk.whole()


def test_a_new_value_that_waits_is_admitted_by_the_second_person(desk: Desk, series: str) -> None:
    desk.four_eyes()
    made = desk.amend(series, "abstract", "Plates of the roads.")
    assert "Plates of the roads." not in desk.public_words()
    record = desk("amend_fields", thing=series)["record"]
    for condition in ("closed", "open"):  # who may read the record is no word on what waits
        desk("access", OWNER, record=record, condition=condition)
        assert "Plates of the roads." not in desk.public_words()
    desk("review_accept", UGO, item=f"claim/{made['claim']}")
    assert desk.projected(series, RICO("generalDescription")) == ["Plates of the roads."]
    assert desk.whole()


def test_what_is_written_of_a_closed_record_is_told_to_nobody(desk: Desk, series: str) -> None:
    record = desk("amend_fields", thing=series)["record"]
    made = desk.amend(series, "abstract", "Written in the open.")
    desk("access", OWNER, record=record, condition="closed")
    assert "Written in the open." not in desk.public_words()
    desk.amend(series, "abstract", "Medical plates.")
    (old,) = desk.field(series, "identifier")["values"]
    desk.amend(series, "identifier", "HO/9", replaces=old["claim"])
    for words in ("Medical plates.", "HO/9", "amendment-"):
        assert words not in desk.public_words()
    assert desk.whole()
    desk.undo(made)
    desk("access", OWNER, record=record, condition="open")
    assert desk.projected(series, RICO("generalDescription")) == ["Medical plates."]
    assert desk.projected(series, RICO("identifier")) == ["HO/9"]
    assert desk.whole()


def test_an_open_description_names_nothing_that_only_closed_ones_know(
    desk: Desk, series: str, tmp_path: Path
) -> None:
    path = tmp_path / "secret.xml"
    text = (FILES / "orlanda.xml").read_text(encoding="utf-8")
    path.write_text(
        text.replace("agent-orlanda", "agent-ilva").replace("Vey, Orlande", "Maro, Ilva"),
        encoding="utf-8",
    )
    given = {"paths": [str(path)], "access": "closed"}
    describing.describe(desk.app, given, OWNER, lambda *_: None)
    hidden = desk.thing("Maro, Ilva")
    with pytest.raises(NotFound, match="that this description may name"):
        desk.amend(series, "subject", object=hidden)
    assert desk.amend(hidden, "note", "A closed note.")["status"] == "admitted"
    assert "A closed note." not in desk.public_words()
    assert desk.whole()


def test_a_newer_finding_aid_does_not_take_amendments_back(
    desk: Desk, series: str, tmp_path: Path
) -> None:
    (old,) = desk.field(series, "namedAs")["values"]
    desk.amend(series, "title", "Logs", replaces=old["claim"])
    desk.amend(series, "abstract", "Plates.")
    path = tmp_path / "harbour.xml"
    text = (FILES / "harbour.xml").read_text(encoding="utf-8")
    for name, changed in (("same", text), ("new", text.replace("12 boxes", "14 boxes"))):
        path.write_text(changed, encoding="utf-8")
        given = {"paths": [str(path)], "update": True}
        report = describing.describe(desk.app, given, OWNER, lambda *_: None)
        assert report["faults"] == [], name
        assert report["files"]["known" if name == "same" else "updated"] == 1
        assert desk.projected(series, RICO("title")) == ["Logs"]
        assert desk.projected(series, RICO("generalDescription")) == ["Plates."]
    assert desk.whole()


def test_a_description_that_waits_is_accepted_passage_by_passage(
    desk: Desk, tmp_path: Path
) -> None:
    """Prose stands in passages of its own, which do not name the thing."""
    path = tmp_path / "waiting.xml"
    text = (FILES / "harbour.xml").read_text(encoding="utf-8")
    path.write_text(text.replace("harbour-office", "other-office"), encoding="utf-8")
    given = {"paths": [str(path)], "profile": "description-review"}
    describing.describe(desk.app, given, OWNER, lambda *_: None)
    waiting = desk("review_list", statement="description/biographyOrHistory")["items"]
    prose = waiting[0]["item"]
    with pytest.raises(Conflict, match="not an admitted mention"):
        desk("review_accept", item=prose)
    subject = desk.claim(prose.partition("/")[2]).subject
    title = next(
        v for v in desk.field(subject.path, "namedAs")["values"] if v["status"] == "quarantined"
    )
    desk("review_accept", item=f"claim/{title['claim']}")
    assert desk("review_accept", item=prose)["decision"]["kind"] == "accept"
    assert desk.whole()


def test_the_words_of_an_amendment_can_be_withdrawn_alone(desk: Desk, series: str) -> None:
    made = desk.amend(series, "abstract", "Written by mistake.")
    unit = desk.app.desk.unit(desk.claim(made["claim"]))
    desk.undo(made)
    assert "Written by mistake." in desk.public_words()
    desk("source_withdraw", record=unit.record, file=unit.source)
    assert "Written by mistake." not in desk.public_words()
    with pytest.raises(Conflict, match="were withdrawn"):
        desk.amend(series, "abstract", "Written by mistake.")
    assert desk.amend(series, "abstract", "Written again.")["status"] == "admitted"
    assert desk.whole()


def test_what_is_erased_by_law_takes_its_amendments_along(described: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(described, tmp_path / "A"))
    with composition.writing(copy, "test") as app:
        desk = Desk(app)
        series = desk.thing("Pilots' journals")
        record = desk("amend_fields", thing=series)["record"]
        desk.amend(series, "abstract", "Zephyrine was ill.")

    def holding() -> list[Path]:
        files = (path for path in copy.rglob("*") if path.is_file())
        return [path for path in files if b"Zephyrine" in path.read_bytes()]

    assert holding() != []
    assert operations.erase(copy, {"record": record, "reason": "by order"})["done"]
    assert holding() == []
    assert "all laws hold" in command("check", "--archive", copy).stdout


# ---- two that are one ---------------------------------------------------------------------------

NAMED_ONLY = """<ead><eadheader><eadid>roads</eadid></eadheader><archdesc level="fonds"><did>
<unitid>RO</unitid><unittitle>Papers of the roads</unittitle>
<origination><persname>Vey, Orlanda</persname></origination>
<origination><corpname authfilenumber="agent-roads">Office of the roads</corpname></origination>
</did><controlaccess><geogname>Port Selene</geogname></controlaccess></archdesc></ead>"""
OFFICE = """<eac-cpf xmlns="urn:isbn:1-931666-33-4"><control><recordId>{key}</recordId></control>
<cpfDescription><identity><entityType>corporateBody</entityType>
<nameEntry><part>{name}</part></nameEntry></identity><description>{more}</description>
</cpfDescription></eac-cpf>"""
DONE = "<functions><function><term>{}</term></function></functions>"
WHERE = "<places><place><placeEntry>{}</placeEntry></place></places>"


def both(desk: Desk, folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    describing.describe(desk.app, {"paths": [str(folder)]}, OWNER, lambda *_: None)


def test_a_merge_keeps_roles_and_links_of_both_and_undo_parts_them(
    desk: Desk, tmp_path: Path
) -> None:
    both(desk, tmp_path, {"roads.xml": NAMED_ONLY})
    papers, pilot = desk.thing("Papers of the roads"), desk.thing("Vey, Orlande")
    base, about = desk.app.base, RICO("hasOrganicProvenance")
    made_by = [one.removeprefix(base.base + "/id/") for one in desk.projected(papers, about)]
    (named,) = (one for one in made_by if one.startswith("person/"))
    assert named != pilot
    before = all_public(desk)
    merged = desk("review_merge", one=pilot, other=named)
    iri = base.iri(*pilot.split("/"))
    head = merged["decision"]["things"][0]
    assert head == pilot, "the better known stands for both"
    assert iri.value in desk.projected(papers, about)
    assert desk.projected(pilot, RICO("hasOrHadOccupationOfType")) != []
    assert desk.projected(pilot, RICO("isAgentAssociatedWithAgent")) != []
    inverse = desk.app.ledger.store.match(None, about, iri, base.public)
    assert [str(q.subject)[1:-1] for q in inverse] == [base.iri(*papers.split("/")).value]
    assert desk.whole()
    desk.amend(named, "biographyOrHistory", "She drew the roads.")
    assert "She drew the roads." in desk.values(pilot, "biographyOrHistory")
    assert desk.whole()
    desk.undo(merged)
    after = all_public(desk) - amended(desk)
    assert {t for t in before if t not in after} == set()
    assert desk.whole()


def all_public(desk: Desk) -> set[str]:
    """Return what the public reads of things."""
    found = desk.app.ledger.store.match(None, None, None, desk.app.base.public)
    return {str(q) for q in found if "/id/claim/" not in str(q.subject)}


def amended(desk: Desk) -> set[str]:
    return {one for one in all_public(desk) if "She drew the roads." in one}


def test_two_offices_and_two_places_that_are_merged(desk: Desk, tmp_path: Path) -> None:
    one = OFFICE.format(key="agent-roads", name="Office of the roads",
                        more=DONE.format("Mending") + WHERE.format("Port Selene"))  # fmt: skip
    two = OFFICE.format(key="agent-ways", name="Office of the ways",
                        more=DONE.format("Paving") + WHERE.format("Upper Selene"))  # fmt: skip
    both(desk, tmp_path, {"roads.xml": NAMED_ONLY, "one.xml": one, "two.xml": two})
    roads, ways = desk.thing("Office of the roads"), desk.thing("Office of the ways")
    performs, located = RICO("performsOrPerformed"), RICO("hasOrHadLocation")
    first = {p: desk.projected(roads, p) for p in (performs, located)}
    other = {p: desk.projected(ways, p) for p in (performs, located)}
    assert all(len(found) == 1 for found in (*first.values(), *other.values()))
    merged = desk("review_merge", one=ways, other=roads)
    head, tail = merged["decision"]["things"]
    for p in (performs, located):
        assert desk.projected(head, p) == sorted({*first[p], *other[p]})
        assert desk.projected(tail, p) == []
    papers = desk.thing("Papers of the roads")
    iri = desk.app.base.iri(*head.split("/")).value
    assert iri in desk.projected(papers, RICO("hasOrganicProvenance"))
    split = desk.app.base.split
    places = ["/".join(split(found[located][0]) or ()) for found in (first, other)]
    joined = desk("review_merge", one=places[0], other=places[1])
    at = desk.app.base.iri(*joined["decision"]["things"][0].split("/")).value
    assert desk.projected(head, located) == [at]
    assert desk.whole()
    desk.undo(joined)
    assert desk.projected(head, located) == sorted({*first[located], *other[located]})
    desk.undo(merged)
    for p in (performs, located):
        assert (desk.projected(roads, p), desk.projected(ways, p)) == (first[p], other[p])
    assert desk.whole()


# ---- on the command line ------------------------------------------------------------------------


def test_the_command_line_lists_writes_takes_out_and_undoes(
    described: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(described, tmp_path / "A"))
    with composition.writing(copy, "test") as app:
        thing = Desk(app).thing("Pilots' journals")
    run: Callable[..., Any] = lambda *given, **more: command(  # noqa: E731
        *given, "--archive", copy, **more
    )
    shown = run("amend", thing, "--fields").stdout
    assert "Pilots' journals" in shown
    assert "scopeAndContent" in shown.partition("Empty: ")[2]
    done = run("amend", thing, "--field", "scopeAndContent", "--value", "-", "--language", "ger",
               "--note", "from the shelf", given=WORDS).stdout  # fmt: skip
    assert "is admitted" in done
    listed = run("amend", thing, "--fields").stdout
    assert "Two hands. In <pencil> & ink.  [de, amended]" in listed
    key = next(line.split()[0] for line in listed.splitlines() if "Two hands" in line)
    undo = done.rstrip().rpartition(" ")[2]
    assert "undo by owner" in run("review", "undo", undo).stdout
    assert "Two hands" not in run("amend", thing, "--fields").stdout
    assert "amend " in run("review", "decisions").stdout
    gone = run("amend", thing, "--remove", key, check=False)
    assert (gone.returncode, "stands no more" in gone.stderr) == (6, True)
    for wrong in ((), ("--fields", "--remove", key)):
        assert run("amend", thing, *wrong, check=False).returncode == 2
    assert "all laws hold" in run("check").stdout


def test_what_comes_back_after_a_change_of_access_has_its_words(desk: Desk, series: str) -> None:
    record = desk("amend_fields", thing=series)["record"]
    made = desk.amend(series, "abstract", "First words.")
    other = desk.amend(series, "abstract", "Second words.", replaces=made["claim"])
    taken = desk("amend_remove", thing=series, claim=other["claim"])
    for condition in ("closed", "open"):
        desk("access", OWNER, record=record, condition=condition)
    assert desk.whole()
    back = desk.undo(taken)
    assert desk.projected(series, RICO("generalDescription")) == ["Second words."]
    assert desk.whole()
    desk.undo(other)
    assert desk.projected(series, RICO("generalDescription")) == ["First words."]
    assert back["decision"]["kind"] == "undo"
    assert desk.whole()


def test_an_embargo_of_a_description_holds_its_amendments(desk: Desk, series: str) -> None:
    record = desk("amend_fields", thing=series)["record"]
    desk("access", OWNER, record=record, condition="embargo", until="2999-01-01")
    desk.amend(series, "abstract", "Kept back.")
    access = decoding.access_of_record(desk.app.ledger.store, desk.app.base, record)
    assert access == Access("embargo", access.until)
    assert not conditions.lapse(desk.app.ledger, desk.app.mapping, OWNER)
    assert "Kept back." not in desk.public_words()
    assert desk.whole()
