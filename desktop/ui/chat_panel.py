"""The conversation at the right: questions with their answers above, the field below.

It draws and asks; who runs the question is none of its business. The window connects
`asked` to the engine and feeds the events back through `take` and `finish`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QVBoxLayout, QWidget

from desktop.core.events import CompleteEvent, Event, PageRegion
from desktop.ui.composer import Composer
from desktop.ui.controls import flat_button, label, panel_header
from desktop.ui.tokens import Space, Type
from desktop.ui.turn import Turn
from desktop.ui.turn_parts import ProblemBlock

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_TURNS = 50
"""Older questions leave the window (the library keeps them), so that it stays quick."""


class ChatPanel(QWidget):
    """asked(question, ids): ask these manuals, all when empty. places_wanted: see `Turn`."""

    asked = Signal(str, object)
    stop_wanted = Signal()
    places_wanted = Signal(object, int)

    def __init__(
        self, title_of: Callable[[PageRegion], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title_of = title_of
        self.turns: list[Turn] = []
        self._following = True
        self.composer = Composer()
        self.composer.asked.connect(self.ask)
        self.composer.stop_wanted.connect(self.stop_wanted)
        self._stop_key = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        self._stop_key.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._stop_key.activated.connect(self._stop)

        self.clear_button = flat_button("trash-2", self.tr("Clear the conversation"))
        self.clear_button.clicked.connect(self.clear)
        self.clear_button.hide()
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._build_conversation())
        self._split.setHandleWidth(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._split, 1)
        column.addWidget(self.composer)

    @property
    def split(self) -> QSplitter:
        """Conversation above, whatever was put below it."""
        return self._split

    def insert_below(self, widget: QWidget) -> None:
        """Put a panel between the conversation and the question field."""
        self._split.addWidget(widget)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 2)

    def set_profile(self, profile: str) -> None:
        """Say what answers are made of, when no language model writes them."""
        self._lite.setVisible(profile.lower() == "lite")

    def ask(self, question: str) -> None:
        """Begin a turn and ask for it to be run."""
        if self.turns:
            self.turns[-1].end("cancelled")
        turn = Turn(question, self._title_of)
        turn.places_wanted.connect(self.places_wanted)
        turn.ask_again.connect(lambda: self.ask(question))
        self.turns.append(turn)
        self._column.insertWidget(self._column.count() - 1, turn)
        while len(self.turns) > MOST_TURNS:
            self._drop(self.turns.pop(0))
        self._welcome.hide()
        self.clear_button.show()
        self._following = True
        self.composer.set_running(True)
        self.asked.emit(question, self.composer.scope.selected)

    def take(self, event: Event) -> None:
        """Show one event of the running question."""
        if not self.turns:
            return
        self.turns[-1].take(event)
        if isinstance(event, CompleteEvent):
            self.composer.set_running(False)
            cited = self.turns[-1].citations
            if event.outcome == "answered" and cited:
                # The page is the proof: it is shown without being asked for.
                self.turns[-1].show_citation(cited[0].number)

    def finish(self) -> None:
        """The run is over, whether or not it said so."""
        self.composer.set_running(False)
        if self.turns:
            self.turns[-1].end("failed")

    def clear(self) -> None:
        """Forget the conversation that is shown; a running question is stopped."""
        self._stop()
        for turn in self.turns:
            self._drop(turn)
        self.turns.clear()
        self._welcome.show()
        self.clear_button.hide()

    def copy_answer(self) -> None:
        """Copy the last finished answer with its sources."""
        done = next((turn for turn in reversed(self.turns) if turn.text), None)
        if done is not None:
            done.copy()

    def _stop(self) -> None:
        if self.turns and self.turns[-1].running:
            self.stop_wanted.emit()

    def _drop(self, turn: Turn) -> None:
        self._column.removeWidget(turn)
        turn.hide()
        turn.deleteLater()

    def _build_conversation(self) -> QWidget:
        page = QWidget()
        page.setProperty("role", "panel")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        whole = QVBoxLayout(page)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(panel_header(self.tr("Answers"), self.clear_button))
        self._lite = label(
            self.tr("Answers are quoted from the manuals; no language model is installed."),
            factor=Type.SMALL,
            tone="muted",
            wrap=True,
        )
        self._lite.setContentsMargins(Space.L, Space.XS, Space.L, Space.XS)
        self._lite.setProperty("role", "note")
        self._lite.hide()
        whole.addWidget(self._lite)
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._welcome = self._build_welcome()
        self._column.addWidget(self._welcome)
        self._column.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidget(inner)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(self.tr("Conversation"))
        inner.setAutoFillBackground(False)
        self._scroll.viewport().setAutoFillBackground(False)
        bar = self._scroll.verticalScrollBar()
        bar.rangeChanged.connect(lambda *_: self._follow())
        bar.actionTriggered.connect(lambda *_: self._leave())
        whole.addWidget(self._scroll, 1)
        return page

    def _build_welcome(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(Space.L, Space.XL, Space.L, Space.L)
        column.setSpacing(Space.S)
        column.addWidget(label(self.tr("Ask your manuals"), factor=Type.TITLE, bold=True))
        column.addWidget(
            label(
                self.tr(
                    "Every statement cites a page. Click [1] to see the words marked on it. "
                    "Nothing leaves this computer."
                ),
                tone="muted",
                wrap=True,
            )
        )
        return page

    def show_problem(self, title: str, advice: str) -> None:
        """Say below the conversation that something besides a question went wrong."""
        self._column.insertWidget(self._column.count() - 1, ProblemBlock(title, advice))

    def _follow(self) -> None:
        """Keep the newest answer in view: its end while it fits, its question once it does not."""
        if self._following and self.turns:
            bar = self._scroll.verticalScrollBar()
            bar.setValue(min(bar.maximum(), self.turns[-1].y()))

    def _leave(self) -> None:
        # A person scrolls: the conversation stays where they put it until the next question.
        bar = self._scroll.verticalScrollBar()
        self._following = bar.sliderPosition() >= bar.maximum()
