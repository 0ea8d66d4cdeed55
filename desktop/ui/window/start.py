"""Starting the window: painted as a frame, then with its contents; files that arrive later.

What this imports holds up the first paint: the rest is imported after it.
"""

from __future__ import annotations

import gc
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtCore
from PySide6.QtCore import QEvent, QEventLoop, QObject, QSocketNotifier, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from desktop.core.settings.file import peek_appearance, settings_file
from desktop.core.single_instance import LONGEST_MESSAGE, answer, paths_of
from desktop.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from desktop.core.workspace import Workspace
    from desktop.ui.window.opening import Opening


PATIENCE_MS = 3_000
_READ_BYTES = 1 << 16


class Application(QApplication):
    """file_opened(path): a double click in Finder, a drop on the icon."""

    file_opened = Signal(str)

    def event(self, event: QEvent) -> bool:
        # No filter: it would see the events of all widgets, and each takes its time in Python.
        if isinstance(event, QFileOpenEvent):
            if event.file():
                self.file_opened.emit(event.file())
            return True
        return super().event(event)


class Arrivals(QObject):
    """arrived(paths): take these files; without any, come to the front."""

    arrived = Signal(object)

    def __init__(self, application: Application, listener: socket.socket | None = None) -> None:
        super().__init__()
        self._application = application
        self._listener = listener
        self._visitors: set[_Visitor] = set()
        self._bell: QSocketNotifier | None = None
        application.file_opened.connect(self._take_opened)
        if listener is not None:
            self._bell = QSocketNotifier(listener.fileno(), QSocketNotifier.Type.Read, self)
            self._bell.activated.connect(self._let_in)

    def _take_opened(self, path: str) -> None:
        self.arrived.emit([Path(path)])

    def close(self) -> None:
        """Stop listening."""
        self._application.file_opened.disconnect(self._take_opened)
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
"""A window that starts minimised is not painted; after this it goes on all the same."""
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
    """Paint the window's frame, make its contents, open the workspace; return the exit code.

    Each of the three waits until the one before is painted.

    workspace_factory: opens the library; called on another thread, again for every retry.
    folder: the library's folder, so that the window appears where it was left.
    listener: where a second start of the program hands its files over.
    files: to be taken in as soon as the library is open.
    when_shown: called once, when the window has its contents.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    app = _application(argv)
    arrivals = Arrivals(app, listener)  # before the window: the system may be calling already
    shown = ShownWindow(app, folder)
    arrivals.arrived.connect(lambda paths: shown.window.take_in(paths))
    if files:
        shown.window.take_in(list(files))
    poll = _let_interrupts_through(shown)
    try:
        shown.window.show()
        _wait_for_paint(shown.window)
        return 0 if shown.window.is_closed else _fill(shown, workspace_factory, when_shown)
    finally:
        poll.stop()
        arrivals.close()
        shown.window.close()
        _delete(shown.window)
        _collect_garbage()


def _fill(
    shown: ShownWindow,
    workspace_factory: Callable[[], Workspace],
    when_shown: Callable[[MainWindow], None] | None,
) -> int:
    """Give the painted frame its contents and a library; return the exit code at the end."""
    from desktop.ui.window.help import UnexpectedErrors
    from desktop.ui.window.opening import Opening

    _dress(shown.application)
    opening = Opening(workspace_factory, shown.folder)
    shown.fill(opening)
    unexpected = UnexpectedErrors()
    unexpected.happened.connect(lambda: shown.window.diagnostics.tell_unexpected())
    NextPaint(shown.window).happened.connect(opening.begin_once)
    if when_shown is not None:
        tell = when_shown
        QTimer.singleShot(0, shown, lambda: tell(shown.window))
    try:
        return shown.application.exec()
    finally:
        unexpected.close()
        shown.window.close()
        opening.close()


class ShownWindow(QObject):
    """The current window; another language means another window, as after a restart."""

    def __init__(self, application: QApplication, folder: Path | None) -> None:
        """folder: the library's, so that the window appears where it was left."""
        super().__init__()
        self.application, self.folder = application, folder
        self._waiting = QTimer(self, singleShot=True)
        self._waiting.timeout.connect(self._change_language)
        self._told = False
        self.window = MainWindow(folder=folder)

    def fill(self, opening: Opening) -> None:
        """Make the contents of the window, which `opening` opens the library for."""
        self._opening = opening
        window = self.window
        window.build()
        # The last window closed is not enough: a dialog of the system may outlive ours.
        queued = QtCore.Qt.ConnectionType.QueuedConnection
        window.closed.connect(self.application.quit, queued)
        window.closed.connect(self._waiting.stop)
        # Later: it is said from within the list of languages, which goes with its window.
        window.settings.language_wanted.connect(lambda: self._waiting.start(SOON_MS))
        opening.serve(window)

    def _change_language(self) -> None:
        """Switch to the language of the settings, as soon as no work would be cut short."""
        from desktop.ui.language import language_in_force, spoken_language

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
        self.application.setOverrideCursor(QtCore.Qt.CursorShape.WaitCursor)
        try:
            self._replace(language)
        finally:
            self.application.restoreOverrideCursor()
        # Later: what the old window had posted still holds parts of it.
        QTimer.singleShot(LATER_MS, self, _collect_garbage)

    def _replace(self, language: str) -> None:
        from desktop.ui.language import speak

        page = self.window.settings.page
        geometry = page.geometry() if page is not None and page.isVisible() else None
        old = self.window
        old.end()
        speak(self.application, language)
        self.window = MainWindow(folder=self.folder)
        self.fill(self._opening)
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


class NextPaint(QObject):
    """happened(): the window was painted; or it is minimised, and will not be."""

    happened = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        window.painted.connect(self._look_again)
        patience = 0 if window.isMinimized() else UNPAINTED_MS
        QTimer.singleShot(patience, self, self._happen)

    def _look_again(self) -> None:
        QTimer.singleShot(0, self, self._happen)  # when all of it is painted

    def _happen(self) -> None:
        self.deleteLater()
        self.happened.emit()


def make_application(argv: Sequence[str]) -> Application:
    """Return the application in the look and the language that the settings say."""
    app = _application(argv)
    _dress(app)
    return app


def _application(argv: Sequence[str]) -> Application:
    running = QApplication.instance()
    app = running if isinstance(running, Application) else Application(list(argv))
    app.setApplicationName("Groundwork")
    app.setApplicationDisplayName("Groundwork")
    app.setDesktopFileName("groundwork")
    return app


def _dress(app: QApplication) -> None:
    from desktop.ui.design.icons import application_icon
    from desktop.ui.settings.controller import dress

    if not (sys.platform == "darwin" and getattr(sys, "frozen", False)):
        app.setWindowIcon(application_icon())  # a .app has its own, in more sizes
    dress(app, peek_appearance(settings_file()))


def _wait_for_paint(window: MainWindow) -> None:
    """Let events through until the window is painted, or closed before that."""
    loop = QEventLoop()
    NextPaint(window).happened.connect(loop.quit)
    window.closed.connect(loop.quit)
    loop.exec()


def _let_interrupts_through(shown: ShownWindow) -> QTimer:
    """Make Ctrl+C in the terminal close the window in the ordinary way."""
    # From the loop: the window may be just about to get its contents.
    signal.signal(
        signal.SIGINT, lambda *_: QTimer.singleShot(0, shown, lambda: shown.window.close())
    )
    # Python only looks at signals when it runs: Qt's loop has to come back to it.
    timer = QTimer()
    timer.timeout.connect(lambda: None)
    timer.start(INTERRUPT_POLL_MS)
    return timer
