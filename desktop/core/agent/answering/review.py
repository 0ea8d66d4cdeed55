"""An answer is compared with the pages it cites before it stands: one round of corrections.

A language model may look, too. Nothing that it says about an answer is believed until the words
that it shows are found on the cited page and the comparison of statements bears it out.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from dataclasses import KW_ONLY, dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from desktop.core.agent.gathering import kept_evidence
from desktop.core.agent.progress import CHECKING
from desktop.core.agent.question_trace import milliseconds_since
from desktop.core.answering.answer import Answer, Statement
from desktop.core.claims.cited import CheckedSentence, answer_sentences
from desktop.core.claims.comparison import CARRIES, says_it, values_missing
from desktop.core.claims.review import Finding, check_answer, corrections_for
from desktop.core.events import (
    CitationEvent,
    NoteCitationEvent,
    PageRegion,
    RevisionEvent,
    TokenEvent,
)
from desktop.core.jobs import Cancelled
from desktop.core.language.dspy_setup import load_dspy
from desktop.core.language.program import LanguageProgram
from desktop.core.language.untrusted_text import neutral
from desktop.core.structure.signs import is_numbered
from desktop.models.errors import ModelStopped
from desktop.sentences import begun, joined, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop.core.agent.answer_writer import AnswerWriter, WritingStream
    from desktop.core.agent.environment import Environment
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.claims.cited import AnswerSentence, CitedPages, CitedPassage, PageQuote
    from desktop.core.claims.comparison import Comparison
    from desktop.core.claims.review import Correction
    from desktop.core.events import Event
    from desktop.models.roles import LanguageModel

logger = logging.getLogger(__name__)

_COMPARED = "compared"
_TEXT = (TokenEvent, CitationEvent, NoteCitationEvent, RevisionEvent)
_DOUBTS = "doubts"
_TOKENS = 400
_LONGEST_PASSAGE = 1_600
"""Characters of a page around the cited words."""
_AGAINST = 0.4
"""A chance of a contradiction that bears a model's finding out; it takes less than by itself."""


def steps_missing(environment: Environment) -> bool:
    """Whether the answer that was reviewed leaves out a step of a procedure."""
    doubts: Sequence[Finding] = environment.hidden_environment.get(_DOUBTS, ())
    return any(finding.kind == "missing_step" for finding in doubts)


@dataclass(eq=False)
class ReviewedWriter:
    """Satisfies `AnswerWriter`: what another one writes, compared with the pages it cites.

    always: the model is asked about every answer, worth it or not.
    """

    writer: AnswerWriter
    pages: CitedPages
    comparison: Comparison
    model: ModelCritic | None = None
    _: KW_ONLY
    always: bool = False

    async def write(self, tree_data: TreeData) -> WritingStream:
        """Write the answer, then correct it where the critic finds something."""
        shown = tree_data.shown
        written: list[Event] = [] if shown is None else list(shown.events)
        async with aclosing(self.writer.write(tree_data)) as writing:
            async for output in writing:
                if isinstance(output, Answer) and output.found:
                    async for reviewed in self._reviewed(tree_data, written, output):
                        yield reviewed
                    continue
                if isinstance(output, _TEXT):
                    written.append(output)
                yield output

    async def _reviewed(
        self, tree_data: TreeData, written: Sequence[Event], answer: Answer
    ) -> WritingStream:
        started = perf_counter()
        question = tree_data.user_prompt
        sentences = answer_sentences(written)
        written = _still_cited(written, sentences)
        passages = await asyncio.to_thread(self.pages.passages, written)
        checked = [sentence.checked for sentence in sentences]
        compared = self.comparison
        findings = await asyncio.to_thread(check_answer, checked, passages, compared, question)
        by = _COMPARED
        worth_it = self.always or _worth_a_model(findings, passages)
        has_model = self.model is not None and self.model.name and not tree_data.without_model
        if self.model is not None and has_model and worth_it:
            by = f"{_COMPARED}, {self.model.name}"
            flawed = {finding.sentence for finding in findings}
            judged = await self.model.findings(tree_data, checked, passages)
            findings += tuple(each for each in judged if each.sentence not in flawed)
        corrections = await asyncio.to_thread(
            corrections_for, findings, checked, passages, compared, question
        )
        revised = _RevisedAnswer(written, sentences, passages, compared)
        for correction in corrections:
            for event in revised.apply(correction):
                yield event
        left = await asyncio.to_thread(revised.left, findings, question)
        tree_data.environment.hidden_environment[_DOUBTS] = left
        trace = tree_data.trace
        trace.verified(findings, left, len(sentences), milliseconds_since(started), by)
        trace.revised(corrections)
        if findings:
            logger.info("critic: %d findings, %d left", len(findings), len(left))
        yield self._concluded(tree_data, revised.answer(answer, corrections))

    def _concluded(self, tree_data: TreeData, answer: Answer) -> Answer:
        if not answer.statements:
            nearest = kept_evidence(tree_data.environment)
            return Answer(False, (), (), nearest, 1.0, said("none of the answer is on the pages"))
        confidence, lowered = tree_data.trace.confidence(answer.confidence)
        reason = joined([answer.reason, lowered], "; ") if lowered else answer.reason
        return replace(answer, confidence=confidence, reason=reason)


