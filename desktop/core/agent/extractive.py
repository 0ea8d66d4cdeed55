"""The answerer of the Lite profile: it quotes, it never writes.

Every statement is a sentence or a table row as it stands in a manual, with the boxes
of exactly these words.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.core.agent.answering.answer import Answer, Statement
from desktop.core.agent.answering.safety import safety_blocks
from desktop.core.agent.foreign_question import answers_foreign
from desktop.core.agent.listed_quotes import numbered_rows
from desktop.core.agent.marking import marked_boxes
from desktop.core.agent.page_overview import asks_for_page, names_its_page, overview, tells_rest
from desktop.core.agent.quote_choice import (
    MOST_QUOTES,
    ChosenQuotes,
    chosen_quotes,
    without_repeats,
)
from desktop.core.agent.shown_text import shown_text
from desktop.core.agent.told_place import told_heading
from desktop.core.errors import DocumentNotFound
from desktop.core.events import PageRegion
from desktop.core.page_words import PageWords
from desktop.core.retrieval.answer_signs import (
    forbids,
    is_line_of_contents,
    speaks_of_other_code,
)
from desktop.core.retrieval.asked_pages import BY_LABEL, without_labels
from desktop.core.retrieval.both_sides import FIRST_PAGES, names_both
from desktop.core.retrieval.confidence import confidence, support_of
from desktop.core.retrieval.evidence import question_asked
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.quote_order import in_order
from desktop.core.retrieval.quote_ranking import rank_quotes
from desktop.core.retrieval.unshown.exception import lacks_exception

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.library.library import Library
    from desktop.core.retrieval.confidence import Support
    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.quote_ranking import RankedQuote
    from desktop.core.settings.sections import AgentSettings
    from desktop.models.roles import TextEmbedder

# A second page is quoted if its score is at least this share of the first one's.
_AS_LIKELY = 0.9
# Only its best quote is wanted: so many are read for it.
_READ_ELSEWHERE = 5


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
        first = evidence[0]
        words = self._words(first)
        named = names_its_page(question, first)
        if named:  # that it is this page is known already
            if asks_for_page(question, first):
                return self._told_of_page(question, first, words)
            question = without_labels(question)
            evidence = [replace(page, term_weights=()) for page in evidence]
            first = evidence[0]
        parsed = question_asked(question, evidence)
        ranked = rank_quotes(parsed, first, words, self._embedder)
        support = support_of(parsed, evidence, ranked, words, self._embedder)
        sure = confidence(support, with_model=self._embedder is not None)
        if ranked and (
            (named and tells_rest(question, first, ranked))
            or answers_foreign(question, words, ranked[0].quote, support)
        ):
            sure = max(sure, self._settings.least_confidence)
        if not ranked or sure < self._settings.least_confidence:
            return Answer(False, (), (), nearest, 1 - sure, _why_not(first, support))
        if lacks_exception(parsed, ranked):
            why = "the pages say what is so, not what is not"
            return Answer(False, (), (), nearest, sure, why)
        ranked = in_order(parsed, first, ranked, self._embedder)
        other = _other_page(parsed, evidence)
        most = MOST_QUOTES if other is None else MOST_QUOTES - 1
        chosen = chosen_quotes(parsed, first, ranked, most)
        statements = _statements(chosen, first, parsed, words)
        if other is not None:
            said = chosen.quotes if other.document_id == first.document_id else ()
            statements += self._said_elsewhere(parsed, other, said)
        safety = safety_blocks(statements, self._library.blocks, self._library.label)
        found_by = ", ".join(first.found_by)
        return Answer(True, tuple(statements), safety, (), sure, f"found by {found_by}")

    def _told_of_page(self, question: str, page: Evidence, words: PageWords) -> Answer:
        """Tell the headings and captions of a page that is asked for by its label."""
        parsed = Question.parse(question)
        chosen = overview(rank_quotes(parsed, page, words, None))
        statements = tuple(_statements(chosen, page, parsed, words)) if chosen.quotes else ()
        safety = safety_blocks(statements, self._library.blocks, self._library.label)
        return Answer(bool(statements), statements, safety, (), 1.0, f"found by {BY_LABEL}")

    def _said_elsewhere(
        self, question: Question, page: Evidence, said: Sequence[RankedQuote]
    ) -> list[Statement]:
        """Return what a second page says: its first quote that may stand beside the answer.

        said: quotes of the same manual, which need not be said again. A row brings those that
        the other numbers of the question open.
        """
        words = self._words(page)
        ranked = rank_quotes(question, page, words, self._embedder, _READ_ELSEWHERE)
        quotes = in_order(question, page, ranked, self._embedder, _READ_ELSEWHERE)
        first = next((item for item in quotes if _fits(item.quote, question)), None)
        if first is None or (said and first is not quotes[0]):
            return []
        rows = (first, *numbered_rows(question, quotes, first))
        told = sorted(without_repeats(said, rows), key=lambda item: item.position)
        return _statements(ChosenQuotes(tuple(told)), page, question, words)

    def _words(self, evidence: Evidence) -> PageWords:
        try:
            return self._library.page_words(evidence.document_id, evidence.page)
        except DocumentNotFound:  # deleted since the search: nothing of it may be quoted
            return PageWords.empty()


def _why_not(first: Evidence, support: Support) -> str:
    """Return what is missing, for the trace."""
    if first.unnamed:
        return f"no manual names {', '.join(first.unnamed)}"
    if support.lacks_value:
        return "no statement gives such a value for what is asked about"
    if support.lacks_work:
        return "no statement says how, or how often, this work is done"
    if support.lacks_qualifier:
        return "the pages speak of its like, not of what is asked about"
    return "no page says enough about what is asked"


def _other_page(question: Question, evidence: Sequence[Evidence]) -> Evidence | None:
    """Return a second page to quote.

    Of another manual, if the question is about two; else one nearly as likely as the first.
    """
    first = evidence[0]
    others = [page for page in evidence[1:] if page.document_id != first.document_id]
    if question.compares:
        return next(iter(others), None)
    if question.several:
        near = [page for page in others if page in evidence[:FIRST_PAGES]]
        named = next((page for page in near if names_both(question, first, page)), None)
        if named is not None:
            return named
    return next((e for e in evidence[1:2] if e.score > _AS_LIKELY * first.score), None)


def _fits(quote: Quote, question: Question) -> bool:
    """Whether a quote from elsewhere may stand beside the answer."""
    if quote.kind in ("heading", "label") or speaks_of_other_code(question, quote.text):
        return False
    if is_line_of_contents(quote.text):
        return False
    if question.asks_forbidden and not forbids(quote.text):
        return False
    return not question.contradiction(quote.text)


def _statements(
    chosen: ChosenQuotes, evidence: Evidence, question: Question, words: PageWords
) -> list[Statement]:
    """Turn quotes of one page into statements."""
    return [
        _statement(item.quote, evidence, question, words, chosen, first=not place)
        for place, item in enumerate(chosen.quotes)
    ]


def _statement(
    quote: Quote,
    evidence: Evidence,
    question: Question,
    words: PageWords,
    chosen: ChosenQuotes,
    *,
    first: bool,
) -> Statement:
    boxes = marked_boxes(
        question,
        evidence,
        quote,
        words,
        first=first,
        alone=len(chosen.quotes) == 1,
        listed=chosen.listed,
        heading=chosen.heading,
    )
    text, quoted = shown_text(quote, question, evidence.term_weights, words)
    heading = told_heading(question, evidence, quote) if first else None
    if heading is not None:
        text = f"{heading.text.strip()}: {text}"
        boxes += tuple(box for box in heading.boxes if box not in boxes)
    source = PageRegion(
        evidence.document_id, evidence.document, evidence.page, evidence.label, boxes
    )
    return Statement(text, source, quoted)
