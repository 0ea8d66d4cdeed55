"""The marked pages of the manual in view, in their order; names can be changed in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLabel, QListWidgetItem, QToolButton, QVBoxLayout, QWidget

from desktop.ui.controls import label, plain_tooltip
from desktop.ui.popups import Menu
from desktop.ui.tokens import Size, Space
from desktop.ui.viewer.sidebar.rows import MarkList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.library.annotations import Bookmark
    from desktop.ui.viewer.manuals.open_documents import OpenDocument

_PAGE = Qt.ItemDataRole.UserRole


class BookmarkPane(QWidget):
    """page_chosen(page); renamed(page, name); removed(page): what a person wants."""

    page_chosen = Signal(int)
    renamed = Signal(int, str)
    removed = Signal(int)

    def __init__(self, add: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document: OpenDocument | None = None
        self.list = MarkList()
        self.list.setEditTriggers(MarkList.EditTrigger.EditKeyPressed)
        self.list.setAccessibleName(self.tr("Bookmarks"))
        self.list.itemClicked.connect(self._choose)
        self.list.itemActivated.connect(self._choose)
        self.list.itemChanged.connect(self._changed)
        self.list.delete_pressed.connect(self._remove_current)
        self.list.customContextMenuRequested.connect(self._menu)
        self.note: QLabel = label(
            self.tr("Mark a page to find it again: {keys}").format(
                keys=add.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            ),
            wrap=True,
            tone="muted",
        )
        self.note.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        button = QToolButton()
        button.setDefaultAction(add)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setProperty("kind", "flat")
        button.setMinimumHeight(Size.TARGET)
        button.setAccessibleName(add.text())
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button = button
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.note)
        column.addWidget(self.list, 1)
        column.addWidget(button)
        self.setFocusProxy(self.list)

    def show_bookmarks(self, document: OpenDocument | None, marks: Sequence[Bookmark]) -> None:
        """Show the marks of a manual; the keyboard stays on the row it was on."""
        self._document = document
        row = self.list.currentRow()
        self.list.blockSignals(True)
        self.list.clear()
        for mark in marks:
            item = QListWidgetItem(mark.name)
            item.setData(_PAGE, mark.page)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            if document is not None and mark.page < len(document.pages):
                shown = self.tr("Page {page}").format(page=document.shown_page(mark.page))
                item.setToolTip(plain_tooltip(f"{mark.name}\n{shown}"))
                item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{mark.name}, {shown}")
            self.list.addItem(item)
        self.list.setCurrentRow(min(row, len(marks) - 1))
        self.list.blockSignals(False)
        self.note.setVisible(not marks)

    def _choose(self, item: QListWidgetItem) -> None:
        self.page_chosen.emit(int(item.data(_PAGE)))

    def _changed(self, item: QListWidgetItem) -> None:
        self.renamed.emit(int(item.data(_PAGE)), item.text())

    def _remove_current(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.removed.emit(int(item.data(_PAGE)))

    def _menu(self, position: QPoint) -> None:
        item = self.list.made_current(position)
        if item is None:
            return
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Go to Page")).triggered.connect(lambda: self._choose(item))
        menu.addAction(self.tr("Rename")).triggered.connect(lambda: self.list.editItem(item))
        menu.addAction(self.tr("Remove")).triggered.connect(self._remove_current)
        menu.popup(self.list.mapToGlobal(position))
