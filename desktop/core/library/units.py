"""The units of candidate pages, read from the library with their terms."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from desktop.core.geometry import Box
from desktop.core.page_words import PageWords
from desktop.core.question.tokens import term_sequence

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    import apsw

# Pages whose layout is not read yet are searched by runs of this many lines.
_LINES_PER_RUN = 3
NOT_STORED = 0
"""The id of such a run, and of the passages made of it."""
_BOX = struct.Struct("<4f")
_id = attrgetter("id")


class StoredUnit(NamedTuple):
    """A row of the units table; id NOT_STORED for a run of lines of a page without layout yet.

    A tuple, because a question reads a thousand of these rows.
    """

    id: int
    kind: str
    text: str
    context: str
    box_data: bytes
    header_data: bytes
    language: str

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Where its words are; decoded on request, as most units are only compared."""
        return stored_boxes(self.box_data)

    @property
    def header_boxes(self) -> tuple[Box, ...]:
        """Where the table header or lead-in is."""
        return stored_boxes(self.header_data)

    @property
    def terms(self) -> dict[str, int]:
        """Index terms of the text with how often they occur."""
        return _terms(self.text, self.language)


@dataclass(frozen=True, slots=True)
class Passage:
    """A searchable unit of a page, as it was found.

    unit_id: row of the library's units table. text: quotable words. context: headings,
    table header or lead-in. boxes: PDF points, top-left origin, page as displayed.
    score: 0 to 1, relative to the best unit that the search read; the passage is the same
    whatever it scores.
    """

    unit_id: int
    kind: str
    text: str
    context: str
    boxes: tuple[Box, ...] = field(hash=False)
    header_boxes: tuple[Box, ...] = field(hash=False)
    score: float = field(default=0.0, compare=False)

    @classmethod
    def of(cls, unit: StoredUnit) -> Passage:
        """Return a unit of the library, not scored."""
        return cls(unit.id, unit.kind, unit.text, unit.context, unit.boxes, unit.header_boxes)


@lru_cache(maxsize=50_000)
def _terms(text: str, language: str) -> dict[str, int]:
    # plain: tens of thousands of objects that the garbage collector need not look at
    counts: dict[str, int] = {}
    for term in term_sequence(text, language):
        counts[term] = counts.get(term, 0) + 1
    return counts


def units_of_pages(
    connection: apsw.Connection, page_ids: Collection[int]
) -> dict[int, list[StoredUnit]]:
    """Return page id -> its units in reading order; runs of lines where there are none."""
    found: dict[int, list[StoredUnit]] = {page_id: [] for page_id in page_ids}
    marks = ",".join("?" * len(page_ids))
    languages = dict(connection.execute("SELECT id, language FROM documents"))
    rows = connection.execute(
        "SELECT page_id, document_id, id, kind, text, context, boxes, header_boxes"
        f" FROM units WHERE page_id IN ({marks})",
        tuple(page_ids),
    )
    for page_id, document_id, unit_id, kind, text, context, boxes, header in rows:
        language = languages[document_id]
        found[page_id].append(StoredUnit(unit_id, kind, text, context, boxes, header, language))
    for units in found.values():  # the index yields them so, but nothing promises it
        units.sort(key=_id)
    bare = [page_id for page_id, units in found.items() if not units]
    if bare:
        found.update(_line_runs(connection, bare))
    return found


def _line_runs(
    connection: apsw.Connection, page_ids: Sequence[int]
) -> Iterable[tuple[int, list[StoredUnit]]]:
    marks = ",".join("?" * len(page_ids))
    rows = connection.execute(
        "SELECT w.page_id, w.words, d.title, d.language FROM page_words w"
        " JOIN pages p ON p.id = w.page_id JOIN documents d ON d.id = p.document_id"
        f" WHERE w.page_id IN ({marks})",
        tuple(page_ids),
    )
    for page_id, data, title, language in rows:
        yield page_id, _runs(PageWords.from_bytes(data), title, language)


def _runs(words: PageWords, title: str, language: str) -> list[StoredUnit]:
    starts = [0, *(int(i) + 1 for i in np.flatnonzero(np.diff(words.lines)))] if len(words) else []
    ends = [*starts[1:], len(words)]
    units = []
    for first in range(0, len(starts), _LINES_PER_RUN):
        last = min(first + _LINES_PER_RUN, len(starts)) - 1
        a, b = starts[first], ends[last] - 1
        text = " ".join(words.texts[a : b + 1])
        boxes = np.array([box.as_tuple() for box in words.line_boxes(a, b)], "<f4")
        units.append(
            StoredUnit(NOT_STORED, "paragraph", text, title, boxes.tobytes(), b"", language)
        )
    return units


@lru_cache(maxsize=4_096)  # the rows of a table share their header, and a page is read twice
def stored_boxes(data: bytes) -> tuple[Box, ...]:
    """Return the boxes of a unit as the library keeps them."""
    return tuple(Box(*row) for row in _BOX.iter_unpack(data))
