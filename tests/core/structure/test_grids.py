"""A table that lines close in ends there, whatever the layout model saw."""

import pytest

from tests.fakes.drawn_page import DrawnPage, structure_page, style

COLUMNS = (72.0, 152.0, 232.0)
LEDS = (("LED1", "LED2", "Result"), ("On", "Off", "Ready"), ("Off", "Off", "Failed"))


def closed(page, rows, y):
    """Draw a table with lines on all sides, 20 points a row."""
    for number, cells in enumerate(rows):
        page.row(cells, COLUMNS, y + 4 + 20 * number)
    bottom = y + 20 * len(rows)
    for x in (66, 146, 226, 306):
        page.fence(x, y, bottom)
    for number in range(len(rows) + 1):
        page.rule(66, 306, y + 20 * number)
    return page


def rows_of(page):
    _, units = structure_page(page.raw(), style())
    return [(unit.context, unit.text) for unit in units if unit.kind == "row"]


def test_text_beside_a_closed_table_is_of_none_of_its_rows():
    page = closed(DrawnPage(), LEDS, 200).line("Never touch it.", 330, 224)
    page.region("table", (60, 195, 500, 270))
    assert rows_of(page) == [
        ("LED1 | LED2 | Result", "On | Off | Ready"),
        ("LED1 | LED2 | Result", "Off | Off | Failed"),
    ]


def test_a_heading_between_two_closed_tables_is_over_the_second():
    page = closed(DrawnPage().line("While it looks", 66, 180, bold=True), LEDS, 200)
    page.line("When it has looked", 66, 270, bold=True)
    page = closed(page, LEDS, 290).region("table", (60, 175, 320, 360))
    rows = rows_of(page)
    assert rows[0] == ("While it looks › LED1 | LED2 | Result", "On | Off | Ready")
    assert rows[3] == ("When it has looked › LED1 | LED2 | Result", "Off | Off | Failed")


def test_a_closed_table_in_what_was_seen_as_a_picture_has_rows():
    page = closed(DrawnPage(), LEDS, 200).line("Pump", 400, 210).line("Valve", 430, 240)
    page.region("picture", (60, 195, 500, 270))
    assert rows_of(page)[:2] == [
        ("LED1 | LED2 | Result", "On | Off | Ready"),
        ("LED1 | LED2 | Result", "Off | Off | Failed"),
    ]


def test_a_title_above_a_closed_table_stays_with_it():
    page = closed(DrawnPage().line("Signals", 150, 182, bold=True), LEDS, 200)
    rows = rows_of(page.region("table", (60, 178, 320, 270)))
    assert rows[0] == ("Signals › LED1 | LED2 | Result", "On | Off | Ready")


def test_a_closed_table_in_a_cell_of_another_leaves_that_as_it_is():
    page = DrawnPage().row(("Bandwidth", "100 MHz"), (72, 200), 180)
    page.line("Offset", 20, 204).region("table", (15, 175, 320, 290))
    page = closed(page, LEDS, 200).row(("Weight", "2 kg"), (20, 200), 272)
    texts = [text for _, text in rows_of(page)]
    assert "Bandwidth | 100 MHz" in texts
    assert "Weight | 2 kg" in texts


def menu(page, x, codes, y=200):
    """Draw a table of two columns with a heading above it and rules as wide as it is."""
    for number, cells in enumerate((("Parameter", "Code"), *codes)):
        page.row(cells, (x, x + 100), y + 4 + 20 * number)
        page.rule(x - 6, x + 140, y + 20 * number)
    page.rule(x - 6, x + 140, y + 20 * (len(codes) + 1))
    page.fence(x + 90, y, y + 20 * (len(codes) + 1))
    return page


def test_tables_side_by_side_that_were_seen_as_one_have_rows_of_their_own():
    page = DrawnPage().line("Settings", 72, 180, bold=True, size=12)
    page.line("Inputs", 272, 180, bold=True, size=12)
    page = menu(menu(page, 72, (("Ramp", "ACC"), ("Speed", "LSP"))), 272, (("Keypad", "LCC"),))
    page.region("section-header", (70, 178, 130, 196))
    page.region("section-header", (270, 178, 330, 196))
    page.region("table", (66, 198, 412, 262))
    assert rows_of(page) == [
        ("Settings › Parameter | Code", "Ramp | ACC"),
        ("Settings › Parameter | Code", "Speed | LSP"),
        ("Inputs › Parameter | Code", "Keypad | LCC"),
    ]


