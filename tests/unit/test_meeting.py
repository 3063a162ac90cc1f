"""Scans meet described units by rules on names, and nothing is guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rdfkms.errors import Misconfigured
from rdfkms.ingest import meeting
from rdfkms.ingest.meeting import Named, Rule, Scan

RULES = meeting.load().rules
NAMES = (
    Named("item/a", "c1", "HO/1/1", "code"),
    Named("item/b", "c2", "HO/1/2", "code"),
    Named("item/c", "c3", "https://scans.example.org/view/Map%20of%20roads.jpg?size=1", "copy"),
    Named("item/d", "c4", "plate-7.tif", "copy"),
    Named("set/e", "c5", "HO/2", "code"),
    Named("set/f", "c6", "HO-2", "code"),
    Named("item/g", "c7", "München 3", "code"),
    Named("item/h", "c8", "HU/1", "code"),
    Named("item/i", "c9", "https://far.example.org/box7/001.jpg", "copy"),
    Named("item/j", "c10", "http://[x", "copy"),
)


@pytest.mark.parametrize(
    ("scan", "unit"),
    [
        (Scan("r", ("HO-1-1.jpg",)), "item/a"),
        (Scan("r", ("ho_0001_001_p003.tif", "HO_1_1_p004.tif")), "item/a"),
        (Scan("r", ("ho 1 1 fol. 12v.jpg",)), "item/a"),
        (Scan("r", ("Map of roads.jpg",)), "item/c"),
        (Scan("r", ("PLATE-7.TIF",)), "item/d"),
        (Scan("r", ("001.jpg", "002.jpg"), folder="HO-1-2"), "item/b"),
        (Scan("r", ("muenchen-3.jpg",)), ""),
        (Scan("r", ("MÜNCHEN_03.jpg",)), "item/g"),
        (Scan("r", ("HO-1-1.jpg", "HO-1-2.jpg")), "several"),
        (Scan("r", ("HO-2.jpg",)), "several"),
        (Scan("r", ("HO-1-1.jpg", "cover.jpg")), ""),
        (Scan("r", ("HO-1-11.jpg",)), ""),
        (Scan("r", ("_.jpg",)), ""),
        (Scan("r", ("HU\u0308-1.jpg",)), ""),  # letter and mark apart, as some systems write it
        (Scan("r", ("MU\u0308NCHEN_03.jpg",)), "item/g"),
        (Scan("r", ("001.jpg",)), ""),
    ],
)
def test_what_a_scan_is_a_copy_of(scan: Scan, unit: str) -> None:
    found = meeting.meet([scan], NAMES, RULES)
    told = [one.unit for one in found.meetings]
    assert told == ([unit] if "/" in unit else [])
    assert bool(found.ambiguous) is (unit == "several")
    assert bool(found.alone) is (unit == "")


def test_the_claim_that_told_is_named() -> None:
    (one,) = meeting.meet([Scan("r", ("HO-1-1.jpg",))], NAMES, RULES).meetings
    assert (one.record, one.claim) == ("r", "c1")


def test_rules_of_ones_own_take_what_their_pattern_tells() -> None:
    rule = Rule(takes="title", finds="code", pattern=r"Signatur (?P<code>\S+)")
    found = meeting.meet([Scan("r", ("x.jpg",), title="Signatur HO-1-2")], NAMES, [rule])
    assert [one.unit for one in found.meetings] == ["item/b"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("rules = 1", "rules"),
        ('[[rules]]\ntakes = "colour"\nfinds = "code"', "takes"),
        ('[[rules]]\ntakes = "file"\nfinds = "code"\npattern = "("', "no regular expression"),
        ('[[rules]]\ntakes = "file"\nfinds = "code"\npattern = "x"', "code"),
        ('[[rules]]\ntakes = "file"\nfinds = "copy"\npattern = "(?P<code>x)"', "leave the"),
        (
            "[[rules]]\ntakes = 'file'\nfinds = 'code'\npattern = '(?P<code>a{99999999999})'",
            "no regular",
        ),
        ("[[rules]", "cannot be read as TOML"),
    ],
)
def test_rules_that_are_none_are_refused_with_their_place(
    tmp_path: Path, text: str, why: str
) -> None:
    (tmp_path / "r.toml").write_text(text, encoding="utf-8")
    with pytest.raises(Misconfigured, match=why):
        meeting.load(tmp_path / "r.toml")
