"""What dropping will do, said over the whole window while something is dragged over it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from desktop.ui.design.icons import icon
from desktop.ui.design.theme import colours, scaled_font
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.files import acceptable, dropped_paths

MARGIN = Space.L
PICTURE = 48


class DropOverlay(QWidget):
    """Covers its window, which receives the drags; `dropped(paths)` when they end there.

    announcement: gives title and advice for what is dragged; for manuals by default.
    """

    dropped = Signal(object)

    def __init__(
        self, parent: QWidget, announcement: Callable[[list[Path]], tuple[str, str]] | None = None
    ) -> None:
        super().__init__(parent)
        self._announcement = announcement or self._of_manuals
        parent.installEventFilter(self)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.title = ""
        self._advice = ""
        self.hide()

    def announce(self, paths: list[Path]) -> None:
        """Say what dropping these will do, and show it."""
        self.title, self._advice = self._announcement(paths)
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
        self.setAccessibleName(self.title)
        self.raise_()
        self.show()
        self.update()

    def _of_manuals(self, paths: list[Path]) -> tuple[str, str]:
        wanted = acceptable(paths)
        if not wanted:
            return (
                self.tr("Groundwork does not read this kind of file"),
                self.tr(
                    "Drop PDF, Word, PowerPoint, Excel or EPUB files, web pages, Markdown, text, "
                    "pictures of pages, or folders of documents."
                ),
            )
        if len(wanted) == 1:
            return (
                self.tr("Add “{name}”").format(name=wanted[0].name),
                self.tr("Copied into the library; you can ask questions in seconds."),
            )
        return (
            self.tr("Add {n} files and folders").format(n=len(wanted)),
            self.tr("Copied into the library; you can ask questions in seconds."),
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the window's drags: files and folders, wherever they are dropped."""
        if isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            self.hide()
            return self._take(event, dropped_paths(event.mimeData()))
        if isinstance(event, QDragEnterEvent):
            paths = dropped_paths(event.mimeData())
            if paths:
                self.announce(paths)
                event.acceptProposedAction()
                return True
        elif isinstance(event, QDragMoveEvent) and self.isVisible():
            event.acceptProposedAction()
            return True
        elif event.type() == QEvent.Type.DragLeave:
            self.hide()
        elif isinstance(event, QResizeEvent):
            self.setGeometry(0, 0, event.size().width(), event.size().height())
        return False

    def _take(self, event: QDropEvent, paths: list[Path]) -> bool:
        if paths:
            event.acceptProposedAction()
            self.dropped.emit(paths)
        return bool(paths)

    def paintEvent(self, event: QPaintEvent) -> None:
        c = colours()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            veil = QColor(c.window)
            veil.setAlpha(235)
            painter.fillRect(self.rect(), veil)
            painter.setPen(QPen(QColor(c.accent), 3, Qt.PenStyle.DashLine))
            frame = self.rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
            painter.drawRoundedRect(frame, Size.RADIUS * 2, Size.RADIUS * 2)
            middle = frame.center()
            picture = QRect(middle.x() - PICTURE // 2, middle.y() - PICTURE * 2, PICTURE, PICTURE)
            icon("download", c.accent).paint(painter, picture)
            painter.setPen(QColor(c.text))
            painter.setFont(scaled_font(Type.TITLE * 1.2, bold=True))
            line = QRect(frame.left(), middle.y() - PICTURE // 2, frame.width(), PICTURE)
            elided = painter.fontMetrics().elidedText(
                self.title, Qt.TextElideMode.ElideMiddle, line.width() - 2 * Space.XL
            )
            painter.drawText(line, Qt.AlignmentFlag.AlignCenter, elided)
            painter.setPen(QColor(c.muted))
            painter.setFont(scaled_font(Type.LEAD))
            line.translate(0, PICTURE)
            painter.drawText(line, Qt.AlignmentFlag.AlignCenter, self._advice)
