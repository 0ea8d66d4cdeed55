"""The bars around and over the pages, and what stands in place of the pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QToolButton, QWidget

from desktop.ui.design.controls import fill, in_column, label
from desktop.ui.design.icons import IconPicture
from desktop.ui.design.popups import ROOM, Floating
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import told, tr

if TYPE_CHECKING:
    from desktop.ui.viewer.document import OpenDocument
    from desktop.ui.viewer.page_view import PageView


def action_button(action: QAction) -> QToolButton:
    """Return a button for an action, large enough for a gloved finger."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setAutoRaise(True)
    button.setProperty("kind", "flat")
    button.setIconSize(QSize(Size.ICON, Size.ICON))
    button.setMinimumSize(Size.ROW, Size.ROW)
    button.setAccessibleName(action.text())
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


class FloatingBar(Floating):
    """A row of controls on a card that lies over the pages.

    wide: its preferred width, in pixels, where its controls alone would be narrower.
    """

    def __init__(self, *, wide: int = 0) -> None:
        super().__init__()
        self.wide = wide
        self.setProperty("role", "bar")
        left, top, right, bottom = ROOM
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(
            left + Space.XS, top + Space.XS, right + Space.XS, bottom + Space.XS
        )
        self.row.setSpacing(Space.HAIR)


SIDE = (196, 230)
"""The panel beside the pages: the least in which contents are read, and its width at first."""
_CLOSER = 14
"""Pixels by which cards below each other are nearer than their shadows."""


class PagesArea(QWidget):
    """Gives the pages all the room; bars that come and go never move what is being read."""

    def __init__(
        self, view: PageView, above: Sequence[FloatingBar], below: FloatingBar, beside: FloatingBar
    ) -> None:
        """below: always shown, at the lower edge. beside: stands beside it while it is shown."""
        super().__init__()
        self._view, self._above, self._below, self._beside = view, above, below, beside
        view.setParent(self)
        for bar in (*above, beside, below):
            bar.setParent(self)
            bar.setHidden(bar is not below)
            bar.installEventFilter(self)
        view.verticalScrollBar().installEventFilter(self)
        self.setMinimumWidth(view.minimumSizeHint().width())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.LayoutRequest):
            self.place()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._view.setGeometry(self.rect())
        self.place()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel over a card scrolls the pages below it."""
        self._view.wheelEvent(event)

    def place(self) -> None:
        """Put every bar in the middle, the shown ones at the top below each other."""
        y = 0
        for bar in self._above:
            if not bar.isHidden():
                y += self._put(bar, y) - _CLOSER
        self._put_below()

    def _put(self, bar: FloatingBar, y: int) -> int:
        """Place a bar at a height; return how tall it is."""
        across = self._view.viewport().width()
        width = min(across, max(bar.wide, bar.sizeHint().width()))
        height = bar.sizeHint().height()
        if bar.hasHeightForWidth():
            height = bar.heightForWidth(width)
        bar.setGeometry((across - width) // 2, y, width, height)
        bar.raise_()
        return height

    def _put_below(self) -> None:
        """Place the bars at the lower edge side by side, above each other where that is too wide.

        The one that is always there gives up only what has no room in the whole width.
        """
        across, bottom = self._view.viewport().width(), self._view.viewport().height()
        below, beside = self._below, self._beside
        size, other = below.sizeHint(), beside.sizeHint()
        if beside.isHidden():
            other = QSize(_CLOSER, 0)
        elif across - other.width() + _CLOSER < size.width():
            beside.setGeometry(
                (across - other.width()) // 2,
                bottom - size.height() - other.height() + _CLOSER,
                other.width(),
                other.height(),
            )
            other = QSize(_CLOSER, 0)
        width = min(size.width(), across - other.width() + _CLOSER)
        x = (across - width - other.width() + _CLOSER) // 2
        below.setGeometry(x, bottom - size.height(), width, size.height())
        if other.height():
            at = x + width - _CLOSER
            beside.setGeometry(at, bottom - other.height(), other.width(), other.height())
        for bar in (below, beside):
            bar.raise_()
        shown = [bar for bar in (below, beside) if not bar.isHidden()]
        self._view.cover(bottom - round(min(bar.y() + bar.card().top() for bar in shown)))


def pages_beside(side: QWidget, pages: QWidget) -> QSplitter:
    """Return the pages with a side panel at their left, which starts hidden."""
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    splitter.addWidget(side)
    splitter.addWidget(pages)
    splitter.setStretchFactor(1, 1)
    side.hide()
    return splitter


_ICON = 56


def message_for(document: OpenDocument) -> tuple[str, str, str] | None:
    """Return what is to be said instead of showing pages; None if there are pages to show."""
    record = document.record
    if record.state == "needs_password" and document.password is None:
        return "lock", tr("This manual is locked"), tr("Unlock it in the library to read it.")
    if document.pages:
        return None
    if record.state in ("failed", "cancelled"):
        return "triangle-alert", tr("This manual cannot be shown"), told(record.reason)
    return "hourglass", tr("This manual is being read"), tr("The pages appear in a moment.")


class MessagePage(QWidget):
    """A large quiet icon, a sentence, and what to do."""

    def __init__(self) -> None:
        super().__init__()
        self._picture = IconPicture("book-open", _ICON, opacity=0.45)
        self.title, self.detail = label(factor=Type.LEAD, wrap=True), label(wrap=True)
        for text in (self.title, self.detail):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = in_column(self, (Space.XL, Space.XL, Space.XL, Space.XL), spacing=Space.M)
        column.addStretch(2)
        column.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignHCenter)
        # not aligned: an aligned label would not get the height of its wrapped text
        fill(column, self.title, self.detail)
        column.addStretch(3)

    def say(self, icon_name: str, title: str, detail: str) -> None:
        """Show a message."""
        self._picture.show_icon(icon_name)
        self.title.setText(title)
        self.detail.setText(detail)
        self.detail.setVisible(bool(detail))
        self.setAccessibleName(f"{title} {detail}".strip())
