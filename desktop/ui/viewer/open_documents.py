"""The manuals that are open: records, page labels, how each was left."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from desktop.core.library.values import DocumentRecord, PageRecord, PassState
from desktop.ui.language import tr
from desktop.ui.viewer.page_layout import Fit, PagePoint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop.ui.bridge import TaskThread
    from desktop.ui.viewer.render_service import RenderService
    from desktop.ui.viewer.sources import ManualSource
    from desktop.ui.viewer.words import WordStore

_NUMBER = re.compile(r"#?\s*(\d+)(?:\s+[^\W\d]+\s+\d+|\s*/\s*\d+)?")
_SHOWN = re.compile(r"(.*?)\s*\((\d+) [^\W\d]+ \d+\)")


def shown(label: str, page: int, count: int) -> str:
    """Return what the page field shows; the label is left out where it says nothing new."""
    number = tr("{page} of {count}").format(page=page + 1, count=count)
    return number if label in ("", str(page + 1)) else f"{label} ({number})"


def spoken(label: str, page: int) -> str:
    """Return the label, or the page's number if it has none."""
    return label or str(page + 1)


def page_for(typed: str, labels: Sequence[str], current: int = 0) -> int | None:
    """Return the page a person means, None if there is no such page.

    A printed label wins over a page number, since it is what stands on the paper;
    "#61" is always the number. Of several pages with one label the next one after
    `current` is taken.
    """
    text = typed.strip()
    complete = _SHOWN.fullmatch(text)
    if complete:
        text = "#" + complete.group(2)
    wanted = text.casefold().removeprefix("p.").strip()
    matches = [page for page, label in enumerate(labels) if label and label.casefold() == wanted]
    if matches:
        return next((page for page in matches if page > current), matches[0])
    number = _NUMBER.fullmatch(wanted)
    if number and 1 <= int(number.group(1)) <= len(labels):
        return int(number.group(1)) - 1
    return None


_PENDING: tuple[PassState, PassState, PassState] = ("pending", "pending", "pending")
_A4 = (595.0, 842.0)


@dataclass(slots=True)
class ViewState:
    """Where a person was in a document, kept while another tab is in front."""

    point: PagePoint = field(default_factory=lambda: PagePoint(0))
    zoom: float = 1.0
    fit: Fit = Fit.WIDTH
    turn: int = 0
    """Clockwise quarter turns."""
    across: int = 1
    """Pages in a row."""
    cover_alone: bool = False
    """Of two in a row: the first page stands alone at the right, as in a book."""

    @property
    def empty_places(self) -> int:
        """Places in the first row that stay empty before the first page."""
        return 1 if self.across == 2 and self.cover_alone else 0


@dataclass(frozen=True)
class OpenDocument:
    """A document with a record for every page, also for those not parsed yet."""

    record: DocumentRecord
    pages: tuple[PageRecord, ...]
    path: Path
    password: str | None

    @property
    def id(self) -> int:
        return self.record.id

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """Page sizes in points, shape (n, 2)."""
        return np.array([(page.width, page.height) for page in self.pages], np.float64)

    @cached_property
    def complete(self) -> bool:
        """Whether no pass of any page is pending."""
        return all("pending" not in page.passes for page in self.pages)

    def label(self, page: int) -> str:
        """Return the printed label, or the page's number if it has none."""
        return spoken(self.pages[page].label, page)

    def shown_page(self, page: int) -> str:
        """Return what the page field shows: "4-11 (61 of 128)"."""
        return shown(self.pages[page].label, page, len(self.pages))

    def page_for(self, typed: str, current: int) -> int | None:
        """Return the page that a person typed, None if there is none."""
        return page_for(typed, [page.label for page in self.pages], current)


def read_document(source: ManualSource, document_id: int) -> OpenDocument:
    """Read everything the viewer needs of a document; called on a worker thread."""
    record = source.document(document_id)
    known = {page.page: page for page in source.pages(document_id)}
    count = max(record.page_count, max(known, default=-1) + 1)
    pages: list[PageRecord] = []
    size = _A4
    for number in range(count):
        page = known.get(number)
        if page is None or page.width <= 0 or page.height <= 0:
            # not parsed yet, or it failed: most pages are as large as the one before
            page = PageRecord(
                number,
                page.label if page else "",
                *size,
                page.passes if page else _PENDING,
                page.reason if page else "",
                page.ocr if page else False,
                page.slow_to_draw if page else False,
            )
        size = (page.width, page.height)
        pages.append(page)
    return OpenDocument(
        record, tuple(pages), source.original_path(document_id), source.password(document_id)
    )


_REFRESH_MS = 2000


class OpenDocuments(QObject):
    """Documents and view states by id."""

    refreshed = Signal(int)
    """An open document has newer records now."""

    def __init__(
        self,
        source: ManualSource,
        tasks: TaskThread,
        service: RenderService,
        words: WordStore,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._source = source
        self._tasks = tasks
        self._service = service
        self._words = words
        self._documents: dict[int, OpenDocument] = {}
        self._states: dict[int, ViewState] = {}
        self._reading: set[int] = set()
        self._watch = QTimer(self, interval=_REFRESH_MS)
        self._watch.timeout.connect(self._refresh_incomplete)
        self._watch.start()

    def get(self, document_id: int) -> OpenDocument | None:
        return self._documents.get(document_id)

    def state(self, document_id: int) -> ViewState:
        """Return where a person was in the document; a new one starts as the last was zoomed."""
        if document_id not in self._states:
            last = next(reversed(self._states.values()), None)
            new = self._states[document_id] = ViewState()
            if last is not None:
                new.zoom, new.fit = last.zoom, last.fit
                new.across, new.cover_alone = last.across, last.cover_alone
        return self._states[document_id]

    def put_state(self, document_id: int, state: ViewState) -> None:
        """Say where a person was in a document at an earlier time."""
        self._states[document_id] = state

    def open(
        self,
        document_id: int,
        then: Callable[[OpenDocument], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Read a document on the thread and keep it open."""

        def keep(document: OpenDocument) -> None:
            self._documents[document_id] = document
            then(document)

        self._tasks.submit(lambda: read_document(self._source, document_id), keep, failed)

    def close(self, document_id: int) -> None:
        """Forget a document and everything drawn and read of it."""
        document = self._documents.pop(document_id, None)
        self._states.pop(document_id, None)
        self._service.forget_document(document_id)
        if document is not None:
            self._words.forget(document_id, range(len(document.pages)))

    def refresh(self, document_id: int) -> None:
        """Read the records of an open document again."""
        if document_id not in self._documents or document_id in self._reading:
            return
        self._reading.add(document_id)
        self._tasks.submit(
            lambda: read_document(self._source, document_id),
            self._update,
            lambda _: self._reading.discard(document_id),
        )

    def stop(self) -> None:
        """Stop looking for newer records."""
        self._watch.stop()

    def _update(self, new: OpenDocument) -> None:
        self._reading.discard(new.id)
        old = self._documents.get(new.id)
        if old is None or new == old:
            return
        self._documents[new.id] = new
        if (old.path, old.password) != (new.path, new.password):
            self._service.forget_document(new.id)
        known = {page.page: page for page in old.pages}
        self._words.forget(
            new.id, [page.page for page in new.pages if known.get(page.page) != page]
        )
        self.refreshed.emit(new.id)

    def _refresh_incomplete(self) -> None:
        for document_id, document in self._documents.items():
            if not document.complete or not document.pages:
                self.refresh(document_id)
