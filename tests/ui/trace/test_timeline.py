"""The reasoning of a question as a timeline: coloured stages, evidence, export."""

from __future__ import annotations

import json
import pkgutil

import pytest
from PySide6.QtWidgets import QLabel

from desktop.core.agent import tools
from desktop.core.agent.question_trace import QuestionTrace
from desktop.core.events import (
    ConfidenceEvent,
    NearestPageEvent,
    NoteCitationEvent,
    NoteSource,
    PageRegion,
    ResultEvent,
)
from desktop.core.settings.sections import ReasoningTraceSettings
from desktop.core.trace.reasoning_trace import ReasoningStage
from desktop.core.trace.session_memory import Sessions
from desktop.sentences import said as said_of
from desktop.ui.design.theme import colours
from desktop.ui.trace.step_card import StepCard
from desktop.ui.trace.timeline import (
    STAGE_TINTS,
    Step,
    inputs_of,
    plain,
    timeline_of_trace,
    tool_name,
)
from desktop.ui.trace.trace_panel import PromisesLine
from scripts.translations import templates
from tests.ui import scripts
from tests.ui.fake_workspace import fake_workspace, manual


@pytest.mark.parametrize(
    ("hits", "title"), [(1, "Quoted site notes"), (3, "Quoted the manuals and site notes")]
)
def test_the_step_that_answers_says_that_it_quoted_notes(hits, title):
    memory = Sessions(ReasoningTraceSettings()).memory(0)
    trace = QuestionTrace(memory, "How often?")
    step = trace.began("text_response", {}, "Answer.")
    step.take(NoteCitationEvent(1, NoteSource("n1", "Tubing", tier=4), "Every 6 weeks."))
    step.take(ResultEvent("text_response", "answer", "answer", ({"text": "x"},) * hits))
    trace.ended(step, 4.0)
    told = memory.get_trace()
    assert told is not None
    (shown,) = timeline_of_trace(told, {}).steps
    assert shown.title == title
    assert "site note" in shown.details


@pytest.fixture
def traced(window, qtbot, tmp_path):
    """A window in which a question was answered whose trace was recorded."""
    workspace = fake_workspace(tmp_path, manual(1, "Operator"), manual(2, "Installer"), hold=True)
    workspace.sessions = Sessions(ReasoningTraceSettings())
    workspace.answer = scripts.answered()
    window.open_workspace(workspace)
    window.chat.ask("How long does the battery test last?")
    scripts.record(workspace.sessions.memory(0))
    workspace.hold.set()  # a trace is written before the last event
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)
    qtbot.waitUntil(lambda: len(window.trace.steps.cards) == 4)
    qtbot.waitUntil(lambda: window.trace.timeline.finished)
    return window


def texts(widget):
    return [each.text() for each in widget.findChildren(QLabel) if each.isVisibleTo(widget)]


def test_a_recorded_trace_is_shown_with_stages_in_colour_and_in_words(traced):
    names = [card.head.accessibleName().split(":")[0] for card in traced.trace.steps.cards]
    assert names == ["Plan", "Done", "Correct", "Finish"]
    inks = {getattr(colours(), STAGE_TINTS[stage]) for stage in ReasoningStage}
    assert len(inks) == len(ReasoningStage)


def test_a_tool_call_tells_inputs_score_milliseconds_and_tokens(traced):
    card = traced.trace.steps.cards[1]
    card.head.click()
    said = texts(card)
    assert "query: How long does the battery test last?" not in said  # it stands above
    assert card.thumbnails()[0].share is None  # a single page is compared with none
    assert "812 tokens read, 64 written" in said
    assert not any("score" in text for text in said)


def test_a_thumbnail_opens_its_page_at_its_region(traced, viewer):
    card = traced.trace.steps.cards[1]
    card.head.click()
    card.thumbnails()[0].click()
    shown = viewer().shown[-1][0][0]
    assert (shown.document_id, shown.page, len(shown.regions)) == (1, 60, 1)


def test_a_thumbnail_shows_the_page(traced, qtbot):
    traced.trace.show()
    card = traced.trace.steps.cards[1]
    card.head.click()
    qtbot.waitUntil(lambda: card.thumbnails()[0]._pixmap is not None)


def test_commitments_are_shown_with_whether_they_were_kept(traced):
    assert traced.trace.promises.texts() == ["write a report: missing"]


