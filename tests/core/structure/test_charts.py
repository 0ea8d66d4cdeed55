"""The numbers along the axes of a chart are no quotation; numbers that name something stay."""

from tests.fakes.drawn_page import DrawnPage, structure_page, style


def units_of(page):
    _, units = structure_page(page.raw(), style())
    return [(unit.kind, unit.text) for unit in units if unit.kind != "window"]


def figure(page):
    return page.region("picture", (90, 95, 420, 330))


def test_of_a_chart_the_numbers_along_its_axes_are_left_out():
    page = DrawnPage()
    for step in range(6):
        page.line(f"{700 - 20 * step}", 100, 100 + 30 * step)
        page.line(f"{20 * step}", 140 + 40 * step, 280)
    page.line("Resistance in ohms", 110, 310).line("at 24 V", 250, 180)
    assert units_of(figure(page)) == [
        ("label", "at 24 V Resistance in ohms"),
        ("row", "at 24 V"),
        ("row", "Resistance in ohms"),
    ]


def test_numbers_in_front_of_words_are_the_keys_of_a_drawing():
    page = DrawnPage()
    for pin in range(1, 7):
        page.line(f"{pin}", 120 + 20 * pin, 100)
        page.line(f"{pin}", 120, 130 + 25 * pin).line(f"Signal {pin}", 160, 130 + 25 * pin)
    rows = [text for kind, text in units_of(figure(page)) if kind == "row"]
    assert "3 | Signal 3" in rows


def test_measures_of_a_drawing_are_no_axis():
    page = DrawnPage()
    for measure, x, y in (("38", 100, 100), ("120", 200, 100), ("25", 300, 100), ("60", 400, 100)):
        page.line(measure, x, y)
    for measure, y in (("12", 150), ("80", 190), ("45", 230), ("7", 270)):
        page.line(measure, 100, y)
    (label,) = (text for kind, text in units_of(figure(page)) if kind == "label")
    assert {"38", "120", "25", "60", "12", "80", "45", "7"} == set(label.split())
