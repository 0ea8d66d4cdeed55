"""When the first page is shown, and what leads away from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer

from desktop.ui.errands import Errands
from desktop.ui.language import told
from desktop.ui.models import words
from desktop.ui.welcome.page import WelcomePage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.workspace import Workspace
    from desktop.models.overview import MemoryStatus, ProfileStatus
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.main_window import MainWindow

SEEN = ("window", "welcome_seen")


class WelcomeController(QObject):
    """Shows the page once, in a library without manuals; again from the Help menu."""

    def __init__(self, window: MainWindow, model: LibraryModel) -> None:
        super().__init__(window)
        self._window = window
        self._model = model
        self._workspace: Workspace | None = None
        self._page: WelcomePage | None = None
        self._errands = Errands(self)
        model.rowsInserted.connect(lambda *_: self.leave())

    @property
    def page(self) -> WelcomePage | None:
        """The page, while it is shown."""
        return self._page

    def open_workspace(self, workspace: Workspace) -> None:
        """Welcome whoever has no manual and has not been here before."""
        self._workspace = workspace
        if not workspace.settings.window.welcome_seen and not self._model.rowCount():
            self.show_page()

    def show_page(self) -> None:
        """Show the page instead of the manuals."""
        if self._workspace is None or self._page is not None:
            return
        page = self._page = WelcomePage()
        page.add_wanted.connect(self._window.choose_files)
        page.samples_wanted.connect(self._window.add_samples)
        page.models_wanted.connect(self._window.models.show_page)
        page.left.connect(self._skip)
        self._window.centre.left_above.connect(self._gone)
        self._window.centre.show_above(page)
        self._window.library_panel.offer_ways_in(False)  # the page has the same buttons
        # After the window has given the keyboard to the question: first come manuals.
        QTimer.singleShot(0, page, lambda: page.add.setFocus(Qt.FocusReason.OtherFocusReason))
        models = self._workspace.models
        self._errands.run(
            lambda: (models.profiles(), models.memory()),
            lambda found: page.show_fitting(self._fitting(*found)),
        )

    def leave(self) -> None:
        """Show the manuals again, and the page no more by itself."""
        if self._page is not None:
            self._window.centre.leave_above()

    def close(self) -> None:
        """Join the thread."""
        self._errands.close()

    def _skip(self) -> None:
        self.leave()
        self._window.focus_question()

    def _gone(self) -> None:
        self._window.centre.left_above.disconnect(self._gone)
        self._page = None
        self._window.library_panel.offer_ways_in(True)
        self._window.settings.keeper.change(SEEN, True)

    def _fitting(self, profiles: Sequence[ProfileStatus], memory: MemoryStatus) -> str:
        """Say what the Models page says too: what to use now, and what could be."""
        now = next((each for each in profiles if each.recommended), None)
        largest = next((each for each in profiles if each.largest), None)
        if now is None:
            return ""
        said = self.tr(
            "This computer has {memory} of memory. The profile “{name}” is recommended now. {what}"
        )
        parts = [
            said.format(
                memory=words.machine(memory.machine_bytes),
                name=told(now.title),
                what=told(now.summary),
            )
        ]
        if largest is not None and largest is not now:
            more = self.tr("The largest that fits is “{name}”. {what}")
            parts.append(more.format(name=told(largest.title), what=told(largest.summary)))
            if largest.missing:
                lacking = self.tr("It still needs: {models}.")
                parts.append(lacking.format(models=", ".join(largest.missing)))
        return " ".join(parts)
