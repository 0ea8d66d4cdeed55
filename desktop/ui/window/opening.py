"""Opening the library on a thread, and what its parts of the window are imported for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.ui.bridge import Bridge
from desktop.ui.viewer.centre import load_viewer

if TYPE_CHECKING:
    from desktop.core.jobs import CancelToken
    from desktop.core.upkeep.repair import Repair
    from desktop.core.workspace import Workspace
    from desktop.ui.design.notices import Mending
    from desktop.ui.window.main_window import MainWindow


class Opening(QObject):
    """Opens the workspace on a thread and owns it."""

    _window: MainWindow

    def __init__(self, factory: Callable[[], Workspace], folder: Path | None = None) -> None:
        """folder: the library's, so that a damaged one can be mended."""
        super().__init__()
        self._folder = folder
        self._factory = factory
        self._opened: list[Workspace] = []
        self._workspace: Workspace | None = None
        self._failure: BaseException | None = None
        self._bridge = Bridge("groundwork-opening", self, self._show, self._finished)
        self._begun = False

    def serve(self, window: MainWindow) -> None:
        """Open the library for this window from now on, or show it the one that is open."""
        self._window = window
        window.retry_wanted.connect(self.begin)
        window.mend_wanted.connect(self.mend)
        if self._workspace is not None:
            window.open_workspace(self._workspace)
        elif self._failure is not None:
            self._show_problem(self._failure)

    def begin_once(self) -> None:
        """Open the library, unless that was begun or it is closed already."""
        if not self._begun:
            self.begin()

    def begin(self) -> None:
        self._begun, self._failure = True, None
        self._bridge.start(self._job)

    def mend(self, how: Mending) -> None:
        """Repair the library or restore its newest good backup, then open it."""
        self._bridge.start(lambda cancel: self._mending(how, cancel))

    def close(self) -> None:
        """Close what was opened, even if the window never got it; nothing more is opened."""
        self._begun = True
        self._bridge.close()
        while self._opened:
            self._opened.pop().close()

    def _job(self, _cancel: CancelToken) -> Iterator[Workspace]:
        workspace = self._factory()
        self._opened.append(workspace)
        # Here, because loading QtPdf and pydantic would hold up the window.
        load_parts()
        yield workspace
        load_answers()

    def _mending(self, how: Mending, cancel: CancelToken) -> Iterator[Workspace]:
        from desktop.core.upkeep.repair import mend

        assert self._folder is not None  # a problem of a library has one
        done = mend(self._folder, how)
        for workspace in self._job(cancel):
            told = self._told(done)
            workspace.notice = f"{workspace.notice} {told}".strip()
            yield workspace

    def _told(self, done: Repair) -> str:
        text = self.tr("The library is intact again; the damaged file is kept with its backups.")
        if done.incomplete:
            text += " " + self.tr("Some conversations could not be read.")
        if done.to_read:
            text += " " + self.tr("%n manuals are being read again.", "", done.to_read)
        return text

    def _show(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._window.open_workspace(workspace)
        workspace.notice = ""  # said once, not by every window

    def _finished(self, failure: BaseException | None) -> None:
        self._failure = failure
        if failure is not None:
            self._show_problem(failure)

    def _show_problem(self, failure: BaseException) -> None:
        from desktop.core.store.backups import backups_of  # numpy comes with it

        backups = backups_of(self._folder) if self._folder is not None else []
        self._window.show_problem(failure, backups[0].made_at if backups else None)


def load_parts() -> None:
    """Import what the parts of the window need as soon as there is a library; in any thread."""
    load_viewer()
    import psutil  # noqa: F401 - the battery is asked through it

    import desktop.core.conversations.suggested_questions
    import desktop.core.library.domains
    import desktop.ui.models.packs
    import desktop.ui.notes.page_links  # noqa: F401 - for its effect: it is loaded then


def load_answers() -> None:
    """Import what questions are answered with, while the library is shown; in any thread."""
    import desktop.ui.chat.turn
    import desktop.ui.trace.step_card  # noqa: F401 - for its effect: it is loaded then
