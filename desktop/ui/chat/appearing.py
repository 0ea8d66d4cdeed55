"""How an answer appears: lines where it will stand while it is searched, then a short fade.

With reduced motion the lines stand still and nothing fades.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.ui.design.theme import colours, milliseconds, moving
from desktop.ui.design.tokens import Space

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QPaintEvent, QShowEvent

FADE_MS = 180
PULSE_MS = 1_400
_WIDTHS = (0.92, 1.0, 0.64)
"""Of the lines, as shares of the room: a paragraph ends early."""
_FAINTEST = 0.45


class Skeleton(QWidget):
    """Three lines that breathe while there is nothing to read yet."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(len(_WIDTHS) * Space.L + (len(_WIDTHS) - 1) * Space.XS)
        self._strength = 1.0
        self.pulse = QVariantAnimation(self)
        self.pulse.setDuration(PULSE_MS)
        self.pulse.setLoopCount(-1)
        self.pulse.setKeyValues([(0.0, 1.0), (0.5, _FAINTEST), (1.0, 1.0)])
        self.pulse.setEasingCurve(QEasingCurve.Type.InOutSine)
        self.pulse.valueChanged.connect(self._breathe)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if moving():
            self.pulse.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.pulse.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setOpacity(self._strength)
        painter.setBrush(QColor(colours().hover))
        for row, share in enumerate(_WIDTHS):
            top = row * (Space.L + Space.XS) + Space.HAIR
            line = QRectF(0, top, self.width() * share, Space.M)
            painter.drawRoundedRect(line, Space.XS, Space.XS)
        painter.end()  # not left to the collector, see PlaceButton

    def _breathe(self, strength: float) -> None:
        self._strength = strength
        self.update()


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
