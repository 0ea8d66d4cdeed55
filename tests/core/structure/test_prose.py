"""Paragraphs, lists, captions and figures become what can be found and quoted."""

import pytest

from desktop.core.structure.signs import CONTEXT_SEPARATOR
from tests.fakes.drawn_page import DrawnPage, structure_page, style


def structured(page, **kinds):
    return structure_page(page.raw(), style(**kinds))


def pieces(page, kind, **kinds):
    _, units = structured(page, **kinds)
    return [unit for unit in units if unit.kind == kind]


def words_under(page, boxes):
    """The words whose middle lies in one of the boxes."""
    words = page.words()
    found = []
    for text, (x0, y0, x1, y1) in zip(words.texts, words.boxes, strict=True):
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in boxes):
            found.append(text)
    return " ".join(found)


SENTENCES = [
    "The panel is powered through terminal J1C. It draws at most 1.5 A while",
    "the relays are open, e.g. after a reset, and 2.0 A while they are closed.",
    "Before you open the housing, switch the mains off and wait for five minutes.",
    "The capacitors keep their charge for that long even without the battery.",
]


def test_a_paragraph_is_cut_between_sentences_only():
    page = DrawnPage().paragraph(SENTENCES, 72, 200)
    units = pieces(page, "paragraph")
    assert len(units) > 1
    assert " ".join(unit.text for unit in units) == " ".join(SENTENCES)
    assert all(unit.text.endswith(".") and unit.text[0].isupper() for unit in units)


def test_the_boxes_of_a_piece_hold_exactly_its_words():
    page = DrawnPage().paragraph(SENTENCES, 72, 200).paragraph(["Close the cover."], 72, 300)
    for unit in pieces(page, "paragraph"):
        assert words_under(page, unit.boxes) == unit.text


def test_each_item_of_a_list_is_a_piece_with_the_sentence_it_completes():
    page = DrawnPage().line("Before service, disconnect:", 72, 200)
    page.region("text", (70, 198, 300, 214))
    page.paragraph(["• the mains", "• the battery G1"], 90, 225)
    mains, battery = pieces(page, "item")
    assert (mains.text, battery.text) == ("• the mains", "• the battery G1")
    assert mains.context == battery.context == "Before service, disconnect:"
    assert battery.header_boxes == ((72, 200, 72 + 5 * 27, 212),)


def test_an_item_of_two_lines_stays_whole():
    page = DrawnPage()
    page.paragraph(["1. Loosen the screw", "   of the cover.", "2. Lift it."], 90, 225)
    assert [unit.text for unit in pieces(page, "item")] == [
        "1. Loosen the screw of the cover.",
        "2. Lift it.",
    ]


def test_a_list_under_another_heading_does_not_take_the_lead_in_from_above():
    page = DrawnPage().line("Before service, disconnect:", 72, 200)
    page.line("Parts", 72, 240, size=14, bold=True).paragraph(["• Fuse", "• Relay"], 90, 270)
    assert all("disconnect" not in unit.context for unit in pieces(page, "item"))


def test_a_figure_can_be_found_by_its_caption_and_by_its_labels():
    page = DrawnPage().image((72, 200, 400, 400)).region("picture", (72, 200, 400, 400))
    page.line("RS-485", 100, 250).line("Figure 3: Wiring of the bus", 72, 410)
    (label,) = pieces(page, "label")
    assert "RS-485" in label.text
    assert "Wiring of the bus" in label.context
    assert label.boxes == ((72, 200, 400, 400),)
    (caption,) = pieces(page, "caption")
    assert "RS-485" in caption.context


def test_a_picture_nobody_recognised_is_shown_for_its_caption():
    picture = (72, 200, 400, 400)
    page = DrawnPage().image(picture).line("Figure 3: The front panel", 72, 410)
    (caption,) = pieces(page.line("Figure 3 shows the keys.", 72, 440), "caption")
    assert caption.text == "Figure 3: The front panel"
    assert caption.context == "Figure 3 shows the keys."
    assert picture in caption.boxes


