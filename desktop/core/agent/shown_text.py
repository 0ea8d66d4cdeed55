"""What a person reads of a quote: a row with its headings, a drawing's caption, no page of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.agent.answering.column_units import caption_unit, unit_of
from desktop.core.retrieval.drawing_labels import drawn_labels, labels_beside, named_labels
from desktop.core.retrieval.grounding import STEP
from desktop.core.retrieval.key_words import clauses, key_span
from desktop.core.retrieval.sheet_number import asked_sheet
from desktop.core.sentences import said
from desktop.core.spoken import in_language, language_of
from desktop.core.structure.tables import CELL_SEPARATOR
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.question import Question

# A quote with more words than this is cut at clauses or cells down to about so many.
_MOST_WORDS = 60
_KEPT_WORDS = 45
_LEFT_OUT = "…"
# Signs that fill a table's cell by themselves.
_SIGNS = frozenset("-–—+±✓✔✗✘×•●○")


def shown_text(
    quote: Quote, question: Question, weights: Sequence[float], words: PageWords
) -> tuple[str, str]:
    """Return what is said of a quote, and the words of it that stand so on the page.

    weights: of the question's term groups. A step is never cut.
    """
    if quote.kind == "label":
        drawing = _drawing(quote, question, weights, words)
        return drawing, drawing
    if quote.kind == "row":
        named = _with_headings(quote)
        if named:
            return named, quote.text
    if len(quote.text.split()) <= _MOST_WORDS or STEP.match(quote.text):
        return quote.text, quote.text
    key = set(key_span(question, weights, quote, words).indices)
    parts = _cells(quote) if quote.kind == "row" else _clauses(quote, words)
    first, last = _window([(len(text.split()), bool(key & own)) for text, own in parts])
    between = CELL_SEPARATOR if quote.kind == "row" else " "
    kept = between.join(text for text, _ in parts[first:last])
    before = f"{_LEFT_OUT} " if first else ""
    after = f" {_LEFT_OUT}" if last < len(parts) else ""
    return f"{before}{kept}{after}", kept


def _with_headings(quote: Quote) -> str:
    """Return the filled cells of a row, each after its column heading; "" without headings.

    A unit that only the caption gives follows in its brackets.
    """
    cells = quote.text.split(CELL_SEPARATOR)
    *above, last = quote.context.split(CONTEXT_SEPARATOR)
    headings = last.split(CELL_SEPARATOR)
    if len(cells) != len(headings) or len(cells) < 2:
        return ""
    pairs = zip(headings, cells, strict=True)
    shown = "; ".join(f"{heading}: {cell}" for heading, cell in pairs if _says_something(cell))
    unit = (
        "" if any(unit_of(heading) for heading in headings) else caption_unit("".join(above[-1:]))
    )
    return f"{shown} {unit}" if unit else shown


def _says_something(cell: str) -> bool:
    """Whether a cell is neither empty nor a mere sign of an icon font."""
    return any(character.isalnum() or character in _SIGNS for character in cell)


def _cells(quote: Quote) -> list[tuple[str, set[int]]]:
    """Return text and words of each cell."""
    texts = quote.text.split(CELL_SEPARATOR)
    return [(text, set(cell)) for text, cell in zip(texts, quote.cells, strict=True)]


def _clauses(quote: Quote, words: PageWords) -> list[tuple[str, set[int]]]:
    """Return text and words of each clause."""
    texts = [words.texts[index] for index in quote.indices]
    return [
        (" ".join(texts[first:last]), set(quote.indices[first:last]))
        for first, last in clauses(texts)
    ]


def _window(parts: Sequence[tuple[int, bool]]) -> tuple[int, int]:
    """Return first and last + 1 of the parts to keep.

    parts: number of words, and whether the key is in it. From the beginning if the key comes
    soon enough, else around it.
    """
    held = [index for index, (_, is_key) in enumerate(parts) if is_key] or [0]
    first, last = held[0], held[-1] + 1

    def size(begin: int, end: int) -> int:
        return sum(count for count, _ in parts[begin:end])

    if size(0, last) <= _KEPT_WORDS:
        first = 0
    while first and size(first - 1, last) <= _KEPT_WORDS:
        first -= 1
    while last < len(parts) and size(first, last + 1) <= _KEPT_WORDS:
        last += 1
    return first, last


def _drawing(quote: Quote, question: Question, weights: Sequence[float], words: PageWords) -> str:
    """Return a drawing's caption, the labels that the question names, and what is beside them."""
    last = quote.context.split(CONTEXT_SEPARATOR)[-1]
    labels = drawn_labels(quote.indices, words)
    named = named_labels(question, weights, labels)
    language = language_of(question.text, words.text)
    found = []
    for label in named:
        beside = [other.text for other in labels_beside(label, labels) if other not in named]
        with_others = said("{label} (beside {others})", label=label.text, others=", ".join(beside))
        found.append(in_language(with_others, language) if beside else label.text)
    found += [sheet.text for sheet in asked_sheet(question, quote.indices, words)]
    told = said("Drawing: {caption}", caption=last)
    if found:
        caption, listed = last.rstrip(".:"), "; ".join(found)
        told = said("Drawing: {caption}: {labels}", caption=caption, labels=listed)
    return in_language(told, language)
