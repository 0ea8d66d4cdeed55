"""Procedures are told to their end, also where a layout model takes a step for something else."""

from __future__ import annotations

import pytest

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
    ("heading", "3.9 Cleaning"),
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


NOTED = quotes(
    ("item", "1. Open the menu."),
    ("item", "2. Add a user."),
    ("paragraph", "NOTE: All fields are required."),
    ("label", "Name Password Cancel"),
    ("row", "Name | Password"),
    ("item", "3. Enter a name."),
    ("item", "• Letters only."),
    ("heading", "Removing a user"),
    ("paragraph", "Guests stay."),
)


@pytest.mark.parametrize("at", [0, 1, 5])
def test_a_procedure_goes_on_after_a_note_and_a_picture_whichever_step_answers(at):
    assert told([NOTED[at]], NOTED) == [
        "1. Open the menu.",
        "2. Add a user. NOTE: All fields are required.",
        "3. Enter a name.",
        "• Letters only.",
    ]


PAGES = [
    quotes(("item", "1 Lift the arm."), ("item", "2 Open the door.")),
    quotes(
        ("paragraph", "It opens to the left."),
        ("label", "Figure of the door"),
        ("item", "3 Loosen the clamp."),
        ("item", "4 Close the door."),
        ("heading", "Cleaning"),
        ("item", "1 Wipe it."),
        ("item", "2 Dry it."),
    ),
    quotes(("item", "3 Oil it.")),
]


def across(page: int, at: int) -> list[tuple[int, str]]:
    def quotes_of_page(number: int) -> list[Quote]:
        return PAGES[number] if number < len(PAGES) else []

    steps = whole_procedure(page, [PAGES[page][at]], quotes_of_page)
    return [(step.page, step.quote.text) for step in steps]


def test_a_procedure_is_followed_to_the_pages_before_and_after():
    whole = [
        (0, "1 Lift the arm."),
        (0, "2 Open the door."),
        (1, "It opens to the left."),
        (1, "3 Loosen the clamp."),
        (1, "4 Close the door."),
    ]
    assert across(0, 1) == whole
    assert across(1, 3) == whole
    assert across(1, 5) == across(2, 0) == [(1, "1 Wipe it."), (1, "2 Dry it."), (2, "3 Oil it.")]


def test_a_number_that_stands_twice_belongs_to_the_procedure():
    page = quotes(
        ("item", "1. Remove the fence."),
        ("item", "1. Open the doors."),
        ("item", "2. Release the blade."),
        ("item", "(15) and (16) show how."),
        ("item", "3. Lift it out."),
    )
    assert told(page[2:3], page) == [
        "1. Remove the fence.",
        "1. Open the doors.",
        "2. Release the blade. (15) and (16) show how.",
        "3. Lift it out.",
    ]


def test_a_procedure_goes_on_after_a_list_inside_one_of_its_steps():
    page = quotes(
        *(("item", text) for text in ("1. Unpack.", "2. Check:", "1. the box", "2. the seal")),
        *(("item", text) for text in ("3. the label", "4. the date", "3. Mount it.")),
    )
    assert told(page[:1], page)[-1] == "3. Mount it."
    assert told(page[4:5], page) == ["1. the box", "2. the seal", "3. the label", "4. the date"]


def test_what_a_list_has_beside_its_numbered_steps_is_told_too():
    page = quotes(("item", "• Wear gloves."), ("item", "1. Open it."), ("item", "2. Close it."))
    assert told(page[:2], page) == ["• Wear gloves.", "1. Open it.", "2. Close it."]


def placed(text: str, x: float, y: float, n: int, kind: str = "item") -> Quote:
    box = Box(x, y, x + 5 * len(text), y + 10)
    return Quote(text, kind, SECTION, (text,), (box,), (n,))


def test_lists_side_by_side_go_on_in_their_own_columns():
    first, second = (
        ("1. Shut it.", "2. Seal it.", "3. Test it."),
        ("1. Open.", "2. Pump.", "3. Go."),
    )
    left = [placed(text, 50, 12 * n, n) for n, text in enumerate(first)]
    right = [placed(text, 300, 12 * n, 10 + n) for n, text in enumerate(second)]
    page = [*left[:2], *right[:2], left[2], right[2]]
    assert told([left[0]], page) == list(first)
    assert told([right[2]], page) == list(second)


def test_text_of_another_column_is_no_part_of_a_step_and_the_rest_of_its_line_is():
    page = [
        placed("1. Enter a code.", 50, 0, 0),
        placed("Press Done.", 135, 0, 1),
        placed("Calibrate once a year.", 300, 0, 2, "paragraph"),
        placed("2. Enter it again.", 50, 24, 3),
    ]
    assert told(page[:1], page) == ["1. Enter a code. Press Done.", "2. Enter it again."]


def test_chapters_with_numbers_are_no_procedure():
    page = quotes(
        ("item", "1. Open it."),
        ("item", "2. Close it."),
        ("heading", "3. Cleaning"),
        ("paragraph", "Wipe it."),
    )
    assert told(page[:1], page) == ["1. Open it.", "2. Close it."]


def test_a_row_that_is_part_of_a_told_step_is_not_told_again():
    steps = [step.quote for step in whole_procedure(0, PAGE[:2], lambda _: PAGE)]
    row = PAGE[2]
    assert told_once([(0, row), *((0, step) for step in steps), (0, row)]) == [1, 2, 3, 4]
    assert told_once([(0, row), (1, row)]) == [0, 1]


@pytest.mark.parametrize("bullet", ["• ", "●", "\uf0a7 "])
def test_an_item_of_several_sentences_is_told_as_one(bullet):
    page = [
        placed(f"{bullet}Check it.", 50, 0, 0),
        placed("If it is wrong, stop.", 106, 0, 1),
        placed("Then look again.", 56, 12, 2),
        placed(f"{bullet}Press STOP.", 50, 24, 3),
        placed("Each year", 50, 60, 4),
    ]
    first = f"{bullet}Check it. If it is wrong, stop. Then look again."
    assert told(page, page) == [first, f"{bullet}Press STOP.", "Each year"]


def test_sentences_below_each_other_in_a_list_without_bullets_are_items():
    page = [placed(text, 50, 12 * n, n) for n, text in enumerate(("Open it.", "Close it."))]
    assert told(page, page) == ["Open it.", "Close it."]


def test_a_number_with_a_dot_and_a_bracket_opens_a_step():
    page = quotes(("paragraph", "1.) Open it."), ("item", "2.) Close it."))
    assert told(page[:1], page) == ["1.) Open it.", "2.) Close it."]
