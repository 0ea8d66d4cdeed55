"""The models in three groups: on this computer, to be had, and too large for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop.ui.controls import label, push_button, set_property
from desktop.ui.models.model_row import ModelRow
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.models.status import ModelStatus
    from desktop.ui.models.tasks import Tasks
    from desktop.ui.models.watch import Snapshot

ROLES = ("language", "vision", "pages", "text")


class ModelList(QWidget):
    """Keeps the rows it has, so that the keyboard stays where it is when states change."""

    wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[str, ModelRow] = {}
        self._show_large = False
        self._installed = _Group(self.tr("On this computer"))
        self._available = _Group(self.tr("Not installed"))
        self._large = _Group(self.tr("For larger computers"))
        self.more_button = push_button("")
        self.more_button.clicked.connect(self._toggle_large)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.L)
        for widget in (self._installed, self._available, self.more_button, self._large):
            column.addWidget(widget)

    def row(self, model_id: str) -> ModelRow | None:
        return self._rows.get(model_id)

    def show_models(self, seen: Snapshot, tasks: Tasks) -> None:
        gone = set(self._rows) - {each.id for each in seen.models}
        for model_id in gone:
            row = self._rows.pop(model_id)
            row.hide()
            row.deleteLater()
        for model in seen.models:
            known = self._rows.get(model.id)
            if known is None:
                known = self._rows[model.id] = ModelRow(model)
                known.wanted.connect(self.wanted)
            known.show_model(model, seen.memory, tasks.of_model(model.id))
        here = [each for each in seen.models if each.state != "available"]
        others = [each for each in seen.models if each.state == "available"]
        self._fill(self._installed, here)
        self._fill(self._available, [each for each in others if each.fits])
        self._fill(self._large, [each for each in others if not each.fits])
        self._offer_large()

    def _fill(self, group: _Group, models: Sequence[ModelStatus]) -> None:
        ordered = sorted(models, key=lambda each: (not each.recommended, ROLES.index(each.role)))
        group.set_rows([self._rows[each.id] for each in ordered])

    def _toggle_large(self) -> None:
        self._show_large = not self._show_large
        self._offer_large()

    def _offer_large(self) -> None:
        count = len(self._large.rows)
        self.more_button.setVisible(count > 0)
        self._large.setVisible(count > 0 and self._show_large)
        if self._show_large:
            text = self.tr("Hide the models for larger computers")
        elif count == 1:
            text = self.tr("Show 1 model for larger computers")
        else:
            text = self.tr("Show {n} models for larger computers").format(n=count)
        self.more_button.setText(text)
        self.more_button.setAccessibleName(text)


class _Group(QWidget):
    """A heading over a frame with rows; away when there are none."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.rows: list[ModelRow] = []
        frame = QFrame()
        frame.setProperty("role", "card")
        self._column = QVBoxLayout(frame)
        self._column.setContentsMargins(1, 1, 1, 1)
        self._column.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addWidget(label(title, factor=Type.LEAD, bold=True))
        column.addWidget(frame)
        self.hide()

    def set_rows(self, rows: list[ModelRow]) -> None:
        if rows != self.rows:
            self.rows = rows
            for place, row in enumerate(rows):
                set_property(row, "first", place == 0)
                self._column.addWidget(row)
                row.show()
        self.setVisible(bool(rows))
