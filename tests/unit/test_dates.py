"""Numbers in words and time expressions of four languages."""

from __future__ import annotations

from datetime import date

import pytest

from rdfkms.knowledge import dates, eras, lexicons

ISSUED = date(1851, 3, 14)  # a Friday


@pytest.mark.parametrize(
    ("words", "language", "value"),
    [
        ("treinta y dos", "es", 32),
        ("cuarenta y un", "es", 41),
        ("veintitrés", "es", 23),
        ("veintitres", "es", 23),
        ("mil novecientos treinta y nueve", "es", 1939),
        ("mil noveclentos cuarenta", "es", 1940),  # one letter misread
        ("vingt-deux", "fr", 22),
        ("vingt et un", "fr", 21),
        ("soixante-dix-huit", "fr", 78),
        ("quatre-vingts", "fr", 80),
        ("quatre-vingt-dix-neuf", "fr", 99),
        ("mil huit cent cinquante-deux", "fr", 1852),
        ("thirty-two", "en", 32),
        ("eighteen hundred and fifty", "en", 1850),
        ("XIV", "es", 14),
        ("MCMXXXIX", "es", 1939),
        ("32", "es", 32),
        ("二十三", "lzh", 23),
        ("三百二十", "lzh", 320),
        ("元", "lzh", 1),
    ],
)
def test_numbers_in_words_are_read(words: str, language: str, value: int) -> None:
    assert dates.number(words, language) == value


@pytest.mark.parametrize("words", ["", "de la", "muchos", "IIII", "treinta y perro", "x" * 5000])
def test_what_is_no_number_gives_none(words: str) -> None:
    assert dates.number(words, "es") is None


@pytest.mark.parametrize(
    ("words", "language", "edtf"),
    [
        ("catorce de marzo de mil novecientos\ntreinta y nueve", "es", "1939-03-14"),
        ("14 de marzo de 1939", "es", "1939-03-14"),
        ("mayo de mil novecientos treinta y seis", "es", "1936-05"),
        ("3-VI-1937", "es", "1937-06-03"),
        ("hacia 1890", "es", "1890~"),
        ("los siete días del mes de febrero de 1939", "es", "1939-02-07"),
        ("día 3 de mayo de 1938", "es", "1938-05-03"),
        ("1er septembre 1852", "fr", "1852-09-01"),
        ("12 thermidor an VI", "fr", "1798-07-30"),
        ("le trois brumaire an huit", "fr", "1799-10-25"),
        ("thermidor an II", "fr", "1794-07-19/1794-08-17"),
        ("March 14, 1851", "en", "1851-03-14"),
        ("14 March 1851", "en", "1851-03-14"),
        ("1930s", "en", "193X"),
        ("貞觀三年春正月", "lzh", "0629"),
    ],
)
def test_dates_become_edtf(words: str, language: str, edtf: str) -> None:
    assert dates.edtf(words, language) == edtf


@pytest.mark.parametrize(
    ("words", "edtf"),
    [
        ("mardi dernier", "1851-03-11"),
        ("hier matin", "1851-03-13"),
        ("hier jeudi", "1851-03-13"),
        ("ce soir", "1851-03-14"),
        ("le 9 janvier", "1851-01-09"),
        ("le 9 novembre", "1850-11-09"),
        ("le 20 mars", "1851-03-20"),
        ("vendredi dernier", "1851-03-07"),
        ("lundi prochain", "1851-03-17"),
        ("le 9 du mois courant", "1851-03-09"),
        ("le 3 du mois dernier", "1851-02-03"),
        ("le 2 janvier dernier", "1851-01-02"),
        ("hier", "1851-03-13"),
    ],
)
def test_relative_days_need_and_use_the_date_of_issue(words: str, edtf: str) -> None:
    assert dates.edtf(words, "fr", ISSUED) == edtf
    assert dates.edtf(words, "fr") is None


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("treinta de febrero de 1939", "es"),
        ("31 thermidor an VI", "fr"),
        ("12 thermidor an XL", "fr"),
        ("昌寧元年春正月", "lzh"),
        ("tiempo inmemorial", "es"),
    ],
)
def test_what_is_not_understood_keeps_its_words_only(words: str, language: str) -> None:
    value = dates.time_value(words, language)
    assert dates.edtf(words, language) is None
    assert (value.datatype, value.lexical, value.verbatim) == ("string", words, words)


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("mercredi", "fr"),  # past or to come: the words do not say
        ("mardi soir", "fr"),
        ("hier encore", "fr"),
        ("ce", "fr"),
        ("ce", "es"),
        ("mai", "fr"),
        ("quince días de marzo de 1940", "es"),  # a span of time
        ("los 9 janvier", "fr"),
    ],
)
def test_what_names_no_day_stays_in_words(words: str, language: str) -> None:
    assert dates.edtf(words, language, ISSUED) is None


