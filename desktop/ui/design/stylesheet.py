"""The application's stylesheet: restrained, only what a palette cannot say.

Widgets opt in through dynamic properties: `role="panel"`, `kind="primary" | "flat"`,
`tone="muted" | "bad" | "attention"`. Everything else keeps the platform's own look.
"""

from __future__ import annotations

import sys

from desktop.resources import resource
from desktop.ui.design.tokens import LIGHT, Colours, Signal, Size, Space


def stylesheet(c: Colours) -> str:
    parts = [_surfaces(c), _buttons(c), _fields(c), _lists(c), _tabs(c)]
    for level, signal in (("DANGER", c.danger), ("WARNING", c.warning), ("CAUTION", c.caution)):
        parts.append(_safety(level, signal))
    if sys.platform != "darwin":  # macOS has good ones of its own
        parts += [_scroll_bars(c), _choices(c), _menus(c)]
    return "\n".join(parts)


def _surfaces(c: Colours) -> str:
    return f"""
QWidget[role="panel"] {{ background: {c.surface}; }}
QWidget[role="drawer"] {{ background: {c.surface}; border-left: 1px solid {c.border}; }}
QWidget[role="header"] {{ background: {c.surface}; border-bottom: 1px solid {c.border}; }}
QWidget[role="footer"] {{ background: {c.surface}; border-top: 1px solid {c.border}; }}
QLabel[role="note"] {{ background: {c.raised}; border-bottom: 1px solid {c.border}; }}
QWidget[role="notice"] {{ background: {c.raised}; border: 1px solid {c.border};
    border-radius: {Size.RADIUS}px; }}
QWidget[role="error"] {{ background: {c.bad_wash}; border: 1px solid {c.bad};
    border-radius: {Size.RADIUS}px; }}
QLabel[tone="muted"] {{ color: {c.muted}; }}
QLabel[tone="bad"] {{ color: {c.bad}; }}
QLabel[tone="good"] {{ color: {c.good}; }}
QLabel[tone="attention"] {{ color: {c.attention}; }}
QFrame[role="card"] {{ background: {c.surface}; border: 1px solid {c.border};
    border-radius: {Size.RADIUS}px; }}
QFrame[role="quoted"] {{ background: {c.surface}; border: 1px solid {c.border};
    border-radius: {Size.CARD_RADIUS}px; }}
QFrame[role="site_note"] {{ background: {c.site_wash}; border: 0;
    border-left: 4px solid {c.site}; border-radius: {Size.RADIUS}px; }}
QLabel[role="cell"] {{ padding: {Space.XS}px {Space.S}px {Space.XS}px 0; }}
QLabel[role="asked"] {{ background: {c.accent_wash}; color: {c.text}; font-weight: 600;
    border-radius: {Space.XS}px; padding: {Space.XS}px; }}
QLabel[role="asked"][long="true"] {{ font-weight: 400; }}
QFrame[role="row"] {{ border: 0; border-top: 1px solid {c.border}; }}
QFrame[role="row"][first="true"] {{ border-top: 0; }}
QFrame[role="choice"] {{ border: 1px solid transparent; border-radius: {Size.RADIUS}px; }}
QFrame[role="choice"]:hover {{ background: {c.hover}; }}
QFrame[role="choice"][chosen="true"] {{ background: {c.accent_wash}; }}
QFrame[role="line"] {{ background: {c.border}; border: 0; }}
QLabel[role="quote"] {{ border-left: 3px solid {c.border}; padding-left: {Space.S}px; }}
QSplitter::handle {{ background: {c.border}; }}
QSplitter::handle:hover {{ background: {c.accent}; }}
QStatusBar {{ background: {c.window}; border-top: 1px solid {c.border}; }}
QStatusBar::item {{ border: 0; }}
QToolTip {{ color: {c.text}; background: {c.surface}; border: 1px solid {c.border_strong};
    padding: {Space.XS}px {Space.S}px; }}
"""


