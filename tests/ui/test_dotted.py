"""Parts with dots between them, laid into lines."""

from __future__ import annotations

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from desktop.ui.design.controls import in_lines

SAID = "Reading text 19 of 19 · 488 pages/s · a few seconds left"


def test_no_line_begins_or_ends_with_a_dot_at_any_width(qapp):
    metrics = QFontMetrics(QApplication.font())
    for width in range(40, 600, 7):
        lines = in_lines(SAID, metrics, width).split("\n")
        assert not any(line.strip().startswith("·") or line.endswith("·") for line in lines)
        assert " · ".join(lines) == SAID


def test_what_fits_is_one_line(qapp):
    metrics = QFontMetrics(QApplication.font())
    assert in_lines(SAID, metrics, metrics.horizontalAdvance(SAID)) == SAID
