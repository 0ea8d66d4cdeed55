"""What two people wrote separately in one note, above the notes: both texts, one to keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame

from desktop.core.notes.note import DELETED, day
from desktop.ui.design.controls import empty, in_column, label, push_button
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import spoken_language, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.notes.note import Conflict, Version

LONGEST = 400


class ConflictStrip(QFrame):
    """decided(conflict, value): a person keeps one version. Hidden while there are none."""

    decided = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self._conflicts: tuple[Conflict, ...] = ()
        self._column = in_column(self, (Space.M, Space.S, Space.M, Space.S), spacing=Space.XS)
        self.hide()

    def show_conflicts(self, conflicts: Sequence[Conflict]) -> None:
        """Show the first of them; the others follow it."""
        if tuple(conflicts) == self._conflicts:
            return
        self._conflicts = tuple(conflicts)
        empty(self._column)
        if conflicts:
            self._show(conflicts[0], len(conflicts))
        self.setVisible(bool(conflicts))

    def _show(self, conflict: Conflict, count: int) -> None:
        title = self.tr("Two people changed a note separately: {field}").format(
            field=_field(conflict.field)
        )
        self._column.addWidget(label(title, bold=True, wrap=True))
        for version in conflict.versions:
            by = self.tr("{name}, {day}:").format(
                name=version.check_in.name or version.check_in.author,
                day=day(version.check_in.at[:10], language=spoken_language()),
            )
            self._column.addWidget(label(by, factor=Type.SMALL, tone="muted", wrap=True))
            text = label(_text(conflict, version), wrap=True, selectable=True)
            text.setMinimumWidth(1)
            self._column.addWidget(text)
            keep = push_button(self.tr("Keep this"))
            keep.setAccessibleDescription(text.text())
            keep.clicked.connect(
                lambda _=False, value=version.value: self.decided.emit(conflict, value)
            )
            self._column.addWidget(keep, 0, Qt.AlignmentFlag.AlignLeft)
        if count > 1:
            more = self.tr("{n} more after this one").format(n=count - 1)
            self._column.addWidget(label(more, factor=Type.SMALL, tone="muted"))


def _field(name: str) -> str:
    told = {
        "content": tr("its text"),
        "tags": tr("its tags"),
        "place": tr("what it is about"),
        "knowledge_type": tr("its kind"),
        "tier": tr("how far to trust it"),
        "links": tr("its pages"),
        DELETED: tr("deleted by one, changed by the other"),
    }
    return told.get(name, name)


def _text(conflict: Conflict, version: Version) -> str:
    value = version.value
    if conflict.field == DELETED:
        return tr("Delete it") if value else str(version.check_in.values.get("content", ""))
    if conflict.field == "links":
        return tr("{n} pages").format(n=len(value or ()))
    if isinstance(value, list):
        value = ", ".join(str(each) for each in value)
    return str(value or tr("nothing"))[:LONGEST]