def _safety(level: str, signal: Signal) -> str:
    block = f'QFrame[level="{level}"]'
    band = f'{block} QFrame[role="band"]'
    return f"""
{block} {{ background: {signal.wash}; border: 1px solid {signal.band};
    border-radius: {Size.RADIUS}px; }}
{band} {{ background: {signal.band}; border: 0; }}
{band} QLabel {{ color: {signal.ink}; }}
{band} QPushButton {{ background: transparent; color: {signal.ink};
    border: 1px solid {signal.ink}; min-height: {Size.ROW - 2}px; }}
{band} QPushButton:focus {{ border: 3px solid {signal.ink}; }}
"""


def _buttons(c: Colours) -> str:
    step = Size.GLOVE if Size.TARGET == Size.GLOVE else 28
    return f"""
QPushButton[kind="primary"] {{ background: {c.accent}; color: {c.accent_ink};
    border: 1px solid {c.accent}; border-radius: {Size.RADIUS}px; padding: 0 {Space.L}px;
    font-weight: 500; min-height: {Size.TARGET - 2}px; }}
QPushButton[kind="primary"]:hover {{ border-color: {c.text}; }}
QPushButton[kind="primary"]:disabled {{ background: {c.hover}; color: {c.disabled};
    border-color: {c.border}; }}
QPushButton[kind="plain"] {{ background: {c.surface}; color: {c.text};
    border: 1px solid {c.border_strong}; border-radius: {Size.RADIUS}px;
    padding: 0 {Space.M}px; min-height: {Size.TARGET - 2}px; }}
QPushButton[kind="plain"]:hover {{ background: {c.hover}; }}
QToolButton[kind="flat"] {{ background: transparent; color: {c.text};
    border: 1px solid transparent; border-radius: {Size.RADIUS}px;
    padding: 0 {Space.S}px; min-width: {Size.TARGET - 18}px; min-height: {Size.TARGET - 2}px; }}
QStatusBar QToolButton[kind="flat"], QWidget[role="bar"] QToolButton[kind="flat"] {{
    min-width: {Size.ROW - 10}px; min-height: {Size.ROW - 2}px; padding: 0 {Space.XS}px; }}
QToolButton[kind="flat"][tall="true"] {{ padding: 0 {Space.XS}px;
    margin: {(Size.BAR - Size.CONTROL) // 2}px 0; min-height: {Size.CONTROL - 4}px;
    min-width: {Size.ROW - 10}px; }}
QToolButton[kind="flat"]:hover {{ background: {c.hover}; }}
QToolButton[kind="flat"]:pressed, QToolButton[kind="flat"]:checked,
QToolButton[kind="flat"][chosen="true"] {{
    background: {c.accent_wash}; }}
QToolButton[kind="flat"][tone="attention"] {{ color: {c.attention}; }}
QToolButton[kind="flat"]::menu-indicator {{ image: none; }}
QPushButton[kind="choice"] {{ background: {c.surface}; color: {c.text}; text-align: left;
    border: 1px solid {c.border_strong}; border-radius: {Size.RADIUS}px;
    padding: 0 {Space.XL}px 0 {Space.S}px; min-height: {Size.TARGET - 2}px; }}
QPushButton[kind="choice"]:hover {{ background: {c.hover}; }}
QPushButton[kind="choice"]::menu-indicator {{ subcontrol-position: center right;
    right: {Space.S}px; }}
QPushButton[kind="row"] {{ background: transparent; color: {c.accent};
    font-weight: 500; text-align: left;
    border: 1px solid transparent; border-radius: {Size.RADIUS}px;
    padding: {Space.XS}px {Space.S}px; min-height: {Size.TARGET - 2}px; }}
QPushButton[kind="row"][dense="true"] {{ padding: 0 {Space.S}px;
    min-height: {Size.ROW - 2}px; }}
QPushButton[kind="drop"] {{ background: transparent; border: 1px dashed {c.muted};
    border-radius: {Size.CARD_RADIUS}px; }}
QPushButton[kind="drop"]:hover {{ background: {c.accent_wash}; border-color: {c.accent}; }}
QPushButton[kind="line"] {{ background: transparent; color: {c.muted}; text-align: left;
    border: 2px solid transparent; border-radius: {Size.RADIUS}px; padding: 0 {Space.XS}px; }}
QPushButton[kind="line"]:hover {{ background: {c.hover}; color: {c.text}; }}
QPushButton[kind="step"] {{ background: {c.accent_wash}; color: {c.accent}; font-weight: 600;
    border: 2px solid {c.accent_wash}; border-radius: {step // 2}px; padding: 0;
    min-width: {step - 4}px; max-width: {step - 4}px; min-height: {step - 4}px;
    max-height: {step - 4}px; }}
QPushButton[kind="step"][bullet="true"] {{ background: transparent;
    border-color: transparent; }}
QPushButton[kind="step"]:hover {{ background: {c.accent}; color: {c.accent_ink}; }}
QPushButton[kind="column"] {{ background: {c.surface}; color: {c.text}; text-align: left;
    border: 0; border-top: 1px solid {c.border}; padding: 0 {Space.INSET}px;
    min-height: {Size.TARGET}px; }}
QPushButton[kind="column"]:hover {{ background: {c.hover}; }}
QPushButton[kind="row"]:hover {{ background: {c.hover}; }}
QToolButton[kind="note"]::menu-indicator {{ image: none; }}
QToolButton[kind="note"] {{ background: {LIGHT.site}; color: {LIGHT.surface};
    border: 1px solid {LIGHT.surface}; border-radius: {Size.RADIUS}px; font-weight: 600; }}
QToolButton[kind="note"]:hover {{ background: {LIGHT.text}; }}
QPushButton[kind]:disabled {{ color: {c.disabled}; border-color: {c.border}; }}
QPushButton[kind="row"]:disabled, QPushButton[kind="line"]:disabled {{
    border-color: transparent; }}
QPushButton[kind]:focus, QToolButton[kind]:focus {{ border: 2px solid {c.accent}; }}
QToolButton[kind="note"]:focus {{ border: 3px solid {LIGHT.text}; }}
QPushButton[kind="primary"]:focus {{ border: 2px solid {c.text}; }}
"""


