"""Doing in a real window what people do: drop files, open a manual, ask."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from desktop.ui.bridge import Bridge
from desktop.ui.language import spoken_language
from desktop.ui.library.rows import LibraryRows

LONG_MS = 240_000
TORQUE = "What is the tightening torque for terminals X2:1 to X2:6?"


def rows(window):
    model = window.library_panel.rows.model()
    return [model.index(row, 0).data(LibraryRows.ViewRole) for row in range(model.rowCount())]


def row(window, title):
    return next((each for each in rows(window) if each.title == title), None)


def drop(target, *paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    data.setText("\n".join(map(str, paths)))  # file managers offer both
    held = (data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    where, copy = QPoint(8, 8), Qt.DropAction.CopyAction
    QApplication.sendEvent(target, QDragEnterEvent(where, copy, *held))
    QApplication.sendEvent(target, QDropEvent(QPointF(where), copy, *held))


def id_of(window, part):
    return next(each.id for each in window._model.records() if part in each.name)


def open_manual(window, qtbot, part="installation"):
    chosen = id_of(window, part)
    window.centre.open_document(chosen, 0)
    qtbot.waitUntil(lambda: window.centre.place() == (chosen, 0))
    return window.centre._viewer, chosen


def ask(window, qtbot, question=TORQUE):
    window.chat.composer.field.setPlainText(question)
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    turn = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not turn.running, timeout=LONG_MS)
    return turn


def choose_language(shown, language):
    """Choose it in the settings, as a person does."""
    if shown.window.settings.page is None:
        shown.window.settings.show_page("appearance")
    box = shown.window.settings.page.row("window", "language").editor.control
    box.setCurrentIndex(box.findData(language))


def wait_for_language(shown, qtbot, language, timeout=LONG_MS):
    """Wait for the window in that language; its viewer is there, and no errand under way."""
    qtbot.waitUntil(lambda: spoken_language() == language, timeout=timeout)
    qtbot.waitUntil(lambda: shown.window.centre._viewer is not None)
    qtbot.waitUntil(
        lambda: (
            not any(each.running for each in shown.window.findChildren(Bridge) if not each.resumes)
        )
    )
