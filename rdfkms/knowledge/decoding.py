"""Store to values: the way back from `encoding`, the same values that went in.

Everything is read by subject or by one predicate and object, so each call costs what it returns.
`graphs` says where to look: by default public and internal, never a conversation.
"""

from rdfkms.knowledge.decoding_claims import (
    all_claims,
    claim,
    claims,
    claims_of_run,
    claims_of_thing,
    claims_of_unit,
    neighbours,
)
from rdfkms.knowledge.decoding_sources import (
    access_of_record,
    is_withdrawn,
    is_withdrawn_unit,
    page,
    record,
    run,
    unit,
    units_of_record,
    version,
    versions_of_page,
)

__all__ = [
    "access_of_record",
    "all_claims",
    "claim",
    "claims",
    "claims_of_run",
    "claims_of_thing",
    "claims_of_unit",
    "is_withdrawn",
    "is_withdrawn_unit",
    "neighbours",
    "page",
    "record",
    "run",
    "unit",
    "units_of_record",
    "version",
    "versions_of_page",
]
