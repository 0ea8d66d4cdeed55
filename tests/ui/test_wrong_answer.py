"""The "wrong answer" button: what is asked, what is kept, what can be undone."""

from __future__ import annotations

import pytest

from desktop.core.evaluation.gold import QuestionFile
from desktop.ui.chat.turn_parts import TurnFooter
from desktop.ui.chat.wrong_answer import WrongAnswerDialog
from tests.ui import scripts
from tests.ui.fake_workspace import fake_workspace, manual


@pytest.fixture
def wrong(window, qtbot, tmp_path, viewer):
    """Ask, get an answer, press the button; returns the dialog."""

    workspace = fake_workspace(tmp_path, manual(1, "Operator"), manual(2, "Installer"))
    window.open_workspace(workspace)

    def press(events=None, *, page_shown=True, place=(1, 3)):
        workspace.answer = events or scripts.answered()
        qtbot.waitUntil(lambda: viewer() is not None)
        window.chat.ask("How long?")
        turn = window.chat.turns[-1]
        qtbot.waitUntil(lambda: not turn.running)
        viewer().opened[:] = [place] if page_shown else []
        turn.findChild(TurnFooter).wrong_button.click()
        qtbot.waitUntil(lambda: dialogs(window) != [])
        return dialogs(window)[-1]

    return press


@pytest.fixture
def kept(window, tmp_path, qtbot):
    """Wait until so many questions are kept in the library; returns them."""

    def wait(count):
        file = QuestionFile(window._workspace.library.folder.questions)
        qtbot.waitUntil(lambda: len(file.list()) == count)
        return file.list()

    return wait


def dialogs(window):
    return [each for each in window.findChildren(WrongAnswerDialog) if each.isVisible()]


def test_the_page_in_view_is_offered_as_the_right_one_and_kept_with_the_note(wrong, kept):
    dialog = wrong()
    assert dialog.choices["shown"].isChecked()
    assert "page" in dialog.choices["shown"].accessibleDescription()
    dialog.note.setText(" the table above ")
    dialog.accept()
    (question,) = kept(1)
    assert question.question == "How long?"
    assert question.wrong_answer
    assert question.pages == (3,)
    assert question.document == question.evidence[0].document != ""
    assert question.note == "the table above"


def test_a_question_that_no_manual_answers_is_kept_as_such(wrong, kept):
    dialog = wrong()
    dialog.choices["nowhere"].click()
    dialog.accept()
    assert not kept(1)[0].gold().answerable


def test_without_a_page_in_view_none_can_be_the_right_one(wrong, kept):
    dialog = wrong(page_shown=False)
    assert "shown" not in dialog.choices
    dialog.accept()
    assert kept(1)[0].kind == "open"


def test_a_page_that_the_wrong_answer_cites_is_not_taken_for_the_right_one(wrong, window):
    wrong().reject()
    turn = window.chat.turns[-1]
    source = turn.citations[0].source
    dialog = wrong(place=(source.document_id, source.page))
    assert dialog.choices["unknown"].isChecked()
    assert "shown" in dialog.choices


def test_cancelling_keeps_nothing(wrong, kept, window, qtbot):
    wrong().reject()
    qtbot.waitUntil(lambda: not dialogs(window))
    assert kept(0) == ()


def test_what_was_kept_can_be_taken_back(wrong, kept, window, qtbot):
    wrong().accept()
    kept(1)
    notices = window.library_panel.notices
    qtbot.waitUntil(lambda: undo_button(notices) is not None)
    undo_button(notices).click()
    assert kept(0) == ()


def undo_button(notices):
    from PySide6.QtWidgets import QPushButton

    buttons = notices.findChildren(QPushButton)
    return next((each for each in buttons if each.accessibleName() == "Undo"), None)


def test_a_refusal_can_be_wrong_too(wrong, kept):
    wrong(scripts.not_found()).accept()
    assert kept(1)[0].pages == (3,)
