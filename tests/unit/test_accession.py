"""Which files make which records, in which order, and who may see them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from rdfkms.ingest import sidecar
from rdfkms.ingest.accession import Accession, Batch, Overrides, discover
from rdfkms.model import Access, Modality
from rdfkms.settings import Settings
from tests.tools import sources

SETTINGS = Settings()
CLOSED = Access("closed")


def _text(path: Path, words: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"Un texto que se deja leer: {words}.\n", encoding="utf-8")


def _discover(*paths: Path, **said: object) -> Batch:
    return discover(paths, SETTINGS, Overrides(**said))  # type: ignore[arg-type]


def _only(batch: Batch) -> Accession:
    (accession,) = batch.accessions
    assert not batch.faults
    return accession


def _names(accession: Accession) -> list[str]:
    return [source.file.name for source in accession.sources]


# ---- files to records ----------------------------------------------------------------------------


def test_pages_of_one_name_are_one_record_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        _text(tmp_path / f"causa-118-p{number}.txt", f"{number}")
    found = _only(_discover(tmp_path))
    assert _names(found) == ["causa-118-p1.txt", "causa-118-p2.txt", "causa-118-p10.txt"]
    assert found.record.title == "causa-118"
    assert [f.sha256 for f in found.record.files] == [s.file.sha256 for s in found.sources]


def test_a_page_is_called_what_its_file_is_also_where_an_earlier_one_is_lost(
    tmp_path: Path,
) -> None:
    (tmp_path / "case-p1.txt").write_bytes(b"")
    _text(tmp_path / "case-p2.txt", "second")
    _text(tmp_path / "letter.txt", "no number")
    batch = _discover(tmp_path)
    assert [source.label for a in batch.accessions for source in a.sources] == ["2", ""]


def test_equal_names_in_two_folders_are_two_records(tmp_path: Path) -> None:
    _text(tmp_path / "a" / "causa-p1.txt", "uno")
    _text(tmp_path / "b" / "causa-p1.txt", "dos")
    first, second = _discover(tmp_path).accessions
    assert first.record.key != second.record.key
    assert [first.record.part_of, second.record.part_of] == ["a", "b"]


@pytest.mark.parametrize("name", ["2020-03.txt", "stp5.txt", "p1.txt", "causa.p1.txt"])
def test_a_name_without_a_page_number_is_a_record_of_its_own(tmp_path: Path, name: str) -> None:
    _text(tmp_path / name, "uno")
    assert _only(_discover(tmp_path)).record.title == Path(name).stem


def test_an_accession_is_the_same_each_time(tmp_path: Path) -> None:
    sources.typed().save(tmp_path / "causa-p1.png")
    _text(tmp_path / "register.md", "uno")
    assert _discover(tmp_path) == _discover(tmp_path)


def test_a_record_keeps_its_key_when_a_page_is_added(tmp_path: Path) -> None:
    _text(tmp_path / "causa-p1.txt", "uno")
    before = _only(_discover(tmp_path)).record
    _text(tmp_path / "causa-p2.txt", "dos")
    after = _only(_discover(tmp_path)).record
    assert after.key == before.key and len(after.files) == 2


def test_the_same_file_named_twice_is_taken_once(tmp_path: Path) -> None:
    _text(tmp_path / "a.txt", "uno")
    batch = _discover(tmp_path, tmp_path / "a.txt")
    assert len(batch.accessions) == 1 and batch.ignored == 1


def test_the_same_content_under_two_names_is_one_source(tmp_path: Path) -> None:
    _text(tmp_path / "a.txt", "uno")
    _text(tmp_path / "b.txt", "uno")
    batch = _discover(tmp_path)
    assert _names(_only(batch)) == ["a.txt"] and batch.ignored == 1


def test_frames_of_a_tiff_and_pages_of_a_pdf_are_counted(tmp_path: Path) -> None:
    frames = [sources.typed([line]) for line in sources.LINES]
    frames[0].save(tmp_path / "three.tif", save_all=True, append_images=frames[1:])
    (tmp_path / "one.pdf").write_bytes(sources.pdf(sources.LINES))
    counted = {a.record.title: a.sources[0].pages for a in _discover(tmp_path).accessions}
    assert counted == {"three": 3, "one": 1}


def test_a_text_is_born_digital_and_a_picture_is_a_document(tmp_path: Path) -> None:
    _text(tmp_path / "a.md", "uno")
    sources.typed().save(tmp_path / "b.jpg")
    kinds = [a.record.modality for a in _discover(tmp_path).accessions]
    assert kinds == [Modality.BORN_DIGITAL, Modality.DOCUMENT]


def test_hidden_files_and_the_sidecar_itself_are_no_sources(tmp_path: Path) -> None:
    _text(tmp_path / ".hidden.txt", "uno")
    _text(tmp_path / ".git" / "a.txt", "dos")
    (tmp_path / sidecar.NAME).write_text("", encoding="utf-8")
    batch = _discover(tmp_path)
    assert batch == Batch((), (), 0)


# ---- records.toml --------------------------------------------------------------------------------


def _sidecar(folder: Path, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / sidecar.NAME).write_text(text, encoding="utf-8")


def test_a_sidecar_gives_title_profile_language_and_collection(tmp_path: Path) -> None:
    _text(tmp_path / "causa-p1.txt", "uno")
    _sidecar(
        tmp_path,
        '[[records]]\nmatch = "causa"\ntitle = "Causa 118"\nprofile = "court-martial"\n'
        'language = "ca"\npart_of = "Consejos de guerra"\n',
    )
    record = _only(_discover(tmp_path)).record
    assert (record.title, record.profile, record.language, record.part_of) == (
        "Causa 118", "court-martial", "ca", "Consejos de guerra",
    )  # fmt: skip


def test_deeper_rules_win_field_by_field(tmp_path: Path) -> None:
    _text(tmp_path / "a" / "one.txt", "uno")
    _sidecar(tmp_path, '[[records]]\nmatch = "*"\ntitle = "Outer"\nprofile = "register"\n')
    _sidecar(tmp_path / "a", '[[records]]\nmatch = "one.*"\ntitle = "Inner"\n')
    record = _only(_discover(tmp_path)).record
    assert (record.title, record.profile) == ("Inner", "register")


@pytest.mark.parametrize("given", [".", "a", "a/b", "a/b/one.txt"])
def test_a_sidecar_above_the_given_path_speaks_for_it(tmp_path: Path, given: str) -> None:
    _text(tmp_path / "a" / "b" / "one.txt", "uno")
    _sidecar(tmp_path, '[[records]]\nmatch = "a/**"\naccess = "closed"\n')
    assert _only(_discover(tmp_path / given)).record.access == CLOSED


def test_an_embargo_has_its_day(tmp_path: Path) -> None:
    _text(tmp_path / "one.txt", "uno")
    _sidecar(tmp_path, '[[records]]\nmatch = "*"\naccess = "embargo"\nuntil = 2040-01-31\n')
    assert _only(_discover(tmp_path)).record.access == Access("embargo", date(2040, 1, 31))


def test_a_rule_that_opens_again_drops_the_day_of_the_embargo(tmp_path: Path) -> None:
    _text(tmp_path / "one.txt", "uno")
    _sidecar(
        tmp_path,
        '[[records]]\nmatch = "*"\naccess = "embargo"\nuntil = 2040-01-31\n'
        '[[records]]\nmatch = "one.txt"\naccess = "open"\n',
    )
    assert _only(_discover(tmp_path)).record.access == Access()


def test_conditions_of_use_hold_where_a_rule_states_them_and_nowhere_else(tmp_path: Path) -> None:
    use = "http://rightsstatements.org/vocab/InC/1.0/"
    _text(tmp_path / "a" / "one.txt", "uno")
    _text(tmp_path / "b" / "two.txt", "dos")
    _sidecar(
        tmp_path,
        f'[[records]]\nmatch = "a/*"\nuse = "{use}"\npersonal_data = true\naccess = "closed"\n',
    )
    found = {a.record.title: a.record for a in _discover(tmp_path).accessions}
    assert (found["one"].use, found["one"].personal_data) == (use, True)
    assert (found["two"].use, found["two"].personal_data) == ("", False)


def test_what_holds_personal_data_must_be_closed(tmp_path: Path) -> None:
    _text(tmp_path / "one.txt", "uno")
    _sidecar(tmp_path, '[[records]]\nmatch = "*"\npersonal_data = true\n')
    found = _discover(tmp_path)
    assert found.accessions == ()
    assert "personal data" in found.faults[0].reason


def test_one_closed_page_closes_its_record(tmp_path: Path) -> None:
    _text(tmp_path / "causa-p1.txt", "uno")
    _text(tmp_path / "causa-p2.txt", "dos")
    _sidecar(tmp_path, '[[records]]\nmatch = "causa-p2.txt"\naccess = "closed"\n')
    assert _only(_discover(tmp_path)).record.access == CLOSED


@pytest.mark.parametrize("closed", ["a.txt", "b.txt"])
def test_of_two_names_for_one_content_the_stricter_condition_holds(
    tmp_path: Path, closed: str
) -> None:
    _text(tmp_path / "a.txt", "uno")
    _text(tmp_path / "b.txt", "uno")
    _sidecar(tmp_path, f'[[records]]\nmatch = "{closed}"\naccess = "closed"\n')
    assert _only(_discover(tmp_path)).record.access == CLOSED


@pytest.mark.parametrize("given", ["room", "room/link.txt", "door"])
def test_a_link_does_not_lead_around_a_sidecar(tmp_path: Path, given: str) -> None:
    vault = tmp_path / "vault"
    _text(vault / "in" / "secret.txt", "uno")
    _sidecar(vault, '[[records]]\nmatch = "in/*"\naccess = "closed"\n')
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "link.txt").symlink_to(vault / "in" / "secret.txt")
    (tmp_path / "door").symlink_to(vault / "in")
    assert _only(_discover(tmp_path / given)).record.access == CLOSED


def test_what_a_command_says_wins_over_the_sidecar(tmp_path: Path) -> None:
    _text(tmp_path / "one.txt", "uno")
    _sidecar(tmp_path, '[[records]]\nmatch = "*"\nprofile = "register"\n')
    record = _only(_discover(tmp_path, profile="newspaper", access=CLOSED, language="fr")).record
    assert (record.profile, record.access, record.language) == ("newspaper", CLOSED, "fr")


def test_ignored_files_are_counted_and_no_faults(tmp_path: Path) -> None:
    _text(tmp_path / "one.txt", "uno")
    (tmp_path / "one.truth.json").write_text("{}", encoding="utf-8")
    _text(tmp_path / "drafts" / "two.txt", "dos")
    _sidecar(tmp_path, 'ignore = ["*.json", "drafts"]\n')
    batch = _discover(tmp_path)
    assert (len(batch.accessions), batch.faults, batch.ignored) == (1, (), 2)


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("*.png", "a/b/x.png", True),
        ("a/*.png", "a/x.png", True),
        ("a/*.png", "a/b/x.png", False),
        ("a/**", "a/b/x.png", True),
        ("**/x.png", "x.png", True),
        ("x.p?g", "a/x.png", True),
        ("x[1].png", "x1.png", False),
        ("x[1].png", "x[1].png", True),
        ("drafts", "drafts/x.png", True),
        ("drafts", "mydrafts/x.png", False),
    ],
)
def test_globs_mean_what_they_say(glob: str, path: str, matches: bool) -> None:
    from pathlib import PurePosixPath

    assert sidecar.matches(glob, PurePosixPath(path)) is matches
