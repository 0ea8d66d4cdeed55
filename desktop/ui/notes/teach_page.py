"""Shown while there is no note: what notes are for, and how to begin."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui.controls import label, push_button
from desktop.ui.icon_picture import IconPicture
from desktop.ui.tokens import Size, Space, Type

WIDTH = 560


class TeachPage(QWidget):
    """write_wanted(), import_wanted()."""

    write_wanted = Signal()
    import_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        inner = QWidget()
        inner.setMaximumWidth(WIDTH)
        column = QVBoxLayout(inner)
        column.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(IconPicture("sticky-note", Size.PANEL_HEADER, "site"))
        column.addWidget(
            label(self.tr("Write what your site learned"), factor=Type.TITLE, bold=True, wrap=True)
        )
        column.addWidget(
            label(
                self.tr(
                    "Manuals say what the maker knew. Notes say what you found out: answers use "
                    "them too, and always show that they come from a note."
                ),
                wrap=True,
            )
        )
        column.addLayout(self._ways())
        self.write = push_button(self.tr("Write a Note"), kind="primary")
        self.write.clicked.connect(self.write_wanted)
        self.load = push_button(self.tr("Import Notes…"))
        self.load.clicked.connect(self.import_wanted)
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addWidget(self.write)
        row.addWidget(self.load)
        row.addStretch(1)
        column.addSpacing(Space.S)
        column.addLayout(row)
        # no alignment: the height of wrapped words follows from the width they really get
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(inner, 20)
        across.addStretch(1)
        whole = QVBoxLayout(self)
        whole.addStretch(1)
        whole.addLayout(across)
        whole.addStretch(2)

    def _ways(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.M)
        grid.setVerticalSpacing(Space.S)
        grid.setColumnStretch(1, 1)
        for row, (name, text) in enumerate(
            (
                (
                    "pen-line",
                    self.tr(
                        "Something the manual has wrong here: “The seal lasts 3 months at this "
                        "site, not 6.”"
                    ),
                ),
                (
                    "link-2",
                    self.tr(
                        "About a page: select words in a manual and choose “Add note”. It then "
                        "stands in the margin."
                    ),
                ),
                (
                    "map-pin",
                    self.tr("About one asset or site: only questions there will see it."),
                ),
            )
        ):
            mark = IconPicture(name, Size.ICON, "muted")
            grid.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label(text, wrap=True), row, 1)
        return grid
