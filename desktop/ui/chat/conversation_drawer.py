"""The list of kept conversations over the answers: find, open, rename and delete them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop.ui import wording
from desktop.ui.design.controls import (
    ROW_ROOM,
    RowText,
    draw_row,
    flat_button,
    in_column,
    label,
    painted_as,
    plain_tooltip,
    row_width,
    search_field,
)
from desktop.ui.design.icons import icon
from desktop.ui.design.notice_strip import NoticeStrip
from desktop.ui.design.popups import Menu
from desktop.ui.design.theme import colours
from desktop.ui.design.tokens import Size, Space
from desktop.ui.language import tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.conversations.values import ConversationRecord


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
        """Move the keyboard focus to a conversation, or else to the first one."""
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
        """Return the conversation with the keyboard focus."""
        index = self.currentIndex()
        return index.data(ConversationModel.IdRole) if index.isValid() else None

    def menu(self) -> QMenu:
        """Return the menu of actions for the current conversation."""
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


TITLE_LINES = 2


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
        ink = c.accent if is_open else ""
        area = option.rect.marginsRemoved(ROW_ROOM)
        _text(index).draw(painter, area, (ink or c.muted, ink or c.text, c.muted))
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        room = ROW_ROOM.left() + ROW_ROOM.right()
        height = _text(index).height(row_width(option) - room) + 2 * Space.S
        return QSize(160, max(height, Size.TARGET + Space.S))


def _text(index: RowIndex) -> RowText:
    title, detail = index.data(), index.data(ConversationModel.DetailRole)
    return RowText("message-square-text", title, detail, TITLE_LINES)


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
        holder = in_column(room=(Space.S, Space.S, Space.S, Space.XS))
        holder.addWidget(self.field)
        column.addLayout(holder)
        column.addWidget(self._stack, 1)
        column.addWidget(self.notices)
        self.model.modelReset.connect(self._choose_page)
        self._choose_page()

    @property
    def search_text(self) -> str:
        """The text searched for."""
        return self.field.text().strip()

    def begin(self) -> None:
        """On being shown: the search field gets the keyboard."""
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
