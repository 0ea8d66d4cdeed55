"""The palette: one line to type in, and what it finds below, over everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.controls import label
from desktop.ui.icons import icon
from desktop.ui.palette.results import ResultDelegate, ResultModel, spoken
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from desktop.ui.palette.entry import Entry

WIDTH = 680
FROM_TOP = 56
MOST_ROWS = 11
STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: MOST_ROWS - 1,
    Qt.Key.Key_PageUp: 1 - MOST_ROWS,
}


class PalettePanel(QFrame):
    """typed(text): find this. chosen(entry): go there. left(): nothing was chosen."""

    typed = Signal(str)
    chosen = Signal(object)
    left = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._over = window
        self.setProperty("role", "palette")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Go to anything"))
        self.field = QLineEdit()
        self.field.setProperty("kind", "field")
        self.field.setMinimumHeight(Size.TARGET)
        self.field.setAccessibleName(self.tr("Go to a manual, page, heading, action or question"))
        self.field.setPlaceholderText(self.tr("Manual, page number, heading, action or question"))
        self.field.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        for inner in self.field.findChildren(QToolButton):
            inner.setAccessibleName(self.field.accessibleName())
        self.field.installEventFilter(self)
        self.field.textEdited.connect(self.typed)
        self.model = ResultModel()
        self.list = QListView()
        self.list.setProperty("kind", "flat")
        self.list.setAccessibleName(self.tr("Found"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(ResultDelegate(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.installEventFilter(self)
        self.list.clicked.connect(lambda _: self._choose())
        self._says = label("", tone="muted", factor=Type.SMALL, wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.S, Space.S, Space.S, Space.S)
        column.setSpacing(Space.S)
        column.addWidget(self.field)
        column.addWidget(self.list)
        column.addWidget(self._says)
        window.installEventFilter(self)
        self.hide()

    def open(self) -> None:
        """Come up with an empty line."""
        self.field.clear()
        self.model.show([])
        self._fit()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def show_found(self, entries: list[Entry]) -> None:
        """Show what was found; the first one is chosen."""
        self.model.show(entries)
        if entries:
            self._go_to(0)
            self._says.setText(self.tr("Up and Down choose, Enter goes there, Esc leaves."))
        else:
            text = self.field.text().strip()
            says = self.tr("Nothing is called “{text}”. Enter takes it over as a question.")
            self._says.setText(says.format(text=text) if text else "")
            self.field.setAccessibleDescription(self._says.text())
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._over:
            if event.type() == QEvent.Type.Resize and self.isVisible():
                self._fit()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._pressed(event)
        elif event.type() == QEvent.Type.FocusOut and not self._has_focus():
            self._leave()
        return super().eventFilter(watched, event)

    def _pressed(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in STEPS:
            row = self.list.currentIndex().row() + STEPS[key]
            self._go_to(min(max(0, row), self.model.rowCount() - 1))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
        elif key == Qt.Key.Key_Escape:
            self._leave()
        else:
            return False
        return True

    def _go_to(self, row: int) -> None:
        index = self.model.index(row, 0)
        if not index.isValid():
            return
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index)
        # the keyboard stays in the line: a screen reader is told there what is chosen
        self.field.setAccessibleDescription(spoken(index.data(ResultModel.EntryRole)))
        changed = QAccessibleEvent(self.field, QAccessible.Event.DescriptionChanged)
        QAccessible.updateAccessibility(changed)

    def _choose(self) -> None:
        entry: Entry | None = self.list.currentIndex().data(ResultModel.EntryRole)
        self.hide()
        self.chosen.emit(entry)

    def _leave(self) -> None:
        if self.isVisible():
            self.hide()
            self.left.emit()

    def _has_focus(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and (focus is self or self.isAncestorOf(focus))

    def _fit(self) -> None:
        window = self._over
        rows = min(self.model.rowCount(), MOST_ROWS)
        self.list.setVisible(rows > 0)
        self.list.setFixedHeight(rows * Size.TARGET)
        self._says.setVisible(bool(self._says.text()))
        width = min(WIDTH, window.width() - 2 * Space.XL)
        self.setFixedWidth(width)
        self.adjustSize()
        self.move((window.width() - width) // 2, FROM_TOP)
