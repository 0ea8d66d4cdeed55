"""Scripted answers: what an engine would say to a question."""

from __future__ import annotations

from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    ConfidenceEvent,
    DecisionEvent,
    ErrorEvent,
    Event,
    NearestPageEvent,
    PageRegion,
    ResultEvent,
    StatusEvent,
    TokenEvent,
    WarningBlockEvent,
    WarningLevel,
)
from desktop.core.geometry import Box
from desktop.sentences import full, said

BATTERY = PageRegion(
    1, "operator-manual.pdf", 60, "5-4", (Box(72, 200, 420, 214), Box(72, 216, 310, 230))
)
TEST_ROW = PageRegion(2, "installer-manual.pdf", 33, "4-11", (Box(72, 300, 500, 318),))
FOUND = (
    {
        "_REF_ID": "pages_0",
        "document_id": 1,
        "document": "operator-manual.pdf",
        "page": 60,
        "label": "5-4",
        "score": 0.0325,
        "found_by": ["lexical", "dense"],
        "content": "The battery test lasts 24 hours.",
        "regions": [(72, 200, 420, 214)],
    },
    {
        "_REF_ID": "pages_1",
        "document_id": 2,
        "document": "installer-manual.pdf",
        "page": 33,
        "label": "4-11",
        "score": 0.0301,
        "found_by": ["dense"],
        "content": "Test interval: 1 h",
        "regions": [(72, 300, 500, 318)],
    },
)


def search_steps() -> list[Event]:
    question = "How long does the battery test last?"
    return [
        DecisionEvent(
            "fast_vector_search",
            "Nothing has been searched yet; the question names a part and asks for a time.",
            {"query": question, "limit": 10},
            1,
            0.4,
        ),
        StatusEvent(said("Searching {n} manuals", n=3)),
        ResultEvent(
            "fast_vector_search",
            "pages",
            "pages",
            FOUND,
            {"documents": 2},
            "Found 2 pages in 2 manuals.",
            17.8,
        ),
        DecisionEvent("text_response", "Two pages carry the words of the question.", {}, 2, 0.2),
        StatusEvent(said("Reading {n} pages", n=2)),
    ]


def words(text: str) -> list[Event]:
    return [TokenEvent(piece) for piece in text.replace(" ", " \0").split("\0")]


def answered(text: str = "The battery test lasts 24 hours and repeats hourly.") -> list[Event]:
    return [
        *search_steps(),
        *words(text),
        CitationEvent(1, BATTERY, "The battery test lasts 24 hours. It repeats every hour."),
        TokenEvent(" [1]"),
        *words("\nThe interval is set in Menu 41, terminal J1C, at 24 V."),
        CitationEvent(2, TEST_ROW, "Menu 41 | Test interval | 1 h | J1C"),
        TokenEvent(" [2]"),
        WarningBlockEvent(
            "WARNING",
            "Disconnect the mains supply before you open the housing. The capacitors keep a "
            "dangerous voltage for 5 minutes.",
            PageRegion(2, "installer-manual.pdf", 32, "4-10", (Box(72, 100, 500, 160),)),
        ),
        ConfidenceEvent(0.86, "Both sentences carry every word of the question."),
        CompleteEvent("answered", 96.0, 2),
    ]


def safety_blocks() -> list[Event]:
    place = PageRegion(2, "installer-manual.pdf", 32, "4-10", (Box(72, 100, 500, 160),))
    texts: dict[WarningLevel, str] = {
        "DANGER": "High voltage. Contact will cause death or severe injury.",
        "WARNING": "Disconnect the mains supply before you open the housing.",
        "CAUTION": "Hot surface. Let the heat sink cool for 10 minutes.",
        "NOTE": "Tighten terminal J1C to 0.5 Nm.",
    }
    return [WarningBlockEvent(level, text, place) for level, text in texts.items()]


def not_found() -> list[Event]:
    return [
        *search_steps(),
        TokenEvent(said("Not sure your manuals answer this.")),
        NearestPageEvent(BATTERY, "The battery test lasts 24 hours. It repeats every hour."),
        NearestPageEvent(TEST_ROW, "Menu 41 | Test interval | 1 h | J1C"),
        CompleteEvent("not_found", 41.0, 2),
    ]


def failed() -> list[Event]:
    return [
        *search_steps()[:2],
        ErrorEvent(
            full(said("The library file is damaged")),
            recoverable=False,
            suggestion="Put a backup of library.db in its place, or add the manuals again.",
            tool="fast_vector_search",
        ),
        CompleteEvent("failed", 12.0, 1),
    ]


PAGE = {
    "type": "region",
    "document_id": 1,
    "document": "operator-manual.pdf",
    "page": 60,
    "label": "5-4",
    "regions": [[72, 200, 420, 214]],
}


def record(memory, question="How long does the battery test last?"):
    """Write what an agent writes about a question that was corrected once."""
    asked = memory.add_interaction(question)
    memory.start_reasoning_trace(asked)
    memory.add_reasoning_entry(
        "planning",
        "Planned: an answer and a report.",
        commitments=["answer", "export_report"],
        outcome="success",
    )
    memory.add_reasoning_entry(
        "execution",
        "The question names a part.",
        action="fast_vector_search",
        parameters={"query": question},
        attachments=[PAGE],
        outcome="success",
        metrics={"milliseconds": 17.8, "score": 0.0325, "tokens_in": 812, "tokens_out": 64},
    )
    memory.add_reasoning_entry(
        "correction", "The page says 24 hours.", corrections=["Say instead: 24 hours."]
    )
    memory.fulfil_commitment("answer")
    memory.add_reasoning_entry("finalization", "No report was written.", outcome="partial")
    memory.finish_reasoning_trace("partial", 0.8)
    return memory.get_trace()
