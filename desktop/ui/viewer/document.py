"""A manual that is open: its pages, how it was left, and the zoom that fits it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.library.values import DocumentRecord, PageRecord, PassState
from desktop.ui.language import tr
from desktop.ui.viewer.page_layout import Fit, PagePoint, fitted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from PySide6.QtCore import QSize

    from desktop.core.library.library import Library


def shown(label: str, page: int, count: int) -> str:
    """Return what the page field shows; the label is left out where it adds nothing."""
    number = tr("{page} of {count}").format(page=page + 1, count=count)
    return number if label in ("", str(page + 1)) else f"{label} ({number})"


def page_for(typed: str, labels: Sequence[str], current: int = 0) -> int | None:
    """Return the page a person means, None if there is no such page.

    A printed label wins over a page number, since it is what the paper shows; "#61" is
    always the number. If several pages share a label, the next one after `current` is
    taken.
    """
    text = typed.strip()
    inside = text.rpartition("(")[2].removesuffix(")")
    if text.endswith(")") and " " in inside and _number(inside):  # "4-11 (61 of 128)"
        text = f"#{inside}"
    wanted = text.casefold().removeprefix("p.").strip()
    matches = [page for page, label in enumerate(labels) if label and label.casefold() == wanted]
    if matches:
        return next((page for page in matches if page > current), matches[0])
    number = _number(wanted.removeprefix("#"))
    return number - 1 if 1 <= number <= len(labels) else None


def _number(text: str) -> int:
    """Return the first number of "61", "61/128" or "61 of 128", 0 for anything else."""
    words = text.replace("/", " / ").split()
    if len(words) not in (1, 3) or not all(word.isdecimal() for word in words[::2]):
        return 0
    return int(words[0])


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


@dataclass(frozen=True)
class OpenDocument:
    """A document with a record for every page, including those not parsed yet."""

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
        return self.pages[page].label or str(page + 1)

    def shown_page(self, page: int) -> str:
        """Return what the page field shows: "4-11 (61 of 128)"."""
        return shown(self.pages[page].label, page, len(self.pages))

    def page_for(self, typed: str, current: int) -> int | None:
        """Return the page that a person typed, None if there is none."""
        return page_for(typed, [page.label for page in self.pages], current)


def read_document(source: Library, document_id: int) -> OpenDocument:
    """Read everything the viewer needs of a document; called on a worker thread."""
    record = source.document(document_id)
    known = {page.page: page for page in source.pages(document_id)}
    count = max(record.page_count, max(known, default=-1) + 1)
    pages: list[PageRecord] = []
    size = _A4
    for number in range(count):
        page = known.get(number) or PageRecord(number, "", 0, 0, _PENDING, "", False, False)
        if page.width <= 0 or page.height <= 0:
            # not parsed yet, or it failed: most pages are as large as the one before
            page = replace(page, width=size[0], height=size[1])
        size = (page.width, page.height)
        pages.append(page)
    return OpenDocument(
        record, tuple(pages), source.original_path(document_id), source.password(document_id)
    )


def row_points(document: OpenDocument, state: ViewState, page: int) -> tuple[float, float]:
    """Return width and height in points of the row that holds a page, as it is turned."""
    first = min(page, len(document.pages) - 1) // state.across * state.across
    row = [(p.width, p.height) for p in document.pages[first : first + state.across]]
    if state.turn % 2:
        row = [(height, width) for width, height in row]
    # a page that stands alone keeps its side of the row
    missing = (state.across - len(row)) * row[-1][0]
    return sum(width for width, _ in row) + missing, max(height for _, height in row)


def fitted_zoom(
    document: OpenDocument,
    state: ViewState,
    page: int,
    room: QSize,
    gap: int,
    pixels_per_point: float,
    fit: Fit | None = None,
) -> float:
    """Return the zoom for a page's row; `fit` overrides the state's to ask "what if".

    room: logical pixels of the viewport. gap: pixels between and around pages.
    """
    return fitted(
        fit or state.fit,
        row_points(document, state, page),
        (room.width() - (state.across + 1) * gap, room.height() - 2 * gap),
        pixels_per_point,
    )
