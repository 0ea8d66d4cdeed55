"""The panel of the reasoning: what was promised, the steps, and playing them again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSplitter, QWidget

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
    text_field,
)
from desktop.ui.design.icons import IconPicture, icon
from desktop.ui.design.motion import fade_in
from desktop.ui.design.popups import menu_of
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.trace.timeline import Step, Timeline

if TYPE_CHECKING:
    from desktop.ui.trace.step_card import StepCard
    from desktop.ui.viewer.page_pictures import PagePictures


class StepPlayer(QWidget):
    """moved(position): show the steps up to this one. left(): show all of them again."""

    moved = Signal(int)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._count = 0
        self.position = -1
        self.first_button = flat_button("skip-back", self.tr("First step"), lambda: self.go(0))
        self.back_button = flat_button("arrow-left", self.tr("Step back"))
        self.next_button = flat_button("arrow-right", self.tr("Next step"))
        self.close_button = flat_button("x", self.tr("Stop replaying"), self.leave)
        self.says = label("", factor=Type.SMALL)
        self.back_button.clicked.connect(lambda: self.go(self.position - 1))
        self.next_button.clicked.connect(lambda: self.go(self.position + 1))
        row = in_row(self, (Space.S, 0, Space.S, 0), spacing=Space.HAIR)
        for button in (self.first_button, self.back_button, self.next_button):
            row.addWidget(button)
        fill(row, (self.says, 1), self.close_button)
        self.hide()

    def begin(self, count: int) -> None:
        """Start at the first of this many steps."""
        self._count = count
        self.show()
        self.go(0)
        self.next_button.setFocus()

    def go(self, position: int) -> None:
        """Go to a step."""
        self.position = max(0, min(position, self._count - 1))
        self.says.setText(self.tr("Step {n} of {m}").format(n=self.position + 1, m=self._count))
        self.back_button.setEnabled(self.position > 0)
        self.first_button.setEnabled(self.position > 0)
        self.next_button.setEnabled(self.position < self._count - 1)
        self.moved.emit(self.position)

    def leave(self) -> None:
        """End the replay."""
        if self.isHidden():
            return
        self.position, self._count = -1, 0
        self.hide()
        self.left.emit()


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
        self._needle = ""
        self._until: int | None = None
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
        self._sift()

    def search(self, text: str) -> int:
        """Show only the steps that contain these words; return how many do."""
        self._needle = text
        self._sift()
        return sum(card.step.has(text) for card in self.cards)

    def show_until(self, position: int | None) -> None:
        """Show the steps up to this one, which is open; None shows all of them."""
        self._until = position
        for at, card in enumerate(self.cards):
            card.mark(at == position)
            card.open(at == position)
        self._sift()
        if position is not None and position < len(self.cards):
            card = self.cards[position]
            # once its body has a height; a tall one is read from its head on
            QTimer.singleShot(0, card, lambda: self.verticalScrollBar().setValue(card.y()))

    def follow(self) -> None:
        """Bring the last step into view."""
        if self.cards:
            card = self.cards[-1]
            QTimer.singleShot(0, card, lambda: self.ensureWidgetVisible(card, 0, Space.S))

    def clear(self) -> None:
        """Show no step."""
        self._until = None
        self.show_steps(())
        self.verticalScrollBar().setValue(0)

    def _sift(self) -> None:
        for at, card in enumerate(self.cards):
            reached = self._until is None or at <= self._until
            card.setVisible(reached and (not self._needle or card.step.has(self._needle)))


OPEN_SHARE = 0.5
"""Of the column that it stands in, until a person gives it another height."""


class TracePanel(QWidget):
    """place_wanted(region): show the page of a thumbnail. export_wanted(form): json or spans.

    Hidden until somebody opens it: opened(whether it is). open_height: its height then, 0 for
    its share.
    """

    place_wanted = Signal(object)
    export_wanted = Signal(str)
    opened = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        painted_as(self, "panel")
        self.timeline = Timeline()
        self.steps = StepList()
        self.steps.place_wanted.connect(self.place_wanted)
        self._build_tools()
        self.promises = PromisesLine()
        self.player = StepPlayer()
        self.player.moved.connect(self._replayed)
        self.player.left.connect(lambda: self.steps.show_until(None))
        self.said = label("", factor=Type.SMALL, tone="muted", wrap=True, selectable=True)
        self.said.setContentsMargins(Space.INSET, Space.XS, Space.INSET, Space.XS)
        self.open_height = 0
        self._lay_out()
        self.forget()
        self.hide()

    def use_pictures(self, pictures: PagePictures | None) -> None:
        """Draw the thumbnails with these."""
        self.steps.pictures = pictures

    def begin(self, question: str = "") -> None:
        """A new question: start an empty timeline. The question itself stands above its answer."""
        self.player.leave()
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
        for button in (self.search_button, self.replay_button, self.export_button):
            button.setEnabled(some)
        self.replay_button.setEnabled(some and timeline.finished)
        if grown and not timeline.finished:
            self.steps.follow()
        elif grown:
            self.steps.verticalScrollBar().setValue(0)  # it is read from the first step on
            read = [card for card in self.steps.cards if card.step.evidence]
            for card in read[-1:] if timeline.not_found else ():
                card.open()  # why its pages do not answer
        if self.search_field.text():
            self._search()

    def forget(self) -> None:
        """Show no question."""
        self.begin()

    def say(self, text: str) -> None:
        """Say something below the steps: that a file was written, or why not."""
        self.said.setText(text)
        self.said.setVisible(bool(text))

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

    def _build_tools(self) -> None:
        self.nothing = label("", factor=Type.SMALL, tone="muted", wrap=True)
        self.nothing.setContentsMargins(Space.INSET, Space.S, Space.INSET, Space.S)
        self.search_button = flat_button("search", self.tr("Search the steps"))
        self.search_button.setCheckable(True)
        self.search_button.toggled.connect(self._show_search)
        self.replay_button = flat_button("play", self.tr("Replay step by step"))
        self.replay_button.clicked.connect(lambda: self.player.begin(len(self.timeline.steps)))
        self.open_button = flat_button("chevrons-up-down", self.tr("Open every step"))
        self.open_button.setCheckable(True)
        self.open_button.toggled.connect(self._open_all)
        self.export_button = flat_button("file-down", self.tr("Export the reasoning"))
        menu = menu_of(self.export_button)
        for form, text in (
            ("json", self.tr("As JSON…")),
            ("spans", self.tr("As OpenTelemetry spans…")),
        ):
            menu.addAction(text).triggered.connect(
                lambda _=False, form=form: self.export_wanted.emit(form)
            )
        self.close_button = flat_button("x", self.tr("Close the reasoning"), self.hide)
        self.search_field = text_field(
            self.tr("Search the steps"), "", self.tr("Tool, words, page…")
        )
        self.search_field.textChanged.connect(lambda _: self._search())
        self.found = label("", factor=Type.SMALL, tone="muted")

    def _lay_out(self) -> None:
        column = in_column(self)
        header = panel_header(
            self.tr("Reasoning"),
            self.search_button,
            self.replay_button,
            self.open_button,
            self.export_button,
            self.close_button,
        )
        row = header.layout()
        assert isinstance(row, QHBoxLayout)
        row.setSpacing(Space.HAIR)
        column.addWidget(header)
        self._search_bar = QWidget()
        search = in_row(self._search_bar, (Space.INSET, Space.XS, Space.INSET, 0), spacing=Space.S)
        fill(search, (self.search_field, 1), self.found)
        self._search_bar.hide()
        for part in (self._search_bar, self.player, self.nothing, self.promises):
            column.addWidget(part)
        fill(column, (self.steps, 1), self.said)

    def _show_search(self, shown: bool) -> None:
        self._search_bar.setVisible(shown)
        if shown:
            self.search_field.setFocus()
        else:
            self.search_field.clear()

    def _search(self) -> None:
        text = self.search_field.text().strip()
        found = self.steps.search(text)
        many = self.tr("{n} of {m} steps").format(n=found, m=len(self.steps.cards))
        self.found.setText(many if text else "")

    def _open_all(self, opened: bool) -> None:
        for card in self.steps.cards:
            card.open(opened)
        self.open_button.setIcon(icon("chevrons-down-up" if opened else "chevrons-up-down"))

    def _replayed(self, position: int) -> None:
        self.steps.show_until(position)
        evidence = self.timeline.steps[position].evidence
        if evidence:  # the page that the step stood on is seen with it
            self.place_wanted.emit(evidence[0].place)

    def _take_room(self) -> None:
        """Be as tall as before."""
        split = self.parentWidget()
        if isinstance(split, QSplitter) and split.height() > Size.PANEL_HEADER:
            wanted = self.open_height or round(split.height() * OPEN_SHARE)
            split.setSizes([split.height() - wanted, wanted])
