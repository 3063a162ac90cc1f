"""The small words of the pages: kinds, states, checks, roles, themes (translated where shown)."""

from __future__ import annotations

from rdfkms.knowledge import words as labels
from rdfkms.vocab import KV
from rdfkms.web.languages import N_, gettext, language

KINDS = {
    "person": N_("Persons"),
    "place": N_("Places"),
    "organization": N_("Organisations"),
    "event": N_("Events"),
    "position": N_("Offices"),
    "work": N_("Works"),
    "thing": N_("Things"),
    "date": N_("Dates"),
    "concept": N_("Concepts"),
    "artifact": N_("Artifacts"),
    "heritage": N_("Heritage items"),
    "technique": N_("Techniques"),
    "ritual": N_("Rituals"),
    "tool": N_("Tools"),
    "material": N_("Materials"),
    "charge": N_("Charges"),
    "sentence": N_("Sentences"),
    "set": N_("Record sets"),
    "item": N_("Records described"),
    "itempart": N_("Parts of records"),
    "copy": N_("Copies"),
    "family": N_("Families"),
    "party": N_("Agents"),
    "activity": N_("Functions and activities"),
    "occupation": N_("Occupations"),
    "formtype": N_("Documentary forms"),
    "mandate": N_("Mandates"),
    "legalstatus": N_("Legal statuses"),
}
THEMES = {
    "identity": N_("Identity"),
    "life": N_("Life"),
    "family": N_("Family"),
    "career": N_("Work and office"),
    "relations": N_("Relations"),
    "circumstances": N_("Circumstances"),
    "description": N_("Content, context and keeping"),
    "trial": N_("The trial"),
    "works": N_("Works and sources"),
    "craft": N_("Tools and materials"),
    "other": N_("Other statements"),
}
VERIFICATION = {
    "supported": N_("supported by its quote"),
    "partiallySupported": N_("partly supported"),
    "overreaching": N_("says more than its quote"),
    "ambiguous": N_("ambiguous"),
    "unsupported": N_("not supported"),
}
WORDS = {
    # states and ranks of claims, access
    "admitted": N_("admitted"),
    "quarantined": N_("quarantined"),
    "rejected": N_("rejected"),
    "superseded": N_("superseded"),
    "withdrawn": N_("withdrawn"),
    "pending": N_("pending"),
    "preferred": N_("preferred"),
    "normal": N_("normal"),
    "deprecated": N_("disowned"),
    "open": N_("open"),
    "closed": N_("closed"),
    "embargo": N_("under embargo"),
    "marked": N_("marked"),
    # what people decide
    "accept": N_("accepted"),
    "reject": N_("rejected"),
    "reopen": N_("sent back"),
    "keep": N_("kept side by side"),
    "rank": N_("ranked"),
    "edit": N_("corrected"),
    "amend": N_("description edited"),
    "merge": N_("merge"),
    "differ": N_("told apart"),
    "dismiss": N_("dismissed"),
    "withdraw": N_("withdrawn"),
    "replace": N_("replaced"),
    "split": N_("split"),
    "undo": N_("undone"),
    "unsure": N_("unsure"),
    "doubt": N_("doubt"),
    "conflict": N_("conflict"),
    "refused": N_("refused"),
    # stages and results of the gate
    "structure": N_("structure"),
    "pointer": N_("pointer"),
    "ends": N_("ends"),
    "verification": N_("verification"),
    "shapes": N_("shapes"),
    "conflicts": N_("conflicts"),
    "passed": N_("passed"),
    "not reached": N_("not reached"),
    # roles, and what the journal records
    "reader": N_("reader"),
    "contributor": N_("contributor"),
    "reviewer": N_("reviewer"),
    "administrator": N_("administrator"),
    "written": N_("written"),
    "changed": N_("changed"),
    "removed": N_("removed"),
    "erased": N_("erased"),
    "touched": N_("touched"),
    "init": N_("founding"),
    "run": N_("run"),
    "rdf": N_("claims as RDF"),
    "ingest": N_("ingest"),
    "describe": N_("taking in descriptions"),
    "extract": N_("extraction"),
    "enrich": N_("enrichment"),
    "link": N_("linking"),
    "statement": N_("statement of an expert"),
    "decision": N_("decision"),
    "rollback": N_("rollback"),
    "access": N_("access"),
    "erase": N_("erasure"),
    "takeout": N_("removal"),
    # passages and their versions
    "raw": N_("raw"),
    "normalised": N_("normalised"),
    "collated": N_("collated"),
    "corrected": N_("corrected text"),
    "ocr": N_("recognised by OCR"),
    "text": N_("text"),
    "lowConfidence": N_("read with little confidence"),
    "missingGlyphs": N_("missing characters"),
    "denseNames": N_("many names"),
    "segmentationAnomaly": N_("unusual length"),
    "noCounterpart": N_("not in the newer transcription"),
    "title": N_("title"),
    "summary": N_("summary"),
    "keywords": N_("keywords"),
    # facts of records
    "profile": N_("profile"),
    "type": N_("type"),
    "use": N_("use"),
    "personal data": N_("personal data"),
    "yes": N_("yes"),
    "no": N_("no"),
    # counts of the home page
    "records": N_("records"),
    "pages": N_("pages"),
    "passages": N_("passages"),
    "claims": N_("admitted claims"),
    # what a proposal names
    "name": N_("name"),
    "subject": N_("subject"),
    "object": N_("object"),
    "value": N_("value"),
    "quote": N_("quote"),
    "note": N_("note"),
    "time": N_("time"),
    "place": N_("place"),
    "name in review": N_("name in review"),
    # pages of vocabularies
    "is a": N_("is a"),
    "kind of": N_("kind of"),
    "special case of": N_("special case of"),
    "of": N_("of"),
    "of, among others": N_("of, among others"),
    "has values": N_("has values"),
    "broader": N_("broader"),
    "close to": N_("close to"),
    "related to": N_("related to"),
    "never also": N_("never also"),
    "Classes": N_("Classes"),
    "Properties with things as values": N_("Properties with things as values"),
    "Properties with literals as values": N_("Properties with literals as values"),
    "Values of closed lists": N_("Values of closed lists"),
}


def word(name: str) -> str:
    """Return a small word in the reader's language; what is not known stays as it is."""
    known = WORDS.get(name)
    return gettext(known) if known is not None else name


def reason(code: str) -> str:
    """Return what a code of `kv:reasons` means, in the reader's language; the code if unknown."""
    return labels.label(KV(code), language()) or code


def kind_title(kind: str) -> str:
    """Return the heading of a kind of things: "person" as "Persons", "charge" as "Charges"."""
    known = KINDS.get(kind)
    return gettext(known) if known is not None else f"{kind.capitalize()}s"


def theme_title(name: str) -> str:
    """Return the heading of a theme of statements."""
    return gettext(THEMES.get(name, THEMES["other"]))


def verification(label: str) -> str:
    """Return a verification label in words."""
    known = VERIFICATION.get(label)
    return gettext(known) if known is not None else label
