"""The panel of the reasoning: what was promised, and the steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QWidget

from desktop.ui.design.controls import (
    FlowLayout,
    discard,
    empty,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    painted_as,
    panel_header,
)
from desktop.ui.design.icons import IconPicture
from desktop.ui.design.theme import fade_in
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.trace.timeline import Step, Timeline

if TYPE_CHECKING:
    from desktop.ui.trace.step_card import StepCard
    from desktop.ui.viewer.page_pictures import PagePictures


class PromisesLine(QWidget):
    """Hidden while nothing was promised, and once all of it is kept: the answer shows that."""

    def __init__(self) -> None:
        super().__init__()
        self._flow = FlowLayout(self, Space.M)
        self._flow.setContentsMargins(Space.INSET, 0, Space.INSET, Space.XS)
        self._shown: tuple[tuple[tuple[str, bool], ...], bool, bool] = ((), False, False)
        self.hide()

    def show_promises(
        self, promises: Sequence[tuple[str, bool]], *, finished: bool, not_found: bool = False
    ) -> None:
        """Show commitments with their state.

        finished: what is not kept now is missing. not_found: it could not be kept, for the
        manuals do not answer; that is no fault.
        """
        shown = (tuple(promises), finished, not_found)
        if shown == self._shown:
            return
        self._shown = shown
        empty(self._flow)
        for name, kept in promises:
            self._flow.addWidget(self._promise(name, *self._state(kept, finished, not_found)))
        kept_all = all(kept for _, kept in promises)
        self.setVisible(bool(promises) and not (finished and kept_all))

    def texts(self) -> list[str]:
        """What each promise says, for a person who cannot see the icons."""
        widgets = [self._flow.itemAt(at) for at in range(self._flow.count())]
        return [w.accessibleName() for item in widgets if item and (w := item.widget())]

    def _state(self, kept: bool, finished: bool, not_found: bool) -> tuple[str, str, str]:
        """Return the icon, its tint, and what it stands for."""
        if kept:
            return "circle-check", "good", self.tr("done")
        if finished and not_found:
            return "search", "muted", self.tr("nothing found")
        if finished:
            return "circle-x", "bad", self.tr("missing")
        return "circle-dashed", "muted", self.tr("planned")

    def _promise(self, name: str, sign: str, tint: str, state: str) -> QWidget:
        part = QWidget()
        part.setAccessibleName(f"{name}: {state}")
        row = in_row(part, spacing=Space.XS)
        row.addWidget(IconPicture(sign, Size.ICON - 4, tint))
        row.addWidget(label(f"{name}: {state}", factor=Type.SMALL, tone="muted"))
        return part


class StepList(QScrollArea):
    """place_wanted(region): show the page of a thumbnail."""

    place_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[StepCard] = []
        self.pictures: PagePictures | None = None
        self.question = ""
        inner = QWidget()
        self._column = in_column(inner, (0, 0, 0, Space.S), spacing=Space.HAIR)
        self._column.addStretch(1)
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Reasoning steps"))
        inner.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def show_steps(self, steps: Sequence[Step]) -> None:
        """Show other steps; those that are shown already stay as they are."""
        from desktop.ui.trace.step_card import StepCard, has_bars

        while len(self.cards) > len(steps):
            discard(self.cards.pop(), self._column)
        for card, step in zip(self.cards, steps, strict=False):
            if card.step != step:
                card.show_step(step)
        for step in steps[len(self.cards) :]:
            told = any(has_bars(card.step) for card in self.cards)
            card = StepCard(step, self.pictures, self.question, explains_bars=not told)
            card.place_wanted.connect(self.place_wanted)
            self.cards.append(card)
            self._column.insertWidget(self._column.count() - 1, card)

    def follow(self) -> None:
        """Bring the last step into view."""
        if self.cards:
            card = self.cards[-1]
            QTimer.singleShot(0, card, lambda: self.ensureWidgetVisible(card, 0, Space.S))

    def clear(self) -> None:
        """Show no step."""
        self.show_steps(())
        self.verticalScrollBar().setValue(0)


OPEN_SHARE = 0.5
"""Of the column that it stands in, until a person gives it another height."""


class TracePanel(QWidget):
    """place_wanted(region): show the page of a thumbnail.

    Hidden until somebody opens it: opened(whether it is). open_height: its height then, 0 for
    its share.
    """

    place_wanted = Signal(object)
    opened = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        painted_as(self, "panel")
        self.timeline = Timeline()
        self.steps = StepList()
        self.steps.place_wanted.connect(self.place_wanted)
        self.nothing = label("", factor=Type.SMALL, tone="muted", wrap=True)
        self.nothing.setContentsMargins(Space.INSET, Space.S, Space.INSET, Space.S)
        self.export_button = flat_button("file-down", self.tr("Export the reasoning"))
        self.close_button = flat_button("x", self.tr("Close the reasoning"), self.hide)
        self.promises = PromisesLine()
        self.said = label("", factor=Type.SMALL, tone="muted", wrap=True, selectable=True)
        self.said.setContentsMargins(Space.INSET, Space.XS, Space.INSET, Space.XS)
        self.open_height = 0
        header = panel_header(self.tr("Reasoning"), self.export_button, self.close_button)
        fill(in_column(self), header, self.nothing, self.promises, (self.steps, 1), self.said)
        self.forget()
        self.hide()

    def use_pictures(self, pictures: PagePictures | None) -> None:
        """Draw the thumbnails with these."""
        self.steps.pictures = pictures

    def begin(self, question: str = "") -> None:
        """A new question: start an empty timeline. The question itself stands above its answer."""
        self.say("")
        self.steps.question = question
        self.setAccessibleDescription(question)
        self.steps.clear()
        self.show_timeline(Timeline())

    def show_timeline(self, timeline: Timeline) -> None:
        """Show how a question was answered so far."""
        grown = len(timeline.steps) > len(self.timeline.steps)
        self.timeline = timeline
        self.steps.show_steps(timeline.steps)
        over = timeline.finished and not timeline.asked_back
        self.promises.show_promises(timeline.promises, finished=over, not_found=timeline.not_found)
        some = bool(timeline.steps)
        self.nothing.setVisible(not some)
        self.nothing.setText(
            self.tr(
                "No reasoning was recorded for this question. Turn on recording in the settings."
            )
            if timeline.finished
            else self.tr("The steps to an answer appear here.")
        )
        self.export_button.setEnabled(some)
        if grown and not timeline.finished:
            self.steps.follow()
        elif grown:
            self.steps.verticalScrollBar().setValue(0)  # it is read from the first step on
            read = [card for card in self.steps.cards if card.step.evidence]
            for card in read[-1:] if timeline.not_found else ():
                card.open()  # why its pages do not answer

    def forget(self) -> None:
        """Show no question."""
        self.begin()

    def say(self, text: str) -> None:
        """Say something below the steps: that a file was written, or why not."""
        self.said.say(text)

    @property
    def height_when_open(self) -> int:
        """How tall it is, or was when it was open."""
        return self.open_height if self.isHidden() else self.height()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            QTimer.singleShot(0, self, self._take_room)
            fade_in(self)
            self.opened.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if event.spontaneous():
            return
        if self.height() > 2 * Size.PANEL_HEADER:
            self.open_height = self.height()
        self.opened.emit(False)

    def _take_room(self) -> None:
        """Be as tall as before."""
        split = self.parentWidget()
        if isinstance(split, QSplitter) and split.height() > Size.PANEL_HEADER:
            wanted = self.open_height or round(split.height() * OPEN_SHARE)
            split.setSizes([split.height() - wanted, wanted])
