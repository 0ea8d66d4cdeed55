"""Tab takes the keyboard through the panels in reading order, as they lie on the screen."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QSplitter, QWidget

from desktop.ui.design.tokens import Size

Spot = tuple[int, int]
"""From the top and from the left of the window, in pixels."""

SAME_ROW = Size.TARGET // 3


def move_focus(window: QWidget, *, forward: bool) -> bool:
    """Give the keyboard to the next or the previous control; return whether there is one.

    window: the window, or the part of it that Tab stays in.
    """
    stops = reading_order(window)
    if not stops:
        return False
    now = window.focusWidget()
    before_first = -1 if forward else 0
    at = stops.index(now) if now in stops else before_first
    reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
    stops[(at + (1 if forward else -1)) % len(stops)].setFocus(reason)
    return True


def reading_order(window: QWidget) -> list[QWidget]:
    """Return what Tab stops at in a window or part of it; each pane or list stays together."""
    placed = [
        ((*_panes(each, window), _place(each, window)), each)
        for each in window.findChildren(QWidget)
        if each.focusPolicy() & Qt.FocusPolicy.TabFocus
        and each.window() is window.window()
        and each.isVisible()
        and each.isEnabled()
        and each.focusProxy() is None
    ]
    placed.sort(key=lambda pair: pair[0])
    ordered: list[QWidget] = []
    row: list[tuple[tuple[Spot, ...], QWidget]] = []
    for pair in placed:
        if row and not _beside(row[0][0], pair[0]):
            ordered += _from_the_left(row)
            row = []
        row.append(pair)
    return ordered + _from_the_left(row)


def _panes(widget: QWidget, window: QWidget) -> list[Spot]:
    """Return the positions of the panes and lists that hold a control, outermost first."""
    found: list[Spot] = []
    parent = widget.parentWidget()
    while parent is not None and parent is not window:
        if isinstance(parent, QAbstractScrollArea) or isinstance(parent.parent(), QSplitter):
            at = parent.mapTo(window, QPoint(0, 0))
            found.insert(0, (at.y(), at.x()))
        parent = parent.parentWidget()
    return found


def _place(widget: QWidget, window: QWidget) -> Spot:
    # Controls of one row may be of unlike heights: their middles lie on one line.
    at = widget.mapTo(window, QPoint(0, min(widget.height(), Size.TARGET) // 2))
    return at.y(), at.x()


def _beside(first: tuple[Spot, ...], other: tuple[Spot, ...]) -> bool:
    return first[:-1] == other[:-1] and other[-1][0] - first[-1][0] <= SAME_ROW


def _from_the_left(row: list[tuple[tuple[Spot, ...], QWidget]]) -> list[QWidget]:
    return [widget for _, widget in sorted(row, key=lambda pair: pair[0][-1][1])]
