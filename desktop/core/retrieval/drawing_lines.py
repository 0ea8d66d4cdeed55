"""Lines of words in a drawing: rows to look at, but not the rows of a table.

What stands on one height of a diagram or of a chart of menus lies together by chance.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.core.retrieval.answer_wording import is_table
from desktop.core.retrieval.asked_values import asked_kinds, missing_share, without_own_codes
from desktop.core.structure.tables import CELL_SEPARATOR
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.question import Question
    from desktop.core.retrieval.quote_ranking import RankedQuote

# A line lies in a drawing if this share of it does.
_INSIDE = 0.9


def drawing_lines(quotes: Sequence[Quote]) -> list[bool]:
    """Return for each quote whether it is a line of words that merely lie side by side.

    That is a row inside a drawing, unless what is taken for a drawing is a numbered table.
    """
    return [_drawing_of(quote, quotes) is not None for quote in quotes]


def with_drawing_first(question: Question, ranked: Sequence[RankedQuote]) -> list[RankedQuote]:
    """Return quotes, best first, with the whole drawing in place of its lines if one leads.

    Not if that line shows a value of the kind that is asked for, nor if it is a sentence.
    """
    best = ranked[0]
    frame = _drawing_of(best.quote, [item.quote for item in ranked])
    if frame is None or CELL_SEPARATOR not in best.quote.text:
        return list(ranked)
    kinds = asked_kinds(question.text)
    shown = without_own_codes(best.quote.text, question.text)
    if kinds and missing_share(kinds, shown) < 1:
        return list(ranked)
    drawing = next(item for item in ranked if item.quote is frame)
    others = [item for item in ranked if item is not drawing and not _inside(item.quote, frame)]
    return [replace(drawing, score=best.score), *others]


def _drawing_of(quote: Quote, quotes: Sequence[Quote]) -> Quote | None:
    if quote.kind != "row" or is_table(quote.context.split(CONTEXT_SEPARATOR)[-2:]):
        return None
    drawings = (each for each in quotes if each.kind == "label")
    return next((drawing for drawing in drawings if _inside(quote, drawing)), None)


def _inside(quote: Quote, drawing: Quote) -> bool:
    return bool(quote.boxes) and any(
        all(box.overlap_share(frame) > _INSIDE for box in quote.boxes) for frame in drawing.boxes
    )
