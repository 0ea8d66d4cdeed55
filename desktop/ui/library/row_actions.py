"""What can be done with a manual of the list: real buttons over its row, and its menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QListView, QWidget

from desktop.ui import wording
from desktop.ui.design.controls import flat_button
from desktop.ui.design.icons import icon
from desktop.ui.design.popups import passing_menu
from desktop.ui.design.tokens import Space
from desktop.ui.library.rows import LibraryRows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMenu

    from desktop.ui.library.arrangement import Group
    from desktop.ui.library.row import RowView

    Do = Callable[[str], object]
    from PySide6.QtWidgets import QToolButton


def manual_menu(parent: QWidget, view: RowView, do: Do) -> QMenu:
    """Return everything that can be done with a manual; `do` gets the action."""
    menu = _menu(parent)
    primary = {
        "cancel": parent.tr("Stop indexing"),
        "retry": parent.tr("Try again"),
        "unlock": parent.tr("Enter password…"),
    }
    if view.action:
        _entry(menu, primary[view.action], view.action, do)
        menu.addSeparator()
    _entry(menu, parent.tr("Open"), "open", do)
    _entry(menu, parent.tr("Open beside"), "beside", do)
    _entry(menu, parent.tr("Search only this manual"), "only", do)
    if view.other_revision:
        _entry(menu, parent.tr("Compare with the other revision"), "compare", do)
    menu.addSeparator()
    _entry(menu, parent.tr("Site and asset…"), "place", do)
    _entry(menu, parent.tr("Tags, trust and revision…"), "source", do)
    _entry(menu, parent.tr("Rename…"), "rename", do)
    menu.addSeparator()
    if view.action != "cancel":
        _entry(menu, parent.tr("Read again from the start"), "anew", do)
    _entry(menu, parent.tr("Open original"), "original", do)
    _entry(menu, wording.reveal(), "reveal", do)
    _entry(menu, parent.tr("Properties"), "properties", do)
    menu.addSeparator()
    _entry(menu, parent.tr("Remove from library"), "remove", do).setIcon(icon("trash-2"))
    return menu


def several_menu(parent: QWidget, count: int, do: Do) -> QMenu:
    """Return what can be done with several manuals at once."""
    menu = _menu(parent)
    menu.addSection(wording.manuals(count))
    _entry(menu, parent.tr("Search only these manuals"), "only", do)
    if count == 2:
        _entry(menu, parent.tr("Compare these two manuals"), "compare", do)
    _entry(menu, parent.tr("Site and asset…"), "place", do)
    _entry(menu, parent.tr("Tags and trust…"), "source", do)
    menu.addSeparator()
    _entry(menu, parent.tr("Read again from the start"), "anew", do)
    menu.addSeparator()
    _entry(menu, parent.tr("Remove from library"), "remove", do).setIcon(icon("trash-2"))
    return menu


def place_menu(parent: QWidget, group: Group, do: Do) -> QMenu:
    """Return what can be done with a heading: actions here, everywhere, place, fold, fold_all."""
    menu = _menu(parent)
    if group.active:
        _entry(menu, parent.tr("Go back to all manuals"), "everywhere", do)
    elif group.place:
        here = parent.tr("I am here: ask only these manuals")
        _entry(menu, here, "here", do).setIcon(icon("map-pin"))
    rename = parent.tr("Rename or move…") if group.place else parent.tr("Site and asset…")
    _entry(menu, rename, "place", do)
    menu.addSeparator()
    fold = parent.tr("Unfold") if group.collapsed else parent.tr("Fold")
    _entry(menu, fold, "fold", do)
    _entry(menu, parent.tr("Fold all"), "fold_all", do)
    return menu


def _menu(parent: QWidget) -> QMenu:
    menu = passing_menu(parent)
    menu.setToolTipsVisible(True)
    return menu


def _entry(menu: QMenu, text: str, action: str, do: Do) -> QAction:
    entry = menu.addAction(text)
    entry.triggered.connect(lambda: do(action))
    return entry


ROW_ACTION_ICONS = {"cancel": "x", "retry": "rotate-cw", "unlock": "key-round"}


class RowButtons(QObject):
    """pressed(action, index, button): action is one of a `RowView`, or "more"."""

    pressed = Signal(str, object, object)

    def __init__(self, view: QListView, urgent: Callable[[], Iterable[int]] = tuple) -> None:
        """urgent: which rows may offer something by themselves."""
        super().__init__(view)
        self._view, self._urgent = view, urgent
        self._rows = rows = view.model()
        self._buttons: dict[QPersistentModelIndex, tuple[str, QWidget]] = {}
        # Buttons follow the rows after the view itself has handled the change.
        self._placing = QTimer(self, singleShot=True)
        self._placing.timeout.connect(self._place)
        for change in (rows.rowsInserted, rows.rowsRemoved, rows.modelReset):
            change.connect(lambda *_: self._placing.start(0))
        rows.dataChanged.connect(self._rows_changed)
        view.selectionModel().currentChanged.connect(lambda *_: self._placing.start(0))
        self._placing.start(0)

    def _rows_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        """Look only at what changed: progress comes often, and the list may be long."""
        for row in range(first.row(), last.row() + 1):
            index = self._rows.index(row, 0)
            placed = self._buttons.get(QPersistentModelIndex(index), ("", None))[0]
            if placed != self._wanted(index):
                self._placing.start(0)

    def _wanted(self, index: QModelIndex) -> str:
        view: RowView | None = index.data(LibraryRows.ViewRole)
        own = view.action if view is not None else ""
        return own or ("more" if index == self._view.currentIndex() else "")

    def _place(self) -> None:
        """Give rows with something urgent, and the current row, a real button."""
        kept: dict[QPersistentModelIndex, tuple[str, QWidget]] = {}
        rows = {key.row() for key in self._buttons if key.isValid()}
        for row in sorted(rows | set(self._urgent()) | {self._view.currentIndex().row()}):
            index = self._rows.index(row, 0)
            if not index.isValid():
                continue
            action = self._wanted(index)
            key = QPersistentModelIndex(index)
            known = self._buttons.get(key)
            there = self._view.indexWidget(index) is not None
            if known is not None and known[0] == action and there:
                kept[key] = known
            elif action:
                widget = self._holder(key, action)
                self._view.setIndexWidget(index, widget)
                kept[key] = (action, widget)
            elif there:
                self._view.setIndexWidget(index, None)  # type: ignore[arg-type]  # Qt allows null
        self._buttons = kept

    def _holder(self, key: QPersistentModelIndex, action: str) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        is_heading = key.data(LibraryRows.GroupRole) is not None
        row.setContentsMargins(0, 0 if is_heading else Space.XS, Space.S, 0)
        row.addStretch(1)
        button = self._button(action, str(key.data(Qt.ItemDataRole.DisplayRole)))
        button.clicked.connect(lambda: self.pressed.emit(action, key, button))
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return holder

    def _button(self, action: str, title: str) -> QToolButton:
        if action == "more":
            return flat_button("ellipsis", self.tr("More for {title}").format(title=title))
        says = {
            "cancel": self.tr("Stop indexing {title}"),
            "retry": self.tr("Try {title} again"),
            "unlock": self.tr("Enter the password for {title}"),
        }
        return flat_button(ROW_ACTION_ICONS[action], says[action].format(title=title))
