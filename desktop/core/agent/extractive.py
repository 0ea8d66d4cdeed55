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
from desktop.core.agent.marking import marked_boxes
from desktop.core.agent.other_pages import fits, other_pages
from desktop.core.agent.page_overview import asks_for_page, names_its_page, overview, tells_rest
from desktop.core.agent.quote_choice import MOST_QUOTES, chosen_quotes, without_repeats
from desktop.core.agent.shown_text import shown_text
from desktop.core.agent.told_place import told_heading
from desktop.core.errors import DocumentNotFound
from desktop.core.events import PageRegion
from desktop.core.page_words import PageWords
from desktop.core.retrieval.asked_pages import BY_LABEL, without_labels
from desktop.core.retrieval.confidence import confidence, support_of
from desktop.core.retrieval.evidence import question_asked
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.quote_order import in_order
from desktop.core.retrieval.quote_ranking import rank_quotes
from desktop.core.retrieval.unshown.exception import lacks_exception
from desktop.core.sentences import said as said_so
from desktop.core.spoken import in_language, language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.other_pages import OtherPages
    from desktop.core.agent.quote_choice import ChosenQuotes
    from desktop.core.library.library import Library
    from desktop.core.retrieval.confidence import Support
    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.quote_ranking import RankedQuote
    from desktop.core.settings.sections import AgentSettings
    from desktop.models.roles import TextEmbedder

# Of a further page so many quotes are said, and so many read for them.
_MOST_ELSEWHERE = 2
_READ_ELSEWHERE = 5
# What may answer in place of the first page has this share of the score of its best quote.
_AS_GOOD = 0.7


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
        statements = self._said(parsed, evidence, ranked, words)
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

    def _said(
        self,
        question: Question,
        evidence: Sequence[Evidence],
        ranked: Sequence[RankedQuote],
        words: PageWords,
    ) -> list[Statement]:
        """Return what the first page says, and further ones where they are wanted.

        ranked, words: of the first page.
        """
        first = evidence[0]
        others = other_pages(question, evidence)
        most = MOST_QUOTES - 1 if others.asked else MOST_QUOTES
        quotes = in_order(question, first, ranked, self._embedder)
        chosen = chosen_quotes(question, first, quotes, most)
        if told_heading(question, first, chosen.quotes[0].quote) is not None and not chosen.listed:
            chosen = replace(chosen, quotes=chosen.quotes[:1])  # the place is all that is asked
        least = 0.0 if others.asked else _AS_GOOD * ranked[0].score
        return [
            *_statements(chosen, first, question, words),
            *self._said_elsewhere(question, others, chosen.quotes, least),
        ]

    def _said_elsewhere(
        self, question: Question, others: OtherPages, said: Sequence[RankedQuote], least: float
    ) -> list[Statement]:
        """Return what further pages say, and nothing of it twice.

        said: by the first page. least: score that the best quote of a further page must have.
        """
        told = list(said)
        statements: list[Statement] = []
        for page in others.pages:
            words = self._words(page)
            ranked = rank_quotes(question, page, words, self._embedder, _READ_ELSEWHERE)
            quotes = in_order(question, page, ranked, self._embedder, _READ_ELSEWHERE)
            if not quotes or ranked[0].score < least:
                continue
            chosen = chosen_quotes(question, page, quotes, _MOST_ELSEWHERE)
            first = chosen.quotes[:_MOST_ELSEWHERE]
            fitting = [i for i in first if fits(i.quote, question, beside=others.asked)]
            new = without_repeats(told, fitting)
            told += new
            found = _statements(replace(chosen, quotes=tuple(new)), page, question, words)
            if found and not statements and not others.asked:
                language = language_of(question.text, words.text)
                above = in_language(said_so("These pages may answer it as well:"), language)
                found[0] = replace(found[0], above=above)
            statements += found
        return statements

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
