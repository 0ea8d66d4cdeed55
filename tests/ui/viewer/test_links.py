"""Links within a manual are followed; those that lead out of it never are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication, QMenu

from desktop.core.geometry import Box
from desktop.core.structure.values import PageLink

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.ui.viewer.panel import ViewerPanel
    from tests.ui.viewer.fakes import FakeParser

INSIDE = PageLink((72.0, 150.0, 300.0, 165.0), page=6, down=400.0)
OUTSIDE = PageLink((72.0, 170.0, 300.0, 185.0), address="https://example.com/?a=1&b=2")


@pytest.fixture
def linked(
    panel: ViewerPanel, parser: FakeParser, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> ViewerPanel:
    def never(url: object) -> bool:
        raise AssertionError(f"{url} was opened")

    monkeypatch.setattr(QDesktopServices, "openUrl", never)
    parser.links = {0: (INSIDE, OUTSIDE)}
    panel.open_document(1)
    qtbot.waitUntil(lambda: panel.links.link_at(middle(panel, INSIDE).toPointF()) is not None)
    return panel


def middle(panel: ViewerPanel, link: PageLink) -> QPoint:
    if panel.view.document is None:
        return QPoint()
    return panel.view.page_frame(0).rect(Box(*link.box)).center().toPoint()


def open_menu() -> QMenu:
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if action.text()]


def test_a_click_on_a_link_goes_to_its_place_and_back(linked, qtbot):
    viewport = linked.view.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=middle(linked, INSIDE))
    assert linked.current_location() == (1, 6)
    top = linked.view.page_frame(6).rect(Box(0, 400, 0, 400)).top()
    assert 0 <= top <= 40
    linked.actions_by_name["back"].trigger()
    assert linked.current_location() == (1, 0)


def test_the_pointer_over_a_link_is_a_hand(linked):
    viewport = linked.view.viewport()
    there = middle(linked, INSIDE).toPointF()
    none = Qt.MouseButton.NoButton
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        there,
        viewport.mapToGlobal(there),
        none,
        none,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(viewport, move)
    assert viewport.cursor().shape() == Qt.CursorShape.PointingHandCursor


def test_dragging_over_a_link_selects_its_words_instead(linked, qtbot):
    qtbot.waitUntil(lambda: linked._words.get(1, 0) is not None)
    viewport, start = linked.view.viewport(), middle(linked, INSIDE)
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(viewport, start + QPoint(80, 0))
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=start + QPoint(80, 0))
    assert linked.current_location() == (1, 0)
    assert linked.actions_by_name["copy"].isEnabled()


def test_an_address_is_shown_and_can_be_copied_but_is_not_opened(linked, qtbot):
    viewport = linked.view.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=middle(linked, OUTSIDE))
    menu = open_menu()
    assert texts(menu)[0].replace("&&", "&") == OUTSIDE.address
    assert "not opened" in texts(menu)[1]
    menu.actions()[-1].trigger()
    menu.close()
    assert QGuiApplication.clipboard().text() == OUTSIDE.address
    assert linked.current_location() == (1, 0)


def test_the_keyboard_reaches_every_link_of_the_page(linked, qtbot):
    linked.view.setFocus()
    qtbot.keyClick(linked.view, Qt.Key.Key_L)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    menu = open_menu()
    first, second = texts(menu)
    assert first == "Disconnect the battery before service → page 2-3"
    assert second.startswith("Torque of screw S-130")
    assert "example.com" in second
    menu.actions()[0].trigger()
    menu.close()
    assert linked.current_location() == (1, 6)


def test_a_page_without_links_says_so(linked, qtbot):
    linked.view.go_to_page(3)
    linked.actions_by_name["page_links"].trigger()
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    menu = open_menu()
    assert texts(menu) == ["There are no links on this page"]
    menu.close()


def test_a_link_on_a_turned_page_is_under_the_pointer_there(linked):
    linked.actions_by_name["rotate_right"].trigger()
    linked.actions_by_name["fit_page"].trigger()
    assert linked.links.link_at(middle(linked, INSIDE).toPointF()) == INSIDE
