"""The list of conversations: rows, keys, a menu, and a button on the current row."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QListView, QMenu, QWidget

from desktop.ui.controls import flat_button
from desktop.ui.conversations.delegate import ConversationDelegate
from desktop.ui.conversations.model import ConversationModel
from desktop.ui.icons import icon
from desktop.ui.tokens import Space


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
        self._placing = QTimer(self)
        self._placing.setSingleShot(True)
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
        menu = QMenu(self)
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
