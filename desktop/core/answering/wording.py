"""What a person reads of a quote: a row with its headings, a drawing with its caption."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.sentences import said
from desktop.core.structure.tables import CELL_SEPARATOR
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from desktop.core.retrieval.grounding import Quote

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
