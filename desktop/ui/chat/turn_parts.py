"""The blocks of an answer: warnings, near pages, problems, suggestions, and what is below it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from desktop.core.answering.answer import sureness_told
from desktop.core.events import (
    CompleteEvent,
    ConfidenceEvent,
    Event,
    PageRegion,
    ResultEvent,
    WarningBlockEvent,
)
from desktop.core.structure.signs import cells_apart
from desktop.core.trace.reasoning_trace import ReasoningStage
from desktop.ui import wording
from desktop.ui.chat.citations import CropButton, PageChip
from desktop.ui.chat.research import report_facts
from desktop.ui.design.controls import (
    FlowLayout,
    PressButton,
    as_tall_as_its_bar,
    cut_to_lines,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    plain_tooltip,
    push_button,
    set_tone,
)
from desktop.ui.design.icons import IconPicture, icon
from desktop.ui.design.popups import menu_of
from desktop.ui.design.theme import scaled_font
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import told, tr
from desktop.ui.wording import signal_word

if TYPE_CHECKING:
    from desktop.ui.trace.timeline import Timeline
    from desktop.ui.viewer.page_pictures import PagePictures


LEVEL_ICONS = {
    "DANGER": "octagon-alert",
    "WARNING": "triangle-alert",
    "CAUTION": "triangle-alert",
    "NOTE": "info",
}


_SHORT = 2
"""Lines of a warning that are shown as they are: folding them would hide little."""


class FoldedText(QWidget):
    """The first line of a long text; a click on it shows the rest, and screen readers read all."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._whole = text
        self.text = label(text, wrap=True, selectable=True)
        self.text.setAccessibleName(text)
        self.text.installEventFilter(self)
        self.unfold = flat_button("chevron-down", tr("Show the whole warning"))
        self.unfold.setCheckable(True)
        self.unfold.toggled.connect(self._fit)
        row = in_row(self, (Space.M, 0, Space.XS, 0), spacing=Space.XS)
        row.addWidget(self.text, 1)
        row.addWidget(self.unfold, 0, Qt.AlignmentFlag.AlignTop)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._fit()
        elif event.type() is QEvent.Type.MouseButtonRelease and not self.text.hasSelectedText():
            self.unfold.setChecked(True)
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        words = " ".join(self._whole.split())
        font, width = self.text.font(), self.width() - 2 * Space.M
        is_short = " ".join(cut_to_lines(words, font, width, _SHORT).split()) == words
        self.unfold.setVisible(not is_short)
        opened = self.unfold.isChecked()
        self.unfold.setIcon(icon("chevron-up" if opened else "chevron-down"))
        line = cut_to_lines(words, font, width - self.unfold.sizeHint().width(), 1)
        self.text.setText(self._whole if is_short or opened else line)


class SafetyBlock(QFrame):
    """A DANGER, WARNING or CAUTION in its safety colour, with the manual's own words.

    A NOTE, where nobody can get hurt, is a line below the answer. whole: a long one is not folded.
    """

    def __init__(
        self, block: WarningBlockEvent, open_page: Callable[[], object], *, whole: bool = False
    ) -> None:
        super().__init__()
        self.setAccessibleName(f"{signal_word(block.level)}: {block.text}")
        if block.level == "NOTE":
            row = in_row(self, spacing=Space.S)
            icon = IconPicture(LEVEL_ICONS["NOTE"], Size.ICON - 2, "muted")
            words = label(block.text, factor=Type.SMALL, wrap=True, selectable=True)
            chip = PageChip(block.source, signal_word(block.level))
            chip.clicked.connect(open_page)
            row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(words, 1, Qt.AlignmentFlag.AlignVCenter)
            row.addWidget(chip, 0, Qt.AlignmentFlag.AlignTop)
        else:
            self._lay_out(block, open_page, whole=whole)

    def _lay_out(
        self, block: WarningBlockEvent, open_page: Callable[[], object], *, whole: bool
    ) -> None:
        column = in_column(self, (0, 0, 0, Space.S), spacing=Space.S)
        self.setProperty("level", block.level)
        band = QFrame()
        band.setProperty("role", "band")
        row = QHBoxLayout(band)
        row.setContentsMargins(Space.M, Space.XS, Space.XS, Space.XS)
        icon = IconPicture(LEVEL_ICONS[block.level], Size.ICON, f"{block.level.lower()}.ink")
        fill(row, icon, label(signal_word(block.level), bold=True))
        row.addStretch(1)
        page = push_button(wording.page_label(block.source.label, block.source.page))
        page.setMinimumHeight(Size.ROW)
        page.setAccessibleName(
            tr("Open the page with this {level}").format(level=signal_word(block.level).lower())
        )
        page.clicked.connect(open_page)
        row.addWidget(page)
        text = FoldedText(block.text)
        text.unfold.setChecked(whole)
        fill(column, band, text)


