"""Text at 160 %: no label and no button is cut, in the window, its settings, models and answers."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QWidget,
)

from desktop.ui.design.controls import ElidedLabel, PressButton, label, push_button
from desktop.ui.design.theme import Look, apply_theme
from desktop.ui.design.tokens import Space
from tests.ui.every_window import opened_window
from tests.ui.real_window import ask, open_manual

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.ui.window.main_window import MainWindow

LARGE = 1.6
SIZES = QSize(1440, 900), QSize(1280, 800)
SLACK = 1
"""Pixels: metrics are rounded."""
SHOWN = (
    "first run",
    "reading",
    "answer",
    "not found",
    "failed",
    "asked back",
    "complaint",
    "every setting",
    "steps",
    "models-busy",
    "models-full",
    "notes-first",
    "notes-list",
    "notes-read",
    "notes-compose",
    "notes-review",
    "notes-report",
)


@pytest.fixture
def large_text(qapp: QApplication) -> Iterator[None]:
    theme = apply_theme(qapp)
    before = theme.look
    theme.wear(Look(Qt.ColorScheme.Light, text=LARGE))
    yield
    theme.wear(before)


def cut(window: QWidget) -> list[str]:
    """Return the labels and buttons that need more room than they have, and how much."""
    found = []
    for each in window.findChildren(QWidget):
        if not each.isVisible() or isinstance(each, ElidedLabel):
            continue
        if isinstance(each, PressButton) and each.elide is not None:
            continue
        if isinstance(each, QLabel) and each.text():
            needed = room_for_text(each)
        elif isinstance(each, QAbstractButton) and each.text():
            needed = room_for_button(each)
        else:
            continue
        has = seen(each)
        if needed.width() > has.width() + SLACK or needed.height() > has.height() + SLACK:
            sizes = f"{needed.width()}x{needed.height()} in {has.width()}x{has.height()}"
            found.append(f"{type(each).__name__} “{each.text()[:60]}”: {sizes}")
    return found


def room_for_button(button: QAbstractButton) -> QSize:
    """Return what its words, its picture and a little around them need.

    A button may like to be wider than that: the one of the zoom is made for "800 %".
    """
    words = button.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, button.text())
    picture = 0 if button.icon().isNull() else button.iconSize().width() + Space.XS
    least = QSize(words.width() + picture + 2 * Space.XS, 10_000)
    return least.boundedTo(button.minimumSizeHint()).boundedTo(button.sizeHint())


def room_for_text(label: QLabel) -> QSize:
    if label.wordWrap():
        return QSize(0, label.heightForWidth(label.width()))
    return label.sizeHint()


def seen(widget: QWidget) -> QSize:
    """Return how much of a widget is not beyond an edge of what holds it and cannot be scrolled."""
    area = QRect(QPoint(0, 0), widget.size())
    parent = widget.parentWidget()
    inside = widget
    while parent is not None and not inside.isWindow():
        if parent.objectName() == "qt_scrollarea_viewport":
            break
        area = area.translated(inside.pos()).intersected(parent.rect())
        inside, parent = parent, parent.parentWidget()
    return area.size()


@pytest.mark.parametrize("name", SHOWN)
def test_nothing_is_cut_at_the_largest_text(
    large_text: None, tmp_path: Path, name: str, qtbot: QtBot
):
    with opened_window(name, tmp_path) as window:
        for size in SIZES:
            window.resize(size)
            qtbot.wait(300)
            windows = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
            found = [line for each in windows for line in cut(each)]
            assert not found, f"{size}\n" + "\n".join(found)


def test_an_answer_beside_its_page_and_every_pane_of_the_settings_are_whole(
    large_text: None,
    real_window: Callable[[Path], MainWindow],
    shelf: Path,
    tmp_path: Path,
    qtbot: QtBot,
):
    window = real_window(shutil.copytree(shelf, tmp_path / "library"))
    open_manual(window, qtbot)
    turn = ask(window, qtbot)
    turn.show_citation(turn.citations[0].number)
    viewer = window.centre._viewer
    qtbot.waitUntil(lambda: bool(viewer.view.overlays.highlights.current))
    for name in ("find", "outline", "annotations", "mark_region"):
        viewer.actions_by_name[name].trigger()
    for size in SIZES:
        window.resize(size)
        qtbot.wait(300)
        found = cut(window)
        assert not found, "\n".join(found)
    window.settings.show_page()
    page = window.settings.page
    assert page is not None
    for row in range(page.areas.count()):
        page.areas.setCurrentRow(row)
        qtbot.wait(50)
        found = cut(page.window())
        assert not found, "\n".join(found)


def test_what_is_cut_is_found(qtbot: QtBot, qapp: QApplication):
    apply_theme(qapp)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(200, 200)
    long = "Search only the manuals of this equipment"
    told, pressed, wrapped = label(long), push_button(long), label(long * 3, wrap=True)
    for number, each in enumerate((told, pressed, wrapped)):
        each.setParent(window)
        each.setGeometry(0, 40 * number, 120, 30)
    window.show()
    assert len(cut(window)) == 3
    for each in (told, pressed):
        each.resize(each.sizeHint())
    window.resize(600, 400)
    wrapped.resize(500, 100)
    assert cut(window) == []
