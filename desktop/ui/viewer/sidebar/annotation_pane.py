"""What a person highlighted in the manual in view, with the comments, in the order of its pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QListWidgetItem, QVBoxLayout, QWidget

from desktop.ui.controls import flat_button, label, plain_tooltip
from desktop.ui.tokens import Space
from desktop.ui.viewer.annotations import pen_icon, pen_name
from desktop.ui.viewer.sidebar.rows import MarkList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.library.annotations import Annotation
    from desktop.ui.viewer.manuals.open_documents import OpenDocument

_DOT = 14
_ID = Qt.ItemDataRole.UserRole


class AnnotationPane(QWidget):
    """Its signals carry the id of an annotation. menu_wanted(id, where on the screen)."""

    chosen = Signal(int)
    edit_wanted = Signal(int)
    remove_wanted = Signal(int)
    menu_wanted = Signal(int, QPointF)
    undo_wanted = Signal()

    def __init__(self, save: QAction, parent: QWidget | None = None) -> None:
        """save: writes them into a copy of the manual."""
        super().__init__(parent)
        self.list = _Rows()
        self.list.setIconSize(QSize(_DOT, _DOT))
        self.list.setAccessibleName(self.tr("Highlights and comments"))
        self.list.itemClicked.connect(lambda item: self.chosen.emit(_id(item)))
        self.list.itemActivated.connect(lambda item: self.edit_wanted.emit(_id(item)))
        self.list.delete_pressed.connect(lambda: self._on_current(self.remove_wanted))
        self.list.edit_pressed.connect(lambda: self._on_current(self.edit_wanted))
        self.list.undo_pressed.connect(self.undo_wanted)
        self.list.customContextMenuRequested.connect(self._menu)
        self.note = label(
            self.tr("Select words on a page and choose a colour, or press M. C adds a comment."),
            wrap=True,
            tone="muted",
        )
        self.note.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        # shorter than the action, whose words are for menus: the pane is narrow
        self.button = flat_button("file-down", self.tr("Save a copy"), caption=True)
        self.button.setAccessibleDescription(save.text())
        self.button.setToolTip(plain_tooltip(save.text()))
        self.button.setEnabled(save.isEnabled())
        self.button.clicked.connect(save.trigger)
        save.changed.connect(lambda: self.button.setEnabled(save.isEnabled()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.note)
        column.addWidget(self.list, 1)
        column.addWidget(self.button)
        self.setFocusProxy(self.list)

    def show_annotations(
        self, document: OpenDocument | None, annotations: Sequence[Annotation]
    ) -> None:
        """Show those of a manual; the keyboard stays on the row it was on."""
        row = self.list.currentRow()
        self.list.clear()
        for each in annotations:
            self.list.addItem(self._item(document, each))
        self.list.setCurrentRow(min(row, len(annotations) - 1))
        self.note.setVisible(not annotations)

    def _item(self, document: OpenDocument | None, annotation: Annotation) -> QListWidgetItem:
        page = str(annotation.page + 1)
        if document is not None and annotation.page < len(document.pages):
            page = document.label(annotation.page)
        where = self.tr("Page {page}").format(page=page)
        first, second = annotation.quote, where
        if annotation.comment:
            first, second = " ".join(annotation.comment.split()), f"{where} · {annotation.quote}"
        item = QListWidgetItem(pen_icon(annotation.pen), f"{first}\n{second}")
        item.setData(_ID, annotation.id)
        item.setToolTip(plain_tooltip(f"{annotation.comment}\n{annotation.quote}".strip()))
        item.setData(
            Qt.ItemDataRole.AccessibleTextRole, f"{pen_name(annotation.pen)}: {first}, {second}"
        )
        return item

    def _on_current(self, signal: SignalInstance) -> None:
        item = self.list.currentItem()
        if item is not None:
            signal.emit(_id(item))

    def _menu(self, position: QPoint) -> None:
        item = self.list.made_current(position)
        if item is not None:
            self.menu_wanted.emit(_id(item), QPointF(self.list.mapToGlobal(position)))


def _id(item: QListWidgetItem) -> int:
    return int(item.data(_ID))


class _Rows(MarkList):
    edit_pressed = Signal()
    undo_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F2:
            self.edit_pressed.emit()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo_pressed.emit()
        else:
            super().keyPressEvent(event)
