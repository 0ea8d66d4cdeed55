"""The answer: statements with citations, warnings beside it, or that it is not there."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, ClassVar

from desktop.core.agent.answering.model_writer import ModelWriter
from desktop.core.agent.answering.quoted_writer import QuotedWriter
from desktop.core.agent.answering.refusals import (
    gave_up,
    not_in_manuals,
    nothing_to_search,
    still_read_beside,
)
from desktop.core.agent.compiled_programs import CompiledPrograms
from desktop.core.agent.gathering import kept_evidence
from desktop.core.agent.model_share import ModelShare
from desktop.core.agent.notes import NoteLines, kept_notes, note_number, note_object
from desktop.core.agent.tool import ChosenTool, ToolArguments
from desktop.core.agent.tool_output import Result, written
from desktop.core.answering.answer import Answer
from desktop.core.conversations.values import shortened
from desktop.core.events import (
    LIKELY,
    CitationEvent,
    ConfidenceEvent,
    NearestPageEvent,
    TokenEvent,
    WarningBlockEvent,
)
from desktop.core.reader.passages import section_of
from desktop.core.structure.signs import LEADERS
from desktop.sentences import counted, said, template, together

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.agent.answer_writer import AnswerWriter
    from desktop.core.agent.tool import Services
    from desktop.core.agent.tool_output import ToolStream
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.answering.answer import Statement
    from desktop.core.events import PageRegion
    from desktop.core.reader.evidence import Evidence

_ON_PAGE = template("Answered in {said} with {cited}, page {page_numbers}.")
_ON_PAGES = template("Answered in {said} with {cited}, pages {page_numbers}.")
_FROM_NOTES = template("Answered in {said} with {cited}, from the site's notes.")
_SNIPPET_CHARACTERS = 240
_NAMES = ("heading", "caption")
_NOTES_ALONE = 0.5
"""Confidence in an answer that only notes give, at most."""


class ResponseArguments(ToolArguments):
    """It takes no inputs: it answers the prompt from the environment."""


class TextResponse(ChosenTool):
    """Writes the answer from the evidence gathered so far and ends the question."""

    name: ClassVar[str] = "text_response"
    description: ClassVar[str] = (
        "Answer the question from the retrieved pages, with a citation for every statement, "
        "or say that the manuals do not have it. Ends the question."
    )
    end: ClassVar[bool] = True
    arguments: ClassVar[type[ToolArguments]] = ResponseArguments

    def __init__(self, services: Services) -> None:
        self._services = services
        self._writer = _writer(services)

    async def is_tool_available(self, tree_data: TreeData) -> bool:
        """There must be pages or notes to answer from: a list of the manuals answers nothing."""
        found = kept_evidence(tree_data.environment)
        return bool(found or NoteLines(tree_data.environment).left)

    async def __call__(self, tree_data: TreeData, inputs: dict[str, Any]) -> ToolStream:
        """Yield tokens, citations, warnings and confidence, and a `Result` of the statements."""
        ResponseArguments.model_validate(inputs)
        evidence = kept_evidence(tree_data.environment)
        nothing = gave_up(tree_data) or said("No page matches the question.")
        shown = tree_data.shown
        answer = Answer(False, (), (), evidence, 0.0, nothing)
        before = () if shown is None else shown.events
        citations = {e.source: e for e in before if isinstance(e, CitationEvent)}
        warned = [event for event in before if isinstance(event, WarningBlockEvent)]
        notes = NoteLines(tree_data.environment)
        for event in before:
            notes.take(event)
        notes.begun = False
        if evidence:  # the writer weighs it, even if the decider has given up
            async with aclosing(self._writer.write(tree_data)) as writing:
                async for output in writing:
                    if isinstance(output, Answer):
                        answer = output
                        continue
                    if isinstance(output, CitationEvent):
                        citations[output.source] = output
                    if isinstance(output, WarningBlockEvent):
                        warned.append(output)
                    notes.take(output)
                    yield output
        tree_data.outcome = "answered" if answer.found else "not_found"
        tree_data.unanswered = answer.unanswered
        if answer.found:
            notes.begun = True
            lines = notes.below(answer.statements, tree_data.user_prompt, by_model=answer.by_model)
            async for line in lines:
                yield line
            chance, reason = notes.weighed(answer.confidence, answer.reason)
            manuals = await asyncio.to_thread(self._services.shelf.documents)
            cited = {each.source.document_id for each in answer.statements}
            tree_data.still_read = still_read_beside(
                manuals, tree_data.document_ids, cited, sure=chance >= LIKELY
            )
            for block in answer.safety:
                if block not in warned:
                    yield block
            reasons = _reasons(answer, evidence)
            differs = notes.differs and answer.confidence >= LIKELY
            yield ConfidenceEvent(chance, reason, reasons, _read_with(evidence), differs)
            yield _result(tree_data, answer.statements, citations, notes)
            return
        if shown is not None:
            for revision in shown.superseded():
                yield revision
        async for not_found in self._not_found(tree_data, answer, notes):
            yield not_found

    async def _not_found(self, tree_data: TreeData, answer: Answer, notes: NoteLines) -> ToolStream:
        manuals = await asyncio.to_thread(self._services.shelf.documents)
        empty_shelf = nothing_to_search(manuals, tree_data.document_ids)
        if empty_shelf:
            tree_data.outcome = "impossible"
        elif tree_data.withdrawn:
            tree_data.outcome = "failed"
        unnamed = answer.nearest[0].unnamed if answer.nearest else ()
        nearest = answer.nearest[: self._services.agent.nearest_pages]
        near = [near_page(page) for page in nearest]
        sentence = (
            empty_shelf
            or together(list(tree_data.withdrawn.values()))
            or not_in_manuals(
                manuals,
                tree_data.document_ids,
                unnamed,
                near=any(each.snippet for each in near),
            )
        )
        best = max((found.score for found in notes.left), default=0.0)
        async for line in notes.below((), tree_data.user_prompt):
            yield line
        if notes.begun:
            yield TokenEvent("\n")
        async for token in written(sentence):
            yield token
        for event in near:
            yield event
        if notes.objects:
            tree_data.outcome = "answered"
            yield ConfidenceEvent(
                min(best, _NOTES_ALONE), said("a site note says so, but no manual does")
            )
            yield _result(tree_data, (), {}, notes)
            return
        read = kept_evidence(tree_data.environment)
        reasons = _reasons(answer, read)
        yield ConfidenceEvent(answer.confidence, answer.reason, reasons, _read_with(read))


def _reasons(answer: Answer, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Return what the reader's best unit was chosen by, or what its low chance came from."""
    read = next((page for page in evidence if page.units), None)
    if read is None:
        return ()
    return read.why_best if answer.found else read.why_there


