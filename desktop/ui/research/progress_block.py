"""How far a research is: a line for each round, with what was done in it and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFrame, QVBoxLayout

from desktop.ui import wording
from desktop.ui.controls import label, thin_bar
from desktop.ui.language import told
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLabel

    from desktop.core.events import ResearchProgressEvent, ResearchStage

ORDER: tuple[ResearchStage, ...] = ("gather", "filter", "analyst", "search", "critic", "writer")


class ProgressBlock(QFrame):
    """Hidden until a research begins."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Progress of the research"))
        self._title = label("", factor=Type.SMALL, bold=True)
        self._bar = thin_bar()
        self._bar.setAccessibleName(self.tr("Progress of the research"))
        self._rounds: dict[int, QLabel] = {}
        self._said: dict[int, list[tuple[str, str]]] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.XS)
        self._column.addWidget(self._title)
        self._column.addWidget(self._bar)
        self.hide()

    def take(self, event: ResearchProgressEvent) -> None:
        """Show that a stage has begun or ended."""
        self.show()
        self._bar.setMaximum(2 + 3 * event.max_iterations)
        self._bar.setValue(_done(event))
        if event.iteration:
            says = self.tr("Round {n} of at most {m}")
            self._title.setText(says.format(n=event.iteration, m=event.max_iterations))
        else:
            self._title.setText(self.tr("Looking for sources"))
        said = self._said.setdefault(event.iteration, [])
        line = _line(event)
        if said and said[-1][0] == event.stage:
            said[-1] = (event.stage, line)
        else:
            said.append((event.stage, line))
        self._show_round(event.iteration)

    def finish(self) -> None:
        """The research is over: what was done stays, the bar goes."""
        self._bar.hide()
        self._title.hide()

    def lines(self) -> list[str]:
        """What is said of each round."""
        return [each.text() for each in self._rounds.values()]

    def _show_round(self, number: int) -> None:
        line = self._rounds.get(number)
        if line is None:
            line = self._rounds[number] = label(
                "", factor=Type.SMALL, tone="muted", wrap=True, selectable=True
            )
            self._column.addWidget(line)
        parts = " · ".join(text for _, text in self._said[number])
        if number:
            parts = self.tr("Round {n}: {steps}").format(n=number, steps=parts)
        line.setText(parts)


def _done(event: ResearchProgressEvent) -> int:
    """Return how many stages are over, as the bar counts them."""
    if event.iteration == 0:
        return ORDER.index(event.stage)
    before = 2 + 3 * (event.iteration - 1)
    return before + max(0, ORDER.index(event.stage) - ORDER.index("analyst"))


def _line(event: ResearchProgressEvent) -> str:
    if event.state == "started" or not event.milliseconds:
        return told(event.message)
    message = told(event.message).rstrip(".")
    return _tr("{what} ({time})").format(what=message, time=wording.duration(event.milliseconds))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Research", text)
