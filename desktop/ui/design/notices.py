"""Short messages about what just happened, and what a person sees of an exception."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QDateTime, QLocale, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.core import problems
from desktop.ui.design.controls import (
    button_row,
    discard,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    push_button,
    remark,
    thin_bar,
)
from desktop.ui.design.icons import IconPicture
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import told, tr

if TYPE_CHECKING:
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
        self._doing = remark()
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
        ways = [push_button(self.tr("Quit"), self.quit_wanted)]
        if problem.retry:
            ways.insert(0, push_button(self.tr("Try again"), self.retry_wanted, kind="primary"))
        fill(column, button_row(left=ways), self._doing)
        middle = QHBoxLayout()
        fill(middle, None, (box, 8), None)
        outer = QVBoxLayout(self)
        fill(outer, None, middle)
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


MOST_NOTICES = 4
LONG = 50
"""A text of more letters has its button below, or it would be squeezed in a narrow panel."""


class BusyNotice(QFrame):
    """What is going on, how far it has got, and a button that stops it."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.text = label("", factor=Type.SMALL, wrap=True)
        self.bar = thin_bar()
        self.cancel = push_button(self.tr("Cancel"))
        left = in_column(spacing=Space.XS)
        fill(left, self.text, self.bar)
        row = in_row(self, (Space.M, Space.S, Space.S, Space.S), spacing=Space.M)
        fill(row, (left, 1), self.cancel)

    def show_progress(self, text: str, share: float | None = None) -> None:
        """Say what is going on. share: what is done, 0 to 1; None where that is not known."""
        self.text.setText(text)
        self.bar.setAccessibleName(text)
        self.bar.setRange(0, 0 if share is None else 1000)
        self.bar.setValue(int((share or 0) * 1000))


UNDO_MS = 10_000


class Removals(QObject):
    """What a person has removed, by its id: out of sight, and gone if nobody undoes it soon."""

    def __init__(self, notices: NoticeStrip) -> None:
        super().__init__(notices)
        self._notices = notices
        self._waiting: dict[int, tuple[QTimer, QFrame, Callable[[], object]]] = {}

    def __contains__(self, id_: int) -> bool:
        return id_ in self._waiting

    def __len__(self) -> int:
        return len(self._waiting)

    def begin(
        self, id_: int, said: str, bring_back: Callable[[], object], delete: Callable[[], object]
    ) -> None:
        """Say what was removed and offer for a while to bring it back; then it is deleted."""
        timer = QTimer(self, singleShot=True, interval=UNDO_MS)
        timer.timeout.connect(lambda: self._take(id_))
        timer.timeout.connect(delete)
        timer.start()
        notice = self._notices.say(
            said, action=tr("Undo"), on_action=lambda: self.undo(id_), milliseconds=UNDO_MS
        )
        self._waiting[id_] = timer, notice, bring_back

    def undo(self, id_: int | None = None) -> None:
        """Bring back what has this id, else what was removed last."""
        which = next(reversed(self._waiting), None) if id_ is None else id_
        if which is not None and which in self._waiting:
            self._take(which)()

    def finish(self) -> None:
        """Delete what waits, now."""
        for timer, _, _ in list(self._waiting.values()):
            timer.timeout.emit()

    def _take(self, id_: int) -> Callable[[], object]:
        timer, notice, bring_back = self._waiting.pop(id_)
        timer.stop()
        self._notices.dismiss(notice)
        return bring_back


class NoticeStrip(QWidget):
    """Holds the latest notices; the oldest leaves when there are too many."""

    said = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._column = in_column(self, (Space.S, 0, Space.S, Space.S), spacing=Space.XS)
        self._notices: list[QFrame] = []
        self.setVisible(False)

    def say(
        self,
        text: str,
        *,
        tone: str = "",
        action: str = "",
        on_action: Callable[[], object] | None = None,
        other: str = "",
        on_other: Callable[[], object] | None = None,
        milliseconds: int = 0,
    ) -> QFrame:
        """Show `text`; it stays until dismissed, acted on, or `milliseconds` have passed.

        other: a second button, for a question with two answers.
        """
        self.said.emit()
        notice = QFrame()
        notice.setProperty("role", "error" if tone == "bad" else "notice")
        notice.setProperty("text", text)
        column = in_column(notice, (Space.S, Space.XS, Space.XS, Space.XS), spacing=Space.XS)
        row = QHBoxLayout()
        column.addLayout(row)
        told = label(text, factor=Type.SMALL, wrap=True, selectable=True)
        told.setMinimumWidth(1)  # an endless name must not make the window wider
        row.addWidget(told, 1)
        buttons = QHBoxLayout()
        for name, act in ((action, on_action), (other, on_other)):
            if name and act is not None:
                buttons.addWidget(self._button(name, act, notice))
        if other or len(text) > LONG:
            buttons.addStretch(1)
            column.addLayout(buttons)
        else:
            row.addLayout(buttons)
        close = flat_button("x", self.tr("Dismiss"), lambda: self.dismiss(notice))
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self._column.addWidget(notice)
        self._notices.append(notice)
        if len(self._notices) > MOST_NOTICES:
            self.dismiss(self._notices[0])
        if milliseconds:
            timer = QTimer(notice, singleShot=True)
            timer.timeout.connect(lambda: self.dismiss(notice))
            timer.start(milliseconds)
        self.setVisible(True)
        return notice

    def _button(self, text: str, act: Callable[[], object], notice: QFrame) -> QWidget:
        button = push_button(text)

        def done() -> None:
            self.dismiss(notice)
            act()

        button.clicked.connect(done)
        return button

    def say_failure(self, failure: BaseException) -> None:
        """Say what went wrong and what to do next."""
        self.say(in_sentences(failure), tone="bad")

    def dismiss(self, notice: QFrame) -> None:
        """Take one notice away; harmless when it is gone."""
        if notice not in self._notices:
            return
        self._notices.remove(notice)
        discard(notice, self._column)
        self.setVisible(bool(self._notices))

    def notices(self) -> list[QFrame]:
        """Return the notices that are shown, oldest first."""
        return list(self._notices)

    def texts(self) -> list[str]:
        """Return what is shown, oldest first."""
        return [str(notice.property("text")) for notice in self._notices]
