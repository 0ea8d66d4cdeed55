"""A library of PDFs read with MuPDF on the spot, and a parser that draws with it."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pymupdf
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu

from desktop.core.errors import DocumentNotFound, LibraryNotWritable, ParserLimit
from desktop.core.library.annotations import Bookmark
from desktop.core.library.contents import Outline
from desktop.core.library.values import DocumentRecord, PageRecord
from desktop.core.page_words import PageWords
from desktop.core.parsing.service import InProcessParser
from desktop.core.settings.sections import ParserSettings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from desktop.core.geometry import Box
    from desktop.core.library.annotations import Annotation
    from desktop.core.structure.values import Block, BoxTuple, PageImage, PageLink
    from desktop.ui.viewer.panel import ViewerPanel


class FakeLibrary:
    """Documents 1, 2, ... are the given files. MuPDF is not thread-safe: one lock for all."""

    def __init__(self, *paths: Path) -> None:
        self._paths = dict(enumerate(paths, start=1))
        self._lock = threading.RLock()
        self.passwords: dict[int, str] = {}
        self.slow_pages: set[tuple[int, int]] = set()
        self.records: dict[int, DocumentRecord] = {}
        self.page_records: dict[int, list[PageRecord]] = {}
        self.word_overrides: dict[tuple[int, int], PageWords] = {}
        self.called_on: set[str] = set()

    def document(self, document_id: int, /) -> DocumentRecord:
        if document_id in self.records:
            return self.records[document_id]
        with self._open(document_id) as pdf:
            title = (pdf.metadata or {}).get("title") or f"Manual {document_id}"
            count = len(pdf)
        done = (count, count, count)
        return DocumentRecord(
            document_id,
            f"hash of {document_id}",
            "file.pdf",
            title,
            1,
            count,
            "ready",
            "",
            "",
            done,
            0,
        )

    def pages(self, document_id: int, /) -> list[PageRecord]:
        if document_id in self.page_records:
            return self.page_records[document_id]
        with self._open(document_id) as pdf:
            return [
                PageRecord(
                    page.number,
                    page.get_label(),
                    page.rect.width,
                    page.rect.height,
                    ("done", "done", "done"),
                    "",
                    False,
                    (document_id, page.number) in self.slow_pages,
                )
                for page in pdf
            ]

    def page_words(self, document_id: int, page: int, /) -> PageWords:
        if (document_id, page) in self.word_overrides:
            return self.word_overrides[document_id, page]
        if not self._paths[document_id].exists():  # the library keeps them apart from the file
            return PageWords.empty()
        with self._open(document_id) as pdf:
            turn = pdf[page].rotation_matrix
            found = pdf[page].get_text("words")
        boxes = [tuple((pymupdf.Rect(word[:4]) * turn).normalize()) for word in found]
        lines: dict[tuple[int, int], int] = {}
        numbers = [lines.setdefault((word[5], word[6]), len(lines)) for word in found]
        return PageWords(
            tuple(word[4] for word in found),
            np.array(boxes, np.float32).reshape(-1, 4),
            np.array(numbers, np.int32),
        )

    def blocks(self, _document_id: int, _page: int, /) -> list[Block]:
        return []

    def original_path(self, document_id: int, /) -> Path:
        return self._paths[document_id]

    def find_text(self, document_id: int, needle: str, /) -> Iterator[tuple[int, tuple[Box, ...]]]:
        for page in range(self.document(document_id).page_count):
            words = self.page_words(document_id, page)
            for index, word in enumerate(words.texts):
                if needle.casefold() in word.casefold():
                    yield page, (words.box(index),)

    def password(self, document_id: int, /) -> str | None:
        return self.passwords.get(document_id)

    def mark_slow(self, document_id: int, page: int) -> None:
        records = self.pages(document_id)
        records[page] = replace(records[page], slow_to_draw=True)
        self.page_records[document_id] = records

    def _open(self, document_id: int) -> _Locked:
        if document_id not in self._paths:
            raise DocumentNotFound(document_id)
        self.called_on.add(threading.current_thread().name)
        return _Locked(self._lock, self._paths[document_id], self.passwords.get(document_id))


class FakeShelf:
    """Bookmarks in memory; `broken` refuses to keep any."""

    def __init__(self) -> None:
        self.names: dict[tuple[int, int], str] = {}
        self.broken = False

    def of(self, document_id: int, /) -> list[Bookmark]:
        return [
            Bookmark(id_, page, name)
            for (id_, page), name in sorted(self.names.items())
            if id_ == document_id
        ]

    def put(self, document_id: int, page: int, name: str, /) -> None:
        if self.broken:
            raise LibraryNotWritable("the library is only read")
        self.names[document_id, page] = name

    def remove(self, document_id: int, page: int, /) -> None:
        del self.names[document_id, page]


class FakeAnnotations:
    """Highlights in memory; `broken` refuses to keep any."""

    def __init__(self) -> None:
        self.kept: dict[int, Annotation] = {}
        self.broken = False

    def of(self, sha256: str, /) -> list[Annotation]:
        here = [each for each in self.kept.values() if each.sha256 == sha256]
        return sorted(here, key=lambda each: (each.page, each.boxes[0].y0, each.id))

    def keep(self, annotations: Sequence[Annotation], /) -> list[Annotation]:
        if self.broken:
            raise LibraryNotWritable("the library is only read")
        stored = []
        for each in annotations:
            id_ = each.id or max(self.kept, default=0) + 1
            self.kept[id_] = replace(each, id=id_)
            stored.append(self.kept[id_])
        return stored

    def remove(self, ids: Collection[int], /) -> None:
        for id_ in ids:
            self.kept.pop(id_, None)


class FakeOutlines:
    """Outlines by document."""

    def __init__(self) -> None:
        self.outlines: dict[int, Outline] = {}

    def of(self, document_id: int, /) -> Outline:
        return self.outlines.get(document_id, Outline())


class FakeParser(InProcessParser):
    """Counts what it draws; `broken` makes it fail, `links` are those of each page."""

    def __init__(self) -> None:
        super().__init__(ParserSettings(ocr=False, layout_model=False))
        self.drawn: list[int] = []
        self.links: dict[int, tuple[PageLink, ...]] = {}
        self.broken = False

    def read_links(
        self, path: Path, page: int, password: str | None = None
    ) -> tuple[PageLink, ...]:
        return self.links.get(page, ())

    def draw(
        self,
        path: Path,
        page: int,
        scale: float,
        clip: BoxTuple | None = None,
        password: str | None = None,
    ) -> PageImage:
        self.drawn.append(page)
        if self.broken:
            raise ParserLimit("This page takes too long to draw.", "time")
        return super().draw(path, page, scale, clip, password)


class _Locked:
    def __init__(self, lock: threading.RLock, path: Path, password: str | None) -> None:
        self._lock, self._path, self._password = lock, path, password

    def __enter__(self) -> pymupdf.Document:
        self._lock.acquire()
        self._pdf = pymupdf.open(self._path)
        if self._password:
            self._pdf.authenticate(self._password)
        return self._pdf

    def __exit__(self, *_: object) -> None:
        self._pdf.close()
        self._lock.release()


def wheel(widget: QWidget, where: QPointF, turned: int, held: Qt.KeyboardModifier) -> None:
    """Turn the wheel over a widget. turned: eighths of a degree."""
    there, none = QPointF(widget.mapToGlobal(where.toPoint())), Qt.MouseButton.NoButton
    phase, by = Qt.ScrollPhase.NoScrollPhase, QPoint(0, turned)
    QApplication.sendEvent(
        widget, QWheelEvent(where, there, QPoint(), by, none, held, phase, False)
    )


def context_menu(panel: ViewerPanel, where: QPoint) -> QMenu:
    """Open the menu of a place of the pages."""
    viewport, reason = panel.view.viewport(), QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, where, viewport.mapToGlobal(where))
    QApplication.sendEvent(viewport, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu
