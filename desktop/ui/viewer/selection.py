"""Selecting words with the mouse and the keyboard, and copying them.

The index knows words, not letters, so a selection is a run of words in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QKeyEvent, QMouseEvent

from desktop.ui.design.popups import passing_menu
from desktop.ui.language import tr
from desktop.ui.viewer.overlays import Selection, WordPlace, joined

if TYPE_CHECKING:
    from desktop.core.geometry import Box
    from desktop.core.page_words import PageWords
    from desktop.ui.viewer.document import WordStore
    from desktop.ui.viewer.page_view import PageView

_LINE_WEIGHT = 4.0
"""Words above and below count as this much farther away than words beside."""


def word_at(words: PageWords, x: float, y: float) -> int | None:
    """Return the word whose box holds the point (points of the page), or None."""
    inside = (
        (words.boxes[:, 0] <= x)
        & (x <= words.boxes[:, 2])
        & (words.boxes[:, 1] <= y)
        & (y <= words.boxes[:, 3])
    )
    found = np.flatnonzero(inside)
    return int(found[0]) if len(found) else None


def nearest_word(words: PageWords, x: float, y: float) -> int | None:
    """Return the word nearest to the point, words of its own line first; None if no words."""
    if not len(words):
        return None
    beside = np.maximum(0, np.maximum(words.boxes[:, 0] - x, x - words.boxes[:, 2]))
    above = np.maximum(0, np.maximum(words.boxes[:, 1] - y, y - words.boxes[:, 3]))
    return int(np.argmin(beside + above * _LINE_WEIGHT))


def next_word(words: PageWords, word: int, key: Qt.Key) -> int:
    """Return the word that an arrow key leads to, or the same word at the page's ends."""
    if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
        step = 1 if key == Qt.Key.Key_Right else -1
        return min(max(word + step, 0), len(words) - 1)
    line = words.lines[word] + (1 if key == Qt.Key.Key_Down else -1)
    there = np.flatnonzero(words.lines == line)
    if not len(there):
        return len(words) - 1 if key == Qt.Key.Key_Down else 0
    middles = (words.boxes[:, 0] + words.boxes[:, 2]) / 2
    return int(there[np.argmin(np.abs(middles[there] - middles[word]))])


def words_inside(words: PageWords, box: Box) -> str:
    """Return the words whose middle lies in a box of the page, with the page's line breaks."""
    return joined(words, words.inside([box]))


def whole_page(page: int, words: PageWords) -> Selection | None:
    """Return the selection of everything on a page, None if it has no words."""
    if not len(words):
        return None
    return Selection(WordPlace(page, 0), WordPlace(page, len(words) - 1))


def citation(text: str, title: str, pages: range, label_of: Callable[[int], str]) -> str:
    """Return the text as a quotation with its source, which alone cites the page as a whole."""
    first, last = label_of(pages.start), label_of(pages.stop - 1)
    if first == last:
        where = tr("p. {page}").format(page=first)
    else:
        where = tr("pp. {first} to {last}").format(first=first, last=last)
    source = f"{title}, {where}"
    return f"“{' '.join(text.split())}” — {source}" if text else source


_AUTO_SCROLL_MS = 30
_AUTO_SCROLL_STEP = 18
_KEYPAD = Qt.KeyboardModifier.KeypadModifier
ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


