"""The page of a manual that a note is linked to: its name, the words there, open and unlink."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from desktop.ui import wording
from desktop.ui.controls import flat_button, label, push_button
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from knowledge.pieces import PageLink

LONGEST_QUOTE = 400


@dataclass(frozen=True, slots=True)
class LinkedPage:
    """A link with the name of its page, "" if its manual is not in the library."""

    link: PageLink
    name: str


class PageCard(QFrame):
    """open_wanted(link), unlink_wanted(link)."""

    open_wanted = Signal(object)
    unlink_wanted = Signal(object)

    def __init__(self, linked: LinkedPage) -> None:
        super().__init__()
        self.linked = linked
        link, name = linked.link, linked.name
        self.setProperty("role", "notice")
        missing = self.tr("A manual that is not in this library, page {page}")
        self.name = name or missing.format(page=link.page + 1)
        self.open_button = push_button(self.name, name="link-2")
        self.open_button.setEnabled(bool(name))
        self.open_button.clicked.connect(lambda: self.open_wanted.emit(link))
        self.unlink_button = flat_button("x", self.tr("Unlink {page}").format(page=self.name))
        self.unlink_button.clicked.connect(lambda: self.unlink_wanted.emit(link))
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addWidget(self.open_button)
        row.addStretch(1)
        row.addWidget(self.unlink_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.S, Space.S, Space.S, Space.S)
        column.setSpacing(Space.S)
        column.addLayout(row)
        if link.quote.strip():
            quote = label(_shortened(link.quote), factor=Type.SMALL, tone="muted", wrap=True)
            quote.setProperty("role", "quote")
            column.addWidget(quote)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    short = line if len(line) <= LONGEST_QUOTE else f"{line[:LONGEST_QUOTE].rstrip()} …"
    return wording.quoted(short)
