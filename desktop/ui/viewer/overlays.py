"""What is marked on the pages of an open manual: regions, hits, selected words, a frame, pens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from desktop.core.whole_words import whole_text

if TYPE_CHECKING:
    from desktop.core.events import PageRegion
    from desktop.core.geometry import Box
    from desktop.core.library.annotations import Annotation
    from desktop.core.page_words import PageWords
    from desktop.ui.viewer.document import WordStore


@dataclass(frozen=True, slots=True)
class Highlight:
    """One region, as shown: numbered like its citation, else from 1 over all regions."""

    number: int
    document_id: int
    page: int
    boxes: tuple[Box, ...]


def numbered(places: Sequence[PageRegion], numbers: Sequence[int]) -> list[PageRegion | Highlight]:
    """Return places that the viewer numbers like these citations: notes take numbers too."""
    if list(numbers) == list(range(1, len(places) + 1)):
        return list(places)
    return [_highlight(*pair) for pair in zip(numbers, places, strict=True)]


def _highlight(number: int, place: PageRegion) -> Highlight:
    return Highlight(number, place.document_id, place.page, place.regions)


class Highlights:
    """All regions of an answer, possibly in several manuals."""

    def __init__(self, regions: Sequence[PageRegion | Highlight] = (), current: int = 0) -> None:
        self._all = tuple(
            region if isinstance(region, Highlight) else _highlight(place, region)
            for place, region in enumerate(regions, start=1)
        )
        self._current = min(max(current, 0), max(len(self._all) - 1, 0))

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Highlight]:
        return iter(self._all)

    @property
    def current(self) -> Highlight | None:
        return self._all[self._current] if self._all else None

    @property
    def number(self) -> int:
        """Number of the current one, from 1."""
        return self._current + 1

    def step(self, by: int) -> None:
        """Make the next (or previous) region current, wrapping around."""
        if self._all:
            self._current = (self._current + by) % len(self._all)

    def point_at(self, number: int) -> bool:
        """Make the region of a citation current; returns whether there is one."""
        place = next((at for at, mark in enumerate(self._all) if mark.number == number), None)
        if place is not None:
            self._current = place
        return place is not None

    def on_page(self, document_id: int, page: int) -> list[Highlight]:
        """Return the regions on a page, the current one last so that it is drawn on top."""
        found = [mark for mark in self._all if (mark.document_id, mark.page) == (document_id, page)]
        return sorted(found, key=lambda mark: mark is self.current)

    def without_document(self, document_id: int) -> Highlights:
        """Return the highlights that remain when a document is gone."""
        return Highlights([mark for mark in self._all if mark.document_id != document_id])


MOST_HITS = 5000


@dataclass(frozen=True, slots=True)
class FindHit:
    """One hit: its page and a box per line that it covers."""

    page: int
    boxes: tuple[Box, ...]


class FindHits:
    """Hits in the order of the document; the current one is at or after a start page."""

    def __init__(self, start_page: int = 0) -> None:
        self._hits: list[FindHit] = []
        self._by_page: defaultdict[int, list[tuple[Box, ...]]] = defaultdict(list)
        self._start_page = start_page
        self._current: int | None = None
        self.finished = False

    def __len__(self) -> int:
        return len(self._hits)

    @property
    def full(self) -> bool:
        """Whether no more hits are taken."""
        return len(self._hits) >= MOST_HITS

    @property
    def current(self) -> FindHit | None:
        return None if self._current is None else self._hits[self._current]

    @property
    def number(self) -> int:
        """Number of the current one, from 1."""
        return (self._current or 0) + 1

    def add(self, hits: Sequence[FindHit]) -> bool:
        """Append hits; tell whether one of them became the current one."""
        was = self._current
        for hit in hits:
            self._hits.append(hit)
            self._by_page[hit.page].append(hit.boxes)
            if self._current is None and hit.page >= self._start_page:
                self._current = len(self._hits) - 1
        return self._current != was

    def finish(self) -> bool:
        """Note that no more hits come; tell whether the first became the current one."""
        self.finished = True
        if self._current is None and self._hits:
            self._current = 0
            return True
        return False

    def step(self, by: int) -> None:
        """Make the next (or previous) hit current, wrapping around."""
        if self._hits:
            self._current = ((self._current or 0) + by) % len(self._hits)

    def on_page(self, page: int) -> list[tuple[Box, ...]]:
        return self._by_page.get(page, [])


@dataclass(frozen=True, slots=True, order=True)
class WordPlace:
    """One word of a document: page and index in the page's reading order."""

    page: int
    word: int


