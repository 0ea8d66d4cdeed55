"""Saving the diagnostic bundle, and saying that something unexpected has happened."""

from __future__ import annotations

import logging
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal

from desktop.core.problems import failure_place
from desktop.ui.bridge import Errands
from desktop.ui.files import choose_bundle, reveal_in_folder
from desktop.ui.wording import reveal

if TYPE_CHECKING:
    from types import TracebackType

    from PySide6.QtWidgets import QFrame, QWidget

    from desktop.core.workspace import Workspace
    from desktop.ui.design.notice_strip import NoticeStrip
    from desktop.ui.settings.controller import SettingsController


class DiagnosticsController(QObject):
    """Works without an open library too: that may be what is wrong."""

    def __init__(
        self,
        window: QWidget,
        notices: NoticeStrip,
        settings: SettingsController,
        folder: Path | None,
    ) -> None:
        """folder: the library's, if known before the library is open."""
        super().__init__(window)
        self._window = window
        self._notices = notices
        self._settings = settings
        self._folder = folder
        self._unexpected: QFrame | None = None
        self._errands = Errands(self)
        self._errands.failed.connect(notices.say_failure)

    def open_workspace(self, workspace: Workspace) -> None:
        """Save diagnostics about this library from now on."""
        self._folder = workspace.library.folder.root

    def choose(self) -> None:
        """Ask where the bundle goes."""
        usual = QStandardPaths.StandardLocation.DocumentsLocation
        choose_bundle(self._window, Path(QStandardPaths.writableLocation(usual)), self.save)

    def save(self, target: Path) -> None:
        """Write the bundle and say where it is."""
        # Not above: it asks every package which version it is.
        from desktop.core.diagnostics.bundle import write_bundle
        from desktop.core.settings.storage import LoadedSettings

        library = self._folder or Path()
        settings = self._settings.settings.model_copy(deep=True)
        self._notices.say(self.tr("Writing the diagnostic bundle…"), milliseconds=3_000)
        self._errands.run(
            lambda: write_bundle(target, library, LoadedSettings(settings)),
            lambda _: self._saved(target),
        )

    def tell_unexpected(self) -> None:
        """Say that a part of the program failed; once, however often it does."""
        shown = self._unexpected
        if shown is not None and shown in self._notices.notices():
            return
        self._unexpected = self._notices.say(
            self.tr(
                "Something went wrong inside Groundwork. Your manuals and answers are safe. "
                "If it happens again, save a diagnostic bundle and send it to whoever helps you."
            ),
            tone="bad",
            action=self.tr("Save diagnostic bundle…"),
            on_action=self.choose,
        )

    def close(self) -> None:
        """Finish the bundle that is being written."""
        self._errands.close()

    def _saved(self, target: Path) -> None:
        self._notices.say(
            self.tr(
                "Saved “{name}”. It holds no text from manuals or questions; you can read it all "
                "before you send it."
            ).format(name=target.name),
            action=reveal(),
            on_action=lambda: reveal_in_folder(target),
        )


logger = logging.getLogger(__name__)


class UnexpectedErrors(QObject):
    """happened(): an error in any thread; the log says where. Ctrl+C still ends the program."""

    happened = Signal()
    _seen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._seen.connect(self.happened, Qt.ConnectionType.QueuedConnection)
        self._before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._take
        threading.excepthook = self._take_from_thread

    def close(self) -> None:
        """Leave errors to Python again."""
        sys.excepthook, threading.excepthook = self._before

    def _take(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self._before[0](kind, error, trace)  # a developer's terminal shows it in full
        if issubclass(kind, Exception):
            logger.error("unexpected: %s", failure_place(error))
            self._seen.emit()

    def _take_from_thread(self, args: threading.ExceptHookArgs) -> None:
        self._before[1](args)
        if args.exc_value is not None and issubclass(args.exc_type, Exception):
            logger.error("unexpected: %s", failure_place(args.exc_value))
            self._seen.emit()