def _still_cited(written: Sequence[Event], sentences: Sequence[AnswerSentence]) -> list[Event]:
    """Leave out what only superseded quotes cite."""
    if not any(isinstance(each, RevisionEvent) and each.superseded for each in written):
        return list(written)
    cited = {number for sentence in sentences for number in sentence.checked.cited}
    return [e for e in written if not isinstance(e, CitationEvent) or e.number in cited]


def _worth_a_model(findings: Sequence[Finding], passages: Sequence[CitedPassage]) -> bool:
    """Whether something was found, or the answer is a procedure or cites several pages.

    In a plain statement that stands on its one page, a language model finds nothing
    more, and on a slow machine its look takes as long as the answer took.
    """
    if findings or len({(passage.document_id, passage.page) for passage in passages}) > 1:
        return True
    return any(is_numbered(quote.text) for passage in passages for quote in passage.touched)


class _RevisedAnswer:
    """Applies corrections to what was streamed."""

    def __init__(
        self,
        written: Sequence[Event],
        sentences: Sequence[AnswerSentence],
        passages: Sequence[CitedPassage],
        comparison: Comparison,
    ) -> None:
        self._comparison = comparison
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
            text = addition.quote.told
            said.append(CheckedSentence(text, (number,)))
            added = f" {addition.lead} “{text}”" if addition.lead else f"\n{text}"
            parts.append(added + _marks([number]))
            if number in self._sources:
                statement = Statement(text, self._sources[number].source, addition.quote.text)
                self._added.setdefault(correction.sentence, []).append(statement)
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
        """Return what is still wrong after the round; nothing is checked if nothing was wrong."""
        if not findings:
            return ()
        now = [each for sentence in self._said for each in sentence]
        remaining = check_answer(now, tuple(self._passages.values()), self._comparison, question)
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
        known = passage.quotes
        quotes = known if quote in known else (*known, quote)
        self._passages[citation.number] = replace(
            passage,
            number=citation.number,
            quotes=tuple(replace(each, cited=each == quote) for each in quotes),
            label=source.label,
            region=quote.text,
            page=source.page,
        )
        return citation


def _marks(numbers: Sequence[int]) -> str:
    return " " + "".join(f"[{number}]" for number in numbers) if numbers else ""


def _key(text: str) -> str:
    return " ".join(text.split())


