"""Which cell of a row leads the answer."""

from dataclasses import replace

import pytest

from desktop.core.answering.asked_cell import asked_cell, names_page
from desktop.core.geometry import Box
from desktop.core.question.query import Question
from desktop.core.reader.evidence import Evidence, ReadUnit
from desktop.core.reader.quotes import Quote
from tests.fakes.searcher import page_found


@pytest.mark.parametrize("code", ["E75", "E 75", "E-75"])
def test_a_code_that_the_question_names_is_not_the_answer(code):
    question = Question.parse("What does error code E75 mean?")
    assert asked_cell(question, (), (code, "Outside temperature sensor")) == 1


def table(*column: str) -> Evidence:
    rows = []
    for at, cell in enumerate(column):
        box = Box(10.0, 20.0 * at, 200.0, 20.0 * at + 10)
        rows.append(Quote(f"E{at} | Low flow | {cell}", "row", "Code | Fault | N.", (), (box,)))
    units = tuple(ReadUnit(row, 0.0) for row in reversed(rows))
    return replace(page_found("Faults", page=8), label="9", units=units)


@pytest.mark.parametrize(
    ("column", "names"),
    [
        (("9~10", "11", "11", "12"), True),
        (("12", "11", "10"), False),  # it falls
        (("4", "5", "6"), False),  # on pages that were read already
        (("20", "30", "40"), False),  # the manual has no page 40
        (("12 %", "13 %", "14 %"), False),
        (("10", "10", "10"), False),
        (("10", "11"), False),  # too few to tell
    ],
)
def test_a_last_column_that_names_pages_is_told_from_small_numbers(column, names):
    page = table(*column)
    assert names_page(page.units[0].unit, page, 38) is names
