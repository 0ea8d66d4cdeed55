"""How the answer was reached, filling while it is reached; rows with a page open it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeView, QVBoxLayout, QWidget

from desktop.core.events import DecisionEvent, Event, PageRegion, ResultEvent
from desktop.ui.controls import flat_button, panel_header
from desktop.ui.theme import scaled_font
from desktop.ui.tokens import Type
from desktop.ui.trace_model import PLACE, TraceModel

TIME_WIDTH = 72


class TracePanel(QWidget):
    """place_wanted(region): a person chose a row that stands for a page."""

    place_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.model = TraceModel(self)
        self.tree = QTreeView()
        self.tree.setModel(self.model)
        self.tree.setProperty("kind", "flat")
        self.tree.setFont(scaled_font(Type.SMALL))
        self.tree.setAccessibleName(self.tr("Reasoning steps"))
        self.tree.setHeaderHidden(True)
        self.tree.setUniformRowHeights(True)
        self.tree.setAlternatingRowColors(False)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.clicked.connect(self._open)
        self.tree.activated.connect(self._open)
        self.expand_button = flat_button("chevron-down", self.tr("Show everything"))
        self.expand_button.clicked.connect(self.tree.expandAll)
        self.fold_button = flat_button("chevron-up", self.tr("Show the steps only"))
        self.fold_button.clicked.connect(self.tree.collapseAll)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(panel_header(self.tr("Reasoning"), self.expand_button, self.fold_button))
        column.addWidget(self.tree, 1)
        self._fit_columns()

    def begin(self) -> None:
        """A new question: start an empty timeline."""
        self.model.begin()
        self._fit_columns()

    def take(self, event: Event) -> None:
        """Add an event to the timeline."""
        row = self.model.take(event)
        if row is None:
            return
        index = self.model.indexFromItem(row)
        if isinstance(event, DecisionEvent | ResultEvent):
            self.tree.expand(index)
        self.tree.scrollTo(index)

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
