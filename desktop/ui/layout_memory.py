"""What is remembered of a library's window: sizes, panels, what was open, what was begun."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

if TYPE_CHECKING:
    from desktop.core.library.places import Place

FILE_NAME = "window.ini"
_ACTIONS_KEPT = 20


class _Text:
    """A stored text, "" until there is one."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __get__(self, memory: LayoutMemory, _owner: type[LayoutMemory]) -> str:
        return memory.text(self._key)

    def __set__(self, memory: LayoutMemory, text: str) -> None:
        memory.keep(self._key, text)


class LayoutMemory:
    """Geometry, splitters, hidden panels, and what was open and begun."""

    note_role = _Text("notes/role")
    """The role under which the last note was written."""
    note_text = _Text("notes/text")
    """The note that was begun and is not kept."""
    notes_open = _Text("notes/open")
    """"yes" where the drawer of the notes was open."""
    question_draft = _Text("question/draft")
    """The question that was begun and is not asked."""
    conversation = _Text("conversation/open")
    """The conversation that was open: its id, or that a new one was begun."""
    viewer_session = _Text("viewer/session")
    """The open manuals, where each was left and what was marked, as the viewer wrote it."""
    library_order = _Text("library/order")
    """In which order manuals stand, "" if nobody has chosen."""

    def __init__(self, folder: Path) -> None:
        self._settings = QSettings(str(folder / FILE_NAME), QSettings.Format.IniFormat)

    def save_window(
        self, window: QMainWindow, splitters: dict[str, QSplitter], panels: dict[str, QWidget]
    ) -> None:
        """splitters, panels: by the names they are remembered under."""
        self._settings.setValue("window/geometry", window.saveGeometry())
        for name, splitter in splitters.items():
            self._settings.setValue(f"splitters/{name}", splitter.saveState())
        for name, panel in panels.items():
            # isHidden, not isVisible: at closing time the window itself may be gone already.
            self._settings.setValue(f"panels/{name}", not panel.isHidden())

    def restore_geometry(self, window: QMainWindow) -> None:
        """Put the window where it was saved; otherwise it stays where it is."""
        geometry = self._settings.value("window/geometry")
        if isinstance(geometry, QByteArray):
            window.restoreGeometry(geometry)

    def restore_panels(self, splitters: dict[str, QSplitter], panels: dict[str, QWidget]) -> None:
        """Make what is in the window as it was saved; what was not stays as it is."""
        for name, splitter in splitters.items():
            state = self._settings.value(f"splitters/{name}")
            if isinstance(state, QByteArray):
                splitter.restoreState(state)
        for name, panel in panels.items():
            panel.setVisible(bool(self._settings.value(f"panels/{name}", True, bool)))

    @property
    def trace_height(self) -> int:
        """How tall the reasoning was when it was last open, 0 if that is not known."""
        height = self._settings.value("trace/height", 0, int)
        return max(0, height) if isinstance(height, int) else 0

    @trace_height.setter
    def trace_height(self, height: int) -> None:
        self._settings.setValue("trace/height", height)

    @property
    def active_place(self) -> Place:
        """Where the person worked last."""
        from desktop.core.library.places import Place

        return Place.named(self.text("site/name"), self.text("site/asset"))

    @active_place.setter
    def active_place(self, place: Place) -> None:
        self._settings.setValue("site/name", place.site)
        self._settings.setValue("site/asset", place.asset)

    @property
    def folded_places(self) -> frozenset[tuple[str, str]]:
        """The headings of the library that are folded, by `Place.key`."""
        try:
            return frozenset((str(site), str(asset)) for site, asset in self._list("site/folded"))
        except (TypeError, ValueError):
            return frozenset()

    @folded_places.setter
    def folded_places(self, keys: Iterable[tuple[str, str]]) -> None:
        self._settings.setValue("site/folded", json.dumps(sorted(keys)))

    @property
    def told_proposals(self) -> frozenset[str]:
        """The proposed domains that a person was told about."""
        return frozenset(map(str, self._list("domains/told")))

    @told_proposals.setter
    def told_proposals(self, names: Iterable[str]) -> None:
        self._settings.setValue("domains/told", json.dumps(sorted(names)))

    @property
    def used_actions(self) -> list[str]:
        """The actions that were chosen in the palette, each once, the latest first."""
        return [str(each) for each in self._list("palette/actions")]

    @used_actions.setter
    def used_actions(self, titles: Iterable[str]) -> None:
        kept = list(dict.fromkeys(titles))[:_ACTIONS_KEPT]
        self._settings.setValue("palette/actions", json.dumps(kept))

    def write(self) -> None:
        """Write everything to disk now."""
        self._settings.sync()

    def keep(self, key: str, text: str) -> None:
        self._settings.setValue(key, text)

    def text(self, key: str) -> str:
        """Return a stored value as text, "" if there is none."""
        return str(self._settings.value(key, ""))

    def _list(self, key: str) -> list[Any]:
        """Return a list that was kept as JSON: QSettings makes a text of a list of one."""
        try:
            value = json.loads(self.text(key) or "[]")
        except ValueError:
            return []
        return value if isinstance(value, list) else []
