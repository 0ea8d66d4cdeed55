"""How the answer was reached, filling while it is reached; searched, replayed, exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.controls import flat_button, label, panel_header, plain_tooltip
from desktop.ui.elided_label import ElidedLabel
from desktop.ui.icons import icon
from desktop.ui.tokens import Size, Space, Type
from desktop.ui.trace.player import StepPlayer
from desktop.ui.trace.promises_line import PromisesLine
from desktop.ui.trace.step import Timeline
from desktop.ui.trace.step_list import StepList

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from desktop.ui.page_pictures import PagePictures

OPEN_SHARE = 0.5
"""Of the column that it stands in, until a person gives it another height."""


class TracePanel(QWidget):
    """place_wanted(region): show the page of a thumbnail. export_wanted(form): json or spans.

    Hidden until somebody opens it. open_height: that it gets then, 0 for its share.
    """

    place_wanted = Signal(object)
    export_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.timeline = Timeline()
        self.steps = StepList()
        self.steps.place_wanted.connect(self.place_wanted)
        self._build_tools()
        self.question = ElidedLabel(factor=Type.SMALL, tone="muted")
        self.question.setContentsMargins(Space.M, Space.S, Space.M, Space.XS)
        self.promises = PromisesLine()
        self.player = StepPlayer()
        self.player.moved.connect(self._replayed)
        self.player.left.connect(lambda: self.steps.show_until(None))
        self.said = label("", factor=Type.SMALL, tone="muted", wrap=True, selectable=True)
        self.said.setContentsMargins(Space.M, Space.XS, Space.M, Space.XS)
        self.open_height = 0
        self._lay_out()
        self.forget()
        self.hide()

    def use_pictures(self, pictures: PagePictures | None) -> None:
        """Draw the thumbnails with these."""
        self.steps.pictures = pictures

    def begin(self, question: str = "") -> None:
        """A new question: start an empty timeline."""
        self.player.leave()
        self.say("")
        self.question.setText(question)
        self.question.setToolTip(plain_tooltip(question) if question else "")
        self.question.setVisible(bool(question))
        self.steps.clear()
        self.show_timeline(Timeline())
        self.nothing.setVisible(self.is_empty)

    def show_timeline(self, timeline: Timeline) -> None:
        """Show how a question was answered so far."""
        grown = len(timeline.steps) > len(self.timeline.steps)
        self.timeline = timeline
        self.steps.show_steps(timeline.steps)
        over = timeline.finished and not timeline.asked_back
        self.promises.show_promises(timeline.promises, finished=over, not_found=timeline.not_found)
        some = bool(timeline.steps)
        for button in (self.search_button, self.replay_button, self.export_button):
            button.setEnabled(some)
        self.replay_button.setEnabled(some and timeline.finished)
        if grown and not timeline.finished:
            self.steps.follow()
        elif grown:
            self.steps.verticalScrollBar().setValue(0)  # it is read from the first step on
        if self.search_field.text():
            self._search()

    def forget(self) -> None:
        """Show no question."""
        self.begin()

    def say(self, text: str) -> None:
        """Say something below the steps: that a file was written, or why not."""
        self.said.setText(text)
        self.said.setVisible(bool(text))

    @property
    def height_when_open(self) -> int:
        """How high it is, or was when it was open."""
        return self.open_height if self.isHidden() else self.height()

    @property
    def is_empty(self) -> bool:
        """Whether there is no question whose steps could be shown."""
        return not self.question.text()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            QTimer.singleShot(0, self, self._take_room)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous() and self.height() > 2 * Size.PANEL_HEADER:
            self.open_height = self.height()

    def _build_tools(self) -> None:
        hint = self.tr("Every step to an answer appears here.")
        self.nothing = label(hint, factor=Type.SMALL, tone="muted", wrap=True)
        self.nothing.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        self.search_button = flat_button("search", self.tr("Search the steps"))
        self.search_button.setCheckable(True)
        self.search_button.toggled.connect(self._show_search)
        self.replay_button = flat_button("history", self.tr("Replay step by step"))
        self.replay_button.clicked.connect(lambda: self.player.begin(len(self.timeline.steps)))
        self.open_button = flat_button("chevrons-up-down", self.tr("Open every step"))
        self.open_button.setCheckable(True)
        self.open_button.toggled.connect(self._open_all)
        self.export_button = flat_button("file-down", self.tr("Export the reasoning"))
        menu = QMenu(self.export_button)
        for form, text in (
            ("json", self.tr("As JSON…")),
            ("spans", self.tr("As OpenTelemetry Spans…")),
        ):
            menu.addAction(text).triggered.connect(
                lambda _=False, form=form: self.export_wanted.emit(form)
            )
        self.export_button.setMenu(menu)
        self.export_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.close_button = flat_button("x", self.tr("Close the reasoning"))
        self.close_button.clicked.connect(self.hide)
        self.search_field = QLineEdit()
        self.search_field.setProperty("kind", "field")
        self.search_field.setAccessibleName(self.tr("Search the steps"))
        self.search_field.setPlaceholderText(self.tr("Tool, words, page…"))
        self.search_field.textChanged.connect(lambda _: self._search())
        self.found = label("", factor=Type.SMALL, tone="muted")

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        header = panel_header(
            self.tr("Reasoning"),
            self.search_button,
            self.replay_button,
            self.open_button,
            self.export_button,
            self.close_button,
        )
        row = header.layout()
        assert isinstance(row, QHBoxLayout)
        row.setSpacing(Space.HAIR)
        column.addWidget(header)
        self._search_bar = QWidget()
        search = QHBoxLayout(self._search_bar)
        search.setContentsMargins(Space.M, Space.XS, Space.M, 0)
        search.addWidget(self.search_field, 1)
        search.addWidget(self.found)
        self._search_bar.hide()
        self._inside = QWidget()
        inside = QVBoxLayout(self._inside)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        for part in (self._search_bar, self.player, self.question, self.nothing, self.promises):
            inside.addWidget(part)
        inside.addWidget(self.steps, 1)
        inside.addWidget(self.said)
        column.addWidget(self._inside, 1)

    def _show_search(self, shown: bool) -> None:
        self._search_bar.setVisible(shown)
        if shown:
            self.search_field.setFocus()
        else:
            self.search_field.clear()

    def _search(self) -> None:
        text = self.search_field.text().strip()
        found = self.steps.search(text)
        many = self.tr("{n} of {m} steps").format(n=found, m=len(self.steps.cards))
        self.found.setText(many if text else "")

    def _open_all(self, opened: bool) -> None:
        self.steps.open_all(opened)
        self.open_button.setIcon(icon("chevrons-down-up" if opened else "chevrons-up-down"))

    def _replayed(self, position: int) -> None:
        self.steps.show_until(position)
        evidence = self.timeline.steps[position].evidence
        if evidence:  # the page that the step stood on is seen with it
            self.place_wanted.emit(evidence[0].place)

    def _take_room(self) -> None:
        """Be as high as before."""
        split = self.parentWidget()
        if isinstance(split, QSplitter) and split.height() > Size.PANEL_HEADER:
            wanted = self.open_height or round(split.height() * OPEN_SHARE)
            split.setSizes([split.height() - wanted, wanted])
