"""Lists that quotes are items of: which are meant, in which order they stand, what is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from desktop.core.answering.lists import MOST_ITEMS, Lists, lists_meant, notes_to
from desktop.core.geometry import Box
from desktop.core.reader.evidence import Evidence
from desktop.core.reader.quotes import Quote

if TYPE_CHECKING:
    from desktop.core.answering.procedures import PageQuotes


class Pages:
    """Stands in for `PageQuotes`. pages: sections of a page, each with its kind and texts."""

    def __init__(self, *pages: dict[str, tuple[str, list[str]]]) -> None:
        self.pages: list[list[Quote]] = []
        for sections in pages:
            found: list[Quote] = []
            for section, (kind, texts) in sections.items():
                for text in texts:
                    at = len(found)
                    box = Box(50, 30 * at, 300, 30 * at + 10)
                    found.append(Quote(text, kind, section, (text,), (box,), (at,)))
            self.pages.append(found)
        self.lists = Lists(cast("PageQuotes", self))

    def of(self, document_id: int, page: int) -> list[Quote]:
        return self.pages[page] if 0 <= page < len(self.pages) else []

    def passages(self, document_id: int, page: int) -> list[tuple[Quote, ...]]:
        return [(quote,) for quote in self.of(document_id, page)]

    def places(self, *told: tuple[int, int]) -> list[tuple[Evidence, Quote]]:
        """Return the quotes that are meant by page and place."""
        return [
            (Evidence(1, "m.pdf", "", page, "", 1.0, (), ()), self.pages[page][at])
            for page, at in told
        ]

    def around(self, *told: tuple[int, int]):
        return [self.lists.around(page, quote) for page, quote in self.places(*told)]


WINTER = "Winter", ("item", ["• Switch it off.", "• Open valve B.", "• Drain it.", "• Cover it."])
START = "Start", ("item", ["• Open valve A.", "• Switch it on."])
CHECKS = "Checks", ("paragraph", ["Check the level.", "Check the valves.", "Check the strainer."])


def test_a_list_of_which_two_bullets_are_told_is_meant_unless_one_value_is_asked_for():
    around = Pages(dict([WINTER, START])).around((0, 3), (0, 2), (0, 4))
    (meant,) = lists_meant(around, steps=False, one=False)
    assert [step.quote.text for step in meant.steps] == WINTER[1][1]
    assert not lists_meant(around, steps=False, one=True)
    assert not lists_meant(around[1:], steps=False, one=False)
    long = Pages({"Data": ("item", [f"• Value {n}" for n in range(MOST_ITEMS + 1)])})
    assert not lists_meant(long.around((0, 3), (0, 2)), steps=False, one=False)


@pytest.mark.parametrize("most", [MOST_ITEMS, MOST_ITEMS + 4])
def test_two_steps_mean_their_procedure_a_long_one_only_where_steps_are_asked_for(most):
    steps = [f"{n}. Do {n}." for n in range(1, most + 1)]
    around = Pages({"Fit": ("item", steps)}).around((0, 5), (0, 4))
    (meant,) = lists_meant(around, steps=True, one=True)
    assert [step.quote.text for step in meant.steps] == steps
    assert bool(lists_meant(around, steps=False, one=True)) is (most == MOST_ITEMS)


def test_what_is_told_of_one_section_stands_as_on_its_page_and_sections_by_their_best():
    pages = Pages(dict([START, WINTER]))
    assert pages.lists.page_order(pages.places((0, 5), (0, 1), (0, 2), (0, 0))) == [2, 0, 3, 1]


def test_steps_of_two_pages_stand_in_the_order_of_their_numbers():
    pages = Pages(
        {"Fit": ("item", ["1. Lift it.", "2. Turn it."])}, {"": ("item", ["3. Push it.", "4. Go."])}
    )
    assert pages.lists.page_order(pages.places((1, 1), (1, 0), (0, 1))) == [2, 1, 0]
    (whole,) = lists_meant(pages.around((1, 1), (1, 0)), steps=False, one=False)
    assert {step.quote.context for step in whole.steps} == {"Fit"}, "their section goes on"


@pytest.mark.parametrize(
    ("section", "told", "line"),
    [
        (("Fit", ("item", ["1. Lift it.", "2. Turn it.", "3. Go."])), [1], "Step 2 of 3:"),
        (
            ("Fit", ("item", ["1. Lift it.", "2. Turn it.", "3. Go."])),
            [0, 2],
            "Steps 1 and 3 of 3:",
        ),
        (("Fit", ("item", ["1. Lift it.", "2. Turn it."])), [0, 1], ""),
        (WINTER, [1, 2], "2 of the 4 points of this section:"),
        (WINTER, [1], ""),
        (CHECKS, [0, 2], ""),
    ],
)
def test_what_is_left_out_of_a_list_is_said_above_what_is_told_of_it(section, told, line):
    pages = Pages(dict([section]))
    places = pages.places(*((0, at) for at in told))
    assert pages.lists.left_out(places, one=False, steps=True) == [line, *[""] * (len(told) - 1)]


def test_of_a_list_without_numbers_nothing_is_said_where_one_value_is_asked_for():
    pages = Pages(dict([WINTER]))
    assert pages.lists.left_out(pages.places((0, 0), (0, 1)), one=True, steps=False) == ["", ""]


def test_where_no_steps_are_asked_for_the_items_of_a_list_are_points():
    pages = Pages({"Fit": ("item", ["1. Lift it.", "2. Turn it.", "3. Go."])})
    lines = pages.lists.left_out(pages.places((0, 1)), one=False, steps=False)
    assert lines == ["Point 2 of 3:"]


def test_a_number_that_opens_a_single_item_makes_no_procedure_of_what_is_below():
    pages = Pages({"Faults": ("item", ["(5 restarts)", "• Low flow", "• High current"])})
    (around,) = pages.around((0, 1))
    assert around.kind == "item"


@pytest.mark.parametrize(
    ("row", "note", "is_told"),
    [
        ("Refrigerant | R449A, R452A*", "* At 230 V / 50 Hz", True),
        ("Current [2] | 60 A", "[2] It is affected by temperature.", True),
        ("Limit | 85 °C 1)", "1) For the FL12 alone.", True),
        ("Limit | 85 °C", "* At 230 V / 50 Hz", False),
        ("1) Open the valve | 5 * 3", "1) For the FL12 alone.", False),
        ("Refrigerant | R452A*", "** At 115 V", False),
    ],
)
def test_a_row_brings_the_note_below_its_table_that_its_sign_leads_to(row, note, is_told):
    rows = "Data › Name | Value", ("row", ["Weight | 78 kg", row])
    pages = Pages({"Before": ("paragraph", [note]), rows[0]: rows[1], "Data": ("item", [note])})
    quotes = pages.of(1, 0)
    told = notes_to([quotes[2]], quotes)
    assert told == ([quotes[3]] if is_told else [])
