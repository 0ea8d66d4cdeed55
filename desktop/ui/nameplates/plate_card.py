"""What was read of a photo, above the question field: which manuals it belongs to, or which?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop.ui.controls import PressButton, flat_button, label, plain_tooltip, push_button
from desktop.ui.language import told
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from desktop.core.nameplates.finder import Match, PlateFinding
    from desktop.core.structure.values import PageImage, PhotoText

PICTURE = QSize(96, 72)


class PlateCard(QFrame):
    """chosen(match): it is this one. ask_wanted(): ask about the picture. closed(): forget it."""

    chosen = Signal(object)
    ask_wanted = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self._picture = QLabel()
        self._picture.setTextFormat(Qt.TextFormat.PlainText)
        self._picture.setFixedSize(PICTURE)
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._picture.setAccessibleName(self.tr("The photo"))
        self.read = label(factor=Type.SMALL, wrap=True, selectable=True)
        self.found = label(factor=Type.SMALL, bold=True, wrap=True, selectable=True)
        for words in (self.read, self.found):
            words.setMinimumWidth(1)
        self._buttons = QVBoxLayout()
        self._buttons.setSpacing(Space.XS)
        close = flat_button("x", self.tr("Dismiss"))
        close.clicked.connect(self.closed)
        words_column = QVBoxLayout()
        words_column.setSpacing(Space.XS)
        words_column.addWidget(self.read)
        words_column.addWidget(self.found)
        words_column.addLayout(self._buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.S, Space.XS, Space.XS, Space.XS)
        row.setSpacing(Space.S)
        row.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words_column, 1)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def tell_reading(self) -> None:
        """Say that a photo is being read."""
        self._clear()
        self._picture.hide()
        self.read.setText(self.tr("Reading the picture…"))
        self.found.hide()
        self.show()

    def tell_failure(self, text: str) -> None:
        """Say why nothing was read, and the next step."""
        self._clear()
        self._picture.hide()
        self.read.setText(text)
        self.found.hide()
        self.show()

    def tell(self, photo: PhotoText, finding: PlateFinding) -> None:
        """Show what was read and what it belongs to; several are to be chosen from."""
        self._clear()
        self._picture.setPixmap(_pixmap(photo.image))
        self._picture.show()
        self.read.setText(told(finding.read))
        self._say(told(finding.found))
        if finding.outcome == "asked":
            for match in finding.matches:
                self._offer(match)
            none = self._button(self.tr("None of these"))
            none.clicked.connect(self.closed)
        about = self._button(self.tr("Ask about the picture"))
        about.clicked.connect(self.ask_wanted)
        self.show()

    def tell_choice(self, match: Match) -> None:
        """Say which one a person chose."""
        for button in self.findChildren(QWidget, "match"):
            button.hide()
        titles = " / ".join(match.titles)
        self._say(self.tr("“{titles}” is asked now.").format(titles=titles))

    def _offer(self, match: Match) -> None:
        button = self._button(" / ".join(match.titles))
        button.setToolTip(plain_tooltip(told(match.why)))
        button.clicked.connect(lambda: self.chosen.emit(match))

    def _button(self, text: str) -> PressButton:
        button = push_button(text)
        button.setObjectName("match")
        button.let_shrink()
        self._buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return button

    def _say(self, text: str) -> None:
        self.found.setText(text)
        self.found.show()

    def _clear(self) -> None:
        while (item := self._buttons.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()


def _pixmap(image: PageImage) -> QPixmap:
    pixels = QImage(
        image.rgb, image.width, image.height, 3 * image.width, QImage.Format.Format_RGB888
    )
    return QPixmap.fromImage(pixels.copy()).scaled(
        PICTURE, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