def joined(words: PageWords, indices: Iterable[int]) -> str:
    """Return some words of a page in reading order, with the page's line breaks."""
    lines = groupby(indices, key=lambda index: words.lines[index])
    return whole_text(
        "\n".join(" ".join(words.texts[index] for index in line) for _, line in lines)
    )


@dataclass(frozen=True, slots=True)
class Selection:
    """All words from `anchor` to `focus`, both included, in either direction."""

    anchor: WordPlace
    focus: WordPlace

    @property
    def first(self) -> WordPlace:
        return min(self.anchor, self.focus)

    @property
    def last(self) -> WordPlace:
        return max(self.anchor, self.focus)

    @property
    def pages(self) -> range:
        """The pages it touches."""
        return range(self.first.page, self.last.page + 1)

    def span(self, page: int, words: PageWords) -> tuple[int, int] | None:
        """Return the first and last selected word of a page, None if there is none."""
        if page not in self.pages or not len(words):
            return None
        start = self.first.word if page == self.first.page else 0
        end = self.last.word if page == self.last.page else len(words) - 1
        end = min(end, len(words) - 1)
        return (start, end) if start <= end else None

    def boxes(self, page: int, words: PageWords) -> tuple[Box, ...]:
        """Return one box per selected line of the page."""
        span = self.span(page, words)
        return words.line_boxes(*span) if span else ()

    def text(self, pages: Mapping[int, PageWords]) -> str:
        """Return the selected text, with the line breaks of the page."""
        spans = ((pages[page], self.span(page, pages[page])) for page in self.pages)
        return "\n".join(
            joined(words, range(span[0], span[1] + 1)) for words, span in spans if span
        )


@dataclass(frozen=True, slots=True)
class PageArea:
    """page: from 0. box: PDF points, top-left origin, page as displayed."""

    document_id: int
    page: int
    box: Box


@dataclass(slots=True)
class PageMarks:
    """Everything to paint on one page; boxes in points of the displayed page."""

    selected: tuple[Box, ...] = ()
    hits: list[tuple[Box, ...]] = field(default_factory=list)
    current_hit: tuple[Box, ...] = ()
    regions: list[tuple[int, tuple[Box, ...], bool]] = field(default_factory=list)
    """(number, boxes, whether it is the current one)"""
    annotations: tuple[Annotation, ...] = ()
    annotation: int = 0
    """The id of the one that is open, 0 for none."""
    pulse: float = 0.0
    """How strongly the current region draws the eye, from 1 down to 0."""
    framed: Box | None = None
    """What a person framed."""
    bookmarked: bool = False
    heat: QImage | None = None
    """Laid over the whole page."""


class Overlays:
    """The marks of the document in view."""

    def __init__(self, words: WordStore) -> None:
        self.highlights = Highlights()
        self.hits = FindHits()
        self.selection: Selection | None = None
        self.heat: dict[tuple[int, int], QImage] = {}
        """Document and page -> where it looks like the question."""
        self.region: PageArea | None = None
        self.annotations: tuple[Annotation, ...] = ()
        """Of the document in view."""
        self.annotation = 0
        """The id of the one that is open, 0 for none."""
        self.bookmarked: frozenset[int] = frozenset()
        """Pages of the document in view."""
        self.pulse = 0.0
        self._words = words

    def on_page(self, document_id: int, page: int) -> PageMarks:
        """Return what is to be painted on a page."""
        here, hit, framed = (document_id, page), self.hits.current, self.region
        return PageMarks(
            selected=self._selected(document_id, page),
            hits=self.hits.on_page(page),
            current_hit=hit.boxes if hit is not None and hit.page == page else (),
            regions=[
                (mark.number, mark.boxes, mark is self.highlights.current)
                for mark in self.highlights.on_page(document_id, page)
            ],
            annotations=tuple(each for each in self.annotations if each.page == page),
            annotation=self.annotation,
            pulse=self.pulse,
            framed=framed.box if framed and (framed.document_id, framed.page) == here else None,
            bookmarked=page in self.bookmarked,
            heat=self.heat.get(here),
        )

    def current_place(self, document_id: int) -> tuple[int, tuple[Box, ...]] | None:
        """Return page and boxes of the hit, else of the answer's passage, that is current."""
        hit, passage = self.hits.current, self.highlights.current
        if hit is not None:
            return hit.page, hit.boxes
        if passage is not None and passage.document_id == document_id and passage.boxes:
            return passage.page, passage.boxes
        return None

    def _selected(self, document_id: int, page: int) -> tuple[Box, ...]:
        if self.selection is None or page not in self.selection.pages:
            return ()
        words = self._words.get(document_id, page)
        return self.selection.boxes(page, words) if words is not None else ()
