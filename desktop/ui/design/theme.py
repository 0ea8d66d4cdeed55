"""The look of the application, which follows the system's scheme; how parts of it appear."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QWidget,
)

from desktop.resources import resource
from desktop.ui.design.stylesheet import stylesheet
from desktop.ui.design.tokens import LIGHT, Colours, Paper, Size, Type, colours_for

Scheme = Qt.ColorScheme
HIGH = Qt.ContrastPreference.HighContrast
EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
)
SCHEMES = {"system": Scheme.Unknown, "light": Scheme.Light, "dark": Scheme.Dark}
"""The names under which a person's choice is remembered."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a person has chosen; None for high contrast follows the system.

    text: a factor on the interface's size. still: nothing moves that need not. gloves: controls
    of 44 pixels. dim_pages: white paper is darkened where the window is dark.
    """

    scheme: Scheme = Scheme.Unknown
    high_contrast: bool | None = None
    text: float = 1.0
    still: bool = False
    gloves: bool = False
    dim_pages: bool = True


class Theme(QObject):
    """Applies the tokens to an application; `changed` fires after every change of the look."""

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._font = _interface_font(app.font())
        app.setFont(self._font)
        self.look = Look()
        self._dressed = False
        self.colours = LIGHT
        app.styleHints().colorSchemeChanged.connect(self._follow_system)
        app.styleHints().accessibility().contrastPreferenceChanged.connect(
            lambda _preference: self._apply()
        )

    def use(self, scheme: Scheme | None) -> None:
        """Force light or dark; None follows the system, live."""
        self.wear(replace(self.look, scheme=scheme or Scheme.Unknown))

    def wear(self, look: Look) -> None:
        """Show everything in this look from now on."""
        factor = look.text / self.look.text
        restyle = look.dim_pages != self.look.dim_pages
        self.look = look
        before = Size.TARGET
        if Size.wear_gloves(look.gloves):
            _resize_controls(before, Size.TARGET)
            restyle = True
        # Native dialogs, menus and title bars follow the style hints, not our palette.
        QGuiApplication.styleHints().setColorScheme(look.scheme)
        for effect in EFFECTS:
            QApplication.setEffectEnabled(effect, not look.still)
        self._apply(factor, restyle=restyle)

    def _follow_system(self) -> None:
        if self.look.scheme == Scheme.Unknown:
            self._apply()

    def _apply(self, factor: float = 1.0, *, restyle: bool = False) -> None:
        """factor: of the text that is shown already. Does nothing when nothing would change."""
        hints = self._app.styleHints()
        scheme = self.look.scheme
        if scheme == Scheme.Unknown:
            scheme = hints.colorScheme()
        contrast = self.look.high_contrast
        if contrast is None:
            contrast = hints.accessibility().contrastPreference() == HIGH
        worn = colours_for(dark=scheme == Scheme.Dark, contrast=contrast)
        if self._dressed and not restyle and factor == 1.0 and worn == self.colours:
            return
        self._dressed, self.colours = True, worn
        # Taking a new style sheet puts back whatever fonts the old one found.
        own = [
            (widget, _times(widget.font(), factor))
            for widget in QApplication.allWidgets()
            if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)
        ]
        self._app.setPalette(_palette(self.colours))
        if factor != 1.0:
            self._app.setFont(_times(self._font, self.look.text))
        self._app.setStyleSheet(stylesheet(self.colours))
        for widget, font in own:
            widget.setFont(font)
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


def dim_paper(painter: QPainter, area: QRectF) -> None:
    """Darken a picture of paper in a dark window, unless a person wants it white or contrast."""
    if theme().look.dim_pages and colours().dark and not colours().contrast:
        painter.fillRect(area, QColor(0, 0, 0, round(255 * Paper.DIMMED)))


def scaled_font(factor: float, *, bold: bool = False) -> QFont:
    """Return the application's font at a size of `tokens.Type`."""
    font = _times(QApplication.font(), factor)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font


def _interface_font(system: QFont) -> QFont:
    """Return San Francisco on a Mac and Inter elsewhere, with figures all of one width.

    In points, so that a system that scales its text scales ours.
    """
    font = QFont(system)
    if sys.platform != "darwin":
        for weight in ("Regular", "Medium", "SemiBold"):
            QFontDatabase.addApplicationFont(str(resource("fonts", f"Inter-{weight}.otf")))
        font.setFamilies(["Inter", *system.families()])
        font.setPointSizeF(Type.INTERFACE_PX * 0.75)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def _resize_controls(before: int, now: int) -> None:
    """Give existing controls the height that new ones have from now on."""
    for widget in QApplication.allWidgets():
        if not isinstance(widget, (QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox)):
            continue  # a bar may be as high as a glove's control, and stays so
        least, most = widget.minimumSize(), widget.maximumSize()
        for set_side, side in (
            (QWidget.setMinimumHeight, least.height()),
            (QWidget.setMinimumWidth, least.width()),
            (QWidget.setMaximumHeight, most.height()),
            (QWidget.setMaximumWidth, most.width()),
        ):
            if side == before:
                set_side(widget, now)


def _times(font: QFont, factor: float) -> QFont:
    font = QFont(font)
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * factor)
    else:
        font.setPixelSize(round(font.pixelSize() * factor))
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
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(c.disabled))
    return palette


def moving() -> bool:
    """Whether things may pulse, glide and fade."""
    return not theme().look.still


def milliseconds(duration: int) -> int:
    """Return how long an animation takes: no time at all where motion is reduced."""
    return duration if moving() else 0


FADE_MS = 180


class Fade(QWidget):
    """Lies over a widget in the colour of the panel, and thins out until it is gone."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self._strength = 1.0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(over.rect())
        over.installEventFilter(self)
        self._thinning = QVariantAnimation(self)
        self._thinning.setDuration(milliseconds(FADE_MS))
        self._thinning.setStartValue(1.0)
        self._thinning.setEndValue(0.0)
        self._thinning.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._thinning.valueChanged.connect(self._thin)
        self._thinning.finished.connect(self.deleteLater)
        self._thinning.start()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._over.rect())
            self.raise_()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setOpacity(self._strength)
            painter.fillRect(self.rect(), QColor(colours().surface))

    def _thin(self, strength: float) -> None:
        self._strength = strength
        self.update()


def fade_in(widget: QWidget) -> None:
    """Let a widget appear softly; at once with reduced motion."""
    if moving():
        Fade(widget)
