"""Pictures on the clipboard and in a drag: their bytes, still to be decoded elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from desktop.ui.bridge import WindowPart
from desktop.ui.design.controls import (
    TOP,
    PressButton,
    empty,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    plain_tooltip,
    push_button,
)
from desktop.ui.design.notices import in_sentences
from desktop.ui.design.tokens import Space, Type
from desktop.ui.files import choose_file
from desktop.ui.language import told

if TYPE_CHECKING:
    from desktop.core.jobs import CancelToken
    from desktop.core.nameplates.finder import Match, PlateFinding
    from desktop.core.structure.values import PageImage, PhotoText
    from desktop.ui.chat.chat_panel import ChatPanel

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
        self._buttons = in_column(spacing=Space.XS)
        close = flat_button("x", self.tr("Dismiss"), self.closed)
        words_column = in_column(spacing=Space.XS)
        fill(words_column, self.read, self.found, self._buttons)
        row = in_row(self, (Space.S, Space.XS, Space.XS, Space.XS), spacing=Space.S)
        fill(row, (self._picture, TOP), (words_column, 1), (close, TOP))
        self.hide()

    def tell_only(self, text: str) -> None:
        """Say that a photo is being read, or why it was not."""
        empty(self._buttons)
        self._picture.hide()
        self.read.setText(text)
        self.found.hide()
        self.show()

    def tell(self, photo: PhotoText, finding: PlateFinding) -> None:
        """Show what was read and what it belongs to; if several match, offer a choice."""
        empty(self._buttons)
        self._picture.setPixmap(_pixmap(photo.image))
        self._picture.show()
        self.read.setText(told(finding.read))
        self._say(told(finding.found))
        if finding.outcome == "asked":
            for match in finding.matches:
                button = self._button(" / ".join(match.titles))
                button.setToolTip(plain_tooltip(told(match.why)))
                button.clicked.connect(lambda _=False, match=match: self.chosen.emit(match))
            none = self._button(self.tr("None of these"))
            none.clicked.connect(self.closed)
        about = self._button(self.tr("Ask about the picture"))
        about.clicked.connect(self.ask_wanted)
        self.show()

    def tell_choice(self, match: Match) -> None:
        for button in self.findChildren(QWidget, "match"):
            button.hide()
        titles = " / ".join(match.titles)
        self._say(self.tr("Questions now go to “{titles}”.").format(titles=titles))

    def _button(self, text: str) -> PressButton:
        button = push_button(text)
        button.setObjectName("match")
        button.let_shrink()
        self._buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return button

    def _say(self, text: str) -> None:
        self.found.say(text)


def _pixmap(image: PageImage) -> QPixmap:
    pixels = QImage(
        image.rgb, image.width, image.height, 3 * image.width, QImage.Format.Format_RGB888
    )
    return QPixmap.fromImage(pixels.copy()).scaled(
        PICTURE, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )


class NameplateController(WindowPart):
    """Reads pictures that are pasted or dropped into the question field, or chosen."""

    def __init__(self, chat: ChatPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._chat = chat
        self._photo: PhotoText | None = None
        self._scoped: frozenset[int] = frozenset()
        self.card = PlateCard()
        self.card.chosen.connect(self._choose)
        self.card.ask_wanted.connect(self._ask)
        self.card.closed.connect(self.forget)
        chat.composer.show_above(self.card)
        chat.composer.pictured.connect(self.read)
        chat.asked.connect(lambda _turn: self.forget())
        self._bridge = self.bridge("nameplate", self._take, self._finish)

    def choose(self) -> None:
        kinds = "*.jpg *.jpeg *.png *.webp *.tif *.tiff *.bmp"
        kind = self.tr("Photos ({kinds})").format(kinds=kinds)
        choose_file(self._chat, self.tr("Read a nameplate"), kind, self.read)

    def read(self, picture: bytes | Path) -> None:
        """Read a picture, the file or its bytes."""
        workspace = self._workspace
        if workspace is None:
            return
        self._chat.show()
        self._photo = None
        if self._scoped and self._chat.composer.scope.selected == self._scoped:
            self._chat.composer.scope.select(())  # of the photo before
        self._scoped = frozenset()
        self.card.tell_only(self.tr("Reading the picture…"))

        def work(_cancel: CancelToken) -> Iterator[tuple[PhotoText, PlateFinding]]:
            data = picture.read_bytes() if isinstance(picture, Path) else picture
            yield workspace.nameplates.read(data)

        self._bridge.start(work)

    def forget(self) -> None:
        """Stop showing it and keep nothing of it."""
        self._photo = None
        self._bridge.cancel()
        self.card.hide()

    def _take(self, result: tuple[PhotoText, PlateFinding]) -> None:
        if self.card.isHidden():  # dismissed meanwhile
            return
        self._photo, finding = result
        self.card.tell(self._photo, finding)
        if finding.outcome == "found":
            self._scope(finding.matches[0])
        self._chat.composer.field.setFocus()

    def _choose(self, match: Match) -> None:
        self._scope(match)
        self.card.tell_choice(match)
        self._chat.composer.field.setFocus()

    def _scope(self, match: Match) -> None:
        scope = self._chat.composer.scope
        if match.place.asset:
            scope.work_at(match.place)
        else:
            scope.select(match.document_ids)
        self._scoped = scope.selected

    def _ask(self) -> None:
        photo = self._photo
        if photo is None:
            return
        question = self._chat.composer.take() or self.tr("What is this part?")
        self._chat.ask(question, mode="", photo=photo)

    def _finish(self, failure: BaseException | None) -> None:
        if failure is not None and not self.card.isHidden():
            self.card.tell_only(in_sentences(failure))
