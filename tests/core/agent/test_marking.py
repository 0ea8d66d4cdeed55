"""Which boxes of a page are highlighted for an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from desktop.core.agent.marking import labels_named, marked_boxes
from desktop.core.page_words import PageWords
from desktop.core.retrieval.evidence import Evidence
from desktop.core.retrieval.grounding import Quote
from desktop.core.retrieval.question import Question
from tests.fakes.bookcase import Bookcase, Sheet, bookcase_at

if TYPE_CHECKING:
    from collections.abc import Iterator

LABELS = ["Q1", "BC547B", "4k7", "lamp", "J5", "header"]


@pytest.fixture
def bookcase(tmp_path) -> Iterator[Bookcase]:
    with bookcase_at(tmp_path) as opened:
        yield opened


def drawing() -> tuple[Quote, PageWords]:
    """Q1 with its type right below it; everything else is far away. Prose follows below it."""
    boxes = [
        (100, 100, 114, 108),
        (98, 109, 134, 117),
        (300, 100, 314, 108),
        (300, 400, 330, 408),
        (500, 100, 514, 108),
        (500, 300, 534, 308),
        (98, 700, 140, 708),
    ]
    lines = np.arange(len(boxes), dtype=np.int32)
    words = PageWords((*LABELS, "Repairs"), np.array(boxes, np.float32), lines)
    hull = words.hull(range(len(LABELS)))
    text = " ".join(LABELS)
    return Quote(text, "label", "Sheet 2", (text,), (hull,), tuple(range(len(LABELS)))), words


def test_in_a_drawing_the_value_is_what_is_written_at_the_code():
    quote, words = drawing()
    question = Question.parse("What is the part number of transistor Q1?")
    labels = labels_named(question, quote, words)
    assert [words.texts[index] for index in labels] == ["Q1", "BC547B"]
    page = Evidence(1, "sheet.pdf", "Sheet", 0, "1", 1.0, (), ())
    boxes = marked_boxes(question, page, quote, words, first=True)
    assert sum(box.area for box in boxes) < 0.05 * quote.boxes[0].area


def test_a_drawing_is_marked_whole_when_it_is_itself_what_is_asked_for():
    quote, words = drawing()
    page = Evidence(1, "sheet.pdf", "Sheet", 0, "1", 1.0, (), ())
    question = Question.parse("Where does the drawing show Q1?")
    assert marked_boxes(question, page, quote, words, first=True) == quote.boxes


def test_the_heading_that_names_what_is_asked_is_marked_with_the_sentence(bookcase):
    sheet = (
        Sheet()
        .heading("Rinsing the brewing unit")
        .text("Press RINSE for 5 seconds and wait until the lamp goes out.")
        .heading("Storage")
        .text("Store the machine dry and away from frost.")
    )
    bookcase.add("coffee.pdf", [sheet])
    (statement, *_) = bookcase.ask("For how many seconds is the brewing unit rinsed?").statements
    seen = bookcase.words_in(
        statement.source.document_id, statement.source.page, statement.source.regions
    )
    assert "Rinsing the brewing unit" in seen
    assert "5 seconds" in seen
    assert "Storage" not in seen


def test_of_a_procedure_every_step_is_marked_as_far_as_it_is_told(bookcase):
    sheet = Sheet().heading("Changing the filter")
    for number, work in enumerate(
        ("Leave the mains on", "Drain the tank", "Swap the cartridge", "Open the vent"), 1
    ):
        sheet.text(f"{number}. {work}, and wait beside the tank until the hand has come to rest.")
    bookcase.add("pump.pdf", [sheet])
    steps = bookcase.ask("How do I swap the cartridge when I change the filter?").statements
    marked = [
        bookcase.words_in(s.source.document_id, s.source.page, s.source.regions) for s in steps
    ]
    assert [step.quote[:2] for step in steps] == ["1.", "2.", "3.", "4."]
    assert all(step.quote in text for step, text in zip(steps, marked, strict=True))
