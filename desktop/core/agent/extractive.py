"""The answerer of the Lite profile: it quotes, it never writes.

Every statement is a sentence or a table row as it stands in a manual, with the boxes
of exactly these words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.agent.answering.answer import Answer, Statement
from desktop.core.agent.quote_choice import chosen_quotes
from desktop.core.agent.answering.safety import safety_blocks
from desktop.core.errors import DocumentNotFound
from desktop.core.events import PageRegion
from desktop.core.page_words import PageWords
from desktop.core.retrieval.confidence import confidence, support_of
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.quote_ranking import RankedQuote, rank_quotes
from desktop.core.retrieval.tokens import index_term_set
from desktop.core.structure.tables import CELL_SEPARATOR
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.geometry import Box
    from desktop.core.library.library import Library
    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.settings.sections import AgentSettings
    from desktop.models.roles import TextEmbedder

_MOST_LINES = 3
_MOST_LABELS = 8


class ExtractiveAnswerer:
    """Answers by quoting the library's pages."""

    def __init__(
        self, library: Library, embedder: TextEmbedder | None, settings: AgentSettings
    ) -> None:
        self._library = library
        self._embedder = embedder
        self._settings = settings

    def answer(self, question: str, evidence: Sequence[Evidence]) -> Answer:
        """Quote what answers `question`, or say that nothing in `evidence` does."""
        nearest = tuple(evidence[: self._settings.nearest_pages])
        if not evidence:
            return Answer(False, (), (), (), 1.0, "no page has any of these words")
        parsed = Question.parse(question)
        first = evidence[0]
        words = self._words(first)
        ranked = rank_quotes(parsed, first, words, self._embedder)
        support = support_of(parsed, evidence, ranked, words, self._embedder)
        sure = confidence(support, with_model=self._embedder is not None)
        if not ranked or sure < self._settings.least_confidence:
            reason = "no page says enough about what is asked"
            return Answer(False, (), (), nearest, 1 - sure, reason)
        statements = [_statement(q, first, parsed) for q in chosen_quotes(parsed, first, ranked)]
        other = _other_manual(parsed, evidence)
        if other is not None:
            quotes = rank_quotes(parsed, other, self._words(other), self._embedder)
            statements += [_statement(quote, other, parsed) for quote in quotes[:1]]
        safety = safety_blocks(statements, self._library.blocks)
        found_by = ", ".join(first.found_by)
        return Answer(True, tuple(statements), safety, (), sure, f"found by {found_by}")

    def _words(self, evidence: Evidence) -> PageWords:
        try:
            return self._library.page_words(evidence.document_id, evidence.page)
        except DocumentNotFound:  # deleted since the search: nothing of it may be quoted
            return PageWords.empty()


def _other_manual(question: Question, evidence: Sequence[Evidence]) -> Evidence | None:
    """Return the best page of a second manual, if the question is about two."""
    first = evidence[0]
    other = next((e for e in evidence[1:] if e.document_id != first.document_id), None)
    if other is None:
        return None
    return other if question.compares or other.score > 0.97 * first.score else None


def _statement(item: RankedQuote, evidence: Evidence, question: Question) -> Statement:
    source = PageRegion(
        evidence.document_id,
        evidence.document,
        evidence.page,
        evidence.label,
        _boxes_to_show(item, question),
    )
    text = _readable(item.quote, question)
    return Statement(text, source, text if item.quote.kind == "label" else item.quote.text)


def _readable(quote: Quote, question: Question) -> str:
    """Return what a person reads: a row with its column headings, of a drawing its caption."""
    if quote.kind == "label":
        return _drawing(quote, question)
    if quote.kind != "row":
        return quote.text
    cells = quote.text.split(CELL_SEPARATOR)
    headings = quote.context.split(CONTEXT_SEPARATOR)[-1].split(CELL_SEPARATOR)
    if len(cells) != len(headings) or len(cells) < 2:
        return quote.text
    return "; ".join(f"{heading}: {cell}" for heading, cell in zip(headings, cells, strict=True))


def _drawing(quote: Quote, question: Question) -> str:
    """Return a drawing's caption and those of its labels that the question names."""
    last = quote.context.split(CONTEXT_SEPARATOR)[-1]
    asked = {term for group in question.groups for term in group}
    labels = dict.fromkeys(w for w in quote.text.split() if asked & index_term_set(w))
    named = ", ".join(list(labels)[:_MOST_LABELS])
    return f"Drawing: {last} ({named})" if named else f"Drawing: {last}"


def _boxes_to_show(item: RankedQuote, question: Question) -> tuple[Box, ...]:
    """Return the boxes to highlight: of a long sentence, the lines that say what is asked."""
    quote = item.quote
    if len(quote.boxes) <= _MOST_LINES or quote.kind == "row":
        return quote.boxes
    values = []
    for line in quote.lines:
        terms = index_term_set(line)
        hits = sum(any(term in terms for term in group) for group in question.groups)
        values.append(hits + question.value_share(line))
    starts = range(len(values) - _MOST_LINES + 1)
    start = max(starts, key=lambda i: sum(values[i : i + _MOST_LINES]))
    return quote.boxes[start : start + _MOST_LINES]
