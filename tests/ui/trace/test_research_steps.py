"""The recorded steps of a research in the timeline."""

from __future__ import annotations

from desktop.core.agent.question_trace import QuestionTrace
from desktop.core.events import CompleteEvent, Event, ResearchProgressEvent, TokenEvent
from desktop.core.research.trace import ResearchTrace
from desktop.core.trace.session_memory import SessionMemory
from desktop.ui.trace.timeline import timeline_of_trace

EVENTS: list[Event] = [
    ResearchProgressEvent(0, 3, "gather", "started", "Searching manuals and notes."),
    ResearchProgressEvent(0, 3, "gather", "done", "9 sources found.", 12.0),
    ResearchProgressEvent(1, 3, "analyst", "started", "Reading."),
    ResearchProgressEvent(1, 3, "analyst", "done", "There is a draft.", 40.0),
    ResearchProgressEvent(1, 3, "critic", "started", "Checking every sentence."),
    ResearchProgressEvent(1, 3, "critic", "done", "Rejected: 1 objection.", 5.0),
    TokenEvent("The fuse is 5 A."),
    CompleteEvent("answered", 90.0, 1),
]


def recorded():
    memory = SessionMemory(enable_reasoning_trace=True)
    trace = ResearchTrace(QuestionTrace(memory, "Which fuse?"))
    trace.planned("discovery", "")
    for event in EVENTS:
        trace.take(event)
    (made,) = memory.traces()
    return timeline_of_trace(made, {})


def test_recorded_stages_are_named_with_their_rounds():
    stages = ["Search manuals and notes", "Read and draft, round 1", "Check the draft, round 1"]
    assert [step.title for step in recorded().steps][1:4] == stages
