"""Reads authority records: EAC-CPF 1 (root eac-cpf) and EAC-CPF 2.0 (root eac).

Control, identity, and each child of description, relations and alternativeSet become a stretch of
their own: the first about the record, the others about the agent. Records may stand in a wrapping
element, several in one file; each description of a multipleIdentities is of an agent of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rdfkms.errors import BadInput
from rdfkms.ingest.describing.eac_control import control
from rdfkms.ingest.describing.eac_description import belongs, description
from rdfkms.ingest.describing.eac_identity import agent_of, identity
from rdfkms.ingest.describing.eac_relations import RELATIONS, alternative, relation
from rdfkms.ingest.describing.eac_telling import Account, saying_of, unsaid
from rdfkms.ingest.describing.things import the_file
from rdfkms.ingest.describing.xmlfile import Part, parts
from rdfkms.model import Fault, Stretch

_ROOTS = frozenset({"eac-cpf", "eac"})
_HOLDERS = frozenset({"description", "relations", "alternativeSet"})
_FOREIGN = "/objectXMLWrap["
_DESCRIPTION = re.compile(r".*?/cpfDescription\[\d+\]")


def is_eac(root_name: str) -> bool:
    """Return whether an element of this name is an authority record."""
    return root_name in _ROOTS


def read(path: Path, notes: list[Fault]) -> Iterator[Stretch]:
    """Yield the stretches of a file in its order.

    Raises `BadInput` for what is no XML or holds no authority record. `notes` gets what was read
    otherwise than it stands.
    """
    account: Account | None = None
    for part in parts(path, _is_part, notes):
        if is_eac(part.element.name) and part.number == 1 and not _is_foreign(part):
            # In a wrapper the file is not the record: its place, then its id, tells which it is.
            wrapped = (part.element.path,) if part.above else ()
            account = Account(path.name, the_file(*wrapped), notes)
        stretch = _stretch(part, account or Account(path.name, the_file(), notes))
        stretch = replace(stretch, unmapped=(*stretch.unmapped, *unsaid(part.element)))
        if stretch.statements or stretch.unmapped:
            yield stretch
    if account is None:
        raise BadInput(
            f"{path.name} holds no authority record: there is no <eac-cpf> and no <eac> in it.",
            hint="Export authority records as EAC-CPF.",
        )


def _is_part(name: str, parent: str) -> bool:
    if name in _ROOTS:
        return parent != "objectXMLWrap"
    if name == "cpfDescription":
        return parent == "multipleIdentities" or parent in _ROOTS
    if parent in _ROOTS or parent in _HOLDERS:
        return True
    if parent != "cpfDescription":
        return False
    # Some files have what belongs into the description directly beneath the cpfDescription.
    return name == "identity" or name in _HOLDERS or belongs(name)


def _is_foreign(part: Part) -> bool:
    return _FOREIGN in part.element.path


def _stretch(part: Part, account: Account) -> Stretch:
    """Return the stretch of a part; of what no standard has in this place, nothing is said."""
    element = part.element
    parent = part.above[-1].name if part.above else ""
    within = _DESCRIPTION.match(element.path)
    if not _is_foreign(part):
        if element.name == "control" and parent in _ROOTS:
            return control(part, account)
        if element.name == "identity" and within is not None:
            return identity(part, account, within[0])
        if within is not None:
            return _described(part, account, within[0], parent)
    return saying_of(part, account.agent if within else account.file, account).stretch()


def _described(part: Part, account: Account, described: str, parent: str) -> Stretch:
    """Return the stretch of a part that belongs to a cpfDescription behind its identity."""
    if described != account.described:  # a description whose identity is missing
        account.described = described
        account.agent = agent_of(account, described, None)
    name = part.element.name
    if parent == "relations" and name in RELATIONS:
        return relation(part, account)
    if parent == "alternativeSet" and name == "setComponent":
        return alternative(part, account)
    return description(part, account)
