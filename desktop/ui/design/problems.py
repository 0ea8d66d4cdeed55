"""What a person sees of an exception: sentences, or a page in place of the manuals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.core import problems
from desktop.ui.design.controls import button_row, fill, label, push_button
from desktop.ui.design.icons import IconPicture
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import told

if TYPE_CHECKING:
    from datetime import datetime

    from desktop.core.problems import Problem


def explain(error: BaseException) -> Problem:
    """Return the title, the advice and whether to offer "Retry" for any exception."""
    problem = problems.explain(error)
    return replace(problem, title=told(problem.title), advice=told(problem.advice))


def in_sentences(error: BaseException) -> str:
    """Return what went wrong and what to do next."""
    problem = explain(error)
    return f"{problem.title}. {problem.advice}"


Mending = Literal["repair", "restore"]
"""What a person chose for a damaged library."""

WIDTH = 460
PICTURE = 40


class ProblemPage(QWidget):
    """retry_wanted, quit_wanted: two of its buttons. mend_wanted: a `Mending` of the library."""

    retry_wanted = Signal()
    quit_wanted = Signal()
    mend_wanted = Signal(str)

    def __init__(self, problem: Problem, newest_backup: datetime | None = None) -> None:
        """newest_backup: when it was made; None if there is none."""
        super().__init__()
        self._menders: list[QPushButton] = []
        self._doing = label("", wrap=True)
        self._doing.hide()
        self.setAccessibleName(problem.title)
        box = QWidget()
        box.setMaximumWidth(WIDTH)
        column = QVBoxLayout(box)
        column.setSpacing(Space.M)
        fill(
            column,
            IconPicture("octagon-alert", PICTURE, "bad"),
            label(problem.title, factor=Type.TITLE, bold=True, wrap=True, selectable=True),
            label(problem.advice, factor=Type.LEAD, wrap=True, selectable=True),
            label(problem.details, factor=Type.SMALL, tone="muted", wrap=True, selectable=True),
        )
        if problem.mendable:
            self._offer_mending(column, newest_backup)
        ways = [push_button(self.tr("Quit"))]
        ways[0].clicked.connect(self.quit_wanted)
        if problem.retry:
            retry = push_button(self.tr("Try again"), kind="primary")
            retry.clicked.connect(self.retry_wanted)
            ways.insert(0, retry)
        fill(column, button_row(left=ways), self._doing)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(box, 8)
        middle.addStretch(1)
        outer = QVBoxLayout(self)
        outer.addStretch(1)
        outer.addLayout(middle)
        outer.addStretch(2)

    def _offer_mending(self, column: QVBoxLayout, newest_backup: datetime | None) -> None:
        repair = push_button(self.tr("Repair the library"), kind="primary")
        repair.clicked.connect(lambda: self._mend("repair"))
        self._menders = [repair]
        if newest_backup is not None:
            made = QDateTime.fromSecsSinceEpoch(int(newest_backup.timestamp()))
            shown = QLocale().toString(made, QLocale.FormatType.ShortFormat)
            restore = push_button(self.tr("Restore the backup of {when}").format(when=shown))
            restore.clicked.connect(lambda: self._mend("restore"))
            self._menders.append(restore)
        for button in self._menders:
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    def _mend(self, how: Mending) -> None:
        for button in self._menders:
            button.setEnabled(False)
        self._doing.setText(
            self.tr("Repairing. The damaged file is kept.")
            if how == "repair"
            else self.tr("Restoring. The current file is kept.")
        )
        self._doing.show()
        self.mend_wanted.emit(how)
