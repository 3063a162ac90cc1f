"""The nouns: frozen values that pass between the steps. No I/O, no RDF terms (DESIGN 3 and 4).

Keys are made by `vocab.key_of` and never carry the base IRI.
"""

from rdfkms.model.claims import Citation, Claim, Fault, MergeProposal, Pointer, Ref, Run
from rdfkms.model.descriptions import DESCRIBING_FILE, Statement, Stretch, Thing, Unmapped
from rdfkms.model.proposals import (
    Anchor,
    Candidate,
    Kind,
    Reason,
    Value,
    Verdict,
    Verification,
    Vote,
)
from rdfkms.model.sources import (
    Box,
    EvidenceUnit,
    Locator,
    Page,
    Reading,
    Record,
    SourceFile,
    TextVersion,
    UnitText,
    Word,
)
from rdfkms.model.words import (
    Access,
    Decision,
    Flag,
    Label,
    Modality,
    Principal,
    Rank,
    Role,
    Status,
    View,
)

__all__ = [
    "DESCRIBING_FILE",
    "Access",
    "Anchor",
    "Box",
    "Candidate",
    "Citation",
    "Claim",
    "Decision",
    "EvidenceUnit",
    "Fault",
    "Flag",
    "Kind",
    "Label",
    "Locator",
    "MergeProposal",
    "Modality",
    "Page",
    "Pointer",
    "Principal",
    "Rank",
    "Reading",
    "Reason",
    "Record",
    "Ref",
    "Role",
    "Run",
    "SourceFile",
    "Statement",
    "Status",
    "Stretch",
    "TextVersion",
    "Thing",
    "UnitText",
    "Unmapped",
    "Value",
    "Verdict",
    "Verification",
    "View",
    "Vote",
    "Word",
]
