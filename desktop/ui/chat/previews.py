"""The picture of a cited place that appears while the pointer rests on its mark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QCursor, QGuiApplication, QPixmap
from PySide6.QtWidgets import QFrame, QWidget

from desktop.core.structure.signs import cells_apart
from desktop.ui import wording
from desktop.ui.design.controls import in_column, label
from desktop.ui.design.tokens import Space, Type
from desktop.ui.viewer.page_pictures import PagePictures, Wish

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.events import CitationEvent, PageRegion
    from desktop.ui.chat.turn import Turn

DELAY_MS = 250
WIDTH = 420


class CitationPopup(QFrame):
    """A picture with its place above and the quote below; it takes no focus and no clicks."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner, Qt.WindowType.ToolTip)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setProperty("role", "notice")
        self.place = label("", factor=Type.SMALL, bold=True, wrap=True)
        self.picture = label()
        self.quote = label("", factor=Type.SMALL, tone="muted", wrap=True)
        column = in_column(self, (Space.S, Space.S, Space.S, Space.S), spacing=Space.S)
        for part in (self.place, self.picture, self.quote):
            part.setFixedWidth(WIDTH)
            column.addWidget(part)

    def show_citation(self, citation: CitationEvent, title: str) -> None:
        """Say what is cited; its picture follows once it is drawn."""
        page = wording.page_label(citation.source.label, citation.source.page)
        self.place.setText(f"{title}, {page}")
        quote = cells_apart(citation.quote)
        self.quote.setText(wording.quoted(quote) if quote else "")
        self.quote.setVisible(bool(quote))
        self.picture.hide()

    def show_picture(self, pixmap: QPixmap) -> None:
        """Show the cited part of the page."""
        shown = QPixmap(pixmap)
        shown.setDevicePixelRatio(self.devicePixelRatioF())
        self.picture.setPixmap(shown)
        self.picture.show()
        self.adjustSize()


class CitationPreviews(QObject):
    """Waits a moment, so that crossing a mark shows nothing."""

    def __init__(self, owner: QWidget, title_of: Callable[[PageRegion], str]) -> None:
        super().__init__(owner)
        self._owner, self._title_of = owner, title_of
        self._pictures: PagePictures | None = None
        self._popup: CitationPopup | None = None
        self._wish: Wish | None = None
        self._over: tuple[Turn, int] | None = None
        self._wait = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._wait.timeout.connect(self._show)

    @property
    def popup(self) -> CitationPopup:
        """The popup; made when it is first needed."""
        if self._popup is None:
            self._popup = CitationPopup(self._owner)
        return self._popup

    def use_pictures(self, pictures: PagePictures) -> None:
        """Draw the previews with these."""
        self._pictures = pictures
        pictures.drawn.connect(self._take)

    def hover(self, turn: Turn, number: int) -> None:
        """The pointer is over this mark, 0: over none."""
        if number:
            self._over = (turn, number)
            self._wait.start()
        else:
            self.hide()

    def hide(self) -> None:
        """Hide the preview."""
        self._wait.stop()
        self._over = self._wish = None
        if self._popup is not None:
            self._popup.hide()

    def show_at(self, turn: Turn, number: int) -> None:
        """Show the preview of a citation now, beside the pointer."""
        citation = next((each for each in turn.citations if each.number == number), None)
        if citation is None:
            return
        popup = self.popup
        popup.show_citation(citation, self._title_of(citation.source))
        width = round(WIDTH * popup.devicePixelRatioF())
        self._wish = Wish(citation.source, "close", width)
        if self._pictures is not None:
            self._pictures.wish(self._wish)
        popup.adjustSize()
        popup.move(self._beside_pointer(popup))
        popup.show()

    def _show(self) -> None:
        if self._over is not None:
            self.show_at(*self._over)

    def _take(self, wish: Wish, pixmap: QPixmap | None) -> None:
        if wish == self._wish and pixmap is not None and self._popup is not None:
            self._popup.show_picture(pixmap)
            self._popup.move(self._beside_pointer(self._popup))

    def _beside_pointer(self, popup: QWidget) -> QPoint:
        """Return a position on the screen that does not cover the mark."""
        at = QCursor.pos()
        screen = QGuiApplication.screenAt(at) or self._owner.screen()
        room, size = screen.availableGeometry(), popup.sizeHint()
        x = min(max(room.left(), at.x() - size.width() - Space.L), room.right() - size.width())
        y = at.y() + Space.L
        if y + size.height() > room.bottom():
            y = max(room.top(), at.y() - size.height() - Space.L)
        return QPoint(x, y)
