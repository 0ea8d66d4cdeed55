"""An answer under correction: the events that say so, and the answer that it becomes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.core.answering.answer import Answer, Statement
from desktop.core.critic.checks import check_answer
from desktop.core.critic.corrections import readable
from desktop.core.critic.values import CheckedSentence
from desktop.core.events import CitationEvent, NoteCitationEvent, PageRegion, RevisionEvent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.critic.answer_sentences import AnswerSentence
    from desktop.core.critic.corrections import Addition, Correction
    from desktop.core.critic.values import CitedPassage, Finding, PageQuote
    from desktop.core.events import Event


class RevisedAnswer:
    """Applies corrections to what was streamed."""

    def __init__(
        self,
        written: Sequence[Event],
        sentences: Sequence[AnswerSentence],
        passages: Sequence[CitedPassage],
    ) -> None:
        cited = [each for each in written if isinstance(each, CitationEvent | NoteCitationEvent)]
        self._sources = {each.number: each for each in cited if isinstance(each, CitationEvent)}
        self._next = max((each.number for each in cited), default=0) + 1
        self._sentences = sentences
        self._passages = {passage.number: passage for passage in passages}
        self._said: list[list[CheckedSentence]] = [[each.checked] for each in sentences]
        self._added: dict[int, list[Statement]] = {}
        self._cited_now: dict[int, int] = {}

    def apply(self, correction: Correction) -> Iterator[CitationEvent | RevisionEvent]:
        """Yield what a correction changes: citations first, then the sentence as it stands."""
        sentence = self._sentences[correction.sentence]
        cited = list(correction.cited)
        for index, number in enumerate(cited):
            instead = next((f.instead for f in correction.findings if f.passage == number), None)
            if instead is None or not correction.text or correction.additions:
                continue
            citation = self._cite(number, instead)
            if citation is not None:
                yield citation
                cited[index] = citation.number
        if cited and correction.text:
            self._cited_now[correction.sentence] = cited[0]
        said = [CheckedSentence(correction.text, tuple(cited))] if correction.text else []
        parts = [correction.text + _marks(cited)] if correction.text else []
        for addition in correction.additions:
            citation = self._cite(addition.passage, addition.quote)
            number = addition.passage if citation is None else citation.number
            if citation is not None:
                yield citation
            text = readable(addition.quote)
            said.append(CheckedSentence(text, (number,)))
            parts.append(_added_text(addition, text) + _marks([number]))
            self._note(correction.sentence, text, number, addition.quote)
        self._said[correction.sentence] = said
        yield RevisionEvent(
            correction.sentence,
            sentence.start,
            sentence.streamed,
            "".join(parts).strip(),
            correction.unsupported,
            correction.reason,
        )

    def left(self, findings: Sequence[Finding], question: str) -> tuple[Finding, ...]:
        """Return what is still wrong after the round; nothing is looked at if nothing was."""
        if not findings:
            return ()
        now = [each for sentence in self._said for each in sentence]
        remaining = check_answer(now, tuple(self._passages.values()), question)
        told = {finding.message for finding in findings if finding.kind == "contradiction"}
        return tuple(each for each in remaining if each.message not in told)

    def answer(self, answer: Answer, corrections: Sequence[Correction]) -> Answer:
        """Return the answer with its statements as they are now."""
        if not corrections:
            return answer
        became = {_key(self._sentences[c.sentence].checked.text): c for c in corrections}
        statements: list[Statement] = []
        for statement in answer.statements:
            correction = became.get(_key(statement.text))
            if correction is None:
                statements.append(statement)
                continue
            if correction.text:
                statements.append(self._as_corrected(statement, correction))
            statements += self._added.pop(correction.sentence, [])
        for left in self._added.values():
            statements += left
        return replace(answer, statements=tuple(statements))

    def _as_corrected(self, statement: Statement, correction: Correction) -> Statement:
        citation = self._sources.get(self._cited_now.get(correction.sentence, 0))
        if citation is None or correction.text == statement.text:
            return replace(statement, text=correction.text)
        return replace(
            statement, text=correction.text, source=citation.source, quote=citation.quote
        )

    def _cite(self, passage_number: int, quote: PageQuote) -> CitationEvent | None:
        """Return a new citation of a quote's own words; None if they are cited already."""
        passage = self._passages.get(passage_number)
        if passage is None or not quote.boxes or passage_number not in self._sources:
            return None
        elsewhere = quote.page >= 0
        source = PageRegion(
            passage.document_id,
            passage.document,
            quote.page if elsewhere else passage.page,
            quote.label if elsewhere else passage.label,
            quote.boxes,
        )
        if any(each.source == source for each in self._sources.values()):
            return None
        reference = "" if elsewhere else self._sources[passage_number].reference
        citation = CitationEvent(self._next, source, quote.text, reference)
        self._next += 1
        self._sources[citation.number] = citation
        self._passages[citation.number] = replace(
            passage,
            number=citation.number,
            quotes=tuple(replace(q, cited=q == quote) for q in _with(passage.quotes, quote)),
            label=source.label,
            region=quote.text,
            page=source.page,
        )
        return citation

    def _note(self, sentence: int, text: str, number: int, quote: PageQuote) -> None:
        if number in self._sources:
            source = self._sources[number].source
            self._added.setdefault(sentence, []).append(Statement(text, source, quote.text))


def _with(quotes: Sequence[PageQuote], quote: PageQuote) -> Sequence[PageQuote]:
    return quotes if quote in quotes else (*quotes, quote)


def _added_text(addition: Addition, text: str) -> str:
    return f" {addition.lead} “{text}”" if addition.lead else f"\n{text}"


def _marks(numbers: Sequence[int]) -> str:
    return " " + "".join(f"[{number}]" for number in numbers) if numbers else ""


def _key(text: str) -> str:
    return " ".join(text.split())
