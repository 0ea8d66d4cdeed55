"""The regions an answer points to: numbered, stepped through, lit up once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPointF, QVariantAnimation, Signal
from PySide6.QtGui import QAction, QMouseEvent

from desktop.ui.design.controls import fill, label
from desktop.ui.design.icons import IconPicture
from desktop.ui.design.theme import milliseconds
from desktop.ui.design.tokens import Size, Space
from desktop.ui.viewer.bars import FloatingBar, action_button
from desktop.ui.viewer.overlays import Highlight, Highlights

if TYPE_CHECKING:
    from desktop.core.events import PageRegion
    from desktop.ui.viewer.page_view import PageView


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
