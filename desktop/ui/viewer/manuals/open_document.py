"""A manual as the viewer holds it while its tab is open."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.library.values import DocumentRecord, PageRecord, PassState
from desktop.ui.viewer.manuals.page_labels import page_for, shown, spoken
from desktop.ui.viewer.pages.strip import PagePoint
from desktop.ui.viewer.pages.zoom import Fit

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop.ui.viewer.manuals.source import ManualSource

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