class SourceRow(QWidget):
    """One place in a manual: a chip that opens it, and the words found there."""

    def __init__(
        self, mark: str, title: str, source: PageRegion, quote: str, open_page: Callable[[], object]
    ) -> None:
        super().__init__()
        self.source = source
        self.button = PageChip(source, title)
        self.button.clicked.connect(open_page)
        head = in_row(spacing=Space.S)
        if mark:
            head.addWidget(label(mark, factor=Type.SMALL, bold=True))
        head.addWidget(self.button)
        self.title = label(title, factor=Type.SMALL, wrap=True)
        head.addWidget(self.title, 1)
        column = in_column(self, (0, 0, 0, Space.S))
        column.addLayout(head)
        if quote.strip():
            column.addWidget(_quote(quote))


class NearCard(QFrame):
    """A line that may answer, as large as an answer that is not sure. opened(): show its page."""

    opened = Signal()

    def __init__(
        self, source: PageRegion, title: str, line: str, pictures: PagePictures | None
    ) -> None:
        super().__init__()
        self.source = source
        self.setProperty("role", "quoted")
        self.title = label(title, factor=Type.SMALL, bold=True, tone="muted", wrap=True)
        self.chip = PageChip(source, title)
        self.chip.clicked.connect(self.opened)
        self.crop = CropButton(source, title, pictures)
        self.crop.clicked.connect(self.opened)
        words = label(wording.unbroken(cells_apart(line)), wrap=True, selectable=True)
        row = in_row(spacing=Space.M)
        row.addWidget(words, 1)
        row.addWidget(self.chip, 0, Qt.AlignmentFlag.AlignTop)
        column = in_column(self, (Space.L, Space.M, Space.L, Space.M), spacing=Space.S)
        fill(column, self.title, row, self.crop)


class NearLines(QWidget):
    """The lines nearest to a question, the nearest first; hidden while there are none."""

    def __init__(self) -> None:
        super().__init__()
        self._column = in_column(self, spacing=Space.M)
        self._column.addWidget(
            label(self.tr("The nearest lines:"), factor=Type.SMALL, bold=True, tone="muted")
        )
        self.cards: list[NearCard] = []
        self.setVisible(False)

    def add(self, card: NearCard) -> None:
        """Append a line; a manual is named once for all of its lines in a row."""
        if self.cards and self.cards[-1].source.document_id == card.source.document_id:
            card.title.hide()
        self.cards.append(card)
        self._column.addWidget(card)
        self.setVisible(True)


class ProblemBlock(QFrame):
    """What went wrong and what to do next, with a button that does it."""

    def __init__(
        self, title: str, advice: str, action: str, on_action: Callable[[], object]
    ) -> None:
        super().__init__()
        self.setProperty("role", "error")
        self.setAccessibleName(title)
        column = in_column(self, (Space.M, Space.M, Space.M, Space.M), spacing=Space.S)
        column.addWidget(label(title, bold=True, wrap=True, selectable=True))
        if advice:
            column.addWidget(label(advice, wrap=True, selectable=True))
        button = push_button(action, on_action, name="rotate-cw")
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)


class SurenessLine(QWidget):
    """How far an answer can be relied on, in words; hidden until that is known."""

    _SIGNS = {  # noqa: RUF012 - never changed
        "stated": ("circle-check", "good"),
        "likely": ("info", "muted"),
        "check": ("triangle-alert", "attention"),
        "differs": ("triangle-alert", "attention"),
    }

    def __init__(self) -> None:
        super().__init__()
        self._sign = IconPicture("info", Size.ICON - 2, "muted")
        self.text = label("", factor=Type.SMALL, tone="muted", wrap=True)
        row = in_row(self, spacing=Space.S)
        row.addWidget(self._sign)
        row.addWidget(self.text, 1)
        self.hide()

    def show_confidence(self, event: ConfidenceEvent, sources: Iterable[PageRegion] = ()) -> None:
        """Say how sure the answer is, and why in the tooltip. sources: where it quotes from."""
        self._sign.show_icon(*self._SIGNS[event.sureness])
        doubted = event.sureness in ("check", "differs")
        set_tone(self.text, "attention" if doubted else "muted")
        self.text.setText(told(sureness_told(event.sureness, sources)))
        self.text.setToolTip(plain_tooltip(told(event.reason)))
        self.text.setAccessibleDescription(told(event.reason))


def _quote(text: str) -> QLabel:
    said = wording.quoted(cells_apart(text))
    words = label(said, factor=Type.SMALL, tone="muted", wrap=True, selectable=True)
    words.setProperty("role", "quote")
    return words


