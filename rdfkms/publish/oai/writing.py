"""The XML of answers (OAI-PMH 2.0, section 3.2): an envelope around what is kept as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from rdfkms.publish.edm.xml import clean
from rdfkms.publish.oai.view import Item, moment

OAI = "http://www.openarchives.org/OAI/2.0/"
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    f'<OAI-PMH xmlns="{OAI}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    f'xsi:schemaLocation="{OAI} http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">\n'
)


@dataclass(frozen=True, slots=True)
class Format:
    """A form of metadata: its prefix, schema and namespace."""

    prefix: str
    schema: str
    namespace: str


FORMATS = (
    Format(
        "oai_dc",
        "http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
        "http://www.openarchives.org/OAI/2.0/oai_dc/",
    ),
    Format(
        "edm",
        "http://www.europeana.eu/schemas/edm/EDM.xsd",
        "http://www.europeana.eu/schemas/edm/",
    ),
    Format(
        "rico",
        "http://www.openarchives.org/OAI/2.0/rdf.xsd",
        "https://www.ica.org/standards/RiC/ontology#",
    ),
)


def tag(name: str, text: str) -> str:
    """Return an element with a text."""
    return f"<{name}>{escape(clean(text))}</{name}>\n"


def answer(now: int, base: str, arguments: dict[str, str], body: bytes) -> bytes:
    """Return a whole answer; `arguments` are repeated as attributes of the request."""
    told = "".join(f" {name}={quoteattr(clean(value))}" for name, value in arguments.items())
    head = f"{_HEAD}{tag('responseDate', moment(now))}<request{told}>{escape(base)}</request>\n"
    return head.encode() + body + b"</OAI-PMH>\n"


def error(code: str, sentence: str) -> bytes:
    """Return the element of an error."""
    return f"<error code={quoteattr(code)}>{escape(clean(sentence))}</error>\n".encode()


def identify(told: Sequence[tuple[str, str]]) -> bytes:
    """Return the answer to Identify from names and values in the order of the schema."""
    return f"<Identify>\n{''.join(tag(*pair) for pair in told)}</Identify>\n".encode()


def formats(found: Sequence[Format]) -> bytes:
    """Return the answer to ListMetadataFormats."""
    listed = "".join(
        "<metadataFormat>\n"
        + tag("metadataPrefix", form.prefix)
        + tag("schema", form.schema)
        + tag("metadataNamespace", form.namespace)
        + "</metadataFormat>\n"
        for form in found
    )
    return f"<ListMetadataFormats>\n{listed}</ListMetadataFormats>\n".encode()


def sets(found: Sequence[tuple[str, str]], token: str) -> bytes:
    """Return the answer to ListSets from (setSpec, setName) pairs."""
    listed = "".join(
        f"<set>\n{tag('setSpec', spec)}{tag('setName', name)}</set>\n" for spec, name in found
    )
    return f"<ListSets>\n{listed}{token}</ListSets>\n".encode()


def header(item: Item, identifier: str, sets_of: Sequence[str], *, deleted: bool) -> bytes:
    """Return the header of an item."""
    status = ' status="deleted"' if deleted else ""
    specs = "".join(tag("setSpec", spec) for spec in sets_of)
    said = tag("identifier", identifier) + tag("datestamp", moment(item.stamp)) + specs
    return f"<header{status}>\n{said}</header>\n".encode()


def record(head: bytes, metadata: bytes | None) -> bytes:
    """Return a record; without metadata it is a deleted one."""
    if metadata is None:
        return b"<record>\n" + head + b"</record>\n"
    return b"<record>\n" + head + b"<metadata>\n" + metadata + b"\n</metadata>\n</record>\n"


def token(sealed: str, *, size: int, cursor: int, expires: int | None) -> str:
    """Return the resumptionToken of a page; an empty one ends a list of several pages."""
    until = f' expirationDate="{moment(expires)}"' if expires is not None else ""
    told = f'{until} completeListSize="{size}" cursor="{cursor}"'
    return f"<resumptionToken{told}>{sealed}</resumptionToken>\n"
