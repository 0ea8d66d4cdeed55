"""The bar that replays a question step by step: first, back, on, and by itself."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop.ui.controls import flat_button, label
from desktop.ui.icons import icon
from desktop.ui.tokens import Space, Type

STEP_MS = 1600


class StepPlayer(QWidget):
    """moved(position): show the steps up to this one. left(): show all of them again."""

    moved = Signal(int)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._count = 0
        self.position = -1
        self.first_button = flat_button("skip-back", self.tr("First step"))
        self.back_button = flat_button("arrow-left", self.tr("Step back"))
        self.next_button = flat_button("arrow-right", self.tr("Next step"))
        self.play_button = flat_button("play", self.tr("Play the steps"))
        self.play_button.setCheckable(True)
        self.close_button = flat_button("x", self.tr("Leave the replay"))
        self.says = label("", factor=Type.SMALL)
        self.first_button.clicked.connect(lambda: self.go(0))
        self.back_button.clicked.connect(lambda: self.go(self.position - 1))
        self.next_button.clicked.connect(lambda: self.go(self.position + 1))
        self.play_button.toggled.connect(self._play)
        self.close_button.clicked.connect(self.leave)
        self._clock = QTimer(self)
        self._clock.setInterval(STEP_MS)
        self._clock.timeout.connect(self._tick)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.S, 0, Space.S, 0)
        row.setSpacing(Space.HAIR)
        for button in (self.first_button, self.back_button, self.play_button, self.next_button):
            row.addWidget(button)
        row.addWidget(self.says, 1)
        row.addWidget(self.close_button)
        self.hide()

    def begin(self, count: int) -> None:
        """Stand at the first of so many steps."""
        if count <= 0:
            return
        self._count = count
        self.show()
        self.go(0)
        self.next_button.setFocus()

    def go(self, position: int) -> None:
        """Stand at a step."""
        if not self._count:
            return
        self.position = max(0, min(position, self._count - 1))
        self.says.setText(self.tr("Step {n} of {m}").format(n=self.position + 1, m=self._count))
        self.back_button.setEnabled(self.position > 0)
        self.first_button.setEnabled(self.position > 0)
        last = self.position == self._count - 1
        self.next_button.setEnabled(not last)
        if last:
            self.play_button.setChecked(False)
        self.moved.emit(self.position)

    def leave(self) -> None:
        """End the replay."""
        self.play_button.setChecked(False)
        if self.isHidden() and self.position < 0:
            return
        self.position, self._count = -1, 0
        self.hide()
        self.left.emit()

    def _play(self, playing: bool) -> None:
        self.play_button.setIcon(icon("pause" if playing else "play"))
        if playing and self.position == self._count - 1:
            self.go(0)
        if playing:
            self._clock.start()
        else:
            self._clock.stop()

    def _tick(self) -> None:
        self.go(self.position + 1)
