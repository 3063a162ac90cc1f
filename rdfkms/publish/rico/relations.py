"""Relations of agents as nodes with source, target, dates and note, and as shortcuts both ways."""

from __future__ import annotations

from pyoxigraph import Literal, NamedNode

from rdfkms.publish.describing.reading import Account, Said
from rdfkms.publish.rico.dates import span
from rdfkms.publish.rico.graph import Graph
from rdfkms.publish.rico.things import AGENTS, activity, name_of
from rdfkms.publish.views import local_name

NOTE = "description/note"
_WIDER = {
    "AgentControlRelation": "AgentHierarchicalRelation",
    "LeadershipRelation": "AgentHierarchicalRelation",
}
_DONE = frozenset({"description/function", "description/occupationOf"})  # by an activity
_LEGAL = "description/legalStatus"
# A subordination that goes on is a direct one; one without dates or that is over is as the table
# has it.
_LASTING = {
    "description/superior": "isDirectSubordinateTo",
    "description/inferior": "hasDirectSubordinate",
}


def is_relation(account: Account, said: Said) -> bool:
    """Return whether a claim is a relation of an agent that becomes a node."""
    return (
        account.kind(said.subject) in AGENTS
        and bool(said.object)
        and account.rule(said).relation_class is not None
    )


def notes_of(account: Account) -> dict[str, list[Said]]:
    """Return the notes of each relation, by its claim.

    In an authority record a note stands behind what it is about: it is of the last relation of
    the same agent before it in the same element.
    """
    found: dict[str, list[Said]] = {}
    last: dict[tuple[str, str], str] = {}
    for said in account.said:
        at = (said.unit, said.subject)
        if is_relation(account, said):
            last[at] = said.claim
        elif said.name == NOTE and at in last:
            found.setdefault(last[at], []).append(said)
    return found


def say_relations(account: Account, graph: Graph, notes: dict[str, list[Said]]) -> None:
    """State the relations of the agents of a file."""
    for said in account.said:
        if is_relation(account, said):
            _say_relation(account, graph, said, notes.get(said.claim, []))


def _say_relation(account: Account, graph: Graph, said: Said, notes: list[Said]) -> None:
    rule = account.rule(said)
    key = (account.scope.base.split(said.claim) or ("", ""))[1]
    relation = account.scope.base.iri("relation", key)
    cls = local_name(rule.relation_class or "")
    subject, other = NamedNode(said.subject), NamedNode(said.object)
    order = rule.order
    if said.name in _DONE:
        other = account.scope.base.part("relation", key, "activity")
        activity(account, graph, other, said.object)
        graph.link(subject, "performsOrPerformed", other)
        cls, order = "PerformanceRelation", "target-source"
    graph.type(relation, cls, *filter(None, (_WIDER.get(cls),)))
    if rule.relation_superclass is not None:
        graph.type(relation, local_name(rule.relation_superclass))
    if order == "connects":
        graph.link(relation, "relationConnects", subject)
        graph.link(relation, "relationConnects", other)
    else:
        source, target = (subject, other) if order == "source-target" else (other, subject)
        graph.link(relation, "relationHasSource", source)
        graph.link(relation, "relationHasTarget", target)
    _say_shortcut(account, graph, said)
    graph.ends(relation, said.time)
    if said.time is None or span(said.time.value) == span(""):
        graph.say(relation, "date", said.time_words or said.time)
    for note in notes:
        graph.say(relation, "note", note.value)
    if said.place:
        graph.link(relation, "isAssociatedWithPlace", NamedNode(said.place))
    _say_label(account, graph, relation, cls, said)


def _say_shortcut(account: Account, graph: Graph, said: Said) -> None:
    rule = account.rule(said)
    subject, other = NamedNode(said.subject), NamedNode(said.object)
    name = local_name(rule.predicate)
    if said.name == _LEGAL:
        name = graph.practice.legal_status
    period = span(said.time.value) if said.name in _LASTING and said.time is not None else span("")
    if period.is_open or (period.is_endless and graph.practice.no_end_is_now):
        name = _LASTING[said.name]
    if said.name == "description/function":
        return  # the activity is what the agent performs
    if rule.symmetric:
        graph.both(subject, name, other)
    else:
        graph.link(subject, name, other)


def _say_label(account: Account, graph: Graph, relation: NamedNode, cls: str, said: Said) -> None:
    """State how a relation is called, where the institution has a pattern for it."""
    practice = graph.practice
    kind = practice.relation_names.get(cls, "")
    names = [name_of(account, iri) for iri in (said.subject, said.object)]
    if not practice.relation_label or not kind or None in names:
        return
    told = [name.value for name in names if name is not None]
    if account.rule(said).order == "target-source":
        told.reverse()
    pattern = kind if "{source}" in kind else practice.relation_label
    label = pattern.format(name=kind, source=told[0], target=told[1])
    first, last = _words(said)
    for more, date in ((practice.relation_beginning, first), (practice.relation_end, last)):
        if more and date:
            label += more.format(date=date)
    graph.label(relation, Literal(label))


def _words(said: Said) -> tuple[str, str]:
    """Return beginning and end in the words of the file; of two ends the year, if they say that."""
    if said.time is None:
        return "", ""
    period = span(said.time.value)
    first, last = (end.value if end is not None else "" for end in (period.first, period.last))
    told = said.time_words.value if said.time_words is not None else ""
    if told and not (first and last):  # then the words are those of the one end
        return (told if first else ""), (told if last else "")
    years = told.split()
    return _short(first, years), _short(last, years)


def _short(date: str, years: list[str]) -> str:
    return date[:4] if date[:4] in years else date
