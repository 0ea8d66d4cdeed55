"""Starting the window: painted first, the library opened right after; files that arrive later."""

from __future__ import annotations

import gc
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, Qt, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from desktop.core.settings.file import peek_appearance, settings_file
from desktop.core.single_instance import LONGEST_MESSAGE, answer, paths_of
from desktop.ui.bridge import Bridge
from desktop.ui.design.icons import application_icon
from desktop.ui.language import language_in_force, speak, spoken_language
from desktop.ui.settings.controller import dress
from desktop.ui.viewer.centre import load_viewer
from desktop.ui.window.help import UnexpectedErrors
from desktop.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from desktop.core.jobs import CancelToken
    from desktop.core.upkeep.repair import Repair
    from desktop.core.workspace import Workspace
    from desktop.ui.design.notices import Mending


PATIENCE_MS = 3_000
_READ_BYTES = 1 << 16


class Arrivals(QObject):
    """arrived(paths): take these files; without any, come to the front."""

    arrived = Signal(object)

    def __init__(self, application: QApplication, listener: socket.socket | None = None) -> None:
        super().__init__()
        self._application = application
        self._listener = listener
        self._visitors: set[_Visitor] = set()
        self._bell: QSocketNotifier | None = None
        application.installEventFilter(self)
        if listener is not None:
            self._bell = QSocketNotifier(listener.fileno(), QSocketNotifier.Type.Read, self)
            self._bell.activated.connect(self._let_in)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):  # a double click in Finder, a drop on the icon
            path = event.file()
            if path:
                self.arrived.emit([Path(path)])
            return True
        return super().eventFilter(watched, event)

    def close(self) -> None:
        """Stop listening."""
        self._application.removeEventFilter(self)
        if self._bell is not None:
            self._bell.setEnabled(False)
        for visitor in list(self._visitors):
            visitor.leave()

    def _let_in(self) -> None:
        if self._listener is None:
            return
        try:
            client, _ = self._listener.accept()
        except OSError:  # it has gone already
            return
        client.setblocking(False)
        visitor = _Visitor(client, self)
        self._visitors.add(visitor)
        visitor.spoke.connect(self.arrived)
        visitor.left.connect(lambda: self._visitors.discard(visitor))


class _Visitor(QObject):
    """A second start: says in one line which files it was given, and is answered."""

    spoke = Signal(object)
    left = Signal()

    def __init__(self, client: socket.socket, parent: QObject) -> None:
        super().__init__(parent)
        self._client = client
        self._said = b""
        self._ear = QSocketNotifier(client.fileno(), QSocketNotifier.Type.Read, self)
        self._ear.activated.connect(self._listen)
        QTimer.singleShot(PATIENCE_MS, self, self.leave)

    def leave(self) -> None:
        if self._ear.isEnabled():
            self._ear.setEnabled(False)
            self._client.close()
            self.left.emit()
            self.deleteLater()

    def _listen(self) -> None:
        try:
            data = self._client.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self._said += data
        if data and not self._said.endswith(b"\n") and len(self._said) <= LONGEST_MESSAGE:
            return
        paths = paths_of(self._said) if self._said.endswith(b"\n") else None
        if paths is not None:
            answer(self._client)
            self.spoke.emit(paths)
        self.leave()


INTERRUPT_POLL_MS = 300
SOON_MS, LATER_MS = 100, 500
"""After which a changed language is looked at, then whether work still goes on."""
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
    opening = Opening(workspace_factory, folder)
    shown = ShownWindow(app, opening, folder)
    arrivals.arrived.connect(lambda paths: shown.window.take_in(paths))
    unexpected = UnexpectedErrors()
    unexpected.happened.connect(lambda: shown.window.diagnostics.tell_unexpected())
    if files:
        shown.window.take_in(list(files))
    opening.begin_when_painted()
    shown.window.show()
    if when_shown is not None:
        tell = when_shown
        QTimer.singleShot(0, shown, lambda: tell(shown.window))
    poll = _let_interrupts_through(shown)
    try:
        return app.exec()
    finally:
        poll.stop()
        unexpected.close()
        arrivals.close()
        shown.window.close()
        opening.close()
        _delete(shown.window)
        _collect_garbage()


class ShownWindow(QObject):
    """The current window; another language means another window, as after a restart."""

    def __init__(self, application: QApplication, opening: Opening, folder: Path | None) -> None:
        """folder: the library's, so that the window appears where it was left."""
        super().__init__()
        self._application, self._opening, self._folder = application, opening, folder
        self._waiting = QTimer(self, singleShot=True)
        self._waiting.timeout.connect(self._change_language)
        self._told = False
        self.window = self._make()

    def _make(self) -> MainWindow:
        window = MainWindow(folder=self._folder)
        # The last window closed is not enough: a dialog of the system may outlive ours.
        window.closed.connect(self._application.quit, Qt.ConnectionType.QueuedConnection)
        window.closed.connect(self._waiting.stop)
        # Later: it is said from within the list of languages, which goes with its window.
        window.settings.language_wanted.connect(lambda: self._waiting.start(SOON_MS))
        self._opening.serve(window)
        return window

    def _change_language(self) -> None:
        """Switch to the language of the settings, as soon as no work would be cut short."""
        language = language_in_force(self.window.settings.settings.window.language)
        if language == spoken_language():
            self._told = False
            return
        if self.window.is_busy:
            if not self._told:
                said = self.tr("The language changes as soon as the current work is done.")
                self.window.settings.say(said)
            self._told = True
            self._waiting.start(LATER_MS)
            return
        self._told = False
        self._application.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            self._replace(language)
        finally:
            self._application.restoreOverrideCursor()
        # Later: what the old window had posted still holds parts of it.
        QTimer.singleShot(LATER_MS, self, _collect_garbage)

    def _replace(self, language: str) -> None:
        page = self.window.settings.page
        geometry = page.geometry() if page is not None and page.isVisible() else None
        old = self.window
        old.end()
        speak(self._application, language)
        self.window = self._make()
        self.window.show()
        if geometry is not None:
            self.window.settings.show_language(geometry)
        old.close()
        _delete(old)


def _delete(window: MainWindow) -> None:
    """Delete widgets and icons now, while there is an application and all of Python.

    Python would do so at its very end, in an order that nobody chose.
    """
    window.deleteLater()
    QApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)


def _collect_garbage() -> None:
    """Collect what loading a model excluded from collections, then exclude it again."""
    frozen = gc.get_freeze_count() > 0
    gc.unfreeze()
    gc.collect()
    if frozen:
        gc.freeze()


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

    def begin_when_painted(self) -> None:
        """Open the library after the window's first paint, which other threads would hold up."""
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


def _let_interrupts_through(shown: ShownWindow) -> QTimer:
    """Make Ctrl+C in the terminal close the window in the ordinary way."""
    signal.signal(signal.SIGINT, lambda *_: shown.window.close())
    # Python only looks at signals when it runs: Qt's loop has to come back to it.
    timer = QTimer()
    timer.timeout.connect(lambda: None)
    timer.start(INTERRUPT_POLL_MS)
    return timer


def load_parts() -> None:
    """Import what the parts of the window need as soon as there is a library; in any thread."""
    load_viewer()
    import psutil  # noqa: F401 - the battery is asked through it

    import desktop.core.conversations.suggested_questions
    import desktop.core.library.domains
    import desktop.ui.models.packs
    import desktop.ui.notes.page_links  # noqa: F401 - for its effect: it is loaded then
