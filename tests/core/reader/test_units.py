"""What of a page can stand in an answer."""

from dataclasses import replace

import numpy as np
import pytest

from desktop.core.geometry import Box
from desktop.core.library.units import Passage
from desktop.core.page_words import PageWords
from desktop.core.reader.units import LIST, PASSAGE, answer_units, is_contents


def page(*lines):
    """A page with a line of text each 20 points; returns its words and the box of each line."""
    texts, boxes, numbers = [], [], []
    for number, line in enumerate(lines):
        for place, word in enumerate(line.split()):
            texts.append(word)
            boxes.append((40 * place, 20 * number, 40 * place + 35, 20 * number + 10))
            numbers.append(number)
    words = PageWords(tuple(texts), np.array(boxes, np.float32), np.array(numbers, np.int32))
    return words, [Box(0, 20 * number, 1000, 20 * number + 10) for number in range(len(lines))]


def passages(kind, lines, boxes, context="Manual › Starting"):
    return [
        Passage(number, kind, line, context, (box,), ())
        for number, (line, box) in enumerate(zip(lines, boxes, strict=True))
    ]


STEPS = ("Open the valve.", "Start the pump.", "Close the valve.")


def test_steps_stand_beside_the_procedure_they_make():
    words, boxes = page(*STEPS)
    units = answer_units(passages("item", STEPS, boxes), words)
    assert [unit.text for unit in units if unit.kind == "item"] == list(STEPS)
    (procedure,) = [unit for unit in units if unit.kind == LIST]
    assert procedure.text.splitlines() == list(STEPS)
    assert [part.text for part in procedure.parts] == list(STEPS)
    assert procedure.indices == tuple(range(9))
    assert len(procedure.boxes) == 3


def test_a_procedure_with_a_note_in_it_is_one_unit():
    lines = ("1 Open the valve.", "2 Start the pump.", "NOTE: It hums.", "3 Close the valve.")
    words, boxes = page(*lines)
    kinds = ("item", "item", "paragraph", "item")
    stand = [passages(kind, lines, boxes)[n] for n, kind in enumerate(kinds)]
    lists = [unit.text.splitlines() for unit in answer_units(stand, words) if unit.kind == LIST]
    assert [lines[0], f"{lines[1]} {lines[2]}", lines[3]] in lists


def test_items_of_two_lists_make_two_lists():
    words, boxes = page(*STEPS, "Wear gloves.", "Wear glasses.")
    first = passages("item", STEPS, boxes[:3])
    second = [
        Passage(10 + n, "item", text, "Manual › Safety", (box,), ())
        for n, (text, box) in enumerate(
            zip(("Wear gloves.", "Wear glasses."), boxes[3:], strict=True)
        )
    ]
    lists = [unit.text for unit in answer_units([*second, *first], words) if unit.kind == LIST]
    assert lists == ["\n".join(STEPS), "Wear gloves.\nWear glasses."]


def test_numbered_paragraphs_are_steps():
    lines = ("1. Open the valve.", "2. Start the pump.")
    words, boxes = page(*lines)
    units = answer_units(passages("paragraph", lines, boxes), words)
    assert LIST in {unit.kind for unit in units}


def test_a_paragraph_stands_whole_and_by_its_sentences():
    text = "The pump is heavy. Lift it with two people."
    words, boxes = page(text)
    units = {
        unit.kind: unit.text for unit in answer_units(passages("paragraph", [text], boxes), words)
    }
    assert units == {"paragraph": "Lift it with two people.", PASSAGE: text}


def test_what_is_behind_a_picture_is_not_quoted():
    words, boxes = page("Valve V1")
    assert answer_units(passages("picture", ["Valve V1"], boxes), words) == []


def test_units_come_in_reading_order_whatever_the_order_of_the_passages():
    words, boxes = page("First here.", "Second here.")
    both = passages("paragraph", ["First here.", "Second here."], boxes)
    assert [unit.text for unit in answer_units(both[::-1], words)] == [
        "First here.",
        "Second here.",
    ]


@pytest.mark.parametrize("dots", [". . . . . . .", ".......", "…………", "… …"])
def test_a_line_of_a_table_of_contents_answers_nothing(dots):
    text = f"4.2 Power of the motor {dots} 17"
    words, boxes = page(text)
    assert answer_units(passages("paragraph", [text], boxes), words) == []


def test_a_line_with_a_colon_is_quoted_with_what_it_announces():
    lines = ("Mute the sound:", "Button 4 or remote 43")
    words, boxes = page(*lines)
    heading, said = passages("paragraph", lines, boxes)
    units = answer_units([replace(heading, kind="heading"), said], words)
    assert "Mute the sound: Button 4 or remote 43" in [unit.text for unit in units]


CONTENTS = (
    "1 Safety - 1-1",
    "2.1 Lights - 2-1",
    "2.2 Keys - 2-1",
    "3 Repair - 3-4",
    "4 Parts - 4-1",
)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ((*CONTENTS, "5 Index - 5-1"), True),
        (tuple(f"Chapter {number} | {9 * number}" for number in range(1, 7)), True),
        (tuple(f"Step {number} ........ {number}" for number in range(1, 7)), True),
        (
            ("Weight | 5", "Height | 120", "Width | 80", "Depth | 60", "Power | 15", "Fuse | 2"),
            False,
        ),
        (("Open the valve.", "Wait for 5 minutes.", "Close it."), False),
    ],
)
def test_a_table_of_contents_is_known_by_its_pages(lines, found):
    assert is_contents(lines) is found


def test_a_list_goes_on_behind_the_picture_that_parts_it():
    lines = (*STEPS[:2], "1 2 3", STEPS[2])
    words, boxes = page(*lines)
    kinds = ("item", "item", "label", "item")
    stand = [passages(kind, lines, boxes)[n] for n, kind in enumerate(kinds)]
    (whole,) = [unit for unit in answer_units(stand, words) if unit.kind == LIST]
    assert whole.text.splitlines() == list(STEPS)
    assert "1 2 3" in [unit.text for unit in answer_units(stand, words)]


def test_lists_numbered_anew_right_below_each_other_are_units_of_their_own():
    lines = ("1. No mains", "2. Fuse blown", "1. Dull blade", "2. Wrong blade")
    words, boxes = page(*lines)
    units = answer_units(passages("item", lines, boxes), words)
    lists = [unit.text.splitlines() for unit in units if unit.kind == LIST]
    assert lists == [list(lines[:2]), list(lines[2:])]
