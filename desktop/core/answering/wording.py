"""What a person reads of a quote: a row with its headings, a drawing with its caption."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.answering.asked_cell import asked_cell
from desktop.core.events import QuotedForm
from desktop.core.retrieval.grounding import STEP
from desktop.core.sentences import said
from desktop.core.structure.tables import CELL_SEPARATOR
from desktop.core.structure.units import CONTEXT_SEPARATOR, without_title

if TYPE_CHECKING:
    from desktop.core.events import QuotedKind
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.query import Question
    from desktop.models.roles import TextEmbedder

_MOST_DRAWN_WORDS = 40
_LEFT_OUT = "…"
# Signs that fill a table's cell by themselves.
_SIGNS = frozenset("-–—+±✓✔✗✘×•●○")


def shown_text(quote: Quote) -> str:
    """Return what is said of a quote."""
    if quote.kind == "label":
        return _drawing(quote)
    if quote.kind == "row":
        return _with_headings(quote) or quote.text
    return quote.text


def quoted_form(quote: Quote, question: Question, embedder: TextEmbedder | None) -> QuotedForm:
    """Return how a quote stands on its page, and of a row which cell answers the question."""
    told = shown_text(quote).strip()
    section = tuple(part for part in without_title(quote.context).split(CONTEXT_SEPARATOR) if part)
    cells = quote.text.split(CELL_SEPARATOR)
    if quote.kind != "row" or len(cells) < 2:
        return QuotedForm(_kind(quote), told, section)
    headings = tuple(section[-1].split(CELL_SEPARATOR)) if section else ()
    headed = len(headings) == len(cells)
    asked = asked_cell(question, headings, cells, embedder)
    return QuotedForm(
        "row",
        told,
        section[:-1] if headed else section,
        headings if headed else (),
        tuple(cells),
        asked,
    )


def _kind(quote: Quote) -> QuotedKind:
    if quote.kind == "label":
        return "drawing"
    if STEP.match(quote.text):
        return "step"
    return "item" if quote.kind == "item" else "text"


def _with_headings(quote: Quote) -> str:
    """Return the filled cells of a row, each after its column heading; "" without headings."""
    cells = quote.text.split(CELL_SEPARATOR)
    headings = quote.context.split(CONTEXT_SEPARATOR)[-1].split(CELL_SEPARATOR)
    if len(cells) != len(headings) or len(cells) < 2:
        return ""
    pairs = zip(headings, cells, strict=True)
    return "; ".join(f"{heading}: {cell}" for heading, cell in pairs if _says_something(cell))


def _says_something(cell: str) -> bool:
    """Whether a cell is neither empty nor a mere sign of an icon font."""
    return any(character.isalnum() or character in _SIGNS for character in cell)


def _drawing(quote: Quote) -> str:
    """Return a drawing's caption, or its first words where it has none."""
    caption = quote.context.split(CONTEXT_SEPARATOR)[-1]
    words = quote.text.split()
    labels = " ".join(words[:_MOST_DRAWN_WORDS]) + (
        f" {_LEFT_OUT}" if len(words) > _MOST_DRAWN_WORDS else ""
    )
    return said("Drawing: {caption}: {labels}", caption=caption.rstrip(".:"), labels=labels)
