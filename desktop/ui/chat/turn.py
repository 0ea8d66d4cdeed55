"""One question with everything that came back for it, growing while events arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout

from desktop.core.events import (
    ANSWERED,
    CitationEvent,
    ClarificationEvent,
    CompleteEvent,
    ConfidenceEvent,
    ErrorEvent,
    Event,
    NearestPageEvent,
    NoteCitationEvent,
    PageRegion,
    RevisionEvent,
    StatusEvent,
    TokenEvent,
    WarningBlockEvent,
)
from desktop.core.revised_text import RevisedText
from desktop.ui.chat.answer_text import answer_html
from desktop.ui.chat.clarification_block import ClarificationBlock
from desktop.ui.chat.turn_copy import turn_text
from desktop.ui.chat.turn_endings import failure, interruption
from desktop.ui.chat.turn_footer import TurnFooter
from desktop.ui.chat.turn_parts import SafetyBlock, SourceList, SourceRow
from desktop.ui.controls import label
from desktop.ui.notes.cited_notes import CitedNotes
from desktop.ui.safe_browser import SafeBrowser
from desktop.ui.theme import colours, scaled_font
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.core.trace.reasoning_trace import ReasoningTrace

REDRAW_MS = 30
"""Tokens are gathered this long before the answer is laid out again."""


class Turn(QFrame):
    """Draws the events of one question.

    places_wanted(regions, current): open these pages, the current one first.
    ask_again(): the same question once more. trace_wanted(): show how it was answered.
    hand_on_wanted(way): the answer as a "report" or an "email". option_chosen(text): of what was
    asked back, the next question. wrong_wanted(): a person says that the answer is wrong.
    note_wanted(event): read the note that this event cites.

    trace: how the answer was reached, once that is known. turn_id: of the stored turn whose
    trace is still to be read.
    """

    places_wanted = Signal(object, int)
    ask_again = Signal()
    trace_wanted = Signal()
    hand_on_wanted = Signal(str)
    option_chosen = Signal(str)
    wrong_wanted = Signal()
    note_wanted = Signal(object)

    def __init__(self, question: str, title_of: Callable[[PageRegion], str]) -> None:
        super().__init__()
        self.question = question
        self.trace: ReasoningTrace | None = None
        self.turn_id: int | None = None
        self._written = RevisedText()
        self.outcome = ""
        self.events: list[Event] = []
        self.citations: list[CitationEvent] = []
        self.warnings: list[WarningBlockEvent] = []
        self._nearest: list[PageRegion] = []
        self._fatal: ErrorEvent | None = None
        self._title_of = title_of
        self._build()
        self._redraw = QTimer(self)
        self._redraw.setSingleShot(True)
        self._redraw.setInterval(REDRAW_MS)
        self._redraw.timeout.connect(self._draw_answer)

    @property
    def text(self) -> str:
        """The answer as it stands: withdrawn sentences are not in it."""
        return self._written.text

    @property
    def running(self) -> bool:
        return not self.outcome

    def take(self, event: Event) -> None:
        """Show one event; those of the trace are for the trace panel."""
        self.events.append(event)
        match event:
            case TokenEvent():
                self._written.take(event)
                self._status.hide()
                self._redraw_soon()
            case RevisionEvent():
                self._written.take(event)
                self._redraw_soon()
            case StatusEvent():
                self._status.setText(event.message)
            case CitationEvent():
                self._add_citation(event)
            case NoteCitationEvent():
                self.notes.add(event, self._title_of)
                self._redraw_soon()
            case WarningBlockEvent():
                self._add_warning(event)
            case NearestPageEvent():
                self._add_nearest(event)
            case ConfidenceEvent():
                self._footer.set_confidence(event)
            case ClarificationEvent():
                self._add_clarification(event)
            case ErrorEvent():
                self._fatal = None if event.recoverable else event
                if event.recoverable and not event.tool:  # the answer goes on another way
                    self._add_notice(event)
            case CompleteEvent():
                self._complete(event)
            case _:
                pass

    def replay(self, events: Iterable[Event], outcome: str) -> None:
        """Show a question of the library; `outcome` if its last event never came."""
        for event in events:
            self.take(event)
        self.end(outcome)

    def end(self, outcome: str) -> None:
        """End a run that could not say so itself: superseded, or broken off."""
        if self.running:
            self._finish(outcome)

    def copy(self) -> None:
        """Put the answer with its sources on the clipboard."""
        QApplication.clipboard().setText(turn_text(self, self._title_of))

    def show_citation(self, number: int) -> None:
        """Ask for the pages of all citations, beginning at this one, or for the cited note."""
        if self.notes.open(number):
            return
        numbers = [each.number for each in self.citations]
        if number in numbers:
            places = [each.source for each in self.citations]
            self.places_wanted.emit(places, numbers.index(number))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_redraw"):
            self._redraw.start()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(
            label(self.question, factor=Type.BODY, bold=True, wrap=True, selectable=True)
        )
        self._status = label(self.tr("Thinking"), tone="muted", wrap=True)
        self._verdict = label("", factor=Type.LEAD, bold=True, tone="attention", wrap=True)
        self._verdict.hide()
        self.answer = SafeBrowser()
        self.answer.setProperty("kind", "answer")
        self.answer.setFont(scaled_font(Type.LEAD))
        self.answer.setAccessibleName(self.tr("Answer"))
        self.answer.citation_clicked.connect(self.show_citation)
        self.answer.hide()
        self._blocks = QVBoxLayout()
        self._blocks.setSpacing(Space.S)
        self.sources = SourceList(self.tr("Sources"))
        self.notes = CitedNotes()
        self.notes.opened.connect(self.note_wanted)
        self.notes.place_wanted.connect(lambda page: self.places_wanted.emit([page], 0))
        self.nearest = SourceList(
            self.tr("Nearest pages: not an answer"),
            self.tr("They share words with the question, but do not answer it."),
        )
        self._dangers = QVBoxLayout()
        self._dangers.setSpacing(Space.S)
        column.addWidget(self._status)
        column.addWidget(self._verdict)
        column.addLayout(self._dangers)
        column.addWidget(self.answer)
        column.addLayout(self._blocks)
        column.addWidget(self.sources)
        column.addWidget(self.notes)
        column.addWidget(self.nearest)
        self._footer = TurnFooter()
        self._footer.copy_wanted.connect(self.copy)
        self._footer.trace_wanted.connect(self.trace_wanted)
        self._footer.hand_on_wanted.connect(self.hand_on_wanted)
        self._footer.wrong_wanted.connect(self.wrong_wanted)
        column.addWidget(self._footer)

    def _redraw_soon(self) -> None:
        if not self._redraw.isActive():
            self._redraw.start()

    def _draw_answer(self) -> None:
        pieces = self._written.pieces
        if any(piece.text.strip() for piece in pieces):
            self.answer.show()
            numbers = {each.number for each in self.citations}
            noted = {each.number for each in self.notes.events}
            self.answer.setHtml(answer_html(pieces, numbers, colours(), noted))

    def _add_citation(self, event: CitationEvent) -> None:
        before = self.citations[-1].source if self.citations else None
        self.citations.append(event)
        self._redraw_soon()
        mark = f"[{event.number}]"
        # an answer that is the quote itself need not show it twice
        quote = "" if _plain(event.quote) in _plain(self.text) else event.quote
        same_page = before is not None and (before.document_id, before.page) == (
            event.source.document_id,
            event.source.page,
        )
        if same_page and not quote:
            self.sources.rows[-1].button.add_mark(mark)
            return
        self.sources.add(
            SourceRow(
                mark,
                self._title_of(event.source),
                event.source,
                quote,
                lambda: self.show_citation(event.number),
            )
        )

    def _add_warning(self, event: WarningBlockEvent) -> None:
        self.warnings.append(event)
        # what can hurt is read before the first step; a note may wait
        place = self._blocks if event.level == "NOTE" else self._dangers
        place.addWidget(SafetyBlock(event, lambda: self.places_wanted.emit([event.source], 0)))

    def _add_clarification(self, event: ClarificationEvent) -> None:
        block = ClarificationBlock(event.question, event.options)
        block.chosen.connect(self.option_chosen)
        self._blocks.addWidget(block)

    def _add_notice(self, event: ErrorEvent) -> None:
        text = f"{event.message} {event.suggestion}".strip()
        self._blocks.addWidget(label(text, factor=Type.SMALL, tone="attention", wrap=True))

    def _add_nearest(self, event: NearestPageEvent) -> None:
        place = len(self._nearest)
        self._nearest.append(event.source)
        self.nearest.add(
            SourceRow(
                "",
                self._title_of(event.source),
                event.source,
                event.snippet,
                lambda: self.places_wanted.emit(list(self._nearest), place),
            )
        )

    def _complete(self, event: CompleteEvent) -> None:
        self._footer.set_time(event.milliseconds)
        self._finish(event.outcome)
        if event.missing:
            self._status.setText(" ".join(event.missing))
            self._status.show()

    def _finish(self, outcome: str) -> None:
        self.outcome = outcome
        self._redraw.stop()
        self._draw_answer()
        self._status.hide()
        match outcome:
            case "not_found":
                # the answer's own sentence says it: shown as the verdict, not below one
                self._show_verdict(self.text.strip() or self.tr("Not in your manuals"))
                self.answer.hide()
            case "cancelled":
                self._status.setText(self.tr("Stopped."))
                self._status.show()
            case "failed":
                self._add_problem()
            case "interrupted":
                self._blocks.addWidget(interruption(self.ask_again.emit))
            case "impossible" if self._fatal is not None:
                self._add_problem()
            case _:
                pass
        if self.events:
            self._footer.finish(answered=outcome in ANSWERED)

    def _show_verdict(self, text: str) -> None:
        self._verdict.setText(text)
        self._verdict.show()

    def _add_problem(self) -> None:
        self._blocks.addWidget(failure(self._fatal, self.ask_again.emit))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
