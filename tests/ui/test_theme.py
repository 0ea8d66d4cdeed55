from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo, QFontMetricsF
from PySide6.QtWidgets import QApplication, QToolButton

from desktop.ui.design import theme as motion
from desktop.ui.design.controls import label, panel_header, push_button
from desktop.ui.design.theme import Look, apply_theme, colours, scaled_font
from desktop.ui.design.tokens import DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Size, Type
from desktop.ui.viewer.toolbar import DocumentTabs


def test_text_that_is_shown_already_grows_and_shrinks_back(theme, qtbot):
    title, button = label("Title", factor=Type.TITLE), push_button("Press", kind="primary")
    for widget in (title, button):
        qtbot.addWidget(widget)
        widget.show()
    before = [widget.font().pointSizeF() for widget in (title, button)]

    theme.wear(Look(text=2.0))
    assert [widget.font().pointSizeF() for widget in (title, button)] == [2 * b for b in before]
    assert scaled_font(Type.TITLE).pointSizeF() == pytest.approx(2 * before[0])

    theme.wear(Look(Qt.ColorScheme.Dark, text=2.0))
    assert [widget.font().pointSizeF() for widget in (title, button)] == [2 * b for b in before]

    theme.wear(Look(text=0.8))
    theme.wear(Look())
    assert [w.font().pointSizeF() for w in (title, button)] == pytest.approx(before)


def test_a_look_that_is_worn_already_restyles_nothing(theme, qtbot):
    restyled = []
    theme.changed.connect(lambda: restyled.append(1))
    theme.wear(Look())
    assert restyled == []
    theme.wear(Look(Qt.ColorScheme.Dark, high_contrast=True))
    assert restyled == [1]


def test_high_contrast_is_light_or_dark_as_the_scheme_is(theme):
    theme.wear(Look(Qt.ColorScheme.Light, high_contrast=True))
    assert colours() == LIGHT_CONTRAST
    theme.wear(Look(Qt.ColorScheme.Dark, high_contrast=True))
    assert colours() == DARK_CONTRAST
    theme.wear(Look(Qt.ColorScheme.Light, high_contrast=False))
    assert colours() == LIGHT


def test_forcing_a_scheme_keeps_the_text_size(theme, qapp):
    theme.wear(Look(text=1.5))
    size = QApplication.font().pointSizeF()
    apply_theme(qapp, Qt.ColorScheme.Dark)
    assert QApplication.font().pointSizeF() == size
    assert theme.look.text == 1.5


def test_reduced_motion_takes_no_time(theme):
    assert motion.milliseconds(200) == 200
    theme.wear(Look(still=True))
    assert motion.milliseconds(200) == 0
    assert not motion.moving()


def test_the_window_is_written_in_inter_with_figures_of_one_width(theme, qapp):
    info = QFontInfo(QApplication.font())
    assert info.family() == ("Inter" if sys.platform != "darwin" else info.family())
    metrics = QFontMetricsF(scaled_font(Type.FACT, bold=True))
    widths = {metrics.horizontalAdvance(figure * 4) for figure in "0123456789"}
    assert max(widths) - min(widths) < 0.5
    sizes = [QFontInfo(scaled_font(each)).pixelSize() for each in (Type.SMALL, Type.TITLE)]
    assert sizes == [11, 22]


def test_arrows_of_hidden_tabs_are_as_wide_as_other_controls_also_with_gloves(theme, qtbot):
    tabs = DocumentTabs()
    qtbot.addWidget(tabs)
    tabs.resize(300, tabs.height())
    tabs.show()
    for number in range(1, 6):
        tabs.bring(number, f"Manual {number}")
    for gloves, least in ((False, Size.CONTROL), (True, Size.GLOVE)):
        theme.wear(Look(gloves=gloves))
        arrows = [each for each in tabs.children() if isinstance(each, QToolButton)]
        arrows = [each for each in arrows if each.arrowType() != Qt.ArrowType.NoArrow]
        assert len(arrows) == 2
        assert min(each.width() for each in arrows) >= least


def test_glove_mode_makes_every_control_44_pixels_and_back(theme, qtbot):
    there, header = push_button("Press"), panel_header("Library")
    for widget in (there, header):
        qtbot.addWidget(widget)
        widget.show()
    assert there.minimumHeight() == 32
    assert there.sizeHint().height() < 40
    theme.wear(Look(gloves=True))
    new = push_button("Press")
    qtbot.addWidget(new)
    assert there.minimumHeight() == new.minimumHeight() == Size.GLOVE == 44
    assert new.sizeHint().height() >= 44
    assert header.height() == 44
    theme.wear(Look())
    assert there.minimumHeight() == 32
    assert there.sizeHint().height() < 40
    assert header.height() == 44
