"""Every reason that a verdict may give: a stable code and a sentence that a person can act on.

The codes are `kv:` concepts. A sentence is filled with what was found; what is said by documents
or models is shortened and put in quotation marks before it stands in a sentence.
"""

from __future__ import annotations

from types import MappingProxyType

from rdfkms.model import Reason

LONGEST_SHOWN = 80

REASONS = MappingProxyType(
    {
        # structure
        "unparseable": "The answer could not be read as proposals; see the raw answer: {what}.",
        "malformed": "The field {field} is not of the kind that is needed; correct the proposer.",
        "wrongUnit": "The proposal names the passage {what}, but was made about another one.",
        "unknownName": "{what} is not a name of the mapping table for a {kind}; use a listed one.",
        "missingField": "A {kind} needs {field}; it was left out.",
        "surplusField": "A {kind} named {name} must not have {field}; leave it out.",
        "emptyQuote": "The proposal quotes nothing; a statement needs the words it rests on.",
        "offsetsOutOfRange": "The span {start}-{end} of the {field} is not within the passage "
        "(0-{length}).",
        "anchorNotInText": "The words given as {field}, {what}, do not stand at {start}-{end} "
        "of the passage.",
        "wrongSubjectType": "{name} is not said of a {what}; possible: {allowed}.",
        "wrongObjectType": "{name} does not lead to a {what}; possible: {allowed}.",
        "wrongValueType": "{name} needs a value of the kind {allowed}; {what} is none.",
        "badConfidence": "The confidence must be a number from 0 to 1.",
        "unwritableText": "The field {field} holds characters that no text file may hold.",
        "statedUncertain": "The model that read the passage leaves open ({name}): {what}. "
        "Look at the passage and decide.",
        "unmappedPredicate": "No name of the mapping table fits the words {what}; the nearest are "
        "{allowed}. Choose one, or leave it.",
        "longPredicate": "The predicate {what} is too long to be one (limit {count} words/Han "
        "characters); say it more shortly.",
        # pointer
        "quoteNotFound": "The quote {what} does not stand in the passage.",
        "quoteTwice": "The quote {what} stands {count} times in the passage and nothing says "
        "which is meant; choose the place.",
        "reanchored": "The quote was set to the exact words of the passage; "
        "it differed in place, spacing or composition.",
        "doubtfulReading": "The words {what} were read with little confidence; compare them with "
        "the picture.",
        # reconciliation and ends
        "endNotAdmitted": "The {field} {what} is not an admitted mention; admit the mention first.",
        "triggerNotAdmitted": "The event of this {name} is not admitted; admit its trigger first.",
        "sameStatement": "The same statement was proposed before; it is one claim.",
        "knownStatement": "The same statement is in the archive with status {what}; "
        "that decision stands until a reviewer changes it.",
        # verification
        "allThere": "Both ends and a cue for {name} stand in the quote.",
        "named": "The passage names {what}.",
        "subjectOutsideQuote": "The subject {what} stands outside the quote; quote more.",
        "objectOutsideQuote": "The object {what} stands outside the quote; quote more.",
        "placeOutsideQuote": "The place {what} stands outside the quote; quote more.",
        "timeOutsideQuote": "The time {what} stands outside the quote; quote more.",
        "valueOutsideQuote": "The value {what} is not what the quote says; correct the value or "
        "quote the words it comes from.",
        "valueDiffers": "The words {verbatim} do not mean {what}; correct the value.",
        "dateNotUnderstood": "The date {what} could not be turned into EDTF; enter it by hand.",
        "noCue": "No word in the quote says {name}; check whether the passage states it.",
        "otherDirection": "The words for {name} stand the other way round; exchange the ends.",
        "otherEnd": "Between the words for {name} and this end stand words for something else; "
        "check which is meant.",
        "negated": "The passage seems to deny this ({what}); check the sense.",
        "hearsay": "The passage reports this as hearsay ({what}); it is not stated as a fact.",
        "modality": "The passage gives this as possible, wished or ordered ({what}), "
        "not as a fact.",
        "nameWithoutLetters": "{what} holds no letter; it is hardly a name.",
        "timeUnstated": "The passage states no time {what}; take it out or quote its source.",
        "valueUnstated": "The passage says nowhere {what}; correct the value.",
        "votes": "The verifiers say: {what}.",
        # verification of sentences
        "saidInPassage": "The passage says this; its sentence is quoted.",
        "wordsUnstated": "The passage does not say {what}.",
        "nameUnstated": "The passage does not name {what}.",
        "numberUnstated": "The passage does not give the number {what}.",
        "dateUnstated": "The passage does not give the date {what}.",
        "causeUnstated": "The passage states no such cause or purpose ({what}).",
        "evaluationUnstated": "The passage makes no such judgement ({what}).",
        "comparisonUnstated": "The passage makes no such comparison ({what}).",
        "certaintyUnstated": "The passage says this only as possible or reported ({what}).",
        "speakerUnstated": "The passage knows nothing of who speaks here ({what}).",
        "contradicted": "The passage says otherwise: {what}.",
        "hardlySpeaks": "The passage hardly speaks of this.",
        "scattered": "The words stand far apart in the passage; no sentence says them together.",
        "nothingToCheck": "There is no statement here that a passage could support.",
        # verification by models
        "modelFinds": "The model judges: {what}.",
        "verifierUnusable": "The answer of the verifier cannot be used: {what}.",
        "verifierQuote": "The verifier quotes {what}, which does not stand in the passage.",
        # review
        "acceptedByPerson": "A reviewer admitted this on {day}.",
        "rejectedByPerson": "A reviewer rejected this on {day}.",
        "saidNoMore": "A newer version of its file, {what}, says this no more.",
        "takenBackByPerson": "A reviewer took this back on {day}.",
        "erasedByLaw": "This was erased by law; it is not taken again.",
        "editedByPerson": "A reviewer replaced this by a corrected statement on {day}.",
        "rejectedBefore": "A reviewer rejected {what} as a {name} before; look again.",
        "secondPerson": "A reviewer corrected this to {what}; a second person must admit it.",
        "expertStatement": "A contributor states this of their own knowledge: {what}; a reviewer "
        "must admit it.",
        "endWithdrawn": "What it speaks of lost its evidence: {what}.",
        # descriptions
        "statedByElement": "The element of the description says this in the terms of its standard.",
        "descriptionAwaitsReview": "Descriptions of this profile wait for a person; compare the "
        "element with what became of it.",
        # the second question about high-risk relations (R58)
        "notConfirmed": "No second question about this {name} alone made the model confirm it with "
        "words of the passage ({what}); check whether it is stated.",
        # a newer transcription
        "quoteLost": "The newer transcription of the passage does not hold the quote {what}; "
        "look at the picture and decide.",
        # shapes
        "shapeViolation": "The statement breaks a shape: {what}.",
        # conflicts
        "conflictsWith": "Another source says otherwise: {what}. Both stand side by side.",
        "impossibleOrder": "The order of times cannot be: {what}. Both stand side by side.",
        "ageAgainstDates": "The age does not fit the dates: {what}. Both stand side by side.",
        "officeHeldTwice": "Another source gives this office to another at the time: {what}. "
        "Both stand side by side.",
        # authorities
        "authorityCandidate": "{source} knows {what} as {label}: {why}.",
        "authorityAwaitsReview": "A link to an authority is never made without a person; "
        "compare the entry with the passage and decide.",
        # merge proposals and links
        "similarName": "The names {what} and {other} are {score} alike.",
        "sameIdentifier": "Descriptions know both by the same identifier, and say them to be of "
        "other kinds: {what}.",
        "sameName": "Both are called {what}.",
        "shortForm": "{what} may be short for {other}.",
        "agreeingDetail": "Both agree on {what}.",
        "disagreeingDetail": "They differ on {what}: namesakes?",
        "thinEvidence": "Nothing but the name speaks for one being; look at both sources.",
        "variantName": "{what} may be a spelling or misreading of {other}.",
        "otherName": "{what} may be another name of {other}.",
        "sharedCompany": "Both records also name {what}.",
        "sharedPlaces": "Both records name the places {what}.",
        "plausibleTime": "One life can hold both: active in {what}.",
        "implausibleTime": "One life can hardly hold both: {what}.",
        "similarContext": "What is said around the names is {score} alike.",
    }
)


def reason(code: str, **found: object) -> Reason:
    """Return the reason `code` with its sentence; raises `KeyError` for an unlisted code."""
    shown = {name: _shown(value) for name, value in found.items()}
    return Reason(code, REASONS[code].format(**shown))


def quoted(text: object) -> str:
    """Return text of a document or model as it may stand in a sentence."""
    plain = " ".join(str(text).split())
    if len(plain) > LONGEST_SHOWN:
        plain = plain[: LONGEST_SHOWN - 1] + "…"
    return f"“{plain}”"


def _shown(value: object) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in str(value))
