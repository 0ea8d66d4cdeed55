"""An answer in the chat: a little Markdown, previews, asking on, asking again, drafts."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt

from desktop.core.conversations.suggested_questions import SuggestedQuestion
from desktop.core.events import CitationEvent, CompleteEvent, TextPiece, TokenEvent
from desktop.ui.chat.answer_text import answer_html
from desktop.ui.design.tokens import LIGHT
from tests.ui import scripts
from tests.ui.fake_workspace import fake_workspace, manual


class FakeSuggester:
    """Knows two questions. go_on: held back, it waits before each of them."""

    QUESTIONS = ("What is the torque for X1?", "What is the charge of <b>G1</b>?")

    def __init__(self):
        self.go_on, self.waiting = threading.Event(), threading.Event()
        self.go_on.set()

    def after_answer(self, cited, asked, cancelled):
        yield from self.to_begin_with([cited[0].document_id], cancelled)

    def to_begin_with(self, document_ids, cancelled):
        for text in self.QUESTIONS:
            while not self.go_on.wait(0.01):
                self.waiting.set()
                if cancelled():
                    return
            yield SuggestedQuestion(min(document_ids), text, 60)


@pytest.fixture
def opened(window, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Operator"), manual(2, "Installer"))
    workspace.suggester = FakeSuggester()
    workspace.answer = scripts.answered()
    window.open_workspace(workspace)
    return workspace


def html_of(text, citations=(1,)):
    return answer_html([TextPiece(text)], dict.fromkeys(citations, "p. 5-4"), LIGHT)


def test_headings_lists_bold_and_tables_are_shown_as_such():
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    html = html_of(f"## Steps\n- **Open** the flap [1]\n2. Close it\n{table}")
    assert ">Steps</span>" in html
    assert "## " not in html
    assert 'font-weight:600">Open</span> the flap' in html
    assert "2. Close it" in html
    assert html.count("<tr>") == 2
    assert "---" not in html


def test_signs_inside_words_and_numbers_stay_what_they_are():
    for text in ("5*3*2 mm", "__init__", "2 ** 3 ** 4", "a * b * c", "`"):
        assert text in html_of(text).replace("&#x27;", "'")


def test_a_sign_whose_end_is_not_streamed_yet_is_text():
    assert "**Open the" in html_of("**Open the")


def test_markup_in_an_answer_is_never_markup():
    html = html_of("**<img src=x onerror=y>** [x](file:///etc/passwd) | <td> |")
    assert "<img" not in html
    assert "&lt;img" in html
    assert "file:" not in html.replace("[x](file:///etc/passwd)", "")


def test_the_preview_shows_the_cited_part_while_the_pointer_rests_on_a_mark(ask, window, qtbot):
    turn = ask()
    turn.answer.chip_hovered.emit(1)
    previews = window.chat.previews
    qtbot.waitUntil(lambda: previews._popup is not None and previews.popup.isVisible())
    assert previews.popup.place.text() == "Operator, page 5-4"
    qtbot.waitUntil(lambda: previews.popup.picture.isVisible())
    turn.answer.chip_hovered.emit(0)
    assert not previews.popup.isVisible()


def test_crossing_a_mark_shows_nothing(ask, window, qtbot):
    turn = ask()
    turn.answer.chip_hovered.emit(1)
    turn.answer.chip_hovered.emit(0)
    qtbot.wait(300)
    assert window.chat.previews._popup is None


def test_questions_that_the_cited_manual_answers_are_offered_and_ask_it_alone(
    ask, opened, window, qtbot
):
    turn = ask()
    qtbot.waitUntil(lambda: len(turn.suggestions.buttons) == 2)
    offered = [each.option for each in turn.suggestions.buttons]
    assert offered == ["What is the torque for X1?", "What is the charge of <b>G1</b>?"]
    turn.suggestions.buttons[1].click()
    assert opened.asked[-1] == (offered[1], frozenset({1}))
    assert turn.suggestions.isHidden()
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)


def test_a_question_stops_the_search_for_others_and_none_is_offered_below_it(ask, opened, qtbot):
    first = ask()
    opened.suggester.go_on.clear()
    second = ask(question="And the other one?")
    qtbot.waitUntil(lambda: opened.suggester.waiting.is_set())
    third = ask(question="And this?")
    opened.suggester.go_on.set()
    qtbot.waitUntil(third.suggestions.isVisible)
    assert first.suggestions.isHidden()
    assert second.suggestions.isHidden()


def test_an_empty_conversation_offers_what_the_manuals_answer(opened, window, qtbot):
    qtbot.waitUntil(lambda: bool(window.chat.list.offered.buttons))
    offered = window.chat.list.offered.buttons
    assert offered[0].option == "What is the torque for X1?"
    offered[0].click()
    assert opened.asked[-1] == ("What is the torque for X1?", frozenset({1}))
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)


def test_an_answer_is_given_again_below_the_first(ask, opened, window, qtbot):
    turn = ask()
    turn._footer.again_button.click()
    qtbot.waitUntil(lambda: len(window.chat.turns) == 2 and not window.chat.turns[1].running)
    assert [question for question, _ in opened.asked] == [turn.question] * 2


def test_a_question_is_edited_in_the_field_and_asked_again(ask, window, opened, qtbot):
    turn = ask()
    turn.head.edit_button.click()
    field = window.chat.composer.field
    assert field.toPlainText() == turn.question
    qtbot.keyClicks(field, " In Menu 41")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert opened.asked[-1][0] == f"{turn.question} In Menu 41"
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)


def test_a_question_that_was_begun_is_there_after_a_restart(window, opened, qtbot):
    window.chat.composer.field.setPlainText("How long does")
    window.asking._draft.save()
    window.asking._draft.save()
    field = window.chat.composer.field
    field.clear()
    window.asking._draft.remember_in(opened.library.folder.root)
    assert field.toPlainText() == "How long does"
    field.clear()
    window.asking._draft.save()
    window.asking._draft.remember_in(opened.library.folder.root)
    assert field.toPlainText() == ""


def test_a_job_sheet_is_one_click_away(ask, window, qtbot, opened):
    turn = ask()
    turn._footer.sheet_button.click()
    folder = opened.library.folder.root / "reports"
    qtbot.waitUntil(lambda: folder.is_dir() and bool(list(folder.glob("*.pdf"))))


def test_a_table_cell_may_cite(ask):
    events = [
        CitationEvent(1, scripts.BATTERY, "24 h"),
        TokenEvent("| Test | 24 h [1] |"),
        CompleteEvent("answered", 3.0, 1),
    ]
    turn = ask(events=events)
    assert [number for number, _, _ in turn.answer.prose[0].chip_areas()] == [1]


def test_the_menu_does_with_the_last_answer_what_its_buttons_do(ask, window, opened, qtbot):
    turn = ask()
    window.chat.do_last("edit")
    assert window.chat.composer.field.toPlainText() == turn.question
    window.chat.do_last("job_sheet")
    folder = opened.library.folder.root / "reports"
    qtbot.waitUntil(lambda: folder.is_dir() and bool(list(folder.glob("*.pdf"))))
    window.chat.do_last("again")
    assert len(window.chat.turns) == 2
    window.chat.do_last("again")  # not while it is being answered
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)


def test_an_answer_that_was_stopped_can_be_given_again(window, opened, qtbot):
    opened.hold.clear()
    window.chat.ask("How long does the test last?")
    first = window.chat.turns[0]
    qtbot.waitUntil(lambda: "24 hours" in first.text)
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: first.outcome == "cancelled")
    opened.hold.set()
    qtbot.waitUntil(first._footer.again_button.isVisible)
    first._footer.again_button.click()
    second = window.chat.turns[1]
    qtbot.waitUntil(lambda: second.outcome == "answered")
    assert second.question == first.question


def test_three_citations_are_opened_one_after_the_other(ask, window, viewer, qtbot):
    places = [scripts.BATTERY, scripts.TEST_ROW, scripts.BATTERY]
    events = []
    for number, place in enumerate(places, 1):
        events += [TokenEvent(f"Fact {number}."), CitationEvent(number, place, f"words {number}")]
        events.append(TokenEvent(f" [{number}]\n"))
    turn = ask(events=[*events, CompleteEvent("answered", 3.0, 1)])
    before = len(viewer().shown)
    for number in (1, 2, 3):
        turn.answer.citation_clicked.emit(number)
    assert [current for _, current in viewer().shown[before:]] == [0, 1, 2]
