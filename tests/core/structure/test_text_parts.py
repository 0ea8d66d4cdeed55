"""Columns, entries and titles in a text that was seen as one."""

from tests.fakes.drawn_page import DrawnPage, structure_page, style


def structured(page):
    return structure_page(page.raw(), style())


def pieces(page, kind):
    return [unit for unit in structured(page)[1] if unit.kind == kind]


LEFT = ["TS2 - Inlet set (reducing valve,", "        relief valve)", "TS3 - Tundish for drain"]
RIGHT = ["EX19 - Vessel for all of 210", "        litres", "TS27 - Single control stat"]


def test_a_list_set_in_two_columns_is_no_table_and_its_hanging_lines_are_no_entries():
    page = DrawnPage().paragraph([*LEFT, "TS9 - Heater"], 72, 200)
    page.paragraph([*RIGHT, "T021 - Sensor pocket"], 320, 200).region("text", (70, 198, 480, 254))
    _, units = structure_page(page.raw(), style())
    assert [unit.text for unit in units if unit.kind != "window"] == [
        "TS2 - Inlet set (reducing valve, relief valve)",
        "TS3 - Tundish for drain",
        "TS9 - Heater",
        "EX19 - Vessel for all of 210 litres",
        "TS27 - Single control stat",
        "T021 - Sensor pocket",
    ]


def test_a_numbered_list_that_was_seen_across_its_columns_is_read_down_them():
    page = DrawnPage().paragraph(["1. Focus carriage", "2. Bearing", "3. Mirror"], 72, 200)
    page.paragraph(["4. Motor and", "drive gear", "5. Belt"], 250, 200)
    page.paragraph(["6. Shaft", "7. Rail (arm)"], 420, 200)
    page.region("list-item", (70, 198, 350, 240))
    page.region("list-item", (415, 198, 500, 210)).region("list-item", (415, 211, 500, 225))
    assert [item.text for item in pieces(page, "item")] == [
        "1. Focus carriage",
        "2. Bearing",
        "3. Mirror",
        "4. Motor and drive gear",
        "5. Belt",
        "6. Shaft",
        "7. Rail (arm)",
    ]


def test_the_entries_of_a_legend_in_columns_are_items_with_all_their_lines():
    legend = (
        ("1 – Bus terminal", "4 – Terminals", "7 - Mains terminals"),
        ("2 – Programming key", "5 – Green channel LED", "(auxiliary voltage)"),
        ("3 – Red LED", "6 – Keys", ""),
    )
    page = DrawnPage().grid(legend, (72, 230, 400), 200, step=14)
    page.region("list-item", (70, 198, 330, 212)).region("list-item", (225, 200, 520, 228))
    texts = {item.text for item in pieces(page, "item")}
    assert texts == {
        "1 – Bus terminal", "2 – Programming key", "3 – Red LED", "4 – Terminals",
        "5 – Green channel LED", "6 – Keys", "7 - Mains terminals (auxiliary voltage)",
    }  # fmt: skip


def test_names_that_stand_out_on_the_left_begin_an_entry_each():
    lines = (
        ("Al:", "Alarm low voltage. When the voltage falls below this"),
        ("", "value, the alarm is turned on."),
        ("Alc:", "Clear low voltage alarm. It is turned off above it."),
        ("Ah:", "Alarm high voltage. When the voltage rises above this"),
        ("", "value, the alarm is turned on."),
        ("Ahc:", "Clear high voltage alarm. It is turned off below it."),
        ("", "It must be less than Ah."),
    )
    page = DrawnPage().grid(lines, (72, 110), 200, step=12)
    texts = [item.text for item in pieces(page.region("list-item", (70, 198, 400, 290)), "item")]
    assert texts == [
        "Al: Alarm low voltage. When the voltage falls below this value, the alarm is turned on.",
        "Alc: Clear low voltage alarm. It is turned off above it.",
        "Ah: Alarm high voltage. When the voltage rises above this value, the alarm is turned on.",
        "Ahc: Clear high voltage alarm. It is turned off below it. It must be less than Ah.",
    ]


def test_a_line_left_of_an_item_is_no_part_of_it():
    page = DrawnPage().paragraph(["• Save the left side."], 72, 240)
    page.line("Outside corner", 60, 254).line("• Mitre right.", 72, 268)
    page.region("list-item", (58, 238, 200, 266)).region("list-item", (70, 266, 200, 280))
    texts = [unit.text for unit in structured(page)[1] if unit.kind != "window"]
    assert texts == ["• Save the left side.", "Outside corner", "• Mitre right."]


def test_a_line_in_bold_larger_print_inside_a_text_heads_what_follows():
    page = DrawnPage().line("BYPASS (4d): ON - OFF", 72, 200, size=12, bold=True)
    page.line("The bypass connects the input with the output.", 72, 216)
    page.line("POWER LED (4e):", 72, 232, size=12, bold=True)
    page.line("The unit is on when it is lit.", 72, 248).region("text", (70, 198, 400, 262))
    said = {(unit.context, unit.text) for unit in structured(page)[1]}
    assert ("POWER LED (4e):", "The unit is on when it is lit.") in said


