"""Conversations: their list, grouped and searched, and what a person can do with one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop.core.conversations.values import one_line
from desktop.ui import wording
from desktop.ui.ask_line import ask_for_line
from desktop.ui.bridge import Errands
from desktop.ui.controls import (
    draw_row,
    flat_button,
    in_column,
    label,
    painted_as,
    plain_tooltip,
    search_field,
)
from desktop.ui.files import choose_export
from desktop.ui.icons import icon
from desktop.ui.language import tr
from desktop.ui.notice_strip import NoticeStrip
from desktop.ui.popups import Menu
from desktop.ui.theme import colours, scaled_font
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from PySide6.QtWidgets import QFrame

    from desktop.core.conversations.store import Conversations
    from desktop.core.conversations.values import ConversationRecord, StoredTurn
    from desktop.core.workspace import Workspace
    from desktop.ui.chat.chat_panel import ChatPanel


class ConversationRows(QListView):
    """wanted(action, id): open, rename, export or delete a conversation."""

    wanted = Signal(str, int)

    def __init__(self, model: ConversationModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(ConversationDelegate(self))
        self.setProperty("kind", "flat")
        self.setAccessibleName(self.tr("Conversations"))
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.clicked.connect(lambda index: self._want("open", index))
        # The button follows the current row after the view itself has handled the change.
        self._placing = QTimer(self, singleShot=True)
        self._placing.timeout.connect(self._place_button)
        self._placed = QPersistentModelIndex()
        self.selectionModel().currentChanged.connect(lambda *_: self._placing.start(0))
        model.modelReset.connect(lambda: self._placing.start(0))

    def select(self, conversation_id: int | None) -> None:
        """Put the keyboard on a conversation, else on the first one."""
        model = self.model()
        rows = range(model.rowCount())
        found = (
            row
            for row in rows
            if model.index(row, 0).data(ConversationModel.IdRole) == conversation_id
        )
        row = next(found, 0)
        if rows:
            self.setCurrentIndex(model.index(row, 0))

    def selected_id(self) -> int | None:
        """Return the conversation the keyboard is on."""
        index = self.currentIndex()
        return index.data(ConversationModel.IdRole) if index.isValid() else None

    def menu(self) -> QMenu:
        """Return what can be done with the current conversation."""
        menu = Menu(self)
        for text, action in (
            (self.tr("Open"), "open"),
            (self.tr("Rename…"), "rename"),
            (self.tr("Export…"), "export"),
            ("", ""),
            (self.tr("Delete"), "delete"),
        ):
            if not action:
                menu.addSeparator()
                continue
            entry = menu.addAction(text)
            entry.triggered.connect(
                lambda _checked=False, action=action: self._want(action, self.currentIndex())
            )
        entry.setIcon(icon("trash-2"))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space:
                self._want("open", self.currentIndex())
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self._want("delete", self.currentIndex())
            case Qt.Key.Key_F2:
                self._want("rename", self.currentIndex())
            case _:
                super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
        if index.isValid():
            self.setCurrentIndex(index)
            self.menu().popup(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # titles wrap: heights depend on the width

    def _want(self, action: str, index: QModelIndex) -> None:
        if index.isValid():
            self.wanted.emit(action, index.data(ConversationModel.IdRole))

    def _place_button(self) -> None:
        current = self.currentIndex()
        if self._placed.isValid() and self._placed != current:
            self.setIndexWidget(self._placed, None)  # type: ignore[arg-type]  # Qt allows null
        self._placed = QPersistentModelIndex(current)
        if current.isValid() and self.indexWidget(current) is None:
            self.setIndexWidget(current, self._button(str(current.data())))

    def _button(self, title: str) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, Space.XS, Space.S, Space.XS)
        row.addStretch(1)
        button = flat_button("ellipsis", self.tr("More for {title}").format(title=title))
        button.clicked.connect(
            lambda: self.menu().popup(button.mapToGlobal(QPoint(0, button.height())))
        )
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return holder


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
        title = record.title or tr("New conversation")
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


BUTTON_WIDTH = Size.TARGET + Space.S
TITLE_LINES = 2
GAP = 3


class ConversationDelegate(QStyledItemDelegate):
    """The row's button is a real widget that the list lays over it."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        c = colours()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_row(painter, option)
        is_open = bool(index.data(ConversationModel.OpenRole))
        area = option.rect.adjusted(Space.M, Space.S, -Space.S, -Space.S)
        mark = QRect(area.left(), area.top() + 1, Size.ICON, Size.ICON)
        icon("message-square-text", c.accent if is_open else c.muted).paint(painter, mark)

        line = area.adjusted(Size.ICON + Space.S, 0, -BUTTON_WIDTH, 0)
        title = str(index.data(Qt.ItemDataRole.DisplayRole))
        line.setHeight(_title_height(title, line.width()))
        painter.setFont(scaled_font(Type.BODY, bold=True))
        painter.setPen(QColor(c.accent if is_open else c.text))
        painter.drawText(line, Qt.TextFlag.TextWordWrap, title)

        painter.setFont(scaled_font(Type.SMALL))
        painter.setPen(QColor(c.muted))
        rest = QRect(line.left(), line.bottom() + GAP, line.width(), _detail_height())
        painter.drawText(
            rest, Qt.TextFlag.TextSingleLine, str(index.data(ConversationModel.DetailRole))
        )
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        view = option.widget
        width = option.rect.width()
        if isinstance(view, QAbstractItemView):
            width = view.viewport().width()
        width -= Space.M + Space.S + Size.ICON + Space.S + BUTTON_WIDTH
        title = str(index.data(Qt.ItemDataRole.DisplayRole))
        height = _title_height(title, width) + GAP + _detail_height() + 2 * Space.S
        return QSize(160, max(height, Size.TARGET + Space.S))