def test_what_a_question_that_is_asked_back_promised_is_not_called_missing():
    memory = Sessions(ReasoningTraceSettings()).memory(0)
    memory.start_reasoning_trace(memory.add_interaction("How long does the test last?"))
    memory.add_reasoning_entry("planning", "Planned.", commitments=["answer"])
    memory.add_reasoning_entry(
        "execution", "Two batteries are meant.", action="ask_clarification", outcome="success"
    )
    memory.finish_reasoning_trace("partial", 0.0)
    trace = memory.get_trace()
    assert trace is not None
    timeline = timeline_of_trace(trace, {})
    assert timeline.finished
    assert timeline.asked_back


def test_the_line_of_promises_calls_missing_only_what_will_not_come(qtbot):
    line = PromisesLine()
    qtbot.addWidget(line)
    for finished, said in ((False, "answer: planned"), (True, "answer: missing")):
        line.show_promises([("answer", False)], finished=finished)
        assert line.texts() == [said]


def test_an_answer_that_no_manual_has_is_not_called_missing(qtbot):
    memory = Sessions(ReasoningTraceSettings()).memory(0)
    asked = QuestionTrace(memory, "Which colour is the moon?")
    asked.planned("Planned.", ["answer", "cite_page", "job_sheet"], [])
    asked.finished("not_found", [], [], 0.0)
    assert asked.trace is not None
    timeline = timeline_of_trace(asked.trace, {})
    line = PromisesLine()
    qtbot.addWidget(line)
    line.show_promises(timeline.promises, finished=True, not_found=timeline.not_found)
    assert line.texts() == ["write a job sheet: nothing found"]


def test_a_correction_is_shown_with_what_to_do_otherwise(traced):
    card = traced.trace.steps.cards[2]
    card.head.click()
    assert "corrected: Say instead: 24 hours." in texts(card)


def test_the_reasoning_is_one_line_of_the_answer_until_it_is_opened(traced, qtbot):
    panel, line = traced.trace, traced.chat.turns[-1].reasoning
    assert panel.isHidden()
    qtbot.waitUntil(lambda: line.text() == "Searched 2 manuals, read 2 pages: 0.1 s")
    line.click()
    qtbot.waitUntil(lambda: panel.isVisible() and panel.height() > 100)
    panel.close_button.click()
    assert panel.isHidden()


def test_the_answer_stays_in_view_when_its_reasoning_is_opened(traced, qtbot):
    traced.resize(1100, 640)
    for _ in range(2):
        traced.chat.ask("How long does the battery test last?")
        qtbot.waitUntil(lambda: not traced.chat.turns[-1].running)
    line = traced.chat.turns[1].reasoning
    qtbot.waitUntil(lambda: bool(line.text()))
    traced.chat.list.ensureWidgetVisible(line)
    line.click()
    qtbot.waitUntil(lambda: traced.trace.isVisible() and traced.trace.height() > 100)
    qtbot.wait(50)
    top = line.mapTo(traced.chat.list.viewport(), line.rect().topLeft()).y()
    assert 0 <= top <= traced.chat.list.viewport().height() - line.height()


def test_the_reasoning_is_exported_as_json(traced, qtbot, tmp_path, monkeypatch):
    path = tmp_path / "trace.json"
    monkeypatch.setattr("desktop.ui.asking.controller.choose_place", lambda *asked: asked[-1](path))
    traced.trace.export_button.click()
    qtbot.waitUntil(lambda: "saved to trace.json" in traced.trace.said.text())
    written = json.loads(path.read_text())
    assert written[0]["pending_commitments"] == ["export_report"]


def test_an_export_that_cannot_be_written_says_why(traced, qtbot, tmp_path):
    traced.asking._trace.export(tmp_path / "missing" / "trace.json")
    qtbot.waitUntil(lambda: traced.trace.said.text() != "")
    assert "Traceback" not in traced.trace.said.text()


def test_a_question_whose_reasoning_was_not_recorded_says_so(window, qtbot, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Operator"))
    workspace.answer = scripts.answered()
    window.open_workspace(workspace)
    window.chat.ask("How long?")
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)
    window.chat.turns[-1].reasoning.click()
    assert "No reasoning was recorded" in window.trace.nothing.text()
    assert window.trace.nothing.isVisible()
    assert not window.trace.export_button.isEnabled()


def test_the_trace_of_a_reopened_conversation_is_read_from_the_library(window, qtbot, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Operator"))
    conversations = workspace.conversations
    conversations.add_turn(conversations.create("", ()), "How long?", scripts.answered())
    turn = conversations.turns(conversations.list()[0].id)[0]
    workspace.traces.stored[turn.id] = scripts.record(workspace.sessions.memory(0))
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: "write a report: missing" in window.trace.promises.texts())


