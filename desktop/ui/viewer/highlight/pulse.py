"""The region one was led to draws the eye once, and then stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation

from desktop.ui.motion import milliseconds

if TYPE_CHECKING:
    from desktop.ui.viewer.pages.page_view import PageView

PULSE_MS = 150


class Pulse(QObject):
    """Runs `overlays.pulse` from 1 to 0; with reduced motion nothing moves at all."""

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self._view = view
        self._motion = QVariantAnimation(self, startValue=1.0, endValue=0.0)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._show)

    @property
    def running(self) -> bool:
        return self._motion.state() == QVariantAnimation.State.Running

    def begin(self) -> None:
        """Pulse once, from the beginning."""
        self._motion.stop()
        duration = milliseconds(PULSE_MS)
        if duration:
            self._motion.setDuration(duration)
            self._motion.start()
        else:
            self._show(0.0)

    def stop(self) -> None:
        """Be still at once."""
        self._motion.stop()
        self._show(0.0)

    def _show(self, strength: float) -> None:
        self._view.overlays.pulse = float(strength)
        self._view.viewport().update()
