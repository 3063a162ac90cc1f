"""Editing descriptions on a served archive: the API of programs, and the form without a browser."""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import NamedNode, RdfFormat, parse

from rdfkms.app import composition, operations
from rdfkms.ledger import tokens
from rdfkms.model import Role
from rdfkms.vocab import RICO
from tests.tools.service import Service, serving
from tests.tools.small_run import command

FILES = Path(__file__).parent.parent / "golden" / "describing"
PREFIX = "PREFIX rico: <https://www.ica.org/standards/RiC/ontology#>\n"
SERIES = "SELECT ?s WHERE { ?s rico:identifier ?i FILTER(STR(?i) = 'HO/1') }"


@dataclass(frozen=True)
class Served:
    """A served archive, tokens of those who work there, and a series that is described."""

    service: Service
    eva: str
    nia: str
    series: str

    def ask(
        self, path: str, token: str, body: dict[str, Any] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Send a request of a program, and return status and JSON."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(f"{self.service.address}/api/v1{path}", data, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as err:
            with err:
                return err.code, json.loads(err.read())

    def rows(self, query: str) -> list[dict[str, str]]:
        """Return what the public endpoint answers."""
        _, text = self.service.sparql(PREFIX + query)
        found = json.loads(text)["results"]["bindings"]
        return [{name: cell["value"] for name, cell in row.items()} for row in found]

    def texts(self, name: str) -> set[str]:
        """Return what anyone reads of a property of the series now."""
        _, text = self.service.get(f"/data/{self.series}.nt", "application/n-triples")
        about = self.iri
        return {
            getattr(quad.object, "value", "")
            for quad in parse(text.encode(), format=RdfFormat.N_TRIPLES)
            if (quad.subject, quad.predicate) == (about, RICO(name))
        }

    @property
    def iri(self) -> NamedNode:
        """The IRI of the series."""
        return NamedNode(f"http://localhost:8080/id/{self.series}")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    root = tmp_path_factory.mktemp("served") / "A"
    operations.perform(root, "describe", {"paths": [str(FILES)]})
    with composition.writing(root, "tokens") as app:
        eva = tokens.add(app.work, "eva", Role.REVIEWER)
        nia = tokens.add(app.work, "nia", Role.CONTRIBUTOR)
    with serving(root) as service:
        found = Served(service, eva, nia, "")
        (row,) = found.rows(SERIES)
        yield Served(service, eva, nia, "/".join(row["s"].split("/")[-2:]))


def test_a_program_reads_fields_writes_and_takes_out(served: Served) -> None:
    path = f"/descriptions/{served.series}"
    assert served.ask(path, "")[0] == 401
    status, told = served.ask(path, served.nia)
    assert (status, told["thing"]) == (200, served.series)
    field = next(f for f in told["fields"] if f["field"] == "description/scopeAndContent")
    body = {"field": "scopeAndContent", "value": "Two hands.", "seen": field["seen"]}
    assert served.ask(f"{path}/amendments", served.nia, body)[0] == 403
    status, made = served.ask(f"{path}/amendments", served.eva, body)
    assert (status, made["status"], made["decision"]["by"]) == (200, "admitted", "eva")
    assert served.texts("scopeAndContent") == {"Two hands."}
    status, fault = served.ask(f"{path}/amendments", served.eva, {**body, "value": "Three."})
    assert (status, "meanwhile" in fault["error"]) == (409, True)
    for wrong in ({"field": "abstract", "colour": "x"}, {"value": "x"}, {"field": "colour"}):
        assert served.ask(f"{path}/amendments", served.eva, wrong)[0] == 400
    assert served.ask("/descriptions/set/000000", served.eva)[0] == 404
    gone = {"claim": made["claim"], "note": "three after all"}
    assert served.ask(f"{path}/removals", served.nia, gone)[0] == 403
    status, taken = served.ask(f"{path}/removals", served.eva, gone)
    assert (status, taken["status"]) == (200, "rejected")
    assert served.texts("scopeAndContent") == set()
    back = f"/review/decisions/{taken['decision']['decision']}/undo"
    assert served.ask(back, served.eva, {})[0] == 200
    assert served.texts("scopeAndContent") == {"Two hands."}


def test_the_description_of_the_api_tells_of_it(served: Served) -> None:
    _, told = served.ask("/openapi.json", "")
    path = "/api/v1/descriptions/{kind}/{key}"
    assert set(told["paths"][path]) == {"get"}
    for act, model in (("amendments", "Amendment"), ("removals", "Removal")):
        body = told["paths"][f"{path}/{act}"]["post"]["requestBody"]
        assert body["content"]["application/json"]["schema"]["$ref"].endswith(f"/{model}")


def test_the_command_goes_to_the_service(served: Served) -> None:
    done = command(
        "amend", served.series, "--field", "note", "--value", "Sent over.",
        "--archive", served.service.archive,
    )  # fmt: skip
    assert "is admitted" in done.stdout
    assert "Sent over." in served.texts("generalDescription")


# ---- the form -----------------------------------------------------------------------------------


class Browser:
    """Somebody who signed in, with cookies and forms and nothing else."""

    def __init__(self, served: Served, token: str) -> None:
        self.address = served.service.address
        self.page = f"/page/{served.series}/describe"
        handler = urllib.request.HTTPCookieProcessor(CookieJar())
        self.opener = urllib.request.build_opener(handler)
        self.send("/review/sign-in", {"token": token})

    def send(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str, str]:
        """Send a form or follow a link; returns status, address and page."""
        data = None if form is None else urllib.parse.urlencode(form).encode()
        try:
            with self.opener.open(self.address + path, data, timeout=60) as answer:
                return answer.status, answer.geturl(), answer.read().decode()
        except urllib.error.HTTPError as err:
            with err:
                return err.code, err.geturl(), err.read().decode()

    def write(self, text: str, field: str, **given: str) -> tuple[int, str, str]:
        """Fill in the form that adds to a field of a page, or replaces a claim."""
        word = re.search(r'name="word" value="(\w+)"', text)
        assert word is not None
        form = {"word": word[1], "field": field, "act": "write", **given}
        return self.send(self.page, form)


def test_the_form_is_for_reviewers(served: Served) -> None:
    page = f"/page/{served.series}"
    assert served.service.get(f"{page}/describe")[0] == 403
    assert Browser(served, served.nia).send(f"{page}/describe")[0] == 403
    link = f'href="{page}/describe"'
    assert link not in served.service.get(page)[1]
    assert link not in Browser(served, served.nia).send(page)[2]
    assert link in Browser(served, served.eva).send(page)[2]
    assert Browser(served, served.eva).send("/page/set/000000/describe")[0] == 404


def test_a_form_writes_refuses_with_the_words_and_undoes(served: Served) -> None:
    eva = Browser(served, served.eva)
    status, _, text = eva.send(eva.page)
    assert (status, "<script" in text) == (200, False)
    field = "description/arrangement"
    status, address, after = eva.write(text, field, value="By vessel.", note="as it stands")
    assert status == 200
    assert "done=" in address
    assert served.texts("structure") == {"By vessel."}
    claim = re.search(r'name="replaces" value="(\w+)"', after.partition("By vessel.")[2])
    assert claim is not None
    dull = {"value": "By vessel.", "replaces": claim[1]}
    status, _, refused = eva.write(after, field, **dull, note="<why>")
    assert status == 409
    assert "what stands there already" in refused
    assert 'value="&lt;why&gt;"' in refused
    for wrong in ({"field": "description/unitDate", "value": "soon", "edtf": "<soon>"},
                  {"field": "description/rank", "value": "first"}):  # fmt: skip
        status, _, refused = eva.write(after, **wrong)
        assert status == 409, wrong
        assert "Nothing was changed." in refused
        assert f'value="{wrong["value"]}"' in refused
    assert "&lt;soon&gt;" in eva.write(
        after, "description/unitDate", value="soon", edtf="<soon>"
    )[2]  # fmt: skip
    undo = re.search(r'action="(/page/[^"]*/undo/\w+)"', after)
    word = re.search(r'name="word" value="(\w+)"', after)
    assert undo is not None
    assert word is not None
    assert eva.send(undo[1], {"word": word[1]})[0] == 200
    assert served.texts("structure") == set()


def test_a_form_of_another_site_or_without_its_word_does_nothing(served: Served) -> None:
    eva = Browser(served, served.eva)
    form = {"field": "description/note", "act": "write", "value": "Planted."}
    assert eva.send(eva.page, form)[0] == 403
    assert eva.send(eva.page, {**form, "word": "0" * 64})[0] == 403
    text = eva.send(eva.page)[2]
    eva.opener.addheaders = [("Sec-Fetch-Site", "cross-site")]
    assert eva.write(text, "description/note", value="Planted.")[0] == 403
    assert "Planted." not in served.texts("generalDescription")


def test_a_name_that_several_things_have_is_chosen_from(served: Served) -> None:
    eva = Browser(served, served.eva)
    text = eva.send(eva.page)[2]
    status, _, asked = eva.write(text, "description/provenance", object="Port Selene")
    assert status == 409
    assert "choose one" in asked
    chosen = re.search(r'name="chosen" value="(organization/\w+)"', asked)
    assert chosen is not None
    given = {"object": "Port Selene", "chosen": chosen[1]}
    assert eva.write(asked, "description/provenance", **given)[0] == 200
    assert served.texts("hasOrganicProvenance") == {f"http://localhost:8080/id/{chosen[1]}"}
    assert "is called so" in eva.write(text, "description/subject", object="Nobody at all")[2]


def test_what_somebody_else_replaced_comes_back_as_a_new_value(served: Served) -> None:
    eva, ugo = Browser(served, served.eva), Browser(served, served.eva)
    field = "description/appraisal"
    text = eva.write(eva.send(eva.page)[2], field, value="All of it.")[2]
    claim = re.search(r'name="replaces" value="(\w+)"', text.partition("All of it.")[2])
    assert claim is not None
    ugo.write(ugo.send(ugo.page)[2], field, value="Half of it.", replaces=claim[1])
    status, _, refused = eva.write(text, field, value="Some of it.", replaces=claim[1])
    assert status == 409
    assert "superseded now" in refused or "stands no more" in refused
    assert "Some of it." in refused
    assert served.texts("generalDescription") >= {"Half of it."}
    assert "Some of it." not in served.texts("generalDescription")


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", "Beschreibung bearbeiten"), ("fr", "Modifier la description"),
     ("es", "Editar la descripción"), ("zh", "编辑著录")],
)  # fmt: skip
def test_the_form_speaks_the_language_of_its_reader(
    served: Served, language: str, words: str
) -> None:
    text = Browser(served, served.eva).send(f"/page/{served.series}/describe?lang={language}")[2]
    assert words in text
    assert ">Add<" not in text


