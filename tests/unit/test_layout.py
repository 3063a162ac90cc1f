"""Words to lines, columns and paragraphs by their places."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from rdfkms.ingest import layout
from rdfkms.ingest.columns import untangled
from rdfkms.model import Box, Reading, Word
from tests.tools.words import column, reading

PROSE = [
    "Que el procesado salió de su casa",
    "en la noche del día cinco y no volvió",
    "hasta mayo.",
]


def _paragraphs(found: Reading, *, vertical: bool = False) -> list[str]:
    lines = layout.lines_of(found.text, found.words, vertical=vertical)
    return [
        found.text[p.start : p.end]
        for p in layout.paragraphs(lines, lambda line: line.startswith("RESULTANDO"))
    ]


# ---- lines and paragraphs ------------------------------------------------------------------------


def test_lines_without_a_gap_are_one_paragraph() -> None:
    assert _paragraphs(reading(column(PROSE))) == ["\n".join(PROSE)]


def test_a_gap_after_a_sentence_begins_a_paragraph() -> None:
    found = _paragraphs(reading(column([*PROSE, "", "", "Otro asunto se trató", "después."])))
    assert found == ["\n".join(PROSE), "Otro asunto se trató\ndespués."]


def test_a_gap_inside_a_sentence_does_not() -> None:
    lines = column(PROSE[:2]) + column(PROSE[2:], y=100 + 40 * 2 + 20)
    assert len(_paragraphs(reading(lines))) == 1


def test_an_indented_line_after_a_full_stop_begins_a_paragraph() -> None:
    lines = column(PROSE) + column(["Otro asunto se trató con calma"], x=160, y=220)
    lines += column(["en la misma sala y hora."], y=260)
    assert len(_paragraphs(reading(lines))) == 2


def test_a_section_header_always_begins_a_paragraph() -> None:
    found = _paragraphs(reading(column(["Vistos los autos y", "RESULTANDO: Que salió"])))
    assert found == ["Vistos los autos y", "RESULTANDO: Que salió"]


def test_a_sentence_goes_on_in_the_next_column() -> None:
    lines = column(PROSE[:2]) + column(PROSE[2:], x=900)
    assert len(_paragraphs(reading(lines))) == 1


def test_a_speck_does_not_draw_the_sentence_of_another_column() -> None:
    lines = [*column(["M"], x=20, y=20), *column(PROSE[1:], x=600, y=400)]
    assert _paragraphs(reading(lines)) == ["M", "\n".join(PROSE[1:])]


def test_a_speck_far_from_its_line_does_not_widen_the_box() -> None:
    found = reading([[("|", 5, 100), ("El procesado salió", 300, 100), ("'", 900, 100)]])
    (line,) = layout.lines_of(found.text, found.words)
    assert (line.box.x, line.box.x + line.box.w) == (300, 300 + 14 * 18)
    assert line.text == "| El procesado salió '"


def test_columns_of_gives_a_box_for_each_column_that_lines_cross() -> None:
    boxes = [Box(100, 900, 300, 20), Box(100, 940, 300, 20), Box(500, 100, 300, 20)]
    assert layout.columns_of([(b, b) for b in boxes]) == (
        Box(100, 900, 300, 60),
        Box(500, 100, 300, 20),
    )


def _vertical(columns: list[str], top: int = 50) -> Reading:
    words, text = [], ""
    for number, glyphs in enumerate(columns):
        text += "\n" if number else ""
        for index, glyph in enumerate(glyphs):
            box = Box(800 - 60 * number, top + 44 * index, 40, 40)
            words.append(Word(len(text), len(text) + 1, box, 0.9, number, 0))
            text += glyph
    return Reading(text, tuple(words), "brush", "1")


def test_full_vertical_columns_run_on_and_a_short_one_ends_the_entry() -> None:
    found = _vertical(["元年春王正月公即位三月公", "及邾儀父盟于蔑。", "二年春公會戎于潛秋八月庚"])
    assert _paragraphs(found, vertical=True) == [
        "元年春王正月公即位三月公\n及邾儀父盟于蔑。",
        "二年春公會戎于潛秋八月庚",
    ]


def test_a_vertical_line_keeps_its_box_and_turns_its_flow() -> None:
    found = _vertical(["元年春", "二年夏"])
    first, second = layout.lines_of(found.text, found.words, vertical=True)
    assert first.box == Box(800, 50, 40, 128)
    assert layout.same_column(first.flow, second.flow)
    assert not layout.same_column(second.flow, first.flow)


# ---- columns that an engine mixed ----------------------------------------------------------------

LEFT = ["Presidente del Consejo", "Coronel Rovira Salas", "Vocales del mismo", "Capitán Aranda"]
RIGHT = ["Causa número 118", "Acusado: Andrés Vidal", "Fiscal: Óscar Mendía", "Defensor: Urrea"]
BODY = "En la plaza de Puerto Arán a catorce de marzo de mil novecientos treinta y nueve se reúne"


def _staggered(shift: int) -> list[list[tuple[str, int, int]]]:
    lines = []
    for number, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        y = 100 + 40 * number
        lines.append([(left, 100, y), (right, 700, y + shift)])
    return lines


def test_two_columns_read_as_one_are_put_in_order() -> None:
    found = untangled(reading([*_staggered(16), [(BODY, 100, 400)]]))
    assert found.text == "\n\n".join(("\n".join(LEFT), "\n".join(RIGHT), BODY))
    assert len({w.line for w in found.words}) == 9


def test_blocks_of_two_columns_out_of_order_are_put_in_order() -> None:
    left, right = column(LEFT, 100, 100), column(RIGHT, 700, 116)
    mixed = [left[0], right[0], right[1], left[1], left[2], right[2], left[3], right[3]]
    found = untangled(reading([*mixed, [(BODY, 100, 400)]]))
    assert found.text.replace("\n\n", "\n").split("\n") == [*LEFT, *RIGHT, BODY]


def test_specks_between_the_lines_follow_the_columns() -> None:
    lines = _staggered(16)
    lines[1] = [lines[1][0], (". '", 460, 150), lines[1][1]]
    found = untangled(reading([*lines, [(BODY, 100, 400)]]))
    assert found.text == "\n\n".join(("\n".join(LEFT), "\n".join(RIGHT), ". '", BODY))


def test_level_rows_of_a_table_stay_rows() -> None:
    found = reading([*_staggered(0), [(BODY, 100, 400)]])
    assert untangled(found) is found


def test_level_columns_of_running_text_are_parted() -> None:
    left = ["Que el procesado salió", "de su casa en la noche", "y no volvió hasta mayo"]
    right = ["La causa se vio ante", "el consejo de guerra que", "lo condenó a muerte"]
    lines = [
        [(a, 100, 100 + 40 * n), (b, 700, 100 + 40 * n)]
        for n, (a, b) in enumerate(zip(left, right, strict=True))
    ]
    assert untangled(reading(lines)).text == "\n".join(left) + "\n\n" + "\n".join(right)


def test_figures_at_the_end_of_rows_stay_with_them() -> None:
    names = ["Juan Pérez García", "Luis Soler Mas", "Ana Ferrer Quiles"]
    lines = [[(name, 100, 100 + 40 * n), (f"{n}20 45", 700, 112 + 40 * n)]
             for n, name in enumerate(names)]  # fmt: skip
    found = reading(lines)
    assert untangled(found) is found


def test_columns_read_one_after_the_other_are_left_alone() -> None:
    found = reading([*column(LEFT), *column(RIGHT, x=700, y=116), [(BODY, 100, 400)]])
    assert untangled(found) is found


def test_stories_of_two_columns_one_below_the_other_are_left_alone() -> None:
    upper = [*column(LEFT), *column(RIGHT, x=700, y=116)]
    lower = [*column(LEFT, y=500), *column(RIGHT, x=700, y=516)]
    found = reading([*upper, *lower])
    assert untangled(found) is found


@given(
    st.lists(
        st.lists(
            st.tuples(
                st.text("ab.,é漢", min_size=1, max_size=6).filter(str.strip),
                st.sampled_from([5, 100, 420, 700, 1100]),
                st.integers(0, 900),
            ),
            min_size=1,
            max_size=3,
        ),
        max_size=12,
    )
)
def test_ordering_loses_and_adds_no_word(lines: list[list[tuple[str, int, int]]]) -> None:
    before = reading(lines)
    after = untangled(before)
    assert Counter(before.text.split()) == Counter(after.text.split())
    kept = Counter((before.text[w.start : w.end], w.box) for w in before.words)
    assert kept == Counter((after.text[w.start : w.end], w.box) for w in after.words)
    assert all(a.end <= b.start for a, b in zip(after.words, after.words[1:], strict=False))
