"""The proposer that asks a language model for free triples and maps them (R60)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rdfkms import prompts
from rdfkms.knowledge import triples
from rdfkms.knowledge.mapping import Mapping
from rdfkms.knowledge.predicates import Predicates
from rdfkms.knowledge.proposers import schema
from rdfkms.knowledge.proposers.answers import read
from rdfkms.knowledge.proposers.calls import Budget, Call, Caller, in_order
from rdfkms.knowledge.proposers.confirming import Confirmer
from rdfkms.knowledge.proposers.language_model import Told, unparseable
from rdfkms.model import Candidate, EvidenceUnit
from rdfkms.ports import LanguageModel, Proposer
from rdfkms.settings import TripleSettings


class FreeTripleProposer:
    """Proposes what a model says in words, mapped on the ontology; ``model:<model>:triples``.

    A triple that comes to a relation of high risk is put to the model a second time (R58);
    `high_risk` names such relations besides those of the mapping table.
    """

    gives_way = True  # the mentions of a proposer that knows the types come first

    def __init__(
        self,
        model: LanguageModel,
        mapping: Mapping,
        caller: Caller,
        predicates: Predicates,
        settings: TripleSettings,
        *,
        width: int = 1,
        budget: Budget | None = None,
        high_risk: Collection[str] = (),
    ) -> None:
        self._mapping = mapping
        self._caller = caller
        self._predicates = predicates
        self._settings = settings
        self._width = width
        self._budget = budget
        self._prompt = prompts.load("triples")
        self._schema = schema.schema_of(schema.Triples)
        self._confirmer = Confirmer(caller, mapping, high_risk)
        self.name = f"model:{model.name}:triples"
        self.version = f"{model.version} {self._prompt.label} {self._confirmer.label}"

    def for_units(self, units: Sequence[EvidenceUnit]) -> Proposer:
        """Ask about all units of a page, as far as the budget goes."""
        asked = in_order(self.propose, units, self._width, self._budget, "triples")
        return Told(self.name, self.version, {unit.key: said for unit, said in asked})

    def propose(self, unit: EvidenceUnit) -> tuple[Candidate, ...]:
        """Return the candidates of all triples; raises `Unavailable`."""
        messages = self._prompt.messages(
            language=unit.language,
            document=prompts.fenced(unit.raw.text),
            longest=str(self._settings.longest_words),
        )
        call = Call("triples", unit, self._prompt.label, messages, self._schema)
        answer = self._caller.ask(call)
        said, reason = read(answer, schema.Triples)
        if said is None:
            return (unparseable(unit, self.name, answer.text, reason),)
        found: dict[str, Candidate] = {}
        for item in said.triples:
            triple = triples.Triple(item.subject, item.predicate, item.object, item.quote)
            for candidate in triples.candidates(
                triple, unit, self._mapping, self._predicates, self._settings, self.name
            ):
                found.setdefault(candidate.key, candidate)
        return tuple(self._confirmer.confirm(candidate, unit) for candidate in found.values())
