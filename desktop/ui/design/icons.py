"""Icons: Lucide's line drawings, tinted with the palette whenever they are painted.

An icon made once follows the colour scheme by itself, in buttons, menus and lists.
A pixmap made from one would not: to show an icon by itself, use an `IconPicture`.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QIcon,
    QIconEngine,
    QPainter,
    QPaintEvent,
    QPalette,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

from desktop.resources import resource
from desktop.ui.design.theme import colours
from desktop.ui.design.tokens import LIGHT


class _TintedSvg(QIconEngine):
    """Paints one svg in the palette's text colour, in that of a token, or in a fixed one."""

    def __init__(self, name: str, tint: str = "") -> None:
        super().__init__()
        self._name = name
        self._tint = tint

    def clone(self) -> QIconEngine:
        return _TintedSvg(self._name, self._tint)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        side = min(rect.width(), rect.height())
        area = QRectF(0, 0, side, side)
        area.moveCenter(QRectF(rect).center())
        _renderer(self._name, self._colour(mode)).render(painter, area)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        return pixmap

    def _colour(self, mode: QIcon.Mode) -> str:
        palette = QGuiApplication.palette()
        if mode == QIcon.Mode.Disabled:
            return _text_colour(palette, QPalette.ColorGroup.Disabled)
        if not self._tint:
            return _text_colour(palette, QPalette.ColorGroup.Active)
        return self._tint if _is_fixed(self._tint) else str(attrgetter(self._tint)(colours()))


def icon(name: str, tint: str = "") -> QIcon:
    """Return the Lucide icon `name`, in the palette's text colour unless `tint` says another.

    tint: the name of a token ("accent", "danger.ink"), whose colour is taken whenever the icon is
        painted; or a fixed "#rrggbb", for what is painted at once or lies on white paper.

    Raises: FileNotFoundError, if resources/icons has no such svg. AttributeError, if there is no
        such token.
    """
    _svg_source(name)
    if tint and not _is_fixed(tint):
        attrgetter(tint)(LIGHT)
    # A copy does not know its painter in Python. Of the first one, a collection of garbage would
    # delete the painter while buttons still have the icon, and the program would crash.
    return QIcon(QIcon(_TintedSvg(name, tint)))


def application_icon() -> QIcon:
    """Return the program's own icon."""
    return QIcon(str(resource("app", "groundwork.png")))


def _is_fixed(tint: str) -> bool:
    return tint.startswith("#")


def _text_colour(palette: QPalette, group: QPalette.ColorGroup) -> str:
    colour: QColor = palette.color(group, QPalette.ColorRole.ButtonText)
    return colour.name()


@lru_cache(maxsize=128)
def _svg_source(name: str) -> bytes:
    return resource("icons", f"{name}.svg").read_bytes()


@lru_cache(maxsize=256)
def _renderer(name: str, colour: str) -> QSvgRenderer:
    source = _svg_source(name).replace(b"currentColor", colour.encode())
    return QSvgRenderer(QByteArray(source))


class IconPicture(QWidget):
    """Paints its icon anew each time, so that it follows every change of the look.

    What it means is said in words beside it: it has no name of its own.
    """

    def __init__(self, name: str, side: int, tint: str = "", *, opacity: float = 1.0) -> None:
        """tint: as `icon` takes it."""
        super().__init__()
        self._icon = icon(name, tint)
        self._opacity = opacity
        self.setFixedSize(side, side)

    def show_icon(self, name: str, tint: str = "") -> None:
        self._icon = icon(name, tint)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setOpacity(self._opacity)
            self._icon.paint(painter, self.rect())
