"""The views of a thing as a reader gets them: what they say, whose they are, what they refuse."""

from __future__ import annotations

import csv
import io

import pytest
from flask.testing import FlaskClient

from rdfkms.admission.shapes import ShapesGate
from rdfkms.knowledge import mapping
from rdfkms.ledger import tokens
from rdfkms.model import Role
from rdfkms.review import identities
from rdfkms.review.decisions import Desk
from tests.tools.small_archive import OWNER, Small

VIEWS = ("mentions", "mentions.csv", "network", "timeline", "map", "history")


def test_all_mentions_stand_in_their_context(client: FlaskClient, small: Small) -> None:
    html = client.get(f"/page/{small.person.path}/mentions").text
    assert "3 mentions, 2 records." in html
    assert html.count("<mark>Andrés Vidal Soler</mark>") == 2
    assert html.index("<mark>Vidal Soler, Andrés</mark>") > 0
    page = client.get(f"/page/{small.person.path}").text
    assert "all 3 mentions in context" in page


def test_the_table_of_mentions_is_read_back_to_the_letter(
    client: FlaskClient, small: Small
) -> None:
    answer = client.get(f"/page/{small.person.path}/mentions.csv")
    assert answer.mimetype == "text/csv"
    rows = list(csv.DictReader(io.StringIO(answer.get_data(as_text=True), newline="")))
    assert len(rows) == 3
    for row in rows:
        assert row["quote"] in ("Andrés Vidal Soler", "Vidal Soler, Andrés")
        assert int(row["end"]) - int(row["start"]) == len(row["quote"])
        assert "/id/claim/" in row["claim"] and "/id/evidence/" in row["passage"]


def test_a_cell_that_a_spreadsheet_would_compute_is_marked() -> None:
    from rdfkms.web.blueprints.around import _line

    assert _line(("=1+1", "-2", "@x", "+3", "a=b")) == "'=1+1,'-2,'@x,'+3,a=b\r\n"


def test_network_timeline_and_map_lead_to_their_quotes(client: FlaskClient, small: Small) -> None:
    network = client.get(f"/page/{small.person.path}/network").text
    assert f'href="#tie-{small.event.key}"' in network and f'id="tie-{small.event.key}"' in network
    assert "<mark>el procesado Andrés Vidal Soler</mark>" in network
    timeline = client.get(f"/page/{small.person.path}/timeline").text
    assert "<time>1939-03-12</time>" in timeline and 'href="#date-1"' in timeline
    assert "<mark>juzgado en consejo de guerra el 12 de marzo de 1939</mark>" in timeline
    places = client.get(f"/page/{small.person.path}/map").text
    assert f'id="spot-{small.place.key}"' in places
    assert "The sources give no coordinates." in places


def test_the_history_tells_roles_and_to_staff_who(client: FlaskClient, small: Small) -> None:
    path = f"/page/{small.person.path}/history"
    owner = OWNER.id
    html = client.get(path).text
    assert "administrator" in html and owner not in html
    token = tokens.add(small.work, "ines", Role.REVIEWER)
    assert owner in client.get(path, headers={"Authorization": f"Bearer {token}"}).text


def test_the_history_does_not_tell_of_decisions_about_what_is_closed(
    client: FlaskClient, small: Small
) -> None:
    desk = Desk(small.ledger, small.work, mapping.load(), ShapesGate())
    path = f"/page/{small.person.path}/history"
    before = client.get(path).text.count("<tr>")
    identities.differ(desk, small.person, small.hidden, OWNER)
    assert client.get(path).text.count("<tr>") == before
    token = tokens.add(small.work, "uma", Role.REVIEWER)
    staff = client.get(path, headers={"Authorization": f"Bearer {token}"}).text
    assert staff.count("<tr>") == before + 1


@pytest.mark.parametrize("view", VIEWS)
def test_what_is_closed_has_no_views(client: FlaskClient, small: Small, view: str) -> None:
    answer = client.get(f"/page/{small.hidden.path}/{view}")
    assert answer.status_code == 404
    for path in (small.place.path, small.person.path, small.event.path):
        assert "Oculto" not in client.get(f"/page/{path}/{view}").text


@pytest.mark.parametrize("view", VIEWS)
def test_hostile_names_are_text(client: FlaskClient, small: Small, view: str) -> None:
    answer = client.get(f"/page/{small.hostile.path}/{view}")
    assert answer.status_code == 200
    if view != "mentions.csv":
        assert "<script>" not in answer.text and "onerror=" not in answer.text.replace(
            "onerror=alert", "onerror=" if "<img" in answer.text else ""
        )


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    "key", ["x" * 3000, "a%00b", "..%2f..%2fetc", "%F0%9F%92%A3", "a%20b%3Cscript%3E", "%22%3E"]
)
def test_hostile_addresses_are_not_found(client: FlaskClient, view: str, key: str) -> None:
    assert client.get(f"/page/person/{key}/{view}").status_code in (400, 404)


def test_a_lost_address_suggests_what_was_meant(client: FlaskClient, small: Small) -> None:
    html = client.get("/page/person/andres-vidal").text
    assert "Did you look for one of these?" in html and f"/page/{small.person.path}" in html
    assert "Did you look" not in client.get("/page/person/zzzzzz").text
    answer = client.get("/page/person/andres-vidal", headers={"Accept": "application/json"})
    assert (
        answer.status_code == 404 and answer.json is not None and "suggestions" not in answer.json
    )


def test_a_record_tells_its_place_among_others_and_what_it_names(
    client: FlaskClient, small: Small
) -> None:
    html = client.get(f"/page/record/{small.record}").text
    assert "Named here" in html and f"/page/{small.person.path}" in html
    assert "Oculto" not in html
