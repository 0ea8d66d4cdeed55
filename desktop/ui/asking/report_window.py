"""A research report in its own window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QPixmap, QShortcut
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from desktop.core.answering.quoted_lines import with_rows
from desktop.core.events import CitationEvent, PageRegion, RevisedText, TextPiece
from desktop.ui import wording
from desktop.ui.chat.answer_text import SafeBrowser, answer_html
from desktop.ui.chat.research import Compared, ReportFacts, mode_of, report_facts
from desktop.ui.chat.turn_parts import SafetyBlock, SourceRow
from desktop.ui.design.controls import Keys, in_column, in_row, label, painted_as, push_button
from desktop.ui.design.theme import colours, scaled_font
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import told
from desktop.ui.viewer.page_pictures import PagePictures, Wish

if TYPE_CHECKING:
    from desktop.ui.chat.turn import Turn


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


SIZE = (760, 860)
PICTURE = 640


class ReportWindow(QWidget):
    """place_wanted(number): show what this citation cites. hand_on_wanted(way): see `Turn`."""

    place_wanted = Signal(int)
    hand_on_wanted = Signal(str)

    def __init__(
        self,
        owner: QWidget,
        turn: Turn,
        title_of: Callable[[PageRegion], str],
        pictures: PagePictures | None,
    ) -> None:
        super().__init__(owner, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        painted_as(self, "panel")
        self.setWindowTitle(self.tr("Research report"))
        self.resize(QSize(*SIZE))
        self._turn = turn
        self._browsers: list[tuple[SafeBrowser, list[TextPiece]]] = []
        self._title_of, self._pictures = title_of, pictures
        self._waiting: dict[Wish, QLabel] = {}
        QShortcut(QKeySequence.StandardKey.Close, self, self.close)
        Keys(self, {(Qt.Key.Key_Escape,): self.close})
        column = in_column(self)
        column.addWidget(self._build_tools())
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(self.tr("Research report"))
        area.setWidget(self._build_report(turn))
        column.addWidget(area, 1)
        if pictures is not None:
            pictures.drawn.connect(self._take)
            for wish in list(self._waiting):
                pictures.wish(wish)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for browser, pieces in getattr(self, "_browsers", ()):
                browser.setHtml(self._html(pieces))  # its chips have colours of their own

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._pictures is not None:
            self._pictures.drawn.disconnect(self._take)
            self._pictures = None
        super().closeEvent(event)

    def _build_tools(self) -> QFrame:
        bar = QFrame()
        bar.setProperty("role", "header")
        row = in_row(bar, (Space.L, Space.S, Space.L, Space.S), spacing=Space.S)
        row.addWidget(label(self.tr("Research report"), bold=True))
        row.addStretch(1)
        self.buttons = {
            "print_report": push_button(self.tr("Print…"), name="printer"),
            "report": push_button(self.tr("Save…"), name="file-down"),
            "job_sheet": push_button(self.tr("Job sheet"), name="clipboard-list"),
        }
        for way, button in self.buttons.items():
            button.clicked.connect(lambda _=False, way=way: self.hand_on_wanted.emit(way))
            row.addWidget(button)
        return bar

    def _build_report(self, turn: Turn) -> QWidget:
        page = QWidget()
        painted_as(page, "panel")
        column = in_column(page, (Space.XL, Space.L, Space.XL, Space.XL), spacing=Space.M)
        facts = report_facts(turn.events)
        column.addWidget(
            label(turn.question, factor=Type.TITLE, bold=True, wrap=True, selectable=True)
        )
        column.addWidget(label(self._byline(facts), tone="muted", wrap=True))
        for block in turn.warnings:
            column.addWidget(SafetyBlock(block, lambda: None, whole=True))
        rest, lines = divide_report(RevisedText(turn.events).text, facts.compared)
        pieces = [TextPiece(with_rows(rest, turn.citations, tables=True))]
        said = dict(zip(facts.compared, lines, strict=True))
        self.text = self._browser(pieces, Type.LEAD)
        self.text.setAccessibleName(self.tr("Text of the report"))
        self.text.setVisible(any(piece.text.strip() for piece in pieces))
        column.addWidget(self.text)
        for agrees, heading in ((False, self.tr("Contradictions")), (True, self.tr("Agreements"))):
            found = [each for each in facts.compared if each.agrees is agrees]
            if found:
                column.addWidget(label(heading, factor=Type.LEAD, bold=True))
            for each in found:
                column.addWidget(self._comparison(each, said[each]))
        if turn.citations:
            column.addWidget(label(self.tr("Sources"), factor=Type.LEAD, bold=True))
        for citation in turn.citations:
            column.addWidget(self._source(citation))
        column.addStretch(1)
        return page

    def _browser(self, pieces: list[TextPiece], factor: float) -> SafeBrowser:
        text = SafeBrowser()
        text.setProperty("kind", "answer")
        text.setFont(scaled_font(factor))
        text.citation_clicked.connect(self.place_wanted)
        text.setHtml(self._html(pieces))
        self._browsers.append((text, pieces))
        return text

    def _html(self, pieces: list[TextPiece]) -> str:
        answer = self._turn.answer
        # its sources below are numbered
        marks = {number: f"[{number}]" for number in answer.cited}
        return answer_html(pieces, marks, colours(), answer.noted)

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
            text = self._browser([TextPiece(line)], Type.BODY)
            text.setAccessibleName(verdict)
            column.addWidget(text)
        else:
            site = self.tr("Site notes say: {text}").format(text=found.site)
            maker = self.tr("The manual says: {text}").format(text=found.maker)
            for line_of in (site, maker):
                column.addWidget(label(line_of, wrap=True, selectable=True))
        if found.reason:
            column.addWidget(label(told(found.reason), factor=Type.SMALL, tone="muted", wrap=True))
        return card

    def _source(self, citation: CitationEvent) -> QWidget:
        whole = QWidget()
        column = in_column(whole, (0, 0, 0, Space.S), spacing=Space.XS)
        source = citation.source
        number = citation.number
        row = SourceRow(
            f"[{number}]",
            self._title_of(source),
            source,
            citation.quote,
            lambda: self.place_wanted.emit(number),
        )
        column.addWidget(row)
        picture = label()
        picture.setProperty("role", "card")
        picture.setAccessibleName(
            self.tr("The cited part of {page}").format(
                page=wording.page_label(source.label, source.page)
            )
        )
        picture.hide()
        column.addWidget(picture, 0, Qt.AlignmentFlag.AlignLeft)
        wish = Wish(source, "part", round(PICTURE * self.devicePixelRatioF()))
        self._waiting[wish] = picture
        return whole

    def _take(self, wish: Wish, pixmap: QPixmap | None) -> None:
        picture = self._waiting.get(wish)
        if picture is None or pixmap is None:
            return
        shown = QPixmap(pixmap)
        shown.setDevicePixelRatio(self.devicePixelRatioF())
        picture.setPixmap(shown)
        picture.show()
