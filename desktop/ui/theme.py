"""The look of the application: one theme that follows the system's light or dark scheme."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from desktop.ui.stylesheet import stylesheet
from desktop.ui.tokens import DARK, LIGHT, Colours

Scheme = Qt.ColorScheme
SCHEMES = {"system": Scheme.Unknown, "light": Scheme.Light, "dark": Scheme.Dark}
"""The names under which a person's choice is remembered."""


class Theme(QObject):
    """Applies the tokens to an application; `changed` fires after every change of scheme."""

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._forced: Scheme | None = None
        self.colours = LIGHT
        app.styleHints().colorSchemeChanged.connect(self._follow_system)

    def use(self, scheme: Scheme | None) -> None:
        """Force light or dark; None follows the system, live."""
        self._forced = None if scheme == Scheme.Unknown else scheme
        # Native dialogs, menus and title bars follow the style hints, not our palette.
        QGuiApplication.styleHints().setColorScheme(self._forced or Scheme.Unknown)
        self._apply()

    def _follow_system(self) -> None:
        if self._forced is None:
            self._apply()

    def _apply(self) -> None:
        scheme = self._forced or self._app.styleHints().colorScheme()
        self.colours = DARK if scheme == Scheme.Dark else LIGHT
        self._app.setPalette(_palette(self.colours))
        self._app.setStyleSheet(stylesheet(self.colours))
        self.changed.emit()


def apply_theme(app: QApplication, scheme: Scheme | None = None) -> Theme:
    """Give `app` the theme (once; later calls only change the scheme) and return it."""
    current = app.property("groundworkTheme")
    if not isinstance(current, Theme):
        # macOS keeps its native style; elsewhere Fusion is the one that obeys palettes.
        if sys.platform != "darwin":
            app.setStyle("Fusion")
        current = Theme(app)
        app.setProperty("groundworkTheme", current)
    current.use(scheme)
    return current


def theme() -> Theme:
    """Return the application's theme, made on first use."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError("the theme needs a QApplication")
    current = app.property("groundworkTheme")
    return current if isinstance(current, Theme) else apply_theme(app)


def colours() -> Colours:
    """Return the colours of the scheme that is shown now."""
    return theme().colours


def scaled_font(factor: float, *, bold: bool = False) -> QFont:
    """Return the application's font at a size of `tokens.Type`."""
    font = QFont(QApplication.font())
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * factor)
    else:
        font.setPixelSize(round(font.pixelSize() * factor))
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font


def _palette(c: Colours) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    for which, value in (
        (role.Window, c.window),
        (role.WindowText, c.text),
        (role.Base, c.surface),
        (role.AlternateBase, c.raised),
        (role.Text, c.text),
        (role.Button, c.raised),
        (role.ButtonText, c.text),
        (role.BrightText, c.bad),
        (role.ToolTipBase, c.raised),
        (role.ToolTipText, c.text),
        (role.PlaceholderText, c.muted),
        (role.Highlight, c.accent),
        (role.HighlightedText, c.accent_ink),
        (role.Link, c.accent),
        (role.LinkVisited, c.accent),
        (role.Light, c.raised),
        (role.Midlight, c.hover),
        (role.Mid, c.border),
        (role.Dark, c.border_strong),
        (role.Shadow, c.border_strong),
        (role.Accent, c.accent),
    ):
        palette.setColor(which, QColor(value))
    for which in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(c.border_strong))
    return palette
