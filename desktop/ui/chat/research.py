"""Research: the ways a question can be asked, how far it has got, and its report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QFrame, QPushButton, QToolButton, QWidget

from desktop.core.events import (
    Event,
    ResearchProgressEvent,
    ResearchProposalEvent,
    ResearchStage,
    ResultEvent,
)
from desktop.ui.design.controls import (
    in_column,
    label,
    make_flat,
    plain_tooltip,
    push_button,
    thin_bar,
)
from desktop.ui.design.icons import icon
from desktop.ui.design.popups import menu_of
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import told, tr

ASK = ""
MODES = (ASK, "strict", "discovery", "monitor")


class Mode(NamedTuple):
    """How a mode is called on a button and where there is little room, and what it does.

    offered: as it stands in the menu. advice: in a sentence.
    """

    name: str
    short: str
    offered: str
    advice: str
    icon: str = "telescope"


def mode_of(mode: str) -> Mode:
    """Return how one of the `MODES` is put to people."""
    return {
        ASK: Mode(
            tr("Quick answer"),
            tr("Quick"),
            tr("Quick answer: in seconds, from the best pages"),
            tr("An answer in seconds, from the best pages."),
            "search",
        ),
        "strict": Mode(
            tr("Research: official sources"),
            tr("Official sources"),
            tr("Research in official sources: makers’ manuals, standards, procedures"),
            tr(
                "Searches in several rounds. Only makers' manuals, standards, bulletins and "
                "procedures count."
            ),
        ),
        "discovery": Mode(
            tr("Research: all sources"),
            tr("All sources"),
            tr("Research in all sources: weak ones are flagged"),
            tr("Searches everything in several rounds and flags weak sources."),
        ),
        "monitor": Mode(
            tr("Research: check of notes"),
            tr("Check of notes"),
            tr("Check of notes: what the site’s notes say against the manuals"),
            tr("Compares what the site's notes say with what the maker says."),
        ),
    }[mode]


class ModeButton(QToolButton):
    """changed(mode): "" for an ordinary question, else strict, discovery or monitor."""

    changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.mode = ASK
        make_flat(self, mode_of(ASK).icon, self.tr("Mode"), caption=True)
        self._menu = menu_of(self)
        self._menu.setToolTipsVisible(True)
        self._group = QActionGroup(self._menu)
        self._actions = {}
        for mode in MODES:
            told = mode_of(mode)
            action = self._menu.addAction(icon(told.icon), told.offered)
            action.setCheckable(True)
            action.setToolTip(plain_tooltip(told.advice))
            action.setStatusTip(told.advice)
            action.triggered.connect(lambda _=False, mode=mode: self.choose(mode))
            self._group.addAction(action)
            self._actions[mode] = action
            if mode == ASK:
                self._menu.addSeparator()
        self.choose(ASK)

    def choose(self, mode: str) -> None:
        """Ask in this way from now on."""
        self.mode, told = mode, mode_of(mode)
        self._actions[mode].setChecked(True)
        self.setText(f" {told.short}")
        self.setIcon(icon(told.icon))
        self.setAccessibleName(self.tr("Mode: {mode}").format(mode=told.name))
        self.setToolTip(plain_tooltip(told.advice))
        self.changed.emit(mode)

    def allow_research(self, allowed: bool) -> None:
        """Show the switch only where there is something to switch."""
        self.setVisible(allowed)
        if not allowed:
            self.choose(ASK)


TOOL = "deep_research"


@dataclass(frozen=True, slots=True)
class Compared:
    """A statement of the site beside the maker's. agrees: whether they say the same."""

    site: str
    maker: str
    agrees: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """mode, rounds, confidence ("High"), sources: names of what is cited. read: how many
    there were. status: how the research ended. compared: for monitoring research.
    """

    mode: str = ""
    rounds: int = 0
    confidence: str = ""
    sources: tuple[str, ...] = ()
    read: int = 0
    status: str = ""
    compared: tuple[Compared, ...] = ()


def report_facts(events: Iterable[Event]) -> ReportFacts:
    """Return what is known of a research report."""
    facts: dict[str, Any] = {}
    for event in events:
        if not isinstance(event, ResultEvent) or event.tool != TOOL:
            continue
        if event.payload_type == "comparison":
            facts["compared"] = tuple(map(_compared, event.objects))
        elif event.objects:
            told = event.objects[0].get("schema_object") or {}
            facts |= {
                "mode": str(told.get("mode", "")),
                "rounds": int(told.get("iterations", 0)),
                "confidence": str(told.get("confidence", "")),
                "sources": tuple(map(str, told.get("sources_used", ()))),
                "read": int(told.get("total_sources_analyzed", 0)),
                "status": str(event.metadata.get("status") or ""),
            }
    return ReportFacts(**facts)


