"""In the status bar: how many connections this program has attempted. The count is the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop import tripwire
from desktop.ui.controls import label, plain_tooltip
from desktop.ui.icon_picture import IconPicture
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Callable

LOOK_MS = 2_000
SHOWN_TARGETS = 5


class ConnectionCount(QWidget):
    """A shield, looked at every two seconds; a warning with the number when it is not 0."""

    def __init__(
        self, count: Callable[[], int] = tripwire.count, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._count = count
        self._shown = -1
        self.shield = IconPicture("shield-check", Size.ICON)
        self.text = label("", factor=Type.SMALL, tone="attention")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, Space.M, 0)
        row.setSpacing(Space.XS)
        row.addWidget(self.shield)
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
        said = self.tr("Connections made: {n}").format(n=count)
        self.shield.show_icon("triangle-alert" if count else "shield-check")
        self.text.setText(said if count else "")
        self.setToolTip(plain_tooltip(f"{said}\n{self._explanation(count)}"))
        self.setAccessibleName(said)

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
