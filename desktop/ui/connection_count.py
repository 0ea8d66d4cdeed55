"""In the status bar: how many connections this program has attempted. The count is the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop import tripwire
from desktop.ui.controls import label, plain_tooltip, set_tone
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Callable

LOOK_MS = 2_000
SHOWN_TARGETS = 5


class ConnectionCount(QWidget):
    """Looks every two seconds; attention when it is not 0, with what was to be reached."""

    def __init__(
        self, count: Callable[[], int] = tripwire.count, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._count = count
        self._shown = -1
        self.text = label("", factor=Type.SMALL, tone="muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, Space.M, 0)
        row.addWidget(self.text)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(LOOK_MS)
        self.look()

    def look(self) -> None:
        """Show the count as it is now."""
        count = self._count()
        if count == self._shown:
            return
        self._shown = count
        self.text.setText(self.tr("connections made: {n}").format(n=count))
        self.text.setToolTip(plain_tooltip(self._explanation(count)))
        self.setAccessibleName(self.text.text())
        set_tone(self.text, "attention" if count else "muted")

    def _explanation(self, count: int) -> str:
        if not count:
            return self.tr(
                "Groundwork and its PDF reader have not tried to reach any network since they "
                "were started. Downloading a model, when you ask for one, is not counted."
            )
        targets = [self._attempt(each) for each in tripwire.attempts()[:SHOWN_TARGETS]]
        return self.tr(
            "Something in this program tried to reach a network:\n{targets}\n"
            "Please report it with the newest file of the library's folder 'logs'."
        ).format(targets="\n".join(targets))

    def _attempt(self, attempt: tripwire.Attempt) -> str:
        match attempt.kind:
            case "look up":
                told = self.tr("looked up the name {target}")
            case "bind":
                told = self.tr("waited for others at {target}")
            case _:
                told = self.tr("wanted to send to {target}")
        return told.format(target=attempt.target)
