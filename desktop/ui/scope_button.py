"""Which manuals a question goes to: "All manuals (3)" or the ones that are ticked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from desktop.ui import wording
from desktop.ui.controls import make_flat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent

    from desktop.core.library.values import DocumentRecord

LONGEST_TITLE = 60


class _TickMenu(QMenu):
    """A menu that stays open while things are ticked."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if action is not None and action.isCheckable() and action.isEnabled():
            action.trigger()
            return
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self.activeAction()
        if event.key() == Qt.Key.Key_Space and action is not None and action.isCheckable():
            action.trigger()
            return
        super().keyPressEvent(event)


class ScopeButton(QToolButton):
    """`selected` is empty when every manual is asked; `changed` fires when a person ticks."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_flat(self, "list-filter", self.tr("Manuals to search"), caption=True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = _TickMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self._manuals: list[DocumentRecord] = []
        self.selected: frozenset[int] = frozenset()
        self._say()

    def set_manuals(self, manuals: Iterable[DocumentRecord]) -> None:
        """Tell which manuals there are; those that left are no longer selected."""
        self._manuals = list(manuals)
        self.selected &= {each.id for each in self._manuals}
        self._say()

    def select(self, ids: Iterable[int]) -> None:
        """Search only these manuals; none means all."""
        self.selected = frozenset(ids)
        if len(self.selected) == len(self._manuals) and len(self._manuals) > 1:
            self.selected = frozenset()
        self._say()
        self.changed.emit()

    def restore(self, ids: Iterable[int]) -> None:
        """Search the manuals that were searched once, as far as they are still there."""
        self.select(set(ids) & {each.id for each in self._manuals})

    def _fill(self) -> None:
        self._menu.clear()
        everything = self._menu.addAction(self.tr("All manuals"))
        everything.setCheckable(True)
        everything.setChecked(not self.selected)
        everything.triggered.connect(self._tick_all)
        self._menu.addSeparator()
        for manual in self._manuals:
            title = (manual.title.strip() or manual.name)[:LONGEST_TITLE]
            entry = self._menu.addAction(title.replace("&", "&&"))
            entry.setCheckable(True)
            entry.setData(manual.id)
            entry.setChecked(manual.id in self.selected)
            entry.triggered.connect(self._tick)

    def _tick_all(self) -> None:
        self.select(())
        self._refresh_ticks()

    def _tick(self) -> None:
        self.select(
            entry.data() for entry in self._menu.actions() if entry.data() and entry.isChecked()
        )
        self._refresh_ticks()

    def _refresh_ticks(self) -> None:
        for entry in self._entries():
            chosen = entry.data() in self.selected if entry.data() else not self.selected
            entry.setChecked(chosen)

    def _entries(self) -> list[QAction]:
        return [entry for entry in self._menu.actions() if entry.isCheckable()]

    def _say(self) -> None:
        if not self.selected:
            text = self.tr("All manuals ({n})").format(n=len(self._manuals))
        elif len(self.selected) == 1:
            chosen = next(each for each in self._manuals if each.id in self.selected)
            title = chosen.title.strip() or chosen.name
            text = title if len(title) <= 26 else title[:25].rstrip() + "…"
        else:
            text = wording.manuals(len(self.selected))
        self.setText(" " + text.replace("&", "&&"))
        self.setAccessibleName(self.tr("Manuals to search: {text}").format(text=text))
