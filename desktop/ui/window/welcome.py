"""The first page, when it is shown, and what leads away from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop.core.paths import sample_manuals
from desktop.ui.bridge import Errands
from desktop.ui.design.controls import (
    FlowLayout,
    fill,
    in_column,
    in_row,
    label,
    painted_as,
    push_button,
)
from desktop.ui.design.icons import application_icon
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import tr
from desktop.ui.models import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.workspace import Workspace
    from desktop.models.overview import MemoryStatus, ProfileStatus
    from desktop.ui.chat.chat_panel import ChatPanel
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.library.panel import LibraryPanel
    from desktop.ui.settings.controller import SettingsController
    from desktop.ui.viewer.centre import Centre

SEEN = ("window", "welcome_seen")


class WelcomeController(QObject):
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
        self._workspace: Workspace | None = None
        self._page: WelcomePage | None = None
        self._errands = Errands(self)
        model.added.connect(self.leave)

    @property
    def page(self) -> WelcomePage | None:
        """The page, while it is shown."""
        return self._page

    def open_workspace(self, workspace: Workspace) -> None:
        """Welcome whoever has no manual and has not been here before."""
        self._workspace = workspace
        if not workspace.settings.window.welcome_seen and not self._model.records():
            self.show_page()

    def show_page(self) -> None:
        """Show the page instead of the manuals."""
        if self._workspace is None or self._page is not None:
            return
        page = self._page = WelcomePage()
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
        if self._page is not None:
            self._centre.leave_above()

    def close(self) -> None:
        """Join the thread."""
        self._errands.close()

    def _skip(self) -> None:
        self.leave()
        self._chat.focus_question()

    def _gone(self) -> None:
        self._centre.left_above.disconnect(self._gone)
        self._page = None
        self._library.offer_ways_in(True)
        self._settings.keeper.change(SEEN, True)

    def _fitting(self, profiles: Sequence[ProfileStatus], memory: MemoryStatus) -> str:
        """Say what to use now; what could be used is on the Models page."""
        now = next((each for each in profiles if each.recommended), None)
        if now is None:
            return ""
        said = self.tr(
            "For this computer, with {memory} of memory, “{name}” is recommended now. {what}"
        )
        return said.format(
            memory=words.machine(memory.machine_bytes),
            name=tr(now.title),
            what=tr(now.summary),
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
        self.add = push_button(self.tr("Add manuals…"), kind="primary")
        self.samples = push_button(self.tr("Open the sample manuals"))
        self.models = push_button(self.tr("Models…"), name="usb")
        self.skip = push_button(self.tr("Skip"))
        self.fitting = label("", wrap=True)
        self.add.clicked.connect(self.add_wanted)
        self.samples.clicked.connect(self.samples_wanted)
        self.models.clicked.connect(self.models_wanted)
        self.skip.clicked.connect(self.left)
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
        middle.addStretch(1)
        middle.addWidget(box, 20)
        middle.addStretch(1)
        outer = in_column(inner)
        outer.addStretch(1)
        outer.addLayout(middle)
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
