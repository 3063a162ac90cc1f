"""Whether a source may be read into the archive again: not once it was withdrawn or erased.

It is asked while the ledger is held, since others write while a run reads (R43, R81).
"""

from __future__ import annotations

from pyoxigraph import Quad

from rdfkms.knowledge import decoding
from rdfkms.model import Fault
from rdfkms.ports import QuadReader
from rdfkms.vocab import KEY_LENGTH, KMS, KV, Base

_LATER = "Undo the withdrawal first: rdfkms review decisions; then run again."
_NEVER = "What was erased by law is not taken again; leave the file out."


def gone(
    store: QuadReader, base: Base, source: str, place: str, *, record: str, page: str, file: str
) -> Fault | None:
    """Return why a page is not taken (keys of record and page, SHA-256 of its file), or None.

    The fault names `source` and `place`.
    """
    if decoding.is_withdrawn(store, base, "record", record):
        return Fault(source, place, "Its record was withdrawn.", _LATER)
    if decoding.is_withdrawn(store, base, "inst", file[:KEY_LENGTH]):
        return Fault(source, place, "Its file was withdrawn.", _LATER)
    for iri in (base.iri("record", record), base.iri("inst", page)):
        if store.contains(Quad(iri, KMS("withdrawalReason"), KV("erased"), base.public)):
            return Fault(source, place, "It was erased from this archive.", _NEVER)
    return None
