"""Icons: Lucide's line drawings, tinted with the palette whenever they are painted.

An icon made once follows the colour scheme by itself, in buttons, menus and lists.
"""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from desktop.ui.resources import resource_path


class _TintedSvg(QIconEngine):
    """Paints one svg in the palette's text colour, or in a fixed colour."""

    def __init__(self, name: str, colour: str = "") -> None:
        super().__init__()
        self._name = name
        self._colour = colour

    def clone(self) -> QIconEngine:
        return _TintedSvg(self._name, self._colour)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        side = min(rect.width(), rect.height())
        area = QRectF(0, 0, side, side)
        area.moveCenter(QRectF(rect).center())
        _renderer(self._name, self._tint(mode)).render(painter, area)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def _tint(self, mode: QIcon.Mode) -> str:
        palette = QGuiApplication.palette()
        if mode == QIcon.Mode.Disabled:
            return _text_colour(palette, QPalette.ColorGroup.Disabled)
        return self._colour or _text_colour(palette, QPalette.ColorGroup.Active)


def icon(name: str, colour: str = "") -> QIcon:
    """Return the Lucide icon `name`; `colour` ("#rrggbb") overrides the palette's text colour.

    Raises: FileNotFoundError, if resources/icons has no such svg.
    """
    _svg_source(name)
    return QIcon(_TintedSvg(name, colour))


def application_icon() -> QIcon:
    """Return the program's own icon."""
    return QIcon(str(resource_path("app", "groundwork.png")))


def _text_colour(palette: QPalette, group: QPalette.ColorGroup) -> str:
    colour: QColor = palette.color(group, QPalette.ColorRole.ButtonText)
    return colour.name()


@lru_cache(maxsize=128)
def _svg_source(name: str) -> bytes:
    return resource_path("icons", f"{name}.svg").read_bytes()


@lru_cache(maxsize=256)
def _renderer(name: str, colour: str) -> QSvgRenderer:
    source = _svg_source(name).replace(b"currentColor", colour.encode())
    return QSvgRenderer(QByteArray(source))
