"""Rows of a table as a small table: headings above, the asked cell emphasised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from desktop.ui.controls import label
from desktop.ui.theme import scaled_font
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.events import QuotedForm

ROOM = 350
"""Width up to which the cells stand beside each other; a wider row is told cell below cell."""


class QuotedTable(QWidget):
    """forms: rows with the same headings."""

    def __init__(self, forms: Sequence[QuotedForm]) -> None:
        super().__init__()
        self.is_wide = _width(forms) > ROOM
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(Space.S)
        self._grid.setVerticalSpacing(0)
        if self.is_wide:
            self._fill_downwards(forms)
        else:
            self._fill_across(forms)
        self.setAccessibleName("\n".join(form.told for form in forms))

    def _fill_across(self, forms: Sequence[QuotedForm]) -> None:
        for column, heading in enumerate(forms[0].headings):
            self._grid.addWidget(_heading(heading), 0, column)
        for row, form in enumerate(forms, start=1):
            for column, cell in enumerate(form.cells):
                self._grid.addWidget(_cell(cell, asked=column == form.asked), row, column)
        self._grid.setColumnStretch(len(forms[0].cells), 1)

    def _fill_downwards(self, forms: Sequence[QuotedForm]) -> None:
        row = 0
        for form in forms:
            for column, cell in enumerate(form.cells):
                if not any(map(str.isalnum, cell)):
                    continue
                if form.headings:
                    self._grid.addWidget(_heading(form.headings[column]), row, 0)
                self._grid.addWidget(_cell(cell, asked=column == form.asked, wrap=True), row, 1)
                row += 1
            self._grid.setRowMinimumHeight(row, Space.S)
            row += 1
        self._grid.setColumnStretch(1, 1)


def _heading(text: str) -> QLabel:
    shown = label(text, factor=Type.SMALL, tone="muted")
    shown.setProperty("role", "cell")
    return shown


def _cell(text: str, *, asked: bool, wrap: bool = False) -> QLabel:
    shown = label(text, bold=asked, wrap=wrap, selectable=True)
    shown.setProperty("role", "asked" if asked else "cell")
    if not wrap:
        shown.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        shown.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return shown


def _width(forms: Sequence[QuotedForm]) -> int:
    """Return how wide the rows are with their cells beside each other."""
    body = QFontMetrics(scaled_font(Type.BODY, bold=True))
    small = QFontMetrics(scaled_font(Type.SMALL))
    columns = range(len(forms[0].cells))
    headings = forms[0].headings or [""] * len(columns)
    return sum(
        max(
            small.horizontalAdvance(headings[column]),
            *(body.horizontalAdvance(form.cells[column]) for form in forms),
        )
        + 2 * Space.S
        + Space.XS
        for column in columns
    )