def test_a_picture_without_words_is_nothing_to_tell():
    page = DrawnPage().image((72, 200, 400, 400)).line("Figure 3", 72, 410)
    page.line("Open the valve.", 72, 440)
    _, units = structured(page)
    assert all(unit.text for unit in units)
    assert not [unit for unit in units if unit.kind == "label"]


def test_bullets_of_an_icon_font_alone_are_no_result():
    page = DrawnPage().line("\uf0b7", 72, 200).line("Open the valve.", 72, 300)
    _, units = structured(page)
    assert {unit.text for unit in units} == {"Open the valve."}


def test_a_window_does_not_reach_over_a_heading():
    page = DrawnPage().line("Open the valve.", 72, 150)
    page.line("Service", 72, 200, size=16, bold=True).line("Close the valve.", 72, 240)
    windows = pieces(page, "window")
    assert [window.text.split("\n")[-1] for window in windows] == [
        "Open the valve.",
        "Close the valve.",
    ]
    assert all(window.embed for window in windows)


def test_every_word_of_the_body_is_in_some_window():
    page = DrawnPage()
    for number in range(12):
        page.paragraph(SENTENCES[:2], 72, 120 + number * 50)
    windows = pieces(page, "window")
    assert len(windows) > 1
    assert " ".join(w.text.replace("\n", " ") for w in windows).split() == list(page.words().texts)


def test_a_page_without_words_has_nothing_and_does_not_fail():
    assert structured(DrawnPage()) == ((), ())


def test_the_context_begins_with_the_title_of_the_manual():
    page = DrawnPage().line("Open the valve.", 72, 200)
    (unit,) = pieces(page, "paragraph", title="HX-200")
    assert unit.context.split(CONTEXT_SEPARATOR)[0] == "HX-200"


def test_two_columns_are_read_one_after_the_other():
    page = DrawnPage()
    page.paragraph(["Left one goes", "on here."], 72, 200).paragraph(["Right."], 320, 200)
    page.paragraph(["Left two."], 72, 240).paragraph(["Right two goes", "on."], 320, 219)
    blocks, _ = structured(page)
    assert [block.text for block in blocks] == [
        "Left one goes on here.",
        "Left two.",
        "Right.",
        "Right two goes on.",
    ]


@pytest.mark.parametrize("number", ["2", "2."])
def test_the_number_of_a_step_that_stands_apart_is_put_before_its_words(number):
    page = DrawnPage().line(number, 48, 200, size=16).paragraph(SENTENCES[:2], 65, 205)
    page.region("section-header", (48, 200, 58, 220)).region("list-item", (64, 204, 400, 232))
    _, units = structure_page(page.raw(), style())
    (item,) = (unit for unit in units if unit.kind == "item")
    assert item.text == f"{number} {' '.join(SENTENCES[:2])}"


def test_a_number_far_from_a_text_is_not_its_own():
    page = DrawnPage().line("2", 48, 200).line("Close the valve.", 200, 200)
    page.region("text", (48, 200, 58, 215)).region("text", (200, 200, 400, 215))
    _, units = structure_page(page.raw(), style())
    assert [unit.text for unit in units if unit.kind != "window"] == ["Close the valve."]


def test_an_item_has_the_line_that_its_sentence_goes_on_with():
    page = DrawnPage().line("1. Check the pump. If there is no", 72, 200)
    page.line("condensate, look for leaks.", 90, 214).line("refill the gas.", 90, 250)
    page.line("Then start the pump and wait until the pressure no longer falls.", 90, 280)
    for box in ((70, 198, 400, 213), (88, 213, 400, 227)):
        page.region("list-item", box)
    blocks, _ = structured(page)
    assert [block.text for block in blocks] == [
        "1. Check the pump. If there is no condensate, look for leaks.",
        "refill the gas.",
        "Then start the pump and wait until the pressure no longer falls.",
    ]


def test_a_number_turned_in_the_margin_is_not_joined_with_the_step_at_its_height():
    page = DrawnPage().line("4. Turn the screw until the slot", 72, 200)
    page.line("points to 100 degrees.", 84, 213).turned("5851295", 60, 205)
    units = pieces(page.region("list-item", (55, 195, 400, 245)), "item")
    assert [unit.text for unit in units] == [
        "4. Turn the screw until the slot points to 100 degrees."
    ]


