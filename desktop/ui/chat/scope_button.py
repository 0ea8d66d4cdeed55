"""Which manuals a question goes to: all, those of the place one works at, or the ticked ones."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QApplication, QToolButton

from desktop.core.library.places import EVERYWHERE, Place
from desktop.core.library.values import manuals_at
from desktop.ui import wording
from desktop.ui.design.controls import make_flat, plain_tooltip
from desktop.ui.design.icons import icon
from desktop.ui.design.popups import Menu
from desktop.ui.library.arrangement import Group, arrange

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QShowEvent

    from desktop.core.library.values import DocumentRecord

FIELD = "composer"
"""The object name of the frame around the question."""
LONGEST_TITLE = 60
MOST_LETTERS = 26
ANYWHERE_ICON, PLACE_ICON = "list-filter", "map-pin"


class _TickMenu(Menu):
    """A menu that stays open while manuals are ticked, above the field that it belongs to."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if action is not None and isinstance(action.data(), int):
            action.trigger()
            return
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tick with the space bar; what is typed is meant for the field."""
        action = self.activeAction()
        if event.key() == Qt.Key.Key_Space and action is not None and action.isCheckable():
            action.trigger()
            return
        if event.text().strip() and event.text().isprintable():
            self.close()  # which gives the field the keyboard
            field = QApplication.focusWidget()
            if field is not None:
                QApplication.sendEvent(field, event)
            return
        super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        field = self.parentWidget()
        while field is not None and field.objectName() != FIELD:
            field = field.parentWidget()
        if field is None:
            return
        top = field.mapToGlobal(QPoint(0, 0)).y()
        too_low = self.geometry().bottom() - self.contentsMargins().bottom() - top
        if too_low > 0:
            self.move(self.x(), max(self.screen().availableGeometry().top(), self.y() - too_low))


class ScopeButton(QToolButton):
    """`selected` is empty when every manual is asked; `place` is where the person works.

    changed(): the selection or place changed, perhaps because manuals came or went.
    manuals_changed(): a manual came, went, or has been read further.
    """

    changed = Signal()
    manuals_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        make_flat(self, ANYWHERE_ICON, self.tr("Manuals to search"), caption=True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = _TickMenu(self)
        self._menu.setToolTipsVisible(True)
        self._menu.setStyleSheet("QMenu { menu-scrollable: 1; }")  # many manuals stay on the screen
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.changed.connect(self._refresh_ticks)
        self.manuals: list[DocumentRecord] = []
        self.selected: frozenset[int] = frozenset()
        self.place = EVERYWHERE
        self._whole_place = False
        self._say()

    def set_manuals(self, manuals: Iterable[DocumentRecord]) -> None:
        """Set which manuals there are; those that are gone are no longer selected.

        Manuals added to the place where the person works are asked as well.
        """
        before = self.selected, self.place
        self.manuals = list(manuals)
        there = self._ids_at(self.place)
        self.selected = there if self._whole_place else self.selected & there
        if self.place and not self.selected:
            self.place, self._whole_place = EVERYWHERE, False
        self._say()
        if (self.selected, self.place) != before:
            self.changed.emit()
        self.manuals_changed.emit()

    def select(self, ids: Iterable[int]) -> None:
        """Search only these manuals; none means all, and to be at no place."""
        self.selected = frozenset(ids)
        there = self._ids_at(self.place)
        if not self.selected or not self.selected <= there:
            self.place = EVERYWHERE
        self._whole_place = bool(self.place) and self.selected == there
        if not self.place and len(self.selected) == len(self.manuals) > 1:
            self.selected = frozenset()
        self._say()
        self.changed.emit()

    def work_at(self, place: Place) -> None:
        """Search all manuals of a place and tell the agent about it; leave a place without any."""
        there = self._ids_at(place) if place else frozenset()
        self.place = place if there else EVERYWHERE
        self._whole_place = bool(there)
        self.selected = there
        self._say()
        self.changed.emit()

    def restore(self, ids: Iterable[int]) -> None:
        """Search the manuals that were searched before, as far as they are still there."""
        self.select(set(ids) & {each.id for each in self.manuals})

    def _ids_at(self, place: Place) -> frozenset[int]:
        return frozenset(each.id for each in manuals_at(place, self.manuals))

    def _fill(self) -> None:
        self._menu.clear()
        self._tickable(self.tr("All manuals"), None).triggered.connect(lambda: self.select(()))
        places = [
            each.place for each in arrange(self.manuals) if isinstance(each, Group) and each.place
        ]
        if places:
            self._menu.addSection(self.tr("I am working at"))
        for place in places:
            indent = "    " if place.site and place.asset else ""
            entry = self._tickable(indent + (place.asset or place.site), place)
            entry.triggered.connect(partial(self._tick_place, place))
        self._menu.addSection(self.tr("Manuals"))
        for manual in self.manuals:
            title = manual.title.strip() or manual.name
            self._tickable(title, manual.id).triggered.connect(self._tick)
        self._refresh_ticks()

    def _tickable(self, text: str, data: int | Place | None) -> QAction:
        shown = text if len(text) <= LONGEST_TITLE else f"{text[: LONGEST_TITLE - 1].rstrip()}…"
        entry = self._menu.addAction(shown.replace("&", "&&"))
        entry.setToolTip(plain_tooltip(text) if shown != text else "")
        entry.setCheckable(True)
        entry.setData(data)
        return entry

    def _tick_place(self, place: Place) -> None:
        self.work_at(EVERYWHERE if place == self.place else place)

    def _tick(self) -> None:
        ticked = (entry.data() for entry in self._menu.actions() if entry.isChecked())
        self.select(data for data in ticked if isinstance(data, int))

    def _refresh_ticks(self) -> None:
        for entry in self._menu.actions():
            match entry.data():
                case int() as document_id:
                    entry.setChecked(document_id in self.selected)
                case Place() as place:
                    entry.setChecked(place == self.place)
                case _ if entry.isCheckable():
                    entry.setChecked(not self.selected)

    def _say(self) -> None:
        text = self._text()
        shown = text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1].rstrip() + "…"
        self.setText(" " + shown.replace("&", "&&"))
        self.setIcon(icon(PLACE_ICON if self.place else ANYWHERE_ICON))
        self.setAccessibleName(self.tr("Manuals to search: {text}").format(text=text))
        self.setToolTip(plain_tooltip(text) if shown != text else "")

    def _text(self) -> str:
        if self._whole_place:
            return str(self.place)
        if not self.selected:
            return self.tr("All manuals ({n})").format(n=len(self.manuals))
        if len(self.selected) == 1:
            chosen = next(each for each in self.manuals if each.id in self.selected)
            return chosen.title.strip() or chosen.name
        several = wording.manuals(len(self.selected))
        return f"{several}, {self.place}" if self.place else several
