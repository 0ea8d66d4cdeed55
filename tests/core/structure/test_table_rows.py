"""The cells of a row belong together though they wrap, or go over several rows."""

from dataclasses import replace
from itertools import pairwise

import pytest

from desktop.core.structure.cut_words import with_cuts
from desktop.core.structure.page import learn_style
from tests.fakes.drawn_page import DrawnPage, structure_page, style
from tests.fakes.drawn_tables import COLUMNS, EDGES, FUSE, HEADER, PUMP, rows_of, table


def test_a_row_is_highlighted_from_its_first_to_its_last_word():
    fuse, _ = rows_of(table(None, FUSE, PUMP))
    assert fuse.boxes == ((72, 220, 400 + 5 * len(FUSE[2]), 232),)


def test_a_cell_that_wraps_stays_in_its_row():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    page.row(("No display", "Fuse F2 blown by", "Replace"), COLUMNS, 220)
    page.row(("", "a short circuit", "by 5 A"), COLUMNS, 233)
    page.row(PUMP, COLUMNS, 255).region("table", (70, 195, 560, 270))
    fuse, pump = rows_of(page)
    assert fuse.text == "No display | Fuse F2 blown by a short circuit | Replace by 5 A"
    assert [box[1] for box in fuse.boxes] == [220, 233]
    assert pump.text.startswith("Noise")


def test_a_first_column_that_wraps_stays_in_its_row_when_the_others_are_longer():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    page.row(FUSE, COLUMNS, 220).row(PUMP, COLUMNS, 250).region("table", (70, 195, 560, 270))
    fuse, pump = rows_of(page)
    assert "Noise" not in fuse.text
    assert "Fuse" not in pump.text


def test_a_key_in_the_margin_stays_in_its_row():
    pages = [DrawnPage(n).line(str(n), 72, 20).raw() for n in range(6)]  # numbers at the top
    learnt = learn_style(pages, style())
    page = DrawnPage(3)
    for number in range(4):
        page.row((f"{54 + number}", "Vac high", "Cycle"), COLUMNS, 30 + 40 * number)
    page.line("12", 72, 8)
    _, units = structure_page(page.region("table", (70, 5, 560, 170)).raw(), learnt)
    rows = [unit.text for unit in units if unit.kind == "row"]
    assert rows[0] == "54 | Vac high | Cycle"
    assert len(rows) == 4


def test_words_that_a_narrow_cell_cuts_are_whole_in_a_ruled_table_of_two_rows():
    page = DrawnPage().line("Type ", 68, 204).line("C150 ", 115, 204).line("C190 ", 162, 204)
    page.paragraph(("Rated ", "curr", "ent ", "(amp) "), 68, 224)
    page.paragraph(("0.70~5.8", "7 "), 115, 232).paragraph(("1.35~11.", "09 "), 162, 232)
    for y in (200, 220, 282):
        page.rule(60, 210, y)
    for x in (60, 110, 160, 210):
        page.fence(x, 200, 282)
    raw = page.region("table", (60, 200, 210, 282)).raw()
    raw = replace(raw, words=with_cuts(raw.words, (), raw.spans))
    (row,) = [unit for unit in structure_page(raw, style())[1] if unit.kind == "row"]
    assert row.text == "Rated current (amp) | 0.70~5.87 | 1.35~11.09"
    assert row.context == "Type | C150 | C190"


def test_the_rest_of_a_word_that_the_first_cell_cuts_is_of_its_row():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    page.paragraph(("Fire fighting pro-", "cedures"), COLUMNS[0], 220)
    page.paragraph(("Use water", "or sand"), COLUMNS[1], 220)
    page.row(PUMP, COLUMNS, 255).region("table", (70, 195, 560, 270))
    raw = page.raw()
    raw = replace(raw, words=with_cuts(raw.words, {"procedures"}))
    first, *_ = (unit for unit in structure_page(raw, style())[1] if unit.kind == "row")
    assert first.text == "Fire fighting procedures | Use water or sand"


