"""A caption belongs to its figure or table; a sentence about a figure is no caption."""

import pytest

from tests.fakes.drawn_page import DrawnPage, structure_page, style

PICTURE = (72.0, 200.0, 400.0, 330.0)


def structured(page):
    return structure_page(page.raw(), style())


def labels_of(page):
    _, units = structured(page)
    return [unit for unit in units if unit.kind == "label"]


@pytest.mark.parametrize(
    "text", ["Figure 62. Stacked connector", "Table 11: Pinout", "Abb. 3 Das Display", "Fig. 2.4"]
)
def test_what_names_a_figure_is_a_caption_though_it_looks_like_a_heading(text):
    page = DrawnPage().line("Wiring", 72, 100, size=14, bold=True)
    page.line(text, 72, 340, bold=True).region("section-header", (70, 338, 400, 354))
    page.region("section-header", (70, 98, 200, 118))
    page.line("Connect J1C first.", 72, 400)
    blocks, _ = structured(page)
    assert [(b.kind, b.section[0]) for b in blocks] == [
        ("heading", "Wiring"),
        ("caption", "Wiring"),
        ("text", "Wiring"),
    ]


@pytest.mark.parametrize(
    "text", ["Table 4 shows the ratings of the board.", "Abb. 3 zeigt die Tasten der Anlage."]
)
def test_a_sentence_about_a_figure_is_text(text):
    page = DrawnPage().line(text, 72, 200).region("caption", (70, 198, 500, 214))
    blocks, _ = structured(page)
    assert [b.kind for b in blocks] == ["text"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [("1) Tighten the three M8 nuts with 35 Nm.", "list"), ("1) Nuts of the motor", "caption")],
)
def test_a_numbered_step_below_a_picture_is_no_caption(text, kind):
    page = DrawnPage().line(text, 72, 340).region("caption", (70, 338, 500, 354))
    blocks, _ = structured(page)
    assert [b.kind for b in blocks] == [kind]


def test_a_caption_inside_the_region_of_a_picture_names_what_is_drawn_there():
    page = DrawnPage().line("Fig. 3.2 Log-in on a terminal", 80, 205).line("ENTER PIN", 120, 260)
    page.line("OK", 300, 290).region("picture", PICTURE)
    blocks, units = structured(page)

    assert [b.kind for b in blocks] == ["caption", "figure"]
    row = next(unit for unit in units if unit.text == "ENTER PIN")
    assert row.context == "Fig. 3.2 Log-in on a terminal"


def test_a_caption_of_two_lines_inside_a_picture_is_kept_together():
    page = DrawnPage().paragraph(["Fig. 3.2 Log-in on a terminal with", "the Duress Code"], 80, 205)
    page.line("ENTER PIN", 120, 280).region("picture", PICTURE)
    blocks, _ = structured(page)

    assert blocks[0].text == "Fig. 3.2 Log-in on a terminal with the Duress Code"


def test_a_figure_above_a_table_keeps_its_own_caption():
    page = DrawnPage().line("Power", 80, 250).region("picture", PICTURE)
    page.line("Figure 7. Front of the unit", 72, 340).line("Table 9. Ratings", 72, 380)
    for number, (name, value) in enumerate(
        (("Name", "Value"), ("Supply", "24 V"), ("Fuse", "5 A"))
    ):
        page.row((name, value), (72, 250), 400 + 16 * number, bold=not number)
    page.region("table", (70, 398, 400, 450))
    _, units = structured(page)

    assert [label.context for label in labels_of(page)] == ["Figure 7. Front of the unit"]
    rows = [unit.context for unit in units if unit.kind == "row"]
    assert rows == ["Table 9. Ratings › Name | Value"] * 2


def test_a_picture_is_not_named_by_the_caption_of_the_table_below_it():
    page = DrawnPage().line("Power", 80, 250).region("picture", PICTURE)
    page.line("Table 9. Ratings", 72, 380)
    for number, cells in enumerate((("Name", "Value"), ("Supply", "24 V"), ("Fuse", "5 A"))):
        page.row(cells, (72, 250), 400 + 16 * number, bold=not number)
    page.region("table", (70, 398, 400, 450))

    assert [label.context for label in labels_of(page)] == [""]


