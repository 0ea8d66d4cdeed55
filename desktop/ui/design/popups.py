"""Floating widgets: cards with a shadow over the page, and menus on such cards."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from functools import cache
from typing import Any

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QMouseEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QMenuBar, QToolButton, QWidget

from desktop.ui.design.theme import colours
from desktop.ui.design.tokens import Shadow, Size

_FAR = Shadow.BLUR // 2
"""Pixels from a card to the soft edge of its shadow."""
ROOM = (_FAR, _FAR - Shadow.DOWN, _FAR, _FAR + Shadow.DOWN)
"""Pixels around a floating widget in which its shadow falls: left, top, right, bottom."""
_STEPS = 12


def _paint_card(widget: QWidget) -> None:
    """Paint the card of a floating widget and its shadow, which is soft at its edge."""
    c, area, radius = colours(), _card(widget), Size.POPUP_RADIUS
    with QPainter(widget) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        black = QColor(0, 0, 0)
        black.setAlphaF(Shadow.OPACITY / _STEPS)
        painter.setBrush(black)
        for step in range(_STEPS):
            far = _FAR * (1 - 2 * step / _STEPS)  # half of it lies below the edge of what casts it
            grown = area.adjusted(-far, -far, far, far).translated(0, Shadow.DOWN)
            painter.drawRoundedRect(grown, max(0, radius + far), max(0, radius + far))
        if c.contrast or c.dark:  # a shadow is hardly seen there
            painter.setPen(QColor(c.border_strong))
        painter.setBrush(QColor(c.surface))
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)


def _card(widget: QWidget) -> QRectF:
    left, top, right, bottom = ROOM
    return QRectF(widget.rect()).adjusted(left, top, -right, -bottom)


class Floating(QWidget):
    """A card that lies over what is below it; its layout's margins hold its shadow.

    Its contents keep their place in the widget tree, so keyboard and screen reader pass
    through it as through any other panel.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoFillBackground(False)

    def card(self) -> QRectF:
        """Return where the card itself lies in the widget."""
        return _card(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        _paint_card(self)


@cache
def can_be_clear() -> bool:
    """Whether what lies behind a window can be seen through it.

    An X server without a compositor shows black there.
    """
    if QGuiApplication.platformName() != "xcb":
        return True
    name = ctypes.util.find_library("X11")
    if name is None:
        return False
    x11 = ctypes.CDLL(name)
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = x11.XGetSelectionOwner.restype = ctypes.c_ulong
    x11.XInternAtom.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)
    x11.XGetSelectionOwner.argtypes = (ctypes.c_void_p, ctypes.c_ulong)
    x11.XCloseDisplay.argtypes = (ctypes.c_void_p,)
    display = x11.XOpenDisplay(None)
    if not display:
        return False
    # who composites the first screen says so by owning this, as the window managers agreed
    owner = x11.XGetSelectionOwner(display, x11.XInternAtom(display, b"_NET_WM_CM_S0", 0))
    x11.XCloseDisplay(display)
    return bool(owner)


class FloatingWindow(Floating):
    """A card in a window of its own; without transparency it has a plain border."""

    def __init__(self, owner: QWidget, kind: Qt.WindowType) -> None:
        super().__init__(owner)
        self._is_card = can_be_clear()
        flags = Qt.WindowType.FramelessWindowHint | Qt.WindowType.NoDropShadowWindowHint
        self.setWindowFlags(kind | flags)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, self._is_card)

    @property
    def room(self) -> tuple[int, int, int, int]:
        """Pixels around its card: left, top, right, bottom."""
        return ROOM if self._is_card else (0, 0, 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_card:
            super().paintEvent(event)
            return
        with QPainter(self) as painter:
            painter.setPen(QColor(colours().border_strong))
            painter.setBrush(QColor(colours().surface))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


class Menu(QMenu):
    """A menu on a card with a shadow, in a window that is transparent around it.

    On a Mac it looks like a system menu; without transparency it has a plain border.
    """

    def __init__(self, *arguments: Any) -> None:
        """arguments: what `QMenu` takes."""
        super().__init__(*arguments)
        self._is_card = sys.platform != "darwin" and can_be_clear()
        if not self._is_card:
            return
        self.setProperty("round", True)
        flags = Qt.WindowType.FramelessWindowHint | Qt.WindowType.NoDropShadowWindowHint
        self.setWindowFlags(self.windowFlags() | flags)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setContentsMargins(*ROOM)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_card:
            _paint_card(self)
        super().paintEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Treat a press on the shadow as one outside the menu."""
        if self._is_card and not _card(self).contains(event.position()):
            self.close()
        else:
            super().mousePressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Put the card, and not the window around it, where the menu was asked for."""
        super().showEvent(event)
        if not self._is_card:
            return
        left, top, right, bottom = ROOM
        by, above = QPoint(-left, -top), self.parentWidget()
        if isinstance(above, QMenu):
            to_the_left = self.geometry().center().x() < above.geometry().center().x()
            by.setX(left + right if to_the_left else -left - right)
        elif above is not None and not isinstance(above, QMenuBar):
            asked_at = above.mapToGlobal(QPoint(0, 0)).y()
            opens_upwards = isinstance(above, QAbstractButton) and self.geometry().bottom() < (
                asked_at + above.height() // 2
            )
            by.setY(bottom if opens_upwards else -top)
        self.move(self.pos() + by)


def passing_menu(parent: QWidget) -> Menu:
    """Return an empty menu that is gone once it has been used."""
    menu = Menu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def menu_of(button: QToolButton) -> Menu:
    """Return the empty menu that a button opens when it is pressed."""
    menu = Menu(button)
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return menu
