"""The contents of a manual beside its pages."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QFrame, QLabel, QTreeView, QWidget

from desktop.ui.design.controls import in_column, label, make_tall, plain_tooltip
from desktop.ui.design.tokens import Space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QShowEvent

    from desktop.core.library.contents import Outline
    from desktop.core.structure.values import OutlineEntry

Index = QModelIndex | QPersistentModelIndex
_TOP = -1


class OutlineModel(QAbstractItemModel):
    """Indexes carry their entry's number; an entry's parent is the last of a lower level."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[OutlineEntry, ...] = ()
        self._parents: list[int] = []
        self._children: dict[int, list[int]] = {_TOP: []}
        self._rows: list[int] = []
        self._by_page: list[tuple[int, int]] = []

    def show_entries(self, entries: Sequence[OutlineEntry]) -> None:
        """Show another table of contents."""
        self.beginResetModel()
        self._entries = tuple(entries)
        self._parents, self._rows = [], []
        self._children = {_TOP: []}
        open_: list[tuple[int, int]] = []
        for number, entry in enumerate(self._entries):
            while open_ and open_[-1][0] >= entry.level:
                open_.pop()
            parent = open_[-1][1] if open_ else _TOP
            siblings = self._children.setdefault(parent, [])
            self._parents.append(parent)
            self._rows.append(len(siblings))
            siblings.append(number)
            open_.append((entry.level, number))
        self._by_page = sorted(
            (entry.page, number) for number, entry in enumerate(self._entries) if entry.page >= 0
        )
        self.endResetModel()

    @property
    def entries(self) -> tuple[OutlineEntry, ...]:
        return self._entries

    def page(self, index: Index) -> int:
        """Return where an entry leads, -1 if nowhere."""
        return self._entries[index.internalId()].page if index.isValid() else -1

    def entry_at(self, page: int) -> QModelIndex:
        """Return the section that a page belongs to, an invalid index before the first one."""
        place = bisect_right(self._by_page, (page, len(self._entries)))
        if place == 0:
            return QModelIndex()
        # of several that begin on the page itself the first one
        found = self._by_page[place - 1]
        if found[0] == page:
            found = self._by_page[bisect_right(self._by_page, (page, -1))]
        return self._index(found[1])

    def index(self, row: int, column: int, parent: Index | None = None) -> QModelIndex:
        above = parent.internalId() if parent is not None and parent.isValid() else _TOP
        children = self._children.get(above, [])
        if column != 0 or not 0 <= row < len(children):
            return QModelIndex()
        return self.createIndex(row, 0, children[row])

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override] # also QObject.parent
        if not index.isValid():
            return QModelIndex()
        above = self._parents[index.internalId()]
        return QModelIndex() if above == _TOP else self._index(above)

    def rowCount(self, parent: Index | None = None) -> int:
        above = parent.internalId() if parent is not None and parent.isValid() else _TOP
        return len(self._children.get(above, ()))

    def columnCount(self, parent: Index | None = None) -> int:
        return 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        leads = self.page(index) >= 0
        return super().flags(index) if leads else Qt.ItemFlag.ItemIsEnabled

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._entries[index.internalId()].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self._entries[index.internalId()].title)
        return None

    def _index(self, number: int) -> QModelIndex:
        return self.createIndex(self._rows[number], 0, number)


_OPEN_AT_ONCE = 60
"""Entries up to which a table of contents is shown unfolded."""


class OutlinePane(QWidget):
    """page_chosen(page): a person wants to go there."""

    page_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._page = 0
        self.model = OutlineModel(self)
        self.tree = QTreeView()
        self.tree.setModel(self.model)
        self.tree.setHeaderHidden(True)
        self.tree.header().setAccessibleName(self.tr("Outline columns"))
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
        column = in_column(self)
        column.addWidget(self.note)
        column.addWidget(self.tree, 1)
        self.setFocusProxy(self.tree)
        self.wait()

    def wait(self) -> None:
        """Say that the table of contents is being read."""
        self.model.show_entries(())
        self._say("")

    def show_outline(self, outline: Outline) -> None:
        """Show the table of contents."""
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
