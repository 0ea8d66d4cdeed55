"""A value counts with the unit that stands above its column, beside it or in the caption."""

from __future__ import annotations

import pytest

from desktop.core.agent.answering.column_units import (
    caption_unit,
    unit_of,
    values_of_line,
    values_of_row,
)
from desktop.core.agent.answering.statement_facts import Ground, facts_of


@pytest.mark.parametrize(
    ("heading", "unit"),
    [
        ("Current (mA)", "mA"),
        ("Torque [Nm]", "Nm"),
        ("Consumption (mA@5V)", "mA"),
        ("Masse in kg", "kg"),
        ("Length, mm", "mm"),
        ("Torque Nm", "Nm"),
        ("Pin", ""),
        ("Class A", ""),
        ("Range min", ""),
        ("Plug in", ""),
        ("Remarks (see below)", ""),
    ],
)
def test_a_heading_gives_a_unit_in_brackets_or_as_its_last_word(heading, unit):
    assert unit_of(heading) == unit


@pytest.mark.parametrize(
    ("row", "context", "values"),
    [
        ("Idle | 350 | 3", "Modem › Mode | Current (mA) | Pin", ["350 mA"]),
        ("Idle | 350 to 400", "Modem › Mode | Current (mA)", ["350 to 400 mA"]),
        ("Lid | 7 | Nm", "Modem › Joint | Value | Unit", ["7 Nm"]),
        ("Lid | 7 | 3 | Nm", "Modem › Joint | Value | Pieces | Unit", ["7 Nm"]),
        ("Idle | 350 | 90", "Modem › Power (mA@5V) › Mode | USB | DC", ["350 mA", "90 mA"]),
        ("Idle | see 350", "Modem › Mode | Current (mA)", []),
        ("Idle | 350 | 9", "Modem › Mode | Current (mA)", []),
        ("It draws 350 at most.", "Modem › Current (mA)", []),
    ],
)
def test_a_figure_below_or_beside_a_unit_is_a_value(row, context, values):
    assert values_of_row(row, context) == values


def test_a_row_told_with_its_headings_keeps_its_units():
    assert values_of_line("Mode: Idle; Current (mA): 350; Pin: 3") == ["350 mA"]
    assert values_of_line("Mode: Idle; USB: 350; DC: 90 (mA@5V)") == ["350 mA", "90 mA"]
    assert values_of_line("Proceed as follows: turn it off") == []
    assert caption_unit("Table 4. Power (mA@5V)") == "(mA@5V)"
    assert caption_unit("Table 4. Power (see mA) of all") == ""


def test_a_sentence_about_a_cell_is_held_against_its_own_unit():
    row = Ground.of_quote("Idle | 350 | 3", "Modem › Mode | Current (mA) | Pin")
    assert all(row.supports(fact) for fact in facts_of("It draws 350 mA at pin 3."))
    assert [fact.text for fact in facts_of("350 A, 3 mA, 351 mA") if not row.supports(fact)] == [
        "350 A",
        "3 mA",
        "351 mA",
    ]
