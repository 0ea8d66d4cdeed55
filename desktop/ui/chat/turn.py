"""One question with everything that came back for it, growing while events arrive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from desktop.core.answering.answer import read_with_told
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
    ResearchProgressEvent,
    ResearchProposalEvent,
    ResultEvent,
    RevisionEvent,
    StatusEvent,
    TokenEvent,
    WarningBlockEvent,
)
from desktop.core.question.languages import language_in
from desktop.ui import wording
from desktop.ui.chat.answer_text import answer_for_copying
from desktop.ui.chat.answer_view import AnswerView, Skeleton
from desktop.ui.chat.citations import CitedNotes, SourceCards
from desktop.ui.chat.offered_questions import ClarificationBlock, SuggestionBlock
from desktop.ui.chat.research import ResearchPart, research_mode
from desktop.ui.chat.turn_parts import (
    NearCard,
    NearLines,
    ProblemBlock,
    ReasoningLine,
    SafetyBlock,
    SurenessLine,
    TurnFooter,
)
from desktop.ui.design.controls import fill, flat_button, in_column, in_row, label, push_button
from desktop.ui.design.icons import icon
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import told
from desktop.ui.viewer.overlays import numbered

if TYPE_CHECKING:
    from desktop.core.structure.values import PhotoText
    from desktop.core.trace.reasoning_trace import ReasoningTrace
    from desktop.ui.viewer.page_pictures import PagePictures


MOST_NAMED = 3
"""Of the manuals that were searched without finding the answer; more are only counted."""
SHORT = 140
"""Letters that are shown of a long question until it is unfolded."""


class QuestionHead(QWidget):
    """The question above its answer; a long one is folded."""

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question
        self.text = label("", factor=Type.BODY, tone="muted", wrap=True, selectable=True)
        self.text.setAccessibleName(question)
        self.edit_button = flat_button("pen-line", self.tr("Edit the question and ask again"))
        self.fold_button = flat_button("chevron-down", self.tr("Show the whole question"))
        self.fold_button.setCheckable(True)
        self.fold_button.toggled.connect(self._show)
        self.fold_button.setVisible(len(question) > SHORT)
        self.setProperty("role", "bar")  # small buttons: the question is no heading
        for button in (self.fold_button, self.edit_button):
            button.setMinimumSize(Size.ROW, Size.ROW)
        row = in_row(self, spacing=Space.XS)
        row.addWidget(self.text, 1)
        row.addWidget(self.fold_button, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.edit_button, 0, Qt.AlignmentFlag.AlignTop)
        self._show(False)

    def _show(self, whole: bool) -> None:
        shown = self._question
        if not whole and len(shown) > SHORT:
            shown = " ".join(shown[:SHORT].split()).rsplit(" ", 1)[0] + " …"
        self.text.setText(shown)
        self.fold_button.setIcon(icon("chevron-up" if whole else "chevron-down"))


class AskedOtherwise(QWidget):
    """How a question was read, and a way to ask it otherwise; hidden until there is one."""

    def __init__(self, action: str) -> None:
        super().__init__()
        self.text = label("", factor=Type.SMALL, tone="muted", wrap=True)
        self.button = push_button(action, kind="row")
        self.button.setProperty("dense", True)
        column = in_column(self)
        column.addWidget(self.text)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.hide()

    def say(self, text: str) -> None:
        """Show the sentence; nothing if it is empty."""
        self.text.setText(text)
        self.setVisible(bool(text))


class Turn(QFrame):
    """Draws the events of one question.

    places_wanted(regions, current): open these pages, the current one first.
    wanted(what): ask "again", "by_itself" or "edit" the question first; see the "reasoning" or the
    "open_report" of a research; hand the answer on as a "report", an "email" or a "job_sheet",
    "print" that or "print_report"; it was "helpful" or "wrong"; "add" manuals.
    option_chosen(prompt, ids): the next question, of these manuals, None for those that were
    asked. research_wanted(mode): research the question. citation_hovered(number): the pointer is
    over its mark; 0: over none. note_wanted(event): read the note that this event cites.

    trace: how the answer was reached, once that is known. turn_id: of the stored turn whose
    trace is still to be read. mode: of a research, "" for an ordinary question.
    region: the part of a page that is asked about, None for an ordinary question.
    photo: the picture that is asked about, as long as the turn is shown. by_itself: it is not
    read with the question before.
    unread: manuals that were still being read when it ended without a whole answer.
    document_ids: the manuals that were asked, empty for all; searched: their titles, empty where
    they are not known any more.
    """

    places_wanted = Signal(object, int)
    wanted = Signal(str)
    option_chosen = Signal(str, object)
    research_wanted = Signal(str)
    citation_hovered = Signal(int)
    note_wanted = Signal(object)

    def __init__(
        self,
        question: str,
        title_of: Callable[[PageRegion], str],
        mode: str = "",
        document_ids: frozenset[int] = frozenset(),
        searched: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self.question = question
        self.searched = tuple(searched)
        self.region: PageRegion | None = None
        self.photo: PhotoText | None = None
        self.by_itself = False
        self.unread: frozenset[int] = frozenset()
        self.mode = mode
        self.document_ids = document_ids
        self.trace: ReasoningTrace | None = None
        self.turn_id: int | None = None
        self.outcome = ""
        self.events: list[Event] = []
        self._fatal: ErrorEvent | None = None
        self._title_of = title_of
        self.citations: list[CitationEvent] = []
        self.warnings: list[WarningBlockEvent] = []
        self.nearest_pages: list[PageRegion] = []
        self.sources = SourceCards()
        self.notes = CitedNotes()
        self.nearest = NearLines()
        self.suggestions = SuggestionBlock(self.tr("Ask next"))
        self.answer = AnswerView(title_of)
        self.research = ResearchPart(self)  # goes with it, and what is connected to it
        self.reasoning = ReasoningLine()
        self.head = QuestionHead(question)
        self._sureness = SurenessLine()
        self._footer = TurnFooter()
        self._connect()
        self._build()

    @property
    def text(self) -> str:
        """The answer as it stands: withdrawn sentences are not in it."""
        return self.answer.written.text

    @property
    def running(self) -> bool:
        return not self.outcome

    def take(self, event: Event) -> None:
        """Show one event; trace events are for the trace panel."""
        self.events.append(event)
        match event:
            case TokenEvent():
                self.answer.take(event)
                self._status.hide()
                self.skeleton.hide()
            case RevisionEvent():
                self.answer.take(event)
            case StatusEvent():
                self._status.say(told(event.message))
            case CitationEvent():
                self.answer.cited[event.number] = event
                self.citations.append(event)
                self.sources.add(event, self._title_of(event.source))
                self.answer.draw_soon()
            case NoteCitationEvent():
                self.answer.noted.add(event.number)
                self.notes.add(event, self._title_of, self.text)
                self.answer.draw_soon()
            case WarningBlockEvent():
                self._add_warning(event)
            case NearestPageEvent():
                self._add_nearest(event)
            case ConfidenceEvent():
                self._show_sureness(event)
            case ClarificationEvent():
                options = ClarificationBlock(event)
                options.chosen.connect(self.option_chosen)
                self._below.addWidget(options)
            case ErrorEvent():
                self._fatal = None if event.recoverable else event
                if event.recoverable and not event.tool:  # the answer goes on another way
                    self._add_notice(event)
            case ResearchProgressEvent() | ResearchProposalEvent() | ResultEvent():
                self.research.take(event)
            case CompleteEvent():
                self._complete(event)

    def replay(self, events: Iterable[Event], outcome: str) -> None:
        """Show a question from the library; `outcome` if its last event never came."""
        for event in events:
            self.take(event)
        self.mode = self.mode or research_mode(self.events)
        self.end(outcome)

    def end(self, outcome: str) -> None:
        """End a run that could not report its own end: superseded, or broken off."""
        if self.running:
            self._finish(outcome)

    def copy(self) -> None:
        """Put the answer with its sources on the clipboard."""

        def titled(source: PageRegion) -> PageRegion:
            return replace(source, document=self._title_of(source))

        def is_shown(event: CitationEvent | NoteCitationEvent) -> bool:
            return f"[{event.number}]" in self.text

        text = answer_for_copying(
            self.question,
            self.text,
            [replace(c, source=titled(c.source)) for c in self.citations if is_shown(c)],
            [replace(each, source=titled(each.source)) for each in self.warnings],
            list(filter(is_shown, self.notes.events)),
        )
        QApplication.clipboard().setText(text)

    def use_pictures(self, pictures: PagePictures | None) -> None:
        """Draw crops and covers with these."""
        self.answer.pictures = self.sources.pictures = pictures

    def light(self, number: int) -> None:
        """Highlight the marks of a citation pointed at on its page; 0: of none."""
        self.answer.light(number)
        self.sources.light(number)

    def show_citation(self, number: int) -> None:
        """Ask for the pages of all citations, beginning at this one, or for the cited note."""
        if self.notes.open(number):
            return
        numbers = [each.number for each in self.citations]
        if number in numbers:
            places = numbered([each.source for each in self.citations], numbers)
            self.places_wanted.emit(places, numbers.index(number))

    def show_first(self) -> bool:
        """Ask for the page of the first citation or nearest line; return whether there is one."""
        if self.citations and self.outcome in ANSWERED:
            self.show_citation(self.citations[0].number)
        elif self.nearest_pages and self.outcome == "not_found":
            self.places_wanted.emit(list(self.nearest_pages), 0)
        else:
            return False
        return True

    def offer_again(self) -> None:
        """What it found and was still to be read is read: it may answer."""
        self.unread = frozenset()
        self._read_by_now.say(self.tr("The pages still missing have been read."))

    def _connect(self) -> None:
        self.head.edit_button.clicked.connect(lambda: self.wanted.emit("edit"))
        self.reasoning.clicked.connect(lambda: self.wanted.emit("reasoning"))
        self.research.report_wanted.connect(lambda: self.wanted.emit("open_report"))
        self.research.research_wanted.connect(self.research_wanted)
        self._footer.copy_button.clicked.connect(self.copy)
        self._footer.wanted.connect(self.wanted)
        self.answer.citation_clicked.connect(self.show_citation)
        self.suggestions.chosen.connect(self.option_chosen)
        self.sources.opened.connect(self.show_citation)
        self.notes.opened.connect(self.note_wanted)
        self.notes.place_wanted.connect(lambda page: self.places_wanted.emit([page], 0))
        for hovered in (self.answer.card_hovered, self.answer.chip_hovered, self.sources.hovered):
            hovered.connect(self.citation_hovered)

    def _build(self) -> None:
        self._status = label(self.tr("Searching your manuals"), tone="muted", wrap=True)
        self.skeleton = Skeleton()
        self._verdict = label("", factor=Type.LEAD, bold=True, tone="attention", wrap=True)
        self._read_by_now = AskedOtherwise(self.tr("Ask again"))
        self._read_by_now.button.clicked.connect(lambda: self.wanted.emit("again"))
        self._read_with = AskedOtherwise(self.tr("Ask it by itself"))
        self._read_with.button.clicked.connect(lambda: self.wanted.emit("by_itself"))
        self._searched = label("", factor=Type.SMALL, tone="muted", wrap=True)
        self._where = label("", factor=Type.SMALL, tone="muted", wrap=True)
        self._missing = label("", factor=Type.SMALL, tone="attention", wrap=True, selectable=True)
        for later in (self._verdict, self._searched, self._where, self._missing):
            later.hide()
        self._dangers, self._below = in_column(spacing=Space.S), in_column(spacing=Space.S)
        # the scroll bar beside the answers is part of the inset
        room = (Space.INSET, Space.L, Space.INSET - Size.SCROLL_BAR, Space.L)
        self._column = in_column(self, room, spacing=Space.M)
        fill(
            self._column,
            self.head,
            self._read_with,
            self.research.progress,
            self._status,
            self.skeleton,
            self._verdict,
            self._searched,
            self._dangers,
            self.answer,
            self.nearest,
            self._where,
            self._missing,
            self._read_by_now,
            self._sureness,
            self._below,
            self.research.below,
            self.sources,
            self.notes,
            self.reasoning,
            self._footer,
            self.suggestions,
        )

    def _add_warning(self, event: WarningBlockEvent) -> None:
        """Add a safety block: hazards above the answer, a note below it."""
        self.warnings.append(event)
        place = self._below if event.level == "NOTE" else self._dangers
        place.addWidget(SafetyBlock(event, lambda: self.places_wanted.emit([event.source], 0)))

    def _add_notice(self, event: ErrorEvent) -> None:
        """Say what went wrong along the way."""
        text = f"{told(event.message)} {told(event.suggestion)}".strip()
        self._below.addWidget(label(text, factor=Type.SMALL, tone="attention", wrap=True))

    def _add_nearest(self, event: NearestPageEvent) -> None:
        place, source = len(self.nearest_pages), event.source
        self.nearest_pages.append(source)
        card = NearCard(source, self._title_of(source), event.snippet, self.answer.pictures)
        card.opened.connect(lambda: self.places_wanted.emit(list(self.nearest_pages), place))
        self.nearest.add(card)

    def _complete(self, event: CompleteEvent) -> None:
        self._finish(event.outcome)
        if event.outcome != "impossible":  # nothing was done of which there is anything to tell
            self.reasoning.finish(self.events, len(self.searched))
        if event.missing:
            self._missing.setText("\n".join(map(told, event.missing)))
            if self.answer.is_doubted:  # why it may be wrong is read before it
                self._above_answer(self._missing)
            self._missing.show()

    def _finish(self, outcome: str) -> None:
        self.outcome = outcome
        kept = self.research.reported and bool(self.text)
        self.answer.running = False
        self.answer.draw()
        self._status.hide()
        self.skeleton.hide()
        self.research.finish(self.question, outcome)
        match outcome:
            case "not_found":
                # the answer's own sentence is the verdict: it is not said below one again
                verdict, _, more = told(self.text).strip().partition(". ")
                if not verdict and self._fatal is not None:
                    more = told(self._fatal.message)
                self._show_verdict(
                    verdict.removesuffix(".") or self.tr("I did not find it"),
                    " ".join(filter(None, (more, self._other_language()))),
                )
                self.research.offer_more(self.mode)
                self.answer.hide()
                self.sources.hide()  # of what was quoted at first and taken back
            case "cancelled":
                found = self.tr("Stopped by you. Showing what was found so far.")
                self._status.say(found if kept else self.tr("Stopped by you."))
            case "interrupted":
                self._add_problem(
                    self.tr("The answer was interrupted"),
                    self.tr("Groundwork closed before it was finished."),
                )
            case "failed" if self._fatal is None:
                self._add_problem(
                    self.tr("The question could not be answered"), self.tr("Ask it again.")
                )
            case "failed" | "impossible" if self._fatal is not None:
                self._add_problem(told(self._fatal.message), told(self._fatal.suggestion))
            case "impossible" if not self.searched and self.turn_id is None:
                add = push_button(self.tr("Add manuals…"), lambda: self.wanted.emit("add"))
                self._below.addWidget(add, 0, Qt.AlignmentFlag.AlignLeft)
            case "answered" if self._fatal is not None:  # it ended early, with what there was
                self._add_notice(self._fatal)
        if self.events:
            answered = outcome in ANSWERED or kept
            if outcome != "failed":  # nothing to be wrong; asking again stands in the problem
                self._footer.finish(answered=answered, searched=outcome != "impossible")
            self._sureness.setVisible(answered and bool(self._sureness.text.text()))

    def _searched_where(self) -> str:
        """Return what was searched, in a sentence; "" if that is no longer known."""
        if not self.searched:
            return ""
        if len(self.searched) > MOST_NAMED:
            named = wording.manuals(len(self.searched))
        else:
            named = "; ".join(self.searched)
        return self.tr("Searched: {manuals}.").format(manuals=named)

    def _other_language(self) -> str:
        """Return what to try if a manual near the question is not in its language."""
        asked = language_in(self.question)
        near: dict[str, list[str]] = {}
        for each in self.events:
            if isinstance(each, NearestPageEvent):
                near.setdefault(self._title_of(each.source), []).append(each.snippet)
        for manual, snippets in near.items():
            found = language_in(" ".join(snippets))
            if asked and found == "de" != asked:
                text = self.tr("“{manual}” is in German: ask in German, too.")
                return text.format(manual=manual)
            if asked and found == "en" != asked:
                text = self.tr("“{manual}” is in English: ask in English, too.")
                return text.format(manual=manual)
        return ""

    def _show_sureness(self, event: ConfidenceEvent) -> None:
        if not self.citations and self.notes.rows:
            return  # there is no page to confirm it on
        self._sureness.show_confidence(event, [each.source for each in self.citations])
        self._read_with.say(told(read_with_told(event.read_with)))
        if event.sureness in ("check", "differs"):  # said before what may be wrong is read
            self._above_answer(self._sureness)
        if event.sureness == "check":
            self.answer.doubt()

    def _above_answer(self, part: QWidget) -> None:
        self._column.removeWidget(part)
        self._column.insertWidget(self._column.indexOf(self.answer), part)

    def _show_verdict(self, text: str, searched: str) -> None:
        self._verdict.say(text)
        self._searched.say(searched)
        self._where.say(self._searched_where())

    def _add_problem(self, title: str, advice: str) -> None:
        again = self.tr("Ask again")
        problem = ProblemBlock(title, advice, again, lambda: self.wanted.emit("again"))
        self._below.addWidget(problem)
