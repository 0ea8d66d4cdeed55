"""Everything that a window says: labels, buttons, lists, tips, spoken names, painted text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

from desktop.ui.window.help import LicencesDialog

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

_ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)
_OF_EVERY_WIDGET = (
    *("windowTitle", "toolTip", "statusTip", "whatsThis"),
    *("accessibleName", "accessibleDescription"),
)
_OF_SOME = (
    *("text", "placeholderText", "title", "toPlainText", "currentMessage"),
    *("prefix", "suffix", "specialValueText"),
)
_MOST_ROWS, _DEEPEST = 400, 4


def shown_texts() -> Iterator[tuple[str, str]]:
    """Yield every text of every window that is there, and who says it; hidden parts too."""
    for top in QApplication.topLevelWidgets():
        for widget in (top, *top.findChildren(QWidget)):
            who = type(widget).__name__
            for text in _texts(widget):
                yield who, text


def painted_texts(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the set that every text goes into which our own painting draws from now on."""
    painted: set[str] = set()
    draw: Any = QPainter.drawText

    def noting(self: QPainter, *arguments: object) -> object:
        # what is broken into lines is one text
        painted.update(each.replace("\n", " ") for each in arguments if isinstance(each, str))
        return draw(self, *arguments)

    monkeypatch.setattr(QPainter, "drawText", noting)
    return painted


def _texts(widget: QWidget) -> Iterator[str]:
    for name in _OF_EVERY_WIDGET:
        yield getattr(widget, name)()
    written = _of_somebody(widget)
    for name in _OF_SOME:
        if written and name in ("text", "toPlainText"):
            continue
        said = getattr(widget, name, None)
        text = said() if callable(said) else None
        if isinstance(text, str):
            yield text
    if isinstance(widget, QTabBar):
        for place in range(widget.count()):
            yield from (widget.tabText(place), widget.tabToolTip(place))
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(place) for place in range(widget.count()))
    if isinstance(widget, QAbstractItemView) and widget.model() is not None and not written:
        yield from _of_model(widget.model(), QModelIndex(), _DEEPEST)
    for action in widget.actions():
        yield from (action.text(), action.toolTip(), action.statusTip())


def _of_somebody(widget: QWidget) -> bool:
    """Whether it shows what a person wrote, a file, a quote, or an answer (see `sentences`)."""
    if isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit):
        return True
    of_licences = isinstance(widget.window(), LicencesDialog)
    details = widget.property("role") == "quote" or widget.objectName() == "details"
    return details or (of_licences and isinstance(widget, QAbstractItemView))


def _of_model(model: QAbstractItemModel, parent: QModelIndex, deep: int) -> Iterator[str]:
    for row in range(min(model.rowCount(parent), _MOST_ROWS)):
        index = model.index(row, 0, parent)
        for role in _ROLES:
            text = model.data(index, role)
            if isinstance(text, str):
                yield text
        if deep and model.rowCount(index):
            yield from _of_model(model, index, deep - 1)
