"""The settings of the open library: read, changed, written down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop.ui.bridge import Errands
from desktop.ui.settings import words

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.settings.describing import SettingField
    from desktop.core.settings.sections import Settings


class SettingsKeeper(QObject):
    """Owns no value: the settings of the open library are shared with everything that runs.

    changed(path): a value has changed. failed(exception): it could not be written.
    """

    changed = Signal(object)
    failed = Signal(object)

    def __init__(self, file: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = file
        self._settings: Settings | None = None
        self._errands = Errands(self)
        self._errands.failed.connect(self.failed)

    @property
    def settings(self) -> Settings:
        """The library's; before one is open, those of the file."""
        if self._settings is None:
            # Not above: pydantic takes longer to load than Qt, and nobody asks before the paint.
            from desktop.core.settings.storage import peek_settings

            self._settings = peek_settings(self._file)
        return self._settings

    def share(self, settings: Settings) -> None:
        """Change these settings from now on; an opened library works with them."""
        self._settings = settings

    def value(self, path: tuple[str, ...]) -> Any:
        """Return the value in force."""
        value: Any = self.settings
        for name in path:
            value = getattr(value, name)
        return value

    def change(self, path: tuple[str, ...], value: Any) -> str:
        """Apply a value and write it down; return what is wrong with it, "" if nothing."""
        from pydantic import ValidationError

        from desktop.core.settings.storage import save_settings

        section: Any = self.value(path[:-1])
        if getattr(section, path[-1]) == value:
            return ""
        try:
            setattr(section, path[-1], value)
        except ValidationError as error:
            return words.fault(error)
        snapshot = self.settings.model_copy(deep=True)
        self._errands.run(lambda: save_settings(self._file, snapshot))
        self.changed.emit(path)
        return ""

    def reset(self, field: SettingField) -> None:
        """Go back to what a fresh installation uses."""
        self.change(field.path, field.default)

    def close(self) -> None:
        """Write what is to be written and join the thread."""
        self._errands.close()
