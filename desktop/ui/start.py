"""Starting the window: painted first, the library opened right after."""

from __future__ import annotations

import gc
import signal
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from desktop.core.settings.file import peek_appearance, settings_file
from desktop.ui.arrivals import Arrivals
from desktop.ui.bridge import Bridge
from desktop.ui.centre import load_viewer
from desktop.ui.diagnostics import UnexpectedErrors
from desktop.ui.icons import application_icon
from desktop.ui.laptop import load_listener
from desktop.ui.main_window import MainWindow
from desktop.ui.models.controller import load_work
from desktop.ui.settings.appearance import dress

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from desktop.core.jobs import CancelToken
    from desktop.core.upkeep.repair import Repair
    from desktop.core.workspace import Workspace
    from desktop.ui.problems import Mending

INTERRUPT_POLL_MS = 300
UNPAINTED_MS = 1_000
"""A window that starts minimised is not painted; after this its library is opened all the same."""
SWITCH_SECONDS = 0.001
"""How long another thread's Python may keep the window waiting, instead of Python's 5 ms."""


def run_window(
    workspace_factory: Callable[[], Workspace],
    argv: Sequence[str],
    folder: Path | None = None,
    *,
    listener: socket.socket | None = None,
    files: Sequence[Path] = (),
    when_shown: Callable[[MainWindow], None] | None = None,
) -> int:
    """Show the window, open the workspace after its first paint, return the exit code.

    workspace_factory: opens the library; called on another thread, again for every retry.
    folder: the library's folder, so that the window appears where it was left.
    listener: where a second start of the program hands its files over.
    files: to be taken in as soon as the library is open.
    when_shown: called once, when the window has been painted.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    app = make_application(argv)
    arrivals = Arrivals(app, listener)  # before the window: the system may be calling already
    window = MainWindow(folder=folder)
    arrivals.arrived.connect(window.take_in)
    unexpected = UnexpectedErrors()
    unexpected.happened.connect(window.diagnostics.tell_unexpected)
    if files:
        window.take_in(list(files))
    opening = Opening(workspace_factory, window, folder)
    # The last window closed is not enough: a dialog of the system may outlive ours.
    window.closed.connect(app.quit, Qt.ConnectionType.QueuedConnection)
    opening.begin_when_painted()
    window.show()
    if when_shown is not None:
        tell = when_shown
        QTimer.singleShot(0, window, lambda: tell(window))
    poll = _let_interrupts_through(window)
    try:
        return app.exec()
    finally:
        poll.stop()
        unexpected.close()
        arrivals.close()
        window.close()
        opening.close()
        _delete(window)


def _delete(window: MainWindow) -> None:
    """Delete widgets and icons now, while there is an application and all of Python.

    Python would do so at its very end, in an order that nobody chose.
    """
    window.deleteLater()
    QApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
    gc.collect()


class Opening(QObject):
    """Opens the workspace on a thread and owns it."""

    def __init__(
        self, factory: Callable[[], Workspace], window: MainWindow, folder: Path | None = None
    ) -> None:
        """folder: the library's, so that a damaged one can be mended."""
        super().__init__()
        self._folder = folder
        self._factory = factory
        self._window = window
        self._opened: list[Workspace] = []
        self._bridge = Bridge("groundwork-opening", self)
        self._bridge.received.connect(window.open_workspace)
        self._bridge.finished.connect(self._finished)
        window.retry_wanted.connect(self.begin)
        window.mend_wanted.connect(self.mend)
        self._begun = False

    def begin_when_painted(self) -> None:
        """Open it after the window's first paint, which other threads would hold up."""
        self._window.installEventFilter(self)
        QTimer.singleShot(UNPAINTED_MS, self, self._begin_once)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self, self._begin_once)  # when all of it is painted
        return super().eventFilter(watched, event)

    def _begin_once(self) -> None:
        if not self._begun:
            self.begin()

    def begin(self) -> None:
        """Try to open it."""
        self._begun = True
        self._bridge.start(self._job)

    def mend(self, how: Mending) -> None:
        """Repair the library or restore its newest good backup, then open it."""
        self._bridge.start(lambda cancel: self._mending(how, cancel))

    def close(self) -> None:
        """Close what was opened, even if the window never got it."""
        self._bridge.close()
        while self._opened:
            self._opened.pop().close()

    def _job(self, _cancel: CancelToken) -> Iterator[Workspace]:
        workspace = self._factory()
        self._opened.append(workspace)
        # Here, because loading QtPdf and pydantic would hold up the window.
        load_parts()
        yield workspace

    def _mending(self, how: Mending, cancel: CancelToken) -> Iterator[Workspace]:
        from desktop.core.upkeep.repair import mend

        assert self._folder is not None  # a problem of a library has one
        done = mend(self._folder, how)
        for workspace in self._job(cancel):
            told = self._told(done)
            workspace.notice = f"{workspace.notice} {told}".strip()
            yield workspace

    def _told(self, done: Repair) -> str:
        text = self.tr("The library is whole again; the damaged file is kept among its backups.")
        if done.incomplete:
            text += " " + self.tr("Some conversations could not be read.")
        if done.to_read:
            text += " " + self.tr("%n manuals are being read again.", "", done.to_read)
        return text

    def _finished(self, failure: BaseException | None) -> None:
        if failure is not None:
            from desktop.core.store.backups import backups_of  # numpy comes with it

            backups = backups_of(self._folder) if self._folder is not None else []
            self._window.show_problem(failure, backups[0].made_at if backups else None)


def make_application(argv: Sequence[str]) -> QApplication:
    """Return the application in the look and the language that the settings say."""
    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else QApplication(list(argv))
    app.setApplicationName("Groundwork")
    app.setApplicationDisplayName("Groundwork")
    app.setDesktopFileName("groundwork")
    if not (sys.platform == "darwin" and getattr(sys, "frozen", False)):
        app.setWindowIcon(application_icon())  # a .app has its own, in more sizes
    dress(app, peek_appearance(settings_file()))
    return app


def _let_interrupts_through(window: MainWindow) -> QTimer:
    """Make Ctrl+C in the terminal close the window in the ordinary way."""
    signal.signal(signal.SIGINT, lambda *_: window.close())
    # Python only looks at signals when it runs: Qt's loop has to come back to it.
    timer = QTimer()
    timer.timeout.connect(lambda: None)
    timer.start(INTERRUPT_POLL_MS)
    return timer


def load_parts() -> None:
    """Import what the parts of the window need as soon as there is a library; in any thread."""
    load_viewer()
    load_work()
    load_listener()
    import psutil  # noqa: F401 - the battery is asked through it

    import desktop.core.conversations.suggested_questions
    import desktop.core.library.domains
    import desktop.ui.notes.page_links  # noqa: F401 - for its effect: it is loaded then
