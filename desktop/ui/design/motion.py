"""How parts of the window appear: softly, and at once with reduced motion."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QEvent, QObject, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop.ui.design.theme import colours, milliseconds, moving

FADE_MS = 180


class Fade(QWidget):
    """Lies over a widget in the colour of the panel, and thins out until it is gone."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self._strength = 1.0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(over.rect())
        over.installEventFilter(self)
        self._thinning = QVariantAnimation(self)
        self._thinning.setDuration(milliseconds(FADE_MS))
        self._thinning.setStartValue(1.0)
        self._thinning.setEndValue(0.0)
        self._thinning.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._thinning.valueChanged.connect(self._thin)
        self._thinning.finished.connect(self.deleteLater)
        self._thinning.start()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._over.rect())
            self.raise_()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setOpacity(self._strength)
        painter.fillRect(self.rect(), QColor(colours().surface))
        painter.end()  # not left to the collector, see PlaceButton

    def _thin(self, strength: float) -> None:
        self._strength = strength
        self.update()


def fade_in(widget: QWidget) -> None:
    """Let a widget appear softly; at once with reduced motion."""
    if moving():
        Fade(widget)
