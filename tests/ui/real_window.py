"""Doing in a real window what people do: drop files, open a manual, ask."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

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
