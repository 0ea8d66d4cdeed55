"""The words of an answer while they are streamed, corrected and withdrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer, QUrl, Signal

from desktop.core.events import RevisedText
from desktop.ui.chat.answer_text import answer_html
from desktop.ui.safe_browser import LINK_SCHEME, SafeBrowser
from desktop.ui.theme import colours, scaled_font
from desktop.ui.tokens import Type

if TYPE_CHECKING:
    from desktop.core.events import Event

REDRAW_MS = 30
"""Tokens are gathered this long before the answer is laid out again."""


class AnswerView(SafeBrowser):
    """chip_hovered(number): the pointer is over the mark of a citation; 0 over none."""

    chip_hovered = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.written = RevisedText()
        self.cited: set[int] = set()
        self.noted: set[int] = set()
        self.setProperty("kind", "answer")
        self.setFont(scaled_font(Type.LEAD))
        self.setAccessibleName(self.tr("Answer"))
        self.highlighted.connect(self._tell_chip)
        self.hide()
        self._redraw = QTimer(self)
        self._redraw.setSingleShot(True)
        self._redraw.setInterval(REDRAW_MS)
        self._redraw.timeout.connect(self.draw)

    def take(self, event: Event) -> None:
        """Take a token or a revision."""
        self.written.take(event)
        self.draw_soon()

    def draw_soon(self) -> None:
        """Lay the answer out again, with what comes in the next moment."""
        if not self._redraw.isActive():
            self._redraw.start()

    def draw(self) -> None:
        """Lay the answer out again."""
        self._redraw.stop()
        pieces = self.written.pieces
        if any(piece.text.strip() for piece in pieces):
            self.show()
            self.setHtml(answer_html(pieces, self.cited, colours(), self.noted))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # One that is hidden stays so: its verdict stands above it.
        changed = event.type() == QEvent.Type.PaletteChange and not self.isHidden()
        if changed and hasattr(self, "_redraw"):
            self._redraw.start()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.chip_hovered.emit(0)

    def _tell_chip(self, url: QUrl) -> None:
        number = url.path()
        ours = url.scheme() == LINK_SCHEME and number.isdecimal()
        self.chip_hovered.emit(int(number) if ours else 0)