def spanned(page, rows, *, open_at=(), top=200.0):
    """Draw cells in a grid of lines; `open_at` has the rows, and the columns that nothing parts
    from the row above."""
    gaps = dict(open_at)
    for number, row in enumerate(rows):
        y = top + 20 * number
        page.row(row, COLUMNS, y)
        for x in EDGES:
            page.fence(x, y - 3.5, y + 15.5)
        for column, (left, right) in enumerate(pairwise(EDGES)):
            if column not in gaps.get(number, ()):
                page.rule(left, right, y - 4)
    bottom = top + 20 * len(rows) - 4
    page.rule(EDGES[0], EDGES[-1], bottom)
    return page.region("table", (EDGES[0], top - 4, EDGES[-1], bottom))


def test_a_cell_over_several_rows_names_each_of_them():
    rows = [HEADER, ("", "Fuse blown", "Replace it"), ("", "No mains", "Plug it in"), PUMP]
    page = spanned(DrawnPage(), rows, open_at=[(2, (0,))]).line("No display", 72, 230)
    found = rows_of(page)
    assert [row.text for row in found] == [
        "No display | Fuse blown | Replace it",
        "No display | No mains | Plug it in",
        " | ".join(PUMP),
    ]
    assert {row.context for row in found} == {"Symptom | Cause | Remedy"}


def over_two_rows(remark):
    columns = (72.0, 150.0, 250.0, 400.0)
    page = DrawnPage().row(("Code", "Class", "Cause", "Remedy"), columns, 200, bold=True)
    page.row(("E1", "A", "", "Wait"), columns, 220).row(("E2", "B", "", ""), columns, 240)
    page.row(("E3", "A", "Fuse", "Replace"), columns, 260).paragraph(remark, 250, 217)
    for x in (65, 145, 245, 395, 560):
        page.fence(x, 196, 276)
    for y in (196, 216, 256, 276):
        page.rule(65, 560, y)
    return page.rule(65, 245, 236).region("table", (65, 196, 560, 276))


def test_a_value_over_several_rows_is_told_with_each_of_them():
    first, second, _ = rows_of(over_two_rows(["Heat", "inside"]))
    assert first.text == "E1 | A | Heat inside | Wait"
    assert second.text == "E2 | B | Heat inside | Wait"
    assert second.context == "Code | Class | Cause | Remedy"


def test_an_explanation_over_several_rows_is_of_the_first():
    _, second, _ = rows_of(over_two_rows([" ".join("a" * 14)] * 3))
    assert second.text == "E2 | B | Wait"


def test_a_row_with_one_cell_of_its_own_has_what_stands_beside_it_too():
    rows = [HEADER, ("A+", "", ""), ("A-", "", ""), PUMP]
    page = spanned(DrawnPage(), rows, open_at=[(2, (1, 2))])
    page.line("Motor coil A", 250, 230).line("Green", 400, 230)
    assert [row.text for row in rows_of(page)][:2] == [
        "A+ | Motor coil A | Green",
        "A- | Motor coil A | Green",
    ]


def test_cells_far_apart_are_of_their_rows_though_no_line_parts_them():
    rows = [HEADER, FUSE, PUMP, ("Smell", "Belt slips", "Tighten it")]
    page = spanned(DrawnPage(), rows, open_at=[(2, (2,)), (3, (2,))])
    assert [row.text for row in rows_of(page)] == [" | ".join(row) for row in rows[1:]]


def test_headings_below_a_heading_over_them_stay_one_row():
    page = DrawnPage().line("Model", 72, 200).line("Voltage", 378, 200)
    page.row(("", "Least", "Most"), COLUMNS, 220)
    for number, row in enumerate((("A1", "10 V", "15 V"), ("B2", "20 V", "31 V")), 2):
        page.row(row, COLUMNS, 200 + 20 * number)
    for x in EDGES:
        page.fence(x, 216 if x == EDGES[2] else 196, 276)
    for y in (196, 236, 256, 276):
        page.rule(EDGES[0], EDGES[-1], y)
    page.rule(EDGES[1], EDGES[-1], 216).region("table", (EDGES[0], 196, EDGES[-1], 276))
    rows = rows_of(page)
    assert [row.text for row in rows] == ["A1 | 10 V | 15 V", "B2 | 20 V | 31 V"]
    assert rows[0].context == "Model | Voltage Least | Voltage Most"


