"""The buttons at the side of a mouse go back and forward, as in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QMouseEvent

if TYPE_CHECKING:
    from desktop.ui.viewer.action_table import ActionName
    from desktop.ui.viewer.pages.page_view import PageView


class MouseButtons(QObject):
    """Watches the viewport of a page view."""

    def __init__(self, view: PageView, actions: dict[ActionName, QAction]) -> None:
        super().__init__(view)
        self._actions = {
            Qt.MouseButton.BackButton: actions["back"],
            Qt.MouseButton.ForwardButton: actions["forward"],
        }
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent) or event.type() != QEvent.Type.MouseButtonPress:
            return False
        action = self._actions.get(event.button())
        if action is None:
            return False
        action.trigger()
        return True
