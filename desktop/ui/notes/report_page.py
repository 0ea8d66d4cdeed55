"""What became of a file of notes: how much was taken in, and what was not, with its position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from desktop.ui import wording
from desktop.ui.controls import label, push_button
from desktop.ui.domains.page_frame import PageFrame
from desktop.ui.language import told
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge.loader import LoadProblem

LINES = 14


class ReportPage(QWidget):
    """closed(): it was read."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.problems = QPlainTextEdit()
        self.problems.setReadOnly(True)
        self.problems.setProperty("kind", "field")
        self.problems.setTabChangesFocus(True)
        self.problems.setAccessibleName(self.tr("Problems with their positions"))
        self.problems.setFixedHeight(LINES * self.problems.fontMetrics().lineSpacing())
        hint = self.tr(
            "Positions count from 0: pieces[3] is the fourth piece. Repair the file and import "
            "it again; what is here already is not taken twice."
        )
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addWidget(self.problems)
        column.addWidget(label(hint, factor=Type.SMALL, tone="muted", wrap=True))
        done = push_button(self.tr("Done"), kind="primary")
        done.clicked.connect(self.closed)
        self.frame = PageFrame(content, right=(done,))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.frame)

    def show_report(self, name: str, changed: int, problems: Sequence[LoadProblem]) -> None:
        """Show what was wrong with a file. changed: items that are new or other than before."""
        self.frame.show_title(
            self.tr("“{name}” was imported in part").format(name=name),
            self.tr("{n} items are new or changed. These were skipped or doubtful: {m}").format(
                n=wording.number(changed), m=wording.number(len(problems))
            ),
            "attention",
        )
        lines = (f"{each.position}: {told(each.reason)}" for each in problems)
        self.problems.setPlainText("\n".join(lines))
