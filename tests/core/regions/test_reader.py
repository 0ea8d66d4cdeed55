"""A framed region is explained by a vision model, else by its own words."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from desktop.core.errors import ParserLimit
from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    ErrorEvent,
    Event,
    PageRegion,
    ResultEvent,
    TokenEvent,
)
from desktop.core.geometry import Box
from desktop.core.jobs import CancelToken
from desktop.core.library.units import Passage
from desktop.core.page_drawing import DrawnPage
from desktop.core.page_words import PageWords
from desktop.core.picture_questions import RegionReader, captions_at, lines_inside
from desktop.core.structure.values import Block, PageImage
from desktop.models.errors import ModelNotInstalled
from tests.fakes.vision import FakeVision

if TYPE_CHECKING:
    from collections.abc import Callable

BOX = Box(50, 50, 250, 150)
PLACE = PageRegion(1, "pump.pdf", 3, "4-11", (BOX,))
WORDS = PageWords(
    ("X1:2", "24", "V", "Outside", "P1"),
    np.array(
        [
            [60, 60, 90, 70],
            [95, 60, 105, 70],
            [110, 60, 120, 70],
            [300, 60, 350, 70],
            [60, 90, 80, 100],
        ],
        np.float32,
    ),
    np.array([0, 0, 0, 0, 1], np.int32),
)
CAPTION = Block(0, "caption", "Figure 3:  Wiring of\nthe pump", (50, 160, 250, 172))
FAR = Block(1, "caption", "Figure 9: Something else", (50, 500, 250, 512))


class OnePage:
    """Library and drawer of one page."""

    def __init__(self, words: PageWords = WORDS, *blocks: Block) -> None:
        self.words, self._blocks = words, blocks
        self.broken = False
        self.units: list[Passage] = []

    def page_words(self, document_id: int, page: int) -> PageWords:
        return self.words

    def passages(self, document_id: int, page: int) -> list[Passage]:
        return list(self.units)

    def blocks(self, document_id: int, page: int) -> list[Block]:
        return list(self._blocks)

    def document(self, document_id: int) -> Any:
        class Record:
            sha256, title = "abc", "Pump P-200"

        return Record()

    def draw(self, document_id: int, page: int, scale: float) -> DrawnPage:
        if self.broken:
            raise ParserLimit("This page takes too long to draw.", "time")
        return DrawnPage(PageImage(600, 800, b"\xff" * (600 * 800 * 3)), 300.0, 400.0)


def outcome_of(events):
    last = events[-1]
    assert isinstance(last, CompleteEvent)
    return last.outcome


def explained(
    page: OnePage,
    vision: FakeVision | None = None,
    prompt: str = "Where does X1:2 lead?",
    stop: Callable[[Event, CancelToken], None] | None = None,
) -> list[Event]:
    async def run() -> list[Event]:
        token = CancelToken()
        reader = RegionReader(page, page, lambda: vision, PLACE)  # type: ignore[arg-type]
        found = []
        async for event in reader.run(prompt, cancel=token):
            found.append(event)
            if stop is not None:
                stop(event, token)
        return found

    return asyncio.run(run())


def text(events: list[Event]) -> str:
    return "".join(event.content for event in events if isinstance(event, TokenEvent))


def test_the_words_of_a_region_come_line_by_line():
    assert lines_inside(WORDS, BOX) == ("X1:2 24 V", "P1")


def test_dots_that_lead_across_the_page_are_no_words():
    texts = ("Fuses", *"....", "514", ".", ".", ".", ".")
    lines = np.array([0] * 6 + [1] * 4, np.int32)
    boxes = np.array([[60, 60 + 10 * line, 70, 69 + 10 * line] for line in lines], np.float32)
    assert lines_inside(PageWords(texts, boxes, lines), BOX) == ("Fuses … 514",)


def test_a_caption_right_below_belongs_to_the_region_and_a_far_one_does_not():
    assert [words for words, _ in captions_at([CAPTION, FAR], BOX)] == [
        "Figure 3: Wiring of the pump"
    ]


def test_the_vision_model_gets_exactly_the_region_and_the_question():
    vision = FakeVision("Terminal X1:2 leads to pump P1.")
    events = explained(OnePage(WORDS, CAPTION), vision)
    [request] = vision.requests
    assert request.region == (100, 100, 500, 300)
    assert "Where does X1:2 lead?" in request.question
    assert "Figure 3" in request.question
    assert text(events) == "Terminal X1:2 leads to pump P1. [1]"
    [citation] = [event for event in events if isinstance(event, CitationEvent)]
    assert (citation.number, citation.source) == (1, PLACE)
    [result] = [event for event in events if isinstance(event, ResultEvent)]
    assert result.tool == "visual_interpretation"
    assert outcome_of(events) == "answered"


def test_without_a_vision_model_words_and_caption_are_quoted_and_that_is_said():
    events = explained(OnePage(WORDS, CAPTION))
    answer = text(events)
    assert answer.startswith("There is no vision model, so the drawing itself was not read.")
    assert "“X1:2 24 V”" in answer
    assert "Caption: “Figure 3: Wiring of the pump” [2]" in answer
    assert "Outside" not in answer
    places = [event.source.regions[0] for event in events if isinstance(event, CitationEvent)]
    assert places == [BOX, Box(50, 160, 250, 172)]
    assert outcome_of(events) == "answered"


def test_rows_are_told_whole_with_their_headings_and_other_words_line_by_line():
    page = OnePage(WORDS)
    row = Box(60, 60, 120, 70)
    page.units = [
        Passage(7, "row", "X1:2 | 24 | V", "Pump P-200 › Terminal | Voltage | Unit", (row,), ()),
        Passage(8, "window", "X1:2 24 V P1", "", (BOX,), ()),
    ]
    events = explained(page)
    assert "Terminal: X1:2; Voltage: 24; Unit: V [2]" in text(events)
    assert "- “P1”\n" in text(events)
    region, told = (event for event in events if isinstance(event, CitationEvent))
    assert told.form is not None
    assert told.form.headings == ("Terminal", "Voltage", "Unit")
    assert told.form.cells == ("X1:2", "24", "V")
    assert told.form.asked == -1
    assert (region.source.regions, told.source.regions) == ((BOX,), (row,))


def test_where_all_is_told_whole_no_vision_model_is_missed():
    page = OnePage(WORDS)
    boxes = (Box(60, 60, 120, 70), Box(60, 90, 80, 100))
    page.units = [Passage(7, "paragraph", "X1:2 24 V P1", "", boxes, ())]
    assert text(explained(page)) == "The region on page 4-11 reads: [1]\nX1:2 24 V P1 [2]\n\n"


def test_a_region_without_words_and_without_a_model_is_not_explained_and_says_what_helps():
    events = explained(OnePage(PageWords.empty()))
    assert "This region has no words" in text(events)
    assert "Models page" in text(events)
    assert outcome_of(events) == "not_found"


def test_a_vision_model_that_fails_is_told_and_the_words_are_quoted():
    events = explained(OnePage(), FakeVision(ModelNotInstalled("the vision model is gone")))
    assert any(isinstance(event, ErrorEvent) for event in events)
    assert "“P1”" in text(events)
    assert outcome_of(events) == "answered"


def test_a_page_that_cannot_be_drawn_fails_in_words():
    page = OnePage()
    page.broken = True
    events = explained(page, FakeVision())
    assert isinstance(events[-2], ErrorEvent)
    assert not events[-2].recoverable
    assert outcome_of(events) == "failed"


def test_a_stopped_explanation_ends_as_cancelled():
    events = explained(
        OnePage(), FakeVision("one two three"), stop=lambda event, token: token.cancel()
    )
    assert isinstance(events[-1], CompleteEvent)
    assert events[-1].outcome == "cancelled"
    assert text(events) == ""


@pytest.mark.parametrize("lines", [39, 60])
def test_a_region_full_of_words_is_cut_and_says_by_how_much(lines: int):
    boxes = np.array([[60, 51 + n, 90, 51.5 + n] for n in range(lines)], np.float32)
    words = PageWords(
        tuple(f"word{n}" for n in range(lines)), boxes, np.arange(lines, dtype=np.int32)
    )
    answer = text(explained(OnePage(words)))
    assert ("and 20 more lines" in answer) == (lines == 60)