def test_a_figure_keeps_its_turned_labels():
    page = DrawnPage().line("Temperature", 150, 300).line("Chart", 150, 200)
    page.turned("Resistance", 90, 210)
    (label,) = pieces(page.region("picture", (80, 190, 400, 320)), "label")
    assert "Resistance" in label.text


@pytest.mark.parametrize("mark", ["\uf0a7", "\u25fc", "\u2756", "\u2610", "\ufffd", "\u21d2"])
def test_a_sign_alone_at_the_start_of_lines_opens_items(mark):
    page = DrawnPage().paragraph([f"{mark} Open the valve", f"{mark} Start the pump"], 72, 200)
    assert len(pieces(page, "item")) == 2


@pytest.mark.parametrize("rest", ["port match.", "2.Check the unit number."])
def test_an_item_beside_a_label_begins_at_its_number(rest):
    page = DrawnPage().line("Issue: no answer from the meter.", 30, 200)
    page.line("Action:", 30, 213).line("1. Make sure the baud rate and", 110, 213)
    page.line(rest, 122 if rest[0] == "p" else 110, 226).region("list-item", (25, 195, 400, 245))
    first, *items = pieces(page, "item") or pieces(page, "paragraph")
    assert first.text == "Issue: no answer from the meter. Action:"
    assert items[0].text.startswith("1. Make sure")


def test_labels_beside_each_other_in_a_drawing_are_quoted_one_by_one_and_whole():
    page = DrawnPage().paragraph(["M3 deep thread", "mounting holes"], 100, 200)
    page.paragraph(["M4 through", "holes"], 300, 200).line("Front", 200, 300)
    rows = pieces(page.region("picture", (90, 190, 420, 320)), "row")
    assert [row.text for row in rows] == [
        "M3 deep thread mounting holes",
        "M4 through holes",
        "Front",
    ]
    assert all(box[2] < 200 for box in rows[0].boxes)


def test_names_with_their_values_in_a_picture_stay_together():
    page = DrawnPage()
    for row, (name, value) in enumerate(
        (("Voltage", "24 V"), ("Current", "2 A"), ("Mode", "Auto"))
    ):
        page.line(name, 100, 200 + 20 * row).line(value, 250, 200 + 20 * row)
    rows = pieces(page.region("picture", (90, 190, 320, 280)), "row")
    assert [row.text for row in rows] == ["Voltage | 24 V", "Current | 2 A", "Mode | Auto"]


def test_a_number_that_closes_a_bracket_opens_no_item():
    lines = ["1. Connect PIN 4 (Control 1) and PIN 5 (Control", "2) to PIN 7", "2. Start the pump"]
    page = DrawnPage().paragraph(lines, 72, 200)
    assert [unit.text for unit in pieces(page, "item")] == [f"{lines[0]} {lines[1]}", lines[2]]


def test_the_number_of_a_part_at_the_beginning_of_a_line_begins_no_item():
    lines = ["• Slide the fence inward and lock the bevel lever", "(20) with the saw upright."]
    page = DrawnPage().paragraph(lines, 72, 200).region("list-item", (70, 198, 400, 230))
    assert [item.text for item in pieces(page, "item")] == [" ".join(lines)]


def test_a_sentence_goes_on_on_top_of_the_next_column():
    page = DrawnPage().paragraph(["Do not mount the unit", "and always connect the mains"], 72, 200)
    page.paragraph(["earth to the unit at once.", "Leave some space above it."], 320, 200)
    page.region("text", (70, 198, 300, 228)).region("text", (318, 198, 540, 228))
    assert "always connect the mains earth to the unit" in pieces(page, "paragraph")[0].text


def test_values_that_a_long_heading_line_reaches_over_are_of_the_names_on_their_lines():
    rows = [("Level", "Who", "Code"), ("0", "All", "none"), ("1", "We", "11")]
    page = DrawnPage().grid(rows, (70, 116, 225), 200)
    page.region("text", (68, 198, 245, 255)).region("text", (225, 214, 300, 255))
    first, second = (piece.text for piece in pieces(page, "row"))
    assert "none" in first
    assert "11" in second


