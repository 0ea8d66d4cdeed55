"""What was just added, once it is read: a small card over the pages, gone with one click."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLocale, QObject, Qt, Signal

from desktop.ui import wording
from desktop.ui.bridge import Bridge
from desktop.ui.chat.turn_parts import SuggestionBlock
from desktop.ui.design.controls import fill, flat_button, in_column, in_row, label
from desktop.ui.design.popups import ROOM, Floating
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QLabel, QWidget

    from desktop.core.conversations.suggested_questions import SuggestedQuestion
    from desktop.core.jobs import CancelToken
    from desktop.core.workspace import Workspace
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.library.row import RowView

WIDTH = 380
MOST_ROWS = 4
MOST_CHAPTERS = 4
QUESTIONS = 3
"""That one manual answers; of several it is one each."""
OVER = frozenset({"ready", "failed", "needs_password"})


class SummaryCard(Floating):
    """A row for each manual, in the upper right corner of its parent.

    chosen(prompt, ids): ask this of its manual. left(): a person has seen it.
    """

    chosen = Signal(str, object)
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: dict[int, tuple[QLabel, SuggestionBlock]] = {}
        self._count = 0
        self._title = label("", factor=Type.SMALL, bold=True, tone="muted")
        self.close_button = flat_button("x", self.tr("Dismiss"))
        self.close_button.clicked.connect(self.left)
        head = in_row()
        head.addWidget(self._title, 1)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        sides = [side + Space.L for side in ROOM]
        self._column = in_column(self, (sides[0], ROOM[1] + Space.S, *sides[2:]), spacing=Space.M)
        self._column.addLayout(head)
        self.setFixedWidth(WIDTH)
        parent.installEventFilter(self)

    def add(self, document_id: int, view: RowView) -> None:
        """Say what a manual is, how long, and what could not be read of it."""
        self._count += 1
        said = self.tr("Added: {manuals}").format(manuals=wording.manuals(self._count))
        self._title.setText(said)
        self.setAccessibleName(said)
        if len(self.rows) == MOST_ROWS:
            return
        title = label(view.title, bold=True, wrap=True)
        detail = label(view.detail, factor=Type.SMALL, tone=view.tone or "muted", wrap=True)
        about = label("", factor=Type.SMALL, wrap=True)
        about.hide()
        for each in (title, detail, about):
            each.setMinimumWidth(1)
        questions = SuggestionBlock(self.tr("It answers"))
        questions.chosen.connect(self.chosen)
        row = in_column(spacing=Space.HAIR)
        fill(row, title, detail, about)
        row.addSpacing(Space.XS)
        row.addWidget(questions)
        self._column.addLayout(row)
        self.rows[document_id] = (about, questions)

    def say(self, document_id: int, about: str) -> None:
        """Say what a manual is about, as soon as that is known."""
        if about and document_id in self.rows:
            self.rows[document_id][0].setText(about)
            self.rows[document_id][0].show()

    def offer(self, question: SuggestedQuestion) -> None:
        """Offer a question that the manual answers."""
        if question.document_id in self.rows:
            self.rows[question.document_id][1].add(question)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.place()
        return False

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.place()
        return handled

    def place(self) -> None:
        """Lie below the bar, as tall as the rows are."""
        parent = self.parentWidget()
        if parent is not None:
            tall = self.heightForWidth(self.width())
            self.setGeometry(parent.width() - self.width() - Space.L, Size.BAR, self.width(), tall)
            self.raise_()


class SummaryController(QObject):
    """Shows the card over the pages. chosen(prompt, ids): ask this."""

    chosen = Signal(str, object)

    def __init__(self, model: LibraryModel, over: QWidget) -> None:
        super().__init__(over)
        self._model, self._over = model, over
        self._workspace: Workspace | None = None
        self.card: SummaryCard | None = None
        self._expected: set[int] = set()
        self._waiting: list[int] = []
        self._bridge = Bridge("groundwork-summary", self)
        self._bridge.received.connect(self._take)
        self._bridge.finished.connect(lambda _: self._read_next())

    def open_workspace(self, workspace: Workspace) -> None:
        """Tell of the manuals of this library."""
        self._workspace = workspace

    def close(self) -> None:
        """Stop and join."""
        self.dismiss()
        self._bridge.close()

    def expect(self, document_id: int) -> None:
        """A person has added a manual."""
        self._expected.add(document_id)

    def look(self, document_id: int) -> None:
        """Tell of a manual that was expected, once it is read or cannot be."""
        record, view = self._model.record(document_id), self._model.view(document_id)
        if document_id not in self._expected or record is None or view is None:
            return
        if record.state not in OVER:
            return
        self._expected.discard(document_id)
        if self.card is None:
            self.card = SummaryCard(self._over)
            self.card.chosen.connect(self.chosen)
            self.card.left.connect(self.dismiss)
            self.card.show()
        self.card.add(document_id, view)
        if record.state == "ready":
            self._waiting.append(document_id)
            self._read_next()

    def dismiss(self) -> None:
        """Take the card away."""
        card, self.card = self.card, None
        self._waiting.clear()
        self._bridge.cancel()
        if card is not None:
            card.hide()
            card.deleteLater()

    def _read_next(self) -> None:
        workspace, card = self._workspace, self.card
        if workspace is None or card is None or not self._waiting or self._bridge.running:
            return
        document_id = self._waiting.pop(0)
        alone = len(card.rows) == 1 and not self._expected
        self._bridge.start(
            lambda cancel: _told(workspace, document_id, QUESTIONS if alone else 1, cancel)
        )

    def _take(self, told: tuple[int, str] | SuggestedQuestion) -> None:
        if self.card is None:
            return
        if isinstance(told, tuple):
            self.card.say(*told)
        else:
            self.card.offer(told)


def _told(
    workspace: Workspace, document_id: int, most: int, cancel: CancelToken
) -> Iterator[tuple[int, str] | SuggestedQuestion]:
    """Yield a manual's language and chapters, then questions that it answers."""
    code = workspace.library.language(document_id)
    language = tr(QLocale.languageToString(QLocale(code).language())) if code else ""
    about = ", ".join(workspace.library.main_sections(document_id)[:MOST_CHAPTERS])
    yield document_id, ": ".join(filter(None, (language, about)))
    if workspace.suggester is not None:
        yield from workspace.suggester.to_begin_with([document_id], lambda: cancel.cancelled, most)
