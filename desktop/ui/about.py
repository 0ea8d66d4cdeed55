"""The two small dialogs of the Help menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

import desktop
from desktop.ui.controls import label, push_button
from desktop.ui.icons import application_icon
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

ICON = 96
_TALLEST = 560
"""Pixels of a sheet that are shown at once."""


class HelpDialog(QDialog):
    """Says one thing and is closed; `column` takes what it says."""

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        self.column.setSpacing(Space.M)

    def finish(self) -> None:
        """Put the button that closes it below all of it."""
        close = push_button(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        self.column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)


def about_dialog(parent: QWidget) -> HelpDialog:
    """Say what this is and under which licence."""
    dialog = HelpDialog(parent, parent.tr("About Groundwork"))
    column = dialog.column
    picture = QLabel()
    picture.setPixmap(application_icon().pixmap(ICON, ICON))
    column.addWidget(picture)
    column.addWidget(label("Groundwork", factor=Type.TITLE, bold=True))
    column.addWidget(label(parent.tr("Version {v}").format(v=desktop.__version__), tone="muted"))
    column.addWidget(
        label(
            parent.tr(
                "Ask your equipment manuals, offline. Every answer shows the page it stands on.\n\n"
                "Free software under the GNU Affero General Public License 3.0 or later. "
                "It comes with no warranty."
            ),
            wrap=True,
            selectable=True,
        )
    )
    licences = push_button(parent.tr("Licences…"))
    licences.clicked.connect(lambda: _show_licences(dialog))
    column.addWidget(licences, 0, Qt.AlignmentFlag.AlignLeft)
    dialog.finish()
    return dialog


def shortcuts_dialog(parent: QWidget, shortcuts: Sequence[tuple[str, str]]) -> HelpDialog:
    """List every key of the window."""
    dialog = HelpDialog(parent, parent.tr("Keyboard shortcuts"))
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
    column.addWidget(_scrolled(sheet))
    dialog.finish()
    return dialog


def _scrolled(sheet: QWidget) -> QScrollArea:
    """Return as much of a tall sheet as a small laptop's screen holds; the rest is scrolled."""
    area = QScrollArea()
    area.setAccessibleName(sheet.tr("Keyboard shortcuts"))
    area.setWidget(sheet)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    hint = sheet.sizeHint()
    area.setMinimumWidth(hint.width() + area.verticalScrollBar().sizeHint().width())
    area.setMinimumHeight(min(hint.height(), _TALLEST))
    return area


def _show_licences(parent: QWidget) -> None:
    from desktop.ui.licences import LicencesDialog  # reads the metadata of every package

    LicencesDialog(parent).open()