def test_a_day_without_a_year_is_the_nearest_one() -> None:
    assert dates.edtf("le 9 janvier", "fr", date(1851, 12, 28)) == "1852-01-09"
    assert dates.edtf("le 29 février", "fr", date(1852, 1, 3)) == "1852-02-29"


@pytest.mark.parametrize(
    ("words", "edtf"),
    [
        ("建炎三年二月甲寅", "1129"),
        ("建中靖國元年", "1101"),
        ("建中二年", "0781"),
        ("大中祥符 六年", "1013"),
        ("康熙六十一年十一月", "1722"),
        ("竟寧元年", "-0032"),
        ("萬曆二十有三年", "1595"),
        ("民國二十六年七月七日", "1937-07-07"),
        ("民國元年", "1912"),
        ("民國三年十二月", "1914-12"),
        ("一九三七年七月七日", "1937-07-07"),
        ("公元一九三七年", "1937"),
        ("1949年10月1日", "1949-10-01"),
    ],
)
def test_chinese_dates_become_edtf_and_keep_their_words(words: str, edtf: str) -> None:
    value = dates.time_value(words, "lzh")
    assert (value.lexical, value.datatype) == (edtf, "edtf")
    assert value.verbatim == "".join(words.split())  # months of the moon and day names stay there


@pytest.mark.parametrize(
    "words",
    ["甲子", "明年", "是歲", "三年", "永和九年", "民國二十六年十三月", "貞觀元", "一九三七年十三月",
     "年", "貞觀百一年"],
)  # fmt: skip
def test_chinese_words_that_name_no_known_year_stay_in_words(words: str) -> None:
    assert dates.edtf(words, "lzh") is None
    assert dates.time_value(words, "lzh").verbatim == words


def test_the_sixty_day_names_are_known() -> None:
    assert eras.is_sexagenary("甲子")
    assert eras.is_sexagenary("癸亥")
    assert not eras.is_sexagenary("甲丑")
    assert not eras.is_sexagenary("甲")


def test_no_era_name_stands_twice_and_the_years_are_years() -> None:
    rows = lexicons.rows("eras")
    assert len({row[0] for row in rows}) == len(rows) > 150
    assert all(-200 < int(row[1]) < 1950 for row in rows if len(row) > 1 and row[1])


@pytest.mark.parametrize(
    ("words", "language", "edtf"),
    [
        ("an VIII", "fr", "1799-09-23/1800-09-22"),
        ("l'an 2 de la République française", "fr", "1793-09-22/1794-09-21"),
        ("décadi 20 brumaire an II", "fr", "1793-11-10"),
        ("20 brumaire an II de la République", "fr", "1793-11-10"),
        ("3e jour complémentaire an V", "fr", "1797-09-19"),
        ("sixième jour complémentaire an III", "fr", "1795-09-22"),
        ("de 1931 à 1936", "fr", "1931/1936"),
        ("du 3 mars 1851 au 5 mai 1851", "fr", "1851-03-03/1851-05-05"),
        ("desde mayo de 1936 hasta marzo de 1939", "es", "1936-05/1939-03"),
        ("entre 1931 y 1936", "es", "1931/1936"),
        ("from 1850 to 1852", "en", "1850/1852"),
        ("1931-1936", "es", "1931/1936"),
        ("a mediados de mayo de 1938", "es", "1938-05"),
        ("a fines de 1938", "es", "1938"),
        ("vers la fin de mars 1851", "fr", "1851-03"),
        ("late March 1851", "en", "1851-03"),
        ("summer of 1851", "en", "1851-22"),
        ("printemps 1851", "fr", "1851-21"),
        ("otoño de 1937", "es", "1937-23"),
        ("siglo XIX", "es", "18XX"),
        ("XVIIIe siècle", "fr", "17XX"),
        ("the 19th century", "en", "18XX"),
    ],
)
def test_spans_parts_seasons_and_the_republican_calendar(
    words: str, language: str, edtf: str
) -> None:
    assert dates.edtf(words, language) == edtf


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("an 8", "fr"),
        ("an XX", "fr"),
        ("6e jour complémentaire an V", "fr"),
        ("de 1936 à 1931", "fr"),
        ("entre mar y tierra", "es"),
        ("otoño", "es"),
        ("siglo LX", "es"),
        ("1936-1931", "es"),
    ],
)
def test_what_only_looks_like_one_is_none(words: str, language: str) -> None:
    assert dates.edtf(words, language) is None
