"""What a person can do with the settings: open their window, change and keep them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, Signal
from PySide6.QtWidgets import QApplication, QWidget

from desktop.core.settings.file import (
    LEAST_TEXT_PERCENT,
    MOST_TEXT_PERCENT,
    Appearance,
    peek_appearance,
    settings_file,
)
from desktop.ui.bridge import WindowPart
from desktop.ui.design.dialogs import notices_of
from desktop.ui.design.theme import SCHEMES, Look, apply_theme, theme
from desktop.ui.language import language_in_force, speak, tr
from desktop.ui.settings import words

if TYPE_CHECKING:
    from desktop.core.settings.sections import Settings, WindowSettings
    from desktop.core.workspace import Workspace
    from desktop.models.overview import ProfileStatus
    from desktop.ui.design.notices import NoticeStrip
    from desktop.ui.settings.page import SettingsPage


TEXT_STEP = 10
NOTICE_MS = 12_000
AUTOMATIC = "auto"
LANGUAGE = ("window", "language")
CONTRAST = {"system": None, "on": True, "off": False}


def look_of(window: Appearance | WindowSettings) -> Look:
    """Return what the theme is told."""
    return Look(
        scheme=SCHEMES[window.scheme],
        high_contrast=CONTRAST[window.high_contrast],
        text=window.text_percent / 100,
        still=window.reduced_motion,
        gloves=window.glove_mode,
        dim_pages=window.dim_pages,
    )


def dress(application: QApplication, window: Appearance | WindowSettings) -> None:
    """Apply the chosen look and language, before the first widget is made."""
    speak(application, language_in_force(window.language))
    apply_theme(application).wear(look_of(window))


class SettingsController(WindowPart):
    """Owns the settings window, but no value: those of the open library are shared.

    changed(path): a setting has another value now. language_wanted(): another language
    was chosen; whoever owns the window makes it anew in that language.
    """

    changed = Signal(object)
    language_wanted = Signal()

    def __init__(self, window: QWidget, notices: NoticeStrip) -> None:
        """notices: where something is said while the settings are not open."""
        super().__init__(window, self._failed)
        self._window = window
        self._notices = notices
        self.page: SettingsPage | None = None
        self._file = settings_file()
        self._settings: Settings | None = None
        self._worn = look_of(peek_appearance(self._file))

    @property
    def settings(self) -> Settings:
        """The library's; before one is open, those of the file."""
        if self._settings is None:
            # Not above: pydantic takes longer to load than Qt, and nobody asks before the paint.
            from desktop.core.settings.storage import peek_settings

            self._settings = peek_settings(self._file)
        return self._settings

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
        if path[0] == "window":
            self._wear()
        if path == LANGUAGE:
            self.language_wanted.emit()
        if self.page is not None:
            self.page.refresh()
        self.changed.emit(path)
        return ""

    def open_workspace(self, workspace: Workspace) -> None:
        """Change the settings that this workspace works with."""
        super().open_workspace(workspace)
        self._settings = workspace.settings
        if look_of(self.settings.window) != self._worn:  # the file could not be used
            self._wear()

    def use_scheme(self, name: str) -> None:
        self.change(("window", "scheme"), name)

    def toggle_contrast(self) -> None:
        on = self.settings.window.high_contrast == "on"
        self.change(("window", "high_contrast"), "off" if on else "on")

    def toggle_gloves(self) -> None:
        self.change(("window", "glove_mode"), not self.settings.window.glove_mode)

    def scale_text(self, steps: int) -> None:
        """Make the text larger or smaller; 0 goes back to the system's size."""
        now = self.settings.window.text_percent
        wanted = now + steps * TEXT_STEP if steps else 100
        wanted = min(MOST_TEXT_PERCENT, max(LEAST_TEXT_PERCENT, wanted))
        self.change(("window", "text_percent"), wanted)

    def show_page(self, pane: str = "") -> None:
        """Open the settings, or bring them to the front, at a pane."""
        if self.page is None:
            # Not above: some hundred widgets, which nobody waits for at the start.
            from desktop.ui.settings.page import SettingsPage

            self.page = SettingsPage(self, self._window, self._choices())
        self.page.refresh()
        if pane:
            self.page.go_to(pane)
        if not self.page.isVisible():
            self.page.stand_over(self._window)
        self.page.come_up()
        self.page.search.setFocus()

    def say(self, text: str) -> None:
        """Say something where a person looks: in the settings while they are open."""
        notices_of(self.page, self._notices).say(text, milliseconds=NOTICE_MS)

    def show_language(self, geometry: QRect) -> None:
        """Reopen the settings where they were when the language was chosen in them."""
        self.show_page()
        if self.page is not None:
            self.page.setGeometry(geometry)
            self.page.bring(*LANGUAGE)

    def close(self) -> None:
        """Write what was changed and join the thread."""
        if self.page is not None:
            self.page.hide()
        super().close()

    def _choices(self) -> dict[str, list[tuple[str, str]]]:
        if self._workspace is None:
            return {}
        profiles: list[ProfileStatus] = self._workspace.models.profiles()
        named = [(each.id, tr(each.title)) for each in profiles]
        return {"models.profile": [(AUTOMATIC, self.tr("Automatic")), *named]}

    def _wear(self) -> None:
        look = look_of(self.settings.window)
        if look != self._worn:
            self._worn = look
            theme().wear(look)

    def _failed(self, failure: BaseException) -> None:
        notices_of(self.page, self._notices).say_failure(failure)
