"""What one steps through on the pages: hits of Find, and the numbered regions of an answer."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QObject,
    QPointF,
    Qt,
    QTimer,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QToolButton

from desktop.ui.bridge import Bridge
from desktop.ui.design.controls import fill, flat_button, label
from desktop.ui.design.icons import IconPicture
from desktop.ui.design.theme import milliseconds
from desktop.ui.design.tokens import Size, Space
from desktop.ui.viewer.overlays import MOST_HITS, FindHit, FindHits, Highlight, Highlights
from desktop.ui.viewer.toolbar import FloatingBar, action_button

if TYPE_CHECKING:
    from desktop.core.events import PageRegion
    from desktop.core.jobs import CancelToken
    from desktop.core.library.library import Library
    from desktop.ui.viewer.document import WordStore
    from desktop.ui.viewer.page_view import PageView


_BATCH_SECONDS = 0.05
_TYPING_MS = 180


class FindBar(FloatingBar):
    """Emits what to search for a moment after typing stops, at once on Enter."""

    searched = Signal(str)
    stepped = Signal(int)
    closed = Signal()

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__(wide=520)
        self.setAccessibleName(self.tr("Find"))
        self._searched = ""
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Find in this manual"))
        self.field.setAccessibleName(self.tr("Find in this manual"))
        self.field.setToolTip(
            self.tr("Words to find; Enter for the next hit, Shift+Enter for the previous")
        )
        self.field.setClearButtonEnabled(True)
        self.field.setAcceptDrops(False)  # what is dropped is for the library
        for inner in self.field.findChildren(QToolButton):
            inner.setAccessibleName(self.tr("Clear the search"))
        self.field.setMinimumHeight(Size.ROW)
        self.count = label()
        self.count.setAccessibleName(self.tr("Hits"))
        self.count.setMinimumWidth(96)
        self._pause = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._pause.timeout.connect(self._search)
        self.field.textEdited.connect(lambda _: self._pause.start())
        self.field.textChanged.connect(lambda text: None if text else self._search())
        close = flat_button("x", self.tr("Close find"), self.close_bar)
        close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        close.setToolTip(self.tr("Close find (Esc)"))
        self.row.addWidget(self.field, 1)
        fill(self.row, Space.S, self.count, action_button(actions["find_previous"]))
        fill(self.row, action_button(actions["find_next"]), close)
        self.hide()

    def open_bar(self, text: str = "") -> None:
        """Show the bar with the selected text, or with what was searched before."""
        self.show()
        if text:
            self.field.setText(text)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._searched = ""
        self._search()

    def close_bar(self) -> None:
        """Hide the bar and forget the hits; nothing happens when it is not open."""
        if self.isHidden():
            return
        self._pause.stop()
        self._searched = ""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            if self.field.text().strip() == self._searched:
                self.stepped.emit(-1 if back else 1)
            else:
                self._search()
        else:
            super().keyPressEvent(event)

    def _search(self) -> None:
        self._pause.stop()
        needle = self.field.text().strip()
        if needle != self._searched or not needle:
            self._searched = needle
            self.searched.emit(needle)


class FindController(QObject):
    """Find in the manual in view: one search at a time, a new one supersedes the one before."""

    changed = Signal()

    def __init__(self, library: Library, view: PageView, words: WordStore, bar: FindBar) -> None:
        super().__init__(view)
        self._library, self._view, self._words, self._bar = library, view, words, bar
        self.hits = FindHits()
        self._bridge = Bridge(
            "viewer-find", self, self._take, lambda _: self._show(self.hits.finish())
        )
        bar.searched.connect(self._search)
        bar.stepped.connect(self.step)
        bar.closed.connect(self._closed)

    def open(self) -> None:
        """Open the bar, with the selected words in it if they are on one page."""
        document, selection = self._view.document, self._view.overlays.selection
        if document is None:
            return
        if selection is None or len(selection.pages) > 1:
            self._bar.open_bar()
            return
        self._words.with_pages(
            document.id,
            selection.pages,
            lambda found: self._bar.open_bar(" ".join(selection.text(found).split())),
        )

    def step(self, by: int) -> None:
        """Go to the next or previous hit; opens the bar if it is closed."""
        if self._bar.isHidden():
            self.open()
            return
        self.hits.step(by)
        self._show(True)

    def shutdown(self) -> None:
        """Join the thread; nothing more is searched."""
        self._bar.searched.disconnect(self._search)
        self._bridge.close()

    def _search(self, needle: str) -> None:
        document = self._view.document
        if document is not None and needle:
            self.hits = FindHits(self._view.page)
            self._bridge.start(partial(self._find, self.hits, document.id, needle))
        else:
            self._bridge.cancel()
            self.hits = FindHits()
        self._show(False)

    def _find(
        self, hits: FindHits, document_id: int, needle: str, cancel: CancelToken
    ) -> Iterator[tuple[FindHits, list[FindHit]]]:
        batch: list[FindHit] = []
        sent = time.monotonic()
        for page, boxes in islice(self._library.find_text(document_id, needle), MOST_HITS):
            cancel.check()
            batch.append(FindHit(page, boxes))
            if time.monotonic() - sent > _BATCH_SECONDS:
                yield hits, batch
                batch, sent = [], time.monotonic()
        yield hits, batch

    def _take(self, found: tuple[FindHits, list[FindHit]]) -> None:
        hits, batch = found
        if hits is self.hits:
            self._show(hits.add(batch))

    def _closed(self) -> None:
        self._search("")
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, go: bool) -> None:
        """Show the hits, and go to the current one."""
        self._view.overlays.hits = self.hits
        self._bar.count.setText(self._count() if self._bar.field.text().strip() else "")
        self._view.viewport().update()
        self.changed.emit()
        hit = self.hits.current
        if go and hit is not None:
            self._view.reveal(hit.page, hit.boxes)

    def _count(self) -> str:
        """Say "3 of 17", or "3 of 17+" while there may be more."""
        hits = self.hits
        if not len(hits):
            return self.tr("No hits") if hits.finished else self.tr("Searching…")
        more = "" if hits.finished and not hits.full else "+"
        return self.tr("{n} of {count}").format(n=hits.number, count=f"{len(hits)}{more}")


class HighlightBar(FloatingBar):
    """Shows a pen, "1 of 3", and steps; a single highlight needs no bar over its page.

    So short that it has room beside the page's number.
    """

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Highlights"))
        self.caption = label()
        fill(self.row, Space.S, IconPicture("highlighter", Size.ICON), Space.XS, self.caption)
        self.row.addWidget(action_button(actions["previous_highlight"]))
        self.row.addWidget(action_button(actions["next_highlight"]))
        self.row.addWidget(action_button(actions["clear_highlights"]))

    def show_highlights(self, highlights: Highlights, document_id: int) -> None:
        """Show which one is current; nothing over a manual that has none."""
        numbers = {"n": highlights.number, "count": len(highlights)}
        self.caption.setText(self.tr("{n} of {count}").format(**numbers))
        self.caption.setAccessibleName(self.tr("Highlight {n} of {count}").format(**numbers))
        here = any(mark.document_id == document_id for mark in highlights)
        self.setVisible(here and len(highlights) > 1)


PULSE_MS = 150


class Pulse(QObject):
    """Runs `overlays.pulse` from 1 to 0; with reduced motion nothing moves at all."""

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self._view = view
        self._motion = QVariantAnimation(self, startValue=1.0, endValue=0.0)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._show)

    @property
    def running(self) -> bool:
        return self._motion.state() == QVariantAnimation.State.Running

    def begin(self) -> None:
        """Pulse once, from the beginning."""
        self._motion.stop()
        duration = milliseconds(PULSE_MS)
        if duration:
            self._motion.setDuration(duration)
            self._motion.start()
        else:
            self._show(0.0)

    def stop(self) -> None:
        """Stop pulsing now."""
        self._motion.stop()
        self._show(0.0)

    def _show(self, strength: float) -> None:
        self._view.overlays.pulse = float(strength)
        self._view.viewport().update()


class HighlightController(QObject):
    """Keeps the highlights of the view and their bar in step."""

    changed = Signal()
    wanted = Signal(object)
    """A `Highlight` that is to be brought into view, in whatever manual it is."""

    pointed = Signal(int)
    """The number of the citation whose words the pointer is over, 0 over none."""

    def __init__(self, view: PageView, bar: HighlightBar) -> None:
        super().__init__(view)
        self._view = view
        self._bar = bar
        self._pointed = 0
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._point_at(0)
        elif (
            isinstance(event, QMouseEvent)
            and event.type() == QEvent.Type.MouseMove
            and not event.buttons()
        ):
            self._point_at(self.number_at(event.position()))
        return False

    def number_at(self, position: QPointF) -> int:
        """Return the citation whose words are at a position of the viewport, 0 for none."""
        document, page = self._view.document, self._view.page_under(position)
        if document is None or page is None or not len(self.highlights):
            return 0
        frame = self._view.page_frame(page)
        for mark in reversed(self.highlights.on_page(document.id, page)):
            if any(frame.rect(box).contains(position) for box in mark.boxes):
                return mark.number
        return 0

    def _point_at(self, number: int) -> None:
        if number != self._pointed:
            self._pointed = number
            self.pointed.emit(number)

    @property
    def highlights(self) -> Highlights:
        return self._view.overlays.highlights

    def show(self, regions: Sequence[PageRegion | Highlight], current: int) -> None:
        """Highlight regions and ask for the current one."""
        self.put(Highlights(regions, current))
        self._want_current()

    def clear(self) -> None:
        """Remove all highlights."""
        self.put(Highlights())

    def forget_document(self, document_id: int) -> None:
        """Remove the highlights of a manual that is gone."""
        self.put(self.highlights.without_document(document_id))

    def step(self, by: int) -> None:
        """Go to the next or previous region."""
        self.highlights.step(by)
        self.put(self.highlights)
        self._want_current()

    def light(self, number: int) -> None:
        """Make the region of a citation current where it is; nothing is scrolled."""
        if self.highlights.point_at(number):
            self.put(self.highlights)

    def _want_current(self) -> None:
        if self.highlights.current is not None:
            self.wanted.emit(self.highlights.current)

    def put(self, highlights: Highlights) -> None:
        """Make these the highlights, without going there."""
        self._view.overlays.highlights = highlights
        self.show_bar()
        self._view.viewport().update()
        self.changed.emit()

    def show_bar(self) -> None:
        """Count the highlights, unless another manual is in view now, which has none."""
        document = self._view.document
        self._bar.show_highlights(self.highlights, document.id if document is not None else 0)