def test_what_only_points_at_a_part_of_a_drawing_is_no_unit():
    page = DrawnPage().line("7", 100, 220).line("b", 150, 250).line("Filter F7", 200, 280)
    page.line("12", 240, 300).region("picture", (72, 200, 400, 320))
    assert [row.text for row in pieces(page, "row")] == ["Filter F7"]


def test_lines_that_are_alike_but_for_their_numbers_are_entries():
    lines = [
        f"Sanding belts {grit} grit (pack of 5). Part No: 65023{grit}" for grit in (60, 80, 90)
    ]
    page = DrawnPage().paragraph(lines, 72, 200).region("text", (70, 198, 400, 242))
    assert [piece.text for piece in pieces(page, "paragraph")] == lines


@pytest.mark.parametrize("plain", [0, 2])
def test_options_with_codes_alike_are_items_of_their_section_with_what_is_said_of_each(plain):
    page = DrawnPage().line("[006] System Options", 72, 180, bold=True)
    y = 200
    for number, name in enumerate(("Receiver 1", "Reserved", "Supervision"), 1):
        page.line(f"[{number}] {name} Default (ON)", 72, y, bold=number != plain)
        page.line(f"ON: {name} is enabled.", 90, y + 13)
        y += 28
    page.paragraph(
        [
            "[007] Name Server",
        ],
        72,
        y + 8,
        bold=True,
    ).line("Default (00)", 72, y + 22)
    said = [(u.kind, u.context, u.text) for u in structured(page)[1] if u.kind != "window"]
    assert (
        "item",
        "[006] System Options",
        "[1] Receiver 1 Default (ON) ON: Receiver 1 is enabled.",
    ) in said
    assert [kind for kind, _, _ in said].count("item") == 3
    assert ("paragraph", "[007] Name Server", "Default (00)") in said


def test_bullets_that_stand_in_no_region_open_the_items_beside_them():
    page = DrawnPage().line("Empty the tank in these steps:", 40, 100)
    page.region("text", (40, 98, 300, 114))
    lines = ["Close the valve.", "Put the hose into a drain.", "Press the start key."]
    for number, line in enumerate(lines):
        y = 120 + 14 * number
        page.line("•", 56, y).line(line, 72, y)
        page.region("text" if number == 0 else "list-item", (70, y - 1, 300, y + 12))
    _, units = structure_page(page.raw(), style())
    items = [unit for unit in units if unit.kind == "item"]
    assert [unit.text for unit in items] == [f"• {line}" for line in lines]
    assert all(unit.context.endswith("Empty the tank in these steps:") for unit in items)


def test_a_line_that_closes_an_open_bracket_goes_on_however_wide_the_lines_are_apart():
    page = DrawnPage().line("1. Enter the password (the default one is", 72, 200)
    page.line("12345678);", 72, 222).region("list-item", (70, 198, 400, 214))
    _, units = structure_page(page.region("text", (70, 220, 130, 236)).raw(), style())
    assert units[0].text == "1. Enter the password (the default one is 12345678);"


def test_lines_set_wide_apart_are_one_paragraph_while_a_sentence_goes_on():
    page = DrawnPage().line("The size of the balancer is 162 mm by 100 mm and its look", 72, 200)
    page.line("and the holes are shown in figure 3.", 72, 225).line("It has no button.", 72, 250)
    page.region("text", (70, 198, 600, 214)).region("text", (70, 223, 400, 239))
    _, units = structure_page(page.raw(), style())
    assert units[0].text == (
        "The size of the balancer is 162 mm by 100 mm and its look and the holes are shown in"
        " figure 3."
    )


def test_an_item_whose_lines_are_set_wide_apart_is_one_item_while_its_sentence_goes_on():
    page = DrawnPage().line("2. The wiring of the board and of all its drivers must be", 72, 200)
    page.line("carried out without power.", 72, 225).region("list-item", (70, 198, 600, 214))
    _, units = structure_page(page.region("text", (70, 223, 300, 239)).raw(), style())
    assert units[0].text == (
        "2. The wiring of the board and of all its drivers must be carried out without power."
    )