def _fields(c: Colours) -> str:
    # Fusion's own bar is bright green, its boxes and radio buttons vanish in dark mode.
    tick = _drawn("check", "black" if c.dark else "white")
    return f"""
QCheckBox {{ spacing: {Space.S}px; border: 2px solid transparent;
    border-radius: {Size.RADIUS}px; }}
QCheckBox:focus {{ border-color: {c.accent}; }}
QCheckBox::indicator {{ width: 16px; height: 16px; border-radius: 4px;
    border: 1px solid {c.muted}; background: {c.surface}; }}
QCheckBox::indicator:checked {{ border-color: {c.accent}; background: {c.accent};
    image: url("{tick}"); }}
QCheckBox::indicator:disabled {{ border-color: {c.disabled}; }}
QProgressBar[kind="thin"] {{ background: {c.trough}; border: 0; border-radius: 3px; }}
QProgressBar[kind="thin"]::chunk {{ background: {c.accent}; border-radius: 3px; }}
QProgressBar[kind="thin"][tone="attention"]::chunk {{ background: {c.attention}; }}
QRadioButton[kind="choice"] {{ border: 2px solid transparent; border-radius: {Size.RADIUS}px;
    spacing: {Space.S}px; padding-right: {Space.S}px; }}
QRadioButton[kind="choice"]:focus {{ border-color: {c.accent}; }}
QRadioButton[kind="choice"]::indicator {{ width: 14px; height: 14px; border-radius: 8px;
    border: 1px solid {c.muted}; background: {c.surface}; }}
QRadioButton[kind="choice"]::indicator:checked {{ border-color: {c.accent};
    background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5,
    stop: 0 {c.accent}, stop: 0.55 {c.accent}, stop: 0.65 {c.surface}); }}
QLineEdit[kind="field"], QPlainTextEdit[kind="field"] {{ background: {c.surface};
    color: {c.text}; border: 1px solid {c.border_strong}; border-radius: {Size.RADIUS}px;
    padding: {Space.XS}px {Space.S}px; selection-background-color: {c.accent};
    selection-color: {c.accent_ink}; placeholder-text-color: {c.muted}; }}
QLineEdit[kind="field"] {{ min-height: {Size.TARGET - 10}px; }}
QWidget[role="bar"] QLineEdit[kind="field"] {{ min-height: {Size.ROW - 10}px; }}
QLineEdit[kind="field"]:focus, QPlainTextEdit[kind="field"]:focus {{
    border: 2px solid {c.accent}; }}
"""


