"""What an EDM record lacks, by the rules of `ontology/edm-rules.tsv`: each element is named."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from rdfkms.publish.edm import tables
from rdfkms.publish.edm.tables import Declared, Rule
from rdfkms.publish.edm.values import Finding
from rdfkms.publish.edm.xml import LANGUAGE, RDF, RESOURCE, prefixed, qualified


def check(root: etree._Element) -> tuple[Finding, ...]:
    """Return what is missing or wrong in an ``rdf:RDF`` element, empty for a sound record."""
    if root.tag != f"{{{RDF}}}RDF":
        return (Finding("rdf:RDF", f"The root is {prefixed(root.tag)}.", "It must be rdf:RDF."),)
    known = tables.load()
    findings = dict.fromkeys(
        finding for rule in known.rules for finding in _TESTS[rule.test](root, rule)
    )
    return tuple(findings)


def _finding(rule: Rule, name: str) -> Finding:
    return Finding(name, rule.sentence.replace("{0}", name.replace("|", " or ")), rule.remedy)


def _nodes(root: etree._Element, rule: Rule) -> Iterator[etree._Element]:
    for cls in rule.classes:
        yield from root if cls == "*" else root.findall(qualified(cls))


def _values(node: etree._Element, names: tuple[str, ...]) -> list[str]:
    found = (e for name in names for e in node.findall(qualified(name)))
    return [said for e in found if (said := (e.get(RESOURCE) or e.text or "").strip())]


def _one(root: etree._Element, rule: Rule) -> Iterator[Finding]:
    if len(list(_nodes(root, rule))) != 1:
        yield _finding(rule, rule.classes[0])


def _some(root: etree._Element, rule: Rule) -> Iterator[Finding]:
    for node in _nodes(root, rule):
        if rule.condition is not None:
            name, wanted = rule.condition
            if wanted not in _values(node, (name,)):
                continue
        if not _values(node, rule.elements):
            yield _finding(rule, "|".join(rule.elements))


def _link(root: etree._Element, rule: Rule) -> Iterator[Finding]:
    for node in _nodes(root, rule):
        found = [e.get(RESOURCE) for n in rule.elements for e in node.findall(qualified(n))]
        if not any(found):
            yield _finding(rule, "|".join(rule.elements))


def _match(root: etree._Element, rule: Rule) -> Iterator[Finding]:
    for node in _nodes(root, rule):
        for value in _values(node, rule.elements):
            if not any(pattern.search(value) for pattern in rule.patterns):
                yield _finding(rule, "|".join(rule.elements))


def _declared(root: etree._Element) -> Iterator[tuple[etree._Element, dict[str, Declared]]]:
    order = tables.load().elements
    for node in root.iterchildren(etree.Element):
        yield node, order.get(prefixed(node.tag), {})


def _known(root: etree._Element, rule: Rule) -> Iterator[Finding]:
    for node, order in _declared(root):
        if not order:
            yield _finding(rule, prefixed(node.tag))
            continue
        for child in node.iterchildren(etree.Element):
            if prefixed(child.tag) not in order:
                yield _finding(rule, prefixed(child.tag))


def _once(root: etree._Element, rule: Rule) -> Iterator[Finding]:
    for node, order in _declared(root):
        for name, told in order.items():
            if told.once and len(node.findall(qualified(name))) > 1:
                yield _finding(rule, name)


def _order(root: etree._Element, rule: Rule) -> Iterator[Finding]:
    """Find what stands after an element that must follow it (an xs:sequence of the schema)."""
    for node, order in _declared(root):
        highest = -1
        for child in node.iterchildren(etree.Element):
            told = order.get(prefixed(child.tag))
            if told is None:
                continue
            place = told.place if told.fixed else -1
            if place < highest:
                yield _finding(rule, prefixed(child.tag))
            highest = max(highest, place)


def _filled(root: etree._Element, rule: Rule) -> Iterator[Finding]:
    for node in root.iterchildren(etree.Element):
        for child in node.iterchildren(etree.Element):
            link, text = child.get(RESOURCE), (child.text or "").strip()
            if child.get(LANGUAGE) == "" or bool(link) == bool(text) or link == "":
                yield _finding(rule, prefixed(child.tag))


_TESTS = {
    "one": _one, "some": _some, "link": _link, "match": _match, "known": _known, "once": _once,
    "order": _order, "filled": _filled,
}  # fmt: skip
