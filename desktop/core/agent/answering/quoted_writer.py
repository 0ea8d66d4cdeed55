"""The writer of the Lite profile: what an `Answerer` quotes, word by word.

With a language model it goes first: what the manuals surely say is shown while the model works.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.core.agent.citations import Citations, ShownQuotes
from desktop.core.agent.gathering import gatherings, kept_evidence, references_of_pages
from desktop.core.agent.notes import notes_first, sources_of_notes
from desktop.core.agent.tool_output import written
from desktop.core.answering.answer import Answer
from desktop.core.events import GRAVE, LIKELY, StatusEvent, TokenEvent
from desktop.core.question.query import Question
from desktop.core.question.tokens import index_term_set
from desktop.sentences import counted, joined, said

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Sequence

    from desktop.core.agent.answer_writer import WritingStream
    from desktop.core.agent.tool import Shelf
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.answering.answer import Answerer
    from desktop.core.events import Event
    from desktop.core.question.query import TermGroup
    from desktop.core.reader.evidence import Evidence

_NOT_WHAT_IS_ASKED = 0.4
"""Confidence in an answer that was given before and lacks what is asked now, at most."""
QUOTED_SO_FAR = said("Quoted from the manuals; the language model is still at work")


class QuotedWriter:
    """Satisfies `AnswerWriter`."""

    def __init__(self, answerer: Answerer, shelf: Shelf) -> None:
        self._answerer = answerer
        self._shelf = shelf

    async def first(self, tree_data: TreeData) -> AsyncGenerator[Event, None]:
        """Show what is quoted from the manuals, and warnings; nothing if they do not answer."""
        answer = await self.answer(tree_data)
        if not answer.found:
            return
        shown = tree_data.shown = ShownQuotes(answer, citations_of(tree_data))
        async for output in quoted(answer, shown.citations):
            if not isinstance(output, Answer):
                shown.events.append(output)
                yield output
        for block in answer.safety:
            if block not in shown.events:
                shown.events.append(block)
                yield block
        yield StatusEvent(QUOTED_SO_FAR)

    async def write(self, tree_data: TreeData) -> WritingStream:
        """Quote what answers the question; see `AnswerWriter.write`."""
        pages = len(kept_evidence(tree_data.environment))
        yield StatusEvent(counted(pages, "Reading 1 page", "Reading {n} pages"))
        answer = await self.answer(tree_data)
        shown = tree_data.shown
        if shown is not None and shown.are(answer):
            yield answer
            return
        if shown is not None:
            for revision in shown.superseded():
                yield revision
        answer = notes_first(tree_data.environment, answer, tree_data.user_prompt)
        async for output in quoted(answer, citations_of(tree_data)):
            yield output

    async def answer(self, tree_data: TreeData) -> Answer:
        """Return the surest answer: from the pages searched for, or from one looked up."""
        answers = [
            await asyncio.to_thread(self._answerer.answer, question, evidence)
            for question, evidence in _asked(tree_data)
        ]
        nothing = Answer(False, (), (), (), 1.0, said("No page matches the question."))
        answer = max(answers, key=likelihood, default=nothing)
        return await asyncio.to_thread(
            lambda: self._unless_half_read(tree_data, self._questioned(tree_data, answer))
        )

    def _unless_half_read(self, tree_data: TreeData, answer: Answer) -> Answer:
        """Return no answer instead of an unsure one, while what is not read yet may be surer.

        That is a manual without any words yet, or one with pages among those found. Blocks.
        """
        if not answer.found or answer.confidence >= LIKELY:
            return answer
        found = sorted(kept_evidence(tree_data.environment), key=lambda page: page.contents)
        seen = {page.document_id for page in found}
        asked = tree_data.document_ids
        waits = any(
            each.being_read and (each.id in seen or not each.searchable)
            for each in self._shelf.documents()
            if not asked or each.id in asked
        )
        if not waits:
            return answer
        reason = said("what is still being read may answer; {reason}", reason=answer.reason)
        return Answer(False, (), (), tuple(found), 1 - answer.confidence, reason)

    def _questioned(self, tree_data: TreeData, answer: Answer) -> Answer:
        """Return a different answer from the last one, if that leaves out what is asked now.

        Whoever asks a further question wants to know something else. Where nothing else
        has the words that the question adds, the same answer stands, and says that it
        does not have them. Blocks.
        """
        added = _added_words(tree_data)
        if not added or not _said_before(answer, tree_data) or _has_all(answer, added):
            return answer
        again = {statement.quote for statement in answer.statements}
        for question, evidence in _asked(tree_data):
            others = [
                replace(page, units=tuple(u for u in page.units if u.unit.text not in again))
                for page in evidence
            ]
            left = [page for page in others if page.units]
            if not left:
                continue
            other = self._answerer.answer(question, left)
            if other.found and _has_all(other, added):
                return other
        missing = ", ".join(group[0] for group in added)
        reason = said("the same as the previous answer; it does not mention {words}", words=missing)
        lowered = min(answer.confidence, _NOT_WHAT_IS_ASKED) if answer.found else answer.confidence
        return replace(answer, confidence=lowered, reason=joined([answer.reason, reason], "; "))


def _added_words(tree_data: TreeData) -> list[TermGroup]:
    """Return the words that a question adds to the one before it; none if it is the first."""
    before = [t["content"] for t in tree_data.conversation_history if t.get("role") == "user"]
    if not before:
        return []
    known = index_term_set(before[-1])
    asked = Question.parse(tree_data.user_prompt).groups
    return [group for group in asked if not known & set(group)]


def _said_before(answer: Answer, tree_data: TreeData) -> bool:
    """Whether an answer says what the last one said."""
    said = [t["content"] for t in tree_data.conversation_history if t.get("role") == "assistant"]
    if not answer.found or not said:
        return False
    last = " ".join(said[-1].split())
    return all(" ".join(each.text.split()) in last for each in answer.statements)


def _has_all(answer: Answer, words: Sequence[TermGroup]) -> bool:
    texts: list[str] = []
    for each in answer.statements:
        texts += [each.text, each.quote, *(each.form.section if each.form else ())]
    told = index_term_set("\n".join(texts))
    return all(told & set(group) for group in words)


def citations_of(tree_data: TreeData) -> Citations:
    """Return this answer's citation numbers: those already on the screen are continued."""
    if tree_data.shown is not None:
        return tree_data.shown.citations
    environment = tree_data.environment
    return Citations(references_of_pages(environment), sources_of_notes(environment))


