"""A strip with one mark per page of a manual: read, searchable, failed or still to come."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop.ui import wording
from desktop.ui.design.controls import plain_tooltip
from desktop.ui.design.theme import colours
from desktop.ui.design.tokens import Size, Space
from desktop.ui.language import told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.library.values import PageRecord

PageState = Literal["failed", "waiting", "searchable", "ready"]
WORST_FIRST: tuple[PageState, ...] = ("failed", "waiting", "searchable", "ready")
BAR = 16
LEAST_MARK = 3


def state_of(page: PageRecord | None) -> PageState:
    """Return how far a page has got; None is a page that nobody has looked at."""
    if page is None or page.passes[0] == "pending":
        return "waiting"
    if "failed" in page.passes:
        return "failed"
    return "searchable" if "pending" in page.passes else "ready"


class PageStateStrip(QWidget):
    """Reached by Tab; the arrows move along the pages, Enter opens one. page_wanted(page)."""

    page_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: list[PageRecord | None] = []
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedHeight(Size.TARGET)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._speak()

    def show_pages(self, pages: Sequence[PageRecord], count: int) -> None:
        """Show the pages of a manual of so many pages."""
        known = {each.page: each for each in pages}
        self._pages = [known.get(page) for page in range(max(count, len(known)))]
        self._current = min(self._current, max(0, len(self._pages) - 1))
        self._speak()
        self.update()

    def counts(self) -> Counter[PageState]:
        """Return how many pages are in each state."""
        return Counter(state_of(each) for each in self._pages)

    def page_at(self, x: float) -> int:
        """Return the page at a position; the worst one where several share a mark."""
        marks = self._marks()
        place = min(len(marks) - 1, max(0, int(x / (self.width() / max(1, len(marks))))))
        pages = marks[place]
        return min(pages, key=lambda page: WORST_FIRST.index(state_of(self._pages[page])))

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = colours()
        fills = {"failed": c.bad, "waiting": c.border, "searchable": c.accent, "ready": c.good}
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        marks = self._marks()
        top = (self.height() - BAR) / 2
        step = self.width() / max(1, len(marks))
        gap = 1 if step > LEAST_MARK + 1 else 0
        for number, pages in enumerate(marks):
            worst = min((state_of(self._pages[page]) for page in pages), key=WORST_FIRST.index)
            # a failed page is taller too: colour alone would not tell it
            grown = Space.XS if worst == "failed" else 0
            bar = QRectF(number * step, top - grown, max(1.0, step - gap), BAR + 2 * grown)
            painter.fillRect(bar, QColor(fills[worst]))
        if self.hasFocus() and marks:
            at = next(n for n, pages in enumerate(marks) if self._current in pages)
            painter.setPen(QColor(c.text))
            width = max(step, LEAST_MARK * 2)
            painter.drawRect(QRectF(at * step - 1, 1, width + 1, self.height() - 3))
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._pages) - 1
        match event.key():
            case Qt.Key.Key_Left:
                self._go(self._current - 1)
            case Qt.Key.Key_Right:
                self._go(self._current + 1)
            case Qt.Key.Key_Home:
                self._go(0)
            case Qt.Key.Key_End:
                self._go(last)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space if last >= 0:
                self.page_wanted.emit(self._current)
            case _:
                super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._pages and event.button() == Qt.MouseButton.LeftButton:
            self._go(self.page_at(event.position().x()))
            self.page_wanted.emit(self._current)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._pages:
            text = self._says(self.page_at(event.pos().x()))
            QToolTip.showText(event.globalPos(), plain_tooltip(text), self)
            return True
        return super().event(event)

    def _go(self, page: int) -> None:
        self._current = min(max(0, page), max(0, len(self._pages) - 1))
        self._speak()
        self.update()

    def _speak(self) -> None:
        name = self.tr("Page status")
        self.setAccessibleName(name)
        if self._pages:
            self.setAccessibleDescription(self._says(self._current))

    def _says(self, page: int) -> str:
        record = self._pages[page]
        shown = wording.page_label("" if record is None else record.label, page)
        states = {
            "failed": self.tr("{page}: not fully read"),
            "waiting": self.tr("{page}: waits"),
            "searchable": self.tr("{page}: found by its words"),
            "ready": self.tr("{page}: ready"),
        }
        text = states[state_of(record)].format(page=shown)
        why = told(record.reason) if record is not None else ""
        return f"{text}. {why}" if why else text

    def _marks(self) -> list[range]:
        """Return the pages of each mark: one, or several where the strip is too narrow."""
        count = len(self._pages)
        most = max(1, self.width() // LEAST_MARK)
        if count <= most:
            return [range(page, page + 1) for page in range(count)]
        edges = [round(number * count / most) for number in range(most + 1)]
        return [range(a, b) for a, b in pairwise(edges)]