def test_white_between_rows_tells_them_where_no_lines_do():
    page = DrawnPage().row(("Quantity", "Low", "High"), COLUMNS, 200, bold=True)
    names = (("Average output", "(W)"), ("Noise", "(dB)"), ("Standard deviation", "(%)"))
    for number, (name, unit) in enumerate(names):
        y = 222 + 34 * number
        page.row((name, f"{number}.1", f"{number}.7"), COLUMNS, y).line(unit, 72, y + 12)
    rows = rows_of(page.region("table", (70, 195, 560, 330)))
    assert [row.text for row in rows] == [
        f"{name} {unit} | {n}.1 | {n}.7" for n, (name, unit) in enumerate(names)
    ]


def causes(*rows):
    """Rows of problem, cause and remedy with white between them; the first cell may be empty."""
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    for number, row in enumerate(rows):
        page.row(row, COLUMNS, 230 + 30 * number)
    return [row.text for row in rows_of(page.region("table", (70, 195, 560, 420)))]


def test_a_problem_stands_beside_all_of_its_causes():
    found = causes(
        ("No water", "Valve closed", "Open it"),
        ("", "Filter blocked", "Clean it"),
        ("", "Hose bent", "Straighten it"),
        ("Noise", "Shaft worn", "Replace it"),
        ("", "Panel loose", "Tighten it"),
    )
    assert found == [
        "No water | Valve closed | Open it",
        "No water | Filter blocked | Clean it",
        "No water | Hose bent | Straighten it",
        "Noise | Shaft worn | Replace it",
        "Noise | Panel loose | Tighten it",
    ]


def test_a_problem_beside_the_middle_of_its_causes_is_not_told_with_another_one():
    found = causes(
        ("", "Valve closed", "Open it"),
        ("No water", "Filter blocked", "Clean it"),
        ("", "Hose bent", "Straighten it"),
        ("", "Shaft worn", "Replace it"),
        ("Noise", "Panel loose", "Tighten it"),
    )
    assert found[2:4] == ["Hose bent | Straighten it", "Shaft worn | Replace it"]


