"""Shown instead of the manuals when the library cannot be opened: why, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui.controls import label, push_button
from desktop.ui.icons import icon
from desktop.ui.theme import colours
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from desktop.core.problems import Problem

WIDTH = 460
PICTURE = 40


class ProblemPage(QWidget):
    """retry_wanted, quit_wanted: its two buttons."""

    retry_wanted = Signal()
    quit_wanted = Signal()

    def __init__(self, problem: Problem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(problem.title)
        box = QWidget()
        box.setMaximumWidth(WIDTH)
        column = QVBoxLayout(box)
        column.setSpacing(Space.M)
        picture = label()
        picture.setPixmap(icon("octagon-alert", colours().bad).pixmap(PICTURE, PICTURE))
        picture.setFixedHeight(PICTURE)
        column.addWidget(picture)
        column.addWidget(
            label(problem.title, factor=Type.TITLE, bold=True, wrap=True, selectable=True)
        )
        column.addWidget(label(problem.advice, factor=Type.LEAD, wrap=True, selectable=True))
        column.addWidget(
            label(problem.details, factor=Type.SMALL, tone="muted", wrap=True, selectable=True)
        )
        buttons = QHBoxLayout()
        if problem.retry:
            retry = push_button(self.tr("Try again"), kind="primary")
            retry.clicked.connect(self.retry_wanted)
            buttons.addWidget(retry)
        leave = push_button(self.tr("Quit"))
        leave.clicked.connect(self.quit_wanted)
        buttons.addWidget(leave)
        buttons.addStretch(1)
        column.addLayout(buttons)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(box, 8)
        middle.addStretch(1)
        outer = QVBoxLayout(self)
        outer.addStretch(1)
        outer.addLayout(middle)
        outer.addStretch(2)
