"""Which words of a document are selected, and what is copied.

The index knows words, not letters, so a selection is a run of words in reading order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.core.geometry import Box
    from desktop.core.page_words import PageWords

_LINE_WEIGHT = 4.0
"""Words above and below count as this much farther away than words beside."""


@dataclass(frozen=True, slots=True, order=True)
class WordPlace:
    """One word of a document: page and index in the page's reading order."""

    page: int
    word: int


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
        parts = []
        for page in self.pages:
            span = self.span(page, pages[page])
            if span:
                parts.append(_text_of(pages[page], *span))
        return "\n".join(parts)


def word_at(words: PageWords, x: float, y: float) -> int | None:
    """Return the word whose box holds the point (points of the page), or None."""
    inside = (
        (words.boxes[:, 0] <= x)
        & (x <= words.boxes[:, 2])
        & (words.boxes[:, 1] <= y)
        & (y <= words.boxes[:, 3])
    )
    found = np.flatnonzero(inside)
    return int(found[0]) if len(found) else None


def nearest_word(words: PageWords, x: float, y: float) -> int | None:
    """Return the word nearest to the point, words of its own line first; None if no words."""
    if not len(words):
        return None
    beside = np.maximum(0, np.maximum(words.boxes[:, 0] - x, x - words.boxes[:, 2]))
    above = np.maximum(0, np.maximum(words.boxes[:, 1] - y, y - words.boxes[:, 3]))
    return int(np.argmin(beside + above * _LINE_WEIGHT))


def next_word(words: PageWords, word: int, key: Qt.Key) -> int:
    """Return the word that an arrow key leads to from another one, itself at the page's ends."""
    if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
        step = 1 if key == Qt.Key.Key_Right else -1
        return min(max(word + step, 0), len(words) - 1)
    line = words.lines[word] + (1 if key == Qt.Key.Key_Down else -1)
    there = np.flatnonzero(words.lines == line)
    if not len(there):
        return len(words) - 1 if key == Qt.Key.Key_Down else 0
    middles = (words.boxes[:, 0] + words.boxes[:, 2]) / 2
    return int(there[np.argmin(np.abs(middles[there] - middles[word]))])


def words_inside(words: PageWords, box: Box) -> str:
    """Return the words whose middle lies in a box of the page, with the page's line breaks."""
    across = (words.boxes[:, 0] + words.boxes[:, 2]) / 2
    down = (words.boxes[:, 1] + words.boxes[:, 3]) / 2
    inside = (box.x0 <= across) & (across <= box.x1) & (box.y0 <= down) & (down <= box.y1)
    parts: list[str] = []
    last = -1
    for index in np.flatnonzero(inside):
        if parts:
            parts.append(" " if words.lines[index] == words.lines[last] else "\n")
        parts.append(words.texts[index])
        last = int(index)
    return "".join(parts)


def whole_page(page: int, words: PageWords) -> Selection | None:
    """Return the selection of everything on a page, None if it has no words."""
    if not len(words):
        return None
    return Selection(WordPlace(page, 0), WordPlace(page, len(words) - 1))


def citation(text: str, title: str, pages: range, label_of: Callable[[int], str]) -> str:
    """Return the text as a quotation with its source: "text" — Title, p. 4-11."""
    first, last = label_of(pages.start), label_of(pages.stop - 1)
    if first == last:
        where = _tr("p. {page}").format(page=first)
    else:
        where = _tr("pp. {first} to {last}").format(first=first, last=last)
    return f"“{' '.join(text.split())}” — {title}, {where}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("Citation", text)


def _text_of(words: PageWords, first: int, last: int) -> str:
    parts = [words.texts[first]]
    for index in range(first + 1, last + 1):
        same_line = words.lines[index] == words.lines[index - 1]
        parts.append(" " if same_line else "\n")
        parts.append(words.texts[index])
    return "".join(parts)
