"""Notes beside the answer they supported."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    NoteCitationEvent,
    NoteSource,
    TokenEvent,
)
from desktop.ui.chat.turn import Turn
from tests.ui.scripts import BATTERY

NOTE = NoteSource("p1", "Battery test", "shift lead", "2020-03-12", "asset P-200", 4, BATTERY)
EVENTS = (
    TokenEvent("The test lasts 24 hours. [1] Here it needs 30 hours. [2]"),
    CitationEvent(1, BATTERY, "The battery test lasts 24 hours."),
    NoteCitationEvent(2, NOTE, "In winter the <b>test</b> needs 30 hours."),
    CompleteEvent("answered", 10.0, 1),
)


@pytest.fixture
def turn(qtbot):
    turn = Turn("How long?", lambda _: "Operator manual")
    qtbot.addWidget(turn)
    for event in EVENTS:
        turn.take(event)
    turn.show()
    return turn


def test_a_note_is_shown_apart_from_the_pages_with_its_author_and_tier(turn):
    (row,) = turn.notes.rows
    texts = [each.text() for each in row.findChildren(QLabel)]
    assert row.button.accessibleName() == (
        "Note 2, Site note, 12 March 2020, by shift lead · asset P-200"
    )
    assert texts == ["In winter the <b>test</b> needs 30 hours."]
    assert [each.title for each in turn.sources.cards] == ["Operator manual"]


def test_a_note_that_the_answer_has_told_is_not_told_again_below_it(qtbot):
    turn = Turn("How long?", lambda _: "Operator manual")
    qtbot.addWidget(turn)
    turn.take(TokenEvent("Site note, 12 March 2020: It needs\n30 hours."))
    turn.take(NoteCitationEvent(1, NOTE, "It needs 30 hours."))
    (row,) = turn.notes.rows
    assert row.findChildren(QLabel) == []
    assert row.accessibleName().endswith("It needs 30 hours.")


def test_the_mark_of_a_note_in_the_answer_reads_and_looks_unlike_that_of_a_page(turn):
    (prose,) = turn.answer.prose
    shown = prose.toPlainText().replace("\N{NO-BREAK SPACE}", " ")
    assert "p. 5-4" in shown
    assert "note 2" in shown
    assert {(number, noted) for number, noted, _ in prose.chip_areas()} == {(1, False), (2, True)}


def test_the_mark_opens_the_note_and_the_page_button_its_page(turn, qtbot):
    with qtbot.waitSignal(turn.note_wanted) as read:
        turn.answer.citation_clicked.emit(2)
    assert read.args[0].note.piece_id == "p1"

    page = turn.notes.rows[0].page
    assert page.accessibleName() == "Operator manual, Linked page 5-4"
    with qtbot.waitSignal(turn.places_wanted) as opened:
        page.click()
    assert opened.args == [[BATTERY], 0]


def test_the_mark_of_a_page_still_opens_the_page(turn, qtbot):
    with qtbot.waitSignal(turn.places_wanted) as opened:
        turn.answer.citation_clicked.emit(1)
    assert opened.args == [[BATTERY], 0]


def test_a_copied_answer_names_the_note_as_a_note(turn):
    turn.copy()
    text = QApplication.clipboard().text()
    assert "[1] Operator manual, page 5-4: “The battery test lasts 24 hours.”" in text
    assert "[2] site note, 12 March 2020, by shift lead (asset P-200" in text


def test_a_note_without_date_role_and_page_says_only_what_is_known(qtbot):
    turn = Turn("How long?", lambda _: "")
    qtbot.addWidget(turn)
    turn.take(NoteCitationEvent(1, NoteSource("p", "t", tier=5), "Maybe 30 hours."))
    (row,) = turn.notes.rows
    assert row.button.accessibleName() == "Note 1, Unverified note"
    assert row.page is None
