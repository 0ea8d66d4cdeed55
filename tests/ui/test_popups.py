"""Menus are cards with a shadow, and are where they were asked for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.core.events import CitationEvent, PageRegion
from desktop.ui.chat.chat_panel import CitationPopup
from desktop.ui.design import popups
from desktop.ui.design.popups import ROOM, Menu
from desktop.ui.design.theme import apply_theme, colours
from desktop.ui.design.tokens import Shadow, Size

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="a Mac draws its own menus")
LEFT, TOP, RIGHT, BOTTOM = ROOM


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 500)
    window.show()
    qtbot.waitExposed(window)
    return window


def shown(window: QWidget, qtbot: QtBot, x: int = 200, y: int = 150) -> Menu:
    menu = Menu(window)
    for text in ("Open", "Open beside", "Remove"):
        menu.addAction(text)
    menu.popup(QPoint(x, y))
    qtbot.waitUntil(menu.isVisible)
    return menu


@pytest.mark.parametrize("scheme", [Qt.ColorScheme.Light, Qt.ColorScheme.Dark])
def test_a_menu_has_round_corners_and_a_soft_shadow(
    window: QWidget, qtbot: QtBot, qapp: QApplication, scheme: Qt.ColorScheme
):
    apply_theme(qapp, scheme)
    menu = shown(window, qtbot)
    picture = menu.grab().toImage()
    across = picture.width() // 2
    bottom = picture.height() - BOTTOM
    # black that fades out below the card, and nothing at the window's edge
    below = [picture.pixelColor(across, bottom + down) for down in (1, 8, BOTTOM - 1)]
    assert [colour.rgb() & 0xFFFFFF for colour in below if colour.alpha()] == [0] * sum(
        colour.alpha() > 0 for colour in below
    )
    near, middle, far = (colour.alpha() for colour in below)
    assert near > middle > far
    assert near <= 255 * 0.14 + 1
    inside = picture.pixelColor(LEFT + Size.POPUP_RADIUS + 2, TOP + 3)
    assert (inside.name(), inside.alpha()) == (colours().surface, 255)
    corner = picture.pixelColor(LEFT + 1, TOP + 1)
    assert corner.alpha() < 255
    menu.close()


def test_the_shadow_falls_as_far_as_the_tokens_say(window: QWidget, qtbot: QtBot):
    menu = shown(window, qtbot)
    picture = menu.grab().toImage()
    across, far = picture.width() // 2, Shadow.BLUR // 2
    dark = [y for y in range(picture.height()) if picture.pixelColor(across, y).alpha()]
    card_top, card_bottom = TOP, picture.height() - BOTTOM
    assert card_top - dark[0] in (far - Shadow.DOWN - 1, far - Shadow.DOWN)
    assert dark[-1] + 1 - card_bottom in (far + Shadow.DOWN - 1, far + Shadow.DOWN)
    menu.close()


@pytest.mark.parametrize("clear", [True, False])
def test_a_hover_card_looks_like_a_menu(
    window: QWidget, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, clear: bool
):
    apply_theme(qapp, Qt.ColorScheme.Light)
    monkeypatch.setattr(popups, "can_be_clear", lambda: clear)
    popup = CitationPopup(window)
    popup.show_citation(CitationEvent(1, PageRegion(1, "a.pdf", 3, "4", ()), "24 Nm"), "Operator")
    popup.show()
    picture = popup.grab().toImage()
    middle, edge = picture.width() // 2, picture.height() - 1
    inside = picture.pixelColor(picture.width() // 2, TOP + 3 if clear else 3)
    assert inside.name() == colours().surface
    if clear:
        assert picture.pixelColor(0, 0).alpha() == 0
        assert 0 < picture.pixelColor(middle, edge - BOTTOM // 2).alpha() <= 255 * 0.14 + 1
        beside = picture.pixelColor(LEFT - 1, picture.height() // 2)  # no border
        assert beside.alpha() < 60
    else:
        assert picture.pixelColor(middle, edge).name() == colours().border_strong
    popup.close()


def test_a_hover_card_dims_its_page_as_the_viewer_does(window: QWidget, qapp: QApplication):
    popup, white = CitationPopup(window), QPixmap(40, 20)
    white.fill(Qt.GlobalColor.white)
    seen = []
    for scheme in (Qt.ColorScheme.Light, Qt.ColorScheme.Dark):
        apply_theme(qapp, scheme)
        popup.show_picture(white)
        seen.append(popup.picture.pixmap().toImage().pixelColor(5, 5).lightness())
    assert seen[0] == 255 > seen[1] > 200
    popup.close()


def test_the_card_and_not_its_window_is_where_the_menu_was_asked_for(window: QWidget, qtbot: QtBot):
    menu = shown(window, qtbot)
    assert menu.pos() == QPoint(200 - LEFT, 150 - TOP)
    first = menu.actionGeometry(menu.actions()[0])
    assert first.left() >= LEFT
    assert first.top() >= TOP
    menu.close()


def test_a_menu_stands_off_the_button_that_opens_it_upwards(window: QWidget, qtbot: QtBot):
    button = QToolButton(window)
    menu = Menu(button)
    menu.addActions([button.addAction(text) for text in ("One", "Two")])
    button.move(100, 300)
    button.show()
    menu.popup(button.mapToGlobal(QPoint(0, -menu.sizeHint().height())))
    qtbot.waitUntil(menu.isVisible)
    card_ends = menu.geometry().bottom() - BOTTOM
    assert abs(card_ends - button.mapToGlobal(QPoint(0, 0)).y()) <= 2
    menu.close()


def test_a_press_on_the_shadow_closes_the_menu(window: QWidget, qtbot: QtBot):
    menu = shown(window, qtbot)
    chosen: list[str] = []
    menu.triggered.connect(lambda action: chosen.append(action.text()))
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=QPoint(3, menu.height() - 3))
    assert not menu.isVisible()
    assert chosen == []
    menu = shown(window, qtbot)
    menu.triggered.connect(lambda action: chosen.append(action.text()))
    where = menu.actionGeometry(menu.actions()[1]).center()
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=where)
    assert chosen == ["Open beside"]


def test_without_a_compositor_a_menu_fills_its_window(
    window: QWidget, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(popups, "can_be_clear", lambda: False)
    menu = shown(window, qtbot)
    assert menu.pos() == QPoint(200, 150)
    corner = menu.grab().toImage().pixelColor(3, 3)
    assert corner.name().upper() == colours().surface.upper()
