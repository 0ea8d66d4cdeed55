"""The menu at the end of the toolbar: what found no room in it, and what never stands there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from desktop.ui.controls import make_flat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.ui.viewer.action_table import ActionName

_ALWAYS: tuple[tuple[ActionName, ...], ...] = (
    ("outline", "bookmarks", "add_bookmark", "page_links"),
    ("two_up", "cover_alone", "rotate_right", "rotate_left"),
    ("select_page", "copy_citation"),
    ("save_page", "print"),
)


class MoreButton(QToolButton):
    """Offers the same actions as the menus of the window, named and with their keys."""

    def __init__(
        self,
        actions: dict[ActionName, QAction],
        giving_way: Sequence[QToolButton],
        parent: QWidget | None = None,
    ) -> None:
        """giving_way: buttons that may be hidden, in the order in which they stand."""
        super().__init__(parent)
        make_flat(self, "ellipsis", self.tr("More viewer controls"))
        self._actions, self._giving_way = actions, giving_way
        self._lines = [_line(self) for _ in _ALWAYS]
        menu = QMenu(self)
        menu.aboutToShow.connect(self._fill)
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._fill()

    def _fill(self) -> None:
        menu = self.menu()
        for action in menu.actions():
            # `clear` would tell Python that it owns them, and they would be deleted twice
            menu.removeAction(action)
        menu.addActions([b.defaultAction() for b in self._giving_way if b.isHidden()])
        for line, group in zip(self._lines, _ALWAYS, strict=True):
            menu.addAction(line)
            menu.addActions([self._actions[name] for name in group])


def _line(parent: QWidget) -> QAction:
    line = QAction(parent)
    line.setSeparator(True)
    return line