class SelectionTool(QObject):
    """Turns the mouse over a page view into a selection of the index's words."""

    changed = Signal()
    settled = Signal()
    """Words were selected, and the hand is off the mouse."""
    copied = Signal(str)

    def __init__(self, view: PageView, words: WordStore, actions: dict[str, QAction]) -> None:
        super().__init__(view)
        self._view = view
        self._words = words
        self._actions = actions
        self._anchor: WordPlace | None = None
        self._pointer = QPointF()
        self._auto_scroll = QTimer(self, interval=_AUTO_SCROLL_MS)
        self._auto_scroll.timeout.connect(self._scroll_on)
        view.viewport().setMouseTracking(True)
        view.viewport().installEventFilter(self)
        view.installEventFilter(self)

    @property
    def selection(self) -> Selection | None:
        return self._view.overlays.selection

    def select(self, selection: Selection | None) -> None:
        """Make this the selection."""
        if selection != self.selection:
            self._view.overlays.selection = selection
            self._view.viewport().update()
            self.changed.emit()

    def select_page(self, page: int) -> None:
        """Select every word of a page."""
        document = self._view.document
        if document is not None:
            self._words.with_pages(
                document.id, [page], lambda found: self.select(whole_page(page, found[page]))
            )

    def copy(self) -> None:
        """Put the selected text on the clipboard, with the line breaks of the page."""
        self._with_text(self._put)

    def copy_with_citation(self) -> None:
        """Put the selected text on the clipboard as a quotation with title and page."""
        document, selection = self._view.document, self.selection
        if document is None or selection is None:
            return
        title, pages, label = document.record.title, selection.pages, document.label
        self._with_text(lambda text: self._put(citation(text, title, pages, label)))

    def _with_text(self, use: Callable[[str], None]) -> None:
        document, selection = self._view.document, self.selection
        if document is not None and selection is not None:
            self._words.with_pages(
                document.id, selection.pages, lambda found: use(selection.text(found))
            )

    def _put(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text)

    # mouse

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._view:
            return isinstance(event, QKeyEvent) and self._key(event)
        if isinstance(event, QContextMenuEvent):
            self._context_menu(event)
            return True
        if not isinstance(event, QMouseEvent):
            return False
        left = event.button() == Qt.MouseButton.LeftButton
        if event.type() == QEvent.Type.MouseButtonPress and left:
            self._press(event)
            return True
        if event.type() == QEvent.Type.MouseButtonDblClick and left:
            position = event.position()
            place = self._place(position, word_at)
            if place is not None:
                self._anchor = place
                self.select(Selection(place, place))
            return True
        if event.type() == QEvent.Type.MouseMove:
            self._move(event)
            return bool(event.buttons())  # others want to know what is merely pointed at
        if event.type() == QEvent.Type.MouseButtonRelease and left:
            self._anchor = None
            self._auto_scroll.stop()
            if self.selection is not None:
                self.settled.emit()
            return True
        return False

    # keys

    def _key(self, event: QKeyEvent) -> bool:
        """Select with Shift and the arrows, word by word and line by line."""
        shift_alone = event.modifiers() & ~_KEYPAD == Qt.KeyboardModifier.ShiftModifier
        document = self._view.document
        if (
            event.type() != QEvent.Type.KeyPress
            or not shift_alone
            or event.key() not in ARROWS
            or document is None
            or not document.pages
        ):
            return False
        place = self._view.overlays.current_place(document.id) or (self._view.page, ())
        page = self.selection.focus.page if self.selection is not None else place[0]
        key = Qt.Key(event.key())

        def extend(found: dict[int, PageWords]) -> None:
            words = found[page]
            if not len(words):
                return
            if self.selection is None:
                start = WordPlace(page, self._start_word(page, words, place[1]))
                chosen = Selection(start, start)
            else:
                focus = next_word(words, self.selection.focus.word, key)
                chosen = Selection(self.selection.anchor, WordPlace(page, focus))
            self.select(chosen)
            self._view.reveal(page, (words.box(chosen.focus.word),))
            self.settled.emit()

        self._words.with_pages(document.id, [page], extend)
        return True

    def _start_word(self, page: int, words: PageWords, boxes: Sequence[Box]) -> int:
        """Begin at these boxes, without any at the top of what is in view."""
        if boxes:
            x, y = boxes[0].x0 + 1, (boxes[0].y0 + boxes[0].y1) / 2
        else:
            x, y = 0.0, max(0.0, self._view.page_frame(page).point(QPointF(0, 0))[1])
        return nearest_word(words, x, y) or 0

    # presses

    def _press(self, event: QMouseEvent) -> None:
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        extends = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if extends and self.selection is not None:
            self._anchor = self.selection.anchor
            self._drag_to(event.position())
            return
        self._anchor = self._place(event.position(), nearest_word)
        self.select(None)

    def _move(self, event: QMouseEvent) -> None:
        self._pointer = event.position()
        if not event.buttons() & Qt.MouseButton.LeftButton:
            over = self._place(self._pointer, word_at)
            shape = Qt.CursorShape.IBeamCursor if over else Qt.CursorShape.ArrowCursor
            self._view.viewport().setCursor(shape)
            return
        self._drag_to(self._pointer)
        outside = not 0 <= self._pointer.y() < self._view.viewport().height()
        if outside and not self._auto_scroll.isActive():
            self._auto_scroll.start()
        elif not outside:
            self._auto_scroll.stop()

    def _drag_to(self, position: QPointF) -> None:
        focus = self._place(position, nearest_word)
        if self._anchor is None:
            # the words were still being read when the button went down
            self._anchor = focus
        elif focus is not None:
            self.select(Selection(self._anchor, focus))

    def _scroll_on(self) -> None:
        below = self._pointer.y() > 0
        bar = self._view.verticalScrollBar()
        bar.setValue(bar.value() + (_AUTO_SCROLL_STEP if below else -_AUTO_SCROLL_STEP))
        self._drag_to(self._pointer)

    def _place(
        self, position: QPointF, find: Callable[[PageWords, float, float], int | None]
    ) -> WordPlace | None:
        document, page = self._view.document, self._view.page_under(position)
        if document is None or page is None:
            return None
        words = self._words.get(document.id, page)
        if words is None:
            return None
        index = find(words, *self._view.page_frame(page).point(position))
        return None if index is None else WordPlace(page, index)

    def _context_menu(self, event: QContextMenuEvent) -> None:
        page = self._view.page_under(QPointF(event.pos()))
        if page is None:
            return
        menu = passing_menu(self._view)
        if self._view.overlays.selection is not None:
            menu.addActions([self._actions["highlight"], self._actions["comment"]])
            menu.addSeparator()
        menu.addActions([self._actions["copy"], self._actions["copy_citation"]])
        menu.addActions([self._actions["add_note"], self._actions["mark_region"]])
        menu.addSeparator()
        # the page under the pointer, which need not be the current one
        whole = menu.addAction(self._actions["select_page"].text())
        whole.triggered.connect(lambda: self.select_page(page))
        menu.popup(event.globalPos())
