"""The answerer of the Lite profile: it quotes, it never writes.

Every statement is a sentence or a table row as it stands in a manual, with the boxes
of exactly these words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.agent.answer import Answer, Statement
from desktop.core.agent.safety import safety_blocks
from desktop.core.errors import DocumentNotFound
from desktop.core.events import PageRegion
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.quote_ranking import RankedQuote, rank_quotes
from desktop.core.retrieval.tokens import index_terms
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

# A second quote must add this share of what was asked and be nearly as good as the first.
_ADDS = 0.12
_NEARLY = 0.7
# After "...:" the lines that follow are the answer, up to this many.
_MOST_ITEMS = 5
_MOST_LINES = 3
_STEP = re.compile(r"^\(?(\d{1,2})[.)]\s")
_MOST_STEPS = 12


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
        confidence = evidence[0].confidence
        if confidence < self._settings.least_confidence:
            reason = "no page says enough about what is asked"
            return Answer(False, (), (), nearest, 1 - confidence, reason)
        statements = self._statements(Question.parse(question), evidence)
        if not statements:
            reason = "the nearest page has nothing that can be quoted"
            return Answer(False, (), (), nearest, 1 - confidence, reason)
        safety = safety_blocks(statements, self._library.blocks)
        found_by = ", ".join(evidence[0].found_by)
        return Answer(True, statements, safety, (), confidence, f"found by {found_by}")

    def _statements(
        self, question: Question, evidence: Sequence[Evidence]
    ) -> tuple[Statement, ...]:
        first = evidence[0]
        statements = [_statement(q, first, question) for q in self._quotes(question, first)]
        other = _other_manual(question, evidence)
        if other is not None and other.confidence >= self._settings.least_confidence:
            statements += [
                _statement(q, other, question) for q in self._quotes(question, other)[:1]
            ]
        return tuple(statements)

    def _quotes(self, question: Question, evidence: Evidence) -> list[RankedQuote]:
        """Return the quotes of a page that make the answer, in the order to say them."""
        try:
            words = self._library.page_words(evidence.document_id, evidence.page)
        except DocumentNotFound:  # deleted since the search: nothing of it may be quoted
            return []
        ranked = rank_quotes(question, evidence, words, self._embedder)
        if not ranked:
            return []
        by_position = sorted(ranked, key=lambda item: item.position)
        best = ranked[0]
        if question.procedure:
            steps = numbered_steps(by_position, best)
            if steps:
                return steps
        if best.quote.kind == "heading" and not question.place:
            best = next(
                (q for q in by_position[best.position :] if q.quote.kind != "heading"), best
            )
        text = best.quote.text.rstrip()
        if text.endswith("?") and best.position + 1 < len(by_position):
            return [by_position[best.position + 1]]
        if text.endswith(":"):
            return [best, *_items_after(best, by_position)]
        return [best, *(_addition(question, evidence, ranked) if question.several else ())]


def numbered_steps(by_position: Sequence[RankedQuote], best: RankedQuote) -> list[RankedQuote]:
    """Return the whole list of steps in the section of the best quote, [] if there is none."""
    runs: list[list[RankedQuote]] = []
    for item in by_position:
        match = _STEP.match(item.quote.text)
        if match is None:
            continue
        number = int(match.group(1))
        if number == 1:
            runs.append([item])
        elif runs and number == len(runs[-1]) + 1:
            runs[-1].append(item)
    for run in runs:
        if len(run) > 1 and _same_section(run[0].quote.context, best.quote.context):
            return run[:_MOST_STEPS]
    return []


def _same_section(one: str, other: str) -> bool:
    """Whether two contexts are one section; a list's lead-in may follow in one of them."""
    return one.startswith(other) or other.startswith(one)


def _items_after(opening: RankedQuote, by_position: Sequence[RankedQuote]) -> list[RankedQuote]:
    """Return the lines an opening like "proceed as follows:" announces."""
    following = by_position[opening.position + 1 : opening.position + 1 + _MOST_ITEMS]
    items: list[RankedQuote] = []
    for item in following:
        if item.quote.kind == "heading" or (items and item.quote.kind != items[0].quote.kind):
            break
        items.append(item)
    return items


def _addition(
    question: Question, evidence: Evidence, ranked: Sequence[RankedQuote]
) -> list[RankedQuote]:
    """Return one more quote of the page if it says what the best one leaves unsaid."""
    best = ranked[0]
    weights = evidence.term_weights or (1.0,) * len(question.groups)
    total = sum(weights) or 1.0
    for item in ranked[1:]:
        if item.score < _NEARLY * best.score:
            break
        new = sum(
            weight
            for weight, here, before in zip(weights, item.covered, best.covered, strict=True)
            if here and not before
        )
        if new / total >= _ADDS and item.quote.kind not in ("heading", "label"):
            return [item]
    return []


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
    return Statement(_readable(item.quote), source, item.quote.text)


def _readable(quote: Quote) -> str:
    """Return a table row with its column headings before its cells, anything else as it is."""
    if quote.kind != "row":
        return quote.text
    cells = quote.text.split(CELL_SEPARATOR)
    headings = quote.context.split(CONTEXT_SEPARATOR)[-1].split(CELL_SEPARATOR)
    if len(cells) != len(headings) or len(cells) < 2:
        return quote.text
    return "; ".join(f"{heading}: {cell}" for heading, cell in zip(headings, cells, strict=True))


def _boxes_to_show(item: RankedQuote, question: Question) -> tuple[Box, ...]:
    """Return the boxes to highlight: of a long sentence, the lines that say what is asked."""
    quote = item.quote
    if len(quote.boxes) <= _MOST_LINES or quote.kind == "row":
        return quote.boxes
    values = []
    for line in quote.lines:
        terms = {*index_terms(line).split(), *index_terms(line, "de").split()}
        hits = sum(any(term in terms for term in group) for group in question.groups)
        values.append(hits + question.value_share(line))
    starts = range(len(values) - _MOST_LINES + 1)
    start = max(starts, key=lambda i: sum(values[i : i + _MOST_LINES]))
    return quote.boxes[start : start + _MOST_LINES]
