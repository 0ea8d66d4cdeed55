"""The list of conversations over the answers, searched."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from desktop.ui import wording
from desktop.ui.design.controls import (
    DELETE,
    ENTER,
    Keys,
    fill,
    in_column,
    label,
    painted_as,
    search_field,
)
from desktop.ui.design.icons import icon
from desktop.ui.design.notices import NoticeStrip
from desktop.ui.design.popups import passing_menu
from desktop.ui.design.tokens import Space
from desktop.ui.language import tr
from desktop.ui.library.lists import KeyedList, RowButtons
from desktop.ui.library.model import RowView

if TYPE_CHECKING:
    from desktop.core.conversations.values import ConversationRecord


class ConversationRows(KeyedList):
    """wanted(action, id): open, rename, export or delete a conversation. Its keys are their ids."""

    wanted = Signal(str, int)

    def __init__(self) -> None:
        super().__init__(tr("Conversations"))
        self._records: Sequence[ConversationRecord] = ()
        self._open: int | None = None
        self.clicked.connect(lambda _: self._want("open"))
        self._buttons = RowButtons(self)
        self._buttons.pressed.connect(self._show_menu_below)
        Keys(
            self,
            {
                (*ENTER, Qt.Key.Key_Space): partial(self._want, "open"),
                DELETE: partial(self._want, "delete"),
                (Qt.Key.Key_F2,): partial(self._want, "rename"),
            },
        )

    def show_conversations(self, records: Sequence[ConversationRecord]) -> None:
        """Show exactly these conversations."""
        self._records = records
        self.show_rows([(str(each.id), self._view(each)) for each in records])

    def mark_open(self, conversation_id: int | None) -> None:
        """Mark the conversation that the chat shows."""
        self._open = conversation_id
        self.show_conversations(self._records)

    def select(self, conversation_id: int | None) -> None:
        """Move the keyboard focus to a conversation, or else to the first one."""
        keys = self.all_keys()
        self.go_to(str(conversation_id) if str(conversation_id) in keys else "".join(keys[:1]))

    def menu(self) -> QMenu:
        """Return the menu of actions for the current conversation."""
        menu = passing_menu(self)
        for text, action in (
            (self.tr("Open"), "open"),
            (self.tr("Rename…"), "rename"),
            (self.tr("Export…"), "export"),
        ):
            menu.addAction(text).triggered.connect(partial(self._want, action))
        menu.addSeparator()
        delete = menu.addAction(icon("trash-2"), self.tr("Delete"))
        delete.triggered.connect(partial(self._want, "delete"))
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
        if index.isValid():
            self.setCurrentIndex(index)
            self.menu().popup(event.globalPos())

    def _want(self, action: str, _checked: bool = False) -> None:
        if self.key:
            self.wanted.emit(action, int(self.key))

    def _changed(self) -> None:
        """Moving through the rows opens none of them."""

    def _show_menu_below(self, _action: str, _row: object, button: QWidget) -> None:
        self.menu().popup(button.mapToGlobal(QPoint(0, button.height())))

    def _view(self, record: ConversationRecord) -> RowView:
        title = record.title or tr("New conversation")
        detail = f"{wording.questions(record.turns)} · {wording.day_and_time(record.updated_at)}"
        tone = "open" if record.id == self._open else ""
        return RowView(title, detail, tone, "message-square-text")


TYPING_MS = 150
"""A search waits until nobody has typed for this long."""


class ConversationDrawer(QWidget):
    """search_wanted(): show the conversations that have the words of `search_text`."""

    search_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        painted_as(self, "panel")
        self.rows = ConversationRows()
        self.notices = NoticeStrip()
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._typing.timeout.connect(self.search_wanted)
        field = search_field(
            self.tr("Search questions and answers"), self.tr("Search conversations")
        )
        field.textChanged.connect(lambda: self._typing.start())
        field.returnPressed.connect(self._open_first)
        Keys(field, {(Qt.Key.Key_Down,): self._go_to_rows})
        self.field = field
        self._nothing = label("", tone="muted", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self._nothing.setContentsMargins(Space.INSET, Space.XL, Space.INSET, Space.INSET)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.rows)
        self._stack.addWidget(self._nothing)
        column = in_column(self)
        holder = in_column(room=(Space.S, Space.S, Space.S, Space.XS))
        holder.addWidget(self.field)
        fill(column, holder, (self._stack, 1), self.notices)
        self.rows.model().modelReset.connect(self._choose_page)
        self._choose_page()

    @property
    def search_text(self) -> str:
        """The text searched for."""
        return self.field.text().strip()

    def begin(self) -> None:
        """On being shown: the search field gets the keyboard."""
        self.field.clear()
        self.search_wanted.emit()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _go_to_rows(self) -> None:
        if not self.rows.key:
            self.rows.select(None)
        self.rows.setFocus(Qt.FocusReason.TabFocusReason)

    def _open_first(self) -> None:
        for key in self.rows.all_keys()[:1]:
            self.rows.wanted.emit("open", int(key))

    def _choose_page(self) -> None:
        if self.rows.all_keys():
            self._stack.setCurrentWidget(self.rows)
            return
        text = self.tr("Your questions and answers stay here until you delete them.")
        if self.search_text:
            text = self.tr("No conversations match “{text}”.").format(text=self.search_text)
        self._nothing.setText(text)
        self._stack.setCurrentWidget(self._nothing)
