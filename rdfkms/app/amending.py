"""Operations on the fields of a description: what stands in them, writing and taking out values.

The same from the command line, over the API and behind the form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rdfkms.app.arguments import Arguments, needed, text_of
from rdfkms.app.composition import App
from rdfkms.app.reviewing_json import decision_json
from rdfkms.errors import BadInput
from rdfkms.ingest.describing import languages
from rdfkms.knowledge import decoding
from rdfkms.knowledge.statements import NAMED_AS
from rdfkms.model import Claim, Kind, Modality, Principal, Ref
from rdfkms.publish import themes
from rdfkms.publish.views import Link, Scope, concept_label, names_of, scope_of
from rdfkms.retrieval import searching
from rdfkms.review import acts, amending, fields, identities, opinions
from rdfkms.review.amending import LONGEST, Amendment
from rdfkms.review.decisions import Decision
from rdfkms.review.fields import Field

Report = Callable[[str, int, int], None]
Result = dict[str, Any]
MOST_CHOICES = 8
_IDENTITY = "identity"


# ---- reading ------------------------------------------------------------------------------------


def listed(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Return the fields that a thing has, each with what stands in it and its state."""
    thing = identities.thing_of(needed(arguments, "thing"))
    return shown(app, thing, scope_of(app.ledger.store, app.base, app.mapping, principal))


def shown(app: App, thing: Ref, scope: Scope) -> Result:
    """Return the fields of a thing with labels in the language of the scope."""
    desk = app.desk
    with app.ledger.frozen():
        head = fields.known_thing(desk, thing)
        found = fields.fields(desk, head)
        home = fields.home(desk, head)
        claims = [claim for one in found for claim in one.claims]
        ends = {ref for c in claims if (ref := c.object) is not None} | {head}
        links = names_of(scope, [app.base.iri(ref.kind, ref.key) for ref in ends])
        records = {key: _record(app, key) for key in {fields.rests(desk, c.key) for c in claims}}
        found.sort(key=lambda one: _place(app, one))
        return {
            "revision": app.ledger.revision,
            "thing": head.path,
            "name": links[app.base.iri(head.kind, head.key).value].text,
            "record": home,
            "record_title": _record(app, home) if home else "",
            "fields": [_field(app, one, links, records, scope) for one in found],
        }


def _place(app: App, one: Field) -> tuple[int, int]:
    """Where a field stands on a page: by theme, the name first."""
    return themes.themes().index(_theme(app, one)), (
        -1 if one.rule.name == NAMED_AS else themes.place(app.mapping, one.rule.concept)
    )


def _theme(app: App, one: Field) -> str:
    is_name = one.rule.name == NAMED_AS
    return _IDENTITY if is_name else themes.theme(app.mapping, one.rule.concept)


def _field(
    app: App, one: Field, links: Mapping[str, Link], records: Mapping[str, str], scope: Scope
) -> Result:
    rule = one.rule
    return {
        "field": rule.name,
        "label": concept_label(scope, rule.concept),
        "theme": _theme(app, one),
        "holds": "string" if rule.name == NAMED_AS else rule.literal or "thing",
        "leads_to": list(rule.range),
        "seen": one.seen,
        "total": one.total,
        "values": [_value(app, claim, links, records) for claim in one.claims],
    }


def _value(app: App, claim: Claim, links: Mapping[str, Link], records: Mapping[str, str]) -> Result:
    value, object_ = claim.value, claim.object
    link = links.get(app.base.iri(object_.kind, object_.key).value) if object_ else None
    record = fields.rests(app.desk, claim.key)
    unit = app.desk.unit(claim)
    return {
        "claim": claim.key,
        "status": str(claim.status),
        "rank": str(claim.rank),
        "value": _words(claim),
        "edtf": value.lexical if value and value.datatype == "edtf" else "",
        "language": value.language if value else "",
        "object": object_.path if object_ else "",
        "object_name": link.text if link else "",
        "record": record,
        "record_title": records.get(record, ""),
        "amended": unit.modality is Modality.EXPERT,
        "seen": acts.state_of(app.desk, claim),
    }


def _words(claim: Claim) -> str:
    """Return a value as somebody would write it: a language by its code, a term by its address."""
    value = claim.value
    if value is None:
        return ""
    is_term = value.datatype == "anyURI" and languages.coded(value.lexical) is None
    return value.lexical if is_term else value.verbatim or value.lexical


