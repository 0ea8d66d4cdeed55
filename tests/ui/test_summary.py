"""The card about manuals that were just added: what they are, and what they can be asked."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QLabel, QToolButton

from desktop.core.conversations.suggested_questions import SuggestedQuestion
from desktop.core.library.values import DocumentChanged
from desktop.ui.window.welcome import MOST_ROWS
from tests.ui.fake_workspace import fake_workspace, manual


class FakeSuggester:
    def to_begin_with(self, document_ids, cancelled, most=3):
        for id_ in document_ids:
            yield from (SuggestedQuestion(id_, f"What is X{n}?", 3) for n in range(most))


def add(window, tmp_path, *manuals):
    """Read manuals that a person has added to an empty library."""
    workspace = fake_workspace(tmp_path)
    workspace.suggester = FakeSuggester()
    workspace.ingestion.script = [
        DocumentChanged(each)
        for ready in manuals
        for each in (manual(ready.id, ready.title, "queued", 0), ready)
    ]
    window.open_workspace(workspace)
    window.take_in([tmp_path / f"{each.id}.pdf" for each in manuals])
    return workspace


def said(card):
    return [each.text() for each in card.findChildren(QLabel) if each.text()]


def questions(window):
    card = window.summary.card
    return [len(row.questions.buttons) for row in card.rows.values()] if card else []


def test_one_manual_is_told_of_with_three_questions_and_gone_with_one_click(
    window, tmp_path, qtbot
):
    add(window, tmp_path, manual(1, "Boiler B7", pages=210, failed_pages=2, revision="Rev C"))
    qtbot.waitUntil(lambda: questions(window) == [3])
    card = window.summary.card
    assert card.isVisible()
    assert said(card)[:3] == [
        "Added: 1 manual",
        "Boiler B7",
        "English · 210 pages, 2 only partly read · Rev C",
    ]
    qtbot.waitUntil(lambda: card.height() >= card.layout().minimumSize().height())
    assert window.centre.rect().contains(QRect(card.pos(), card.size()))
    next(each for each in card.findChildren(QToolButton)).click()
    assert not card.isVisible()
    assert window.summary.card is None


def test_several_share_a_card_and_what_is_offered_is_asked(window, tmp_path, qtbot):
    locked = manual(3, "Locked", "needs_password", 0, reason="Locked: needs its password.")
    workspace = add(window, tmp_path, manual(1, "Pump"), manual(2, "Boiler"), locked)
    qtbot.waitUntil(lambda: len(questions(window)) == 3 and questions(window)[1] == 1)
    card = window.summary.card
    assert "Added: 3 manuals" in said(card)
    assert any("Locked: needs its password." in text for text in said(card))
    window.summary.card.rows[2].questions.buttons[0].click()
    qtbot.waitUntil(lambda: bool(workspace.asked))
    assert workspace.asked == [("What is X0?", frozenset({2}))]
    assert window.summary.card is None, "a question was asked: the page is wanted now"


def test_manuals_that_are_added_together_are_told_of_when_all_are_read(window, tmp_path):
    window.open_workspace(fake_workspace(tmp_path))
    for id_ in (1, 2):
        window._model.put(manual(id_, f"Pump {id_}", "indexing", 0))
        window.summary.expect(id_)
    window._model.put(manual(1, "Pump 1"))
    window.summary.look(1)
    assert window.summary.card is None
    window.centre.place = lambda: (1, 6)
    window._model.put(manual(2, "Pump 2"))
    window.summary.look(2)
    assert "Added: 2 manuals" in said(window.summary.card)
    window.centre.place = lambda: (1, 7)
    window.centre.turned.emit()
    assert window.summary.card is None, "another page was turned to"


def test_of_many_manuals_some_are_told_of_and_all_are_counted(window, tmp_path, qtbot):
    add(window, tmp_path, *(manual(number, f"Pump {number}") for number in range(1, 7)))
    qtbot.waitUntil(lambda: "Added: 6 manuals" in said(window))
    assert len(questions(window)) == MOST_ROWS


def test_manuals_that_were_there_before_are_not_told_of(window, tmp_path, qtbot):
    workspace = fake_workspace(tmp_path, manual(1, "Pump", "indexing", 9))
    workspace.ingestion.unfinished = True
    workspace.ingestion.script = [DocumentChanged(manual(1, "Pump"))]
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: window._model.record(1).state == "ready")
    assert window.summary.card is None
