"""The conversations as a Qt model: the latest first, as the library lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from desktop.ui import wording
from desktop.ui.controls import plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.conversations.values import ConversationRecord

RowIndex = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


class ConversationModel(QAbstractListModel):
    """One row per conversation; a removed one is hidden until its removal is final."""

    IdRole = Qt.ItemDataRole.UserRole + 1
    DetailRole = Qt.ItemDataRole.UserRole + 2
    OpenRole = Qt.ItemDataRole.UserRole + 3

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._records: list[ConversationRecord] = []
        self._hidden: set[int] = set()
        self._open: int | None = None

    def replace_all(self, records: Iterable[ConversationRecord]) -> None:
        """Show exactly these conversations."""
        self.beginResetModel()
        self._records = [each for each in records if each.id not in self._hidden]
        self.endResetModel()

    def record(self, conversation_id: int) -> ConversationRecord | None:
        """Return one conversation, or None when it is not shown."""
        return next((each for each in self._records if each.id == conversation_id), None)

    def hide(self, conversation_id: int) -> None:
        """Take a conversation out of sight until `unhide` or a later `replace_all`."""
        self._hidden.add(conversation_id)
        self.replace_all(list(self._records))

    def unhide(self, conversation_id: int) -> None:
        """Let the next `replace_all` show a conversation again."""
        self._hidden.discard(conversation_id)

    def mark_open(self, conversation_id: int | None) -> None:
        """Mark the conversation that the chat shows."""
        self._open = conversation_id
        if self._records:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._records) - 1, 0))

    def rowCount(self, parent: RowIndex = ROOT) -> int:
        return 0 if parent.isValid() else len(self._records)

    def data(self, index: RowIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        record = self._records[index.row()]
        title = record.title or _tr("New conversation")
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return title
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(title)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{title}, {_detail(record)}"
            case self.IdRole:
                return record.id
            case self.DetailRole:
                return _detail(record)
            case self.OpenRole:
                return record.id == self._open
            case _:
                return None


def _detail(record: ConversationRecord) -> str:
    return f"{wording.questions(record.turns)} · {wording.day_and_time(record.updated_at)}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("Conversations", text)
