"""What stands around a thing: network, timeline, map, mentions, rights; drawings that are exact."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from rdfkms.backends.oxigraph import OxigraphStore
from rdfkms.errors import BadInput
from rdfkms.knowledge import authorityfile, mapping
from rdfkms.ledger.archive import Archive
from rdfkms.model import Principal, Ref, Role
from rdfkms.publish import entities, themes
from rdfkms.publish.around import atlas, mentions, network, rights, timeline
from rdfkms.publish.around.atlas import Position
from rdfkms.publish.around.land import land
from rdfkms.publish.views import Scope, scope_of
from rdfkms.settings import Settings
from rdfkms.vocab import KMS, KV, RICO, XSD
from tests.tools.claims import BASE, claim, passage

EDTF = NamedNode("http://id.loc.gov/datatypes/edtf/EDTF")
READER = Principal("anonymous", Role.READER)
ENTRY = "https://sws.geonames.org/42/"


class Small:
    """Collects quads: claims that all quote one passage."""

    def __init__(self) -> None:
        use = Literal("CC BY 4.0")
        record = BASE.iri("record", "r1")
        self.quads = [*passage(), Quad(record, RICO("conditionsOfUse"), use, BASE.public)]

    def claim(self, key: str, subject: str, statement: str, **more: Any) -> None:
        more.setdefault("statementType", KV(statement))
        self.quads += claim(key, subject, KMS(statement), **more)

    def named(self, thing: str, name: str) -> None:
        self.claim(f"n-{thing}", thing, "namedAs", claimValue=Literal(name, language="es"))

    def joined(self, key: str, one: str, statement: str, other: str, **more: Any) -> None:
        self.claim(key, one, statement, claimObject=NamedNode(f"{BASE.base}/id/{other}"), **more)

    def scope(self, who: Principal = READER) -> Scope:
        store = OxigraphStore()
        store.patch((), self.quads)
        return scope_of(store, BASE, mapping.load(), who)


@pytest.fixture
def small() -> Small:
    """Return Ana, her brother, her trial with its judge and place; a secret claim beside."""
    made = Small()
    for thing, name in (
        ("person/ana", "Ana Roca"), ("person/luis", "Luis Roca"), ("person/judge", "Juan Gil"),
        ("place/arroyo", "Arroyo"), ("place/monte", "Monte"), ("event/e1", "juzgada"),
    ):  # fmt: skip
        made.named(thing, name)
    made.joined("k1", "person/ana", "kinshipSibling", "person/luis")
    made.joined("k2", "event/e1", "accused", "person/ana")
    made.joined("k3", "event/e1", "judge", "person/judge")
    made.joined("k4", "event/e1", "location", "place/arroyo")
    made.joined("k5", "person/ana", "birthplace", "place/monte")
    made.claim("d1", "event/e1", "time", claimValue=Literal("1939-03-12", datatype=EDTF))
    made.claim("d2", "person/ana", "birthDate", claimValue=Literal("190X", datatype=EDTF))
    made.joined("x1", "person/ana", "kinshipSpouse", "person/secret", public=False)
    made.joined("x2", "person/ana", "kinshipSpouse", "person/judge", rank=KMS("deprecated"))
    made.joined("x3", "person/ana", "kinshipChild", "person/judge", status=KMS("quarantined"))
    return made


# ---- network -------------------------------------------------------------------------------------


def test_the_network_joins_neighbours_and_those_met_in_events(small: Small) -> None:
    drawn = network.network(small.scope(), Ref("person", "ana"))
    at = {node.link.key: node.column for node in drawn.nodes}
    assert at == {"ana": 0, "luis": 1, "monte": 1, "e1": 1, "judge": 2, "arroyo": 2}
    assert {(e.source, e.target) for e in drawn.edges} == {
        ("ana", "luis"), ("ana", "monte"), ("ana", "e1"), ("e1", "judge"), ("e1", "arroyo")
    }  # fmt: skip
    assert {n.link.key: n.words for n in drawn.nodes}["judge"] == "judge"
    assert {t.link.key: [s.claim.key for s in t.said] for t in drawn.ties} == {
        "luis": ["k1"], "monte": ["k5"], "e1": ["k2"]
    }  # fmt: skip
    assert all(s.evidences for tie in drawn.ties for s in tie.said)


def test_nothing_in_the_network_overlaps_and_all_of_it_is_on_the_sheet(small: Small) -> None:
    for n in range(70):
        small.joined(f"h{n}", "person/ana", "kinshipChild", f"person/c{n:02}")
    drawn = network.network(small.scope(), Ref("person", "ana"))
    assert drawn.left_out == 73 - network.NEAR
    places = [(node.x, node.y) for node in drawn.nodes]
    assert len(set(places)) == len(places)
    for column in (0, 1, 2):
        heights = sorted(node.y for node in drawn.nodes if node.column == column)
        gaps = (b - a for a, b in itertools.pairwise(heights))
        assert all(gap >= network.ROW for gap in gaps)
    assert all(0 <= n.x <= drawn.width - network.WIDTH and 0 <= n.y < drawn.height
               for n in drawn.nodes)  # fmt: skip


def test_the_network_of_what_stands_alone_is_empty(small: Small) -> None:
    small.named("person/alone", "Sola")
    assert network.network(small.scope(), Ref("person", "alone")).ties == ()


def test_a_merged_neighbour_stands_under_what_it_became(small: Small) -> None:
    merged = Quad(BASE.iri("person", "luis"), KMS("mergedInto"), BASE.iri("person", "judge"),
                  BASE.public)  # fmt: skip
    small.quads.append(merged)
    drawn = network.network(small.scope(), Ref("person", "ana"))
    assert {t.link.key for t in drawn.ties} == {"judge", "monte", "e1"}


# ---- timeline ------------------------------------------------------------------------------------


def test_the_timeline_takes_dates_of_the_thing_and_of_its_events(small: Small) -> None:
    small.claim("d3", "person/ana", "deathDate", claimValue=Literal("unknown", datatype=EDTF))
    drawn = timeline.timeline(small.scope(), Ref("person", "ana"))
    assert [(e.date, e.said.claim.key) for e in drawn.entries] == [
        ("190X", "d2"), ("1939-03-12", "d1")
    ]  # fmt: skip
    assert drawn.unplaced == 1
    first, second = drawn.entries
    assert first.x + first.width <= second.x and first.y < second.y
    assert [t.year for t in drawn.ticks] == [1900, 1905, 1910, 1915, 1920, 1925, 1930, 1935, 1940]
    by_year = {t.year: t.x for t in drawn.ticks}
    assert first.x == by_year[1900] and abs(first.x + first.width - by_year[1910]) < 1
    assert by_year[1935] < second.x < by_year[1940]


@pytest.mark.parametrize(
    "dates",
    [("1939",), ("-0210", "0005"), ("1936/..", "1939"), ("../1936",), ("Y-12000",)],
)
def test_any_date_is_drawn_within_the_sheet(dates: tuple[str, ...]) -> None:
    made = Small()
    for n, date in enumerate(dates):
        made.claim(f"d{n}", "person/a", "birthDate", claimValue=Literal(date, datatype=EDTF))
    drawn = timeline.timeline(made.scope(), Ref("person", "a"))
    assert len(drawn.entries) + drawn.unplaced == len(dates)
    for entry in drawn.entries:
        assert entry.x >= 0 and entry.x + entry.width <= drawn.width


# ---- map -----------------------------------------------------------------------------------------


def test_a_place_stands_on_the_map_where_a_reviewer_found_it_in_an_authority(small: Small) -> None:
    small.claim("a1", "place/monte", "sameAsAuthority",
                claimValue=Literal(ENTRY, datatype=XSD("anyURI")))  # fmt: skip
    known = {ENTRY: Position(43.4, -3.8, "GeoNames", ENTRY)}
    drawn = atlas.atlas(small.scope(), Ref("person", "ana"), known)
    (spot,) = drawn.spots
    assert (spot.link.text, spot.said[0].claim.key) == ("Monte", "k5")
    assert (round(spot.x), round(spot.y)) == (380, 236), "the middle"
    assert [(s.link.text, s.said[0].claim.key) for s in drawn.without] == [("Arroyo", "k4")]
    unlinked = atlas.atlas(small.scope(), Ref("person", "ana"), {})
    assert unlinked.spots == () and len(unlinked.without) == 2


def test_a_link_that_waits_for_review_gives_no_position(small: Small) -> None:
    small.claim("a1", "place/monte", "sameAsAuthority", public=False, status=KMS("quarantined"),
                claimValue=Literal(ENTRY, datatype=XSD("anyURI")))  # fmt: skip
    known = {ENTRY: Position(43.4, -3.8, "GeoNames", ENTRY)}
    staff = Principal("ines", Role.REVIEWER)
    assert atlas.atlas(small.scope(staff), Ref("place", "monte"), known).spots == ()


def test_positions_are_read_from_the_archives_authority_files(tmp_path: Path) -> None:
    archive = Archive.create(tmp_path / "a", Settings(title="T"))
    toml = archive.root / "archive.toml"
    toml.write_text(toml.read_text("utf-8") + '\n[authorities.geonames]\nfile = "places.csv"\n')
    (archive.root / "places.csv").write_text(
        "id,label,latitude,longitude\n42,Monte,43.4,-3.8\n43,Arroyo,,\n", encoding="utf-8"
    )
    opened = Archive.open(archive.root)
    assert atlas.positions(opened) == {ENTRY: Position(43.4, -3.8, "GeoNames", ENTRY)}
    (archive.root / "places.csv").write_text("id,label,latitude,longitude\n42,M,91,0\n")
    assert atlas.positions(opened) == {}
    with pytest.raises(BadInput, match=r"places\.csv:2: there is no such place"):
        authorityfile.positions(archive.root / "places.csv")


def test_land_is_cut_to_its_window() -> None:
    window = (-10.0, 35.0, 5.0, 44.0)
    found = land(window)
    if not found:
        pytest.skip("no front-end bundle: npm ci && npm run build in web/")
    for ring in found:
        assert all(-10.0 <= x <= 5.0 and 35.0 <= y <= 44.0 for x, y in ring)
    assert land((-40.0, 20.0, -35.0, 25.0)) == [], "the open Atlantic"


# ---- mentions, rights, themes --------------------------------------------------------------------


def test_mentions_come_page_by_page_each_once_in_the_order_of_the_text() -> None:
    made = Small()
    for n in range(120):
        made.claim(f"m{n:03}", "place/p", "namedAs", claimValue=Literal("Arroyo"))
    scope = made.scope()
    first = mentions.mentions(scope, Ref("place", "p"))
    assert (first.total, first.records, len(first.shown)) == (120, 1, mentions.PAGE)
    found = [m.evidence.claim for m in mentions.every(scope, Ref("place", "p"))]
    assert found == [f"m{n:03}" for n in range(120)]


def test_the_page_tells_the_rights_of_the_records_it_rests_on(small: Small) -> None:
    view = entities.entity(small.scope(), Ref("person", "ana"))
    (source,) = view.sources
    assert (source.record.text, source.access, source.use) == ("Acta", "open", "CC BY 4.0")
    assert source.quotes == view.evidences
    assert rights.sources(small.scope(), ()) == ()


def test_statements_stand_under_themes_in_their_order(small: Small) -> None:
    view = entities.entity(small.scope(), Ref("person", "ana"))
    assert [t.name for t in view.themes] == ["life", "family"]
    assert [g.label for g in view.themes[0].groups] == ["born in", "date of birth"]


def test_every_statement_of_the_table_has_a_theme() -> None:
    table = mapping.load()
    placed = {name: themes.theme(table, rule.concept) for name, rule in table.statements.items()}
    left = {name for name, theme in placed.items() if theme == themes.OTHER}
    assert left == {"namedAs", "triggeredBy"}


# ---- odd dates and places ------------------------------------------------------------------------


def test_a_season_lies_in_its_months_and_a_day_of_xsd_counts() -> None:
    made = Small()
    made.claim("s", "event/e", "time", claimValue=Literal("1939-21", datatype=EDTF))
    made.claim("d", "event/e", "time", claimValue=Literal("1939-12-31", datatype=XSD("date")))
    made.claim("y", "event/e", "time", claimValue=Literal("1939", datatype=EDTF))
    drawn = timeline.timeline(made.scope(), Ref("event", "e"))
    by_date = {e.date: e for e in drawn.entries}
    year, spring = by_date["1939"], by_date["1939-21"]
    assert len(by_date) == 3 and drawn.unplaced == 0
    share = (spring.x - year.x) / year.width, (spring.x + spring.width - year.x) / year.width
    assert abs(share[0] - 2 / 12) < 0.02 and abs(share[1] - 5 / 12) < 0.02


def test_a_dated_relation_stands_on_the_timeline_of_both_ends() -> None:
    made = Small()
    date = Literal("1930", datatype=EDTF)
    made.joined("k", "person/a", "kinshipSpouse", "person/b", claimTime=date)
    for key in ("a", "b"):
        drawn = timeline.timeline(made.scope(), Ref("person", key))
        assert [entry.said.claim.key for entry in drawn.entries] == ["k"]


def test_places_on_both_sides_of_the_date_line_and_at_the_pole_are_on_the_sheet() -> None:
    made = Small()
    known = {}
    for n, (latitude, longitude) in enumerate(((-17.0, 178.0), (-14.0, -178.0), (89.9, 179.0))):
        made.named(f"place/p{n}", f"P{n}")
        made.joined(f"k{n}", "person/a", "birthplace", f"place/p{n}")
        made.claim(f"a{n}", f"place/p{n}", "sameAsAuthority", claimValue=Literal(f"x:{n}"))
        known[f"x:{n}"] = Position(latitude, longitude, "T", f"x:{n}")
    drawn = atlas.atlas(made.scope(), Ref("person", "a"), known)
    assert len(drawn.spots) == 3
    assert all(0 <= s.x <= drawn.width and 0 <= s.y <= drawn.height for s in drawn.spots)


def test_a_place_of_a_claim_is_joined_to_its_subject_from_both_sides(small: Small) -> None:
    small.joined("q", "person/luis", "kinshipSibling", "person/ana",
                 claimPlace=BASE.iri("place", "arroyo"))  # fmt: skip
    drawn = network.network(small.scope(), Ref("place", "arroyo"))
    assert "luis" in {node.link.key for node in drawn.nodes}


def test_a_disowned_name_says_so_among_the_mentions(small: Small) -> None:
    small.claim("n2", "person/ana", "namedAs", rank=KMS("deprecated"),
                claimValue=Literal("Ana Roca"))  # fmt: skip
    found = mentions.mentions(small.scope(), Ref("person", "ana"))
    assert sorted(one.rank for one in found.shown) == ["deprecated", "normal"]


def test_what_was_merged_is_mentioned_with_what_it_became(small: Small) -> None:
    small.quads.append(Quad(BASE.iri("person", "luis"), KMS("mergedInto"),
                            BASE.iri("person", "ana"), BASE.public))  # fmt: skip
    found = mentions.every(small.scope(), Ref("person", "ana"))
    assert {one.evidence.claim for one in found} == {"n-person/ana", "n-person/luis"}


def test_positions_of_a_lost_file_are_none(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        authorityfile.positions(tmp_path / "lost.jsonl")


def test_what_is_read_only_in_part_says_so() -> None:
    made = Small()
    date = Literal("1930", datatype=EDTF)
    for n in range(1_001):
        made.joined(f"k{n:04}", "person/a", "kinshipSibling", f"person/b{n}", claimTime=date)
    scope, ref = made.scope(), Ref("person", "a")
    assert network.network(scope, ref).cut
    assert timeline.timeline(scope, ref).cut and timeline.timeline(scope, ref).left_out == 800
    assert atlas.atlas(scope, ref, {}).cut
    few = Small()
    few.joined("k", "person/a", "kinshipSibling", "person/b", claimTime=date)
    assert not network.network(few.scope(), ref).cut
    assert not timeline.timeline(few.scope(), ref).cut
