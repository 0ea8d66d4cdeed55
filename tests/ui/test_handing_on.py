"""Options that were asked back with, and answers saved as reports or drafted as e-mails."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

import pymupdf
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog

from desktop.core.events import ClarificationEvent, CompleteEvent, TokenEvent
from desktop.ui.asking import handing_on
from desktop.ui.chat.offered_questions import ClarificationBlock

ASKED_BACK = (
    TokenEvent("Which pump?"),
    ClarificationEvent("Which pump?", ("The P-200 & its <b>motor</b>", "The P-300")),
    CompleteEvent("clarification", 3.0, 1),
)


@pytest.fixture
def shown(monkeypatch):
    """Files that were given to the system's programs."""
    paths = []

    def show(path):
        paths.append(path)
        return True

    monkeypatch.setattr(handing_on, "open_with_system", show)
    return paths


def test_options_are_buttons_large_enough_and_in_the_tab_order(ask):
    turn = ask(ASKED_BACK)
    buttons = turn.findChild(ClarificationBlock).buttons
    assert [button.accessibleName() for button in buttons] == list(ASKED_BACK[1].options)
    assert all(button.height() >= 32 for button in buttons)
    assert all(button.focusPolicy() & Qt.FocusPolicy.TabFocus for button in buttons)
    assert "Which pump?" in turn.answer.prose[0].toPlainText()


def test_a_long_option_is_shown_whole_on_several_lines(qtbot):
    block = ClarificationBlock(
        ClarificationEvent("Which?", ("short", "Show page 1-1 of " + "a very long title " * 6))
    )
    qtbot.addWidget(block)
    block.resize(300, block.heightForWidth(300))
    block.show()
    short, long = block.buttons
    assert long.height() >= long.heightForWidth(long.width()) > short.height() >= 32
    assert block.width() == 300


def test_a_chosen_option_is_the_next_question_by_mouse_and_by_keyboard(ask, opened, window, qtbot):
    turn = ask(ASKED_BACK)
    first, second = turn.findChild(ClarificationBlock).buttons
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert opened.asked[-1][0] == "The P-200 & its <b>motor</b>"
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)
    second.setFocus()
    qtbot.keyClick(second, Qt.Key.Key_Return)
    assert opened.asked[-1][0] == "The P-300"
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)


def test_only_an_answer_can_be_handed_on(ask):
    turn = ask(ASKED_BACK)
    assert not turn._footer.hand_on_button.isVisible()
    turn = ask()
    button = turn._footer.hand_on_button
    assert button.isVisible()
    assert button.height() >= 32
    assert [each.text() for each in button.menu().actions()] == [
        "Save report…",
        "Draft e-mail…",
        "Print job sheet…",
        "Print report…",
    ]


def hand_on(turn, way):
    place = ["report", "email"].index(way)
    turn._footer.hand_on_button.menu().actions()[place].trigger()


def test_a_report_goes_into_the_folder_that_was_chosen(ask, window, qtbot, tmp_path, shown):
    turn = ask(question="How long?")
    hand_on(turn, "report")
    dialog = window.findChild(QFileDialog)
    target = tmp_path / "for the customer"
    target.mkdir()
    dialog.filesSelected.emit([str(target)])
    dialog.close()
    notices = window.library_panel.notices  # until then it is written under another name
    qtbot.waitUntil(lambda: any("Report saved" in text for text in notices.texts()))
    (pdf,) = target.glob("*/report.pdf")
    with pymupdf.open(pdf) as document:
        text = " ".join(" ".join(page.get_text() for page in document).split())
    assert "How long?" in text
    assert "[1] Operator (" in text


def test_a_draft_is_opened_in_the_mail_program(ask, qtbot, opened, shown):
    turn = ask(question="How long?")
    hand_on(turn, "email")
    qtbot.waitUntil(lambda: bool(shown))
    assert shown[0].name == "draft.eml"
    assert shown[0].is_relative_to(opened.library.folder.root / "reports")
    message = message_from_bytes(shown[0].read_bytes(), policy=default)
    assert (message["X-Unsent"], message["Subject"]) == ("1", "How long?")


def test_a_report_that_cannot_be_written_says_why(ask, window, qtbot, tmp_path):
    turn = ask()
    blocked = tmp_path / "a-file"
    blocked.write_text("")
    hand_on(turn, "report")
    dialog = window.findChild(QFileDialog)
    dialog.filesSelected.emit([str(blocked)])
    dialog.close()
    notices = window.library_panel.notices
    qtbot.waitUntil(lambda: any("file where a folder" in text for text in notices.texts()))
