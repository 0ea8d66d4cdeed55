"""What a person can do with a conversation: begin, open, search, rename, export, delete it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.ui.bridge import WindowPart
from desktop.ui.design.dialogs import ask_for_line
from desktop.ui.design.notices import Removals
from desktop.ui.files import choose_place, file_name

if TYPE_CHECKING:
    from desktop.core.conversations.store import Conversations
    from desktop.core.conversations.values import ConversationRecord, StoredTurn
    from desktop.core.workspace import Workspace
    from desktop.ui.chat.chat_panel import ChatPanel


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
        self.current: int | None = None
        """The conversation in the chat, None while nothing has been asked in it."""
        self._known: dict[int, ConversationRecord] = {}
        self.removals = Removals(self._notices)
        chat.header.new_button.clicked.connect(self.new)
        self._rows.wanted.connect(self.do)
        chat.drawer.search_wanted.connect(self.refresh)

    def open_workspace(self, workspace: Workspace) -> None:
        """Show the conversation that was left open, else the one that was last asked in."""
        super().open_workspace(workspace)
        self._store = store = workspace.conversations
        left = self.memory.conversation
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
            from desktop.core.conversations.values import one_line

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
                kinds = {"md": self.tr("Markdown (*.md)"), "json": self.tr("JSON (*.json)")}
                title, name = self.tr("Export conversation"), file_name(record.title)
                choose_place(self._chat, title, name, kinds, partial(self.export, record.id))
            case "delete":
                self.delete(record)

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
        if record.id in self.removals:
            return
        was_shown = record.id == self.current
        said = self.tr("Deleted “{title}”.").format(title=record.title)
        back, delete = partial(self._bring_back, record, was_shown), partial(self._delete, record)
        self.removals.begin(record.id, said, back, delete)
        if was_shown:
            self._chat.clear()
            self._chat.show_last_place()
            self._set_current(None, "")
            self.shown.emit()
        self._chat.show_drawer(True)  # where it can be undone

    def close(self) -> None:
        """Carry out the deletions that were asked for and join the thread."""
        self.removals.finish()
        super().close()

    def _bring_back(self, record: ConversationRecord, was_shown: bool) -> None:
        self.refresh()
        if was_shown and self.current is None:
            self.open(record)

    def _delete(self, record: ConversationRecord) -> None:
        store = self._store
        if store is not None:
            self._errands.run(lambda: store.delete(record.id), lambda _: self.refresh())

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
        if record.id in self.removals:
            return
        self._chat.show_stored(turns)
        self._chat.composer.scope.restore(record.document_ids)
        self._chat.show_drawer(False)
        self._set_current(record.id, record.title)
        self.shown.emit()

    def _show_list(self, records: list[ConversationRecord]) -> None:
        self._known |= {each.id: each for each in records}
        self._rows.show_conversations([each for each in records if each.id not in self.removals])
        self._rows.select(self.current)
        current = next((each for each in records if each.id == self.current), None)
        if current is not None and current.title:
            self._chat.header.set_title(current.title)

    def _set_current(self, conversation_id: int | None, title: str) -> None:
        self.current = conversation_id
        if self._workspace is not None:
            self.memory.conversation = NEW if conversation_id is None else str(conversation_id)
        self._rows.mark_open(conversation_id)
        self._chat.header.set_title(title)

    def _report(self, failure: BaseException) -> None:
        self._notices.say_failure(failure)
        self._chat.show_drawer(True)
