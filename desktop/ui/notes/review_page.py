"""What a text was found to hold, to be looked at and corrected before anything is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop.core.notes.relations import relation_lines, with_relations
from desktop.ui.controls import flat_button, label, push_button
from desktop.ui.domains.page_frame import PageFrame
from desktop.ui.language import told
from desktop.ui.notes import words
from desktop.ui.notes.note_form import NoteForm, relations_field
from desktop.ui.tokens import Space
from knowledge.errors import KnowledgeRefused

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from desktop.core.library.places import Place
    from desktop.core.notes.note import Note
    from desktop.core.notes.proposal import Proposal
    from knowledge.pieces import PageLink


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
        self._cards = QVBoxLayout()
        self._cards.setSpacing(Space.M)
        self.profiles = label("", wrap=True, selectable=True)
        self.no_profiles = push_button(self.tr("Leave Out"))
        self.no_profiles.setAccessibleName(self.tr("Leave out the general facts"))
        self.no_profiles.clicked.connect(self._leave_profiles_out)
        self.relations = relations_field()
        self.relations.edited.connect(lambda: self.relations.show_fault(""))
        self.refused = label("", tone="bad", wrap=True)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.M)
        column.addWidget(self.refused)
        column.addLayout(self._cards)
        column.addWidget(self.relations)
        column.addWidget(self.profiles)
        column.addWidget(self.no_profiles, 0, Qt.AlignmentFlag.AlignLeft)
        self.keep = push_button(self.tr("Save"), kind="primary")
        self.frame = PageFrame(content, right=(self.keep,))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.frame)
        self.keep.clicked.connect(self._keep)

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
        self.refused.setText("\n".join(proposal.refused))
        self.refused.setVisible(bool(proposal.refused))
        self.frame.show_title(self.tr("Is this right?"), self._state(proposal), _tone(proposal))
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
            self.tr("The language model sorted it.")
            if proposal.by_model
            else self.tr("Simple rules sorted it.")
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
            self.relations.show_fault(told(str(refusal)))
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
        self._cards.removeWidget(card)
        card.hide()
        card.deleteLater()

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
        top.addWidget(self._title, 1)
        top.addWidget(self.leave_out)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.L, Space.M, Space.L, Space.L)
        column.setSpacing(Space.S)
        column.addLayout(top)
        column.addWidget(self.form)

    def show_number(self, number: int, of: int, *, several: bool) -> None:
        self._title.setText(self.tr("Note {n} of {all}").format(n=number, all=of))
        name = self.tr("Leave out note {n}").format(n=number)
        self.leave_out.setAccessibleName(name)
        self._title.setVisible(several)
        self.leave_out.setVisible(several)


def _tone(proposal: Proposal) -> str:
    return "attention" if proposal.notice else "muted"