async def quoted(answer: Answer, citations: Citations, *, after: str = "") -> WritingStream:
    """Write a found answer's statements, one per line, itself last. after: what stands before.

    What may hurt is said before the steps that lead there.
    """
    if answer.found:
        for block in answer.safety:
            if block.level in GRAVE:
                yield block
        begun = bool(after.strip())
        for statement in answer.statements:
            if begun:
                yield TokenEvent("\n")
            begun = True
            # the place first: who draws the quote need not show its line before
            number, citation = citations.cite(statement.source, statement.quote, statement.form)
            if citation is not None:
                yield citation
            lines = (statement.above, statement.text.strip())
            async for token in written("\n".join(line for line in lines if line)):
                yield token
            yield TokenEvent(f" [{number}]")
            await asyncio.sleep(0)  # a cancelled answer stops between two words
    yield answer


def likelihood(answer: Answer) -> float:
    """Return how likely the manuals answer the question at all, 0 to 1."""
    return answer.confidence if answer.found else 1 - answer.confidence


def _asked(tree_data: TreeData) -> Iterator[tuple[str, tuple[Evidence, ...]]]:
    """Yield what the pages must answer, and the pages."""
    for gathering in gatherings(tree_data.environment):
        if gathering.found:
            yield gathering.query or tree_data.user_prompt, gathering.found
