"""On which sheet of a set of drawings something is, as the title block says."""

from __future__ import annotations

import numpy as np
import pytest

from desktop.core.agent.marking import marked_boxes
from desktop.core.agent.shown_text import shown_text
from desktop.core.page_words import PageWords
from desktop.core.retrieval.evidence import Evidence
from desktop.core.retrieval.grounding import Quote
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.sheet_number import asked_sheet

ASKED = Question.parse("On which sheet is the boiler feed?")
# The zone number 7 stands beside the title block, the total is drawn twice over itself.
BLOCK = ("Boiler", "feed", "Sheet", "4", "of", "12", "12", "7")
ALONG = (0, 50, 100, 140, 150, 166, 166.2, 132)
ACROSS = (40, 40, 80, 80, 80, 80, 80, 95)


def drawing(texts=BLOCK, turn="flat"):
    boxes = []
    for text, x, y in zip(texts, ALONG, ACROSS, strict=False):
        length = 6 * len(text)
        flat = (x, y, x + length, y + 8)
        up = (y, 400 - x - length, y + 8, 400 - x)
        down = (400 - y - 8, x, 400 - y, x + length)
        boxes.append({"flat": flat, "up": up, "down": down}[turn])
    words = PageWords(
        tuple(texts), np.array(boxes, np.float32), np.arange(len(texts), dtype=np.int32)
    )
    indices = tuple(range(len(texts)))
    joined = " ".join(texts)
    return Quote(joined, "label", "Plant", (joined,), (words.hull(indices),), indices), words


@pytest.mark.parametrize("turn", ["flat", "up", "down"])
def test_the_sheet_is_read_whichever_way_the_drawing_is_turned(turn):
    quote, words = drawing(turn=turn)
    (sheet,) = asked_sheet(ASKED, quote.indices, words)
    assert sheet.text == "Sheet 4 of 12"
    assert shown_text(quote, ASKED, (), words)[0].endswith("; Sheet 4 of 12")
    page = Evidence(1, "plant.pdf", "Plant", 0, "1", 1.0, (), ())
    assert sheet.box in marked_boxes(ASKED, page, quote, words, first=True)


def test_a_sheet_is_told_only_if_it_is_asked_for():
    quote, words = drawing()
    assert not asked_sheet(Question.parse("Where is the boiler feed?"), quote.indices, words)
    german = Question.parse("Auf welchem Blatt ist die Speisepumpe?")
    assert asked_sheet(german, quote.indices, words)


def test_another_sheet_that_is_spoken_of_is_not_this_one():
    quote, words = drawing(("Boiler", "see", "sheet", "4"))
    assert not asked_sheet(ASKED, quote.indices, words)


def test_number_and_total_may_be_one_word():
    quote, words = drawing(("Boiler", "feed", "BLATT:", "4/12"))
    assert [sheet.text for sheet in asked_sheet(ASKED, quote.indices, words)] == ["BLATT: 4/12"]
