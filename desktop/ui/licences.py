"""What the program is made of, each part with its licence: opened from the About dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop.core.diagnostics.licences import licence_text, our_parts
from desktop.ui.controls import label, push_button
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.diagnostics.licences import Part

SIZE = QSize(900, 600)
LIST_WIDTH = 340


class LicencesDialog(QDialog):
    """Left the parts, right the wording of the chosen one's licence, always as plain text."""

    def __init__(self, parent: QWidget, parts: Sequence[Part] | None = None) -> None:
        super().__init__(parent)
        self._parts = list(our_parts() if parts is None else parts)
        self.setWindowTitle(self.tr("Licences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
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
        close = push_button(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(label(self.tr("Licences"), factor=Type.TITLE, bold=True))
        column.addWidget(
            label(
                self.tr("Groundwork and the {n} parts it is made of.").format(
                    n=max(0, len(self._parts) - 1)
                ),
                tone="muted",
            )
        )
        column.addWidget(halves, 1)
        column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
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
        wording = licence_text(part) or self.tr(
            "This part brings no text of its licence; the name above says which one it is."
        )
        self.wording.setPlainText("\n".join([*head, "", wording]))
