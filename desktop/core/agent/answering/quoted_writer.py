"""The writer of the Lite profile: what an `Answerer` quotes, word by word."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.core.agent.answering.answer_writer import written
from desktop.core.agent.answering.citations import Citations
from desktop.core.agent.gathered_evidence import gatherings, kept_evidence, references_of_pages
from desktop.core.answering.answer import Answer
from desktop.core.events import StatusEvent, TokenEvent
from desktop.core.sentences import said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core.agent.answering.answer_writer import WritingStream
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.answering.answer import Answerer
    from desktop.core.retrieval.evidence import Evidence


class QuotedWriter:
    """Satisfies `AnswerWriter`."""

    def __init__(self, answerer: Answerer) -> None:
        self._answerer = answerer

    async def write(self, tree_data: TreeData) -> WritingStream:
        """Quote what answers the question; see `AnswerWriter.write`."""
        pages = len(kept_evidence(tree_data.environment))
        one = pages == 1
        yield StatusEvent(said("Reading 1 page") if one else said("Reading {n} pages", n=pages))
        answer = await self.answer(tree_data)
        citations = Citations(references_of_pages(tree_data.environment))
        async for output in quoted(answer, citations):
            yield output

    async def answer(self, tree_data: TreeData) -> Answer:
        """Return the surest answer: of the pages that were searched for, or of one looked up."""
        answers = [
            await asyncio.to_thread(self._answerer.answer, question, evidence)
            for question, evidence in _asked(tree_data)
        ]
        nothing = Answer(False, (), (), (), 1.0, "No page matches the question.")
        return max(answers, key=likelihood, default=nothing)


async def quoted(answer: Answer, citations: Citations, *, after: str = "") -> WritingStream:
    """Write the statements of a found answer, one a line; the answer itself comes last.

    after: what has been written before them; they begin on a line of their own.
    """
    if answer.found:
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
