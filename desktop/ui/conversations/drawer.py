"""The list of conversations in the place of the answers: search, rows, and notices."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from desktop.ui.controls import label
from desktop.ui.conversations.model import ConversationModel
from desktop.ui.conversations.rows import ConversationRows
from desktop.ui.icons import icon
from desktop.ui.notice_strip import NoticeStrip
from desktop.ui.tokens import Size, Space

TYPING_MS = 150
"""A search waits until nobody has typed for this long."""


class ConversationDrawer(QWidget):
    """search_wanted(text): show the conversations that have these words."""

    search_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.model = ConversationModel(self)
        self.rows = ConversationRows(self.model)
        self.notices = NoticeStrip()
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._typing.timeout.connect(lambda: self.search_wanted.emit(self.search_text))
        self.field = self._search_field()
        self._nothing = label("", tone="muted", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self._nothing.setContentsMargins(Space.L, Space.XL, Space.L, Space.L)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.rows)
        self._stack.addWidget(self._nothing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
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
        field = QLineEdit()
        field.setProperty("kind", "field")
        field.setPlaceholderText(self.tr("Search questions and answers"))
        field.setAccessibleName(self.tr("Search conversations"))
        field.setClearButtonEnabled(True)
        field.setAcceptDrops(False)  # what is dropped is for the library
        field.setMinimumHeight(Size.TARGET)
        field.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        field.textChanged.connect(lambda: self._typing.start())
        field.returnPressed.connect(self._open_first)
        for inner in field.findChildren(QToolButton):
            inner.setAccessibleName(field.accessibleName())
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
        text = self.tr("What you ask is kept here, with its answers, until you delete it.")
        if self.search_text:
            text = self.tr("No conversation has “{text}”.").format(text=self.search_text)
        self._nothing.setText(text)
        self._stack.setCurrentWidget(self._nothing)
