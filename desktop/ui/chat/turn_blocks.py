"""What stands around the words of an answer: warnings, questions back, sources, near pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.chat.clarification_block import ClarificationBlock
from desktop.ui.chat.source_cards import SourceCards
from desktop.ui.chat.turn_parts import SafetyBlock, SourceList, SourceRow
from desktop.ui.controls import label
from desktop.ui.language import told
from desktop.ui.notes.cited_notes import CitedNotes
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.events import (
        CitationEvent,
        ClarificationEvent,
        ErrorEvent,
        NearestPageEvent,
        NoteCitationEvent,
        PageRegion,
        WarningBlockEvent,
    )


class TurnBlocks(QObject):
    """places_wanted(regions, current), citation_wanted(number), note_wanted(event): see `Turn`.

    option_chosen(prompt, ids): of what was asked back; ids None for the manuals asked before.
    """

    places_wanted = Signal(object, int)
    citation_wanted = Signal(int)
    option_chosen = Signal(str, object)
    note_wanted = Signal(object)

    def __init__(self, title_of: Callable[[PageRegion], str], parent: QObject) -> None:
        super().__init__(parent)
        self.citations: list[CitationEvent] = []
        self.warnings: list[WarningBlockEvent] = []
        self.nearest_pages: list[PageRegion] = []
        self._title_of = title_of
        self.dangers = QVBoxLayout()
        self.dangers.setSpacing(Space.S)
        self.below = QVBoxLayout()
        self.below.setSpacing(Space.S)
        self.sources = SourceCards()
        self.sources.opened.connect(self.citation_wanted)
        self.notes = CitedNotes()
        self.notes.opened.connect(self.note_wanted)
        self.notes.place_wanted.connect(lambda page: self.places_wanted.emit([page], 0))
        self.nearest = SourceList(
            self.tr("Nearest pages"),
            self.tr("Found near the question; none of them surely answers it."),
        )

    def add(self, block: QWidget) -> None:
        """Put something right below the answer."""
        self.below.addWidget(block)

    def add_citation(self, event: CitationEvent) -> None:
        """Add a source."""
        self.citations.append(event)
        self.sources.add(event, self._title_of(event.source))

    def add_note(self, event: NoteCitationEvent) -> None:
        """Add a cited note of the site."""
        self.notes.add(event, self._title_of)

    def add_warning(self, event: WarningBlockEvent) -> None:
        """Add a safety block: what can hurt above the answer, a note below it."""
        self.warnings.append(event)
        place = self.below if event.level == "NOTE" else self.dangers
        place.addWidget(SafetyBlock(event, lambda: self.places_wanted.emit([event.source], 0)))

    def add_clarification(self, event: ClarificationEvent) -> None:
        """Add what the agent asks back."""
        block = ClarificationBlock(event)
        block.chosen.connect(self.option_chosen)
        self.add(block)

    def add_notice(self, event: ErrorEvent) -> None:
        """Say what went wrong on the way."""
        text = f"{told(event.message)} {told(event.suggestion)}".strip()
        self.add(label(text, factor=Type.SMALL, tone="attention", wrap=True))

    def add_nearest(self, event: NearestPageEvent) -> None:
        """Add a page that is near the question."""
        place = len(self.nearest_pages)
        self.nearest_pages.append(event.source)
        self.nearest.add(
            SourceRow(
                "",
                self._title_of(event.source),
                event.source,
                event.snippet,
                lambda: self.places_wanted.emit(list(self.nearest_pages), place),
            )
        )
