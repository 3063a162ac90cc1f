"""A level of a hierarchy is shown whole, page by page, whatever its components say."""

from __future__ import annotations

from pathlib import Path

import pytest

from rdfkms.access import ANONYMOUS
from rdfkms.app import composition, operations
from rdfkms.errors import BadInput
from rdfkms.model import Ref
from rdfkms.publish.around.hierarchy import behind, hierarchy
from rdfkms.publish.views import Scope, scope_of, text_of
from rdfkms.vocab import Base

DATES = "".join(f"<unitdate>{year}</unitdate>" for year in (1705, 1801, 1902, 2001))
EAD = "<ead><eadheader><eadid>x</eadid></eadheader><archdesc level='fonds'><did><unittitle>All" \
    "</unittitle></did><dsc>{}</dsc></archdesc></ead>"  # fmt: skip
UNIT = "<c level='file' id='u{0}'><did><unittitle>Unit {0:03}</unittitle>{1}</did></c>"
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:rico="https://www.ica.org/standards/RiC/ontology#">
  <rico:RecordSet rdf:about="https://a.example/all"><rico:title>All</rico:title>{}
  </rico:RecordSet></rdf:RDF>"""
CHILD = """<rico:directlyIncludes><rico:RecordSet rdf:about="https://a.example/{0:03}">
  <rico:title>Unit {0:03}</rico:title></rico:RecordSet></rico:directlyIncludes>"""
FILES = {
    "many.xml": EAD.format("".join(UNIT.format(n, DATES) for n in range(120))),
    "unranked.rdf": RDF.format("".join(CHILD.format(n) for n in range(120))),
}


def scope_in(app: composition.App) -> Scope:
    return scope_of(app.ledger.store, app.base, app.mapping, ANONYMOUS)


@pytest.mark.parametrize("name", FILES)
def test_every_component_is_on_one_page_and_on_no_other(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8")
    operations.perform(tmp_path / "A", "describe", {"paths": [str(path)]})
    with composition.reading(tmp_path / "A") as app:
        scope = scope_in(app)
        (row,) = scope.select("pages/collections")
        ref = Ref(*(app.base.split(text_of(row["set"])) or ("", "")))
        shown: list[str] = []
        after = ""
        for _ in range(5):
            found = hierarchy(scope, ref, after)
            shown += [node.link.text for node in found.below]
            after = found.next
            if not after:
                break
        assert found.here.count == 120
        assert len(shown) == len(set(shown)) == 120
        if name == "many.xml":
            assert shown == sorted(shown)
            assert found.below[0].dates == "1705; 1801; 1902; …"
        last = hierarchy(scope, Ref("set", found.below[-1].link.key))
        assert any(node.link.key == found.below[-1].link.key for node in last.beside)


@pytest.mark.parametrize("after", ["x", "-1", "1/person/abc", "1/set/../x", "9" * 12])
def test_what_tells_no_place_is_refused(after: str) -> None:
    with pytest.raises(BadInput):
        behind(Base(), after)
