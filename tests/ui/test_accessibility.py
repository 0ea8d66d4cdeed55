"""Every page of the window at once: names for VoiceOver, and the keyboard reaches everything."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTextEdit,
    QWidget,
)

from tests.ui.fake_workspace import FakeViewer, fake_workspace

INTERACTIVE = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
)
STEPS = 3_000


@pytest.fixture
def everything(window, qtbot, tmp_path):
    """The window with the first page, the settings, the models and what Groundwork knows."""
    window.open_workspace(fake_workspace(tmp_path))
    qtbot.waitUntil(lambda: window.findChild(FakeViewer) is not None)
    window.settings.show_page()
    window.models.show_page()
    qtbot.waitUntil(lambda: window.domains._known is not None)
    window.domains.show_page()
    window.notes.show_page()
    window.show_about()
    window.show_shortcuts()
    qtbot.wait(50)
    return window


def interactive(window: QWidget) -> list[QWidget]:
    found = [each for each in window.findChildren(QWidget) if isinstance(each, INTERACTIVE)]
    return [each for each in found if not _part_of_another(each)]


def _part_of_another(widget: QWidget) -> bool:
    """Scroll bars, and what Qt itself makes a spin box, a combo box, a header of."""
    parent = widget.parentWidget()
    inside = isinstance(parent, QAbstractSpinBox | QComboBox | QLineEdit | QAbstractItemView)
    of_qt = widget.objectName().startswith("qt_") or isinstance(widget, QScrollBar)
    popup = any(isinstance(each, QComboBox) for each in _ancestors(widget))
    return inside or of_qt or popup


def _ancestors(widget: QWidget) -> list[QWidget]:
    found = []
    parent = widget.parentWidget()
    while parent is not None:
        found.append(parent)
        parent = parent.parentWidget()
    return found


def described(widget: QWidget) -> str:
    path = [type(each).__name__ for each in (widget, *_ancestors(widget)[:3])]
    return f"{'.'.join(reversed(path))} {widget.accessibleName()!r}"


def test_every_control_of_every_page_has_an_accessible_name(everything):
    assert len(everything.findChildren(QDialog)) >= 6
    controls = interactive(everything)
    assert len(controls) > 150
    # a button's text is its name; everything else needs one of its own
    nameless = [
        described(each)
        for each in controls
        if not each.accessibleName()
        and not (isinstance(each, QAbstractButton) and each.text().strip())
    ]
    assert nameless == []


def test_tab_reaches_every_control_that_can_be_seen(everything):
    missed = []
    for top in (everything, *everything.findChildren(QDialog)):
        if not top.isVisible():
            continue
        reached: set[QWidget] = set()
        widget: QWidget | None = top
        for _ in range(STEPS):
            widget = widget.nextInFocusChain() if widget is not None else None
            if widget is None or widget is top:
                break
            reached.add(widget)
        for each in interactive(top):
            if each.window() is not top or not each.isVisibleTo(top) or not each.isEnabled():
                continue
            focus = each.focusProxy() or each
            tabbed = focus.focusPolicy() & Qt.FocusPolicy.TabFocus
            if focus not in reached or not tabbed:
                missed.append(described(each))
    assert missed == []


def test_every_key_of_the_window_is_on_the_sheet(everything):
    sheet = {keys for _, combined in everything._menus.every_shortcut() for keys in [combined]}
    listed = {part for keys in sheet for part in keys.split(", ")}
    native = QAction().shortcut().SequenceFormat.NativeText
    missing = [
        (action.text(), keys.toString(native))
        for action in everything.menuBar().findChildren(QAction)
        for keys in action.shortcuts()
        if not keys.isEmpty() and keys.toString(native) not in listed
    ]
    assert missing == []
    assert listed >= {"F1", "Ctrl+,"}
    for shortcut in everything.findChildren(
        QShortcut, options=Qt.FindChildOption.FindDirectChildrenOnly
    ):
        assert shortcut.key().toString(native) in listed