def research_mode(events: Iterable[Event]) -> str:
    """Return the mode of stored research, "" for an ordinary question."""
    events = list(events)
    mode = report_facts(events).mode
    if mode or not any(isinstance(event, ResearchProgressEvent) for event in events):
        return mode
    return "discovery"  # it ended before it could say so


def _compared(found: dict[str, Any]) -> Compared:
    return Compared(
        str(found.get("site_statement", "")),
        str(found.get("official_statement", "")),
        found.get("verdict") == "agreement",
        str(found.get("reason", "")),
    )


ORDER: tuple[ResearchStage, ...] = ("gather", "filter", "analyst", "search", "critic", "writer")


class ProgressBlock(QFrame):
    """How far research has got, while it goes on; the reasoning keeps what was done."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Progress of the research"))
        self._title = label("", factor=Type.SMALL, bold=True)
        self._bar = thin_bar()
        self._bar.setAccessibleName(self.tr("Progress of the research"))
        self._said = label("", factor=Type.SMALL, tone="muted", wrap=True)
        column = in_column(self, spacing=Space.XS)
        for widget in (self._title, self._bar, self._said):
            column.addWidget(widget)
        self.hide()

    def take(self, event: ResearchProgressEvent) -> None:
        """Show that a stage has begun or ended."""
        self.show()
        self._bar.setMaximum(2 + 3 * event.max_iterations)
        self._bar.setValue(_done(event))
        if event.iteration:
            says = self.tr("Round {n} of up to {m}")
            self._title.setText(says.format(n=event.iteration, m=event.max_iterations))
        else:
            self._title.setText(self.tr("Looking for sources"))
        self._said.setText(told(event.message))


def _done(event: ResearchProgressEvent) -> int:
    """Return how many stages are over, as the bar counts them."""
    if event.iteration == 0:
        return ORDER.index(event.stage)
    before = 2 + 3 * (event.iteration - 1)
    return before + max(0, ORDER.index(event.stage) - ORDER.index("analyst"))


class ResearchPart(QObject):
    """research_wanted(mode): research the question. report_wanted(): show the report."""

    research_wanted = Signal(str)
    report_wanted = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.progress = ProgressBlock()
        self.below = QWidget()
        self._column = in_column(self.below, spacing=Space.S)
        self.below.hide()
        self.reported = False
        self.report_button: QPushButton | None = None
        self.propose_button: QPushButton | None = None

    def take(self, event: Event) -> None:
        """Show an event of the research; others change nothing."""
        if isinstance(event, ResearchProgressEvent):
            self.progress.take(event)
        elif isinstance(event, ResearchProposalEvent):
            advice = self.tr("{reason} Deep research looks into it more thoroughly.")
            self._offer(advice.format(reason=told(event.reason)), event.mode)
        elif isinstance(event, ResultEvent) and event.payload_type == "research_report":
            self.reported = True

    def finish(self, question: str, outcome: str) -> None:
        """The question is over: a report can be opened."""
        self.progress.hide()
        if not self.reported or outcome in ("clarification", "not_found"):
            return
        text = self.tr("Open the report")
        self.report_button = push_button(text, self.report_wanted, name="file-text")
        self.report_button.setAccessibleDescription(question)
        self._column.addWidget(self.report_button)
        self.below.show()

    def offer_more(self, mode: str) -> None:
        """The research found nothing: offer the mode that lets everything in."""
        if mode == "strict":
            advice = self.tr(
                "Only makers' manuals, standards, bulletins and procedures were read. "
                "“All sources” reads everything and warns of what is less certain."
            )
        elif mode == "monitor":
            advice = self.tr(
                "The check compares the site's notes with the manuals, and no note matches. "
                "“All sources” reads everything."
            )
        else:
            return
        self._offer(advice, "discovery")

    def _offer(self, advice: str, mode: str) -> None:
        block = QFrame()
        block.setProperty("role", "notice")
        column = in_column(block, (Space.M, Space.S, Space.M, Space.S), spacing=Space.S)
        column.addWidget(label(advice, factor=Type.SMALL, wrap=True))
        self.propose_button = push_button(mode_of(mode).name, name="telescope")
        self.propose_button.clicked.connect(lambda: self.research_wanted.emit(mode))
        column.addWidget(self.propose_button)
        self._column.addWidget(block)
        self.below.show()
