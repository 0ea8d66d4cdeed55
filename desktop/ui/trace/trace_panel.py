"""How the answer was reached, filling while it is reached; rows with a page open it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QHeaderView,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from desktop.core.events import CompleteEvent, DecisionEvent, PageRegion, ResultEvent
from desktop.ui.controls import flat_button, label, panel_header, plain_tooltip
from desktop.ui.elided_label import ElidedLabel
from desktop.ui.theme import scaled_font
from desktop.ui.tokens import Space, Type
from desktop.ui.trace.trace_model import PLACE, TraceModel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.events import Event

TIME_WIDTH = 76
ROW_HEIGHT = 28
MOST_LINES = 6


class TracePanel(QWidget):
    """place_wanted(region): a person chose a row that stands for a page."""

    place_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.model = TraceModel(self)
        self.tree = self._build_tree()
        self._hint = label(
            self.tr("Ask something, and every step to the answer appears here."),
            factor=Type.SMALL,
            tone="muted",
            wrap=True,
        )
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._hint.setContentsMargins(Space.M, Space.M, Space.M, Space.M)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._hint)
        self._stack.addWidget(self.tree)
        self.expand_button = flat_button("chevron-down", self.tr("Show everything"))
        self.expand_button.clicked.connect(self.tree.expandAll)
        self.fold_button = flat_button("chevron-up", self.tr("Show the steps only"))
        self.fold_button.clicked.connect(self.tree.collapseAll)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(panel_header(self.tr("Reasoning"), self.expand_button, self.fold_button))
        self.question = ElidedLabel(factor=Type.SMALL, tone="muted")
        self.question.setContentsMargins(Space.M, Space.S, Space.M, Space.XS)
        self.question.hide()
        column.addWidget(self.question)
        column.addWidget(self._stack, 1)
        self._fit_columns()

    def begin(self, question: str = "") -> None:
        """A new question: start an empty timeline."""
        self.question.setText(question)
        self.question.setToolTip(plain_tooltip(question) if question else "")
        self.question.setVisible(bool(question))
        self.model.begin()
        self._fit_columns()
        self._stack.setCurrentWidget(self.tree)

    def replay(self, question: str, events: Iterable[Event]) -> None:
        """Show how a question was answered so far."""
        self.begin(question)
        for event in events:
            self.take(event)

    def forget(self) -> None:
        """Show no question."""
        self.begin()
        self._stack.setCurrentWidget(self._hint)

    def take(self, event: Event) -> None:
        """Add an event to the timeline."""
        row = self.model.take(event)
        if row is None:
            return
        index = self.model.indexFromItem(row)
        for child in range(row.rowCount()):
            self.tree.setFirstColumnSpanned(child, index, True)
        if isinstance(event, DecisionEvent | ResultEvent):
            self.tree.expand(index)
        if isinstance(event, CompleteEvent):
            self.tree.scrollToTop()  # it is read from the first step on
        else:
            self.tree.scrollTo(index)

    def _build_tree(self) -> QTreeView:
        tree = QTreeView()
        tree.setModel(self.model)
        tree.setItemDelegate(_Wrapping(tree))
        tree.setProperty("kind", "flat")
        tree.setFont(scaled_font(Type.SMALL))
        tree.setAccessibleName(self.tr("Reasoning steps"))
        tree.setHeaderHidden(True)
        tree.header().setAccessibleName(self.tr("Columns of the reasoning"))
        tree.setWordWrap(True)
        tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
        tree.header().sectionResized.connect(lambda *_: tree.scheduleDelayedItemsLayout())
        tree.clicked.connect(self._open)
        tree.activated.connect(self._open)
        return tree

    def _fit_columns(self) -> None:
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(1, TIME_WIDTH)

    def _open(self, index: QModelIndex) -> None:
        place = index.siblingAtColumn(0).data(PLACE)
        if isinstance(place, PageRegion):
            self.place_wanted.emit(place)


class _Wrapping(QStyledItemDelegate):
    """Lets long reasons wrap: QTreeView by itself asks for heights without a width."""

    def __init__(self, tree: QTreeView) -> None:
        super().__init__(tree)
        self._tree = tree

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        hint = super().sizeHint(option, index)
        level = 1 if index.parent().isValid() else 0
        width = self._tree.viewport().width() - self._tree.indentation() * (level + 1)
        width -= 2 * Space.S + (0 if level else TIME_WIDTH)
        if index.data(Qt.ItemDataRole.DecorationRole) is not None:
            width -= option.decorationSize.width() + Space.S
        metrics = QFontMetrics(self._tree.font())
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        room = QRect(0, 0, max(60, width), 10_000)
        height = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, text).height()
        height = min(height, MOST_LINES * metrics.lineSpacing())
        return QSize(hint.width(), max(ROW_HEIGHT, height + Space.S))
