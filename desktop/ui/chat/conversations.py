"""Conversations: their list over the answers, searched, and what a person can do with one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QFrame, QMenu, QStackedWidget, QWidget

from desktop.core.conversations.values import ConversationRecord, StoredTurn, one_line
from desktop.ui import wording
from desktop.ui.bridge import WindowPart
from desktop.ui.design.controls import (
    DELETE,
    ENTER,
    Keys,
    in_column,
    label,
    painted_as,
    search_field,
)
from desktop.ui.design.dialogs import ask_for_line
from desktop.ui.design.icons import icon
from desktop.ui.design.notices import NoticeStrip
from desktop.ui.design.popups import passing_menu
from desktop.ui.design.tokens import Space
from desktop.ui.files import choose_export
from desktop.ui.language import tr
from desktop.ui.library.lists import KeyedList, RowButtons
from desktop.ui.library.model import RowView
from desktop.ui.window.layout import LayoutMemory

if TYPE_CHECKING:
    from desktop.core.conversations.store import Conversations
    from desktop.core.workspace import Workspace
    from desktop.ui.chat.chat_panel import ChatPanel


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
        self._nothing.setContentsMargins(Space.L, Space.XL, Space.L, Space.L)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.rows)
        self._stack.addWidget(self._nothing)
        column = in_column(self)
        holder = in_column(room=(Space.S, Space.S, Space.S, Space.XS))
        holder.addWidget(self.field)
        column.addLayout(holder)
        column.addWidget(self._stack, 1)
        column.addWidget(self.notices)
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


UNDO_MS = 10_000
NOTICE_MS = 12_000
NEW = "new"
"""Remembered of a window in which nothing was asked since a new conversation was begun."""
LastFound = tuple["ConversationRecord", list["StoredTurn"]] | None


class ConversationController(WindowPart):
    """Connects the chat and its list with the conversations of an open library.

    shown(): another conversation, or a new one, is in the chat. left(): none is in it any more.
    """

    shown = Signal()
    left = Signal()

    def __init__(self, chat: ChatPanel, parent: QObject) -> None:
        super().__init__(parent, self._report)
        self._chat = chat
        self._rows = chat.drawer.rows
        self._notices = chat.drawer.notices
        self._store: Conversations | None = None
        self._memory: LayoutMemory | None = None
        self.current: int | None = None
        """The conversation in the chat, None while nothing has been asked in it."""
        self._known: dict[int, ConversationRecord] = {}
        self._doomed: dict[int, tuple[QTimer, QFrame]] = {}
        chat.header.new_button.clicked.connect(self.new)
        self._rows.wanted.connect(self.do)
        chat.drawer.search_wanted.connect(self.refresh)

    def open_workspace(self, workspace: Workspace) -> None:
        """Show the conversation that was left open, else the one that was last asked in."""
        self._store = store = workspace.conversations
        self._memory = LayoutMemory(workspace.library.folder.root)
        left = self._memory.conversation
        self.refresh()

        def last() -> LastFound:
            records = store.list()
            wanted = next((each for each in records if str(each.id) == left), None)
            if wanted is None and records and left != NEW:
                wanted = records[0]
            return (wanted, store.turns(wanted.id)) if wanted is not None else None

        self._errands.run(last, self._reopen)

    def for_question(self, question: str, document_ids: frozenset[int]) -> int | None:
        """Return the conversation that a question belongs to; the first one begins it."""
        if self._store is None or self._store.read_only:
            return None
        if self.current is None:
            self._set_current(self._store.create("", document_ids), one_line(question))
        return self.current

    def new(self) -> None:
        """Leave the conversation in the chat; the next question begins another one."""
        self._chat.show()
        self._chat.clear()
        self._chat.show_drawer(False)
        self._set_current(None, "")
        self._chat.composer.field.setFocus()
        self.left.emit()
        self.shown.emit()

    def show_list(self) -> None:
        """Show the list of conversations, or leave it."""
        self._chat.show()
        self._chat.show_drawer(not self._chat.drawer_shown)

    def refresh(self) -> None:
        """Read the list again, filtered by the search."""
        store = self._store
        if store is not None:
            text = self._chat.drawer.search_text
            self._errands.run(lambda: store.list(text), self._show_list)

    def do(self, action: str, conversation_id: int) -> None:
        """Carry out an action of the list or of a menu."""
        record = self._known.get(conversation_id)
        if record is None:
            return
        match action:
            case "open":
                self.open(record)
            case "rename":
                self._rename(record)
            case "export":
                choose_export(self._chat, record.title, lambda path: self.export(record.id, path))
            case "delete":
                self.delete(record)
            case _:
                pass

    def do_current(self, action: str) -> None:
        """Do something with the conversation in the chat."""
        if self.current is not None:
            self.do(action, self.current)

    def open(self, record: ConversationRecord) -> None:
        """Show a conversation with its answers, citations and reasoning."""
        store = self._store
        if record.id == self.current:
            self._chat.show_drawer(False)
        elif store is not None:
            self._errands.run(
                lambda: store.turns(record.id), lambda turns: self._show_chosen(record, turns)
            )

    def delete(self, record: ConversationRecord) -> None:
        """Hide a conversation and delete it for good if nobody undoes that for a while."""
        if record.id in self._doomed:
            return
        was_shown = record.id == self.current
        notice = self._notices.say(
            self.tr("Deleted “{title}”.").format(title=record.title),
            action=self.tr("Undo"),
            on_action=lambda: self._undo(record, was_shown),
            milliseconds=UNDO_MS,
        )
        timer = QTimer(self, singleShot=True)
        timer.timeout.connect(lambda: self._delete(record.id))
        timer.start(UNDO_MS)
        self._doomed[record.id] = (timer, notice)
        if was_shown:
            self._chat.clear()
            self._chat.show_last_place()
            self._set_current(None, "")
            self.shown.emit()
        self._chat.show_drawer(True)  # where it can be undone

    @property
    def can_undo(self) -> bool:
        """Whether a conversation was deleted just now, and may come back."""
        return bool(self._doomed)

    def close(self) -> None:
        """Carry out the deletions that were asked for and join the thread."""
        for conversation_id in list(self._doomed):
            self._delete(conversation_id)
        self._errands.close()

    def _undo(self, record: ConversationRecord, was_shown: bool) -> None:
        timer, notice = self._doomed.pop(record.id)
        timer.stop()
        self._notices.dismiss(notice)
        self.refresh()
        if was_shown and self.current is None:
            self.open(record)

    def _delete(self, conversation_id: int) -> None:
        timer, notice = self._doomed.pop(conversation_id)
        timer.stop()
        self._notices.dismiss(notice)
        store = self._store
        if store is not None:
            self._errands.run(lambda: store.delete(conversation_id), lambda _: self.refresh())

    def _rename(self, record: ConversationRecord) -> None:
        store = self._store

        def rename(title: str) -> None:
            if store is not None:
                self._errands.run(lambda: store.rename(record.id, title))
                self.refresh()

        ask_for_line(
            self._chat,
            self.tr("Rename conversation"),
            self.tr("Title:"),
            rename,
            start=record.title,
        )

    def export(self, conversation_id: int, path: Path) -> None:
        """Write a conversation to a file."""
        store = self._store
        if store is None:
            return
        said = self.tr("Exported to {name}.").format(name=path.name)

        def tell(_: object) -> None:
            self._notices.say(said, milliseconds=NOTICE_MS)
            if not self._chat.drawer_shown:
                self._chat.show_drawer(True)

        self._errands.run(lambda: store.export(conversation_id, path), tell)

    def _reopen(self, found: LastFound) -> None:
        if found is not None and self.current is None and not self._chat.turns:
            self._show(*found)

    def _show_chosen(self, record: ConversationRecord, turns: list[StoredTurn]) -> None:
        self._show(record, turns)
        if record.id == self.current:
            self._chat.show_last_place()

    def _show(self, record: ConversationRecord, turns: list[StoredTurn]) -> None:
        if record.id in self._doomed:
            return
        self._chat.show_stored(turns)
        self._chat.composer.scope.restore(record.document_ids)
        self._chat.show_drawer(False)
        self._set_current(record.id, record.title)
        self.shown.emit()

    def _show_list(self, records: list[ConversationRecord]) -> None:
        self._known |= {each.id: each for each in records}
        self._rows.show_conversations([each for each in records if each.id not in self._doomed])
        self._rows.select(self.current)
        current = next((each for each in records if each.id == self.current), None)
        if current is not None and current.title:
            self._chat.header.set_title(current.title)

    def _set_current(self, conversation_id: int | None, title: str) -> None:
        self.current = conversation_id
        if self._memory is not None:
            self._memory.conversation = NEW if conversation_id is None else str(conversation_id)
        self._rows.mark_open(conversation_id)
        self._chat.header.set_title(title)

    def _report(self, failure: BaseException) -> None:
        self._notices.say_failure(failure)
        self._chat.show_drawer(True)
