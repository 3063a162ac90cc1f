"""A quote is found again in a newer transcription, or it is said that it cannot be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rdfkms.admission.reanchoring import carried, found_again
from rdfkms.ingest.aligning import Places
from rdfkms.model import Claim, Kind, Pointer, Ref, UnitText, Value, View

OLD = (
    "RESULTANDO que el procesado Andrcs Vidal So1er, de 31 anos, natural de Be1mira, jorna1ero, "
    "fue juzgado en Belmira el 12 de marzo de 1939"
)
NEW = (
    "RESULTANDO que el procesado Andrés Vidal Soler, de 31 años, natural de Belmira, jornalero,\n"
    "fue juzgado en Belmira el 12 de marzo de 1939"
)


def again(old: str, new: str, quote: str) -> tuple[str, bool] | None:
    start = old.index(quote)
    found = found_again(Places(old, new), start, start + len(quote))
    assert found is None or new[found.start : found.end] == found.quote
    return None if found is None else (found.quote, found.is_exact)


@pytest.mark.parametrize(
    ("quote", "wanted"),
    [
        ("RESULTANDO que el procesado", ("RESULTANDO que el procesado", True)),
        ("Andrcs Vidal So1er", ("Andrés Vidal Soler", False)),
        ("31 anos", ("31 años", False)),
        ("natural de Be1mira, jorna1ero", ("natural de Belmira, jornalero", False)),
        ("12 de marzo de 1939", ("12 de marzo de 1939", True)),
    ],
)
def test_quotes_are_found_exactly_or_nearly(quote: str, wanted: tuple[str, bool]) -> None:
    assert again(OLD, NEW, quote) == wanted


def test_of_two_like_words_the_one_in_its_place_is_taken() -> None:
    old = "Vidal salió de Alcoy y volvió con Vidal a Castrovil"
    new = "Item: Vidal salió de Alcoy, y volvió con Vidal a Castrovil"
    second = old.rindex("Vidal")
    found = found_again(Places(old, new), second, second + 5)
    assert found is not None
    assert found.start == new.rindex("Vidal")


@pytest.mark.parametrize(
    ("old", "new", "quote"),
    [
        ("tiene 31 años de edad", "tiene 34 años de edad", "31 años"),
        ("en el año de 1939 vino", "en el año de 1936 vino", "1939"),
        ("Juan Pérez, vecino de aquí", "Luisa Gómez, vecina de aquí", "Juan Pérez"),
        ("vino Ana con su madre", "vino Anacleto con su madre", "Ana"),
        ("vino de Alcoy ayer", "", "Alcoy"),
        ("nació en Alcoy, murió lejos", "vivió lejos; del ganado de Alcoy nada", "Alcoy"),
    ],
)
def test_other_figures_other_words_other_places_are_not_taken(
    old: str, new: str, quote: str
) -> None:
    assert again(old, new, quote) is None


def claim(kind: Kind, value: str, quote: str, statement: str = "namedAs") -> Claim:
    start = OLD.index(quote)
    pointer = Pointer("u", "t1", start, start + len(quote), quote)
    return Claim("k", kind, statement, Ref("person", "a"), (pointer,), value=Value(value))


def raw(text: str) -> UnitText:
    return UnitText("t2", "u", "v2", View.RAW, text, 0, len(text), "es")


def test_a_mention_takes_the_corrected_name() -> None:
    said = claim(Kind.MENTION, "Andrcs Vidal So1er", "procesado Andrcs Vidal So1er, de")
    found = carried(said, said.pointers[0], Places(OLD, NEW), raw(NEW))
    assert found is not None
    after, pointer, exact = found
    assert after == replace(said, value=Value("Andrés Vidal Soler"))
    assert (pointer.unit_text, pointer.quote, exact) == (
        "t2",
        "procesado Andrés Vidal Soler, de",
        False,
    )
    assert NEW[pointer.start : pointer.end] == pointer.quote


def test_a_value_that_reads_otherwise_now_is_for_a_person() -> None:
    said = claim(Kind.ATTRIBUTE, "jorna1ero", "Be1mira, jorna1ero", "occupation")
    assert carried(said, said.pointers[0], Places(OLD, NEW), raw(NEW)) is None
    kept = claim(Kind.ATTRIBUTE, "31", "de 31 anos, natural", "age")
    found = carried(kept, kept.pointers[0], Places(OLD, NEW), raw(NEW))
    assert found is not None
    assert found[0] == kept
