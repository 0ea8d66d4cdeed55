"""What stands in for the words of a language model that are no answer, and which of it happened.

A model that failed, whose every sentence was withdrawn, or that took its answer from a page which
hardly answers, is replaced by the manuals' own words where those are sure enough to be an answer
by themselves: the confidence of a quotation is calibrated for exactly this choice. A model that
says there is no answer, after reading the passages or while it decided, is believed where quotes
are not sure either. So an answer is never worse than the one without a model.
The reason beside the confidence tells the cases apart, for a person and for the trace.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.core.agent.answering.quoted_writer import likelihood, quoted
from desktop.core.agent.gathered import kept_evidence
from desktop.core.answering.answer import Answer
from desktop.core.events import ErrorEvent
from desktop.core.problems import explain
from desktop.core.sentences import counted, said

if TYPE_CHECKING:
    from desktop.core.agent.answering.answer_writer import WritingStream
    from desktop.core.agent.answering.citations import Citations
    from desktop.core.agent.answering.written_draft import WrittenDraft
    from desktop.core.agent.tree_data import TreeData

_REST_IN_QUOTES = "The manuals are quoted instead."
_NOTHING_STANDS = "Nothing that the language model wrote stands in the manuals."
_FOUND_NONE = said("The language model found no answer, but a quote is sure enough.")
_UNLIKELY = said("The language model answered from a page that hardly answers.")
_FROM_UNLIKELY = said("the language model answered from a page that hardly answers")


async def instead_of_failure(
    error: Exception, draft: WrittenDraft | None, quotation: Answer, citations: Citations
) -> WritingStream:
    """Say why the model's answer is not the answer, take it back and quote."""
    problem = explain(error)
    revisions = [] if draft is None else list(draft.withdraw())
    for revision in revisions:
        yield revision
    instead = _REST_IN_QUOTES if quotation.found else ""
    yield ErrorEvent(f"{problem.title}.", True, f"{instead} {problem.advice}".strip())
    before = "" if draft is None else draft.text
    because = _because(quotation, "the language model failed")
    async for output in quoted(because, citations, after=before):
        yield output


async def instead_of_unfounded(
    draft: WrittenDraft, quotation: Answer, citations: Citations, tree_data: TreeData
) -> WritingStream:
    """Quote in place of an answer of which every sentence was withdrawn, if a quote is sure."""
    for revision in draft.withdraw_openings():
        yield revision
    if not quotation.found:
        reason = "the manuals carry nothing that the language model wrote, and no quote is sure"
        yield not_found(quotation, reason, tree_data)
        return
    yield ErrorEvent(_NOTHING_STANDS, True, _REST_IN_QUOTES)
    because = _because(quotation, "the manuals carry nothing that the language model wrote")
    async for output in quoted(because, citations, after=draft.text):
        yield output


async def refused(
    draft: WrittenDraft,
    passages: int,
    quotation: Answer,
    citations: Citations,
    tree_data: TreeData,
) -> WritingStream:
    """Take the model's words back: it said itself that there is no answer. Quote a sure one."""
    for revision in draft.withdraw():
        yield revision
    read = counted(passages, "1 passage", "{n} passages")
    reason = said("the language model found no answer in {read}", read=read)
    if not quotation.found:
        yield not_found(quotation, reason, tree_data)
        return
    yield ErrorEvent(_FOUND_NONE, True, _REST_IN_QUOTES)
    async for output in quoted(_because(quotation, reason), citations, after=draft.text):
        yield output


async def instead_of_unlikely(
    draft: WrittenDraft, quotation: Answer, citations: Citations
) -> WritingStream:
    """Quote in place of an answer that was taken from a page which hardly answers."""
    for revision in draft.withdraw():
        yield revision
    yield ErrorEvent(_UNLIKELY, True, _REST_IN_QUOTES)
    because = _because(quotation, _FROM_UNLIKELY)
    async for output in quoted(because, citations, after=draft.text):
        yield output


def is_unlikely(
    draft: WrittenDraft, quotation: Answer, tree_data: TreeData, least_confidence: float
) -> bool:
    """Whether a quote is surer than what was written, by the reader's chance for its pages.

    Not where it cites a page that the reader has not read, such as a picture's or a note.
    """
    pages = kept_evidence(tree_data.environment)
    chances = {(page.document_id, page.page): page.score for page in pages if page.units}
    cited = {(each.source.document_id, each.source.page) for each in draft.statements}
    if not quotation.found or not cited or not cited <= chances.keys():
        return False
    return max(chances[place] for place in cited) < least_confidence


def not_asked(quotation: Answer, tree_data: TreeData) -> Answer:
    """Return that it is not in the manuals, so surely that no model is asked to answer."""
    reason = gave_up(tree_data) or f"the language model was not asked: {quotation.reason}"
    return not_found(quotation, reason, tree_data)


def gave_up(tree_data: TreeData) -> str:
    """Return that the decider gave up, and why; "" if it did not."""
    return f"judged to be impossible: {tree_data.impossible}" if tree_data.impossible else ""


def not_found(quotation: Answer, reason: str, tree_data: TreeData) -> Answer:
    """Turn the appraisal of what was found into a refusal, as sure as an answer is unlikely."""
    nearest = quotation.nearest or kept_evidence(tree_data.environment)
    return Answer(False, (), (), nearest, 1 - likelihood(quotation), reason)


def _because(quotation: Answer, cause: str) -> Answer:
    if not quotation.found:
        return replace(quotation, reason=f"{cause}; {quotation.reason}")
    return replace(quotation, reason=f"quoted because {cause}; {quotation.reason}")
