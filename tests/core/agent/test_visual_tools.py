"""`colqwen_visual_search` and `visual_interpretation`: when they can run, what they ask for."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from desktop.core.agent.decision import Decision
from desktop.core.agent.page_reading import best_region, image_key
from desktop.core.errors import PdfNeedsPassword
from desktop.core.events import ErrorEvent, ResultEvent, StatusEvent
from desktop.core.geometry import Box
from desktop.core.jobs import CancelToken
from desktop.core.library.units import Passage
from desktop.core.reader.evidence import Evidence
from desktop.core.structure.values import Block
from desktop.models.errors import ModelOutOfBudget
from tests.fakes.agent import ask, make_agent
from tests.fakes.decider import FakeDecider
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.vision import FakeDrawer, FakeModels, FakeVision, FakeVisualSearch

SEARCH = Decision(tool="fast_vector_search", inputs={"query": "wiring"})
VISUAL = Decision(tool="colqwen_visual_search", inputs={"query": "wiring diagram"})
LOOK = Decision(tool="visual_interpretation")
ANSWER = Decision(tool="text_response", should_end=True)
PAGE = Box(0, 0, 600, 800)


class DrawnLibrary:
    """Pages 4 and 5 have a drawing, the others only text."""

    def __init__(self, *pages):
        self.pages_with_drawing = pages or (4, 5)

    def blocks(self, document_id, page):
        text = Block(0, "text", "Wiring", (10, 20, 110, 32))
        figure = Block(1, "figure", "", (10, 30, 210, 130))
        return [text, figure] if page in self.pages_with_drawing else [text]

    def document(self, document_id):
        return SimpleNamespace(sha256=f"{document_id:064x}")


def run(*decisions, vision=None, visual=None, searcher=None, library=None, drawer=None):
    decider = FakeDecider(*decisions)
    agent = make_agent(
        decider=decider,
        searcher=searcher or FakeSearcher([page_found("The fuse.", 3), page_found("Wiring.", 4)]),
        models=FakeModels(vision),
        library=library or DrawnLibrary(),
        drawer=drawer or FakeDrawer(),
        visual_search=visual,
    )
    return ask(agent, "How is the pump wired?"), decider


def results_of(events, tool):
    return [e for e in events if isinstance(e, ResultEvent) and e.tool == tool]


def test_visual_search_is_offered_only_with_page_vectors():
    for visual in (None, FakeVisualSearch(ready=False)):
        _, decider = run(SEARCH, ANSWER, visual=visual)
        assert "colqwen_visual_search" not in decider.available[0]
    _, decider = run(SEARCH, ANSWER, visual=FakeVisualSearch())
    assert "colqwen_visual_search" in decider.available[0]


def test_visual_search_returns_pages_as_the_specification_names_them():
    visual = FakeVisualSearch(page_found("A", 7), page_found("B", 9))
    events, _ = run(VISUAL, ANSWER, visual=visual)
    (result,) = results_of(events, "colqwen_visual_search")
    assert (result.name, result.payload_type) == ("visual_pages", "colqwen_pages")
    assert result.message == "Found 2 pages with visual matches. Pages: 4-7, 4-9."
    assert result.metadata == {"query": "wiring diagram", "source": "PDFDocuments"}
    assert [found["page"] for found in result.objects] == [7, 9]
    assert visual.queries[0].text == "wiring diagram"
    assert StatusEvent("Searching the page pictures") in events
    assert events[-1].outcome == "answered"  # the answer may quote the pages it found


def test_visual_search_without_a_match_suggests_the_text_search():
    events, decider = run(VISUAL, SEARCH, ANSWER, visual=FakeVisualSearch())
    error = next(e for e in events if isinstance(e, ErrorEvent))
    assert error.message == "No visual matches for: wiring diagram"
    assert error.suggestion == "Try fast_vector_search for text content"
    assert error.recoverable
    assert "No visual matches" in decider.errors[1][0]


def test_visual_search_that_has_no_memory_says_so_and_leaves_the_text_search():
    failure = ModelOutOfBudget("the model needs 4 GB", 4, 1, "Close other programs.")
    events, _ = run(VISUAL, SEARCH, ANSWER, visual=FakeVisualSearch(failure))
    error = next(e for e in events if isinstance(e, ErrorEvent))
    assert "memory" in error.message
    assert "fast_vector_search" in error.suggestion
    assert events[-1].outcome == "answered"


def test_looking_is_offered_once_pages_with_drawings_were_found_and_a_vision_model_is_there():
    _, decider = run(SEARCH, ANSWER, vision=FakeVision())
    assert "visual_interpretation" not in decider.available[0]
    assert "visual_interpretation" in decider.available[1]
    _, decider = run(SEARCH, ANSWER, vision=None)
    assert "visual_interpretation" not in decider.available[1]
    _, decider = run(SEARCH, ANSWER, vision=FakeVision(), library=DrawnLibrary(99))
    assert "visual_interpretation" not in decider.available[1]


def test_the_top_two_pages_of_a_visual_search_are_read_whole_and_closer():
    vision = FakeVision("Page seven.", "Its drawing.", "Page nine.", "Its rows.")
    visual = FakeVisualSearch(*(page_found("x", page) for page in (7, 9, 11)))
    drawer = FakeDrawer()
    events, _ = run(VISUAL, LOOK, ANSWER, vision=vision, visual=visual, drawer=drawer)
    (result,) = results_of(events, "visual_interpretation")
    assert (result.name, result.payload_type) == ("visual_interpretations", "interpretations")
    assert result.message == (
        "VLM analyzed 2 pages. Summary: Page seven. Its drawing. Page nine. Its rows."
    )
    assert result.metadata["source"] == "fake-vision r1"
    first = result.objects[0]
    assert first["interpretation"] == "Page seven.\nIts drawing."
    assert (first["document_id"], first["document"], first["page"]) == (1, "pump.pdf", 7)
    assert first["label"] == "4-7"
    assert first["region"] == [0.0, 0.0, 134.0, 56.0]
    assert first["regions"] == [first["region"]]
    assert "by a vision model" in first["read_from"]
    assert drawer.drawn == [(1, 7, 2.0), (1, 9, 2.0)]


def test_the_model_is_asked_about_the_right_pixels_under_a_name_of_their_own():
    vision = FakeVision()
    run(VISUAL, LOOK, ANSWER, vision=vision, visual=FakeVisualSearch(page_found("x", 7)))
    whole, closer = vision.requests
    assert whole.image.shape == (1600, 1200, 3)
    assert whole.region is None
    assert closer.region == (0, 0, 268, 112)  # pixels: 2 per point, 24 points around
    assert whole.image_key == closer.image_key == image_key(f"{1:064x}", 7, 2.0)
    assert "How is the pump wired?" in whole.question
    assert "the whole of page 4-7 of Pump" in whole.question
    assert "a part of page 4-7 of Pump" in closer.question
    assert "never an instruction" in whole.instructions


def test_only_pages_with_drawings_are_looked_at_after_a_text_search():
    vision = FakeVision()
    searcher = FakeSearcher([page_found("x", page) for page in (3, 4, 6, 5)])
    events, _ = run(SEARCH, LOOK, ANSWER, vision=vision, searcher=searcher)
    (result,) = results_of(events, "visual_interpretation")
    assert [found["page"] for found in result.objects] == [4, 5]


def test_what_is_going_on_is_streamed():
    visual = FakeVisualSearch(page_found("x", 7))
    events, _ = run(VISUAL, LOOK, ANSWER, vision=FakeVision(), visual=visual)
    said = [e.message for e in events if isinstance(e, StatusEvent)]
    at = said.index("Looking at page 4-7 of Pump")
    assert said[at + 1 : at + 4] == [
        "Loading the vision model: 0 %",
        "Loading the vision model: 50 %",
        "Looking more closely at part of page 4-7",
    ]


def test_a_question_of_its_own_can_be_asked_of_the_pictures():
    vision = FakeVision()
    look = LOOK.model_copy(update={"inputs": {"question": "Which colour is wire 3?"}})
    run(SEARCH, look, ANSWER, vision=vision)
    assert "Which colour is wire 3?" in vision.requests[0].question


def test_no_memory_becomes_an_error_with_a_suggestion_and_the_answer_goes_on():
    failure = ModelOutOfBudget("the model needs 8 GB", 8, 1, "Use a smaller model.")
    events, decider = run(SEARCH, LOOK, ANSWER, vision=FakeVision(failure))
    error = next(e for e in events if isinstance(e, ErrorEvent))
    assert error.message == "There is not enough memory for this model."
    assert error.suggestion.endswith("Or answer from the text that was found.")
    assert "There is not enough memory" in decider.errors[2][0]
    assert events[-1].outcome == "answered"


def test_what_was_seen_before_a_failure_is_kept():
    failure = ModelOutOfBudget("no room", 8, 1)
    vision = FakeVision("Seen.", "Closer.", failure)
    visual = FakeVisualSearch(page_found("x", 7), page_found("x", 9))
    events, _ = run(VISUAL, LOOK, ANSWER, vision=vision, visual=visual)
    (result,) = results_of(events, "visual_interpretation")
    assert [found["page"] for found in result.objects] == [7]
    assert "Not all pages: There is not enough memory" in result.message


def test_a_protected_page_cannot_be_looked_at_and_says_why():
    drawer = FakeDrawer(PdfNeedsPassword("pump.pdf"))
    events, _ = run(SEARCH, LOOK, ANSWER, vision=FakeVision(), drawer=drawer)
    error = next(e for e in events if isinstance(e, ErrorEvent))
    assert error.message == "This PDF is protected."


def test_a_model_that_says_nothing_is_an_error_and_not_an_empty_result():
    events, _ = run(SEARCH, LOOK, ANSWER, vision=FakeVision(" "))
    assert not results_of(events, "visual_interpretation")
    error = next(e for e in events if isinstance(e, ErrorEvent))
    assert "nothing to say" in error.message


def test_what_was_cut_off_is_marked():
    events, _ = run(SEARCH, LOOK, ANSWER, vision=FakeVision("Wire 3 is", end="length"))
    (result,) = results_of(events, "visual_interpretation")
    assert result.objects[0]["interpretation"].endswith("Wire 3 is …")


def test_stopping_a_question_stops_the_vision_model(tmp_path):
    import threading

    vision = FakeVision()
    vision.held = threading.Event()
    token = CancelToken()
    agent = make_agent(
        decider=FakeDecider(SEARCH, LOOK, ANSWER),
        searcher=FakeSearcher([page_found("Wiring.", 4)]),
        models=FakeModels(vision),
        library=DrawnLibrary(),
        drawer=FakeDrawer(),
    )

    async def collect():
        events = []
        task = asyncio.current_task()
        assert task is not None
        async for event in agent.run("How?", cancel=token):
            events.append(event)
            if isinstance(event, StatusEvent) and event.message.endswith("50 %"):
                token.cancel()
                asyncio.get_running_loop().call_soon(task.cancel)
        return events

    events = asyncio.run(collect())
    assert events[-1].outcome == "cancelled"
    assert vision.stopped.wait(30)


def evidence(*boxes):
    passage = Passage(1, "row", "x", "", boxes, (), 1.0)
    return Evidence(1, "pump.pdf", "Pump", 4, "5", 1.0, ("lexical",), (passage,) if boxes else ())


FIGURE = Block(0, "figure", "", (100, 100, 300, 300))


@pytest.mark.parametrize(
    ("boxes", "blocks", "region"),
    [
        ((Box(110, 310, 200, 320),), (), Box(86, 286, 224, 344)),
        ((Box(110, 290, 200, 310),), (FIGURE,), Box(76, 76, 324, 334)),
        ((Box(400, 400, 420, 420),), (FIGURE,), Box(376, 376, 444, 444)),
        ((), (FIGURE,), Box(76, 76, 324, 324)),
        ((Box(0, 0, 20, 20),), (), Box(0, 0, 44, 44)),
        ((Box(0, 0, 600, 700),), (), None),
        ((), (), None),
        ((Box(5, 5, 5, 9),), (), None),
    ],
)
def test_the_best_region_holds_the_passage_and_the_drawing_it_touches(boxes, blocks, region):
    assert best_region(evidence(*boxes), blocks, PAGE) == region
