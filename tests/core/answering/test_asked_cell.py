"""Which cell of a row leads the answer."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from desktop.core.answering.asked_cell import answering_cells, asked_cell
from desktop.core.geometry import Box
from desktop.core.question.query import Question
from desktop.core.reader.evidence import Evidence, ReadUnit
from desktop.core.reader.quotes import Quote
from tests.fakes.searcher import page_found


@pytest.mark.parametrize("code", ["E75", "E 75", "E-75"])
def test_a_code_that_the_question_names_is_not_the_answer(code):
    question = Question.parse("What does error code E75 mean?")
    assert asked_cell(question, (), (code, "Outside temperature sensor")) == 1


def table(*column: str, first: Sequence[str] = ()) -> Evidence:
    rows = []
    codes = first or [f"E{at}" for at in range(len(column))]
    for at, (code, cell) in enumerate(zip(codes, column, strict=True)):
        box = Box(10.0, 20.0 * at, 200.0, 20.0 * at + 10)
        rows.append(Quote(f"{code} | Low flow | {cell}", "row", "Code | Fault | N.", (), (box,)))
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
    question = Question.parse("What does E1 mean?")
    cells = answering_cells(question, page.units[0].unit, page, 38)
    assert [0, 1, 2][cells] == ([0, 1] if names else [0, 1, 2])


@pytest.mark.parametrize(
    ("column", "asked", "counts"),
    [
        (("1", "2", "3", "5"), "Why is the flow low?", True),
        (("1.", "2.", "3."), "Why is the flow low?", True),
        (("1", "2", "3"), "Which code means low flow?", False),  # its heading is asked for
        (("1", "4", "9"), "Why is the flow low?", False),
        (("3", "2", "1"), "Why is the flow low?", False),
        (("E1", "2", "3"), "Why is the flow low?", False),
        (("1", "2"), "Why is the flow low?", False),  # too few to tell
    ],
)
def test_a_first_column_that_counts_the_rows_answers_nothing(column, asked, counts):
    page = table(*("yes",) * len(column), first=column)
    cells = answering_cells(Question.parse(asked), page.units[0].unit, page, 38)
    assert [0, 1, 2][cells] == ([1, 2] if counts else [0, 1, 2])
