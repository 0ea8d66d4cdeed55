"""The Help menu: version, keys and licences; the diagnostic bundle, and when it is offered."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, QStandardPaths, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSplitter,
    QWidget,
)

import desktop
from desktop.core.problems import failure_place
from desktop.ui.bridge import WindowPart
from desktop.ui.design.controls import fill, label, push_button, scrolled
from desktop.ui.design.dialogs import Dialog
from desktop.ui.design.icons import application_icon
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.files import choose_place, reveal_in_folder
from desktop.ui.wording import reveal

if TYPE_CHECKING:
    from desktop.core.diagnostics.licences import Part
    from desktop.core.workspace import Workspace
    from desktop.ui.design.notices import NoticeStrip
    from desktop.ui.settings.controller import SettingsController


SIZE = QSize(900, 600)
LIST_WIDTH = 340


class LicencesDialog(Dialog):
    """Parts on the left, the chosen one's licence text on the right, always as plain text."""

    def __init__(self, parent: QWidget, parts: Sequence[Part] | None = None) -> None:
        super().__init__(parent, self.tr("Licences"))
        if parts is None:
            from desktop.core.diagnostics.licences import (
                our_parts,  # reads the metadata of every package
            )

            parts = our_parts()
        self._parts = list(parts)
        self.resize(SIZE)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Parts of Groundwork"))
        self.list.setMinimumWidth(LIST_WIDTH)
        self.wording = QPlainTextEdit()
        self.wording.setReadOnly(True)
        self.wording.setAccessibleName(self.tr("Licence"))
        self.wording.setTabChangesFocus(True)
        self.wording.document().setDocumentMargin(Space.M)
        for part in self._parts:
            item = QListWidgetItem(f"{part.name} {part.version}".strip())
            item.setSizeHint(QSize(0, Size.TARGET))
            self.list.addItem(item)
        self.list.currentRowChanged.connect(self._show)
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setChildrenCollapsible(False)
        halves.addWidget(self.list)
        halves.addWidget(self.wording)
        halves.setStretchFactor(1, 1)
        column = self.column
        about = self.tr("Groundwork and the {n} parts it is made of.")
        column.addWidget(label(self.tr("Licences"), factor=Type.TITLE, bold=True))
        column.addWidget(label(about.format(n=max(0, len(self._parts) - 1)), tone="muted"))
        column.addWidget(halves, 1)
        add_close_button(self)
        self.list.setCurrentRow(0)

    def _show(self, row: int) -> None:
        if not 0 <= row < len(self._parts):
            self.wording.clear()
            return
        part = self._parts[row]
        head = [
            f"{part.name} {part.version}".strip(),
            self.tr("Licence: {name}").format(name=part.licence or self.tr("not stated")),
        ]
        if part.purpose:
            head.append(self.tr("In Groundwork: {purpose}").format(purpose=part.purpose))
        from desktop.core.diagnostics.licences import licence_text

        wording = licence_text(part) or self.tr(
            "This part comes without its licence text; the name above says which licence it is."
        )
        self.wording.setPlainText("\n".join([*head, "", wording]))


ICON = 96
_TALLEST = 560
"""Pixels of a sheet that are shown at once."""


def add_close_button(dialog: Dialog) -> None:
    """Put a button that closes a dialog below everything in it."""
    close = push_button(dialog.tr("Close"), dialog.accept)
    close.setDefault(True)
    dialog.column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)


def about_dialog(parent: QWidget) -> Dialog:
    """Say what this is and under which licence."""
    dialog = Dialog(parent, parent.tr("About Groundwork"))
    column = dialog.column
    picture = QLabel()
    picture.setPixmap(application_icon().pixmap(ICON, ICON))
    about = parent.tr(
        "Ask your equipment manuals, offline. Every answer shows the page it comes from.\n\n"
        "Free software under the GNU Affero General Public License 3.0 or later. It comes with no "
        "warranty."
    )
    fill(
        column,
        picture,
        label("Groundwork", factor=Type.TITLE, bold=True),
        label(parent.tr("Version {v}").format(v=desktop.__version__), tone="muted"),
        label(about, wrap=True, selectable=True),
    )
    licences = push_button(parent.tr("Licences…"), lambda: LicencesDialog(dialog).open())
    column.addWidget(licences, 0, Qt.AlignmentFlag.AlignLeft)
    add_close_button(dialog)
    return dialog


def shortcuts_dialog(parent: QWidget, shortcuts: Sequence[tuple[str, str]]) -> Dialog:
    """List every key of the window."""
    dialog = Dialog(parent, parent.tr("Keyboard shortcuts"))
    column = dialog.column
    column.addWidget(label(parent.tr("Keyboard shortcuts"), factor=Type.TITLE, bold=True))
    sheet = QWidget()
    grid = QGridLayout(sheet)
    grid.setContentsMargins(0, 0, Space.L, 0)
    grid.setHorizontalSpacing(Space.XL)
    grid.setVerticalSpacing(Space.XS)
    half = (len(shortcuts) + 1) // 2
    for place, (text, keys) in enumerate(shortcuts):
        row, side = place % half, 2 * (place // half)
        grid.addWidget(label(text), row, side)
        grid.addWidget(label(keys, tone="muted"), row, side + 1)
    # as much of a tall sheet as fits a small laptop's screen; the rest is scrolled
    area, hint = scrolled(sheet, dialog.windowTitle()), sheet.sizeHint()
    area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # there is nothing else to scroll it by
    area.setMinimumWidth(hint.width() + area.verticalScrollBar().sizeHint().width())
    area.setMinimumHeight(min(hint.height(), _TALLEST))
    column.addWidget(area)
    add_close_button(dialog)
    return dialog


class DiagnosticsController(WindowPart):
    """Works without an open library too: that may be what is wrong."""

    def __init__(
        self,
        window: QWidget,
        notices: NoticeStrip,
        settings: SettingsController,
        folder: Path | None,
    ) -> None:
        """folder: the library's, if known before the library is open."""
        super().__init__(window, notices.say_failure)
        self._window = window
        self._notices = notices
        self._settings = settings
        self._folder = folder
        self._unexpected: QFrame | None = None

    def open_workspace(self, workspace: Workspace) -> None:
        """Save diagnostics about this library from now on."""
        self._folder = workspace.library.folder.root

    def choose(self) -> None:
        """Ask where the bundle goes."""
        from desktop.core.diagnostics.bundle import bundle_name

        documents = QStandardPaths.StandardLocation.DocumentsLocation
        folder = Path(QStandardPaths.writableLocation(documents))
        name = str(folder / bundle_name()) if folder.is_dir() else bundle_name()
        kinds = {"zip": self.tr("Diagnostic bundle (*.zip)")}
        choose_place(self._window, self.tr("Save diagnostic bundle"), name, kinds, self.save)

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
