"""What was just added, once it is read: a small card over the pages, gone with one click."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLocale, QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.ui import wording
from desktop.ui.bridge import Errands
from desktop.ui.chat.turn_parts import SuggestionBlock
from desktop.ui.design.controls import fill, flat_button, in_column, in_row, label
from desktop.ui.design.popups import ROOM, Floating
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.core.conversations.suggested_questions import SuggestedQuestion
    from desktop.core.workspace import Workspace
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.library.row import RowView
    from desktop.ui.viewer.centre import Centre

WIDTH = 380
MOST_ROWS = 4
QUESTIONS = 3
"""That one manual answers; of several it is one each."""


class ManualRow(QWidget):
    """What a manual is, what could not be read of it, and questions that it answers."""

    def __init__(self, view: RowView) -> None:
        super().__init__()
        self.detail = label(view.detail, factor=Type.SMALL, tone=view.tone or "muted", wrap=True)
        self.questions = SuggestionBlock(self.tr("It answers"))
        column = in_column(self, spacing=Space.XS)
        fill(column, label(view.title, bold=True, wrap=True), self.detail, self.questions)

    def introduce(self, language: str, questions: Sequence[SuggestedQuestion]) -> None:
        """Say its language, and offer questions."""
        self.detail.setText(" · ".join(filter(None, (language, self.detail.text()))))
        for question in questions:
            self.questions.add(question)


class SummaryCard(Floating):
    """Which manuals were added, the first of them with what they are. dismissed(): by a click."""

    dismissed = Signal()

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.rows: dict[int, ManualRow] = {}
        self._manuals = 0
        self._title = label("", factor=Type.SMALL, bold=True, tone="muted")
        close = flat_button("x", self.tr("Dismiss"))
        close.clicked.connect(self.dismissed)
        head = in_row()
        head.addWidget(self._title, 1)
        head.addWidget(close)
        left, top, right, bottom = (side + Space.M for side in ROOM)
        self._column = in_column(self, (left, top, right, bottom), spacing=Space.M)
        self._column.addLayout(head)

    def add(self, document_id: int, view: RowView) -> ManualRow | None:
        """Count one more manual; returns its row, None if there are enough."""
        self._manuals += 1
        said = self.tr("Added: {manuals}").format(manuals=wording.manuals(self._manuals))
        self._title.setText(said)
        self.setAccessibleName(said)
        if len(self.rows) == MOST_ROWS:
            return None
        row = self.rows[document_id] = ManualRow(view)
        self._column.addWidget(row)
        return row


class SummaryController(QObject):
    """Shows the card in the upper right corner of `over`. chosen(prompt, ids): ask this."""

    chosen = Signal(str, object)

    def __init__(self, model: LibraryModel, over: Centre) -> None:
        super().__init__(over)
        self._model, self._over = model, over
        self._place: tuple[int, int] | None = None  # in view when the card came
        self._workspace: Workspace | None = None
        self.card: SummaryCard | None = None
        self._expected: set[int] = set()
        self._errands = Errands(self)
        over.installEventFilter(self)
        over.turned.connect(self._turned)

    def open_workspace(self, workspace: Workspace) -> None:
        """Tell of the manuals of this library."""
        self._workspace = workspace

    def close(self) -> None:
        """Stop and join."""
        self.dismiss()
        self._errands.close()

    def expect(self, document_id: int) -> None:
        """A person has added a manual."""
        self._expected.add(document_id)

    def look(self, _document_id: int) -> None:
        """Tell of the manuals that were expected, once the last of them is read or cannot be."""
        found = [each for id_ in sorted(self._expected) if (each := self._model.record(id_))]
        if any(each.being_read for each in found):
            return
        self._expected.clear()
        told = [each.id for each in found if each.state != "cancelled"]
        if told and self.card is None:
            self._place = self._over.place()
            self.card = SummaryCard(self._over)
            self.card.dismissed.connect(self.dismiss)
            self.card.installEventFilter(self)
            self.card.show()
        for document_id in told:
            self._tell(document_id, alone=len(told) == 1)

    def _tell(self, document_id: int, *, alone: bool) -> None:
        workspace, card, view = self._workspace, self.card, self._model.view(document_id)
        row = card.add(document_id, view) if card is not None and view is not None else None
        if row is None or workspace is None:
            return
        row.questions.chosen.connect(self.chosen)
        most = QUESTIONS if alone and card is not None and len(card.rows) == 1 else 1
        self._errands.run(
            lambda: _introduction(workspace, document_id, most, lambda: self.card is not card),
            lambda found: row.introduce(*found) if self.card is card else None,
        )

    def _turned(self) -> None:
        """Leave the pages to a person who turns them."""
        if self.card is not None and self._place and self._over.place() != self._place:
            self.dismiss()

    def dismiss(self) -> None:
        """Take the card away."""
        card, self.card = self.card, None
        if card is not None:
            card.hide()
            card.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the card below the bar, as tall as its rows are."""
        if self.card is not None and event.type() in (
            QEvent.Type.Resize,
            QEvent.Type.LayoutRequest,
        ):
            self.card.resize(WIDTH, self.card.heightForWidth(WIDTH))
            self.card.move(self._over.width() - WIDTH - Space.L, Size.BAR)
            self.card.raise_()
        return False


def _introduction(
    workspace: Workspace, document_id: int, most: int, cancelled: Callable[[], bool]
) -> tuple[str, list[SuggestedQuestion]]:
    """Return a manual's language, and questions that it answers."""
    code = workspace.library.language(document_id)
    language = tr(QLocale.languageToString(QLocale(code).language())) if code else ""
    suggester = workspace.suggester
    questions = suggester.to_begin_with([document_id], cancelled, most) if suggester else ()
    return language, list(questions)
