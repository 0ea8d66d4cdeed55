"""Asks what documents are: tags, how far they are to be trusted, their kind and revision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QVBoxLayout, QWidget

from desktop.core.library.values import BadSource, SourceEdit
from desktop.sentences import message
from desktop.ui import wording
from desktop.ui.design.controls import fill, in_column, in_row, label, push_button, text_field
from desktop.ui.design.dialogs import Dialog
from desktop.ui.design.forms import NameField
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import told

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from desktop.core.library.values import DocumentRecord

WIDTH = 480
Edits = dict[int, SourceEdit]
"""What a person says of each document, by its id."""


class SourceDialog(Dialog):
    """For one document everything, for several what they can share.

    answered(edits): `Edits` of all documents. rules_wanted(): let rules decide anew.
    """

    answered = Signal(object)
    rules_wanted = Signal()

    def __init__(
        self,
        parent: QWidget,
        manuals: Sequence[DocumentRecord],
        known_tags: Collection[str],
        known_kinds: Collection[str],
    ) -> None:
        super().__init__(parent, self.tr("Tags, trust and revision"), spacing=Space.S)
        self.setMinimumWidth(WIDTH)
        self._manuals = manuals
        first = manuals[0]
        self._one = len(manuals) == 1
        self.tags = TagField(self.tr("Tags") if self._one else self.tr("Add tags"), "")
        self.tags.offer(known_tags)
        self.fewer_tags = TagField(self.tr("Remove tags"), "")
        self.fewer_tags.offer({tag for each in manuals for tag in each.tags})
        self.tier = self._tier_box({each.tier for each in manuals})
        self.kind = NameField(self.tr("Kind"), self.tr("As they are"))
        self.kind.offer(known_kinds)
        if len({each.source_type for each in manuals}) == 1:
            self.kind.line.setText(first.source_type)
        self.revision = text_field(self.tr("Revision"), placeholder=self.tr("For example Rev C"))
        self.date = text_field(
            self.tr("Date of the revision"), placeholder=self.tr("For example 2026-03")
        )
        if self._one:
            self.tags.line.setText(", ".join(first.tags))
            self.revision.setText(first.revision)
            self.date.setText(first.revision_date)
        self._wrong = label("", tone="bad", wrap=True)
        self._wrong.hide()
        self._lay_out()
        self.tags.setFocus()

    def accept(self) -> None:
        """Hand the edits over, or say what is wrong with them and stay."""
        edits = {each.id: self._edit(each) for each in self._manuals}
        try:
            for edit in edits.values():
                edit.columns()
        except BadSource as error:
            self._wrong.setText(told(message(error)))
            self._wrong.show()
            return
        super().accept()
        changed = {each.id: edits[each.id] for each in self._manuals if edits[each.id].changes}
        if changed:
            self.answered.emit(changed)

    def _edit(self, manual: DocumentRecord) -> SourceEdit:
        """Return what differs from what a document is now."""
        away = {tag.casefold() for tag in self.fewer_tags.tags}
        added = self.tags.tags
        if self._one:
            tags = added
        else:
            kept = tuple(tag for tag in manual.tags if tag.casefold() not in away)
            there = {tag.casefold() for tag in kept}
            tags = kept + tuple(tag for tag in added if tag.casefold() not in there)
        tier = self.tier.currentData()
        kind = self.kind.name.strip()
        revision, date = self.revision.text().strip(), self.date.text().strip()
        return SourceEdit(
            tier=tier if tier and tier != manual.tier else None,
            source_type=kind if kind and kind != manual.source_type else None,
            tags=tags if tags != manual.tags else None,
            revision=revision if self._one and revision != manual.revision else None,
            revision_date=date if self._one and date != manual.revision_date else None,
        )

    def _tier_box(self, now: set[int]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(self.tr("Trust"))
        box.setMinimumHeight(Size.TARGET)
        box.setItemDelegate(QStyledItemDelegate(box))  # as tall as the style sheet says
        if len(now) > 1:
            box.addItem(self.tr("As they are"), 0)
        for tier in wording.TIERS:
            box.addItem(wording.tier_title(tier), tier)
        if len(now) == 1:
            box.setCurrentIndex(box.findData(next(iter(now))))
        return box

    def _lay_out(self) -> None:
        column = self.column
        column.addWidget(label(self._about(), factor=Type.LEAD, bold=True, wrap=True))
        fields: list[tuple[QWidget, QWidget]] = [(self.tags, self.tags.line)]
        if not self._one:
            fields.append((self.fewer_tags, self.fewer_tags.line))
        fields += [(self.tier, self.tier), (self.kind, self.kind.line)]
        for field, line in fields:
            _add(column, field, line)
        if self._one:
            pair = in_row(spacing=Space.M)
            for line in (self.revision, self.date):
                side = in_column(spacing=Space.S)
                _add(side, line, line)
                pair.addLayout(side, 1)
            column.addLayout(pair)
        for unused in (self.fewer_tags,) if self._one else (self.revision, self.date):
            unused.setParent(self)  # without one it would outlive the dialog, and its menu with it
            unused.hide()
        column.addWidget(self._wrong)
        hint = self.tr("Separate tags with commas. The newer of two revisions wins.")
        if not self._one:
            hint = self.tr("Separate tags with commas. Empty fields change nothing.")
        column.addWidget(label(hint, factor=Type.SMALL, tone="muted", wrap=True))
        column.addSpacing(Space.M)
        rules = push_button(self.tr("Let the rules decide again"))
        rules.clicked.connect(self._leave_to_rules)
        self.add_buttons(self.tr("OK"), left=(rules,))

    def _leave_to_rules(self) -> None:
        self.reject()
        self.rules_wanted.emit()

    def _about(self) -> str:
        if self._one:
            title = self._manuals[0].title.strip() or self._manuals[0].name
            return self.tr("What is “{title}”?").format(title=title)
        count = wording.manuals(len(self._manuals))
        return self.tr("What are these {manuals}?").format(manuals=count)


class TagField(NameField):
    """A line of tags, with the known ones in a menu beside it: choosing one adds it."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags as they are written, each once."""
        written = (" ".join(part.split()).removeprefix("#") for part in self.name.split(","))
        once: dict[str, str] = {}
        for tag in written:
            if tag:
                once.setdefault(tag.casefold(), tag)
        return tuple(once.values())

    def choose(self, name: str) -> None:
        """Add a tag to those that are written."""
        if name.casefold() not in {tag.casefold() for tag in self.tags}:
            self.line.setText(", ".join((*self.tags, name)))

    def completes(self) -> bool:
        """A completer would replace the whole line."""
        return False


def _add(column: QVBoxLayout, field: QWidget, named: QWidget) -> None:
    caption = label(named.accessibleName())
    caption.setBuddy(named)
    column.addSpacing(Space.XS)
    fill(column, caption, field)