class ReasoningLine(PressButton):
    """One line of how the answer was reached, which opens it. Hidden until the question is over."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "line")
        self.setMinimumHeight(Size.ROW)
        self.let_shrink()
        self.show_opened(False)
        self._events: tuple[Event, ...] = ()
        self._manuals = 0
        self.hide()

    def finish(self, events: Iterable[Event], manuals: int = 0) -> None:
        """Say what was done to reach the answer. manuals: how many were searched, 0 if unknown."""
        self._events = tuple(events)
        self._manuals = manuals
        self._say(checked=False)

    def show_timeline(self, timeline: Timeline) -> None:
        """Say that the answer was checked against its pages, if a step did."""
        if self._events:
            self._say(any(each.stage is ReasoningStage.VERIFICATION for each in timeline.steps))

    def show_opened(self, opened: bool) -> None:
        """Show whether its reasoning is open."""
        self._is_opened = opened
        self.setIcon(icon("chevron-down" if opened else "chevron-right", "muted"))
        self._name()

    def _name(self) -> None:
        said = tr("{summary}. Show the reasoning")
        if self._is_opened:
            said = tr("{summary}. Hide the reasoning")
        self.setAccessibleName(said.format(summary=self.text()))

    def _say(self, checked: bool) -> None:
        text = summary(self._events, self._manuals, checked=checked)
        self.setText(text)
        self._name()
        self.setVisible(bool(text))


def summary(events: Iterable[Event], manuals: int, *, checked: bool) -> str:
    """Return "Searched 2 manuals, read 8 pages, checked: 0.7 s". manuals: 0 if unknown."""
    events = list(events)
    pages: set[tuple[int, int]] = set()
    milliseconds: float | None = None
    for event in events:
        if isinstance(event, ResultEvent):
            pages |= {
                (int(each["document_id"]), int(each["page"]))
                for each in event.objects
                if "document_id" in each and "page" in each
            }
        elif isinstance(event, CompleteEvent):
            milliseconds = event.milliseconds
    if milliseconds is None:
        return ""
    parts = []
    if pages and manuals:
        searched = tr("Searched {manuals}").format(manuals=wording.manuals(manuals))
        parts += [searched, tr("read {pages}").format(pages=wording.pages(len(pages)))]
    elif pages:
        parts.append(tr("Read {pages}").format(pages=wording.pages(len(pages))))
    elif sources := report_facts(events).read:
        parts.append(tr("Read {n} sources").format(n=wording.number(sources)))
    else:
        parts.append(tr("No page was read"))
    if checked:
        parts.append(tr("checked"))
    return f"{', '.join(parts)}: {wording.duration(milliseconds)}"


class TurnFooter(QWidget):
    """Hidden until `finish`. wanted(what): see `Turn`."""

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.copy_button = flat_button("copy", self.tr("Copy the answer with its sources"))
        self.again_button = flat_button("rotate-cw", self.tr("Answer again"))
        self.sheet_button = flat_button("clipboard-list", self.tr("Job sheet: one page to print"))
        self.hand_on_button = self._build_hand_on()
        self.helpful_button = flat_button("thumbs-up", self.tr("Helpful"), caption=True)
        self.wrong_button = flat_button("thumbs-down", self.tr("Wrong answer"), caption=True)
        for button in (self.helpful_button, self.wrong_button):
            button.setFont(scaled_font(Type.SMALL))
        for what, button in (
            ("again", self.again_button),
            ("job_sheet", self.sheet_button),
            ("helpful", self.helpful_button),
            ("wrong", self.wrong_button),
        ):
            button.clicked.connect(lambda _=False, what=what: self.wanted.emit(what))
        # once is enough
        self.helpful_button.clicked.connect(lambda: self.helpful_button.setEnabled(False))
        row = FlowLayout(self, Space.HAIR)
        row.addWidget(_together(self.helpful_button, self.wrong_button))
        tools = (self.copy_button, self.again_button, self.sheet_button, self.hand_on_button)
        row.addWidget(_together(*tools))
        self.hide()

    def finish(self, *, answered: bool, searched: bool = True) -> None:
        """Show what can be done now; only an answer is worth copying.

        searched: whether there was anything to search, so that the outcome may be wrong.
        """
        self.wrong_button.setVisible(searched)
        self.copy_button.setVisible(answered)
        for button in (self.hand_on_button, self.sheet_button, self.helpful_button):
            button.setVisible(answered)
        self.show()

    def _build_hand_on(self) -> QToolButton:
        button = flat_button("file-down", self.tr("Save or send this answer"))
        menu = menu_of(button)
        ways = {
            "report": self.tr("Save report…"),
            "email": self.tr("Draft e-mail…"),
            "print": self.tr("Print job sheet…"),
            "print_report": self.tr("Print report…"),
        }
        for way, text in ways.items():
            menu.addAction(text).triggered.connect(lambda _=False, w=way: self.wanted.emit(w))
        return button


def _together(*buttons: QToolButton) -> QWidget:
    """Return buttons that stay on one line."""
    holder = QWidget()
    row = in_row(holder, spacing=Space.HAIR)
    for button in buttons:
        as_tall_as_its_bar(button).setMinimumSize(Size.ROW, Size.BAR)
        row.addWidget(button)
    return holder
