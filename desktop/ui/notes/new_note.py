"""The course of a new note: written, sorted, reviewed, kept; and notes from and to files."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from desktop.core.notes.relations import relation_lines, with_relations
from desktop.sentences import message
from desktop.ui import note_words as words
from desktop.ui.design.controls import (
    discard,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    push_button,
)
from desktop.ui.design.forms import Field, PageFrame
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import told
from desktop.ui.notes.note_page import NoteForm, PageCards, relations_field
from knowledge.errors import KnowledgeRefused

if TYPE_CHECKING:
    from desktop.core.library.places import Place
    from desktop.core.notes.note import Note
    from desktop.core.notes.proposal import Proposal
    from knowledge.pieces import PageLink


class ComposePage(QWidget):
    """save_wanted(): keep the text as it is. page_wanted(link). cancelled().

    sort_wanted(by_rules): look at what the text holds before it is kept.
    """

    save_wanted = Signal()
    sort_wanted = Signal(bool)
    page_wanted = Signal(object)
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = Field(
            self.tr("What did you learn?"),
            self.tr(
                "Enter saves it, Shift+Enter begins a new line. Leave a line empty between two "
                "notes."
            ),
            lines=6,
            example=self.tr(
                "For example: On the P-200 the seal lasts 3 months here, not 6, because of the "
                "sand in the water."
            ),
        )
        self.pages = PageCards()
        self.sort = push_button(self.tr("Review before saving"), kind="row")
        self.by_rules = push_button(self.tr("Without the model"), kind="row")
        how = self.tr(
            "“Review before saving” asks the language model what the text contains. That can "
            "take a minute and can be cancelled."
        )
        self._how = label(how, factor=Type.SMALL, tone="muted", wrap=True)
        content = QWidget()
        column = in_column(content, spacing=Space.L)
        fill(column, self.text, self.pages)
        ways = in_row(spacing=Space.S)
        fill(ways, self.sort, self.by_rules, None)
        fill(column, ways, self._how)
        self.cancel = push_button(self.tr("Discard"), self.cancelled)
        self.save = push_button(self.tr("Save"), self.save_wanted, kind="primary")
        self.frame = PageFrame(content, left=(self.cancel,), right=(self.save,))
        self.setFocusProxy(self.text)
        self.text.editor.installEventFilter(self)
        in_column(self).addWidget(self.frame)
        self.sort.clicked.connect(lambda: self.sort_wanted.emit(False))
        self.by_rules.clicked.connect(lambda: self.sort_wanted.emit(True))
        self.text.edited.connect(lambda: self.text.show_fault(""))
        self.pages.page_wanted.connect(self.page_wanted)
        self.set_model(False)
        self.set_first(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            keypad = Qt.KeyboardModifier.KeypadModifier
            if enter and event.modifiers() in (Qt.KeyboardModifier.NoModifier, keypad):
                self.save.click()
                return True
        return super().eventFilter(watched, event)

    def set_first(self, first: bool) -> None:
        """Say what notes are for while there are none."""
        if first:
            about = self.tr(
                "Manuals say what the maker knew. Notes say what you found out: answers use them "
                "too, and always show what comes from a note. To link one to a page, select "
                "words there and choose “Add note here”."
            )
        else:
            about = self.tr(
                "Site, asset, kind and author are filled in for you. Change them only if they are "
                "wrong."
            )
        self.frame.show_title(self.tr("New note"), about)

    def set_model(self, there: bool) -> None:
        """Say who sorts the text."""
        self.by_rules.setVisible(there)
        self._how.setVisible(there)

    def clear(self) -> None:
        """Begin anew."""
        self.text.set_text("")
        self.text.show_fault("")
        self.pages.show_links((), {})

    def show_fault(self, reason: str) -> None:
        """Say why the text is refused."""
        self.text.show_fault(told(reason))
        self.text.setFocus()

    def set_busy(self, busy: bool) -> None:
        """Wait while the text is sorted."""
        buttons = (self.save, self.sort, self.by_rules, self.cancel)
        for widget in (self.text, self.pages, *buttons):
            widget.setEnabled(not busy)


class ReviewPage(QWidget):
    """keep_wanted(proposal): as it was edited. page_wanted(link): show it.

    link_wanted(take): call it with the page in view.
    """

    keep_wanted = Signal(object)
    page_wanted = Signal(object)
    link_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._proposal: Proposal | None = None
        self._known: tuple[Collection[Place], Collection[str]] = ((), ())
        self.cards: list[_Card] = []
        self._cards = in_column(spacing=Space.M)
        self.profiles = label("", wrap=True, selectable=True)
        self.no_profiles = push_button(self.tr("Leave out"), self._leave_profiles_out)
        self.no_profiles.setAccessibleName(self.tr("Leave out the general facts"))
        self.relations = relations_field()
        self.relations.edited.connect(lambda: self.relations.show_fault(""))
        self.refused = label("", tone="bad", wrap=True)
        content = QWidget()
        column = in_column(content, spacing=Space.M)
        fill(column, self.refused, self._cards, self.relations, self.profiles)
        column.addWidget(self.no_profiles, 0, Qt.AlignmentFlag.AlignLeft)
        self.keep = push_button(self.tr("Save"), self._keep, kind="primary")
        self.frame = PageFrame(content, right=(self.keep,))
        in_column(self).addWidget(self.frame)

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes as they stand in the fields."""
        return tuple(card.form.note for card in self.cards)

    def offer(self, places: Collection[Place], roles: Collection[str]) -> None:
        """Offer the places and roles that are known."""
        self._known = (places, roles)

    def show_proposal(self, proposal: Proposal, page_names: Mapping[PageLink, str]) -> None:
        """Show what a text holds."""
        self._proposal = proposal
        for card in list(self.cards):
            self._take(card)
        for note in proposal.notes:
            self._put(note, page_names)
        self._number()
        self.relations.set_text(relation_lines(proposal.data))
        self.relations.show_fault("")
        self._show_profiles(proposal.profiles)
        self.refused.say("\n".join(proposal.refused))
        self.frame.show_title(
            self.tr("Is this right?"),
            self._state(proposal),
            "attention" if proposal.notice else "muted",
        )
        self.frame.to_top()

    def show_problems(self, faults: Mapping[int, str]) -> None:
        """Leave only the notes that were refused, each with the reason. faults: by position."""
        refused = [(card, faults[n]) for n, card in enumerate(self.cards) if n in faults]
        for card in [each for each in self.cards if each not in [card for card, _ in refused]]:
            self._take(card)
        self._number()
        for card, reason in refused:
            field = card.form.show_fault(reason)
            if field is not None and card is self.cards[0]:
                field.setFocus()
                self.frame.area.ensureWidgetVisible(field)

    def set_busy(self, busy: bool) -> None:
        """Wait while the notes are kept."""
        self.keep.setEnabled(not busy)

    def _state(self, proposal: Proposal) -> str:
        if proposal.notice:
            return told(proposal.notice)
        who = (
            self.tr("Sorted by the language model.")
            if proposal.by_model
            else self.tr("Sorted by simple rules.")
        )
        step = self.tr("{who} Correct what is wrong, then save.")
        return step.format(who=who)

    def _keep(self) -> None:
        proposal, notes = self._proposal, self.notes
        if proposal is None or not self.cards:
            return
        try:
            data = with_relations(proposal.data, self.relations.text, notes)
        except KnowledgeRefused as refusal:
            self.relations.show_fault(told(message(refusal)))
            self.relations.setFocus()
            return
        self.keep_wanted.emit(replace(proposal, data=data, notes=notes))

    def _show_profiles(self, profiles: Sequence[str]) -> None:
        self.profiles.setText("\n".join(profiles))
        for widget in (self.profiles, self.no_profiles):
            widget.setVisible(bool(profiles))

    def _leave_profiles_out(self) -> None:
        if self._proposal is not None:
            data = {k: v for k, v in self._proposal.data.items() if k != "metadata"}
            self._proposal = replace(self._proposal, data=data)
            self._show_profiles(())

    def _put(self, note: Note, page_names: Mapping[PageLink, str]) -> None:
        card = _Card()
        card.form.offer(*self._known)
        card.form.show_note(note, page_names)
        card.form.edited.connect(lambda: card.form.show_fault(""))
        card.form.page_wanted.connect(self.page_wanted)
        pages = card.form.pages
        pages.link_wanted.connect(lambda: self.link_wanted.emit(pages.add))
        card.leave_out.clicked.connect(lambda: self._leave_out(card))
        self.cards.append(card)
        self._cards.addWidget(card)

    def _leave_out(self, card: _Card) -> None:
        self._take(card)
        self._number()
        self.keep.setFocus()

    def _take(self, card: _Card) -> None:
        self.cards.remove(card)
        discard(card, self._cards)

    def _number(self) -> None:
        self.setFocusProxy(self.cards[0].form if self.cards else self.keep)
        several = len(self.cards) > 1
        for number, card in enumerate(self.cards, start=1):
            card.show_number(number, len(self.cards), several=several)
        text = self.tr("Save {notes}").format(notes=words.notes(len(self.cards)))
        self.keep.setText(text)
        self.keep.setAccessibleName(text)
        self.keep.setEnabled(bool(self.cards))


class _Card(QFrame):
    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.form = NoteForm()
        self.form.details.open()  # they are what is to be looked at
        self._title = label("", bold=True, tone="muted")
        self.leave_out = flat_button("trash-2", self.tr("Leave out"), caption=True)
        top = QHBoxLayout()
        fill(top, (self._title, 1), self.leave_out)
        fill(in_column(self, (Space.L, Space.M, Space.L, Space.L), spacing=Space.S), top, self.form)

    def show_number(self, number: int, of: int, *, several: bool) -> None:
        self._title.setText(self.tr("Note {n} of {all}").format(n=number, all=of))
        name = self.tr("Leave out note {n}").format(n=number)
        self.leave_out.setAccessibleName(name)
        self._title.setVisible(several)
        self.leave_out.setVisible(several)
