"""The questions of a conversation with their answers, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop.ui.chat.offered_questions import SuggestionBlock
from desktop.ui.design.controls import discard, fill, in_column, label, push_button
from desktop.ui.design.tokens import Space, Type

if TYPE_CHECKING:
    from desktop.ui.chat.turn import Turn

MOST_TURNS = 50
"""Older questions leave the window (the library keeps them), so that it stays quick."""
FIRST = 2
"""Place of the first turn in the column: below the welcome and the button for earlier ones."""


class _Inner(QWidget):
    """As wide as the list, whatever is in it: nothing is cut at the list's edge."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


class TurnList(QScrollArea):
    """Holds the turns shown, oldest first; when there are none it says what to do.

    earlier_wanted(): show some of the turns before the first one.
    """

    earlier_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[Turn] = []
        self._following = True
        self._brought: Turn | None = None
        self.offered = SuggestionBlock(self.tr("Your manuals answer"))
        inner = _Inner()
        self._column = in_column(inner)
        self._welcome = self._build_welcome()
        self._column.addWidget(self._welcome)
        self.earlier_button = push_button("", self.earlier_wanted, kind="row", name="chevron-up")
        self.tell_earlier(0)
        fill(self._column, self.earlier_button, None)
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Conversation"))
        inner.setAutoFillBackground(False)
        inner.installEventFilter(self)
        self.viewport().setAutoFillBackground(False)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._range_changed)
        bar.actionTriggered.connect(lambda *_: self._leave())

    def add(self, turn: Turn) -> None:
        """Append a turn and bring it into view."""
        if self.turns:
            self._column.insertWidget(self._column.count() - 1, _line())
        self.turns.append(turn)
        self._column.insertWidget(self._column.count() - 1, turn)
        while len(self.turns) > MOST_TURNS:
            self.turns.pop(0)
            self._drop(FIRST)
            if self.turns and self._widget_at(FIRST) is not self.turns[0]:
                self._drop(FIRST)  # the line above the next one
        self._welcome.hide()
        self._need_bar()
        self._following, self._brought = True, None

    def add_first(self, turns: Sequence[Turn]) -> None:
        """Put turns before the first one, which stays where it is in view."""
        top = self.turns[0] if self.turns else None
        offset = top.y() - self.verticalScrollBar().value() if top is not None else 0
        self._following = False
        for turn in reversed(turns):
            if self.turns:
                self._column.insertWidget(FIRST, _line())
            self._column.insertWidget(FIRST, turn)
            self.turns.insert(0, turn)
        if top is not None:
            QTimer.singleShot(0, top, lambda: self.verticalScrollBar().setValue(top.y() - offset))

    def bring(self, turn: Turn) -> None:
        """Keep a turn in view, however tall the conversation grows."""
        self._following = turn is self.turns[-1]
        self._brought = None if self._following else turn
        QTimer.singleShot(0, turn, self._follow)

    def tell_earlier(self, count: int) -> None:
        """Say how many turns there are before the first one."""
        text = self.tr("Show earlier questions ({n})").format(n=count)
        self.earlier_button.setText(f" {text}")
        self.earlier_button.setAccessibleName(text)
        self.earlier_button.setVisible(count > 0)

    def clear(self) -> None:
        """Remove every turn."""
        self.turns.clear()
        self._brought = None
        for place in reversed(range(FIRST, self._column.count() - 1)):
            self._drop(place)
        self.earlier_button.hide()
        self._welcome.show()
        self._following = True

    def _drop(self, place: int) -> None:
        widget = self._widget_at(place)
        if widget is not None:
            discard(widget, self._column)

    def _widget_at(self, place: int) -> QWidget | None:
        item = self._column.itemAt(place)
        return item.widget() if item is not None else None

    def _build_welcome(self) -> QWidget:
        page = QWidget()
        column = in_column(page, (Space.INSET, Space.XL, Space.INSET, Space.INSET), spacing=Space.S)
        column.addWidget(label(self.tr("Ask your manuals"), factor=Type.TITLE, bold=True))
        about = self.tr("Every answer shows the page it comes from, with the words marked.")
        column.addWidget(label(about, tone="muted", wrap=True))
        self.quoted = label(
            self.tr("Answers are quoted from the manuals; no language model is installed."),
            factor=Type.SMALL,
            tone="muted",
            wrap=True,
        )
        self.quoted.hide()
        fill(column, self.quoted, Space.S, self.offered)
        return page

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._need_bar()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self._need_bar()
        return super().eventFilter(watched, event)

    def _need_bar(self) -> None:
        """Show no scroll bar beside a welcome that fits without one, and always one beside answers.

        Beside a bar a welcome has more and shorter lines, so Qt alone would keep the bar; and a
        picture is lower, so an answer that just fits would get and lose it for ever.
        """
        fits = not self.turns and self._welcome.heightForWidth(self.width()) <= self.height()
        off, on = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAlwaysOn
        self.setVerticalScrollBarPolicy(off if fits else on)

    def _range_changed(self, _least: int, most: int) -> None:
        self.verticalScrollBar().setEnabled(most > 0)  # it shows no handle then
        self._follow()

    def _follow(self) -> None:
        """Keep the newest answer in view: its end while it fits, its question once it does not."""
        if self._brought is not None:
            self.ensureWidgetVisible(self._brought.reasoning, 0, Space.L)
        elif self._following and self.turns:
            bar = self.verticalScrollBar()
            bar.setValue(min(bar.maximum(), self.turns[-1].y()))

    def _leave(self) -> None:
        # A person scrolls: the conversation stays where they put it until the next question.
        bar = self.verticalScrollBar()
        self._brought = None
        self._following = bar.sliderPosition() >= bar.maximum()


def _line() -> QFrame:
    line = QFrame()
    line.setProperty("role", "line")
    line.setFixedHeight(1)
    return line
