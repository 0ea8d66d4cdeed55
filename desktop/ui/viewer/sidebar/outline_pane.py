"""The table of contents beside the pages; follows the page in view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QTreeView, QVBoxLayout, QWidget

from desktop.ui.controls import label
from desktop.ui.tokens import Space
from desktop.ui.viewer.sidebar.outline_model import OutlineModel
from desktop.ui.viewer.sidebar.rows import make_tall

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from desktop.core.library.contents import Outline

_OPEN_AT_ONCE = 60
"""Entries up to which a table of contents is shown unfolded."""


class OutlinePane(QWidget):
    """page_chosen(page): a person wants to go there."""

    page_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page = 0
        self.model = OutlineModel(self)
        self.tree = QTreeView()
        self.tree.setModel(self.model)
        self.tree.setHeaderHidden(True)
        self.tree.header().setAccessibleName(self.tr("Columns of the outline"))
        make_tall(self.tree)
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        self.tree.setUniformRowHeights(True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.setIndentation(Space.L)
        self.tree.setAccessibleName(self.tr("Contents"))
        self.tree.clicked.connect(self._choose)
        self.tree.activated.connect(self._choose)
        self.note: QLabel = label(wrap=True, tone="muted")
        self.note.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.note)
        column.addWidget(self.tree, 1)
        self.setFocusProxy(self.tree)
        self.wait()

    def wait(self) -> None:
        """Say that the table of contents is being read."""
        self.model.show_entries(())
        self._say("")

    def show_outline(self, outline: Outline) -> None:
        """Show where what stands."""
        if outline.entries == self.model.entries and outline.entries:
            return
        self.model.show_entries(outline.entries)
        if len(outline.entries) <= _OPEN_AT_ONCE:
            self.tree.expandAll()
        if not outline.entries:
            self._say(self.tr("This manual has no table of contents, and no headings were found."))
        elif outline.found:
            self._say(self.tr("The manual has no table of contents: these are its headings."))
        else:
            self._say("")
        self.show_page(self._page)

    def section_at(self, page: int) -> str:
        """Return the title of the section that a page belongs to, "" if it is not known."""
        index = self.model.entry_at(page)
        return str(self.model.data(index)) if index.isValid() else ""

    def show_page(self, page: int) -> None:
        """Mark the section in view."""
        self._page = page
        if not self.isVisible():
            return
        index = self.model.entry_at(page)
        if index.isValid():
            self.tree.setCurrentIndex(index)
            self.tree.scrollTo(index)
        else:
            self.tree.setCurrentIndex(QModelIndex())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_page(self._page)

    def _choose(self, index: QModelIndex) -> None:
        page = self.model.page(index)
        if page >= 0:
            self.page_chosen.emit(page)

    def _say(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))
