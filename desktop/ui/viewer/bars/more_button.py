"""The menu at the end of the toolbar: what found no room in it, and what never stands there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton

from desktop.ui.controls import flat_button
from desktop.ui.popups import Menu
from desktop.ui.tokens import Size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.ui.viewer.action_table import ActionName

_ALWAYS: tuple[tuple[ActionName, ...], ...] = (
    ("outline", "bookmarks", "add_bookmark", "page_links"),
    ("two_up", "cover_alone", "rotate_right", "rotate_left"),
    ("select_page", "copy_citation"),
    ("save_page", "print"),
)


def more_button(
    actions: dict[ActionName, QAction], giving_way: Sequence[QToolButton]
) -> QToolButton:
    """Return a button with the same actions as the window's menus, named and with their keys.

    giving_way: buttons that may be hidden, in the order in which they stand.
    """
    button = flat_button("ellipsis", QCoreApplication.translate("Toolbar", "More viewer controls"))
    button.setMinimumSize(Size.ROW, Size.ROW)
    menu = Menu(button)
    lines = [_line(menu) for _ in _ALWAYS]

    def fill() -> None:
        for action in menu.actions():
            # `clear` would tell Python that it owns them, and they would be deleted twice
            menu.removeAction(action)
        menu.addActions([each.defaultAction() for each in giving_way if each.isHidden()])
        for line, group in zip(lines, _ALWAYS, strict=True):
            menu.addAction(line)
            menu.addActions([actions[name] for name in group])

    menu.aboutToShow.connect(fill)
    fill()
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return button


def _line(menu: QMenu) -> QAction:
    line = QAction(menu)
    line.setSeparator(True)
    return line