def test_larger_names_without_prose_between_them_are_no_headings():
    page = DrawnPage().line("HX-200", 70, 200, size=20, bold=True)
    page.line("Booster pump station", 72, 226).line("K2", 72, 242, size=20, bold=True)
    page.line("Motor", 72, 266).region("text", (70, 198, 400, 280))
    assert not pieces(page, "heading")


FAULTS = (
    ("Wait and start it again.", False),
    ("Machine vibrates", True),
    ("*Stand on uneven floor: level it", False),
    ("*Defective blade: replace it", False),
    ("Wood kicked", True),
    ("back", True),
    ("*Fence not aligned: adjust it", False),
)


def test_lines_in_bold_head_what_is_listed_below_them():
    page = DrawnPage()
    for number, (text, bold) in enumerate(FAULTS):
        page.line(text, 72, 200 + 14 * number, bold=bold)
    page.region("text", (70, 190, 400, 310))

    assert [unit.text for unit in pieces(page, "heading")] == [
        "Machine vibrates",
        "Wood kicked back",
    ]


def test_a_word_in_bold_within_a_sentence_heads_nothing():
    page = DrawnPage().line("Hold down the key", 72, 200).line("Start", 72, 214, bold=True)
    page.line("until the lamp is green.", 72, 228).region("text", (70, 190, 400, 240))

    assert pieces(page, "heading") == []


def test_a_heading_over_two_lines_that_were_seen_apart_is_one():
    page = DrawnPage().line("Material is kicked back from", 72, 200, bold=True)
    page.line("the blade", 60, 213, bold=True).line("Align the fence.", 72, 230)
    page.region("section-header", (60, 198, 400, 212))
    page.region("section-header", (50, 212, 400, 226))

    assert [unit.text for unit in pieces(page, "heading")] == [
        "Material is kicked back from the blade"
    ]


def test_settings_are_below_their_names_where_one_is_set_like_a_heading():
    page = DrawnPage()
    for number, (name, said) in enumerate(
        (("Shunt gain", "Range: 0.1 - 1"), ("Shunt wait", "Range: 10 - 300"))
    ):
        page.line(name, 72, 200 + 40 * number, size=11, font="Oblique")
        page.line(said, 72, 220 + 40 * number, font="Light")
    page.paragraph(
        ["Here the gain and the wait are set", "for cooling."] * 4, 72, 320, font="Light"
    )
    page.region("section-header", (70, 198, 200, 214)).region("text", (70, 218, 200, 274))
    page.region("text", (70, 318, 400, 430))
    blocks, _ = structured(page)
    assert [block.section[-1] for block in blocks if block.text.startswith("Range")] == [
        "Shunt gain",
        "Shunt wait",
    ]


def test_two_columns_with_bold_names_that_were_seen_as_one_text_are_cut_apart():
    page = DrawnPage()
    for x, names in ((72, ("INPUT", "OUTPUT", "NOISE")), (320, ("POWER", "FUSE", "CASE"))):
        for number, name in enumerate(names):
            y = 200 + 50 * number + x / 40
            page.line(name, x, y, size=12, bold=True)
            for place, said in enumerate(("lowest", "highest")):
                page.line(f"{name.title()} {said} level", x, y + 14 + 13 * place)
                page.line(f"{place} V", x + 150, y + 14 + 13 * place)
    page.region("text", (70, 195, 500, 360))
    rows = [(unit.context, unit.text) for unit in pieces(page, "row")]
    assert rows[:2] == [
        ("INPUT", "Input lowest level | 0 V"),
        ("INPUT", "Input highest level | 1 V"),
    ]
    told = [context for context, _ in rows]
    assert told[::2] == ["INPUT", "OUTPUT", "NOISE", "POWER", "FUSE", "CASE"]


def test_a_text_that_was_seen_around_a_heading_ends_above_it():
    page = DrawnPage().paragraph(["The first sum is taken", "and turned round."], 72, 200)
    page.line("2.4 Check sum", 72, 240, bold=True).line("All letters are summed up here.", 72, 260)
    page.region("text", (70, 195, 300, 280)).region("section-header", (70, 238, 160, 254))
    page.region("text", (72, 213, 200, 226))
    blocks, _ = structured(page)
    assert [(b.kind, b.text) for b in blocks] == [
        ("text", "The first sum is taken and turned round."),
        ("heading", "2.4 Check sum"),
        ("text", "All letters are summed up here."),
    ]


def test_texts_above_and_below_an_image_are_two():
    page = DrawnPage().line("The settings are shown in the picture below.", 72, 200)
    page.image((80, 220, 300, 320)).line("You can choose the filter from the list.", 72, 334)
    page.region("text", (70, 195, 320, 350))
    blocks, _ = structured(page)
    assert [block.text for block in blocks if block.text] == [
        "The settings are shown in the picture below.",
        "You can choose the filter from the list.",
    ]


def test_the_first_line_of_a_bold_step_is_no_heading():
    page = DrawnPage().line("Cards", 72, 180, bold=True, font="Bold")
    page.paragraph(
        ["Remove the screws of the cover (rear", "panel)."], 72, 200, bold=True, font="Bold"
    )
    page.paragraph(["Keep them; the cover protects", "the card."] * 4, 72, 240, font="Light")
    page.region("section-header", (70, 178, 140, 194)).region("text", (70, 198, 300, 350))
    blocks, _ = structured(page)
    assert [block.text for block in blocks if block.kind == "heading"] == ["Cards"]
