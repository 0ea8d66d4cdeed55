"""When there is no answer, or a model's words are not one: what is said or quoted instead."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.core.agent.answering.quoted_writer import likelihood, quoted
from desktop.core.agent.gathering import kept_evidence
from desktop.core.answering.answer import Answer
from desktop.core.events import ErrorEvent
from desktop.core.problems import explain
from desktop.sentences import counted, full, joined, said, template, together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.agent.answer_writer import WritingStream
    from desktop.core.agent.answering.written_draft import WrittenDraft
    from desktop.core.agent.citations import Citations
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.library.values import DocumentRecord
    from desktop.sentences import Sentence

_WORKING = frozenset({"queued", "indexing"})

NO_MANUALS = said(
    "There are no manuals in this library yet. Add PDF files or a folder, then ask again."
)
STILL_READ = said("The manuals are still being read. Ask again in a moment.")
PROTECTED = said("The manuals are protected. Enter their password in the library, then ask again.")
UNREADABLE = said(
    "None of the chosen manuals could be read. The library says why beside each of them; add "
    "other PDF files or retry."
)
NOT_IN_ALL = said("I did not find the answer in your manuals.")
NOT_IN_ONE = said("I did not find the answer in the 1 manual you selected.")
NOT_IN_SOME = template("I did not find the answer in the {n} manuals you selected.")
UNNAMED = template("None of them mentions {names}; check the spelling.")
ONE_WAITS = said("1 manual is still being read; ask again when that is done.")
SOME_WAIT = template("{n} manuals are still being read; ask again when that is done.")
PART_NOT_FOUND = template("The manuals do not seem to answer: “{asked}”")

_HARDLY = 0.07
"""A page whose best unit answers with a smaller chance hardly answers."""
_REST_IN_QUOTES = said("The manuals are quoted instead.")
_NOTHING_STANDS = said("Nothing the language model wrote is in the manuals.")
_FOUND_NONE = said("The language model found no answer, but a quote is certain enough.")
_UNLIKELY = said("The language model answered from a page that hardly answers.")
_HARDLY_CARRIED = said("The manuals do not support most of what the language model wrote.")
_OF_LITTLE_CARRIED = said("the manuals do not support most of what the language model wrote")
_FROM_UNLIKELY = said("the language model answered from a page that hardly answers")


def nothing_to_search(manuals: Sequence[DocumentRecord], selected: frozenset[int]) -> str:
    """Return what to do when no manual can be searched, or "" when one can."""
    chosen = [manual for manual in manuals if not selected or manual.id in selected]
    if any(manual.searchable for manual in chosen):
        return ""
    if not manuals:
        return NO_MANUALS
    if any(manual.state in _WORKING for manual in chosen):
        return STILL_READ
    if any(manual.state == "needs_password" for manual in chosen):
        return PROTECTED
    return UNREADABLE


def not_in_manuals(
    manuals: Sequence[DocumentRecord], selected: frozenset[int], unnamed: Sequence[str] = ()
) -> str:
    """Return the sentence that says where the answer was looked for in vain.

    unnamed: codes of the question that no manual names; they are listed too.
    """
    chosen = [manual for manual in manuals if not selected or manual.id in selected]
    searched = sum(manual.searchable for manual in chosen)
    sentences = [NOT_IN_ALL]
    if selected and len(chosen) < len(manuals):
        one = searched == 1
        sentences = [NOT_IN_ONE if one else said(NOT_IN_SOME, n=searched)]
    if unnamed:
        sentences.append(said(UNNAMED, names=_listed(unnamed)))
    sentences += still_read(manuals, selected)
    return together(sentences)


def still_read(manuals: Sequence[DocumentRecord], selected: frozenset[int]) -> tuple[Sentence, ...]:
    """Return a sentence if some of the manuals that were asked are still being read."""
    asked = [manual for manual in manuals if not selected or manual.id in selected]
    waiting = sum(manual.state in _WORKING for manual in asked)
    if not waiting:
        return ()
    return (ONE_WAITS if waiting == 1 else said(SOME_WAIT, n=waiting),)


def parts_not_found(parts: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence for each part of a question that was left unanswered."""
    return tuple(said(PART_NOT_FOUND, asked=part) for part in parts)


