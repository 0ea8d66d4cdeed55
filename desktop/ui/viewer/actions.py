"""Everything one can do in the viewer, as `QAction`s made from the table, in one place.

The toolbar, the context menu and the window's menus show the same `QAction`s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence

from desktop.ui.icons import icon
from desktop.ui.viewer.action_table import CHECKABLE, CONTEXT, SPECS, ActionName, Spec

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

__all__ = ["ActionName", "make_actions"]


def make_actions(owner: QWidget) -> dict[ActionName, QAction]:
    """Return all actions, added to `owner`: their keys work while it has the focus."""
    actions: dict[ActionName, QAction] = {}
    for name, spec in SPECS.items():
        text = QCoreApplication.translate(CONTEXT, spec.text)
        action = QAction(text, owner)
        if spec.icon:
            action.setIcon(icon(spec.icon))
        sequences = [sequence for keys in spec.keys for sequence in _sequences(keys)]
        action.setShortcuts(sequences)
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setToolTip(_tool_tip(text, spec, sequences))
        # for the sheet of keys, which would not know of it otherwise
        action.setData(_native(spec.key))
        action.setCheckable(name in CHECKABLE)
        owner.addAction(action)
        actions[name] = action
    return actions


def _sequences(keys: QKeySequence.StandardKey | str) -> list[QKeySequence]:
    if isinstance(keys, str):
        return [QKeySequence(keys)]
    return QKeySequence.keyBindings(keys)


def _tool_tip(text: str, spec: Spec, sequences: list[QKeySequence]) -> str:
    shown = [
        sequence.toString(QKeySequence.SequenceFormat.NativeText) for sequence in sequences[:1]
    ]
    if spec.key:
        shown.append(_native(spec.key))
    if not shown:
        return text
    keys = QCoreApplication.translate(CONTEXT, " or ").join(shown)
    return f"{text} ({keys})"


def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) if key else ""
