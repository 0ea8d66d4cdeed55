"""Procedures that a drawing shows: which keys lead from menu to menu.

A chart of menus tells a way through them better than any sentence about it, and what a caption
announces is its drawing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.retrieval.answer_signs import asks_for_figure
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.question import Question
    from desktop.core.retrieval.quote_ranking import RankedQuote

_KEYS = re.compile(
    r"\b(keys?|key ?press\w*|sequences?|navigat\w*|screens?|walk me|menus?|menüs?|tasten?\w*)\b",
    re.IGNORECASE,
)
_WAY = re.compile(r"\b(sequence|path|press\w*|drücke?n?)\b", re.IGNORECASE)
# A chart has at least so many words, and this share of what the best quote has of the question.
_FEWEST_WORDS = 6
_AS_MUCH = 0.5


def with_drawn_procedure(
    question: Question, page: Evidence, ranked: Sequence[RankedQuote]
) -> list[RankedQuote]:
    """Return quotes, best first, with the drawing first that shows how something is done.

    Unchanged if a way is not asked for, or no drawing of the page shows as much of it.
    """
    best = ranked[0]
    drawing = None
    way = question.procedure or bool(_WAY.search(question.text))
    if best.quote.kind != "label" and way and _KEYS.search(question.text):
        drawing = _chart(question, page, ranked)
    if drawing is None and best.quote.kind == "caption" and (way or asks_for_figure(question)):
        drawing = _drawing_of(best, ranked)
    if drawing is None:
        return list(ranked)
    return [replace(drawing, score=best.score), *(item for item in ranked if item is not drawing)]


def _chart(question: Question, page: Evidence, ranked: Sequence[RankedQuote]) -> RankedQuote | None:
    """Return the drawing that names most of what is asked, None if none names enough."""
    weights = np.array(page.term_weights or (1.0,) * len(question.groups))
    drawings = [
        item
        for item in ranked
        if item.quote.kind == "label" and len(item.quote.indices) >= _FEWEST_WORDS
    ]
    said = [float(weights @ np.array(item.covered, bool)) for item in (ranked[0], *drawings)]
    if not drawings or max(said[1:]) <= 0 or max(said[1:]) < _AS_MUCH * said[0]:
        return None
    return drawings[int(np.argmax(said[1:]))]


def _drawing_of(caption: RankedQuote, ranked: Sequence[RankedQuote]) -> RankedQuote | None:
    """Return the drawing that stands at a caption."""
    text = caption.quote.text.strip()
    for item in ranked:
        last = item.quote.context.split(CONTEXT_SEPARATOR)[-1]
        if item.quote.kind == "label" and last.strip() == text:
            return item
    return None
