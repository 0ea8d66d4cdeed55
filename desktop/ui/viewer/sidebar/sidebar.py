"""Beside the pages: thumbnails, contents or bookmarks, one of them at a time or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from desktop.ui.viewer.bars.controls import Bar, action_button
from desktop.ui.viewer.sidebar.bookmark_pane import BookmarkPane
from desktop.ui.viewer.sidebar.outline_pane import OutlinePane

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from desktop.ui.viewer.action_table import ActionName
    from desktop.ui.viewer.sidebar.thumbnails import ThumbnailList

PANES: tuple[ActionName, ...] = ("thumbnails", "outline", "bookmarks")


class Sidebar(QWidget):
    """Starts hidden; each of three actions shows its pane, and hides it again."""

    def __init__(
        self,
        thumbnails: ThumbnailList,
        actions: dict[ActionName, QAction],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._actions = actions
        self.setAccessibleName(self.tr("Beside the pages"))
        self.outline = OutlinePane()
        self.bookmarks = BookmarkPane(actions["add_bookmark"])
        self._panes: dict[ActionName, QWidget] = {
            "thumbnails": thumbnails,
            "outline": self.outline,
            "bookmarks": self.bookmarks,
        }
        bar = Bar(self.tr("What is shown beside the pages"))
        self._stack = QStackedWidget()
        for name, pane in self._panes.items():
            bar.row.addWidget(action_button(actions[name]))
            self._stack.addWidget(pane)
        bar.row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self._stack, 1)
        self.setMinimumWidth(thumbnails.minimumWidth())
        self.hide()

    @property
    def shown(self) -> ActionName | None:
        """Which pane is shown, None if the sidebar is hidden."""
        if self.isHidden():
            return None
        return next(name for name, pane in self._panes.items() if pane is self._current())

    def toggle(self, name: ActionName) -> None:
        """Show a pane, or hide the sidebar if that pane was shown."""
        if self.shown == name:
            self.hide()
        else:
            self._stack.setCurrentWidget(self._panes[name])
            self.show()
        for each in PANES:
            self._actions[each].setChecked(each == self.shown)

    def _current(self) -> QWidget | None:
        return self._stack.currentWidget()
