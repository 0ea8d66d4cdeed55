"""The contents of a manual beside its pages."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QTreeWidget, QTreeWidgetItem, QWidget

from desktop.ui.design.controls import in_column, label, make_tall, plain_tooltip
from desktop.ui.design.tokens import Space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QShowEvent

    from desktop.core.library.contents import Outline
    from desktop.core.structure.values import OutlineEntry

_PAGE = Qt.ItemDataRole.UserRole
_OPEN_AT_ONCE = 60
"""Entries up to which a table of contents is shown unfolded."""


class OutlinePane(QWidget):
    """page_chosen(page): a person wants to go there."""

    page_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._page = 0
        self._entries: Sequence[OutlineEntry] = ()
        self._starts: list[int] = []
        """The pages on which sections begin, ascending, and those sections."""
        self._sections: list[QTreeWidgetItem] = []
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.header().setAccessibleName(self.tr("Outline columns"))
        make_tall(self.tree)
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        self.tree.setUniformRowHeights(True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.setIndentation(Space.M)
        self.tree.setAccessibleName(self.tr("Contents"))
        self.tree.clicked.connect(self._choose)
        self.tree.activated.connect(self._choose)
        self.note: QLabel = label(wrap=True, tone="muted")
        self.note.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        column = in_column(self)
        column.addWidget(self.note)
        column.addWidget(self.tree, 1)
        self.setFocusProxy(self.tree)
        self.wait()

    def wait(self) -> None:
        """Show nothing: the table of contents is being read."""
        self._fill(())
        self._say("")

    def show_outline(self, outline: Outline) -> None:
        """Show the table of contents."""
        if outline.entries == self._entries and outline.entries:
            return
        self._fill(outline.entries)
        if len(outline.entries) <= _OPEN_AT_ONCE:
            self.tree.expandAll()
        if not outline.entries:
            self._say(self.tr("The file lists no contents, and no headings were found."))
        elif outline.found:
            self._say(self.tr("The file lists no contents: these are the headings on its pages."))
        else:
            self._say("")
        self.show_page(self._page)

    def section_at(self, page: int) -> str:
        """Return the title of the section that a page belongs to, "" if it is not known."""
        section = self._section(page)
        return "" if section is None else section.text(0)

    def show_page(self, page: int) -> None:
        """Mark the section in view."""
        self._page = page
        if not self.isVisible():
            return
        section = self._section(page)
        if section is None:
            self.tree.setCurrentIndex(QModelIndex())
        else:
            self.tree.setCurrentItem(section)
            self.tree.scrollToItem(section)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_page(self._page)

    def _fill(self, entries: Sequence[OutlineEntry]) -> None:
        """Hang every entry below the last one of a lower level."""
        self._entries = entries
        self.tree.clear()
        top: list[QTreeWidgetItem] = []
        above: list[tuple[int, QTreeWidgetItem]] = []
        found: list[tuple[int, QTreeWidgetItem]] = []
        for entry in entries:
            item = QTreeWidgetItem([entry.title])
            item.setToolTip(0, plain_tooltip(entry.title))
            item.setData(0, _PAGE, entry.page)
            if entry.page >= 0:
                found.append((entry.page, item))
            else:
                item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            while above and above[-1][0] >= entry.level:
                above.pop()
            if above:
                above[-1][1].addChild(item)
            else:
                top.append(item)
            above.append((entry.level, item))
        self.tree.addTopLevelItems(top)
        found.sort(key=lambda start: start[0])
        self._starts = [page for page, _ in found]
        self._sections = [item for _, item in found]

    def _section(self, page: int) -> QTreeWidgetItem | None:
        """Return the section that a page belongs to; of several that begin on it the first."""
        place = bisect_right(self._starts, page)
        if place == 0:
            return None
        if self._starts[place - 1] == page:
            return self._sections[bisect_left(self._starts, page)]
        return self._sections[place - 1]

    def _choose(self, index: QModelIndex) -> None:
        page = int(index.data(_PAGE))
        if page >= 0:
            self.page_chosen.emit(page)

    def _say(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))