def _title_height(title: str, width: int) -> int:
    metrics = QFontMetrics(scaled_font(Type.BODY, bold=True))
    room = QRect(0, 0, max(40, width), 10_000)
    needed = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, title).height()
    return min(metrics.lineSpacing() * TITLE_LINES, needed)


def _detail_height() -> int:
    return QFontMetrics(scaled_font(Type.SMALL)).lineSpacing()


TYPING_MS = 150
"""A search waits until nobody has typed for this long."""


class ConversationDrawer(QWidget):
    """search_wanted(text): show the conversations that have these words."""

    search_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        painted_as(self, "panel")
        self.model = ConversationModel(self)
        self.rows = ConversationRows(self.model)
        self.notices = NoticeStrip()
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._typing.timeout.connect(lambda: self.search_wanted.emit(self.search_text))
        self.field = self._search_field()
        self._nothing = label("", tone="muted", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self._nothing.setContentsMargins(Space.L, Space.XL, Space.L, Space.L)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.rows)
        self._stack.addWidget(self._nothing)
        column = in_column(self)
        holder = QVBoxLayout()
        holder.setContentsMargins(Space.S, Space.S, Space.S, Space.XS)
        holder.addWidget(self.field)
        column.addLayout(holder)
        column.addWidget(self._stack, 1)
        column.addWidget(self.notices)
        self.model.modelReset.connect(self._choose_page)
        self._choose_page()

    @property
    def search_text(self) -> str:
        """What is searched for."""
        return self.field.text().strip()

    def begin(self) -> None:
        """It is shown: the keyboard goes to the search."""
        self.field.clear()
        self.search_wanted.emit("")
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _search_field(self) -> QLineEdit:
        field = search_field(
            self.tr("Search questions and answers"), self.tr("Search conversations")
        )
        field.textChanged.connect(lambda: self._typing.start())
        field.returnPressed.connect(self._open_first)
        down = QShortcut(QKeySequence(Qt.Key.Key_Down), field)
        down.setContext(Qt.ShortcutContext.WidgetShortcut)
        down.activated.connect(self._go_to_rows)
        return field

    def _go_to_rows(self) -> None:
        if self.rows.selected_id() is None:
            self.rows.select(None)
        self.rows.setFocus(Qt.FocusReason.TabFocusReason)

    def _open_first(self) -> None:
        first = self.model.index(0, 0)
        if first.isValid():
            self.rows.wanted.emit("open", first.data(ConversationModel.IdRole))

    def _choose_page(self) -> None:
        if self.model.rowCount():
            self._stack.setCurrentWidget(self.rows)
            return
        text = self.tr("Your questions and answers stay here until you delete them.")
        if self.search_text:
            text = self.tr("No conversations match “{text}”.").format(text=self.search_text)
        self._nothing.setText(text)
        self._stack.setCurrentWidget(self._nothing)


