"""A research report: its text, what was compared, and its sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QWidget

from desktop.core.events import CitationEvent, PageRegion, RevisedText, TokenEvent
from desktop.ui.chat.answer_view import AnswerView
from desktop.ui.chat.citations import CropButton
from desktop.ui.chat.research import Compared, ReportFacts, mode_of, report_facts
from desktop.ui.chat.turn_parts import SafetyBlock, SourceRow
from desktop.ui.design.controls import (
    FlowLayout,
    fill,
    in_column,
    in_row,
    label,
    painted_as,
    push_button,
)
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import told
from desktop.ui.viewer.overlays import numbered

if TYPE_CHECKING:
    from desktop.ui.chat.turn import Turn
    from desktop.ui.viewer.page_pictures import PagePictures


BULLET = "- "
_LIKE_MARKS = str.maketrans("[]", "()")
"""The report writes brackets of a statement so: they would be taken for a citation's."""


def divide_report(text: str, compared: Sequence[Compared]) -> tuple[str, list[str]]:
    """Return the report without its comparison lines, and the line of each comparison.

    A comparison that is not in the report has "". A heading goes with the lines below
    it.
    """
    lines = text.split("\n")
    taken: dict[int, int] = {}
    for number, each in enumerate(compared):
        found = (
            at for at, line in enumerate(lines) if at not in taken.values() and _says(line, each)
        )
        at = next(found, None)
        if at is not None:
            taken[number] = at
    said = [
        lines[taken[n]].removeprefix(BULLET) if n in taken else "" for n in range(len(compared))
    ]
    gone = set(taken.values())
    kept = [
        line for at, line in enumerate(lines) if at not in gone and not _heads_only(lines, at, gone)
    ]
    return "\n".join(kept).strip(), said


def _says(line: str, compared: Compared) -> bool:
    return line.startswith(BULLET) and all(
        each.translate(_LIKE_MARKS).rstrip(" .") in line for each in (compared.site, compared.maker)
    )


def _heads_only(lines: Sequence[str], at: int, gone: set[int]) -> bool:
    """Whether everything below a line, down to the next one that is not a bullet, is gone."""
    if lines[at].startswith(BULLET) or not lines[at].strip():
        return False
    below = (n for n in range(at + 1, len(lines)) if lines[n].strip())
    headed = set(takewhile(lambda n: lines[n].startswith(BULLET), below))
    return bool(headed) and headed <= gone


WIDEST = 760
"""Pixels of the report at most: longer lines are hard to read."""


