"""The first page, and the card that says what was just added, once it is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLocale, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop.core.paths import sample_manuals
from desktop.ui import wording
from desktop.ui.bridge import WindowPart
from desktop.ui.chat.offered_questions import SuggestionBlock
from desktop.ui.design.controls import (
    FlowLayout,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    painted_as,
    push_button,
)
from desktop.ui.design.icons import application_icon
from desktop.ui.design.popups import ROOM, Floating
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import tr
from desktop.ui.models import words

if TYPE_CHECKING:
    from desktop.core.conversations.suggested_questions import SuggestedQuestion
    from desktop.core.workspace import Workspace
    from desktop.models.overview import MemoryStatus, ProfileStatus
    from desktop.ui.chat.chat_panel import ChatPanel
    from desktop.ui.library.model import LibraryModel, RowView
    from desktop.ui.library.panel import LibraryPanel
    from desktop.ui.settings.controller import SettingsController
    from desktop.ui.viewer.centre import Centre


SEEN = ("window", "welcome_seen")


class WelcomeController(WindowPart):
    """Shows the page once, in a library without manuals; again from the Help menu."""

    add_wanted = Signal()
    samples_wanted = Signal()
    models_wanted = Signal()

    def __init__(
        self,
        window: QWidget,
        model: LibraryModel,
        centre: Centre,
        library_panel: LibraryPanel,
        chat: ChatPanel,
        settings: SettingsController,
    ) -> None:
        super().__init__(window)
        self._model, self._centre, self._library = model, centre, library_panel
        self._chat, self._settings = chat, settings
        self.page: WelcomePage | None = None
        model.added.connect(self.leave)

    def open_workspace(self, workspace: Workspace) -> None:
        """Welcome whoever has no manual and has not been here before."""
        self._workspace = workspace
        if not workspace.settings.window.welcome_seen and not self._model.records():
            self.show_page()

    def show_page(self) -> None:
        """Show the page instead of the manuals."""
        if self._workspace is None or self.page is not None:
            return
        page = self.page = WelcomePage()
        page.add_wanted.connect(self.add_wanted)
        page.samples_wanted.connect(self.samples_wanted)
        page.models_wanted.connect(self.models_wanted)
        page.left.connect(self._skip)
        self._centre.left_above.connect(self._gone)
        self._centre.show_above(page)
        self._library.offer_ways_in(False)  # the page has the same buttons
        # After the window has given the keyboard to the question: first come manuals.
        QTimer.singleShot(0, page, lambda: page.add.setFocus(Qt.FocusReason.OtherFocusReason))
        models = self._workspace.models
        self._errands.run(
            lambda: (models.profiles(), models.memory()),
            lambda found: page.show_fitting(self._fitting(*found)),
        )

    def leave(self) -> None:
        """Show the manuals again; the page no longer appears by itself."""
        if self.page is not None:
            self._centre.leave_above()

    def _skip(self) -> None:
        self.leave()
        self._chat.focus_question()

    def _gone(self) -> None:
        self._centre.left_above.disconnect(self._gone)
        self.page = None
        self._library.offer_ways_in(True)
        self._settings.change(SEEN, True)

    def _fitting(self, profiles: Sequence[ProfileStatus], memory: MemoryStatus) -> str:
        """Say what to use now; what could be used is on the Models page."""
        now = next((each for each in profiles if each.recommended), None)
        if now is None:
            return ""
        said = self.tr(
            "For this computer, with {memory} of memory, “{name}” is recommended now. {what}"
        )
        return said.format(
            memory=words.machine(memory.machine_bytes), name=tr(now.title), what=tr(now.summary)
        )


WIDTH = 620
PICTURE = 56


class WelcomePage(QScrollArea):
    """add_wanted, samples_wanted, models_wanted, left: its buttons."""

    add_wanted = Signal()
    samples_wanted = Signal()
    models_wanted = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Welcome"))
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.add = push_button(self.tr("Add manuals…"), self.add_wanted, kind="primary")
        self.samples = push_button(self.tr("Open the sample manuals"), self.samples_wanted)
        self.models = push_button(self.tr("Models…"), self.models_wanted, name="usb")
        self.skip = push_button(self.tr("Skip"), self.left)
        self.fitting = label("", wrap=True)
        self.samples.setVisible(bool(sample_manuals()))
        self.show_fitting("")
        self._lay_out()

    def show_fitting(self, sentence: str) -> None:
        """Say which profile fits this computer."""
        self.fitting.setText(sentence or self.tr("Checking this computer…"))

    def _lay_out(self) -> None:
        box = QWidget()
        box.setMaximumWidth(WIDTH)
        column = in_column(box, (Space.L, Space.L, Space.L, Space.L), spacing=Space.M)
        head = in_row(spacing=Space.M)
        picture = label()
        picture.setPixmap(application_icon().pixmap(PICTURE, PICTURE))
        head.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        words = in_column(spacing=Space.XS)
        title = self.tr("Welcome to Groundwork")
        about = self.tr(
            "Ask your equipment manuals. Every answer shows the place on the page that it comes "
            "from. Nothing leaves this computer."
        )
        words.addWidget(label(title, factor=Type.TITLE, bold=True, wrap=True))
        words.addWidget(label(about, factor=Type.LEAD, wrap=True))
        head.addLayout(words, 1)
        adding = self.tr(
            "Drop PDFs, Office files or whole folders anywhere on this window. You can ask "
            "questions within seconds."
        )
        manuals, models = self.tr("Add your manuals"), self.tr("Language models, if you want them")
        foot = in_row(spacing=Space.M)
        foot.addWidget(self.skip)
        again = self.tr("This page is under “Welcome” in the Help menu.")
        foot.addWidget(label(again, tone="muted", wrap=True), 1)
        fill(
            column,
            head,
            _step(manuals, label(adding, wrap=True), self.add, self.samples),
            _step(models, self.fitting, self.models),
            foot,
        )
        inner = QWidget()
        painted_as(inner, "panel")
        middle = in_row()
        fill(middle, None, (box, 20), None)
        outer = in_column(inner)
        fill(outer, None, middle)
        outer.addStretch(2)
        self.setWidget(inner)


def _step(title: str, words: QWidget, *buttons: QWidget) -> QFrame:
    card = QFrame()
    card.setProperty("role", "card")
    column = in_column(card, (Space.L, Space.M, Space.L, Space.M), spacing=Space.S)
    shelf = QWidget()
    row = FlowLayout(shelf, Space.S)
    for button in buttons:
        row.addWidget(button)
    fill(column, label(title, factor=Type.LEAD, bold=True), words, shelf)
    return card


CARD_WIDTH = 380
MOST_ROWS = 4
QUESTIONS = 3
"""That one manual answers; of several it is one each."""


class ManualRow(QWidget):
    """What a manual is, what could not be read of it, and questions that it answers."""

    def __init__(self, view: RowView) -> None:
        super().__init__()
        self.detail = label(view.detail, factor=Type.SMALL, tone=view.tone or "muted", wrap=True)
        self.questions = SuggestionBlock(self.tr("Questions this manual answers"))
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
        head = in_row()
        fill(head, (self._title, 1), flat_button("x", self.tr("Dismiss"), self.dismissed))
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


class SummaryController(WindowPart):
    """Shows the card in the upper right corner of `over`. chosen(prompt, ids): ask this."""

    chosen = Signal(str, object)

    def __init__(self, model: LibraryModel, over: Centre) -> None:
        super().__init__(over)
        self._model, self._over = model, over
        self._place: tuple[int, int] | None = None  # in view when the card came
        self.card: SummaryCard | None = None
        self._expected: set[int] = set()
        over.installEventFilter(self)
        over.turned.connect(self._turned)

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
            self.card.resize(CARD_WIDTH, self.card.heightForWidth(CARD_WIDTH))
            self.card.move(self._over.width() - CARD_WIDTH - Space.L, Size.BAR)
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
