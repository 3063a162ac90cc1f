"""What no client should send to linked data: a refusal with a sentence, never a failure."""

from __future__ import annotations

import pytest

from tests.tools.service import Service
from tests.tools.web import fetch

ODD = ("%00", "%0d%0aX:1", "%22%3E%3Cscript%3E", "%ff%fe", "%E2%80%AE", "{}", "a" * 3000,
       "%2e%2e%2f", "-1", "9" * 30, "%5C|^", "p1%23x")  # fmt: skip
PATHS = (
    "/page/person/{}", "/page/{}/x", "/id/person/{}", "/data/person/{}.ttl", "/linkset/person/{}",
    "/linkset/{}/x.json", "/dumps/{}.nq.zst", "/activity/page/{}", "/rdfkms/{}", "/rdfkms/ns.{}",
    "/data/annotation/{}/p1.jsonld", "/data/annotation/x/{}.jsonld", "/dataset.{}",
    "/dataset?format={}", "/sitemap-{}.xml", "/reconcile?query={}", "/reconcile?queries={}",
    "/reconcile?extend={}", "/reconcile/suggest/{}", "/reconcile/suggest/entity?prefix=a&type={}",
    "/reconcile/suggest/entity?prefix={}", "/reconcile/suggest/entity?prefix=a&cursor={}",
    "/reconcile/flyout/entity?id={}", "/reconcile/preview?id=person/{}",
    "/reconcile/properties?type={}",
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_odd_parts_of_addresses(small_service: Service, path: str) -> None:
    for odd in ODD:
        answer = fetch(small_service.address + path.format(odd), "application/json")
        assert answer.status < 500, (odd, answer.status)
        if answer.status >= 400:
            assert answer.json["error"], odd


@pytest.mark.parametrize("path", ["/dataset", "/reconcile", "/dumps/latest.nq.zst", "/activity"])
def test_odd_headers(small_service: Service, path: str) -> None:
    url = small_service.address + path
    for accept in ("*/*," * 10_000, ";q=,,,", "text/html;q=NaN", "a/b" * 2_000):
        assert fetch(url, accept).status < 500
    for name, value in (("If_None_Match", "x" * 8_000), ("Range", "bytes=9-1"), ("Range", "x")):
        assert fetch(url, **{name: value}).status < 500
