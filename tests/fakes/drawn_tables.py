"""Tables drawn for tests: with a model's region, with lines all around, and their rows."""

from tests.fakes.drawn_page import DrawnPage, structure_page, style

COLUMNS = (72.0, 250.0, 400.0)
HEADER = ("Symptom", "Cause", "Remedy")
FUSE = ("No display", "Fuse F2 blown", "Replace by 5 A")
PUMP = ("Noise", "Air in pump", "Bleed at valve 3")


def table(page=None, *rows, header=HEADER, step=20.0, bold=True):
    """Draw a table that the layout model recognised, rows from 200 points down."""
    page = page or DrawnPage()
    y = 200.0
    page.row(header, COLUMNS, y, bold=bold)
    for row in rows:
        y += step
        page.row(row, COLUMNS, y)
    return page.region("table", (70, 195, 560, y + 15))


def rows_of(page, **kinds):
    _, units = structure_page(page.raw(), style(**kinds))
    return [unit for unit in units if unit.kind == "row"]


CODES = [(f"E{number}", f"Cause {number}", f"Part {number}") for number in range(41, 47)]
EDGES = (65.0, 245.0, 395.0, 560.0)


def grid(page, *rows, top=200.0, merged=(), edge=EDGES[2], kind="table"):
    """Draw cells with lines all around; rows in `merged` have none at an edge."""
    for number, row in enumerate(rows):
        y = top + 20 * number
        page.row(row, COLUMNS, y)
        for x in EDGES:
            if not (number in merged and x == edge):
                page.fence(x, y - 4, y + 16)
        page.rule(EDGES[0], EDGES[-1], y - 4)
    return page.region(kind, (EDGES[0], top - 4, EDGES[-1], top + 20 * len(rows)))


def parted_table():
    """Draw a table whose accuracy is told in two columns for some rows, headed by a bold one."""
    columns = (72.0, 152.0, 232.0, 322.0, 412.0)
    page = DrawnPage().row(("Function", "Range", "Accuracy", "", "Model"), columns, 200, bold=True)
    page.row(("DC", "6 V", "0.5 %", "", "114"), columns, 220)
    page.row(("", "", "45 Hz", "1 kHz", ""), columns, 240, bold=True)
    page.row(("AC", "6 V", "1.0 %", "2.0 %", "113"), columns, 260)
    page.row(("Low", "60 V", "1.5 %", "2.5 %", "113"), columns, 280)
    page.row(("Ohms", "6 k", "0.9 %", "", "117"), columns, 300)
    page.row(("Farads", "1 n", "1.9 %", "", "117"), columns, 320)
    for x in (66, 146, 226, 406, 500):
        page.fence(x, 196, 336)
    for y in range(196, 337, 20):
        page.rule(66, 500, y)
    return page.fence(316, 236, 296).region("table", (66, 196, 500, 336))


PINS = (("1", "+5V", "D4"), ("2", "GND", "C14"), ("3", "RESET_N", "B12"), ("4", "PB9", "A11"))
