"""Everything one can do in the viewer, and what keys, wheel, trackpad and fingers do to pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import (
    QAction,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGestureEvent, QPinchGesture, QScroller, QWidget

from desktop.ui.design.icons import icon
from desktop.ui.language import tr
from desktop.ui.viewer.page_layout import Fit, larger, smaller
from desktop.ui.viewer.selection import ARROWS

if TYPE_CHECKING:
    from desktop.ui.viewer.page_view import PageView


Keys = QKeySequence.StandardKey


class Spec:
    """key: a plain key that works while the pages have the focus; see `PageKeys`."""

    def __init__(
        self,
        text: str,
        icon: str = "",
        *keys: QKeySequence.StandardKey | str,
        key: str = "",
        checkable: bool = False,
    ) -> None:
        self.text, self.icon, self.keys, self.key = text, icon, keys, key
        self.checkable = checkable


def _specs() -> dict[str, Spec]:
    return {
        "thumbnails": Spec(tr("Page thumbnails"), "panel-left", "F9", checkable=True),
        "outline": Spec(tr("Contents"), "table-of-contents", "Shift+F9", checkable=True),
        "bookmarks": Spec(tr("Bookmarks"), "bookmark", "Ctrl+F9", checkable=True),
        "annotations": Spec(
            tr("Highlights and comments"), "highlighter", "Ctrl+Shift+F9", checkable=True
        ),
        "add_bookmark": Spec(tr("Bookmark this page"), "bookmark-plus", "Ctrl+D", key="B"),
        "back": Spec(tr("Back"), "arrow-left", Keys.Back),
        "forward": Spec(tr("Forward"), "arrow-right", Keys.Forward),
        "previous_page": Spec(tr("Previous page"), "chevron-up", key="Left"),
        "next_page": Spec(tr("Next page"), "chevron-down", key="Right"),
        "zoom_out": Spec(tr("Zoom out"), "zoom-out", Keys.ZoomOut, key="-"),
        "zoom_in": Spec(tr("Zoom in"), "zoom-in", Keys.ZoomIn, "Ctrl+=", key="+"),
        "fit_width": Spec(tr("Fit width"), "move-horizontal", "Ctrl+0", key="0"),
        "fit_page": Spec(tr("Fit page"), "maximize", "Ctrl+9", key="9"),
        "actual_size": Spec(tr("Actual size"), "", "Ctrl+8", key="8"),
        "two_up": Spec(tr("Two pages"), "columns-2", "Ctrl+7", key="7", checkable=True),
        "rotate_right": Spec(tr("Rotate clockwise"), "rotate-cw", "Ctrl+R", key="]"),
        "rotate_left": Spec(tr("Rotate anticlockwise"), "rotate-ccw", "Ctrl+Alt+R", key="["),
        "heat_map": Spec(tr("Heat map for the question"), "flame", "F6", key="H", checkable=True),
        "find": Spec(tr("Find in this manual"), "search", Keys.Find),
        "find_next": Spec(tr("Next hit"), "chevron-down", Keys.FindNext),
        "find_previous": Spec(tr("Previous hit"), "chevron-up", Keys.FindPrevious),
        "previous_highlight": Spec(tr("Previous highlight"), "chevron-up", "F7", key="P"),
        "next_highlight": Spec(tr("Next highlight"), "chevron-down", "F8", key="N"),
        "clear_highlights": Spec(tr("Hide what the answer marked"), "x"),
        "copy": Spec(tr("Copy"), "copy", Keys.Copy),
        "copy_citation": Spec(tr("Copy with citation"), "message-square-text", "Ctrl+Shift+C"),
        "select_page": Spec(tr("Select all on page"), "file-text", Keys.SelectAll),
        "page_links": Spec(tr("Links on this page"), "link-2", "Ctrl+Alt+L", key="L"),
        "mark_region": Spec(
            tr("Explain a region"), "square-dashed", "Ctrl+E", key="E", checkable=True
        ),
        "copy_region": Spec(tr("Copy region as picture"), "copy"),
        "copy_region_words": Spec(tr("Copy words in region with citation"), "message-square-text"),
        "save_region": Spec(tr("Save region as picture…"), "image-down"),
        "drop_region": Spec(tr("Remove region"), "x"),
        "save_page": Spec(tr("Save page as picture…"), "image-down", "Ctrl+Alt+S"),
        "print": Spec(tr("Print…"), "printer", Keys.Print),
        "add_note": Spec(tr("Add note here"), "sticky-note", key="A"),
        "highlight": Spec(tr("Highlight"), "highlighter", "Ctrl+Alt+H", key="M"),
        "comment": Spec(tr("Highlight and comment"), "message-square-plus", "Ctrl+Alt+M", key="C"),
        "save_highlighted": Spec(tr("Save copy with highlights…"), "file-down"),
        "close_document": Spec(tr("Close tab"), "x", Keys.Close),
    }


def make_actions(owner: QWidget) -> dict[str, QAction]:
    """Return all actions, added to `owner`: their keys work while it has the focus."""
    actions: dict[str, QAction] = {}
    for name, spec in _specs().items():
        action = QAction(spec.text, owner)
        if spec.icon:
            action.setIcon(icon(spec.icon))
        sequences = [
            sequence
            for keys in spec.keys
            for sequence in (
                [QKeySequence(keys)] if isinstance(keys, str) else QKeySequence.keyBindings(keys)
            )
        ]
        plain = QKeySequence(spec.key).toString(QKeySequence.SequenceFormat.NativeText)
        action.setShortcuts(sequences)
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setToolTip(_tool_tip(spec.text, sequences, plain))
        action.setData(plain)  # for the sheet of keys
        action.setProperty("key", spec.key)
        action.setCheckable(spec.checkable)
        owner.addAction(action)
        actions[name] = action
    return actions


def _tool_tip(text: str, sequences: list[QKeySequence], plain: str) -> str:
    shown = [
        sequence.toString(QKeySequence.SequenceFormat.NativeText) for sequence in sequences[:1]
    ]
    keys = tr(" or ").join([*shown, plain] if plain else shown)
    return f"{text} ({keys})" if keys else text


def page_commands(view: PageView) -> dict[str, Callable[[], None]]:
    """Return what each of these actions does to the view."""
    return {
        "previous_page": lambda: view.turn_row(-1),
        "next_page": lambda: view.turn_row(1),
        "zoom_out": lambda: view.set_zoom(smaller(view.zoom)),
        "zoom_in": lambda: view.set_zoom(larger(view.zoom)),
        "fit_width": lambda: view.set_fit(Fit.WIDTH),
        "fit_page": lambda: view.set_fit(Fit.PAGE),
        "actual_size": lambda: view.set_zoom(1.0),
        "two_up": lambda: view.set_across(3 - view.across),
        "rotate_right": lambda: view.rotate(1),
        "rotate_left": lambda: view.rotate(-1),
    }


def enable_actions(
    actions: dict[str, QAction],
    view: PageView,
    *,
    can_go_back: bool,
    can_go_forward: bool,
    can_close: bool,
    bookmarked: bool,
    has_heat: bool,
) -> None:
    """Grey out what cannot be done now."""
    document, overlays = view.document, view.overlays
    shown = document is not None and bool(document.pages)
    last = len(document.pages) - 1 if document is not None else -1
    selected, framed = overlays.selection is not None, overlays.region is not None
    marked, hit = len(overlays.highlights) > 0, len(overlays.hits) > 0
    conditions: dict[str, bool] = {
        "back": can_go_back,
        "forward": can_go_forward,
        "previous_page": shown and view.page > 0,
        "next_page": shown and view.page < last,
        "previous_highlight": marked,
        "next_highlight": marked,
        "clear_highlights": marked,
        "copy": selected,
        "copy_citation": selected,
        "find_next": hit,
        "find_previous": hit,
        "close_document": can_close,
        "copy_region": framed,
        "copy_region_words": framed,
        "save_region": framed,
        "drop_region": framed,
        "save_highlighted": bool(overlays.annotations),
        "heat_map": shown and has_heat,
    }
    _say_what_bookmarking_does(actions["add_bookmark"], bookmarked)
    actions["two_up"].setChecked(view.across == 2)
    for name, action in actions.items():
        action.setEnabled(conditions.get(name, shown))


def _say_what_bookmarking_does(action: QAction, bookmarked: bool) -> None:
    """The same key bookmarks a page and removes its bookmark."""
    text = tr("Remove bookmark") if bookmarked else tr("Bookmark this page")
    if text != action.text():
        keys = action.toolTip().removeprefix(action.text())
        action.setText(text)
        action.setToolTip(text + keys)


_WHEEL_NOTCH = 120.0
_FACTOR_PER_NOTCH = 1.2
_CLOSER = 2.0


class PagePointer(QObject):
    """Watches the viewport of a page view."""

    def __init__(self, view: PageView, actions: dict[str, QAction]) -> None:
        super().__init__(view)
        self._view = view
        self._buttons = {
            Qt.MouseButton.BackButton: actions["back"],
            Qt.MouseButton.ForwardButton: actions["forward"],
        }
        viewport = view.viewport()
        viewport.grabGesture(Qt.GestureType.PinchGesture)
        QScroller.grabGesture(viewport, QScroller.ScrollerGestureType.TouchGesture)
        viewport.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QWheelEvent):
            return self._wheel(event)
        if isinstance(event, QNativeGestureEvent):
            return self._trackpad(event)
        if isinstance(event, QGestureEvent):
            return self._fingers(event)
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            action = self._buttons.get(event.button())
            if action is not None:
                action.trigger()
                return True
        return False

    def _wheel(self, event: QWheelEvent) -> bool:
        # Qt reports the Command key of a Mac as the control modifier
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        notches = event.angleDelta().y() / _WHEEL_NOTCH
        self._zoom(_FACTOR_PER_NOTCH**notches, event.position())
        return True

    def _trackpad(self, event: QNativeGestureEvent) -> bool:
        kind = event.gestureType()
        if kind == Qt.NativeGestureType.ZoomNativeGesture:
            self._zoom(1.0 + event.value(), event.position())
            return True
        if kind == Qt.NativeGestureType.SmartZoomNativeGesture:  # two fingers tap twice
            self._closer(event.position())
            return True
        return False

    def _closer(self, around: QPointF) -> None:
        """Zoom in on a place, and the next time show the whole width again."""
        if self._view.fit is Fit.NONE:
            self._view.set_fit(Fit.WIDTH)
        else:
            self._zoom(_CLOSER, around)

    def _fingers(self, event: QGestureEvent) -> bool:
        pinch = event.gesture(Qt.GestureType.PinchGesture)
        if not isinstance(pinch, QPinchGesture):
            return False
        middle = self._view.viewport().mapFromGlobal(pinch.centerPoint().toPoint())
        self._zoom(pinch.scaleFactor(), QPointF(middle))
        event.accept(pinch)
        return True

    def _zoom(self, factor: float, around: QPointF) -> None:
        if factor > 0 and factor != 1.0:
            self._view.set_zoom(self._view.zoom * factor, around)


Key = Qt.Key
_SCREEN = 0.9
_LINE = 48


class PageKeys(QObject):
    """Handles the keys of a page view that are not shortcuts of the window."""

    def __init__(self, view: PageView, actions: dict[str, QAction]) -> None:
        super().__init__(view)
        self._view = view
        self._actions = {
            key: action for action in actions.values() if (key := action.property("key"))
        }
        self._actions["="] = actions["zoom_in"]  # "+" without Shift
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        shift = held == Qt.KeyboardModifier.ShiftModifier
        if (held and not shift) or (shift and event.key() in ARROWS):  # those select words
            return False
        if self._move(event.key(), back=shift):
            return True
        action = self._actions.get(QKeySequence(event.key()).toString())
        if action is None:
            return False
        action.trigger()
        return True

    def _move(self, key: int, *, back: bool) -> bool:
        view = self._view
        if key in (Key.Key_PageDown, Key.Key_PageUp, Key.Key_Space):
            self._screen(-1 if key == Key.Key_PageUp or (key == Key.Key_Space and back) else 1)
        elif key in (Key.Key_Down, Key.Key_Up):
            bar = view.verticalScrollBar()
            bar.setValue(bar.value() + (_LINE if key == Key.Key_Down else -_LINE))
        elif key in (Key.Key_Left, Key.Key_Right):
            self._aside(1 if key == Key.Key_Right else -1)
        elif key == Key.Key_Home:
            view.go_to_page(0)
        elif key == Key.Key_End and view.document is not None:
            view.go_to_page(len(view.document.pages) - 1)
        else:
            return False
        return True

    def _screen(self, direction: int) -> None:
        if self._view.fit is Fit.PAGE:
            self._view.turn_row(direction)
            return
        bar = self._view.verticalScrollBar()
        bar.setValue(bar.value() + round(direction * bar.pageStep() * _SCREEN))

    def _aside(self, direction: int) -> None:
        """Scroll sideways where there is anything at the side, else turn the page."""
        bar = self._view.horizontalScrollBar()
        if bar.maximum() > bar.minimum():
            bar.setValue(bar.value() + direction * _LINE)
        else:
            self._view.turn_row(direction)
