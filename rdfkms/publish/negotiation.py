"""Which form of a thing a client gets: Accept headers, format names, serialisation (R90)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pyoxigraph import RdfFormat, Triple, serialize

from rdfkms.publish import jsonld
from rdfkms.vocab import PREFIXES


@dataclass(frozen=True, slots=True)
class Format:
    """One form of a document: its name on the page, media types (the first is sent), extension."""

    name: str
    extension: str
    media_types: tuple[str, ...]
    rdf: RdfFormat | None = None

    @property
    def media_type(self) -> str:
        """The media type that is sent."""
        return self.media_types[0]


HTML = Format("HTML", "html", ("text/html", "application/xhtml+xml"))
TURTLE = Format("Turtle", "ttl", ("text/turtle", "application/x-turtle"), RdfFormat.TURTLE)
JSON_LD = Format(
    "JSON-LD", "jsonld", ("application/ld+json", "application/json"), RdfFormat.JSON_LD
)
N_TRIPLES = Format("N-Triples", "nt", ("application/n-triples", "text/plain"), RdfFormat.N_TRIPLES)
RDF_XML = Format("RDF/XML", "rdf", ("application/rdf+xml",), RdfFormat.RDF_XML)

TRIG = Format("TriG", "trig", ("application/trig",), RdfFormat.TRIG)
N_QUADS = Format("N-Quads", "nq", ("application/n-quads",), RdfFormat.N_QUADS)

DATA = (TURTLE, JSON_LD, N_TRIPLES, RDF_XML)
ALL = (HTML, *DATA)


def parse_accept(header: str) -> list[tuple[str, float]]:
    """Return (media range, q) pairs of an Accept header; what cannot be read is left out."""
    ranges = []
    for part in header.split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        quality = 1.0
        for parameter in parameters:
            key, _, value = parameter.partition("=")
            if key.strip().lower() == "q":
                try:
                    quality = min(1.0, max(0.0, float(value)))
                except ValueError:
                    quality = 0.0
        if "/" in name:
            ranges.append((name.lower(), quality))
    return ranges


def quality(media_type: str, ranges: Sequence[tuple[str, float]]) -> float:
    """Return the q that the most specific matching range gives `media_type`, 0 for none."""
    group = media_type.partition("/")[0]
    for pattern in (media_type, f"{group}/*", "*/*"):
        found = [q for name, q in ranges if name == pattern]
        if found:
            return max(found)
    return 0.0


def best(accept: str, offers: Sequence[Format] = ALL) -> Format | None:
    """Return the offer that the header likes best, ties by order of offers; None = 406."""
    ranges = parse_accept(accept)
    if not ranges:
        return offers[0] if not accept.strip() else None
    scored = [(_liking(offer, ranges), offer) for offer in offers]
    score, offer = max(scored, key=lambda pair: pair[0])
    return offer if score > 0 else None


def _liking(offer: Format, ranges: Sequence[tuple[str, float]]) -> float:
    """Return the q of the type that would be sent, or of another name of it that is asked for."""
    named = (q for name, q in ranges if name in offer.media_types[1:])
    return max((quality(offer.media_type, ranges), *named))


def by_name(name: str, offers: Sequence[Format] = ALL) -> Format | None:
    """Return the offer with this extension, name or media type (``?format=``), or None."""
    wanted = name.strip().lower()
    for offer in offers:
        if wanted in (offer.extension, offer.name.lower(), *offer.media_types):
            return offer
    return None


def serialise(
    triples: Iterable[Triple], form: Format, prefixes: Mapping[str, str] | None = None
) -> bytes:
    """Return the triples in that format; sorted, so that the same graph gives the same bytes."""
    if form.rdf is None:
        raise ValueError(f"{form.name} is not a format of RDF")
    ordered = sorted(set(triples), key=lambda t: (str(t.subject), str(t.predicate), str(t.object)))
    if form is JSON_LD:
        return jsonld.compacted(ordered, {**PREFIXES, **(prefixes or {})})
    data = serialize(ordered, format=form.rdf, prefixes={**PREFIXES, **(prefixes or {})})
    return data or b""
