"""The list of manuals: rows, their buttons, their menu, and the filter over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QSortFilterProxyModel,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QListView, QMenu, QToolButton, QWidget

from desktop.ui import wording
from desktop.ui.controls import flat_button
from desktop.ui.icons import icon
from desktop.ui.library_delegate import LibraryDelegate
from desktop.ui.library_model import LibraryModel
from desktop.ui.tokens import Space

if TYPE_CHECKING:
    from desktop.ui.library_row import RowView

ROW_ACTION_ICONS = {"cancel": "x", "retry": "rotate-cw", "unlock": "key-round"}


class LibraryList(QListView):
    """Emits what a person wants with a manual, by its id.

    wanted(action, id): open, cancel, retry, unlock, only, original, reveal, rename, remove.
    """

    wanted = Signal(str, int)

    def __init__(self, model: LibraryModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons: dict[QPersistentModelIndex, tuple[str, QWidget]] = {}
        self._filter = QSortFilterProxyModel(self)
        self._filter.setSourceModel(model)
        self._filter.setFilterRole(LibraryModel.SearchRole)
        self._filter.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setModel(self._filter)
        self.setItemDelegate(LibraryDelegate(self))
        self.setProperty("kind", "flat")
        self.setAccessibleName(self.tr("Manuals"))
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.clicked.connect(lambda index: self._want("open", index))
        # Buttons follow the rows after the view itself has handled the change.
        self._placing = QTimer(self)
        self._placing.setSingleShot(True)
        self._placing.timeout.connect(self._place_buttons)
        for change in (
            self._filter.rowsInserted,
            self._filter.rowsRemoved,
            self._filter.modelReset,
            self._filter.layoutChanged,
        ):
            change.connect(lambda *_: self._placing.start(0))
        self._filter.dataChanged.connect(self._rows_changed)
        self.selectionModel().currentChanged.connect(lambda *_: self._placing.start(0))

    def filter_by(self, text: str) -> None:
        """Show only manuals whose title or file name has all of `text`'s letters in a row."""
        self._filter.setFilterFixedString(text.strip())

    def shown(self) -> int:
        """Return how many manuals pass the filter."""
        return self._filter.rowCount()

    def selected_id(self) -> int | None:
        """Return the manual the keyboard is on."""
        index = self.currentIndex()
        return index.data(LibraryModel.IdRole) if index.isValid() else None

    def select(self, document_id: int) -> None:
        """Put the keyboard on a manual and bring it into view."""
        if document_id == self.selected_id():
            return
        for row in range(self._filter.rowCount()):
            index = self._filter.index(row, 0)
            if index.data(LibraryModel.IdRole) == document_id:
                self.setCurrentIndex(index)
                self.scrollTo(index)
                return

    def menu_for(self, document_id: int, view: RowView) -> QMenu:
        """Return everything that can be done with a manual."""
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        primary = {
            "cancel": self.tr("Stop Indexing"),
            "retry": self.tr("Try Again"),
            "unlock": self.tr("Enter Password…"),
        }
        if view.action:
            self._entry(menu, primary[view.action], view.action, document_id)
            menu.addSeparator()
        self._entry(menu, self.tr("Open"), "open", document_id)
        self._entry(menu, self.tr("Search Only This Manual"), "only", document_id)
        menu.addSeparator()
        self._entry(menu, self.tr("Open Original"), "original", document_id)
        self._entry(menu, wording.reveal(), "reveal", document_id)
        self._entry(menu, self.tr("Rename…"), "rename", document_id)
        menu.addSeparator()
        remove = self._entry(menu, self.tr("Remove from Library"), "remove", document_id)
        remove.setIcon(icon("trash-2"))
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space:
                self._want("open", index)
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self._want("remove", index)
            case Qt.Key.Key_F2:
                self._want("rename", index)
            case _:
                super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
        if index.isValid():
            self.setCurrentIndex(index)
            self._show_menu(QPersistentModelIndex(index), event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Details wrap: heights depend on the width.
        self.scheduleDelayedItemsLayout()

    def _want(self, action: str, index: QModelIndex | QPersistentModelIndex) -> None:
        if index.isValid():
            self.wanted.emit(action, index.data(LibraryModel.IdRole))

    def _entry(self, menu: QMenu, text: str, action: str, document_id: int) -> QAction:
        entry = menu.addAction(text)
        entry.triggered.connect(lambda: self.wanted.emit(action, document_id))
        return entry

    def _show_menu(self, index: QPersistentModelIndex, position: QPoint) -> None:
        if not index.isValid():
            return
        menu = self.menu_for(index.data(LibraryModel.IdRole), index.data(LibraryModel.ViewRole))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(position)

    def _rows_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        """Look only at what changed: progress comes often, and the list may be long."""
        for row in range(first.row(), last.row() + 1):
            index = self._filter.index(row, 0)
            placed = self._buttons.get(QPersistentModelIndex(index), ("", None))[0]
            if placed != self._wanted_button(index):
                self._placing.start(0)

    def _wanted_button(self, index: QModelIndex) -> str:
        view: RowView = index.data(LibraryModel.ViewRole)
        return view.action or ("more" if index == self.currentIndex() else "")

    def _place_buttons(self) -> None:
        """Give rows with something urgent, and the current row, a real button."""
        kept: dict[QPersistentModelIndex, tuple[str, QWidget]] = {}
        for row in range(self._filter.rowCount()):
            index = self._filter.index(row, 0)
            view: RowView = index.data(LibraryModel.ViewRole)
            action = self._wanted_button(index)
            key = QPersistentModelIndex(index)
            known = self._buttons.get(key)
            if known is not None and known[0] == action and self.indexWidget(index) is not None:
                kept[key] = known
            elif action:
                widget = self._row_button(key, action, view)
                self.setIndexWidget(index, widget)
                kept[key] = (action, widget)
            elif self.indexWidget(index) is not None:
                self.setIndexWidget(index, None)  # type: ignore[arg-type]  # Qt allows null
        self._buttons = kept

    def _row_button(self, key: QPersistentModelIndex, action: str, view: RowView) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, Space.XS, Space.S, Space.XS)
        row.addStretch(1)
        button = self._button(action, view)
        if action == "more":
            button.clicked.connect(
                lambda: self._show_menu(key, button.mapToGlobal(QPoint(0, button.height())))
            )
        else:
            button.clicked.connect(lambda: self._want(action, key))
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return holder

    def _button(self, action: str, view: RowView) -> QToolButton:
        if action == "more":
            return flat_button("ellipsis", self.tr("More for {title}").format(title=view.title))
        says = {
            "cancel": self.tr("Stop indexing {title}"),
            "retry": self.tr("Try {title} again"),
            "unlock": self.tr("Enter the password of {title}"),
        }
        return flat_button(ROW_ACTION_ICONS[action], says[action].format(title=view.title))
