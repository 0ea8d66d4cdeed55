"""One note: its fields, the pages it is linked to, how its things are related; read and edited."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from desktop.core.library.places import Place
from desktop.core.notes.note import Note, day
from desktop.ui import note_words as words
from desktop.ui import wording
from desktop.ui.design.controls import (
    discard,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    plain_tooltip,
    push_button,
    remark,
)
from desktop.ui.design.forms import Advanced, Choice, Field, NameField, PageFrame
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import spoken_language, told, tr

if TYPE_CHECKING:
    from knowledge.pieces import KnowledgeType, PageLink


LONGEST_QUOTE = 400


class PageCard(QFrame):
    """open_wanted(link), unlink_wanted(link)."""

    open_wanted = Signal(object)
    unlink_wanted = Signal(object)

    def __init__(self, link: PageLink, name: str) -> None:
        """name: of its page, "" if its manual is not in the library."""
        super().__init__()
        self.link = link
        self.setProperty("role", "notice")
        missing = self.tr("A manual that is not in this library, page {page}")
        self.name = name or missing.format(page=link.page + 1)
        self.open_button = push_button(self.name, name="link-2")
        self.open_button.let_shrink(Qt.TextElideMode.ElideMiddle)  # the page stands at the end
        self.open_button.setToolTip(plain_tooltip(self.name))
        self.open_button.setEnabled(bool(name))
        self.open_button.clicked.connect(lambda: self.open_wanted.emit(link))
        self.unlink_button = flat_button("x", self.tr("Unlink {page}").format(page=self.name))
        self.unlink_button.clicked.connect(lambda: self.unlink_wanted.emit(link))
        row = in_row(spacing=Space.S)
        fill(row, self.open_button, None, self.unlink_button)
        column = in_column(self, (Space.S, Space.S, Space.S, Space.S), spacing=Space.S)
        column.addLayout(row)
        if link.quote.strip():
            quote = label(_shortened(link.quote), factor=Type.SMALL, tone="muted", wrap=True)
            quote.setProperty("role", "quote")
            column.addWidget(quote)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    short = line if len(line) <= LONGEST_QUOTE else f"{line[:LONGEST_QUOTE].rstrip()} …"
    return wording.quoted(short)


class PageCards(QWidget):
    """changed(): a page was linked or unlinked. page_wanted(link): show it.

    link_wanted(): link the page in view, with the words that are selected there.
    """

    changed = Signal()
    page_wanted = Signal(object)
    link_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[PageCard] = []
        self._column = in_column(self, spacing=Space.XS)
        self._column.addWidget(label(self.tr("Linked page"), bold=True))
        self.link_button = push_button(self.tr("Link this page"), name="link-2")
        self.link_button.clicked.connect(self.link_wanted)
        self._column.addWidget(self.link_button, 0, Qt.AlignmentFlag.AlignLeft)

    @property
    def links(self) -> tuple[PageLink, ...]:
        """The linked pages, in the order they were linked in."""
        return tuple(card.link for card in self.cards)

    def show_links(self, links: Iterable[PageLink], names: Mapping[PageLink, str]) -> None:
        """Show other links. names: of the pages whose manuals are in the library."""
        while self.cards:
            self._take(self.cards[-1])
        for link in links:
            self._put(link, names.get(link, ""))

    def add(self, link: PageLink, name: str) -> None:
        """Link one more page, unless it is linked already."""
        if link not in self.links:
            self._put(link, name)
            self.changed.emit()

    def _put(self, link: PageLink, name: str) -> None:
        card = PageCard(link, name)
        card.open_wanted.connect(self.page_wanted)
        card.unlink_wanted.connect(lambda _: self._unlink(card))
        self.cards.append(card)
        self._column.insertWidget(self._column.count() - 1, card)

    def _unlink(self, card: PageCard) -> None:
        self._take(card)
        self.link_button.setFocus()
        self.changed.emit()

    def _take(self, card: PageCard) -> None:
        self.cards.remove(card)
        discard(card, self._column)


def relations_field() -> Field:
    """Return an empty field for relations."""
    return Field(
        tr("Connections"),
        tr("One per line: thing > relation > thing. Optional."),
        lines=2,
        example=tr("For example: Pump P-200 > has part > Shaft seal"),
    )


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
        self._note = Note("")
        self.text = Field(tr("Note"), lines=4)
        self.kind: Choice[KnowledgeType] = Choice(tr("What it is"), words.kinds())
        self.tier: Choice[int] = Choice(tr("Trust level"), words.tiers())
        self.info_type = NameField(tr("Used as"), tr("For example instructions"))
        self.info_type.offer(words.uses())
        self.site = NameField(tr("Site"), tr("All sites"))
        self.asset = NameField(tr("Asset"), tr("All equipment"))
        self.role = NameField(tr("Written by (role)"), tr("For example shift lead"))
        self.tags = Field(tr("Tags"), example=tr("Separated by commas"))
        self.search_words = Field(
            tr("Other words to find it by"), example=tr("For example what beginners call it")
        )
        self.pages = PageCards()
        self.setFocusProxy(self.text)
        self._known: Collection[Place] = ()
        fields = {"text": self.text, "tags": self.tags, "search_words": self.search_words}
        self._faults = {name: field.fault for name, field in fields.items()}
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
        self._sum_up()

    def offer(self, places: Collection[Place], roles: Collection[str]) -> None:
        """Offer the places and roles that are known."""
        self._known = places
        self.site.offer({each.site for each in places})
        self.role.offer(roles)
        self._offer_assets()

    def show_fault(self, reason: str) -> QWidget | None:
        """Say at the field at fault why the note is refused; return that field."""
        for fault in self._faults.values():
            fault.hide()
        if not reason:
            return None
        first = reason.casefold()
        name = next((each for part, each in FIELD_OF.items() if f"the {part}" in first), "text")
        fault = self._faults.get(name, self._faults["text"])
        fault.say(told(reason))
        if name != "text":
            self.details.open()
        field: QWidget = getattr(self, name)
        return field

    def _sum_up(self) -> None:
        """Say in one line what most folded fields hold: they are proposals, and usually right."""
        note = self.note
        place = str(note.place) or self.tr("All equipment")
        held = (place, note.role, ", ".join(note.tags))
        self.details.set_name(" · ".join(filter(None, held)))

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
        self.edited.connect(self._sum_up)
        self.pages.changed.connect(self.edited)
        self.pages.page_wanted.connect(self.page_wanted)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.L)
        grid.setVerticalSpacing(Space.M)
        for row, (left, first, right, second) in enumerate(
            (
                (self.tr("What it is"), self.kind, self.tr("Used as"), self.info_type),
                (self.tr("Site"), self.site, self.tr("Asset"), self.asset),
            )
        ):
            grid.addWidget(_captioned(left, first), row, 0)
            grid.addWidget(_captioned(right, second), row, 1)
        grid.addWidget(_captioned(self.tr("Written by (role)"), self.role), 2, 0, 1, 2)
        grid.addWidget(_captioned(self.tr("Trust level"), self.tier), 3, 0, 1, 2)
        for side in (0, 1):
            grid.setColumnStretch(side, 1)
        column = in_column(self, spacing=Space.M)
        fill(column, self.text, self.pages)
        folded = QWidget()
        below = in_column(folded, spacing=Space.M)
        below.addLayout(grid)
        for name in ("info_type", "role"):
            self._faults[name] = remark(factor=Type.SMALL, tone="bad")
            below.addWidget(self._faults[name])
        fill(below, self.tags, self.search_words)
        self.details = Advanced("", folded)
        column.addWidget(self.details)


def _captioned(text: str, widget: QWidget) -> QWidget:
    holder = QWidget()
    caption = label(text, bold=True)
    caption.setBuddy(widget)
    caption.setMinimumWidth(1)  # two fields beside each other are equally wide
    fill(in_column(holder, spacing=Space.XS), caption, widget, None)
    return holder


@dataclass(frozen=True, slots=True)
class Written:
    """A note with the relations that belong to it, one a line."""

    note: Note
    relations: str = ""


_OF_RELATIONS = ("line ", "the relation", "the id of a node", "the node")
"""How the refusals of relations begin, and not of the note."""


class NotePage(QWidget):
    """save_wanted(written), delete_wanted(piece_id), page_wanted(link), edited()."""

    save_wanted = Signal(object)
    delete_wanted = Signal(str)
    page_wanted = Signal(object)
    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.original = Written(Note(""))
        self._names: Mapping[PageLink, str] = {}
        self.form = NoteForm()
        self.relations = relations_field()
        content = QWidget()
        fill(in_column(content, spacing=Space.M), self.form, self.relations)
        self.delete = push_button(self.tr("Delete"), name="trash-2")
        self.revert = push_button(self.tr("Revert"), self._revert)
        self.save = push_button(self.tr("Save"), self.ask_to_save, kind="primary")
        self.frame = PageFrame(content, left=(self.delete,), right=(self.revert, self.save))
        in_column(self).addWidget(self.frame)
        self.setFocusProxy(self.form)
        self.form.edited.connect(self._edited)
        self.relations.edited.connect(self._edited)
        self.form.page_wanted.connect(self.page_wanted)
        self.delete.clicked.connect(lambda: self.delete_wanted.emit(self.piece_id))

    @property
    def piece_id(self) -> str:
        """The note that is shown."""
        return self.original.note.piece_id

    @property
    def written(self) -> Written:
        """The note as it stands in the fields."""
        return Written(self.form.note, self.relations.text.strip())

    @property
    def changed(self) -> bool:
        """Whether the fields differ from what is kept."""
        return self.written != self.original

    def show_note(
        self, kept: Written, page_names: Mapping[PageLink, str], draft: Written | None = None
    ) -> None:
        """Show a note, with any earlier changes that are not kept yet."""
        note = kept.note
        same = note.piece_id == self.piece_id
        self.original, self._names = kept, page_names
        shown = draft or kept
        self.form.show_note(shown.note, page_names)
        self.relations.set_text(shown.relations)
        self.relations.show_fault("")
        written = day(note.written, language=spoken_language())
        by = self.tr("by {role}").format(role=note.role) if note.role else ""
        state = ", ".join(part for part in (words.kind(note.kind), written, by) if part)
        self.frame.show_title(note.title, state)
        if not same:
            self.frame.to_top()
        self._update()

    def ask_to_save(self) -> None:
        """Ask for what stands in the fields to be kept."""
        if self.changed:
            self.save_wanted.emit(self.written)

    def show_fault(self, reason: str) -> None:
        """Say why the note is refused, where it has to be repaired."""
        field: QWidget | None
        changed = self.relations.text.strip() != self.original.relations
        if changed and reason.casefold().startswith(_OF_RELATIONS):
            self.relations.show_fault(told(reason))
            field = self.relations
        else:
            field = self.form.show_fault(reason)
        if field is not None:
            field.setFocus()
            self.frame.area.ensureWidgetVisible(field)

    def _edited(self) -> None:
        self.form.show_fault("")
        self.relations.show_fault("")
        self._update()
        self.edited.emit()

    def _update(self) -> None:
        self.save.setEnabled(self.changed)
        self.revert.setVisible(self.changed)

    def _revert(self) -> None:
        self.show_note(self.original, self._names)
        self.edited.emit()
