"""Below an answer: how it was reached in one line, and what can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.core.events import CompleteEvent, ResultEvent
from desktop.core.trace.reasoning_trace import ReasoningStage
from desktop.ui import wording
from desktop.ui.design.controls import FlowLayout, PressButton, flat_button, in_row
from desktop.ui.design.icons import icon
from desktop.ui.design.popups import menu_of
from desktop.ui.design.theme import scaled_font
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import tr
from desktop.ui.research.turn_part import report_facts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.events import Event
    from desktop.ui.trace.timeline import Timeline


class ReasoningLine(PressButton):
    """Hidden until the question is over."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "line")
        self.setIcon(icon("chevron-right", "muted"))
        self.setMinimumHeight(Size.ROW)
        self.let_shrink()
        self._events: tuple[Event, ...] = ()
        self.hide()

    def finish(self, events: Iterable[Event]) -> None:
        """Say what was done to reach the answer."""
        self._events = tuple(events)
        self._say(checked=False)

    def show_timeline(self, timeline: Timeline) -> None:
        """Say that the answer was checked against its pages, if a step did."""
        if self._events:
            self._say(any(each.stage is ReasoningStage.VERIFICATION for each in timeline.steps))

    def _say(self, checked: bool) -> None:
        text = summary(self._events, checked=checked)
        self.setText(text)
        self.setAccessibleName(tr("{summary}. Show the reasoning").format(summary=text))
        self.setVisible(bool(text))


def summary(events: Iterable[Event], *, checked: bool) -> str:
    """Return "Read the best 8 pages, checked: 0.7 s"."""
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
    if pages:
        best = tr("Read the best {n} pages").format(n=wording.number(len(pages)))
        parts.append(tr("Read the best page") if len(pages) == 1 else best)
    elif sources := report_facts(events).read:
        parts.append(tr("Read {n} sources").format(n=wording.number(sources)))
    else:
        parts.append(tr("No page was read"))
    if checked:
        parts.append(tr("checked"))
    return f"{', '.join(parts)}: {wording.duration(milliseconds)}"


class TurnFooter(QWidget):
    """Hidden until `finish`.

    copy_wanted(): the answer on the clipboard. wanted(what): see `Turn`.
    """

    copy_wanted = Signal()
    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._copy = flat_button("copy", self.tr("Copy the answer with its sources"))
        self._copy.clicked.connect(self.copy_wanted)
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
        self.setProperty("role", "bar")  # its buttons are as small as those above a page
        row = FlowLayout(self, Space.HAIR)
        row.addWidget(_together(self.helpful_button, self.wrong_button))
        tools = (self._copy, self.again_button, self.sheet_button, self.hand_on_button)
        row.addWidget(_together(*tools))
        self.hide()

    def finish(self, *, answered: bool) -> None:
        """Show what can be done now; only an answer is worth copying."""
        for button in (self._copy, self.hand_on_button, self.sheet_button, self.helpful_button):
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
        button.setMinimumSize(Size.ROW, Size.ROW)
        row.addWidget(button)
    return holder
