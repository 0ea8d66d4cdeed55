"""How a quoted row is told: the lines of its cells, and which of them answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from desktop.core.answering.asked_cell import asked_entry
from desktop.core.answering.wording import drawing_with_caption, quoted_form, shown_text
from desktop.core.page_words import PageWords
from desktop.core.question.query import Question
from desktop.core.reader.quotes import Quote
from desktop.core.structure.signs import DRAWN_SIGN

LETTER, LINE = 5, 12  # points


def row_of(*cells: tuple[str, ...]) -> tuple[Quote, PageWords]:
    """Return a row with these lines in each cell, and the words of its page, cell after cell."""
    texts: list[str] = []
    boxes: list[tuple[float, float, float, float]] = []
    places: list[tuple[int, ...]] = []
    for column, lines in enumerate(cells):
        places.append(tuple(range(len(texts), len(texts) + sum(len(x.split()) for x in lines))))
        for down, line in enumerate(lines):
            x = column * 200
            for word in line.split():
                boxes.append((x, down * LINE, x + len(word) * LETTER, down * LINE + 10))
                texts.append(word)
                x += (len(word) + 1) * LETTER
    words = PageWords(tuple(texts), np.array(boxes, np.float32), np.arange(len(texts), dtype="i4"))
    text = " | ".join(" ".join(lines) for lines in cells)
    indices = tuple(range(len(texts)))
    return Quote(text, "row", "Register | Meaning", (), (), indices, tuple(places)), words


def told(question: str, *cells: tuple[str, ...]):
    quote, words = row_of(*cells)
    return quoted_form(quote, words, Question.parse(question), None)


STATUS = ("303: Off", "1392: Error found in the generator", "1796: Locked after an error")


def test_lines_that_the_maker_ended_stay_lines():
    assert told("What is register 30917?", ("30917",), STATUS).cells[1] == "\n".join(STATUS)


def test_a_cell_with_a_drawn_check_mark_is_told_as_one_with_a_dash_is():
    quote, _ = row_of(("Cover",), (DRAWN_SIGN,))
    assert shown_text(quote) == f"Register: Cover; Meaning: {DRAWN_SIGN}"


def test_a_sentence_over_several_lines_is_one_line():
    cell = ("Pull the plug and wait until the", "capacitors have lost their charge", "first.")
    form = told("What does E7 mean?", ("E7",), cell)
    assert form.cells[1] == " ".join(cell)


def test_the_line_with_what_was_asked_is_told_apart():
    form = told("In which state is register 30917 locked?", ("30917",), STATUS)
    assert form.cells[form.asked].split("\n")[form.asked_line] == STATUS[2]


def test_no_item_of_a_list_in_a_cell_is_told_apart():
    checks = ("1. Check the wires.", "2. Check whether E3 locked the pump.", "3. Vent.")
    form = told("What do I check after E3 locked the pump?", ("E3",), checks)
    assert form.cells[1] == "\n".join(checks)
    assert form.asked_line == -1


def test_a_cell_that_names_a_page_does_not_answer():
    quote, words = row_of(("E6",), ("Low flow",), ("11",))
    question = Question.parse("What does E6 mean?")
    assert quoted_form(quote, words, question, None).asked == 2
    assert quoted_form(quote, words, question, None, asked_of=slice(0, 2)).asked == 1


def test_no_line_is_told_apart_where_none_is_ahead():
    form = told("What is register 30917?", ("30917",), STATUS)
    assert form.asked_line == -1


def entries(question: str) -> tuple[Quote, Quote, PageWords]:
    """Return a row with two entries side by side, what is asked for of it, and its page's words."""
    row, words = row_of(("6",), ("Ethernet Trouble",), ("12",), ("Configuration Trouble",))
    row = replace(row, context="Table 5 › Flashes | Trouble | Flashes | Trouble")
    return row, asked_entry(Question.parse(question), row, words), words


def test_of_two_entries_in_a_row_the_one_that_is_asked_for_is_told_and_marked():
    _, entry, words = entries("What do 6 flashes mean?")
    assert entry.text == "6 | Ethernet Trouble"
    assert [words.texts[index] for index in entry.indices] == ["6", "Ethernet", "Trouble"]
    assert max(box.x1 for box in entry.boxes) < 400
    form = quoted_form(entry, words, Question.parse("What do 6 flashes mean?"), None)
    assert form.headings == ("Flashes", "Trouble")
    assert form.cells == ("6", "Ethernet Trouble")


def test_a_row_is_told_whole_where_no_entry_is_named_more_than_the_others():
    row, entry, _ = entries("Which troubles are there?")
    assert entry is row


def test_a_drawing_is_told_by_its_caption_and_labels_in_no_language_of_ours():
    assert drawing_with_caption("A B 12", "5 Heating › Figure 3 Slope:") == "Figure 3 Slope: A B 12"
    assert drawing_with_caption("A B 12", "") == "A B 12"


def test_a_footnote_mark_of_the_manual_is_no_citation():
    quote = Quote("AC Volts [1] are true rms.", "paragraph", "", (), ())
    assert shown_text(quote) == "AC Volts (1) are true rms."


def test_headings_that_name_nothing_are_no_section():
    drawing = " ".join(f"W{number} 44.2 mm" for number in range(12))
    quote, words = row_of(("Torque",), ("12 Nm",))
    for context, section in (
        ("Saw › Fig 1 › F › Blade | Value", ("Fig 1",)),
        (f"Saw › 4 Data › {drawing} › Blade | Value", ("4 Data",)),
        ("Saw › X8 › Blade | Value", ("X8",)),
    ):
        told_there = replace(quote, context=context)
        form = quoted_form(told_there, words, Question.parse("Which torque?"), None)
        assert form.section == section
