"""What the window remembers between starts: an ini file in the library's own folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QSettings

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

FILE_NAME = "window.ini"


class LayoutMemory:
    """Geometry, splitters, hidden panels, scheme, and the page that was open last."""

    def __init__(self, folder: Path) -> None:
        self._settings = QSettings(str(folder / FILE_NAME), QSettings.Format.IniFormat)

    def save_window(
        self, window: QMainWindow, splitters: dict[str, QSplitter], panels: dict[str, QWidget]
    ) -> None:
        self._settings.setValue("window/geometry", window.saveGeometry())
        for name, splitter in splitters.items():
            self._settings.setValue(f"splitters/{name}", splitter.saveState())
        for name, panel in panels.items():
            # isHidden, not isVisible: at closing time the window itself may be gone already.
            self._settings.setValue(f"panels/{name}", not panel.isHidden())

    def restore_window(
        self, window: QMainWindow, splitters: dict[str, QSplitter], panels: dict[str, QWidget]
    ) -> bool:
        """Return whether anything was remembered."""
        geometry = self._bytes("window/geometry")
        if geometry is not None:
            window.restoreGeometry(geometry)
        for name, splitter in splitters.items():
            state = self._bytes(f"splitters/{name}")
            if state is not None:
                splitter.restoreState(state)
        for name, panel in panels.items():
            panel.setVisible(self._flag(f"panels/{name}", True))
        return geometry is not None

    @property
    def place(self) -> tuple[int, int] | None:
        """Document id and zero-based page that was in view."""
        document, page = self._value("place/document"), self._value("place/page")
        try:
            return int(document), max(0, int(page))
        except (TypeError, ValueError):
            return None

    @place.setter
    def place(self, place: tuple[int, int] | None) -> None:
        if place is None:
            self._settings.remove("place")
        else:
            self._settings.setValue("place/document", place[0])
            self._settings.setValue("place/page", place[1])

    @property
    def scheme(self) -> str:
        """system, light or dark."""
        name = str(self._value("window/scheme") or "system")
        return name if name in ("light", "dark") else "system"

    @scheme.setter
    def scheme(self, name: str) -> None:
        self._settings.setValue("window/scheme", name)

    def write(self) -> None:
        """Put everything on the disk now."""
        self._settings.sync()

    def _value(self, key: str) -> Any:
        return self._settings.value(key)

    def _bytes(self, key: str) -> QByteArray | None:
        value = self._value(key)
        return value if isinstance(value, QByteArray) else None

    def _flag(self, key: str, default: bool) -> bool:
        value = self._value(key)
        return default if value is None else str(value).lower() == "true"
