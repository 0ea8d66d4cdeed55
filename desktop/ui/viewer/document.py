"""The manuals that are open: their pages, how each was left, and what is read of their pages."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from PySide6.QtCore import QObject, QSize, QTimer, Signal

from desktop.core.library.values import DocumentRecord, PageRecord, PassState
from desktop.core.page_words import PageWords
from desktop.ui.design.tokens import Size
from desktop.ui.language import tr
from desktop.ui.viewer.page_layout import Fit, PagePoint, fitted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop.core.library.library import Library
    from desktop.ui.bridge import Errands


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


@dataclass(frozen=True, slots=True)
class BlankSides:
    """How much paper beside the words can be left out of view, in points.

    width: of the pages that it is true of, the usual ones of their manual.
    """

    width: float = 0.0
    left: float = 0.0
    right: float = 0.0


@dataclass(frozen=True)
class OpenDocument:
    """A document with a record for every page, including those not parsed yet."""

    record: DocumentRecord
    pages: tuple[PageRecord, ...]
    path: Path
    password: str | None
    blank: BlankSides = BlankSides()

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
        record,
        tuple(pages),
        source.original_path(document_id),
        source.password(document_id),
        blank_sides(pages, partial(_printed, source, document_id)),
    )


_SAMPLED = 24
_BESIDE_WORDS = 16.0
"""Points of paper that stay in view beside the words."""
_EDGE = 2.0
_MOST_BLANK = 0.125
"""Of a page's width at each side: a wider column without words may hold pictures elsewhere."""