def _record(app: App, key: str) -> str:
    return decoding.record(app.ledger.store, app.base, key).title


@dataclass(frozen=True, slots=True)
class Called:
    """What is called like some words; `sole` where one thing alone is called exactly so."""

    things: tuple[Link, ...]
    sole: Ref | None = None


def leading_to(app: App, thing: Ref, field: str, words: str, principal: Principal) -> Called:
    """Return the things that a field of a thing may lead to and that are called like the words.

    By any of its names a thing is called so. Nothing is returned for a field that holds words.
    """
    rule = fields.rule_of(app.desk, thing, field)
    kinds = {app.mapping.entity(name).kind for name in rule.range}
    hits = searching.find_things(words, app.indexes, app.ledger.store, principal, 10 * MOST_CHOICES)
    hits = [hit for hit in hits if hit.ref.kind in kinds]
    asked = words.strip().casefold()
    exact = [
        hit.ref for hit in hits if asked in (n.casefold() for n in (hit.name, *hit.other_names))
    ]
    shown = tuple(Link(hit.ref.kind, hit.ref.key, hit.name) for hit in hits[:MOST_CHOICES])
    return Called(shown, exact[0] if len(exact) == 1 else None)


# ---- writing ------------------------------------------------------------------------------------


def amend(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Add a value to a field of a thing, or replace one (`replaces`, the key of its claim)."""
    thing = identities.thing_of(needed(arguments, "thing"))
    amendment = Amendment(
        statement=needed(arguments, "field"),
        value=text_of(arguments, "value", LONGEST),
        edtf=text_of(arguments, "edtf"),
        language=text_of(arguments, "language"),
        object=_object(app, thing, arguments, principal),
        replaces=text_of(arguments, "replaces").rpartition("/")[2],
    )
    with app.ledger.frozen():
        made = amending.amend(
            app.desk, thing, amendment, principal,
            note=text_of(arguments, "note"), seen=text_of(arguments, "seen"),
        )  # fmt: skip
        new = app.desk.claim(made.claims[0])
    if app.settings.gate.four_eyes:  # whoever writes it says yes to it
        item = f"claim/{new.key}"
        opinions.note(app.work, item, principal, "accept", made.note, made.key)
    return _done(app, made, new)


def remove(app: App, arguments: Arguments, principal: Principal, report: Report) -> Result:
    """Take a value (`claim`) out of the description of a thing."""
    thing = identities.thing_of(needed(arguments, "thing"))
    key = needed(arguments, "claim").rpartition("/")[2]
    made = amending.remove(
        app.desk, thing, key, principal,
        note=text_of(arguments, "note"), seen=text_of(arguments, "seen"),
    )  # fmt: skip
    opinions.note(app.work, f"claim/{key}", principal, "reject", made.note, made.key)
    return _done(app, made, app.desk.claim(key))


def _done(app: App, made: Decision, claim: Claim) -> Result:
    app.changed()
    return {
        "decision": decision_json(app, made),
        "claim": claim.key,
        "status": str(claim.status),
        "revision": app.ledger.revision,
    }


def _object(app: App, thing: Ref, arguments: Arguments, principal: Principal) -> Ref | None:
    """Return the thing that is named by its path, address or name; raises `BadInput`."""
    text = text_of(arguments, "object").strip()
    if not text:
        return None
    rule = fields.rule_of(app.desk, thing, needed(arguments, "field"))
    if rule.literal is not None or rule.claim_kind is Kind.MENTION:
        raise BadInput(f"{rule.name} holds words, not a link.", hint="Give a value.")
    if "/" in text and " " not in text:
        return identities.thing_of(text)
    found = leading_to(app, thing, rule.name, text, principal)
    if found.sole is not None:
        return found.sole
    raise BadInput(
        f"{text[:80]!r} is not the name of one thing alone.", hint=_choices(found.things)
    )


def _choices(found: Sequence[Link]) -> str:
    if not found:
        return "Nothing is called so: describe it first, or write kind/KEY."
    shown = ", ".join(f"{one.kind}/{one.key} ({one.text})" for one in found)
    return f"Name one of: {shown}"
