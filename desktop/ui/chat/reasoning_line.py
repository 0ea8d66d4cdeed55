"""How an answer was reached in one line; a click opens the steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.core.events import CompleteEvent, ResultEvent
from desktop.core.trace.reasoning_trace import ReasoningStage
from desktop.ui import wording
from desktop.ui.controls import PressButton
from desktop.ui.icons import icon
from desktop.ui.tokens import Size

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.events import Event
    from desktop.ui.trace.step import Timeline


class ReasoningLine(PressButton):
    """Hidden until the question is over."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "line")
        self.setIcon(icon("chevron-right", "muted"))
        self.setMinimumHeight(Size.ROW)
        self._events: tuple[Event, ...] = ()
        self.hide()

    def finish(self, events: Iterable[Event]) -> None:
        """Say what was done for the answer."""
        self._events = tuple(events)
        self._say(checked=False)

    def show_timeline(self, timeline: Timeline) -> None:
        """Say that the answer was checked against its pages, if a step did."""
        if self._events:
            self._say(any(each.stage is ReasoningStage.VERIFICATION for each in timeline.steps))

    def _say(self, checked: bool) -> None:
        text = summary(self._events, checked=checked)
        self.setText(text)
        self.setAccessibleName(_tr("{summary}. Show the reasoning").format(summary=text))
        self.setVisible(bool(text))


def summary(events: Iterable[Event], *, checked: bool) -> str:
    """Return "Read 8 pages of 2 manuals, checked: 0.7 s"."""
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
        manuals = len({document for document, _ in pages})
        read = _tr("Read {pages} of {manuals}")
        parts.append(read.format(pages=wording.pages(len(pages)), manuals=wording.manuals(manuals)))
    else:
        parts.append(_tr("No page was read"))
    if checked:
        parts.append(_tr("checked"))
    return f"{', '.join(parts)}: {wording.duration(milliseconds)}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("ReasoningLine", text)
