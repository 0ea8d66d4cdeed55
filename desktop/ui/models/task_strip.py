"""What is being imported, verified, copied or downloaded, with a bar and a way to stop it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui import wording
from desktop.ui.controls import label, push_button, thin_bar
from desktop.ui.models import words
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.ui.models.tasks import Task, TaskView


def _tr(text: str) -> str:
    return QCoreApplication.translate("TaskStrip", text)


def describe(view: TaskView) -> str:
    """Return "Importing qwen.zip, 43%, 2 min left"."""
    text = _doing(view.task)
    if view.stopping:
        return _tr("{text}: stopping").format(text=text)
    if view.waiting:
        return _tr("{text}: waiting").format(text=text)
    parts = [f"{text}: {_stage(view.stage)}" if view.stage else text]
    if view.share is not None:
        parts.append(words.percent(view.share))
    if view.seconds_left is not None:
        parts.append(wording.time_left(view.seconds_left))
    return ", ".join(parts)


class TaskStrip(QWidget):
    """cancel_wanted(number). Hidden while nothing runs."""

    cancel_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[int, _TaskRow] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.XS)
        self.hide()

    def show_tasks(self, views: Sequence[TaskView]) -> None:
        for number in set(self._rows) - {view.number for view in views}:
            row = self._rows.pop(number)
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        for view in views:
            known = self._rows.get(view.number)
            if known is None:
                known = self._rows[view.number] = _TaskRow()
                known.stop.clicked.connect(
                    lambda _=False, number=view.number: self.cancel_wanted.emit(number)
                )
                self._column.addWidget(known)
            known.show_task(view)
        self.setVisible(bool(views))

    def texts(self) -> list[str]:
        """Return what is shown, the oldest first."""
        return [row.text.text() for row in self._rows.values()]


class _TaskRow(QFrame):
    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.text = label("", factor=Type.SMALL, wrap=True)
        self._bar = thin_bar()
        self.stop = push_button(self.tr("Cancel"))
        left = QVBoxLayout()
        left.setSpacing(Space.XS)
        left.addWidget(self.text)
        left.addWidget(self._bar)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.M, Space.S, Space.S, Space.S)
        row.setSpacing(Space.M)
        row.addLayout(left, 1)
        row.addWidget(self.stop)

    def show_task(self, view: TaskView) -> None:
        text = describe(view)
        self.text.setText(text)
        self._bar.setVisible(not view.waiting)
        self._bar.setRange(0, 0 if view.share is None else 1000)
        self._bar.setValue(int((view.share or 0) * 1000))
        self._bar.setAccessibleName(text)
        self.stop.setEnabled(not view.stopping)
        self.stop.setAccessibleName(self.tr("Cancel: {what}").format(what=_doing(view.task)))


def _stage(name: str) -> str:
    says = {
        "downloading": _tr("downloading"),
        "checking": _tr("looking at its files"),
        "merging": _tr("merging its adapter"),
        "copying": _tr("copying"),
        "hashing": _tr("checking every byte"),
        "writing": _tr("writing"),
    }
    return says.get(name, name)


def _doing(task: Task) -> str:
    says = {
        "import": _tr("Importing {name}"),
        "verify": _tr("Verifying {name}"),
        "copy": _tr("Copying {name}"),
        "download": _tr("Downloading {name}"),
    }
    return says[task.kind].format(name=task.name)
