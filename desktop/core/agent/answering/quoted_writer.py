"""The writer of the Lite profile: what an `Answerer` quotes, word by word.

With a language model it goes first: what the manuals surely say is shown while the model works.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.core.agent.answering.answer_writer import written
from desktop.core.agent.answering.citations import Citations
from desktop.core.agent.answering.notes import sources_of_notes
from desktop.core.agent.gathered_evidence import gatherings, kept_evidence, references_of_pages
from desktop.core.answering.answer import Answer
from desktop.core.events import (
    LIKELY,
    RevisionEvent,
    StatusEvent,
    TokenEvent,
    WarningBlockEvent,
)
from desktop.core.sentences import said

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from desktop.core.agent.answering.answer_writer import WritingStream
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.answering.answer import Answerer
    from desktop.core.events import Event
    from desktop.core.retrieval.evidence import Evidence

QUOTED_SO_FAR = said("Quoted from the manuals; the language model is still at work")


@dataclass(slots=True)
class ShownQuotes:
    """Quotes that a person sees while a language model still works.

    events: what was shown of them. standing: nothing has taken their place.
    """

    answer: Answer
    citations: Citations
    events: list[Event] = field(default_factory=list)
    standing: bool = True

    @property
    def text(self) -> str:
        """Their words as they were streamed."""
        return "".join(each.content for each in self.events if isinstance(each, TokenEvent))

    def are(self, answer: Answer) -> bool:
        """Whether an answer says the same."""
        return self.standing and self.answer.statements == answer.statements

    def superseded(self) -> Iterator[RevisionEvent]:
        """Take them from the answer: something better follows."""
        if self.standing:
            self.standing = False
            yield RevisionEvent(0, 0, self.text, "", superseded=True)


class QuotedWriter:
    """Satisfies `AnswerWriter`."""

    def __init__(self, answerer: Answerer) -> None:
        self._answerer = answerer

    async def first(self, tree_data: TreeData) -> AsyncGenerator[Event, None]:
        """Show what the manuals surely say, with its warnings; nothing if that is not sure."""
        answer = await self.answer(tree_data)
        if not answer.found or answer.confidence < LIKELY:
            return
        shown = tree_data.shown = ShownQuotes(answer, citations_of(tree_data))
        async for output in quoted(answer, shown.citations):
            if not isinstance(output, Answer):
                shown.events.append(output)
                yield output
        for block in answer.safety:
            warning = WarningBlockEvent(block.level, block.text, block.source)
            shown.events.append(warning)
            yield warning
        yield StatusEvent(QUOTED_SO_FAR)

    async def write(self, tree_data: TreeData) -> WritingStream:
        """Quote what answers the question; see `AnswerWriter.write`."""
        pages = len(kept_evidence(tree_data.environment))
        one = pages == 1
        yield StatusEvent(said("Reading 1 page") if one else said("Reading {n} pages", n=pages))
        answer = await self.answer(tree_data)
        shown = tree_data.shown
        if shown is not None and shown.are(answer):
            yield answer
            return
        if shown is not None:
            for revision in shown.superseded():
                yield revision
        async for output in quoted(answer, citations_of(tree_data)):
            yield output

    async def answer(self, tree_data: TreeData) -> Answer:
        """Return the surest answer: of the pages that were searched for, or of one looked up."""
        answers = [
            await asyncio.to_thread(self._answerer.answer, question, evidence)
            for question, evidence in _asked(tree_data)
        ]
        nothing = Answer(False, (), (), (), 1.0, "No page matches the question.")
        return max(answers, key=likelihood, default=nothing)


def citations_of(tree_data: TreeData) -> Citations:
    """Return the numbers of this answer's citations: those that are on the screen go on."""
    if tree_data.shown is not None:
        return tree_data.shown.citations
    environment = tree_data.environment
    return Citations(references_of_pages(environment), sources_of_notes(environment))


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
