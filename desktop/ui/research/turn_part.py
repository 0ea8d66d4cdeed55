"""What a research adds to its question in the chat: progress, the report, or the proposal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop.core.events import ResearchProgressEvent, ResearchProposalEvent
from desktop.ui.controls import label, push_button
from desktop.ui.language import told
from desktop.ui.research.modes import mode_name
from desktop.ui.research.progress_block import ProgressBlock
from desktop.ui.research.reports import is_report
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from PySide6.QtWidgets import QPushButton

    from desktop.core.events import Event


class ResearchPart(QObject):
    """research_wanted(mode): research the question. report_wanted(): show the report."""

    research_wanted = Signal(str)
    report_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.progress = ProgressBlock()
        self.below = QWidget()
        self._column = QVBoxLayout(self.below)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.S)
        self.below.hide()
        self.reported = False
        self.report_button: QPushButton | None = None
        self.propose_button: QPushButton | None = None

    def take(self, event: Event) -> None:
        """Show an event of a research; others change nothing."""
        if isinstance(event, ResearchProgressEvent):
            self.progress.take(event)
        elif isinstance(event, ResearchProposalEvent):
            self._propose(event)
        elif is_report(event):
            self.reported = True

    def finish(self, question: str, outcome: str) -> None:
        """The question is over: a report can be opened."""
        self.progress.finish()
        if not self.reported or outcome in ("clarification", "not_found"):
            return
        self.report_button = push_button(self.tr("Open the report"), name="file-text")
        self.report_button.setAccessibleDescription(question)
        self.report_button.clicked.connect(self.report_wanted)
        self._column.addWidget(self.report_button)
        self.below.show()

    def offer_more(self, mode: str) -> None:
        """A research found nothing: offer the mode that lets everything in."""
        if mode == "strict":
            advice = self.tr(
                "Only makers' manuals, standards, bulletins and procedures were read. Discovery "
                "reads everything and warns of what is less sure."
            )
        elif mode == "monitor":
            advice = self.tr(
                "Monitoring compares the site's notes with the manuals, and no note fits. "
                "Discovery reads everything."
            )
        else:
            return
        self._offer(advice, "discovery")

    def _propose(self, event: ResearchProposalEvent) -> None:
        advice = self.tr("{reason} Deep research looks into it more thoroughly.")
        self._offer(advice.format(reason=told(event.reason)), event.mode)

    def _offer(self, advice: str, mode: str) -> None:
        block = QFrame()
        block.setProperty("role", "notice")
        column = QVBoxLayout(block)
        column.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        column.setSpacing(Space.S)
        column.addWidget(label(advice, factor=Type.SMALL, wrap=True))
        self.propose_button = push_button(mode_name(mode), name="telescope")
        self.propose_button.clicked.connect(lambda: self.research_wanted.emit(mode))
        column.addWidget(self.propose_button)
        self._column.addWidget(block)
        self.below.show()
