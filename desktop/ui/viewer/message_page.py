"""What stands in place of the pages: nothing open yet, or why a manual cannot be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop.ui.design.controls import in_column, label
from desktop.ui.design.icons import IconPicture
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import told, tr

if TYPE_CHECKING:
    from desktop.ui.viewer.document import OpenDocument

_ICON = 56


def nothing_open() -> tuple[str, str, str]:
    """Return what is said before a manual is opened: icon, title, detail."""
    return "book-open", tr("Open a manual from the library, or drop PDFs anywhere"), ""


def message_for(document: OpenDocument) -> tuple[str, str, str] | None:
    """Return what is to be said instead of showing pages; None if there are pages to show."""
    record = document.record
    if record.state == "needs_password" and document.password is None:
        return "lock", tr("This manual is locked"), tr("Unlock it in the library to read it.")
    if document.pages:
        return None
    if record.state in ("failed", "cancelled"):
        return "triangle-alert", tr("This manual cannot be shown"), told(record.reason)
    return "hourglass", tr("This manual is being read"), tr("Its pages appear in a moment.")


class MessagePage(QWidget):
    """A large quiet icon, a sentence, and what to do."""

    def __init__(self) -> None:
        super().__init__()
        self._picture = IconPicture("book-open", _ICON, opacity=0.45)
        self.title, self.detail = label(factor=Type.LEAD, wrap=True), label(wrap=True)
        for text in (self.title, self.detail):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = in_column(self, (Space.XL, Space.XL, Space.XL, Space.XL), spacing=Space.M)
        column.addStretch(2)
        column.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignHCenter)
        # not aligned: an aligned label would not get the height of its wrapped text
        column.addWidget(self.title)
        column.addWidget(self.detail)
        column.addStretch(3)

    def say(self, icon_name: str, title: str, detail: str) -> None:
        """Show a message."""
        self._picture.show_icon(icon_name)
        self.title.setText(title)
        self.detail.setText(detail)
        self.detail.setVisible(bool(detail))
        self.setAccessibleName(f"{title} {detail}".strip())