@dataclass(eq=False)
class ModelCritic:
    """A critic with a language model, asked after the comparison."""

    language_model: Callable[[], LanguageModel | None]
    comparison: Comparison

    @property
    def name(self) -> str:
        """`model_critic` and the model, "" while there is none."""
        model = self.language_model()
        return "" if model is None else f"model_critic {model.model_id}"

    async def findings(
        self,
        tree_data: TreeData,
        sentences: Sequence[CheckedSentence],
        passages: Sequence[CitedPassage],
    ) -> tuple[Finding, ...]:
        """Return what the model finds and the pages bear out; () if it cannot say."""
        model = self.language_model()
        if model is None or not sentences or not passages:
            return ()
        try:
            module = await asyncio.to_thread(_module)
            spent = tree_data.trace.spent.listener("critique")
            listener = tree_data.progress.listener(model.model_id, CHECKING, spent)
            prediction = await LanguageProgram(model, max_tokens=_TOKENS, on_part=listener).arun(
                module,
                question=tree_data.user_prompt,
                passages="\n\n".join(map(_passage_text, passages)),
                sentences="\n".join(map(_sentence_text, range(len(sentences)), sentences)),
            )
        except (ModelStopped, Cancelled):
            raise
        except Exception as error:  # of a model's runtime as well: the comparison has looked
            logger.info("the model's critique is not used: %s", type(error).__name__)
            return ()
        found = [
            await asyncio.to_thread(borne_out, each, sentences, passages, self.comparison)
            for each in prediction.problems
        ]
        return tuple(finding for finding in found if finding is not None)


def borne_out(
    problem: Any,
    sentences: Sequence[CheckedSentence],
    passages: Sequence[CitedPassage],
    comparison: Comparison,
) -> Finding | None:
    """Return a model's problem as a finding if the cited page shows it, else None.

    problem: kind, sentence and passage (numbers from 1), says. Blocks. Raises: ModelError.
    """
    index = problem.sentence - 1
    passage = next((each for each in passages if each.number == problem.passage), None)
    if not 0 <= index < len(sentences) or passage is None:
        return None
    sentence = sentences[index]
    if problem.kind == "unsupported":
        cited = [each for each in passages if each.number in sentence.cited]
        pairs = [(quote.told, sentence.text) for each in cited for quote in each.touched]
        if any(each.agree >= CARRIES for each in comparison.compare(pairs)):
            return None
        message = said(
            "“{text}” does not appear on {place}.", text=sentence.text, place=passage.place
        )
        return Finding("unsupported", index, message)
    says = problem.says  # the model copied a sentence or row of the page
    quote = next(
        (q for q in passage.quotes if says_it(q.text, says) or says_it(q.told, says)), None
    )
    if quote is None:
        return None
    says = said("{place} says: “{text}”", place=begun(passage.place), text=quote.text)
    if problem.kind == "missing_step":
        told = comparison.compare([(quote.told, each.text) for each in sentences])
        if quote.kind not in ("item", "paragraph") or any(t.agree >= CARRIES for t in told):
            return None
        return Finding(
            "missing_step", index, said("Missing. {says}", says=says), (), quote, passage.number
        )
    if problem.kind == "contradiction":
        others = [q.told for p in passages if p is not passage for q in p.touched]
        compared = comparison.compare([(quote.told, other) for other in others])
        differ = any(each.contradict >= _AGAINST for each in compared)
        return Finding("contradiction", index, says, (), quote, passage.number) if differ else None
    (compared_with,) = comparison.compare([(quote.told, sentence.text)])
    if compared_with.contradict < _AGAINST:
        return None
    wrong = values_missing(sentence.text, quote.told) if problem.kind == "value" else ()
    return Finding(problem.kind, index, says, wrong, quote, passage.number)


def _module() -> Any:
    from desktop.core.claims.judge import CritiqueSignature

    return load_dspy().Predict(CritiqueSignature)


def _passage_text(passage: CitedPassage) -> str:
    cited = " ".join(quote.text for quote in passage.touched)
    around = "\n".join(quote.text for quote in passage.quotes)
    text = around if len(around) <= _LONGEST_PASSAGE else f"{cited}\n{around}"[:_LONGEST_PASSAGE]
    place = neutral(passage.place)
    return f"<passage {passage.number}: {place}>\n{neutral(text)}\n</passage {passage.number}>"


def _sentence_text(index: int, sentence: CheckedSentence) -> str:
    marks = "".join(f"[{number}]" for number in sentence.cited)
    return f"{index + 1}. {neutral(sentence.text)} {marks}".rstrip()
