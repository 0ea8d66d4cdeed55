"""How the viewer copes with pages, regions and windows of uncommon sizes."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import pymupdf
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolButton
from shiboken6 import ownedByPython

from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from tests.ui.viewer.fakes import FakeLibrary

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.ui.viewer.panel import ViewerPanel


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """An upright page, a wide drawing, an upright page."""
    with pymupdf.open() as pdf:
        for width, height in ((595, 842), (1190, 842), (595, 842)):
            pdf.new_page(width=width, height=height).insert_text((72, 100), "Connect the cable")
        pdf.save(tmp_path / "mixed.pdf")
    return tmp_path / "mixed.pdf"


@pytest.fixture
def mixed_panel(
    make_panel: Callable[..., ViewerPanel], mixed: Path, second_manual: Path
) -> ViewerPanel:
    return make_panel(FakeLibrary(mixed, second_manual))


def test_each_cited_page_is_fitted_and_centred_whatever_its_size(mixed_panel, qtbot):
    for page in (1, 2, 1, 0):
        region = PageRegion(1, "mixed.pdf", page, "", (Box(72, 90, 200, 104),))
        mixed_panel.show_regions([region])
        qtbot.waitUntil(partial(_is_at, mixed_panel, page))
        area, room = mixed_panel.view.page_frame(page).area, mixed_panel.view.viewport().width()
        assert room - 64 <= area.width() <= room
        assert abs(area.center().x() - room / 2) <= 1


def _is_at(panel: ViewerPanel, page: int) -> bool:
    return panel.current_location() == (1, page)


@pytest.mark.parametrize("width", [900, 500, 360])
def test_the_controls_never_lie_on_each_other(opened, width):
    opened.resize(width, 700)
    for bar in (opened.toolbar, opened.pill):
        controls = [
            each
            for kind in (QToolButton, QLineEdit)
            for each in bar.findChildren(kind)
            if each.isVisible() and each.parent() is bar
        ]
        places = sorted((each.geometry() for each in controls), key=lambda area: area.left())
        assert all(left.right() < right.left() for left, right in pairwise(places))
        assert places[-1].right() < min(width, bar.width())
    assert opened.pill.page_field.isVisible()


def test_showing_another_manual_leaves_the_keyboard_where_it_is(opened, qtbot):
    question = QLineEdit()
    qtbot.addWidget(question)
    question.show()
    question.activateWindow()
    question.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is question)
    opened.open_document(2)
    qtbot.waitUntil(lambda: opened.current_location() == (2, 0))
    assert QApplication.focusWidget() is question


def offered(panel: ViewerPanel) -> set[str]:
    """Return what the menu at the end of the toolbar offers, as it is opened."""
    menu = panel.toolbar.more.menu()
    menu.aboutToShow.emit()
    return {action.text() for action in menu.actions() if action.text()}


@pytest.mark.parametrize("width", [1000, 700, 560, 420, 340])
def test_every_control_is_in_the_toolbar_or_in_its_menu_at_any_width(opened, qtbot, width):
    opened.resize(width, 700)
    qtbot.wait(20)
    shown = {
        button.defaultAction().text()
        for bar in (opened.toolbar, opened.pill)
        for button in bar.findChildren(QToolButton)
        if button.isVisible() and button.defaultAction() is not None
    }
    wanted = {opened.actions_by_name[name].text() for name in ("mark_region", "find")}
    wanted |= {opened.actions_by_name[name].text() for name in ("zoom_in", "print", "two_up")}
    assert wanted <= shown | offered(opened)
    assert shown.isdisjoint(offered(opened))
    assert opened.toolbar.more.geometry().right() < opened.toolbar.width()
    assert opened.pill.geometry().right() <= opened.width()


def test_a_menu_that_was_filled_again_leaves_its_actions_to_the_viewer(opened):
    # who takes them over deletes them a second time, and the program ends in a crash
    for _ in range(2):
        assert offered(opened)
    assert not [name for name, action in opened.actions_by_name.items() if ownedByPython(action)]


def test_the_menu_of_the_toolbar_is_opened_and_used_by_keyboard(opened, qtbot):
    opened.resize(420, 700)
    more = opened.toolbar.more
    assert more.accessibleName()
    assert more.focusPolicy() & Qt.FocusPolicy.TabFocus
    seen: list[list[str]] = []

    def choose() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        seen.append([action.text() for action in menu.actions()])
        two_pages = opened.actions_by_name["two_up"]
        while menu.activeAction() is not two_pages:
            qtbot.keyClick(menu, Qt.Key.Key_Down)
        qtbot.keyClick(menu, Qt.Key.Key_Return)

    QTimer.singleShot(50, choose)
    qtbot.keyClick(more, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: opened.view.across == 2)
    assert "Forward" in seen[0]


def test_a_page_that_fits_has_no_bar_below_it_though_another_is_wider(mixed_panel, qtbot):
    panel = mixed_panel
    panel.open_document(1)
    qtbot.waitUntil(lambda: panel.current_location() == (1, 0))
    qtbot.waitUntil(lambda: panel.pending_drawings() == 0)
    bar = panel.view.horizontalScrollBar()

    def shown(wanted: bool) -> Callable[[], bool]:
        return lambda: bar.isVisible() is wanted

    for page, has_bar in ((0, False), (1, True), (2, False)):
        panel.view.set_zoom(0.95)
        panel.view.go_to_page(page)
        qtbot.wait(120)
        qtbot.waitUntil(shown(has_bar))
        if not has_bar:
            area = panel.view.page_frame(page).area
            middle = panel.view.viewport().width() / 2
            assert abs(area.center().x() - middle) <= 2
    panel.view.go_to_page(1)
    bar.setValue(bar.minimum())
    assert panel.view.page_frame(1).area.left() >= 0
    bar.setValue(bar.maximum())
    assert panel.view.page_frame(1).area.right() <= panel.view.viewport().width()
