"""The Models page: memory and profiles at the left, the models at the right.

It draws and asks; the controller carries out what a person wants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.controls import label, panel_header, push_button
from desktop.ui.drop_overlay import DropOverlay
from desktop.ui.models.empty_state import EmptyState
from desktop.ui.models.files import importable
from desktop.ui.models.memory_bar import MemoryPart
from desktop.ui.models.model_list import ModelList
from desktop.ui.models.profile_list import ProfileList
from desktop.ui.models.task_strip import TaskStrip
from desktop.ui.notice_strip import NoticeStrip
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.ui.models.tasks import Tasks
    from desktop.ui.models.watch import Snapshot

SIZE = QSize(1120, 760)
LEFT_MOST = 480
LEFT_LETTERS = 62
"""Width of the left column in letters, so that it grows with a person's own font size."""


class ModelsPage(QDialog):
    """A window of its own beside the main one; closing it stops nothing.

    wanted(action, id): of a model. profile_wanted(id). dropped(paths). folder_wanted,
    zip_wanted: import after choosing. cancel_wanted(number): of a task.
    """

    wanted = Signal(str, str)
    profile_wanted = Signal(str)
    dropped = Signal(object)
    folder_wanted = Signal()
    zip_wanted = Signal()
    cancel_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Models"))
        self.setSizeGripEnabled(False)
        self.resize(SIZE.boundedTo(self.screen().availableSize()))
        self.setMinimumSize(820, 480)
        self.notices = NoticeStrip()
        self.tasks = TaskStrip()
        self.memory = MemoryPart()
        self.profiles = ProfileList()
        self.models = ModelList()
        self.empty = EmptyState()
        self.import_button = self._import_button()
        self._lay_out()
        self.models.wanted.connect(self.wanted)
        self.profiles.wanted.connect(self.profile_wanted)
        self.tasks.cancel_wanted.connect(self.cancel_wanted)
        self.empty.import_wanted.connect(self.folder_wanted)
        self.overlay = DropOverlay(self, self._announcement)
        self.overlay.dropped.connect(self.dropped)
        self.setAcceptDrops(True)
        close = QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self)
        close.activated.connect(self.close)

    def show_snapshot(self, seen: Snapshot, tasks: Tasks) -> None:
        """Show everything as it is now."""
        self.memory.show_memory(seen.memory)
        self.profiles.show_profiles(seen.profiles)
        self.models.show_models(seen, tasks)
        self.empty.setVisible(all(each.state == "available" for each in seen.models))

    def show_tasks(self, tasks: Tasks) -> None:
        self.tasks.show_tasks(tasks.views())

    def dismiss(self) -> None:
        """Close with every question that is open over it, as if refused."""
        for question in self.findChildren(QDialog):
            question.reject()
        self.hide()

    def reveal(self, model_id: str) -> None:
        """Bring a model into view, with the keyboard on it."""
        row = self.models.row(model_id)
        if row is not None:
            row.focus()
            # after the layout has placed a row that is new
            QTimer.singleShot(0, row, lambda: self._scroll.ensureWidgetVisible(row))

    def _announcement(self, paths: list[Path]) -> tuple[str, str]:
        wanted = importable(paths)
        if not wanted:
            return (
                self.tr("This is no model"),
                self.tr("Drop a model's folder, or a zip file with a model in it."),
            )
        title = (
            self.tr("Import “{name}”").format(name=wanted[0].name)
            if len(wanted) == 1
            else self.tr("Import {n} models").format(n=len(wanted))
        )
        return title, self.tr("It is copied, so the USB stick can be taken out afterwards.")

    def _import_button(self) -> QWidget:
        button = push_button(self.tr("Import…"))
        menu = QMenu(button)
        menu.addAction(self.tr("From a Folder…"), self.folder_wanted.emit)
        menu.addAction(self.tr("From a Zip File…"), self.zip_wanted.emit)
        button.setMenu(menu)
        return button

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(Space.L)
        left.addWidget(label(self.tr("Memory"), factor=Type.LEAD, bold=True))
        left.addWidget(self.memory)
        left.addSpacing(Space.S)
        left.addWidget(label(self.tr("How questions are answered"), factor=Type.LEAD, bold=True))
        left.addWidget(self.profiles)
        right = QVBoxLayout()
        right.setSpacing(Space.L)
        for widget in (self.empty, self.models):
            right.addWidget(widget)
        fixed = QVBoxLayout()
        fixed.setContentsMargins(Space.S, Space.S, Space.S, 0)
        fixed.setSpacing(Space.S)
        self.tasks.setContentsMargins(Space.S, Space.S, Space.S, 0)
        fixed.addWidget(self.tasks)
        fixed.addWidget(self.notices)
        self._scroll = _scrolling(right, self.tr("Models"))
        side = _scrolling(left, self.tr("Memory and profiles"))
        side.setFixedWidth(min(LEFT_LETTERS * self.fontMetrics().averageCharWidth(), LEFT_MOST))
        main = QVBoxLayout()
        main.setSpacing(0)
        main.addLayout(fixed)
        main.addWidget(self._scroll, 1)
        line = QFrame()
        line.setProperty("role", "line")
        line.setFixedWidth(1)
        columns = QHBoxLayout()
        columns.setSpacing(0)
        columns.addWidget(side)
        columns.addWidget(line)
        columns.addLayout(main, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(panel_header(self.tr("Models"), self.import_button))
        whole.addLayout(columns, 1)


def _scrolling(column: QVBoxLayout, name: str) -> QScrollArea:
    content = QWidget()
    content.setProperty("role", "page")
    content.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    column.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
    column.addStretch(1)
    content.setLayout(column)
    area = QScrollArea()
    area.setAccessibleName(name)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    return area
