"""Procedures are told to their end, also where a layout model takes a step for something else."""

from __future__ import annotations

from desktop.core.answering.procedures import told_once, whole_procedure
from desktop.core.geometry import Box
from desktop.core.reader.quotes import Quote

SECTION = "3.8 Adjustment"


def quotes(*units: tuple[str, str], section: str = SECTION) -> list[Quote]:
    """Return what stands on a page: kind and text of each, one word of the page each."""
    return [
        Quote(text, kind, section, (text,), (Box(50, 12 * n, 300, 12 * n + 10),), (n,))
        for n, (kind, text) in enumerate(units)
    ]


def told(steps: list[Quote], page: list[Quote]) -> list[str]:
    return [step.quote.text for step in whole_procedure(0, steps, lambda _: page)]


PAGE = quotes(
    ("item", "Have the weight ready."),
    ("item", "2 Unload the pan."),
    ("row", "3 | Define another weight if you must."),
    ("item", "Press the arrow to change a digit."),
    ("item", "4 Remove the weight."),
    ("item", "The display shows ADJ.DONE."),
    ("label", "ADJ.DONE 0.00 g"),
    ("item", "5 Something else."),
)


def test_a_list_with_bare_numbers_goes_on_after_a_step_that_was_read_as_a_row():
    assert told(PAGE[:2], PAGE) == [
        "Have the weight ready.",
        "2 Unload the pan.",
        "3 Define another weight if you must. Press the arrow to change a digit.",
        "4 Remove the weight. The display shows ADJ.DONE.",
    ]


def test_what_belongs_to_a_step_is_marked_with_it():
    steps = whole_procedure(0, PAGE[:2], lambda _: PAGE)
    assert [step.quote.indices for step in steps] == [(0,), (1,), (2, 3), (4, 5)]
    assert [len(step.quote.boxes) for step in steps] == [1, 1, 2, 2]


def test_a_number_that_does_not_go_on_ends_the_list():
    page = quotes(("item", "1 Close the valve."), ("row", "24 | V DC"), ("row", "12 | V DC"))
    assert told(page[:1], page) == ["1 Close the valve."]


def test_steps_of_another_section_are_no_part_of_it():
    other = quotes(("item", "2 Open the drain."), section="3.9 Cleaning")
    page = [*quotes(("item", "1 Close the valve.")), *other]
    assert told(page[:1], page) == ["1 Close the valve."]


def test_a_row_that_is_part_of_a_told_step_is_not_told_again():
    steps = [step.quote for step in whole_procedure(0, PAGE[:2], lambda _: PAGE)]
    row = PAGE[2]
    assert told_once([(0, row), *((0, step) for step in steps), (0, row)]) == [1, 2, 3, 4]
    assert told_once([(0, row), (1, row)]) == [0, 1]
