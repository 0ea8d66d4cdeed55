"""How the window was left: its size, its panels, and the page that was in view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.ui.layout_memory import LayoutMemory

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget


class WindowMemory:
    """Puts a window back as it was, once it is known in which folder that is written."""

    def __init__(
        self, window: QMainWindow, splitters: dict[str, QSplitter], panels: dict[str, QWidget]
    ) -> None:
        """splitters, panels: by the names they are remembered under."""
        self._window, self._splitters, self._panels = window, splitters, panels
        self._memory: LayoutMemory | None = None

    @property
    def place(self) -> tuple[int, int] | None:
        """Document id and zero-based page that was in view."""
        return self._memory.place if self._memory is not None else None

    def remember_in(self, folder: Path) -> None:
        """Make the window as it was left in the library of this folder; only the first counts."""
        if self._memory is not None:
            return
        self._memory = LayoutMemory(folder)
        self._memory.restore_window(self._window, self._splitters, self._panels)

    def save(self, place: tuple[int, int] | None) -> None:
        """Write down how the window is now. place: the page in view."""
        if self._memory is not None:
            self._memory.save_window(self._window, self._splitters, self._panels)
            self._memory.place = place
            self._memory.write()
