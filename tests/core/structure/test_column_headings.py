"""What is observed of a table's first row, and what was learnt of it."""

import pytest

from desktop.core.structure.column_headings import OBSERVATIONS, heads_columns, observed
from desktop.core.structure.raw import Segment
from desktop.core.structure.table_rows import TableRow

NAMES = ["Fault code", "Possible cause", "Remedy"]
FAULTS = [["E01", "No water", "Open the valve."], ["E02", "Low pressure", "Check the pump."]]


def table(*rows, bold_rows=()):
    """Return rows with cells 100 points apart, 20 points below each other."""
    return [
        TableRow(
            tuple(
                (segment(text, 100 * column, 20 * number, bold=number in bold_rows),)
                for column, text in enumerate(cells)
                if text
            )
        )
        for number, cells in enumerate(rows)
    ]


def segment(text, x, y, *, bold):
    return Segment((), text, (x, y, x + 5 * len(text), y + 10), 10.0, bold, 0)


def seen(*rows, rules=(), drawn=False, bold_rows=()):
    found = observed(table(*rows, bold_rows=bold_rows), rules, drawn=drawn)
    return dict(zip(OBSERVATIONS, found, strict=True))


def test_print_and_lines_are_observed():
    plain = seen(NAMES, *FAULTS)
    assert (plain["bold"], plain["bolder"], plain["line_below"], plain["drawn"]) == (0, 0, 0, 0)
    marked = seen(NAMES, *FAULTS, bold_rows=(0,), rules=(15.0,), drawn=True)
    assert (marked["bold"], marked["bolder"], marked["line_below"], marked["drawn"]) == (1, 1, 1, 1)
    alike = seen(NAMES, *FAULTS, bold_rows=(0, 1, 2), rules=(35.0,))
    assert (alike["bold"], alike["bolder"], alike["line_below"]) == (1, 0, 0)


def test_numbers_and_how_cells_are_built_are_compared_column_by_column():
    found = seen(["E00", "Ready", "12 V"], ["E01", "Stopped", "24 V"], ["E02", "Full", "none"])
    assert found["numbers"] == pytest.approx(2 / 3)
    assert found["number_like_some"] == pytest.approx(2 / 3)
    assert found["like_those_below"] == pytest.approx(2 / 3)
    assert found["number_above_words"] == 0
    models = seen(["", "M1", "M2"], ["Colour", "red", "grey"], ["Door", "left", "right"])
    assert models["number_above_words"] == 1


def test_words_are_compared_with_those_of_other_columns_and_rows():
    assert seen(NAMES, *FAULTS)["column_names"] == 1
    assert seen(["Kulör", "Åtgärd"], ["röd", "byt"])["column_names"] == 0.5
    pipes = seen(["Water inlet", "left"], ["Water outlet", "right"])
    assert pipes["words_of_another"] == 0.5
    assert seen(["Weight:", "5 kg"], ["Height:", "2 m"])["named_alike"] == 1
    assert seen(["Byte", "0", "1", "2"], ["Use", "Head", "ID", "Sum"])["counts"] == 1


@pytest.mark.parametrize(
    ("rows", "bold_rows", "headed"),
    [
        ([NAMES, *FAULTS], (0,), True),
        ([["Weight", "5 kg"], ["Height", "20 cm"], ["Depth", "31 cm"]], (), False),
        ([["Weight", "5 kg"], ["Height", "20 cm"], ["Depth", "31 cm"]], (0, 1, 2), False),
        ([["Feature", "HX-200"], ["Weight", "5 kg"], ["Height", "20 cm"]], (0,), True),
        ([FAULTS[0], FAULTS[1], ["E03", "Hot", "Let it cool."]], (), False),
    ],
)
def test_what_was_learnt_tells_headings_from_rows(rows, bold_rows, headed):
    assert heads_columns(table(*rows, bold_rows=bold_rows), (), drawn=False) is headed


def test_a_heading_over_nothing_and_a_row_without_cells_below_it_are_observed_too():
    found = seen(["Name", "", "", "Value"], ["", "between"])
    assert found["like_those_below"] == 0
    assert len(found) == len(OBSERVATIONS)
