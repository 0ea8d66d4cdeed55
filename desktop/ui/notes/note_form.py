"""The fields of one note: its words, what it is, what it is about, how far it is trusted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from desktop.core.library.places import Place
from desktop.core.notes.note import Note
from desktop.ui.controls import label
from desktop.ui.domains.field import Field
from desktop.ui.language import told
from desktop.ui.notes import words
from desktop.ui.notes.choice import Choice
from desktop.ui.notes.kinds import kinds, uses
from desktop.ui.notes.page_cards import PageCards
from desktop.ui.places.place_dialog import NameField
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from PySide6.QtWidgets import QLabel

    from knowledge.pieces import KnowledgeType, PageLink

FIELD_OF = {
    "content": "text",
    "tag": "tags",
    "info_type": "info_type",
    "embedding_text": "search_words",
    "author": "role",
}
"""Words of a refusal and the field that it is shown at."""


class NoteForm(QWidget):
    """edited(): a field changed. page_wanted(link): show the page it is linked to."""

    edited = Signal()
    page_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        tr = self.tr
        self._note = Note("")
        self.text = Field(tr("Note"), lines=4)
        self.kind: Choice[KnowledgeType] = Choice(tr("What it is"), kinds())
        self.tier: Choice[int] = Choice(tr("How far to trust it"), words.tiers())
        self.info_type = NameField(tr("Used as"), tr("For example instructions"))
        self.info_type.offer(uses())
        self.site = NameField(tr("Site"), tr("All sites"))
        self.asset = NameField(tr("Asset"), tr("All equipment"))
        self.role = NameField(tr("Written by (role)"), tr("For example shift lead"))
        self.tags = Field(tr("Tags"), example=tr("With commas between them"))
        self.search_words = Field(
            tr("Other words to find it by"), example=tr("For example what beginners call it")
        )
        self.pages = PageCards()
        self.setFocusProxy(self.text)
        self._known: Collection[Place] = ()
        self._faults: dict[str, QLabel] = {}
        self._lay_out()
        self._connect()

    @property
    def note(self) -> Note:
        """The note as it stands in the fields."""
        before = self._note
        place = Place.named(self.site.name, self.asset.name)
        return replace(
            before,
            text=self.text.text.strip(),
            kind=self.kind.value,
            info_type=self.info_type.name.strip() or before.info_type,
            tags=words.tags(self.tags.text),
            place=place,
            entity_id=None if place else before.entity_id,
            role=" ".join(self.role.name.split()),
            tier=self.tier.value,
            pages=self.pages.links,
            search_words=self.search_words.text.strip(),
        )

    def show_note(self, note: Note, page_names: Mapping[PageLink, str]) -> None:
        """Show a note. page_names: of the manuals that are in the library."""
        self._note = note
        self.text.set_text(note.text)
        self.kind.set_value(note.kind)
        self.tier.set_value(note.tier, words.tier(note.tier))
        self.tags.set_text(", ".join(note.tags))
        self.search_words.set_text(note.search_words)
        for field, text in (
            (self.info_type, note.info_type),
            (self.site, note.place.site),
            (self.asset, note.place.asset),
            (self.role, note.role),
        ):
            field.line.blockSignals(True)
            field.line.setText(text)
            field.line.setCursorPosition(0)
            field.line.blockSignals(False)
        self._offer_assets()
        self.pages.show_links(note.pages, page_names)
        self.show_fault("")

    def offer(self, places: Collection[Place], roles: Collection[str]) -> None:
        """Offer the places and roles that are known."""
        self._known = places
        self.site.offer({each.site for each in places})
        self.role.offer(roles)
        self._offer_assets()

    def show_fault(self, reason: str) -> QWidget | None:
        """Say at its field why the note is refused; return that field."""
        for fault in self._faults.values():
            fault.hide()
        if not reason:
            return None
        first = reason.casefold()
        name = next((each for part, each in FIELD_OF.items() if f"the {part}" in first), "text")
        fault = self._faults.get(name, self._faults["text"])
        fault.setText(told(reason))
        fault.show()
        field: QWidget = getattr(self, name)
        return field

    def _offer_assets(self) -> None:
        site = self.site.name.strip().casefold()
        self.asset.offer(
            {each.asset for each in self._known if not site or each.site.casefold() == site}
        )

    def _connect(self) -> None:
        for field in (self.text, self.tags, self.search_words):
            field.edited.connect(self.edited)
        for choice in (self.kind, self.tier):
            choice.chosen.connect(self.edited)
        for name in (self.info_type, self.site, self.asset, self.role):
            name.line.textChanged.connect(lambda _: self.edited.emit())
        self.site.line.textChanged.connect(lambda _: self._offer_assets())
        self.pages.changed.connect(self.edited)
        self.pages.page_wanted.connect(self.page_wanted)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.L)
        grid.setVerticalSpacing(Space.M)
        pairs = (
            (self.tr("What it is"), self.kind, self.tr("Used as"), self.info_type),
            (self.tr("Site"), self.site, self.tr("Asset"), self.asset),
            (
                self.tr("Written by (role)"),
                self.role,
                self.tr("How far to trust it"),
                self.tier,
            ),
        )
        for row, (left, first, right, second) in enumerate(pairs):
            grid.addWidget(_captioned(left, first), row, 0)
            grid.addWidget(_captioned(right, second), row, 1)
        for side in (0, 1):
            grid.setColumnStretch(side, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.M)
        for name, widget in (("text", self.text), ("", self.pages)):
            column.addWidget(widget)
            self._add_fault(name, column)
        column.addLayout(grid)
        self._add_fault("info_type", column)
        self._add_fault("role", column)
        for name in ("tags", "search_words"):
            column.addWidget(getattr(self, name))
            self._add_fault(name, column)

    def _add_fault(self, name: str, column: QVBoxLayout) -> None:
        if name:
            fault = label("", factor=Type.SMALL, tone="bad", wrap=True)
            fault.hide()
            self._faults[name] = fault
            column.addWidget(fault)


def _captioned(text: str, widget: QWidget) -> QWidget:
    holder = QWidget()
    caption = label(text, bold=True)
    caption.setBuddy(widget)
    caption.setMinimumWidth(1)  # two fields beside each other are equally wide
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(Space.XS)
    column.addWidget(caption)
    column.addWidget(widget)
    column.addStretch(1)
    return holder