class ReportView(QWidget):
    """Stays as it is when its conversation is left.

    places_wanted(places, current), note_wanted(event), hand_on_wanted(way): as of a `Turn`.
    """

    places_wanted = Signal(object, int)
    note_wanted = Signal(object)
    hand_on_wanted = Signal(str)

    def __init__(
        self, turn: Turn, title_of: Callable[[PageRegion], str], pictures: PagePictures | None
    ) -> None:
        super().__init__()
        painted_as(self, "panel")
        self.setAccessibleName(self.tr("Research report"))
        self.question = turn.question
        self._citations = tuple(turn.citations)
        self._notes = tuple(turn.notes.events)
        self._is_doubted = turn.answer.is_doubted
        self._title_of, self._pictures = title_of, pictures
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setAccessibleName(self.tr("Research report"))
        page = QWidget()
        painted_as(page, "panel")
        report = QWidget()
        report.setMaximumWidth(WIDEST)
        row = in_row(page)
        row.addStretch(1)
        row.addWidget(report, WIDEST)
        row.addStretch(1)
        self._fill(report, turn)
        area.setWidget(page)
        in_column(self).addWidget(area)
        self.setFocusProxy(area)
        within = Qt.ShortcutContext.WidgetWithChildrenShortcut
        printing = QShortcut(QKeySequence.StandardKey.Print, self, context=within)
        printing.activated.connect(self.buttons["print_report"].click)

    def show_citation(self, number: int) -> None:
        """Ask for the pages of all citations, beginning at this one, or for the cited note."""
        note = next((each for each in self._notes if each.number == number), None)
        numbers = [each.number for each in self._citations]
        if note is not None:
            self.note_wanted.emit(note)
        elif number in numbers:
            places = numbered([each.source for each in self._citations], numbers)
            self.places_wanted.emit(places, numbers.index(number))

    def _fill(self, report: QWidget, turn: Turn) -> None:
        column = in_column(report, (Space.XL, Space.XL, Space.XL, Space.XL), spacing=Space.M)
        facts = report_facts(turn.events)
        title = label(turn.question, factor=Type.TITLE, bold=True, wrap=True, selectable=True)
        fill(column, title, label(self._byline(facts), tone="muted", wrap=True))
        fill(column, self._build_tools(), Space.XS)
        for block in turn.warnings:
            show = partial(self.places_wanted.emit, [block.source], 0)
            column.addWidget(SafetyBlock(block, show, whole=True))
        rest, lines = divide_report(RevisedText(turn.events).text, facts.compared)
        self.text = self._add_text(column, rest)
        said = dict(zip(facts.compared, lines, strict=True))
        for agrees, heading in ((False, self.tr("Contradictions")), (True, self.tr("Agreements"))):
            found = [each for each in facts.compared if each.agrees is agrees]
            if found:
                fill(column, Space.S, label(heading, factor=Type.LEAD, bold=True))
            for each in found:
                column.addWidget(self._comparison(each, said[each]))
        if self._citations:
            fill(column, Space.S, label(self.tr("Sources"), factor=Type.LEAD, bold=True))
        for citation in self._citations:
            column.addWidget(self._source(citation))
        column.addStretch(1)

    def _build_tools(self) -> QWidget:
        tools = QWidget()
        self.buttons = {
            "print_report": push_button(self.tr("Print…"), name="printer"),
            "report": push_button(self.tr("Save…"), name="file-down"),
            "job_sheet": push_button(self.tr("Job sheet"), name="clipboard-list"),
        }
        row = FlowLayout(tools)
        for way, button in self.buttons.items():
            button.clicked.connect(lambda _=False, way=way: self.hand_on_wanted.emit(way))
            row.addWidget(button)
        return tools

    def _add_text(self, column: QBoxLayout, text: str) -> AnswerView:
        """Add a text as it stands in an answer, with chips and cards."""
        view = AnswerView(self._title_of, wide=True)
        column.addWidget(view)  # first: without a parent it would be shown as a window
        view.cited = {each.number: each for each in self._citations}
        view.noted = {each.number for each in self._notes}
        view.pictures, view.is_doubted, view.running = self._pictures, self._is_doubted, False
        view.citation_clicked.connect(self.show_citation)
        view.take(TokenEvent(text))
        view.draw()
        return view

    def _byline(self, facts: ReportFacts) -> str:
        parts = [mode_of(facts.mode).name] if facts.mode else []
        rounds = self.tr("1 round") if facts.rounds == 1 else self.tr("{n} rounds")
        parts.append(rounds.format(n=facts.rounds))
        cited = self.tr("{n} of {m} sources cited")
        parts.append(cited.format(n=len(facts.sources), m=facts.read))
        if facts.confidence:
            words = {"High": self.tr("high"), "Medium": self.tr("medium"), "Low": self.tr("low")}
            word = words.get(facts.confidence, facts.confidence)
            parts.append(self.tr("confidence: {word}").format(word=word))
        if facts.status in ("timed_out", "failed", "cancelled"):
            parts.append(self.tr("ended early: what was found so far"))
        return " · ".join(parts)

    def _comparison(self, found: Compared, line: str) -> QFrame:
        """line: the report's, with its citations; "" if it has none for this comparison."""
        card = QFrame()
        card.setProperty("role", "card")
        column = in_column(card, (Space.M, Space.S, Space.M, Space.S), spacing=Space.XS)
        tone = "good" if found.agrees else "bad"
        verdict = self.tr("They agree.") if found.agrees else self.tr("They contradict each other.")
        column.addWidget(label(verdict, factor=Type.SMALL, bold=True, tone=tone))
        if line:
            self._add_text(column, line)
        else:
            site = self.tr("Site notes say: {text}").format(text=found.site)
            maker = self.tr("The manual says: {text}").format(text=found.maker)
            for line_of in (site, maker):
                column.addWidget(label(line_of, wrap=True, selectable=True))
        if found.reason:
            column.addWidget(label(told(found.reason), factor=Type.SMALL, tone="muted", wrap=True))
        return card

    def _source(self, citation: CitationEvent) -> QWidget:
        """Return the page of a citation; with its words and picture, unless a card shows them."""
        source, title = citation.source, self._title_of(citation.source)
        carded = any(citation in card.quoted.citations for card in self.text.cards)
        show = partial(self.show_citation, citation.number)
        if carded:
            return SourceRow("", title, source, "", show)
        whole = QWidget()
        crop = CropButton(source, title, self._pictures, wide=True)
        crop.clicked.connect(show)
        fill(in_column(whole), SourceRow("", title, source, citation.quote, show), crop)
        return whole
