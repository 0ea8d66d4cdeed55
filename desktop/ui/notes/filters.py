"""What narrows the list of notes down: words, kind, tag, place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QToolButton, QWidget

from desktop.core.library.places import EVERYWHERE, Place
from desktop.core.notes.note import NoteFilter
from desktop.ui.icons import icon
from desktop.ui.notes.choice import Choice
from desktop.ui.notes.kinds import kinds
from desktop.ui.tokens import Size, Space

if TYPE_CHECKING:
    from collections.abc import Iterable

    from knowledge.pieces import KnowledgeType

TYPING_MS = 150
"""A search waits until nobody has typed for this long."""


class Filters(QWidget):
    """changed(): other notes are wanted."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._typing.timeout.connect(self.changed)
        self.field = self._search_field()
        every_kind: list[tuple[KnowledgeType | None, str]] = [(None, self.tr("All kinds"))]
        self.kind: Choice[KnowledgeType | None] = Choice(self.tr("Kind"), [*every_kind, *kinds()])
        self.tag: Choice[str] = Choice(self.tr("Tag"))
        self.place: Choice[Place] = Choice(self.tr("About"))
        self.offer((), ())
        grid = QGridLayout(self)
        grid.setContentsMargins(Space.S, Space.S, Space.S, Space.XS)
        grid.setSpacing(Space.XS)
        grid.addWidget(self.field, 0, 0, 1, 2)
        grid.addWidget(self.place, 1, 0, 1, 2)
        grid.addWidget(self.kind, 2, 0)
        grid.addWidget(self.tag, 2, 1)
        for side in (0, 1):
            grid.setColumnStretch(side, 1)
        for choice in (self.kind, self.tag, self.place):
            choice.chosen.connect(self.changed)

    @property
    def wanted(self) -> NoteFilter:
        """What is wanted now."""
        return NoteFilter(
            self.field.text().strip(), self.tag.value, self.place.value, self.kind.value
        )

    def offer(self, tags: Iterable[str], places: Iterable[Place]) -> None:
        """Offer the tags and places that notes have."""
        self.tag.offer([("", self.tr("All tags")), *((tag, tag) for tag in tags)])
        sites = {Place(each.site) for each in places if each.site}
        found = sorted({*places, *sites} - {EVERYWHERE}, key=lambda place: place.key)
        self.place.offer(
            [(EVERYWHERE, self.tr("About anything")), *((each, str(each)) for each in found)]
        )

    def clear(self) -> None:
        """Want every note."""
        self.field.clear()
        self._typing.stop()
        self.kind.set_value(None)
        self.tag.set_value("")
        self.place.set_value(EVERYWHERE)
        self.changed.emit()

    def _search_field(self) -> QLineEdit:
        field = QLineEdit()
        field.setProperty("kind", "field")
        field.setPlaceholderText(self.tr("Search notes"))
        field.setAccessibleName(self.tr("Search notes"))
        field.setClearButtonEnabled(True)
        field.setMinimumHeight(Size.TARGET)
        field.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        field.textChanged.connect(lambda _: self._typing.start())
        for inner in field.findChildren(QToolButton):
            inner.setAccessibleName(field.accessibleName())
        return field
