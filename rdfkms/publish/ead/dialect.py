"""What EAD 2002 and EAD3 call the same things: the differences that a writer has to know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_XLINK = "http://www.w3.org/1999/xlink"


@dataclass(frozen=True, slots=True)
class Dialect:
    """The names of a version. An empty one is what the version has no place for.

    Attributes with a namespace are written in Clark's notation.
    """

    name: str
    namespace: str
    header: str
    identifier: str
    other_identifier: str
    address: str  # attribute of the identifier
    note: str  # of the finding aid itself
    number: str  # attribute: the number of a name in its authority file
    role: str  # attribute of a name
    language: str  # attribute: the language of the words of an element
    is_newer: bool  # EAD3: names in parts, structured dates and extents, no words in origination
    link: str  # attribute of a digital object
    caption: str  # attribute of a digital object: its title
    description: str  # element of a digital object with its caption
    dsc: Mapping[str, str] = field(default_factory=dict)
    dao: Mapping[str, str] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)


EAD3 = Dialect(
    name="EAD3",
    namespace="http://ead3.archivists.org/schema/",
    header="control",
    identifier="recordid",
    other_identifier="otherrecordid",
    address="instanceurl",
    note="controlnote",
    number="identifier",
    role="relator",
    language="lang",
    is_newer=True,
    link="href",
    caption="linktitle",
    description="descriptivenote",
    dsc={"dsctype": "combined"},
    dao={"daotype": "unknown"},
)
EAD2002 = Dialect(
    name="EAD 2002",
    namespace="urn:isbn:1-931666-22-9",
    header="eadheader",
    identifier="eadid",
    other_identifier="",
    address="url",
    note="note",
    number="authfilenumber",
    role="role",
    language="",
    is_newer=False,
    link=f"{{{_XLINK}}}href",
    caption=f"{{{_XLINK}}}title",
    description="daodesc",
    dsc={"type": "combined"},
    dao={f"{{{_XLINK}}}type": "simple"},
    prefixes={"xlink": _XLINK},
)
VERSIONS = {"3": EAD3, "2002": EAD2002}