def test_cells_with_rules_of_their_own_stay_in_one_row():
    page = DrawnPage()
    rows = (("Ramp", "ACC", "3", "s"), ("Speed", "LSP", "0", "Hz"), ("Jog", "JOG", "5", "Hz"))
    for number, cells in enumerate(rows):
        page.row(cells, (72, 152, 232, 312), 204 + 20 * number)
        for x in (66, 146, 226, 306):
            page.rule(x, x + 74, 200 + 20 * number)
    page.region("table", (66, 198, 390, 262))
    assert [text for _, text in rows_of(page)] == [" | ".join(cells) for cells in rows]


def test_text_above_the_headings_of_one_of_two_tables_side_by_side_keeps_them_apart():
    page = DrawnPage().paragraph(["Call your dealer", "if this does not help."], 72, 160)
    page = menu(menu(page, 72, (("Ramp", "ACC"), ("Speed", "LSP"))), 272, (("Keypad", "LCC"),), 160)
    page.region("table", (66, 155, 412, 262))
    texts = [text for _, text in rows_of(page)]
    assert "Ramp | ACC" in texts
    assert "Keypad | LCC" in texts
    assert not any("ACC" in text and "LCC" in text for text in texts)


def test_a_table_of_frames_in_what_was_seen_as_a_picture_has_rows():
    parts = ("Screw thread", "Brass nut", "Washer", "Mounting plate")
    rows = (("Item", "Description"), *((str(n), part) for n, part in enumerate(parts, 1)))
    page = DrawnPage().line("7", 200, 120).line("8", 240, 150)
    page.shade((66, 200, 306, 300))
    for number, cells in enumerate(rows):
        y = 200 + 20 * number
        page.row(cells, (72, 126), y + 4, bold=not number)
        page.shade((66, y, 120, y + 20)).rule(120, 306, y)
    page.region("picture", (60, 110, 320, 305))
    named = [text for context, text in rows_of(page) if context == "Item | Description"]
    assert named == [" | ".join(row) for row in rows[1:]]


def test_frames_apart_in_rows_are_the_cells_of_a_table():
    told = [
        ("Problem", "Possible solution"),
        ("No keypad works", "Check the supply of the"),
        ("All lights stay on", "Turn the override"),
        ("One light stays on", "Fit another relay"),
    ]
    page = DrawnPage()
    for number, (problem, solution) in enumerate(told):
        y = 200 + 60 * number
        page.line(problem, 80, y, bold=number == 0).line(solution, 280, y, bold=number == 0)
        page.shade((72, y - 4, 230, y + 32)).shade((272, y - 8, 460, y + 36))
    page.line("control panel.", 280, 274)
    page.region("picture", (72, 192, 460, 420))
    assert rows_of(page) == [
        ("Problem | Possible solution", "No keypad works | Check the supply of the control panel."),
        ("Problem | Possible solution", "All lights stay on | Turn the override"),
        ("Problem | Possible solution", "One light stays on | Fit another relay"),
    ]


@pytest.mark.parametrize("seen", [("table", (142, 195, 320, 300)), ("text", (60, 195, 320, 270))])
def test_columns_that_were_seen_apart_are_of_the_table_that_lines_close_in(seen):
    rows = [(f"0x{n}A0", f"UINT{n}", f"Voltage {n}") for n in range(4)]
    rows = [("Address", "Type", "Content"), *rows]
    page = closed(DrawnPage(), rows, 200).region(*seen)
    assert [text for _, text in rows_of(page.region("page-footer", (60, 195, 120, 320)))] == [
        " | ".join(cells) for cells in rows[1:]
    ]


def test_a_frame_around_paragraphs_is_no_table():
    page = DrawnPage().paragraph(["Never touch the heater", "with bare hands."], 80, 210)
    page.paragraph(["Never open it while", "the fan is turning."], 80, 260)
    for x in (66, 306):
        page.fence(x, 200, 300)
    for y in (200, 250, 300):
        page.rule(66, 306, y)
    page.region("text", (70, 205, 300, 240)).region("text", (70, 255, 300, 290))
    assert rows_of(page) == []