UNDO_MS = 10_000
NOTICE_MS = 12_000
LatestFound = tuple["ConversationRecord", list["StoredTurn"]] | None


class ConversationController(QObject):
    """Connects the chat and its list with the conversations of an open library.

    shown(): another conversation, or a new one, is in the chat.
    """

    shown = Signal()

    def __init__(self, chat: ChatPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._chat = chat
        self._model = chat.drawer.model
        self._notices = chat.drawer.notices
        self._store: Conversations | None = None
        self._current: int | None = None
        self._known: dict[int, ConversationRecord] = {}
        self._doomed: dict[int, tuple[QTimer, QFrame]] = {}
        self._errands = Errands(self)
        self._errands.failed.connect(self._report)
        chat.header.new_wanted.connect(self.new)
        chat.drawer.rows.wanted.connect(self.do)
        chat.drawer.search_wanted.connect(lambda _: self.refresh())

    @property
    def current(self) -> int | None:
        """The conversation in the chat, None for one that nothing was asked in yet."""
        return self._current

    def open_workspace(self, workspace: Workspace) -> None:
        """Show the conversation that was last asked in."""
        self._store = store = workspace.conversations
        self.refresh()

        def latest() -> LatestFound:
            records = store.list()
            return (records[0], store.turns(records[0].id)) if records else None

        self._errands.run(latest, self._reopen)

    def for_question(self, question: str, document_ids: frozenset[int]) -> int | None:
        """Return the conversation that a question belongs to; the first one begins it."""
        if self._store is None or self._store.read_only:
            return None
        if self._current is None:
            self._set_current(self._store.create("", document_ids), one_line(question))
        return self._current

    def question_is_over(self) -> None:
        """The list tells how much was asked, and when."""
        self.refresh()

    def new(self) -> None:
        """Leave the conversation in the chat; the next question begins another one."""
        self._chat.show()
        self._chat.clear()
        self._chat.show_drawer(False)
        self._set_current(None, "")
        self._chat.composer.field.setFocus()
        self.shown.emit()

    def show_list(self) -> None:
        """Show the list of conversations, or leave it."""
        self._chat.show()
        self._chat.show_drawer(not self._chat.drawer_shown)

    def refresh(self) -> None:
        """Read the list again, with what is searched for."""
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
        if self._current is not None:
            self.do(action, self._current)

    def open(self, record: ConversationRecord) -> None:
        """Show a conversation with its answers, citations and reasoning."""
        store = self._store
        if record.id == self._current:
            self._chat.show_drawer(False)
        elif store is not None:
            self._errands.run(
                lambda: store.turns(record.id), lambda turns: self._show(record, turns)
            )

    def delete(self, record: ConversationRecord) -> None:
        """Hide a conversation and delete it for good when nobody has undone that for a while."""
        if record.id in self._doomed:
            return
        was_shown = record.id == self._current
        self._model.hide(record.id)
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
            self._set_current(None, "")
            self.shown.emit()
        self._chat.show_drawer(True)  # where it can be undone

    def close(self) -> None:
        """Carry out the deletions that were asked for and join the thread."""
        for conversation_id in list(self._doomed):
            self._delete(conversation_id)
        self._errands.close()

    def _undo(self, record: ConversationRecord, was_shown: bool) -> None:
        timer, notice = self._doomed.pop(record.id)
        timer.stop()
        self._notices.dismiss(notice)
        self._model.unhide(record.id)
        self.refresh()
        if was_shown and self._current is None:
            self.open(record)

    def _delete(self, conversation_id: int) -> None:
        timer, notice = self._doomed.pop(conversation_id)
        timer.stop()
        self._notices.dismiss(notice)
        store = self._store
        if store is not None:
            self._errands.run(lambda: store.delete(conversation_id))

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

    def _reopen(self, found: LatestFound) -> None:
        if found is not None and self._current is None and not self._chat.turns:
            self._show(*found)

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
        self._model.replace_all(records)
        self._chat.drawer.rows.select(self._current)
        current = next((each for each in records if each.id == self._current), None)
        if current is not None and current.title:
            self._chat.header.set_title(current.title)

    def _set_current(self, conversation_id: int | None, title: str) -> None:
        self._current = conversation_id
        self._model.mark_open(conversation_id)
        self._chat.header.set_title(title)

    def _report(self, failure: BaseException) -> None:
        self._notices.say_failure(failure)
        self._chat.show_drawer(True)
