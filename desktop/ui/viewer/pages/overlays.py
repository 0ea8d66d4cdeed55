"""What lies on top of the pages: an answer's regions, find hits, selected words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.ui.viewer.find import FindHits
from desktop.ui.viewer.highlight import Highlights

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from desktop.core.geometry import Box
    from desktop.core.library.annotations import Annotation
    from desktop.ui.viewer.region import PageArea
    from desktop.ui.viewer.text.selection import Selection
    from desktop.ui.viewer.text.words import WordStore


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

    def __bool__(self) -> bool:
        seen = self.selected, self.hits, self.current_hit, self.regions, self.bookmarked
        return (
            any(seen) or bool(self.annotations) or self.framed is not None or self.heat is not None
        )


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
        current = self.highlights.current
        marks = PageMarks(
            selected=self._selected(document_id, page),
            hits=self.hits.on_page(page),
            regions=[
                (mark.number, mark.boxes, mark is current)
                for mark in self.highlights.on_page(document_id, page)
            ],
            annotations=tuple(each for each in self.annotations if each.page == page),
            annotation=self.annotation,
            heat=self.heat.get((document_id, page)),
            pulse=self.pulse,
            bookmarked=page in self.bookmarked,
        )
        area = self.region
        if area is not None and (area.document_id, area.page) == (document_id, page):
            marks.framed = area.box
        hit = self.hits.current
        if hit is not None and hit.page == page:
            marks.current_hit = hit.boxes
        return marks

    def _selected(self, document_id: int, page: int) -> tuple[Box, ...]:
        if self.selection is None or page not in self.selection.pages:
            return ()
        words = self._words.get(document_id, page)
        return self.selection.boxes(page, words) if words is not None else ()
