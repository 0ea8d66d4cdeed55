"""One manual of a domain in the form: which files are meant, and what it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from desktop.ui import wording
from desktop.ui.controls import flat_button, label
from desktop.ui.domains.draft import ProfileDraft, meant
from desktop.ui.domains.field import Field
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from knowledge.domain import Manual

MOST_NAMED = 5


class ProfileCard(QFrame):
    """edited(): a field changed. remove_wanted()."""

    edited = Signal()
    remove_wanted = Signal()

    def __init__(self, draft: ProfileDraft, manuals: Sequence[Manual]) -> None:
        """manuals: all of the library; those that are meant are named."""
        super().__init__()
        self.setProperty("role", "card")
        self._manuals = manuals
        self.covers = label("", factor=Type.SMALL, tone="muted", wrap=True)
        self.fields = {
            "title": Field(self.tr("Manual"), example=self.tr("For example Installation manual")),
            "audience": Field(
                self.tr("Who it is for"), example=self.tr("For example installers, electricians")
            ),
            "purpose": Field(self.tr("What it is about"), lines=2),
            "use_for": Field(
                self.tr("Beginnings of questions that it answers"),
                self.tr("One a line, such as “How do I wire…”."),
                lines=2,
            ),
            "cues": Field(
                self.tr("Words that belong to it"),
                self.tr("One a line. A question with such a word looks here first."),
                lines=2,
            ),
            "patterns": Field(
                self.tr("Files or titles that are meant"),
                self.tr("One a line; * stands for anything."),
                lines=2,
            ),
        }
        self.remove = flat_button("trash-2", self.tr("Leave this manual out"))
        self.remove.clicked.connect(self.remove_wanted)
        top = QHBoxLayout()
        top.addWidget(self.covers, 1)
        top.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.M, Space.S, Space.M, Space.M)
        column.setSpacing(Space.M)
        column.addLayout(top)
        column.addLayout(self._beside("title", "audience"))
        column.addWidget(self.fields["purpose"])
        column.addLayout(self._beside("use_for", "cues"))
        column.addWidget(self.fields["patterns"])
        for name, field in self.fields.items():
            field.set_text(getattr(draft, name))
            field.edited.connect(self.edited)
        self.fields["patterns"].edited.connect(self._name_manuals)
        self._name_manuals()

    def _beside(self, *names: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(Space.M)
        for name in names:
            row.addWidget(self.fields[name], 1, Qt.AlignmentFlag.AlignTop)
        return row

    def _name_manuals(self) -> None:
        titles = meant(self.fields["patterns"].text, self._manuals)
        named = ", ".join(wording.quoted(title) for title in titles[:MOST_NAMED])
        if len(titles) > MOST_NAMED:
            named = wording.manuals(len(titles))
        self.covers.setText(
            self.tr("In this library: {manuals}").format(manuals=named)
            if titles
            else self.tr("No manual of this library is meant.")
        )

    @property
    def draft(self) -> ProfileDraft:
        """The fields as they stand."""
        return ProfileDraft(**{name: field.text for name, field in self.fields.items()})

    def show_faults(self, faults: Mapping[str, str]) -> None:
        """Say what is wrong, by the fields' names."""
        for name, field in self.fields.items():
            field.show_fault(faults.get(name, ""))
