"""The heat map over the pages: toggled, word by word, and why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from desktop.core.retrieval.visual_search import HeatMap
from desktop.models.errors import ModelOutOfBudget
from tests.ui.viewer.fakes import FakeLibrary

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtGui import QColor

    from desktop.ui.viewer.panel import ViewerPanel

QUESTION = "Where is the pump?"
PLACES = {QUESTION: (4, 3), "pump": (8, 8), "Where": (4, 3)}
ROWS, COLUMNS = 16, 12


class FakeHeat:
    """Every page is hot in one patch, which depends on the words."""

    def __init__(self, readiness="ready", error=None, embedded=True) -> None:
        self.state, self.error, self.embedded = readiness, error, embedded
        self.asked: list[tuple[int, int, str]] = []

    def readiness(self):
        return self.state

    def terms(self, question):
        return ("Where", "pump")

    def heat_map(self, document_id, page, text):
        self.asked.append((document_id, page, text))
        if self.error:
            raise self.error
        values = np.zeros((ROWS, COLUMNS), np.float32)
        values[PLACES[text]] = 1
        return HeatMap(values) if self.embedded else None


@pytest.fixture
def show(show, manual: Path) -> Callable[[FakeHeat | None], ViewerPanel]:
    return lambda heat: show(FakeLibrary(manual), heat)


def colour_at(panel: ViewerPanel, place: tuple[int, int]) -> QColor:
    """The colour in the middle of a patch of the first page."""
    area = panel.view.page_frame(0).area
    x = area.x() + (place[1] + 0.5) * area.width() / COLUMNS
    y = area.y() + (place[0] + 0.5) * area.height() / ROWS
    return panel.view.viewport().grab().toImage().pixelColor(int(x), int(y))


def is_hot(panel: ViewerPanel, text: str) -> bool:
    colour = colour_at(panel, PLACES[text])
    return colour.red() > colour.blue() + 60


def toggle(panel: ViewerPanel) -> None:
    panel.actions_by_name["heat_map"].trigger()


def test_the_page_is_hot_where_it_looks_like_the_question(show, qtbot):
    panel = show(FakeHeat())
    panel.heat.ask(QUESTION)
    assert not is_hot(panel, QUESTION)
    toggle(panel)
    qtbot.waitUntil(lambda: is_hot(panel, QUESTION))
    assert not is_hot(panel, "pump")
    toggle(panel)
    assert not is_hot(panel, QUESTION)
    assert panel.heat_bar.isHidden()


def test_each_word_of_the_question_has_a_map_of_its_own(show, qtbot):
    panel = show(FakeHeat())
    panel.heat.ask(QUESTION)
    toggle(panel)
    qtbot.waitUntil(lambda: is_hot(panel, QUESTION))
    buttons = panel.heat_bar.findChildren(QToolButton)
    terms = [each for each in buttons if each.property("term") is not None]
    assert [each.text() for each in terms] == ["Whole question", "Where", "pump"]
    terms[2].click()
    qtbot.waitUntil(lambda: is_hot(panel, "pump"))
    assert not is_hot(panel, QUESTION)
    terms[0].click()
    assert is_hot(panel, QUESTION)


def test_pages_that_come_into_view_get_their_map(show, qtbot):
    heat = FakeHeat()
    panel = show(heat)
    panel.heat.ask(QUESTION)
    toggle(panel)
    qtbot.waitUntil(lambda: (1, 0, QUESTION) in heat.asked)
    panel.view.go_to_page(7)
    qtbot.waitUntil(lambda: (1, 7, QUESTION) in panel.heat._known)
    assert len(heat.asked) == len(set(heat.asked))


@pytest.mark.parametrize(
    ("heat", "says"),
    [
        (FakeHeat("no_pages"), "This library's pages have not been looked at"),
    ],
)
def test_a_toggle_that_can_show_nothing_says_why_and_stays_off(show, qtbot, heat, says):
    panel = show(heat)
    panel.heat.ask(QUESTION)
    toggle(panel)
    qtbot.waitUntil(lambda: says in panel.heat_bar.caption.text())
    assert panel.heat_bar.isVisible()
    assert not panel.actions_by_name["heat_map"].isChecked()


@pytest.mark.parametrize(("state", "there"), [("no_model", False), ("ready", True)])
def test_its_button_is_there_only_with_its_model(show, qtbot, state, there):
    panel = show(FakeHeat(state))
    buttons = {each.defaultAction(): each for each in panel.toolbar.findChildren(QToolButton)}
    button = buttons[panel.actions_by_name["heat_map"]]
    qtbot.waitUntil(lambda: button.isVisible() == there)


@pytest.mark.parametrize("heat", [None, FakeHeat("no_model")])
def test_without_its_model_neither_menu_nor_keys_offer_it_until_one_is_added(show, qtbot, heat):
    panel = show(heat)
    action = panel.actions_by_name["heat_map"]
    panel.heat.ask(QUESTION)
    qtbot.waitUntil(lambda: not panel.toolbar._buttons["heat_map"].isVisible())
    assert not action.isEnabled()
    panel.view.go_to_page(1)  # which looks at all actions anew
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_H)
    qtbot.keyClick(panel.view, Qt.Key.Key_F6)
    assert not action.isChecked()
    assert not panel.heat_bar.isVisible()
    if heat is not None:
        heat.state = "ready"
        panel.heat.look_for_model()
        qtbot.waitUntil(action.isEnabled)


def test_without_a_question_it_asks_for_one_for_a_while(show, qtbot, monkeypatch):
    monkeypatch.setattr("desktop.ui.viewer.heat.PASSING_MS", 300)
    panel = show(FakeHeat())
    toggle(panel)
    assert "Ask a question first" in panel.heat_bar.caption.text()
    assert panel.heat_bar.isVisible()
    qtbot.waitUntil(lambda: not panel.heat_bar.isVisible())


def test_a_page_that_is_not_looked_at_yet_is_named(show, qtbot):
    panel = show(FakeHeat(embedded=False))
    panel.heat.ask(QUESTION)
    toggle(panel)
    qtbot.waitUntil(lambda: "This page has not been looked at" in panel.heat_bar.caption.text())


def test_a_model_without_memory_is_explained(show, qtbot):
    panel = show(FakeHeat(error=ModelOutOfBudget("pages", 2, 1)))
    panel.heat.ask(QUESTION)
    toggle(panel)
    qtbot.waitUntil(lambda: not panel.actions_by_name["heat_map"].isChecked())
    assert "memory" in panel.heat_bar.caption.text()


def test_the_bar_can_be_closed_and_another_question_starts_anew(show, qtbot):
    panel = show(FakeHeat())
    panel.heat.ask(QUESTION)
    toggle(panel)
    qtbot.waitUntil(lambda: is_hot(panel, QUESTION))
    panel.heat.ask("pump")
    qtbot.waitUntil(lambda: is_hot(panel, "pump"))
    assert not is_hot(panel, QUESTION)
    panel.heat_bar.closed.emit()
    assert panel.heat_bar.isHidden()
    assert not is_hot(panel, "pump")
    assert not panel.actions_by_name["heat_map"].isChecked()


def test_a_map_that_is_wanted_before_the_manual_is_there_comes_with_it(
    make_panel, manual, second_manual, qtbot
):
    panel = make_panel(FakeLibrary(manual, second_manual), FakeHeat())
    panel.heat.ask(QUESTION)
    panel.actions_by_name["heat_map"].setEnabled(True)
    toggle(panel)
    panel.open_document(1)
    qtbot.waitUntil(lambda: panel.current_location() == (1, 0))
    qtbot.waitUntil(lambda: is_hot(panel, QUESTION))


def test_the_next_page_gets_its_map_as_soon_as_a_part_of_it_is_seen(show, qtbot):
    heat = FakeHeat()
    panel = show(heat)
    panel.heat.ask(QUESTION)
    toggle(panel)
    bar = panel.view.verticalScrollBar()
    bar.setValue(round(panel.view.page_frame(0).area.height() * 0.6))
    assert panel.view.page == 0
    qtbot.waitUntil(lambda: (1, 1, QUESTION) in heat.asked)
