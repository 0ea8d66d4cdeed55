"""Every action of the menus and of the viewer, as entries of the palette."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence

from desktop.ui.palette.entry import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from PySide6.QtWidgets import QMenu, QMenuBar

KEYS = "Ctrl+K"
"""What opens the palette; Qt means the command key with it on a Mac."""

Named = tuple[QAction, str]
"""An action, and the menus that lead to it."""


def actions_of(bar: QMenuBar, viewer: Iterable[QAction]) -> list[Named]:
    """Return what can be triggered now, each once; not what opens the palette itself."""
    found: dict[str, Named] = {}
    for action, path in _in_menus(bar.actions(), ""):
        if action.shortcut() != QKeySequence(KEYS):
            found.setdefault(_plain(action.text()), (action, path))
    for action in viewer:
        if action.text() and action.isEnabled():
            found.setdefault(_plain(action.text()), (action, ""))
    return list(found.values())


def entries_of(actions: Iterable[Named]) -> list[Entry]:
    """Return the entries; their numbers are the places in `actions`."""
    return [
        Entry(
            "action",
            _plain(action.text()),
            path,
            path,
            action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
            number,
        )
        for number, (action, path) in enumerate(actions)
    ]


def _in_menus(actions: Iterable[QAction], path: str) -> Iterator[Named]:
    for action in actions:
        menu: QMenu | None = action.menu()  # type: ignore[assignment]  # typed as an object
        if menu is not None:
            name = _plain(action.text())
            inner = f"{path} › {name}" if path else name
            menu.aboutToShow.emit()  # it ticks and dims its entries only then
            reachable = [each for each in menu.actions() if each.isEnabled()]
            menu.aboutToHide.emit()
            yield from _in_menus(reachable, inner)
        elif not action.isSeparator() and action.text():
            yield action, path


def _plain(text: str) -> str:
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…")
