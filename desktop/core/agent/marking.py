"""Which boxes of a page the eye is led to for one quote of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop.core.retrieval.answer_signs import is_printed_question
from desktop.core.retrieval.asked_values import asked_kinds
from desktop.core.retrieval.drawing_labels import drawn_labels, named_labels
from desktop.core.retrieval.key_words import MOST_LENGTH, key_boxes
from desktop.core.retrieval.sheet_number import asked_sheet
from desktop.core.retrieval.tokens import index_term_set
from desktop.core.structure.sections import same_title
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.geometry import Box
    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.question import Question

# A second statement is marked, not filled: so many heights of its line. The first one is
# marked shorter than a lone one: marks for what is not sure must not cover the page.
_SHORT = 25.0
_FIRST_OF_SEVERAL = 50.0
# A heading with this share of what is asked, and so many of its words, names the place.
_HEADING_SHARE = 0.4
_HEADING_WORDS = 2
# In a drawing what lies this many heights of a label beside it belongs to it.
_BESIDE = 1.2
_MOST_LABELS = 12
# A drawing that takes this share of what is printed on a page shows many things: marked are
# those that are asked for.
_WHOLE_PAGE = 0.85


def marked_boxes(
    question: Question,
    page: Evidence,
    quote: Quote,
    words: PageWords,
    *,
    first: bool,
    alone: bool = True,
    listed: bool = False,
    heading: tuple[Box, ...] = (),
) -> tuple[Box, ...]:
    """Return the boxes of the words that answer, and of the heading that names their place.

    first: whether the answer begins with the quote. alone: whether it is all of the answer.
    listed: whether the answer is a list, as the steps of a procedure: each of its parts is
    marked as far as it is told, for half a step can say the opposite of the whole.
    heading: the printed question that the answer stands below; without it a heading is looked
    for.
    """
    if quote.kind == "label":
        labels = labels_named(question, quote, words)
        if labels and asked_kinds(question.text):  # else the drawing as a whole is the answer
            return tuple(words.hull([index]) for index in labels)
        named = _named_on_page(question, page, quote, words)
        if named:
            return named
    if listed and not quote.text.rstrip().endswith(":"):
        boxes = quote.boxes
    else:
        length = _SHORT if not first else MOST_LENGTH if alone else _FIRST_OF_SEVERAL
        boxes = key_boxes(question, page.term_weights, quote, words, length)
    if quote.kind == "row":
        return (*boxes, *_headings_above(boxes, quote, words))
    if not first:
        return boxes
    return (*boxes, *(heading or _heading_boxes(question, page, quote, printed=listed)))


def _named_on_page(
    question: Question, page: Evidence, quote: Quote, words: PageWords
) -> tuple[Box, ...]:
    """Return where a drawing that is the whole page names what is asked, else nothing."""
    whole = words.hull(range(len(words)))
    if not quote.indices or sum(box.area for box in quote.boxes) < _WHOLE_PAGE * whole.area:
        return ()
    labels = drawn_labels(quote.indices, words)
    named = named_labels(question, page.term_weights, labels)
    sheet = asked_sheet(question, quote.indices, words)
    return tuple(label.box for label in (*named, *sheet))


def labels_named(question: Question, quote: Quote, words: PageWords) -> tuple[int, ...]:
    """Return the words of a drawing that stand right beside a code the question names.

    The part number of push button S2 is what is written at S2. Empty if no code stands there.
    """
    codes = {term for group in question.groups for term in group if _is_code(term)}
    anchors = [i for i in quote.indices if codes & index_term_set(words.texts[i])]
    if not anchors or len(anchors) > _MOST_LABELS:
        return ()
    kept = {index for anchor in anchors for index in _beside(anchor, quote.indices, words)}
    return tuple(sorted(kept)) if len(kept) <= 2 * _MOST_LABELS else tuple(anchors)


def _is_code(term: str) -> bool:
    return any(c.isdigit() for c in term) and any(c.isalpha() for c in term)


def _beside(anchor: int, indices: Sequence[int], words: PageWords) -> list[int]:
    boxes = words.boxes[list(indices)]
    x0, y0, x1, y1 = words.boxes[anchor]
    reach = _BESIDE * min(x1 - x0, y1 - y0)
    apart_x = np.maximum(0, np.maximum(boxes[:, 0] - x1, x0 - boxes[:, 2]))
    apart_y = np.maximum(0, np.maximum(boxes[:, 1] - y1, y0 - boxes[:, 3]))
    near = (apart_x <= reach) & (apart_y <= reach)
    return [index for index, is_near in zip(indices, near, strict=True) if is_near]


def _headings_above(boxes: Sequence[Box], quote: Quote, words: PageWords) -> Iterator[Box]:
    """Yield where the headings of the columns stand that the marked cells of a row are in."""
    x, y = words.centres
    for header in quote.header:
        inside = (header.x0 <= x) & (x <= header.x1) & (header.y0 <= y) & (y <= header.y1)
        above = np.zeros(len(words), bool)
        for box in boxes:
            above |= (words.boxes[:, 0] < box.x1) & (words.boxes[:, 2] > box.x0)
        kept = np.flatnonzero(inside & above).tolist()
        if kept:
            yield words.hull(kept)


def _heading_boxes(
    question: Question, page: Evidence, quote: Quote, *, printed: bool
) -> tuple[Box, ...]:
    """Return where the heading of the quote stands, if it says much of what is asked.

    printed: only that of a printed question: the marks of a list lead the eye already.
    """
    weights = page.term_weights or (1.0,) * len(question.groups)
    sections = quote.context.split(CONTEXT_SEPARATOR)
    best: tuple[Box, ...] = ()
    most = _HEADING_SHARE * sum(weights)
    for passage in page.passages:
        if passage.kind != "heading":
            continue
        if not any(same_title(passage.text, section) for section in sections):
            continue
        if printed and not is_printed_question(passage.text):
            continue
        terms = index_term_set(passage.text)
        said = [
            weight
            for weight, group in zip(weights, question.groups, strict=True)
            if terms.intersection(group)
        ]
        if len(said) >= _HEADING_WORDS and sum(said) >= most and passage.boxes != quote.boxes:
            best, most = passage.boxes, sum(said)
    return best