def _choices(c: Colours) -> str:
    """Combo boxes and number fields: Fusion's have no border in dark mode, and tiny arrows."""
    ink = "white" if c.dark else "black"
    boxes, buttons = "QComboBox, QAbstractSpinBox", ("up", "down")
    return f"""
{boxes} {{ background: {c.surface}; color: {c.text}; border: 1px solid {c.border_strong};
    border-radius: {Size.RADIUS}px; padding: 0 {Space.S}px; min-height: {Size.TARGET - 2}px;
    selection-background-color: {c.accent}; selection-color: {c.accent_ink}; }}
QComboBox:hover {{ background: {c.hover}; }}
QComboBox:focus, QAbstractSpinBox:focus {{ border: 2px solid {c.accent}; }}
QComboBox:disabled, QAbstractSpinBox:disabled {{ color: {c.disabled};
    border-color: {c.border}; }}
QComboBox::drop-down {{ border: 0; width: {Size.TARGET - 4}px; }}
QComboBox::down-arrow {{ image: url("{_drawn("chevron-down", ink)}"); width: {Size.ICON}px;
    height: {Size.ICON}px; }}
QPushButton::menu-indicator {{ image: url("{_drawn("chevron-down", ink)}");
    width: 16px; height: 16px; }}
QComboBox QAbstractItemView {{ background: {c.surface}; color: {c.text};
    border: 1px solid {c.border_strong}; outline: 0; padding: {Space.XS}px;
    selection-background-color: {c.accent_wash}; selection-color: {c.text}; }}
QComboBox QAbstractItemView::item {{ min-height: {Size.TARGET - Space.XS}px;
    padding: 0 {Space.XS}px; }}
QAbstractSpinBox {{ padding-right: {2 * Size.TARGET}px; min-height: {Size.TARGET - 4}px; }}
""" + "\n".join(
        f"""
QAbstractSpinBox::{button}-button {{ subcontrol-origin: border;
    subcontrol-position: center right; right: {1 + place * (Size.TARGET - 2)}px;
    width: {Size.TARGET - 3}px; height: {Size.TARGET - 4}px; background: transparent;
    border: 0; border-left: 1px solid {c.border}; }}
QAbstractSpinBox::{button}-button:hover {{ background: {c.hover}; }}
QAbstractSpinBox::{button}-button:pressed {{ background: {c.accent_wash}; }}
QAbstractSpinBox::{button}-arrow {{ image: url("{_drawn(name, ink)}"); width: 14px; height: 14px; }}
QAbstractSpinBox::{button}-arrow:off {{ image: none; }}
"""
        for place, (button, name) in enumerate(zip(buttons, ("plus", "minus"), strict=True))
    )


def _drawn(name: str, ink: str) -> str:
    """Return where the black or white icon is: Qt's style sheets cannot tint one."""
    return resource("icons", f"{name}-{ink}.svg").as_posix()


