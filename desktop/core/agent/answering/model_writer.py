"""The writer with a language model: its own words, each sentence carried by the manuals."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from desktop.core.agent.answering.passages import (
    choose_passages,
    has_pictures,
    passage_text,
    passages_text,
    with_notes,
    with_pictures,
)
from desktop.core.agent.answering.quoted_writer import citations_of, likelihood
from desktop.core.agent.answering.refusals import (
    doubt_about,
    gave_up,
    instead_of_failure,
    not_found,
    quoted_instead,
)
from desktop.core.agent.answering.written_draft import WrittenDraft
from desktop.core.agent.context import known_text
from desktop.core.agent.gathering import gatherings, kept_evidence, references_of_pages
from desktop.core.agent.notes import note_number
from desktop.core.agent.progress import WRITING, WorkStatus
from desktop.core.answering.answer import Answer
from desktop.core.answering.governing_warnings import safety_blocks
from desktop.core.answering.procedures import PageQuotes
from desktop.core.claims.grounding import PassageGrounding
from desktop.core.events import CitationEvent, ErrorEvent, RevisionEvent, StatusEvent, TokenEvent
from desktop.core.jobs import Cancelled
from desktop.core.language.program import LanguageProgram
from desktop.core.page_words import PageWords
from desktop.core.problems import failure_place
from desktop.models.errors import ModelError, ModelStopped, PromptTooLong
from desktop.models.generation import GenerationEnd, ModelLoading, PromptProgress, TextPart
from desktop.sentences import counted, joined, said

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from desktop.core.agent.answer_writer import WritingStream
    from desktop.core.agent.answering.quoted_writer import QuotedWriter
    from desktop.core.agent.answering.written_draft import Written
    from desktop.core.agent.citations import ShownQuotes
    from desktop.core.agent.compiled_programs import CompiledPrograms
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.claims.comparison import Comparison
    from desktop.core.library.library import Library
    from desktop.core.reader.passages import NumberedPassage
    from desktop.core.settings.sections import AgentSettings
    from desktop.models.roles import LanguageModel
    from knowledge.atlas import Atlas

logger = logging.getLogger(__name__)

# Tokens of the signature's own words and DSPy's around them.
_INSTRUCTIONS = 700
_HOPELESS = 0.25
"""Chance that there is an answer below which a model is not even asked; up to the least confidence
it may find what the words alone did not show."""
_TOO_LONG = said("The answer hit its length limit and ends early.")


@dataclass(slots=True)
class _Ending:
    """How the model's writing ended: failure, if it broke off; cut_off, if it ran too long."""

    failure: Exception | None = None
    cut_off: bool = False


