"""Research in the window: chosen, proposed, followed, stopped, read as a report."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from shiboken6 import isValid

from desktop.core.events import (
    CitationEvent,
    ClarificationChoice,
    ClarificationEvent,
    CompleteEvent,
    ConfidenceEvent,
    ErrorEvent,
    ResearchProgressEvent,
    ResearchProposalEvent,
    ResultEvent,
    TokenEvent,
)
from desktop.ui.asking import handing_on
from desktop.ui.asking.report_view import ReportView
from desktop.ui.chat.answer_view import AnswerView
from desktop.ui.chat.offered_questions import ClarificationBlock
from desktop.ui.chat.research import ProgressBlock
from desktop.ui.design.theme import apply_theme
from desktop.ui.design.tokens import LIGHT
from tests.ui import scripts
from tests.ui.fake_workspace import fake_workspace, manual

QUESTION = "Verify whether the test lasts 24 hours."


def report_item(mode="strict", confidence="High"):
    return {
        "name": "Research report",
        "score": 95,
        "schema_object": {
            "mode": mode,
            "iterations": 2,
            "confidence": confidence,
            "sources_used": ["Operator", "Installer"],
            "total_sources_analyzed": 8,
        },
    }


def progress():
    return [
        ResearchProgressEvent(0, 3, "gather", "started", "Searching manuals and notes."),
        ResearchProgressEvent(0, 3, "gather", "done", "8 sources found.", 1200.0),
        ResearchProgressEvent(1, 3, "analyst", "started", "Reading."),
        ResearchProgressEvent(1, 3, "analyst", "done", "There is a draft.", 630.0),
        ResearchProgressEvent(1, 3, "critic", "done", "No objections.", 68.0),
        ResearchProgressEvent(1, 3, "writer", "done", "The report is written.", 1.2),
    ]


def researched(outcome="answered", status="converged", mode="strict"):
    return [
        *progress(),
        CitationEvent(1, scripts.BATTERY, "The battery test lasts 24 hours."),
        TokenEvent("## Finding\nThe claim is **supported** [1]"),
        ResultEvent(
            "deep_research", "report", "research_report", (report_item(mode),), {"status": status}
        ),
        ConfidenceEvent(0.95, "High: 2 of 8 sources cited, 2 rounds"),
        CompleteEvent(outcome, 810.0, 2),
    ]


@pytest.fixture
def opened(window, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Operator"), manual(2, "Installer"))
    workspace.deep_research = object()
    window.open_workspace(workspace)
    return workspace


@pytest.fixture
def ask(window, opened, qtbot):
    def ask(events, mode="", question=QUESTION):
        opened.answer = events
        window.chat.composer.mode.choose(mode)
        window.chat.composer.write(question)
        window.chat.composer.button.click()
        turn = window.chat.turns[-1]
        qtbot.waitUntil(lambda: not turn.running)
        return turn

    return ask


def texts(widget):
    return [each.text() for each in widget.findChildren(QLabel) if each.isVisibleTo(widget)]


def test_the_switch_below_the_field_chooses_how_a_question_is_asked(ask, opened, window):
    window.chat.composer.mode.choose("discovery")
    assert window.chat.composer.button.accessibleName() == "Research"
    ask(researched(), "strict")
    assert opened.researched == [(QUESTION, "strict")]
    ask(scripts.answered(), "", "How long?")
    assert opened.researched == [(QUESTION, "strict")]


def test_there_is_no_switch_where_research_is_switched_off(window, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Operator"))
    workspace.deep_research = object()
    workspace.settings.reasoning.enabled = False
    window.open_workspace(workspace)
    assert window.chat.composer.mode.isHidden()


def test_how_far_a_research_is_is_told_while_it_goes_on(qtbot):
    block = ProgressBlock()
    qtbot.addWidget(block)
    for event in researched():
        if isinstance(event, ResearchProgressEvent):
            block.take(event)
    assert "Round 1 of up to 3" in texts(block)
    assert "The report is written." in texts(block)


def test_nothing_of_how_it_was_made_stays_above_the_answer_of_a_research(ask):
    turn = ask(researched(), "strict")
    assert turn.research.progress.isHidden()
    assert turn.reasoning.text().startswith("Read 8 sources")


def test_a_question_to_verify_something_proposes_research_that_one_click_begins(
    ask, opened, window, qtbot
):
    end = scripts.answered()
    proposal = ResearchProposalEvent(QUESTION, "strict", "The question asks for verification.")
    turn = ask([*end[:-1], proposal, end[-1]])
    opened.answer = researched()
    turn.research.propose_button.click()
    assert opened.researched == [(QUESTION, "strict")]
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)
    assert window.chat.turns[-1].mode == "strict"


def test_a_research_that_is_stopped_keeps_and_hands_on_what_it_found(
    ask, window, qtbot, tmp_path, monkeypatch
):
    turn = ask(researched("cancelled", "cancelled"), "strict")
    assert "supported" in turn.answer.prose[0].toPlainText()
    assert "Stopped by you. Showing what was found so far." in texts(turn)
    turn._footer.sheet_button.click()
    notices = window.library_panel.notices
    qtbot.waitUntil(lambda: any("Job sheet saved" in text for text in texts(notices)))


def test_a_research_that_ran_out_of_time_says_so_below_what_it_found(ask, qtbot):
    end = researched()
    late = ErrorEvent("The research took longer than 9 seconds.", False, "It can be longer.")
    turn = ask([*end[:-3], late, *end[-3:]], "strict")
    said = "The research took longer than 9 seconds. It can be longer."
    qtbot.waitUntil(lambda: said in texts(turn))


def report_of(window):
    (report,) = window.findChildren(ReportView)
    return report


def told_in(view):
    """What stands in the text of a report, cards aside."""
    said = "\n".join(each.toPlainText() for each in view.prose)
    return " ".join(said.split())  # a chip stands a little apart


def test_the_report_has_its_mode_its_rounds_and_citations_that_open_pages(ask, window, viewer):
    turn = ask(researched(), "strict")
    turn.research.report_button.click()
    report = report_of(window)
    byline = "Research: official sources · 2 rounds · 2 of 8 sources cited · confidence: high"
    assert byline in texts(report)
    assert told_in(report.text) == "Finding The claim is supported p. 5-4"
    before = len(viewer().shown)
    report.text.citation_clicked.emit(1)
    assert viewer().shown[before:][0][0][0] == scripts.BATTERY


def test_a_report_is_read_on_after_its_conversation_was_left(
    ask, window, viewer, qtbot, monkeypatch
):
    monkeypatch.setattr(handing_on, "can_print", lambda: False)
    turn = ask(researched(), "strict")
    turn.research.report_button.click()
    window.conversations.new()
    qtbot.waitUntil(lambda: not isValid(turn))
    report = report_of(window)
    before = len(viewer().shown)
    report.text.citation_clicked.emit(1)
    assert viewer().shown[before:][0][0][0] == scripts.BATTERY
    report.buttons["print_report"].click()
    notices = window.library_panel.notices
    qtbot.waitUntil(lambda: any("No printer is set up here" in text for text in texts(notices)))


def test_a_report_that_is_open_comes_to_the_front_again(ask, window, viewer):
    turn = ask(researched(), "strict")
    turn.research.report_button.click()
    window.chat.do_last("open_report")
    assert viewer().reports == [report_of(window)] * 2


def test_the_chips_of_an_open_report_change_with_the_look(ask, window, qtbot):
    turn = ask(researched(), "strict")
    turn.research.report_button.click()
    report = report_of(window)
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, Qt.ColorScheme.Dark)
    (prose,) = report.text.prose
    qtbot.waitUntil(lambda: LIGHT.accent not in prose.toHtml())
    apply_theme(application, Qt.ColorScheme.Light)
    qtbot.waitUntil(lambda: LIGHT.accent in prose.toHtml())


def test_a_monitoring_report_sets_the_site_beside_the_maker(ask, window):
    objects = (
        {"verdict": "contradiction", "site_statement": "20 h", "official_statement": "24 h"},
        {"verdict": "agreement", "site_statement": "J1C", "official_statement": "J1C"},
    )
    compared = ResultEvent("deep_research", "comparison", "comparison", objects)
    turn = ask([compared, *researched(mode="monitor")], "monitor")
    turn.research.report_button.click()
    report = report_of(window)
    said = texts(report)
    assert said.index("They contradict each other.") < said.index("They agree.")
    assert "Site notes say: 20 h" in said
    assert "The manual says: 24 h" in said


def test_a_report_that_holds_the_comparison_says_it_once_with_its_citations(ask, window, viewer):
    line = "Site notes say: “20 h.” The manual says: “24 h.” [1]"
    objects = (
        {"verdict": "contradiction", "site_statement": "20 h", "official_statement": "24 h"},
    )
    compared = ResultEvent("deep_research", "comparison", "comparison", objects)
    text = f"Contradictions\n- {line}"
    events = [
        replace(each, content=text) if isinstance(each, TokenEvent) else each
        for each in researched(mode="monitor")
    ]
    turn = ask([compared, *events], "monitor")
    turn.research.report_button.click()
    report = report_of(window)
    (view,) = (each for each in report.findChildren(AnswerView) if each.isVisible())
    assert told_in(view) == line.replace("[1]", "p. 5-4")
    assert not view.pictured  # its picture stands with the sources
    assert "Site notes say: 20 h" not in texts(report)
    assert "They contradict each other." in texts(report)
    before = len(viewer().shown)
    view.citation_clicked.emit(1)
    assert viewer().shown[before:][0][0][0] == scripts.BATTERY


def test_a_report_is_saved_when_there_is_no_printer(ask, window, qtbot, monkeypatch):
    monkeypatch.setattr(handing_on, "can_print", lambda: False)
    turn = ask(researched(), "strict")
    turn.research.report_button.click()
    report = report_of(window)
    report.buttons["print_report"].click()
    notices = window.library_panel.notices
    qtbot.waitUntil(lambda: any("No printer is set up here" in text for text in texts(notices)))


def test_a_stored_research_can_be_read_again_in_its_mode(window, tmp_path, qtbot):
    workspace = fake_workspace(tmp_path, manual(1, "Operator"))
    conversations = workspace.conversations
    conversations.add_turn(conversations.create("", ()), QUESTION, researched())
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: bool(window.chat.turns))
    (turn,) = window.chat.turns
    assert turn.mode == "strict"
    qtbot.waitUntil(turn.research.report_button.isVisible)


def test_an_option_says_which_manuals_it_searches_and_continues_the_question(
    ask, opened, window, qtbot
):
    choices = (
        ClarificationChoice("How long does the test of the P-200 last?", (1,), ("Operator",)),
        ClarificationChoice("How long does the test of the P-300 last?", (2,), ("Installer",)),
    )
    asked_back = [
        TokenEvent("Which pump?"),
        ClarificationEvent("Which pump?", ("P-200", "P-300"), choices),
        CompleteEvent("clarification", 3.0, 1),
    ]
    turn = ask(asked_back, question="How long does the test last?")
    buttons = turn.findChild(ClarificationBlock).buttons
    assert [each.accessibleDescription() for each in buttons] == [
        "searches Operator",
        "searches Installer",
    ]
    opened.answer = scripts.answered()
    buttons[1].click()
    assert opened.asked[-1] == ("How long does the test of the P-300 last?", frozenset({2}))
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)


def test_a_research_that_found_nothing_says_why_and_offers_to_look_further(
    ask, opened, window, qtbot
):
    nothing = [
        *progress()[:2],
        ErrorEvent("No source of tier 2 or better was found.", False, "Try something."),
        ResultEvent("deep_research", "report", "research_report", (report_item(),), {}),
        CompleteEvent("not_found", 5.0, 0),
    ]
    turn = ask(nothing, "strict")
    qtbot.waitUntil(lambda: "No source of tier 2 or better was found." in texts(turn))
    assert turn.research.report_button is None
    opened.answer = researched(mode="discovery")
    turn.research.propose_button.click()
    assert opened.researched[-1] == (QUESTION, "discovery")
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)
