"""The first page: what this is, where manuals come from, and what this computer can run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop.core.paths import sample_manuals
from desktop.ui.controls import label, push_button
from desktop.ui.flow_layout import FlowLayout
from desktop.ui.icons import application_icon
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QPushButton

WIDTH = 620
PICTURE = 56


class WelcomePage(QScrollArea):
    """add_wanted, samples_wanted, models_wanted, left: its buttons."""

    add_wanted = Signal()
    samples_wanted = Signal()
    models_wanted = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Welcome"))
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.add = push_button(self.tr("Add manuals…"), kind="primary")
        self.samples = push_button(self.tr("Open the sample manuals"))
        self.models = push_button(self.tr("Models…"), name="usb")
        self.skip = push_button(self.tr("Skip"))
        self.fitting = label("", wrap=True)
        self.add.clicked.connect(self.add_wanted)
        self.samples.clicked.connect(self.samples_wanted)
        self.models.clicked.connect(self.models_wanted)
        self.skip.clicked.connect(self.left)
        self.samples.setVisible(bool(sample_manuals()))
        self.show_fitting("")
        self._lay_out()

    def show_fitting(self, sentence: str) -> None:
        """Say which profile fits this computer."""
        self.fitting.setText(sentence or self.tr("Looking at this computer…"))

    def _lay_out(self) -> None:
        box = QWidget()
        box.setMaximumWidth(WIDTH)
        column = QVBoxLayout(box)
        column.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
        column.setSpacing(Space.M)
        head = QHBoxLayout()
        head.setSpacing(Space.M)
        picture = label()
        picture.setPixmap(application_icon().pixmap(PICTURE, PICTURE))
        head.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(Space.XS)
        title = self.tr("Welcome to Groundwork")
        words.addWidget(label(title, factor=Type.TITLE, bold=True, wrap=True))
        words.addWidget(
            label(
                self.tr(
                    "Groundwork answers from your equipment manuals and shows the page, and the "
                    "place on it, that each sentence stands on. It needs no network: nothing "
                    "leaves this computer."
                ),
                factor=Type.LEAD,
                wrap=True,
            )
        )
        head.addLayout(words, 1)
        column.addLayout(head)
        column.addWidget(self._step_manuals())
        column.addWidget(self._step_computer())
        foot = QHBoxLayout()
        foot.setSpacing(Space.M)
        foot.addWidget(self.skip)
        again = self.tr("This page is under “Welcome” in the Help menu.")
        foot.addWidget(label(again, tone="muted", wrap=True), 1)
        column.addLayout(foot)
        inner = QWidget()
        inner.setProperty("role", "panel")
        inner.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(box, 20)
        middle.addStretch(1)
        outer = QVBoxLayout(inner)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addStretch(1)
        outer.addLayout(middle)
        outer.addStretch(2)
        self.setWidget(inner)

    def _step_manuals(self) -> QFrame:
        told = self.tr(
            "Drop PDF files or whole folders anywhere on this window. They are copied into the "
            "library and can be asked within seconds. The samples are two short manuals to try "
            "it with."
        )
        return _step(
            self.tr("1. Add your manuals"), [label(told, wrap=True)], [self.add, self.samples]
        )

    def _step_computer(self) -> QFrame:
        told = self.tr(
            "Models come by USB stick: on a computer that has them, choose “Copy to USB Stick…” on "
            "the Models page; here, drop the copy on that page. Nothing has to be installed for "
            "a first answer."
        )
        words = [self.fitting, label(told, wrap=True, tone="muted")]
        return _step(self.tr("2. What this computer can run"), words, [self.models])


def _step(title: str, words: Sequence[QWidget], buttons: Sequence[QPushButton]) -> QFrame:
    card = QFrame()
    card.setProperty("role", "card")
    column = QVBoxLayout(card)
    column.setContentsMargins(Space.L, Space.M, Space.L, Space.M)
    column.setSpacing(Space.S)
    column.addWidget(label(title, factor=Type.LEAD, bold=True))
    for each in words:
        column.addWidget(each)
    shelf = QWidget()
    row = FlowLayout(shelf, Space.S)
    row.setContentsMargins(0, 0, 0, 0)
    for button in buttons:
        row.addWidget(button)
    column.addWidget(shelf)
    return card
