"""A scanned page has words and nothing else; it is structured by where they stand."""

from desktop.core.structure.page import structure_page
from tests.fakes.drawn_page import DrawnPage, style


def structured(page):
    return structure_page(page.scanned(), style())


def test_lines_close_below_each_other_are_a_paragraph_and_others_are_not():
    page = DrawnPage().paragraph(["Open the valve and wait for", "ten minutes."], 72, 200)
    blocks, _ = structured(page.line("Close it.", 72, 300))
    assert [b.text for b in blocks] == ["Open the valve and wait for ten minutes.", "Close it."]


def test_a_line_in_larger_letters_is_a_heading():
    page = DrawnPage().line("Service", 72, 120, size=16).line("Close it.", 72, 300)
    blocks, _ = structured(page)
    assert [(b.kind, b.section) for b in blocks] == [
        ("heading", ("Service",)),
        ("text", ("Service",)),
    ]


def test_a_warning_is_recognised():
    page = DrawnPage().line("WARNUNG", 72, 200).line("Netz trennen.", 72, 216)
    blocks, _ = structured(page)
    assert [(b.warning, b.text) for b in blocks] == [("WARNING", "WARNUNG Netz trennen.")]


def test_a_recognised_table_keeps_its_header():
    page = DrawnPage().row(("Symptom", "Remedy"), (72, 300), 200)
    page.row(("No display", "Replace fuse F2"), (72, 300), 220)
    page.row(("Noise", "Bleed at valve"), (72, 300), 240).region("table", (70, 195, 560, 260))
    _, units = structured(page)
    rows = [unit for unit in units if unit.kind == "row"]
    assert [row.text for row in rows] == ["No display | Replace fuse F2", "Noise | Bleed at valve"]
    assert {row.context for row in rows} == {"Symptom | Remedy"}
