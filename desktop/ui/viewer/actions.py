"""Everything one can do in the viewer: text, icon and keys, in one place.

The toolbar, the context menu and the window's menus show the same `QAction`s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence

from desktop.ui.icons import icon

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

ActionName = Literal[
    "thumbnails",
    "back",
    "forward",
    "previous_page",
    "next_page",
    "zoom_out",
    "zoom_in",
    "fit_width",
    "fit_page",
    "heat_map",
    "find",
    "find_next",
    "find_previous",
    "previous_highlight",
    "next_highlight",
    "clear_highlights",
    "copy",
    "copy_citation",
    "select_page",
    "add_note",
    "close_document",
]
Keys = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class _Spec:
    text: str
    icon: str = ""
    keys: tuple[QKeySequence.StandardKey | str, ...] = ()
    key: str = ""
    """A plain key that works while the pages have the focus; see `keyboard.py`."""


_SPECS: dict[ActionName, _Spec] = {
    "thumbnails": _Spec("Page thumbnails", "panel-left", ("F9",)),
    "back": _Spec("Back", "arrow-left", (Keys.Back,)),
    "forward": _Spec("Forward", "arrow-right", (Keys.Forward,)),
    "previous_page": _Spec("Previous page", "chevron-up", key="Left"),
    "next_page": _Spec("Next page", "chevron-down", key="Right"),
    "zoom_out": _Spec("Zoom out", "zoom-out", (Keys.ZoomOut,), "-"),
    "zoom_in": _Spec("Zoom in", "zoom-in", (Keys.ZoomIn, "Ctrl+="), "+"),
    "fit_width": _Spec("Fit width", "move-horizontal", ("Ctrl+0",), "0"),
    "fit_page": _Spec("Fit page", "maximize", ("Ctrl+9",), "9"),
    "heat_map": _Spec("Heat map of the question", "flame", ("Ctrl+Shift+H",), "H"),
    "find": _Spec("Find in this manual", "search", (Keys.Find,)),
    "find_next": _Spec("Next hit", "chevron-down", (Keys.FindNext,)),
    "find_previous": _Spec("Previous hit", "chevron-up", (Keys.FindPrevious,)),
    "previous_highlight": _Spec("Previous highlight", "chevron-up", ("F7",), "P"),
    "next_highlight": _Spec("Next highlight", "chevron-down", ("F8",), "N"),
    "clear_highlights": _Spec("Remove highlights", "x"),
    "copy": _Spec("Copy", "copy", (Keys.Copy,)),
    "copy_citation": _Spec("Copy with citation", "message-square-text", ("Ctrl+Shift+C",)),
    "select_page": _Spec("Select all on page", "file-text", (Keys.SelectAll,)),
    "add_note": _Spec("Add note", "sticky-note", key="A"),
    "close_document": _Spec("Close manual", "x", (Keys.Close,)),
}


def make_actions(owner: QWidget) -> dict[ActionName, QAction]:
    """Return all actions, added to `owner`: their keys work while it has the focus."""
    actions: dict[ActionName, QAction] = {}
    for name, spec in _SPECS.items():
        action = QAction(spec.text, owner)
        if spec.icon:
            action.setIcon(icon(spec.icon))
        sequences = [sequence for keys in spec.keys for sequence in _sequences(keys)]
        action.setShortcuts(sequences)
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setToolTip(_tool_tip(spec, sequences))
        owner.addAction(action)
        actions[name] = action
    for name in ("thumbnails", "heat_map"):
        actions[name].setCheckable(True)
    return actions


def _sequences(keys: QKeySequence.StandardKey | str) -> list[QKeySequence]:
    if isinstance(keys, str):
        return [QKeySequence(keys)]
    return QKeySequence.keyBindings(keys)


def _tool_tip(spec: _Spec, sequences: list[QKeySequence]) -> str:
    shown = [
        sequence.toString(QKeySequence.SequenceFormat.NativeText) for sequence in sequences[:1]
    ]
    if spec.key:
        shown.append(QKeySequence(spec.key).toString(QKeySequence.SequenceFormat.NativeText))
    return f"{spec.text} ({' or '.join(shown)})" if shown else spec.text