@pytest.mark.parametrize(
    ("sentence", "refers"),
    [
        ("As Figure 3-2 shows, the loom has two beams.", True),
        ("The loom has two beams (Fig. 3-2).", True),
        ("The loom of Figure 3-21 has two beams.", False),
        ("The loom of Table 3-2 has two beams.", False),
    ],
)
def test_a_figure_can_be_found_by_the_sentence_that_refers_to_it(sentence, refers):
    page = DrawnPage().line(f"Never touch the reed. {sentence}", 72, 150)
    page.line("Front beam", 120, 250).region("picture", PICTURE)
    (label,) = labels_of(page.line("Figure 3-2. Front of the loom", 72, 340))

    told = [sentence] if refers else []
    assert label.context.split(" › ") == [*told, "Figure 3-2. Front of the loom"]


def test_a_number_in_the_margin_and_the_words_beside_it_are_one_heading():
    page = DrawnPage().line("6.2.1", 72, 200, size=14, bold=True)
    page.line("Changing the date", 180, 200, size=14, bold=True)
    page.region("section-header", (70, 198, 110, 220)).region(
        "section-header", (178, 198, 400, 220)
    )
    blocks, _ = structured(page.line("Enter the date.", 180, 240))

    assert [b.text for b in blocks] == ["6.2.1 Changing the date", "Enter the date."]
    assert blocks[1].section == ("6.2.1 Changing the date",)


def test_prose_and_the_words_of_a_drawing_are_searched_apart_the_caption_with_the_drawing():
    page = DrawnPage().line("Never unplug a motor while it is on.", 72, 150)
    page.line("24v PSU", 120, 260).line("SSR Output", 300, 290).region("picture", PICTURE)
    page.line("Fig. 2 Wiring", 72, 340).region("caption", (70, 338, 400, 354))
    _, units = structured(page)

    windows = [unit.text for unit in units if unit.kind == "window"]
    assert windows[0] == "Never unplug a motor while it is on."
    assert "24v PSU" in windows[1]
    assert "Fig. 2 Wiring" in windows[1]


def test_a_figure_is_as_large_as_the_frames_that_are_largely_in_it():
    frame, of_page = (60.0, 195.0, 420.0, 300.0), (10.0, 10.0, 590.0, 790.0)
    page = DrawnPage().line("Check water pump", 120, 260).region("picture", PICTURE)
    (figure,) = labels_of(page.shade(frame).shade(of_page))
    assert figure.boxes == ((60.0, 195.0, 420.0, 330.0),)


def test_a_table_below_a_drawing_that_was_seen_as_one_picture_has_rows():
    page = DrawnPage().line("DRAW - OFF", 150, 210).line("COLD FEED", 260, 250)
    columns = (72, 150, 230, 310)
    page.row(("CODE", "LITRES", "HEIGHT", "KG"), columns, 300)
    for number in range(1, 6):
        cells = (f"AU {number}20", f"{number}20", f"{number}906", f"{number}5")
        page.row(cells, columns, 300 + 16 * number)
    page.region("picture", (72, 200, 400, 400))
    blocks, units = structured(page)
    assert [b.kind for b in blocks] == ["figure", "table"]
    rows = [unit.text for unit in units if unit.text.startswith("AU ") and unit.kind == "row"]
    assert rows[1] == "AU 220 | 220 | 2906 | 25"
    assert len(rows) == 5


@pytest.mark.parametrize("kind", ["picture", "table"])
def test_the_letters_over_a_picture_are_no_rows(kind):
    page = DrawnPage().grid((("A", "F"), ("B", "G"), ("C", "H"), ("D", "I")), (80, 300), 200)
    page.region(kind, (70, 190, 400, 320))

    _, units = structured(page)

    assert [unit.text for unit in units if unit.kind == "row"] == []


def test_a_row_of_letters_below_headings_is_one():
    page = DrawnPage().row(("Pin name", "Signal"), (80, 300), 200, bold=True)
    page.row(("A", "B"), (80, 300), 220).row(("C", "D"), (80, 300), 240)
    page.region("table", (70, 190, 400, 320))

    _, units = structured(page)

    assert "A | B" in [unit.text for unit in units if unit.kind == "row"]