def _listed(names: Sequence[str]) -> str:
    return joined(names, last=said(" or "))


async def instead_of_failure(
    error: Exception, draft: WrittenDraft | None, quotation: Answer, citations: Citations
) -> WritingStream:
    """Say why the model's answer is not the answer, take it back and quote."""
    problem = explain(error)
    revisions = [] if draft is None else list(draft.withdraw())
    for revision in revisions:
        yield revision
    instead = [_REST_IN_QUOTES] if quotation.found else []
    yield ErrorEvent(full(problem.title), True, together([*instead, problem.advice]))
    before = "" if draft is None else draft.text
    because = _because(quotation, said("the language model failed"))
    async for output in quoted(because, citations, after=before):
        yield output


async def instead_of_unfounded(
    draft: WrittenDraft, quotation: Answer, citations: Citations, tree_data: TreeData
) -> WritingStream:
    """Quote in place of an answer of which every sentence was withdrawn, if a quote is sure."""
    for revision in draft.withdraw_openings():
        yield revision
    if not quotation.found:
        reason = said(
            "the manuals support nothing that the language model wrote, and no quote is certain"
        )
        yield not_found(quotation, reason, tree_data)
        return
    yield ErrorEvent(_NOTHING_STANDS, True, _REST_IN_QUOTES)
    because = _because(quotation, said("the manuals support nothing that the language model wrote"))
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


async def instead_of_doubtful(
    draft: WrittenDraft, quotation: Answer, citations: Citations, *, unlikely: bool
) -> WritingStream:
    """Quote in place of an answer that is worth less than the quote.

    unlikely: it was taken from a page that hardly answers; else most of it is not carried.
    """
    for revision in draft.withdraw():
        yield revision
    yield ErrorEvent(_UNLIKELY if unlikely else _HARDLY_CARRIED, True, _REST_IN_QUOTES)
    because = _because(quotation, _FROM_UNLIKELY if unlikely else _OF_LITTLE_CARRIED)
    async for output in quoted(because, citations, after=draft.text):
        yield output


def is_unlikely(draft: WrittenDraft, quotation: Answer, tree_data: TreeData) -> bool:
    """Whether a quote is surer than what was written, by the reader's chance for its pages.

    Not where it cites a page that the reader has not read, such as a picture's or a note.
    """
    pages = kept_evidence(tree_data.environment)
    chances = {(page.document_id, page.page): page.score for page in pages if page.units}
    cited = {(each.source.document_id, each.source.page) for each in draft.statements}
    if not quotation.found or not cited or not cited <= chances.keys():
        return False
    return max(chances[place] for place in cited) < _HARDLY


def not_asked(quotation: Answer, tree_data: TreeData) -> Answer:
    """Return "not in the manuals", so surely that no model is asked to answer."""
    reason = gave_up(tree_data) or said(
        "the language model was not asked: {reason}", reason=quotation.reason
    )
    return not_found(quotation, reason, tree_data)


def gave_up(tree_data: TreeData) -> str:
    """Return a sentence if the decider gave up, and why; "" if it did not."""
    return (
        said("judged unanswerable: {impossible}", impossible=tree_data.impossible)
        if tree_data.impossible
        else ""
    )


def not_found(quotation: Answer, reason: str, tree_data: TreeData) -> Answer:
    """Turn the appraisal of what was found into a refusal, as sure as an answer is unlikely."""
    nearest = quotation.nearest or kept_evidence(tree_data.environment)
    return Answer(False, (), (), nearest, 1 - likelihood(quotation), reason)


def _because(quotation: Answer, cause: str) -> Answer:
    if not quotation.found:
        return replace(quotation, reason=joined([cause, quotation.reason], "; "))
    return replace(
        quotation,
        reason=said("quoted because {cause}; {reason}", cause=cause, reason=quotation.reason),
    )
