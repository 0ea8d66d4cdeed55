"""The timeline: the steps of a question below each other, searched and replayed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop.ui.tokens import Space
from desktop.ui.trace.step_card import StepCard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.ui.page_pictures import PagePictures
    from desktop.ui.trace.step import Step


class StepList(QScrollArea):
    """place_wanted(region): show the page of a thumbnail."""

    place_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[StepCard] = []
        self.pictures: PagePictures | None = None
        self._needle = ""
        self._until: int | None = None
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, 0, Space.S)
        self._column.setSpacing(Space.HAIR)
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
        while len(self.cards) > len(steps):
            self._drop(self.cards.pop())
        for card, step in zip(self.cards, steps, strict=False):
            if card.step != step:
                card.show_step(step)
        for step in steps[len(self.cards) :]:
            card = StepCard(step, self.pictures)
            card.place_wanted.connect(self.place_wanted)
            self.cards.append(card)
            self._column.insertWidget(self._column.count() - 1, card)
        self._sift()

    def search(self, text: str) -> int:
        """Show only the steps that contain these words; returns how many do."""
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

    def open_all(self, opened: bool) -> None:
        """Open or close every step."""
        for card in self.cards:
            card.open(opened)

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

    def _drop(self, card: StepCard) -> None:
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()
