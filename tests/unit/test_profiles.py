"""Profiles say how a corpus is read; a wrong one is refused with file, key and reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from rdfkms import resources
from rdfkms.errors import Misconfigured
from rdfkms.ingest import profiles
from rdfkms.ingest.profiles import Profile


def _profile(**said: Any) -> Profile:
    return Profile(**{"name": "test", "title": "Test", "languages": ("es",), **said})


@pytest.mark.parametrize("name", profiles.names())
def test_each_profile_that_is_shipped_can_be_loaded(name: str) -> None:
    found = profiles.load(name)
    assert found.name == name and found.title and found.language == found.languages[0]
    assert all(isinstance(value, dict) for value in found.tables.values())


def test_the_profiles_of_the_sample_are_shipped() -> None:
    assert {"annals", "court-martial", "newspaper", "plain", "register"} <= set(profiles.names())


@pytest.mark.parametrize(
    ("name", "line", "section"),
    [
        ("court-martial", "RESULTANDO: Que el procesado", "RESULTANDO"),
        ("court-martial", "'RFSULTANDO: Que", "RESULTANDO"),
        ("court-martial", "C0NSIDERANDO: Que", "CONSIDERANDO"),
        ("court-martial", "FALLAMOS: Que debemos", "FALLAMOS"),
        ("court-martial", "Fue RESULTANDO de ello", None),
        ("plain", "RESULTANDO: Que", None),
    ],
)
def test_section_headers_are_found_as_scans_read_them(
    name: str, line: str, section: str | None
) -> None:
    assert profiles.load(name).section_of(line) == section


def test_an_entry_of_the_annals_begins_with_its_year() -> None:
    assert profiles.load("annals").opens("桓公元年春")
    assert not profiles.load("annals").opens("秋八月")


def test_the_rules_of_cutting_name_themselves() -> None:
    usual = _profile().segmentation_id
    assert _profile(title="Other", languages=("fr",)).segmentation_id == usual
    for said in ({"longest": 150}, {"overlap": 3}, {"layout": "vertical"}, {"breaks": ("x",)}):
        assert _profile(**said).segmentation_id != usual


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ({"languages": ()}, "languages"),
        ({"layout": "round"}, "layout"),
        ({"sections": {"A": "("}}, "sections"),
        ({"breaks": ("[",)}, "breaks"),
        ({"juan": "*"}, "juan"),
        ({"passage_words": (100, 50)}, "passage_words"),
        ({"overlap": 60}, "overlap"),
    ],
)
def test_a_wrong_value_is_refused(said: dict[str, Any], word: str) -> None:
    with pytest.raises(ValidationError, match=word):
        _profile(**said)


def test_an_unknown_profile_is_refused_with_those_that_exist() -> None:
    with pytest.raises(Misconfigured) as caught:
        profiles.load("no-such")
    assert "court-martial" in caught.value.hint


@pytest.mark.parametrize(
    "text", ["title =", 'title = "T"\nlanguages = []\n', "\xff", 'languages = ["es"]\n']
)
def test_a_broken_profile_is_named_with_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    folder = tmp_path / "profiles"
    folder.mkdir()
    (folder / "odd.toml").write_text(text, encoding="latin-1")
    monkeypatch.setattr(resources, "folder", lambda name: tmp_path)
    profiles.load.cache_clear()
    with pytest.raises(Misconfigured, match=r"odd\.toml"):
        profiles.load("odd")
