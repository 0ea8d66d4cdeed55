"""The form of a domain: the product, its manuals, how to search them, other words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.controls import label, push_button
from desktop.ui.domains.draft import Draft, ProfileDraft
from desktop.ui.domains.field import Field
from desktop.ui.domains.profile_card import ProfileCard
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.ui.domains.draft import Faults
    from knowledge.domain import Manual

ABOVE = ("title", "description")
BELOW = ("search_strategy", "important", "components", "units", "glossary")


class DomainForm(QWidget):
    """edited(): a field changed, or a manual was added or left out."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fields = self._make_fields()
        self.cards: list[ProfileCard] = []
        self._manuals: Sequence[Manual] = ()
        self._fault = label("", factor=Type.SMALL, tone="bad", wrap=True)
        self._fault.hide()
        self.add = push_button(self.tr("Add a manual"), name="plus")
        self.add.clicked.connect(self._add_card)
        self._cards = QVBoxLayout()
        self._cards.setSpacing(Space.M)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.L)
        for name in ABOVE:
            column.addWidget(self.fields[name])
        column.addWidget(label(self.tr("Manuals"), factor=Type.LEAD, bold=True))
        column.addLayout(self._cards)
        column.addWidget(self._fault)
        column.addWidget(self.add)
        column.addWidget(label(self.tr("Searching"), factor=Type.LEAD, bold=True))
        for name in BELOW:
            column.addWidget(self.fields[name])
        for field in self.fields.values():
            field.edited.connect(self.edited)

    @property
    def draft(self) -> Draft:
        """The fields as they stand."""
        texts = {name: field.text for name, field in self.fields.items()}
        return Draft(manuals=tuple(card.draft for card in self.cards), **texts)

    def show_draft(self, draft: Draft, manuals: Sequence[Manual]) -> None:
        """Show a draft. manuals: all of the library; the cards name those that they mean."""
        self._manuals = manuals
        for name, field in self.fields.items():
            field.set_text(getattr(draft, name))
        while self.cards:
            self._take(self.cards[-1])
        for profile in draft.manuals:
            self._put(profile)
        self.show_faults({})

    def show_faults(self, faults: Faults) -> QWidget | None:
        """Say beside each field what is wrong with it; return the first one with a fault."""
        for name, field in self.fields.items():
            field.show_fault(faults.get(name, ""))
        self._fault.setText(faults.get("manuals", ""))
        self._fault.setVisible("manuals" in faults)
        for number, card in enumerate(self.cards):
            beginning = f"manuals.{number}."
            own = {
                key.removeprefix(beginning): sentence
                for key, sentence in faults.items()
                if key.startswith(beginning)
            }
            card.show_faults(own)
        every = [*self.fields.values(), *(f for card in self.cards for f in card.fields.values())]
        return next((field for field in every if not field.fault.isHidden()), None)

    def _put(self, draft: ProfileDraft) -> ProfileCard:
        card = ProfileCard(draft, self._manuals)
        card.edited.connect(self.edited)
        card.remove_wanted.connect(lambda: self._remove(card))
        self.cards.append(card)
        self._cards.addWidget(card)
        return card

    def _take(self, card: ProfileCard) -> None:
        self.cards.remove(card)
        self._cards.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _add_card(self) -> None:
        self._put(ProfileDraft()).fields["title"].setFocus()
        self.edited.emit()

    def _remove(self, card: ProfileCard) -> None:
        self._take(card)
        self.add.setFocus()
        self.edited.emit()

    def _make_fields(self) -> dict[str, Field]:
        tr = self.tr
        return {
            "title": Field(tr("Product"), example=tr("For example HX-200 booster pump station")),
            "description": Field(
                tr("What the agent is told about it"),
                tr("For example: You are a technical assistant for…"),
                lines=2,
            ),
            "search_strategy": Field(
                tr("Which manual to search for what"),
                tr("One rule a line, such as “Wiring → Installation manual first”."),
                lines=3,
            ),
            "important": Field(tr("How the manuals belong together"), lines=2),
            "components": Field(
                tr("Parts that several manuals describe"),
                tr("One a line. A question about such a part looks into all of them."),
                lines=2,
            ),
            "units": Field(tr("Units"), example=tr("For example bar, V, Nm")),
            "glossary": Field(
                tr("Other words"),
                tr("One term a line: setpoint = wanted pressure, Sollwert"),
                lines=3,
            ),
        }