def test_rows_in_groups_stay_rows_though_white_parts_the_groups():
    page = DrawnPage().row(HEADER, COLUMNS, 200, bold=True)
    tops = [222 + 12 * n + 14 * (n // 3) for n in range(9)]
    for n, y in enumerate(tops):
        page.row((f"E{n}", f"Cause {n}", f"Part {n}"), COLUMNS, y)
    assert len(rows_of(page.region("table", (70, 195, 560, 380)))) == 9


SUPPLIES = [
    (("M-25", "115 V", "60 Hz", "11 A"), ("", "100 V", "50 Hz", "10 A")),
    (
        ("M-75", "200 V", "60 Hz", "12 A"),
        ("", "230 V", "50 Hz", "10 A"),
        ("", "240 V", "50 Hz", "9 A"),
    ),
    (("M-90", "400 V", "50 Hz", "6 A"), ("", "3/5 W", "60 Hz", "7 A")),
]


@pytest.mark.parametrize("lines", ["between the groups", "between the columns too", "none"])
def test_lines_of_values_below_one_name_are_rows_that_it_names(lines):
    columns, y = (72, 180, 280, 380), 200
    page = DrawnPage().row(("Unit", "Voltage", "Frequency", "Capacity"), columns, y, bold=True)
    for group in SUPPLIES:
        y += 26
        if lines != "none":
            page.rule(65, 460, y - 4)
        for number, cells in enumerate(group):
            y += 14 if number else 0
            page.row(cells, columns, y)
    if lines != "none":
        page.rule(65, 460, y + 16)
    for x in (65, 170, 270, 370, 460) if lines == "between the columns too" else ():
        page.fence(x, 196, y + 16)
    assert [row.text for row in rows_of(page.region("table", (65, 195, 460, y + 16)))] == [
        " | ".join((group[0][0], *cells[1:])) for group in SUPPLIES for cells in group
    ]


@pytest.mark.parametrize("rest", [("", "50 Hz", "60 Hz", "50 Hz"), ("", "(only in", "(not in", "")])
def test_cells_that_go_on_over_a_second_line_are_no_rows_of_their_own(rest):
    columns = (72, 180, 280, 380)
    page = DrawnPage().row(("Unit", "Europe", "Japan", "Asia"), columns, 200, bold=True)
    for number in range(3):
        y = 226 + 34 * number
        page.row((f"M-{number}5", "230 V", "100 V", "240 V"), columns, y).row(rest, columns, y + 14)
        page.rule(65, 460, y - 4)
    rows = rows_of(page.rule(65, 460, 324).region("table", (65, 195, 460, 325)))
    assert len(rows) == 3


def named_twice(second):
    """Draw a name of two lines beside two rows that no line parts below it; second: where."""
    page = DrawnPage().row(("Model", "A1", "B1"), COLUMNS, 200, bold=True)
    page.row(("Current", "1 A", "2 A"), COLUMNS, 220).row(("", "3 kW", "4 kW"), COLUMNS, 240)
    page.row(("", "5 HP", "6 HP"), COLUMNS, 260).row(("Mass", "7 kg", "8 kg"), COLUMNS, 280)
    page.line("Compressor", 72, 242).line("power", 72, second)
    for x in (65, 245, 395, 560):
        page.fence(x, 196, 296)
    for y in range(196, 297, 20):
        page.rule(245 if y == 256 else 65, 560, y)
    return rows_of(page.region("table", (65, 196, 560, 296)))


def test_a_name_of_two_lines_far_apart_names_both_of_its_rows():
    assert [row.text for row in named_twice(262.5)][1:3] == [
        "Compressor power | 3 kW | 4 kW",
        "Compressor power | 5 HP | 6 HP",
    ]


def test_the_boxes_of_a_row_leave_out_the_rows_between_its_centred_cells():
    columns = (72.0, 150.0, 250.0, 400.0)
    page = DrawnPage().row(("No.", "Object", "Kind", "Size"), columns, 200, bold=True)
    page.row(("", "Wind m/s", "", "2 byte"), columns, 220)
    page.row(("5", "Wind km/h", "Value", "4 byte"), columns, 240)
    page.row(("", "Wind bft", "", "1 byte"), columns, 260)
    for x in (65, 145, 245, 395, 560):
        page.fence(x, 196, 276)
    for y in (196, 216, 276):
        page.rule(65, 560, y)
    for y in (236, 256):
        page.rule(145, 245, y).rule(395, 560, y)
    last = rows_of(page.region("table", (65, 196, 560, 276)))[2]
    assert last.text == "5 | Wind bft | Value | 1 byte"
    assert not any(x0 < 160 < x1 and y0 < 246 < y1 for x0, y0, x1, y1 in last.boxes)


def test_the_rows_below_headings_that_no_lines_part_are_those_between_white():
    groups = (
        (("Upper thread", "1. Not threaded.", "1. Thread it."),
         ("breaks", "2. Tension too tight.", "2. Loosen it."),
         ("", "3. Needle damaged.", "3. Replace it.")),
        (("", "1. Needle damaged.", "1. Replace it."),
         ("Skipped stitches", "2. Wrong needle.", "2. Choose another."),
         ("", "3. Foot is loose.", "3. Attach it.")),
        (("Noise", "1. Lint in the hook.", "1. Clean the hook."),
         ("", "2. Needle damaged.", "2. Replace it.")),
    )  # fmt: skip
    columns = (72.0, 180.0, 360.0)
    page = DrawnPage().row(("Problem", "Cause", "Correction"), columns, 180, bold=True)
    for x, name in zip(columns, ("Problem", "Cause", "Correction"), strict=True):
        page.region("section-header", (x, 180, x + 5 * len(name), 192))
    y = 200.0
    for group in groups:
        page.grid(group, columns, y, step=12)
        for number, (name, *cells) in enumerate(group):
            for x, text in zip(columns, (name, *cells), strict=True):
                if text:
                    top = y + 12 * number
                    page.region("list-item", (x, top, x + 5 * len(text), top + 12))
        y += 12 * len(group) + 12
    rows = rows_of(page)
    assert {row.context for row in rows} == {"Problem | Cause | Correction"}
    assert [row.text for row in rows] == [
        "Upper thread breaks"
        " | 1. Not threaded. 2. Tension too tight. 3. Needle damaged."
        " | 1. Thread it. 2. Loosen it. 3. Replace it.",
        "Skipped stitches | 1. Needle damaged. 2. Wrong needle. 3. Foot is loose."
        " | 1. Replace it. 2. Choose another. 3. Attach it.",
        "Noise | 1. Lint in the hook. 2. Needle damaged. | 1. Clean the hook. 2. Replace it.",
    ]


def test_rows_whose_names_and_values_count_on_are_parted_though_no_rule_does():
    columns = (72.0, 160.0, 230.0, 300.0)
    page = DrawnPage().row(("Gel", "one", "two", "five"), columns, 204)
    page.row(("Thickness", "well", "wells", "wells"), columns, 224)
    page.row(("1.0 mm", "700 ml", "400 ml", "60 ml"), columns, 244)
    page.row(("1.5 mm", "900 ml", "600 ml", "70 ml"), columns, 260)
    for y in (200, 220, 240, 276):
        page.rule(66, 370, y)
    for x in (66, 150, 220, 290, 370):
        page.fence(x, 200, 276)
    rows = rows_of(page.region("table", (66, 200, 370, 276)))
    assert [row.text for row in rows][-2:] == [
        "1.0 mm | 700 ml | 400 ml | 60 ml", "1.5 mm | 900 ml | 600 ml | 70 ml",
    ]  # fmt: skip


def test_a_bold_line_between_two_rules_names_the_rows_below_it():
    page = DrawnPage()
    drawn = [("19", "Insulation", "29 mm"), ("Clamps", "", ""), ("81", "Clamp", "size 2")]
    for number, cells in enumerate([("12", "Insulation", "18 mm"), *drawn, ("82", "Clamp", "3")]):
        page.row(cells, COLUMNS, 200 + 16 * number, bold=not cells[1])
    for y in (197, 214, 262, 278):
        page.rule(65, 560, y)
    rows = rows_of(page.region("table", (65, 196, 560, 279)))
    assert [(row.context, row.text) for row in rows] == [
        ("", "12 | Insulation | 18 mm"),
        ("", "19 | Insulation | 29 mm"),
        ("", "Clamps"),
        ("Clamps", "81 | Clamp | size 2"),
        ("Clamps", "82 | Clamp | 3"),
    ]


def test_rules_that_part_the_rows_of_some_columns_tell_where_columns_are():
    drawn = [
        (65, ("No picture", "No mains at", "Insert the")),
        (None, ("on the screen", "the socket", "plug")),
        (245, ("", "Fuse blown", "Fit another")),
        (65, ("No sound", "Volume is low", "Turn it up")),
        (245, ("", "Cable broken", "Replace it")),
        (65, ("No light", "Lamp worn", "Replace it")),
    ]
    page = DrawnPage().row(HEADER, COLUMNS, 200)
    for number, (left, cells) in enumerate(drawn, start=1):
        page.row(cells, COLUMNS, 200 + 14 * number)
        if left is not None:
            page.rule(left, 560, 199 + 14 * number)
    page.rule(65, 560, 198).rule(65, 560, 299)
    rows = rows_of(page.region("table", (65, 197, 560, 300)))
    assert [row.text for row in rows] == [
        "No picture on the screen | No mains at the socket | Insert the plug",
        "No picture on the screen | Fuse blown | Fit another",
        "No sound | Volume is low | Turn it up",
        "No sound | Cable broken | Replace it",
        "No light | Lamp worn | Replace it",
    ]
    assert {row.context for row in rows} == {"Symptom | Cause | Remedy"}