def test_without_a_question_the_reasoning_says_what_it_is_for(window):
    window.trace.show()
    assert window.trace.nothing.isVisible()
    assert window.trace.nothing.text() == "The steps to an answer appear here."


def test_a_step_that_took_no_time_tells_none(qtbot):
    card = StepCard(Step(ReasoningStage.PLANNING, "Read a page", milliseconds=0.0), None)
    qtbot.addWidget(card)
    card.open()
    assert not any(" s" in text for text in texts(card))


def test_a_refusal_opens_on_the_pages_that_were_read_and_why_none_answers(traced):
    asked = QuestionTrace(Sessions(ReasoningTraceSettings()).memory(0), "What does code 99 mean?")
    asked.planned("Planned.", ["answer", "cite_page"], [])
    running = asked.began("text_response", {}, "Pages were found; answer from them.")
    running.take(NearestPageEvent(PageRegion(1, "a.pdf", 7, "8", ()), "Code 98"))
    against = said_of("Against an answer: {reason}", reason="lacks the code 99")
    running.take(ConfidenceEvent(0.8, "", (against, "For an answer: longer than most")))
    asked.ended(running, 3.0)
    asked.finished("not_found", [], [], 0.8)
    assert asked.trace is not None
    traced.trace.begin("What does code 99 mean?")
    traced.trace.show_timeline(timeline_of_trace(asked.trace, {}))
    read, _ = traced.trace.steps.cards
    assert read.opened
    assert against in texts(read)
    assert "For an answer: longer than most" not in texts(read)
    assert read.step.title == "None of the nearest pages answers: p. 8"


WHY = "For: has the code E24"


def test_the_reasons_of_an_answer_stand_in_its_step():
    said = ConfidenceEvent(0.8, "found by page words", (WHY,))
    trace = QuestionTrace(Sessions(ReasoningTraceSettings()).memory(0), "What does E24 mean?")
    running = trace.began("text_response", {}, "Pages were found; answer from them.")
    running.take(said)
    trace.ended(running, 3.0)
    assert trace.trace is not None
    recorded = timeline_of_trace(trace.trace, {})
    assert WHY in recorded.steps[-1].details


def test_every_tool_has_a_name_in_the_trace():
    names = [module.name for module in pkgutil.iter_modules(tools.__path__)]
    assert len(names) > 5
    assert [name for name in names if tool_name(name) == name.replace("_", " ").capitalize()] == []


def test_an_input_that_says_nothing_to_a_person_is_not_shown():
    found = inputs_of({"max_summary_tokens": 800, "environment_tokens": 9_000, "as_answer": True})
    assert found == (("longest summary, in tokens", "800"), ("as the answer", "yes"))


@pytest.mark.parametrize(
    ("for_models", "shown"),
    [
        (
            "VLM analyzed {num_objects} pages. Summary: {summary}",
            "Looked at the page pictures (2): A drawing.",
        ),
        (
            "VLM analyzed {num_objects} pages. Summary: {summary} Not all pages: {failed}",
            "Looked at the page pictures (2): A drawing. Not all: A model failed.",
        ),
        ("Try fast_vector_search for text content", "Search the text instead"),
        ("Or try fast_vector_search for text content.", "Or search the text instead."),
        ("No visual pages to interpret", "No page pictures to look at"),
        ("Environment summarized due to size. Key points preserved.", "Shortened to fit"),
    ],
)
def test_what_is_worded_for_a_model_is_shown_in_plain_words(for_models, shown):
    assert for_models in templates()  # whoever rewords it there rewords it here
    values = {"num_objects": 2, "summary": "A drawing.", "failed": "A model failed."}
    assert plain(said_of(for_models, **values)) == shown


def test_what_a_model_learned_from_a_failed_call_is_not_shown():
    trace = QuestionTrace(Sessions(ReasoningTraceSettings()).memory(0), "Where is F-12?")
    failed = trace.began("search", {"query": "Where is F-12?"}, "Look for it.")
    failed.error = "No page was found."
    trace.ended(failed, 1.0)
    trace.ended(trace.began("search", {"query": "F12"}, "Look for it otherwise."), 1.0)
    assert trace.trace is not None
    assert "instead of" in trace.trace.corrections[0]
    stages = [step.stage for step in timeline_of_trace(trace.trace, {}).steps]
    assert stages == [ReasoningStage.EXECUTION] * 2