# ---- two that are one ---------------------------------------------------------------------------


def test_the_page_and_the_endpoint_show_what_two_that_are_merged_did(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The keeper is named by the finding aid and by the authority record, each by a name alone."""
    root = tmp_path_factory.mktemp("merged") / "A"
    operations.perform(root, "describe", {"paths": [str(FILES)]})
    with composition.writing(root, "tokens") as app:
        eva = tokens.add(app.work, "eva", Role.REVIEWER)
    query = """SELECT DISTINCT ?a ?s ?p WHERE { ?a rico:hasOrHadAgentName/rico:textualValue ?n
        FILTER(STR(?n) = "Municipal Archive of Port Selene")
        ?s ?p ?a FILTER(STRENDS(STR(?p), "Holder") || STRENDS(STR(?p), "AssociatedWithAgent")
            || STRENDS(STR(?p), "isRelatedTo")) }"""
    with serving(root) as service:
        here = Served(service, eva, "", "")
        names = """SELECT DISTINCT ?a WHERE { ?a rico:hasOrHadAgentName/rico:textualValue ?n
            FILTER(STR(?n) = "Municipal Archive of Port Selene") }"""
        keepers = sorted("/".join(row["a"].split("/")[-2:]) for row in here.rows(names))
        assert len(keepers) == 2
        before = {(row["s"], row["p"]) for row in here.rows(query)}
        pair = {"one": keepers[0], "other": keepers[1]}
        status, made = here.ask("/review/merges", eva, pair)
        assert status == 200
        head, tail = made["decision"]["things"]
        time.sleep(1)  # the endpoint is half a second behind at most
        after = here.rows(query)
        assert {row["a"].partition("/id/")[2] for row in after} == {head}
        assert {(row["s"], row["p"]) for row in after} == before
        status, page = service.get(f"/page/{tail}")
        assert (status, f"merged from {1}" in page) == (200, True)
        assert "held by" in page
        back = f"/review/decisions/{made['decision']['decision']}/undo"
        assert here.ask(back, eva, {})[0] == 200
        time.sleep(1)
        assert len(here.rows(names)) == 2
        assert {(row["s"], row["p"]) for row in here.rows(query)} == before
