"""About the program: its version, its keys, and the licences of what it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSplitter,
    QWidget,
)

import desktop
from desktop.ui.design.controls import fill, label, push_button, scrolled
from desktop.ui.design.dialogs import Dialog
from desktop.ui.design.icons import application_icon
from desktop.ui.design.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.diagnostics.licences import Part


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
    close = push_button(dialog.tr("Close"))
    close.setDefault(True)
    close.clicked.connect(dialog.accept)
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
    licences = push_button(parent.tr("Licences…"))
    licences.clicked.connect(lambda: LicencesDialog(dialog).open())
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