def blank_sides(
    pages: Sequence[PageRecord], boxes_of: Callable[[int], NDArray[np.float32]]
) -> BlankSides:
    """Return how much paper is blank at the sides of a manual, judged by some of its pages.

    boxes_of: what is printed on a page, shape (n, 4), as `PageWords` has it.
    """
    if not pages:
        return BlankSides()
    usual = Counter(page.width for page in pages).most_common(1)[0][0]
    read = [page.page for page in pages if page.width == usual and page.passes[0] == "done"]
    printed = [boxes_of(page) for page in read[:: len(read) // _SAMPLED + 1]]
    if not printed:
        return BlankSides()
    boxes = np.concatenate(printed)
    # what reaches the edge of the paper decorates it
    boxes = boxes[(boxes[:, 0] > _EDGE) & (boxes[:, 2] < usual - _EDGE)]
    if not len(boxes):
        return BlankSides()
    left, right = float(boxes[:, 0].min()), usual - float(boxes[:, 2].max())
    most = usual * _MOST_BLANK
    return BlankSides(usual, *(min(max(0.0, side - _BESIDE_WORDS), most) for side in (left, right)))


def _printed(source: Library, document_id: int, page: int) -> NDArray[np.float32]:
    words = source.page_words(document_id, page).boxes
    blocks = [block.box for block in source.blocks(document_id, page)]
    return np.concatenate((words, np.array(blocks, np.float32).reshape(-1, 4)))


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

    Where a page as wide as the room could hardly be read, blank paper beside its words is left
    out of view. room: logical pixels of the viewport. gap: pixels between and around pages.
    """
    points = row_points(document, state, page)
    whole = fitted(
        fit or state.fit,
        points,
        (room.width() - (state.across + 1) * gap, room.height() - 2 * gap),
        pixels_per_point,
    )
    if (fit or state.fit) is not Fit.WIDTH or not is_usual(document, state, points[0]):
        return whole
    blank, width = document.blank, points[0] * pixels_per_point
    words = width - (blank.left + blank.right) * pixels_per_point
    readable = (Size.PAGE - Size.SCROLL_BAR - 2 * gap) / width
    return max(whole, min(readable, room.width() / words))


def is_usual(document: OpenDocument, state: ViewState, width: float) -> bool:
    """Whether a row of this many points is one page whose blank sides are known."""
    return state.across == 1 and state.turn == 0 and width == document.blank.width


T = TypeVar("T")
_KEPT_PAGES = 400


class PageStore(QObject, Generic[T]):
    """Something of each page, by document and page; `get` never waits and never asks twice."""

    loaded = Signal(int, int)

    def __init__(
        self, read: Callable[[int, int], T], empty: T, tasks: Errands, parent: QObject
    ) -> None:
        """read: called on the thread of `tasks`. empty: of a page that cannot be read."""
        super().__init__(parent)
        self._read, self._empty, self._tasks = read, empty, tasks
        self._pages: OrderedDict[tuple[int, int], T] = OrderedDict()
        self._asked: set[tuple[int, int]] = set()

    def get(self, document_id: int, page: int) -> T | None:
        """Return what is here, else read it and emit `loaded` later."""
        key = (document_id, page)
        if key in self._pages:
            self._pages.move_to_end(key)
        elif key not in self._asked:
            self._asked.add(key)
            self._tasks.run(
                lambda: self._read(document_id, page),
                lambda found: self._keep(key, found),
                lambda _: self._keep(key, self._empty),
            )
        return self._pages.get(key)

    def with_pages(
        self, document_id: int, pages: Sequence[int], then: Callable[[dict[int, T]], None]
    ) -> None:
        """Call `then` with what all the pages hold, at once if it is all here."""
        keys = {page: (document_id, page) for page in pages}
        here = {page: self._pages[key] for page, key in keys.items() if key in self._pages}
        missing = [page for page in pages if page not in here]
        if not missing:
            then(here)
            return

        def keep(read: dict[int, T]) -> None:
            for page, found in read.items():
                self._asked.add(keys[page])
                self._keep(keys[page], found)
            then(here | read)

        self._tasks.run(lambda: {page: self._read(document_id, page) for page in missing}, keep)

    def forget(self, document_id: int, pages: Iterable[int]) -> None:
        """Read these pages anew when they are needed again."""
        for page in pages:
            self._pages.pop((document_id, page), None)
            self._asked.discard((document_id, page))

    def _keep(self, key: tuple[int, int], found: T) -> None:
        if key not in self._asked:
            return  # forgotten meanwhile
        self._asked.discard(key)
        self._pages[key] = found
        if len(self._pages) > _KEPT_PAGES:
            self._pages.popitem(last=False)
        self.loaded.emit(*key)


WordStore = PageStore[PageWords]


_REFRESH_MS = 2000


class OpenDocuments(QObject):
    """Documents and view states by id."""

    refreshed = Signal(int)
    """An open document has newer records now."""

    def __init__(
        self,
        source: Library,
        tasks: Errands,
        forget_images: Callable[[int], object],
        stores: Sequence[PageStore[Any]],
        parent: QObject,
    ) -> None:
        """stores: hold what was read of pages; they forget it when it has changed."""
        super().__init__(parent)
        self._source = source
        self._tasks = tasks
        self._forget_images = forget_images
        self._stores = stores
        self._documents: dict[int, OpenDocument] = {}
        self._states: dict[int, ViewState] = {}
        self._reading: set[int] = set()
        self._watch = QTimer(self, interval=_REFRESH_MS)
        self._watch.timeout.connect(self._refresh_incomplete)
        self._watch.start()

    def get(self, document_id: int) -> OpenDocument | None:
        return self._documents.get(document_id)

    def state(self, document_id: int) -> ViewState:
        """Return where a person was in the document; a new one takes the zoom last used."""
        if document_id not in self._states:
            last = next(reversed(self._states.values()), None)
            new = self._states[document_id] = ViewState()
            if last is not None:
                new.zoom, new.fit, new.across = last.zoom, last.fit, last.across
        return self._states[document_id]

    def put_state(self, document_id: int, state: ViewState) -> None:
        """Set where a person was in a document at an earlier time."""
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

        self._tasks.run(lambda: read_document(self._source, document_id), keep, failed)

    def close(self, document_id: int) -> None:
        """Forget a document and everything drawn and read from it."""
        document = self._documents.pop(document_id, None)
        self._states.pop(document_id, None)
        self._forget_images(document_id)
        if document is not None:
            self._forget(document, range(len(document.pages)))

    def refresh(self, document_id: int) -> None:
        """Read the records of an open document again."""
        if document_id not in self._documents or document_id in self._reading:
            return
        self._reading.add(document_id)
        self._tasks.run(
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
        known = {page.page: page for page in old.pages}
        if (old.path, old.password) != (new.path, new.password):
            self._forget_images(new.id)
            known.clear()
        self._forget(new, [page.page for page in new.pages if known.get(page.page) != page])
        self.refreshed.emit(new.id)

    def _forget(self, document: OpenDocument, pages: Sequence[int]) -> None:
        for store in self._stores:
            store.forget(document.id, pages)

    def _refresh_incomplete(self) -> None:
        for document_id, document in self._documents.items():
            if not document.complete or not document.pages:
                self.refresh(document_id)
