"""The open manuals as a row of tabs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QTabBar, QToolButton, QWidget

from desktop.ui.controls import plain_tooltip
from desktop.ui.icons import icon
from desktop.ui.popups import Menu
from desktop.ui.tokens import Size

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent

_NARROWEST, _WIDEST = 132, 260


class DocumentTabs(QTabBar):
    """Tabs that carry document ids; signals only for what a person did."""

    chosen = Signal(int)
    close_asked = Signal(int)
    beside_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Open manuals"))
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMovable(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setUsesScrollButtons(True)
        self.setFixedHeight(Size.BAR - 1)  # the line below the bar
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.currentChanged.connect(self._changed)

    def tabSizeHint(self, index: int) -> QSize:  # noqa: N802 - Qt's name
        """As wide as its title, within its share: one long title must not hide the others."""
        hint = super().tabSizeHint(index)
        widest = max(_WIDEST, self.width() // max(1, self.count()))
        hint.setWidth(max(_NARROWEST, min(hint.width(), widest)))
        hint.setHeight(self.height())
        return hint

    def minimumTabSizeHint(self, index: int) -> QSize:  # noqa: N802 - Qt's name
        """So wide that a manual is told from the next; more of them are scrolled to."""
        hint = super().minimumTabSizeHint(index)
        hint.setWidth(_NARROWEST)
        return hint

    def document_ids(self) -> list[int]:
        """Return the open documents from left to right."""
        return [int(self.tabData(index)) for index in range(self.count())]

    def bring(self, document_id: int, title: str) -> None:
        """Put a document in front, in a new tab if it has none, without a signal."""
        was = self.blockSignals(True)
        index = self._index(document_id)
        if index < 0:
            index = self.addTab(title)
            self.setTabData(index, document_id)
            self.setTabButton(index, QTabBar.ButtonPosition.RightSide, self._closer(document_id))
        self.setTabText(index, title)
        self.setTabToolTip(index, plain_tooltip(title))
        self.setCurrentIndex(index)
        self.blockSignals(was)

    def title_of(self, document_id: int) -> str:
        """Return what an open document is called."""
        return self.tabText(self._index(document_id))

    def drop(self, document_id: int) -> None:
        """Remove a document's tab without a signal."""
        was = self.blockSignals(True)
        index = self._index(document_id)
        if index >= 0:
            self.removeTab(index)
        self.blockSignals(was)

    def current_id(self) -> int | None:
        """Return the document in front."""
        index = self.currentIndex()
        return None if index < 0 else int(self.tabData(index))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.tabAt(event.pos())
        if index < 0:
            index = self.currentIndex()
        if index < 0:
            return
        document_id = int(self.tabData(index))
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, signal in (
            (self.tr("Open Beside"), self.beside_asked),
            (self.tr("Close Manual"), self.close_asked),
        ):
            menu.addAction(text).triggered.connect(partial(signal.emit, document_id))
        menu.popup(event.globalPos())

    def _index(self, document_id: int) -> int:
        ids = self.document_ids()
        return ids.index(document_id) if document_id in ids else -1

    def _closer(self, document_id: int) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon("x"))
        button.setAutoRaise(True)
        button.setProperty("kind", "flat")
        button.setFixedSize(Size.ROW, Size.ROW)
        button.setAccessibleName(self.tr("Close manual"))
        button.setToolTip(self.tr("Close this manual"))
        button.clicked.connect(lambda: self.close_asked.emit(document_id))
        return button

    def _changed(self, index: int) -> None:
        if index >= 0 and self.tabData(index) is not None:
            self.chosen.emit(int(self.tabData(index)))
