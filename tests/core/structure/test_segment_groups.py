"""Lines of text that were seen one by one, or apart, are put together."""

from desktop.core.structure.page import understand_page
from tests.fakes.drawn_page import DrawnPage, structure_page, style
from tests.fakes.drawn_tables import rows_of


def test_a_column_of_values_that_was_seen_apart_stays_with_its_lines_of_text():
    states = (
        ("000 M0 = shading is not ready yet,", "no lock by temperature"),
        ("001 M1 = shading is ready now,", "no lock by temperature"),
        ("100 M4 = shading is not ready yet,", "lock by temperature"),
        ("101 M5 = shading is ready now,", "lock by temperature"),
    )
    drawn = DrawnPage().grid(states, (72, 300), 200, step=14)
    drawn.region("text", (70, 195, 260, 260)).region("text", (295, 195, 430, 260))
    assert [row.text for row in rows_of(drawn)] == [" | ".join(state) for state in states]


def test_rows_that_the_pdf_wrote_one_by_one_are_a_table_without_a_model_too():
    page = DrawnPage()
    page.paragraph(["Code          Cause               Remedy"], 72, 200, bold=True)
    for number in range(3):
        line = f"E4{number}           Fuse F{number} blown       Replace"
        page.paragraph([line], 72, 216 + 16 * number)
    rows = rows_of(page)
    assert [row.text for row in rows] == [f"E4{n} | Fuse F{n} blown | Replace" for n in range(3)]
    assert {row.context for row in rows} == {"Code | Cause | Remedy"}


def test_names_and_the_values_beside_them_are_rows_though_seen_as_two_texts():
    page = DrawnPage()
    names = ("Voltage:", "Power:", "Weight:")
    page.paragraph(
        [
            f"{name:<30}{value}"
            for name, value in zip(names, ("230 V", "15 W", "2 kg"), strict=True)
        ],
        72,
        200,
    )
    page.region("text", (70, 195, 130, 245)).region("text", (210, 195, 330, 245))
    rows = rows_of(page)
    assert [row.text for row in rows] == ["Voltage: | 230 V", "Power: | 15 W", "Weight: | 2 kg"]
    assert {row.context for row in rows} == {""}


def test_two_columns_of_prose_stay_two_texts():
    left = "Turn the key to the left and wait."
    page = DrawnPage().paragraph([f"{left:<50}The lamp goes out again."] * 3, 72, 200)
    page.region("text", (70, 195, 270, 245)).region("text", (320, 195, 480, 245))
    blocks, _ = structure_page(page.raw(), style())
    assert [block.kind for block in blocks] == ["text", "text"]


def test_text_that_was_seen_over_two_columns_of_a_page_is_cut_between_them():
    page = DrawnPage()
    for x, names in ((72, ("INPUT", "OUTPUT")), (330, ("POWER", "FUSE"))):
        for y, name in zip((180, 230), names, strict=True):
            page.line(name, x, y, bold=True)
            page.region("section-header", (x, y, x + 5 * len(name), y + 12))
    page.row(("Input Impedance", "20k Ohms", "230 V at 50 Hz"), (72, 180, 330), 200)
    page.row(("Output Impedance", "100 Ohms", "T315mA for 115 V"), (72, 180, 330), 250)
    page.region("text", (70, 198, 150, 214)).region("text", (178, 198, 420, 214))
    page.region("text", (70, 248, 420, 264))
    units = understand_page(page.raw(), style()).units
    said = {(unit.context, unit.text) for unit in units if unit.kind != "window"}
    assert ("FUSE", "T315mA for 115 V") in said
    assert not any("Ohms" in text and "V" in text.split() for _, text in said)


def test_values_that_were_seen_one_by_one_stay_with_the_names_beside_them():
    lines = (
        ("Supply voltage range (BMV600S and BMV-602S)", "9.5 to 95 V"),
        ("Supply voltage range (BMV-600HS)", "60 to 385 V"),
        ("Input current range (with the supplied shunt)", "-500 to 500 A"),
        ("Operating temperature range", "-20 to 50 °C"),
    )
    page = DrawnPage().grid(lines, (72, 320), 200, step=12)
    page.region("text", (70, 198, 300, 250))
    for number in range(len(lines)):
        y = 200 + 12 * number
        page.region("list-item" if number > 1 else "text", (318, y, 390, y + 12))
    assert [row.text for row in rows_of(page)] == [" | ".join(line) for line in lines]


def test_names_in_one_column_and_values_in_another_stay_rows():
    names = ["Supply of the panel", "Fuse of the pump", "Weight of all"]
    page = DrawnPage().paragraph(names, 72, 200)
    page.paragraph(["24 V", "5 A", "20 kg"], 320, 200).region("text", (70, 198, 480, 240))
    _, units = structure_page(page.raw(), style())
    assert [unit.text for unit in units if unit.kind == "row"][-1] == "Weight of all | 20 kg"
