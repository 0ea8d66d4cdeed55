"""The models that are installed or offered, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from desktop.ui.design.controls import (
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    push_button,
    set_property,
    set_tone,
    thin_bar,
)
from desktop.ui.design.icons import IconPicture, icon
from desktop.ui.design.popups import passing_menu
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import told, tr
from desktop.ui.models import words

if TYPE_CHECKING:
    from desktop.models.overview import MemoryStatus, ModelStatus, ProfileStatus
    from desktop.ui.models.tasks import Task, Tasks


PICTURE = 22


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything the page shows, as it was at one moment. profile: the id of what answers."""

    models: tuple[ModelStatus, ...]
    memory: MemoryStatus
    profiles: tuple[ProfileStatus, ...]
    profile: str

    def model(self, model_id: str) -> ModelStatus | None:
        return next((each for each in self.models if each.id == model_id), None)


class ModelRow(QFrame):
    """wanted(action, id): verify, copy, remove, unload or download."""

    wanted = Signal(str, str)

    def __init__(self, model: ModelStatus) -> None:
        super().__init__()
        self.setProperty("role", "row")
        self.model = model
        self._task: Task | None = None
        self._picture = IconPicture(words.ROLE_ICONS[model.role], PICTURE)
        self._title = label("", bold=True, wrap=True, selectable=True)
        self._mark = label("", factor=Type.SMALL, bold=True, tone="good")
        self._state = label("", factor=Type.SMALL, bold=True)
        self._purpose = label("", factor=Type.SMALL, wrap=True)
        self._facts = label("", factor=Type.SMALL, tone="muted", wrap=True, selectable=True)
        self._problem = label("", factor=Type.SMALL, tone="bad", wrap=True, selectable=True)
        self._bar = thin_bar()
        self._unload = push_button(self.tr("Unload"), partial(self._want, "unload"))
        self._remove = push_button(self.tr("Remove…"), partial(self._want, "remove"))
        self._download = push_button(self.tr("Download…"), partial(self._want, "download"))
        self._more = flat_button("ellipsis", self.tr("More"))
        self._more.clicked.connect(
            lambda: self.menu().popup(self._more.mapToGlobal(QPoint(0, self._more.height())))
        )
        self._lay_out()

    def show_model(
        self, model: ModelStatus, memory: MemoryStatus, task: Task | None = None
    ) -> None:
        self.model, self._task = model, task
        self._title.setText(model.title)
        self._mark.setText(self.tr("Recommended") if model.recommended else "")
        self._mark.setVisible(model.recommended and model.state == "available")
        self._state.setText(self._state_words())
        # The heading over those says it already.
        self._state.setVisible(task is not None or model.state != "available")
        tones = {"damaged": "bad", "loaded": "good"}
        set_tone(self._state, tones.get(model.state, "muted") if task is None else "")
        self._purpose.setText(tr(model.summary) or f"{words.role(model.role)}.")
        self._facts.setText(words.facts(model))
        problem = told(model.problem) or words.too_large(model, memory)
        self._problem.say(problem)
        set_tone(self._problem, "bad" if model.state == "damaged" else "attention")
        self._bar.setVisible(model.state == "loading")
        self._bar.setRange(0, 0 if model.progress is None else 100)
        self._bar.setValue(int((model.progress or 0) * 100))
        self._unload.setVisible(model.state in ("loaded", "loading"))
        self._remove.setVisible(model.state == "damaged")
        self._download.setVisible(model.state == "available")
        self._download.setEnabled(task is None)
        self._more.setVisible(model.state not in ("available", "damaged"))
        self._name_everything(problem)

    def menu(self) -> QMenu:
        """Return what can be done with an installed model."""
        menu = passing_menu(self)
        for text, action in (
            (self.tr("Verify the files"), "verify"),
            (self.tr("Copy to USB stick…"), "copy"),
        ):
            entry = menu.addAction(text)
            entry.triggered.connect(partial(self._want, action))
            entry.setEnabled(self._task is None and self.model.state != "damaged")
        menu.addSeparator()
        remove = menu.addAction(self.tr("Remove…"))
        remove.triggered.connect(partial(self._want, "remove"))
        remove.setIcon(icon("trash-2"))
        return menu

    def focus(self) -> None:
        """Put the keyboard on the row's first button."""
        for button in (self._unload, self._remove, self._download, self._more):
            if not button.isHidden():
                button.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.model.state != "available":
            self.menu().popup(event.globalPos())

    def _want(self, action: str, _checked: bool = False) -> None:
        self.wanted.emit(action, self.model.id)

    def _state_words(self) -> str:
        if self._task is None:
            return words.state(self.model)
        if self._task.waiting:
            return self.tr("Waiting")
        return {
            "verify": self.tr("Being verified"),
            "copy": self.tr("Being copied"),
            "download": self.tr("Being downloaded"),
            "import": self.tr("Being imported"),
        }[self._task.kind]

    def _name_everything(self, problem: str) -> None:
        title = self.model.title
        for button, name in (
            (self._unload, self.tr("Unload {title}")),
            (self._remove, self.tr("Remove {title}")),
            (self._download, self.tr("Download {title}")),
            (self._more, self.tr("More for {title}")),
        ):
            button.setAccessibleName(name.format(title=title))
        self._bar.setAccessibleName(self.tr("Loading {title}").format(title=title))
        self.setAccessibleName(f"{title}, {self._state.text()}")
        self.setAccessibleDescription(
            " ".join(filter(None, (self._purpose.text(), self._facts.text(), problem)))
        )

    def _lay_out(self) -> None:
        text = in_column(spacing=Space.XS)
        fill(text, self._title, self._mark, self._state, self._purpose, self._facts)
        fill(text, self._problem, self._bar)
        for words_of_others in (self._title, self._purpose, self._facts, self._problem):
            # One endless word, as in a file's name, must not make the page wider.
            words_of_others.setMinimumWidth(1)
        row = in_row(self, (Space.M, Space.M, Space.M, Space.M), spacing=Space.M)
        row.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(text, 1)
        for button in (self._unload, self._remove, self._download, self._more):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)


ROLES = ("language", "vision", "pages", "text", "speech")


class ModelList(QWidget):
    """Keeps the rows it has, so that the keyboard stays where it is when states change."""

    wanted = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._rows: dict[str, ModelRow] = {}
        self._show_large = False
        self._installed = _Group(self.tr("On this computer"))
        self._available = _Group(self.tr("Not installed"))
        self._large = _Group(self.tr("For larger computers"))
        self.more_button = push_button("", self._toggle_large)
        column = in_column(self, spacing=Space.L)
        fill(column, self._installed, self._available, self.more_button, self._large)

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
    """A heading over a frame with rows; hidden when there are none."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.rows: list[ModelRow] = []
        frame = QFrame()
        frame.setProperty("role", "card")
        self._column = in_column(frame, (1, 1, 1, 1))
        fill(in_column(self, spacing=Space.S), label(title, factor=Type.LEAD, bold=True), frame)
        self.hide()

    def set_rows(self, rows: list[ModelRow]) -> None:
        if rows != self.rows:
            self.rows = rows
            for place, row in enumerate(rows):
                set_property(row, "first", place == 0)
                self._column.addWidget(row)
                row.show()
        self.setVisible(bool(rows))