def _read_with(evidence: Sequence[Evidence]) -> str:
    return next((page.read_with for page in evidence), "")


def near_page(page: Evidence) -> NearestPageEvent:
    """Return a page with the beginning of what it says best, below its heading.

    Headings and captions say nothing by themselves; a table of contents' dots become one.
    """
    lines = [each for each in page.passages if each.text and each.kind not in _NAMES]
    best = next(iter(lines or page.passages), None)
    text = LEADERS.sub("… ", " ".join(best.text.split()) if best else "")
    if lines and (above := section_of(lines[0])):
        text = f"{above[-1].rstrip(': ')}: {text}"
    region = page.region(best.boxes if best else ())
    return NearestPageEvent(region, shortened(text, _SNIPPET_CHARACTERS))


def _result(
    tree_data: TreeData,
    statements: Sequence[Statement],
    citations: Mapping[PageRegion, CitationEvent],
    notes: NoteLines,
) -> Result:
    objects = tuple(_object(tree_data, each, citations, notes) for each in statements)
    objects += tuple(notes.objects)
    told = len(dict.fromkeys(found["text"] for found in objects))
    cited = len({found["citation"] for found in objects})
    pages = {found["page"] for found in objects if "page" in found}
    return Result(
        objects=objects,
        metadata={
            "citations": cited,
            "said": counted(told, "1 statement", "{n} statements"),
            "cited": counted(cited, "1 citation", "{n} citations"),
        },
        name="answer",
        payload_type="answer",
        llm_message=(_ON_PAGE if len(pages) == 1 else _ON_PAGES) if pages else _FROM_NOTES,
    )


def _object(
    tree_data: TreeData,
    statement: Statement,
    citations: Mapping[PageRegion, CitationEvent],
    notes: NoteLines,
) -> dict[str, Any]:
    number = note_number(statement.source.document_id)
    if number is not None:
        found = kept_notes(tree_data.environment)[number]
        return note_object(statement.text, notes.number_of(found.note.piece_id), found)
    citation = citations[statement.source]
    return {
        "text": statement.text,
        "citation": citation.number,
        "reference": citation.reference,
        "document_id": statement.source.document_id,
        "document": statement.source.document,
        "page": statement.source.page,
        "label": statement.source.label,
    }


def _writer(services: Services) -> AnswerWriter:
    quotes = QuotedWriter(services.answerer, services.shelf)
    writer: AnswerWriter = quotes
    if services.models is not None:
        share = ModelShare(services.models.language, services.agent)
        writer = ModelWriter(
            share.to_write,
            quotes,
            services.library,
            services.agent,
            services.comparison,
            services.programs or CompiledPrograms(),
            share.why_quoted,
        )
    return writer if services.reviewed is None else services.reviewed(writer)


create_tool = TextResponse
