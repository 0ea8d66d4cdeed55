"""A rich-text view that shows our own markup and can load nothing at all.

QTextBrowser by itself opens `file://` links and loads `file://` images. Here every
resource is refused, links are only ever emitted, and the text is built by `answer_text`,
which escapes whatever came from a manual, a file name or a model.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QResizeEvent, QTextDocument, QWheelEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

LINK_SCHEME = "cite"


class SafeBrowser(QTextBrowser):
    """As tall as its text; `citation_clicked(number)` for links of our own scheme."""

    citation_clicked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.refused: list[str] = []
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.anchorClicked.connect(self._follow)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit())

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        self.refused.append(name if isinstance(name, str) else name.toString())
        return None

    def doSetSource(
        self,
        name: QUrl | str,
        kind: QTextDocument.ResourceType = QTextDocument.ResourceType.UnknownResource,
    ) -> None:
        self.refused.append(name if isinstance(name, str) else name.toString())

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(40, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        # The conversation scrolls, never the answer inside it.
        event.ignore()

    def _height(self) -> int:
        return int(self.document().size().height() + 0.999)

    def _fit(self) -> None:
        if self.maximumHeight() != self._height():
            self.setFixedHeight(self._height())

    def _follow(self, url: QUrl) -> None:
        number = url.path()
        if url.scheme() == LINK_SCHEME and number.isdecimal():
            self.citation_clicked.emit(int(number))