def _lists(c: Colours) -> str:
    return f"""
QListView[kind="flat"], QTreeView[kind="flat"] {{ background: {c.surface}; border: 0;
    outline: 0; }}
QTreeView[kind="flat"]::item {{ min-height: 26px; padding-right: {Space.S}px; }}
QTreeView[kind="flat"]::item:hover {{ background: {c.hover}; }}
QTreeView[kind="flat"]::item:selected {{ background: {c.accent_wash}; color: {c.text}; }}
QListWidget[kind="rows"] {{ background: {c.surface}; border: 1px solid {c.border_strong};
    border-radius: {Size.RADIUS}px; outline: 0; }}
QListWidget[kind="rows"]:focus {{ border: 2px solid {c.accent}; }}
QListWidget[kind="rows"]::item {{ padding: {Space.S}px; }}
QListWidget[kind="rows"]::item:selected {{ background: {c.accent_wash}; color: {c.text}; }}
QListWidget[kind="areas"] {{ background: {c.surface}; border: 0; outline: 0;
    padding: 0 {Space.S}px; }}
QListWidget[kind="areas"]::item {{ padding-left: {Space.S}px;
    border: 2px solid transparent; border-radius: {Size.RADIUS}px; }}
QListWidget[kind="areas"]::item:hover {{ background: {c.hover}; }}
QListWidget[kind="areas"]::item:selected {{ background: {c.accent_wash}; color: {c.text}; }}
QListWidget[kind="areas"]:focus::item:selected {{ border-color: {c.accent}; }}
QScrollArea {{ border: 0; background: transparent; }}
QTextBrowser[kind="answer"] {{ background: transparent; border: 0; color: {c.text}; }}
"""


def _tabs(c: Colours) -> str:
    return f"""
QTabBar::tab {{ background: transparent; color: {c.muted}; border: 0;
    border-bottom: 2px solid transparent; padding: 0 {Space.XS}px 0 {Space.M}px; }}
QTabBar::tear {{ image: none; width: 0; }}
QTabBar::scroller {{ width: {2 * Size.ROW}px; }}
QTabBar QToolButton {{ background: {c.surface}; border: 0; }}
QTabBar::tab:hover {{ background: {c.hover}; }}
QTabBar::tab:selected {{ background: {c.surface}; color: {c.text};
    border-bottom: 2px solid {c.accent}; }}
"""


def _menus(c: Colours) -> str:
    tick = _drawn("check", "white" if c.dark else "black")
    return f"""
QMenuBar {{ background: {c.window}; color: {c.text}; border-bottom: 1px solid {c.border}; }}
QMenuBar::item {{ background: transparent; padding: {Space.XS}px {Space.S}px;
    border-radius: {Size.RADIUS}px; }}
QMenuBar::item:selected {{ background: {c.hover}; }}
QMenu {{ background: {c.surface}; color: {c.text}; border: 1px solid {c.border_strong};
    padding: {Space.XS}px; }}
QMenu[round="true"] {{ background: transparent; border: 0; }}
QMenu::item {{ padding: {(Size.TARGET - 20) // 2}px {Space.XL}px {(Size.TARGET - 20) // 2}px
    {Space.M}px; border-radius: {Size.RADIUS}px; }}
QMenu::item:selected {{ background: {c.accent_wash}; color: {c.text}; }}
QMenu::item:disabled {{ color: {c.disabled}; background: transparent; }}
QMenu::separator {{ height: 1px; background: {c.border}; margin: {Space.XS}px {Space.S}px; }}
QMenu::icon {{ padding-left: {Space.S}px; }}
QMenu::indicator {{ width: 16px; height: 16px; margin-left: {Space.S}px; }}
QMenu::indicator:checked {{ image: url("{tick}"); }}
"""


def _scroll_bars(c: Colours) -> str:
    return f"""
QScrollBar {{ background: transparent; border: 0; margin: 0; }}
QScrollBar:vertical {{ width: {Size.SCROLL_BAR}px; }}
QScrollBar:horizontal {{ height: {Size.SCROLL_BAR}px; }}
QScrollBar::handle {{ background: {c.border_strong}; border-radius: 3px; margin: 3px; }}
QScrollBar::handle:vertical {{ min-height: 32px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; }}
QScrollBar::handle:hover {{ background: {c.muted}; }}
QScrollBar::handle:disabled {{ background: transparent; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""
