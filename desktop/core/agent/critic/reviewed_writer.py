"""A writer whose answer is looked at by the critic before it stands: one correction round."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from desktop.core.agent.clock import milliseconds_since, now
from desktop.core.agent.critic.doubts import keep_doubts
from desktop.core.agent.critic.revised_answer import RevisedAnswer
from desktop.core.agent.critic.when_to_ask import worth_a_model
from desktop.core.agent.gathered import kept_evidence
from desktop.core.answering.answer import Answer
from desktop.core.critic.answer_sentences import answer_sentences
from desktop.core.critic.checks import check_answer
from desktop.core.critic.corrections import corrections_for
from desktop.core.events import CitationEvent, NoteCitationEvent, RevisionEvent, TokenEvent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.answering.answer_writer import AnswerWriter, WritingStream
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.critic.cited_pages import CitedPages
    from desktop.core.critic.values import CheckedSentence, CitedPassage, Finding
    from desktop.core.events import Event

logger = logging.getLogger(__name__)

_RULES = "rule_critic"
_TEXT = (TokenEvent, CitationEvent, NoteCitationEvent, RevisionEvent)


class JudgesAnswers(Protocol):
    """A critic with a language model, asked after the rules have looked."""

    @property
    def name(self) -> str:
        """How the trace calls it, "" while there is no model."""

    async def findings(
        self,
        tree_data: TreeData,
        sentences: Sequence[CheckedSentence],
        passages: Sequence[CitedPassage],
    ) -> tuple[Finding, ...]:
        """Return what the model finds wrong and the pages bear out; () if it cannot say."""


class ReviewedWriter:
    """Satisfies `AnswerWriter`: what another one writes, compared with the pages it cites."""

    def __init__(
        self,
        writer: AnswerWriter,
        pages: CitedPages,
        model: JudgesAnswers | None = None,
        *,
        always: bool = False,
    ) -> None:
        """Keep the parts. always: ask the model about every answer, worth it or not."""
        self._writer = writer
        self._pages = pages
        self._model = model
        self._always = always

    async def write(self, tree_data: TreeData) -> WritingStream:
        """Write the answer, then correct it where the critic finds something."""
        written: list[Event] = []
        async with aclosing(self._writer.write(tree_data)) as writing:
            async for output in writing:
                if not isinstance(output, Answer):
                    if isinstance(output, _TEXT):
                        written.append(output)
                    yield output
                    continue
                if not output.found:
                    yield output
                    continue
                async for reviewed in self._reviewed(tree_data, written, output):
                    yield reviewed

    async def _reviewed(
        self, tree_data: TreeData, written: Sequence[Event], answer: Answer
    ) -> WritingStream:
        started = now()
        question = tree_data.user_prompt
        passages = await asyncio.to_thread(self._pages.passages, written)
        sentences = answer_sentences(written)
        checked = [sentence.checked for sentence in sentences]
        findings = await asyncio.to_thread(check_answer, checked, passages, question)
        by = _RULES
        worth_it = self._always or worth_a_model(findings, passages)
        has_model = self._model is not None and self._model.name and not tree_data.without_model
        if self._model is not None and has_model and worth_it:
            by = f"{_RULES}, {self._model.name}"
            flawed = {finding.sentence for finding in findings}
            judged = await self._model.findings(tree_data, checked, passages)
            findings += tuple(each for each in judged if each.sentence not in flawed)
        corrections = corrections_for(findings, checked, passages, question)
        revised = RevisedAnswer(written, sentences, passages)
        for correction in corrections:
            for event in revised.apply(correction):
                yield event
        left = revised.left(findings, question)
        keep_doubts(tree_data.environment, left)
        trace = tree_data.trace
        trace.verified(findings, left, len(sentences), milliseconds_since(started), by)
        trace.revised(corrections)
        if findings:
            logger.info("critic: %d findings, %d left", len(findings), len(left))
        yield self._concluded(tree_data, revised.answer(answer, corrections))

    def _concluded(self, tree_data: TreeData, answer: Answer) -> Answer:
        if not answer.statements:
            nearest = kept_evidence(tree_data.environment)
            return Answer(False, (), (), nearest, 1.0, "nothing of the answer stands on the pages")
        confidence, lowered = tree_data.trace.confidence(answer.confidence)
        reason = f"{answer.reason}; {lowered}" if lowered else answer.reason
        return replace(answer, confidence=confidence, reason=reason)