@dataclass(eq=False)
class ModelWriter:
    """Satisfies `AnswerWriter`; quotes where there is no model or it cannot answer.

    The quotes are looked up before the model is asked: they say how likely the manuals
    answer at all, and they are what is left if the model fails (`refusals`). Nothing that
    no page carries stays in the answer.

    comparison: of its sentences with the pages. programs: an optimiser's, for the model.
    why_quoted: why there is no model to write, None if there is none at all.
    """

    language_model: Callable[[], LanguageModel | None]
    quotes: QuotedWriter
    library: Library | None
    settings: AgentSettings
    comparison: Comparison
    programs: CompiledPrograms
    why_quoted: Callable[[], str | None] = lambda: None

    async def write(self, tree_data: TreeData) -> WritingStream:
        """Write the answer; see `AnswerWriter.write`."""
        model = None if tree_data.without_model else self.language_model()
        if model is None:
            why = None if tree_data.without_model else self.why_quoted()
            async with aclosing(self.quotes.write(tree_data)) as quotes:
                async for output in quotes:
                    if why is not None and isinstance(output, Answer):
                        output = replace(output, reason=joined([output.reason, why], "; "))
                    yield output
            return
        quotation = await self.quotes.answer(tree_data)
        if self._is_hopeless(quotation, tree_data) and not has_pictures(tree_data.environment):
            reason = gave_up(tree_data) or said(
                "the language model was not asked: {reason}", reason=quotation.reason
            )
            yield not_found(quotation, reason, tree_data)
            return
        tree_data.model_asked = True
        yield StatusEvent(said("Choosing passages"))
        shown, citations = tree_data.shown, citations_of(tree_data)
        passages: tuple[NumberedPassage, ...] = ()
        ending = _Ending()
        held: list[Written | StatusEvent] = []
        draft = None
        try:
            atlas = await asyncio.to_thread(_atlas_of_found, tree_data)
            passages = await asyncio.to_thread(self._passages, model, tree_data, atlas)
        except ModelStopped:
            raise
        except Exception as error:  # whatever it is, the manuals can still be quoted
            ending.failure = _noted(error)
        else:
            grounding = PassageGrounding(passages, self._page_words, self.comparison)
            draft = WrittenDraft(grounding, citations, before="" if shown is None else shown.text)
            writing = self._streamed(model, tree_data, atlas, passages, draft, ending)
            async with aclosing(writing):
                async for part in writing:
                    if shown is None or isinstance(part, StatusEvent):
                        yield part
                    else:  # quotes are on the screen, and what it writes must earn their place
                        held.append(part)
        if ending.cut_off:
            yield ErrorEvent(_TOO_LONG, True, said("Ask for the rest, or allow longer answers."))
        if ending.failure is not None or draft is None:
            failure = ending.failure or ModelError(said("nothing was written"))
            rest = instead_of_failure(failure, draft, quotation, citations)
        elif doubt := doubt_about(draft, len(passages), quotation, tree_data):
            rest = quoted_instead(draft, quotation, citations, tree_data, *doubt)
        else:
            if shown is not None:
                for revision in shown.superseded():
                    yield revision
            for part in held:
                yield part
            yield await asyncio.to_thread(self._written_answer, draft, quotation)
            return
        async with aclosing(rest):
            async for output in rest if shown is None else _standing(rest, shown, quotation):
                yield output

    def _is_hopeless(self, quotation: Answer, tree_data: TreeData) -> bool:
        """Whether no model need look: one that gave up is believed unless something is quoted."""
        if quotation.found:
            return False
        return bool(tree_data.impossible) or likelihood(quotation) < _HOPELESS

    async def _streamed(
        self,
        model: LanguageModel,
        tree_data: TreeData,
        atlas: Atlas,
        passages: Sequence[NumberedPassage],
        draft: WrittenDraft,
        ending: _Ending,
    ) -> AsyncGenerator[StatusEvent | Written, None]:
        """Yield what may be shown while the model writes; how it ended is noted in `ending`."""
        program = LanguageProgram(
            model,
            max_tokens=self.settings.answer_tokens,
            on_part=tree_data.trace.spent.listener("tool"),
        )
        module = await asyncio.to_thread(answer_module, tree_data)
        await asyncio.to_thread(self.programs.apply, module, "answer", model.model_id)
        status = WorkStatus(model.model_id, WRITING)
        try:
            inputs = {
                "atlas": atlas.text(),
                "passages": passages_text(passages),
                "question": tree_data.user_prompt,
            }
            async with aclosing(program.stream(module, **inputs)) as items:
                async for item in items:
                    match item:
                        case str(text):
                            if (event := status.of(TextPart(text))) is not None:
                                yield event
                            for output in await asyncio.to_thread(list, draft.feed(text)):
                                yield output
                        case ModelLoading() | PromptProgress():
                            if (event := status.of(item)) is not None:
                                yield event
                        case GenerationEnd(reason):
                            ending.cut_off = reason == "length"
                    if draft.refused:
                        return
        except (ModelStopped, Cancelled):
            raise
        except Exception as error:  # of a model's runtime as well: the manuals are quoted
            ending.failure = _noted(error)
            return
        for output in await asyncio.to_thread(list, draft.finish(cut_off=ending.cut_off)):
            yield output
        for revision in await asyncio.to_thread(list, draft.settle()):
            yield revision

    def _written_answer(self, draft: WrittenDraft, quotation: Answer) -> Answer:
        statements, library = draft.statements, self.library
        noted = any(note_number(each.source.document_id) is not None for each in statements)
        reason = said(
            "{sound} of {claims} backed by {where}",
            sound=draft.sound,
            claims=counted(draft.claims, "1 sentence", "{n} sentences"),
            where=said("the manuals and notes") if noted else said("the manuals"),
        )
        return Answer(
            True,
            statements,
            () if library is None else safety_blocks(statements, library.blocks, library.label),
            (),
            likelihood(quotation) * draft.sound / max(1, draft.claims),
            reason,
            by_model=True,
        )

    def _passages(
        self, model: LanguageModel, tree_data: TreeData, atlas: Atlas
    ) -> tuple[NumberedPassage, ...]:
        """Choose what fits the model's context. Blocks. Raises: ModelError; PromptTooLong."""
        context = model.context_tokens
        before = [turn.get("content", "") for turn in tree_data.conversation_history]
        known = known_text(tree_data.knowledge)
        beside = "\n".join((known, atlas.text(), *before, tree_data.user_prompt))
        around = _INSTRUCTIONS + model.count_tokens(beside)
        room = context - around - self.settings.answer_tokens
        environment = tree_data.environment
        searches = [with_pictures(environment, each.found) for each in gatherings(environment)]
        references = references_of_pages(environment)

        def cost(passage: NumberedPassage) -> int:
            return model.count_tokens(passage_text(passage))

        passages = with_notes(
            environment,
            min(self.settings.passage_tokens, room),
            cost,
            lambda tokens: choose_passages(searches, references, cost, tokens),
        )
        if not passages:
            raise PromptTooLong(around + self.settings.answer_tokens, context)
        return passages

    def _page_words(self, document_id: int, page: int) -> PageWords:
        if self.library is None:
            return PageWords.empty()
        return PageQuotes(self.library).words(document_id, page) or PageWords.empty()


def _noted(error: Exception) -> Exception:
    logger.info("the answer is not written: %s", failure_place(error))
    return error


async def _standing(instead: WritingStream, shown: ShownQuotes, quotation: Answer) -> WritingStream:
    """Pass on what is said instead of a model's answer, none of which is on the screen.

    Quotes that are already there are not written again; different ones replace them.
    """
    stands = shown.are(quotation)
    if quotation.found and not stands:
        for revision in shown.superseded():
            yield revision
    async for output in instead:
        if isinstance(output, RevisionEvent):
            continue  # of words that were never shown
        if stands and isinstance(output, TokenEvent | CitationEvent):
            continue
        yield output


def _atlas_of_found(tree_data: TreeData) -> Atlas:
    """Return the Atlas of the manuals that were found, not of the whole library. Blocks."""
    found = {page.document_id for page in kept_evidence(tree_data.environment)}
    return tree_data.atlas_about(found)


def answer_module(tree_data: TreeData) -> Any:
    """Make what asks for an answer; the import of DSPy takes half a second the first time."""
    from desktop.core.agent.signatures import TextResponseSignature, VSMChainOfThought

    return VSMChainOfThought(TextResponseSignature, tree_data, errors_of="text_response")
