"""What site notes say against the samples: all that agrees or contradicts, and nothing else."""

from __future__ import annotations

import json
import re
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import pytest

from desktop.core.events import (
    CitationEvent,
    NoteCitationEvent,
    ResultEvent,
    TokenEvent,
)
from desktop.core.notes.desk import NoteDesk
from desktop.core.notes.note import Note
from desktop.core.notes.search import NoteSearch
from desktop.core.research.report import CONTRADICTED, OTHER_VALUE
from desktop.models.manager import ModelManager
from tests.e2e.real_library import ANSWER_SECONDS, opened
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.research import critic

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.events import Event, ResearchMode
    from desktop.core.workspace import Workspace

QUESTION = "Do our site notes agree with the manuals?"
CONTRADICTIONS = {
    # surely one: its odds stay above the bar on every processor, whose sums differ by rounding
    "Open Q1, lock it, and wait at least 30 seconds before you touch terminals X1 and X2.": (
        "5 minutes"
    ),
    "Tighten the nut of the PE stud with 8 Nm.": "6 Nm",
    "Lift the station by the pumps or the manifolds, the frame is slippery.": "never",
}
AGREEMENTS = {
    "Charge the vessel V1 to a pre-charge of 310 kPa at the setpoint of 4.5 bar.": "3.1 bar",
    "Flange bolts DN 65 and DN 80 are tightened with 90 Nm, crosswise.": "90 Nm",
    "The internal battery test of G1 takes 2 minutes.": "2 minutes",
    "Replace the mechanical seals of both pumps every 60 months.": "5 years",
    "Order the internal battery under part number 72-2011 only.": "72-2011",
}
NEITHER = (
    "The key of the plant room hangs in the porter's lodge.",
    "The display flickered on a cold morning, it was gone after an hour.",
    "Motor housings were at 55 °C last summer.",
    "The vent plug on the pump head of our old station needed 20 Nm.",
    "Call the porter 30 minutes before you drain the tank.",
    "Keep two spare fuses in the drawer.",
    "We have 4 keys for the cabinet.",
)


class Judge(FakeLanguageModel):
    """Passes every draft. Of pairs that rules cannot settle it says `verdicts`, one a question."""

    def __init__(self, *verdicts: str) -> None:
        super().__init__(context_tokens=32_000)
        self._verdicts = list(verdicts)
        self.judged = 0

    def generate(self, request: Any, *cancelled: Any) -> Any:
        prompt = request.messages[-1].text
        if "A: “" in prompt:
            self.judged += 1
            verdict = self._verdicts[(self.judged - 1) % len(self._verdicts)]
            pairs = re.findall(r"^(\d+)\. A: ", prompt, re.MULTILINE)
            said = [{"pair": int(number), "verdict": verdict} for number in pairs]
            self.enqueue(json.dumps({"verdicts": said}))
        else:
            self.enqueue(critic("PASS"))
        return super().generate(request, *cancelled)


@pytest.fixture(scope="module", params=["rules", "scripted", "scripted, undecided"])
def events(sample_library: Path, request: pytest.FixtureRequest) -> list[Event]:
    """What is told of the samples and notes; agents by rules or by a scripted model."""
    notes = NoteDesk()
    for text in (*CONTRADICTIONS, *AGREEMENTS, *NEITHER):
        notes.add(Note(text, role="fitter"))
    with pytest.MonkeyPatch.context() as patch, opened(sample_library, read_only=True) as workspace:
        if request.param != "rules":
            says = ("unrelated",) if request.param == "scripted" else ("contradiction", "agreement")
            model = Judge(*says)
            patch.setattr(ModelManager, "language", lambda *_: model)
        research = workspace.deep_research
        assert research is not None
        research.notes = notes
        research.note_search = NoteSearch(notes, workspace.library)
        return researched(workspace)


def researched(
    workspace: Workspace, question: str = QUESTION, mode: ResearchMode = "monitor"
) -> list[Event]:
    queue: SimpleQueue[Event | None] = SimpleQueue()
    workspace.research(question, mode, frozenset(), queue.put, lambda: queue.put(None))
    events: list[Event] = []
    while (event := queue.get(timeout=ANSWER_SECONDS)) is not None:
        events.append(event)
    return events


def compared(events: list[Event]) -> dict[str, set[str]]:
    """Return what the site says, by verdict."""
    (found,) = [e for e in events if isinstance(e, ResultEvent) and e.name == "comparison"]
    return {
        verdict: {e["site_statement"] for e in found.objects if e["verdict"] == verdict}
        for verdict in ("contradiction", "agreement")
    }


def text_of(events: list[Event]) -> str:
    return "".join(event.content for event in events if isinstance(event, TokenEvent))


def test_what_is_stated_is_so_and_what_is_not_decided_stands_side_by_side(events: list[Event]):
    told = compared(events)
    assert told["contradiction"] <= set(CONTRADICTIONS)
    assert told["agreement"] <= set(AGREEMENTS)
    assert told["contradiction"]
    lines = text_of(events).splitlines()
    known = CONTRADICTIONS | AGREEMENTS
    beside = [
        statement
        for statement, words in known.items()
        if any(statement.rstrip(".") in line and words in line for line in lines)
    ]
    assert len(beside) >= 6


def test_the_report_shows_both_sides_with_the_note_and_the_page(events: list[Event]):
    text = text_of(events)
    assert text.index("Contradictions") < text.index("Agreements") < text.index("Not decided")
    notes = [event for event in events if isinstance(event, NoteCitationEvent)]
    pages = [event for event in events if isinstance(event, CitationEvent)]
    assert notes
    assert pages
    assert all(page.source.regions for page in pages)
    marks = {f"[{each.number}]" for each in notes}, {f"[{each.number}]" for each in pages}
    lines = [line for line in text.splitlines() if line.startswith("- ")]
    assert len(lines) >= len(CONTRADICTIONS)
    for line in lines:
        assert all(any(mark in line for mark in side) for side in marks)


def test_a_row_of_a_research_stands_as_its_table_has_it(sample_library: Path):
    question = "Verify whether the tightening torque for terminals X2:1 to X2:6 is 0.6 Nm."
    with opened(sample_library, read_only=True) as workspace:
        told = researched(workspace, question, "strict")
    forms = [each.form for each in told if isinstance(each, CitationEvent)]
    assert [form.cells[form.asked] for form in forms if form is not None] == ["1.2 Nm"]
    verdict = text_of(told).splitlines()[0]
    assert verdict in (CONTRADICTED, OTHER_VALUE)  # never that it is supported
