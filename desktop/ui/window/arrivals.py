"""Files that arrive while the window is open: from Finder, or from a second start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent

from desktop.core.single_instance import LONGEST_MESSAGE, answer, paths_of

if TYPE_CHECKING:
    import socket

    from PySide6.QtWidgets import QApplication

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
