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
    from collections.abc import Collection, Sequence

    from desktop.core.agent.answer_writer import WritingStream
    from desktop.core.agent.answering.written_draft import WrittenDraft
    from desktop.core.agent.citations import Citations
    from desktop.core.agent.tree_data import TreeData
    from desktop.core.library.values import DocumentRecord
    from desktop.sentences import Sentence

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
NOT_IN_ONE = said("I did not find the answer in the manual you selected.")
NOT_IN_SOME = template("I did not find the answer in the {n} manuals you selected.")
NOT_YET = said("There is no sure answer yet.")
UNSURE_OF_ALL = said("Not sure your manuals answer this.")
UNSURE_OF_ONE = said("Not sure the manual you selected answers this.")
UNSURE_OF_SOME = template("Not sure the {n} manuals you selected answer this.")
"""Where lines near the question are shown: the answer may be one of them."""
UNNAMED = template("None of them mentions {names}; check the spelling.")
WAITING = template("Still being read: {names}. Ask again when that is done.")
PART_NOT_FOUND = template("The manuals do not seem to answer: “{asked}”")

_MOST_NAMED = 3
_HARDLY = 0.07
"""A page whose best unit answers with a smaller chance hardly answers."""
_REST_IN_QUOTES = said("The manuals are quoted instead.")
_NOTHING_STANDS = said("Nothing the language model wrote is in the manuals.")
_FOUND_NONE = said("The language model found no answer, but a quote is certain enough.")
_UNLIKELY = said("The language model used a weak page.")
_HARDLY_CARRIED = said("The manuals do not support most of what the language model wrote.")
_OF_LITTLE_CARRIED = said("the manuals do not support most of what the language model wrote")
_FROM_UNLIKELY = said("the language model used a weak page")
_NOTHING_CARRIED = said("the manuals support nothing that the language model wrote")
_NOTHING_CERTAIN = said(
    "the manuals support nothing that the language model wrote, and no quote is certain"
)


def nothing_to_search(manuals: Sequence[DocumentRecord], selected: frozenset[int]) -> str:
    """Return what to do when no manual can be searched, or "" when one can."""
    chosen = [manual for manual in manuals if not selected or manual.id in selected]
    if any(manual.searchable for manual in chosen):
        return ""
    if not manuals:
        return NO_MANUALS
    if any(manual.being_read for manual in chosen):
        return STILL_READ
    if any(manual.state == "needs_password" for manual in chosen):
        return PROTECTED
    return UNREADABLE


def not_in_manuals(
    manuals: Sequence[DocumentRecord],
    selected: frozenset[int],
    unnamed: Sequence[str] = (),
    *,
    near: bool = False,
) -> str:
    """Return the sentence that says where the answer was looked for in vain.

    unnamed: codes of the question that no manual names; they are listed too. near: lines that may
    answer are shown.
    """
    near = near and not unnamed  # what is said of E12 does not answer who asks for F-12
    of_all = UNSURE_OF_ALL if near else NOT_IN_ALL
    of_one, of_some = (UNSURE_OF_ONE, UNSURE_OF_SOME) if near else (NOT_IN_ONE, NOT_IN_SOME)
    chosen = [manual for manual in manuals if not selected or manual.id in selected]
    searched = sum(manual.searchable for manual in chosen)
    sentences = [of_all]
    if selected and len(chosen) < len(manuals):
        sentences = [of_one if searched == 1 else said(of_some, n=searched)]
    if unnamed:
        sentences.append(said(UNNAMED, names=joined(unnamed, last=said(" or "))))
    waiting = still_read(manuals, selected)
    if waiting and not unnamed:  # what is not read yet may say it
        sentences = [NOT_YET]
    return together([*sentences, *waiting])


def still_read(manuals: Sequence[DocumentRecord], selected: frozenset[int]) -> tuple[Sentence, ...]:
    """Return which of the manuals that were asked are still being read, if there are any."""
    asked = [manual for manual in manuals if not selected or manual.id in selected]
    names = [each.title.strip() or each.name for each in asked if each.being_read]
    names[_MOST_NAMED:] = ["…"] if len(names) > _MOST_NAMED else []
    return (said(WAITING, names=joined(names)),) if names else ()


def still_read_beside(
    manuals: Sequence[DocumentRecord],
    selected: frozenset[int],
    cited: Collection[int],
    *,
    sure: bool,
) -> tuple[Sentence, ...]:
    """Return `still_read` if what is unread may change the answer; a sure one, by its manuals."""
    return still_read([each for each in manuals if not sure or each.id in cited], selected)


def parts_not_found(parts: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence for each part of a question that was left unanswered."""
    return tuple(said(PART_NOT_FOUND, asked=part) for part in parts)


async def instead_of_failure(
    error: Exception, draft: WrittenDraft | None, quotation: Answer, citations: Citations
) -> WritingStream:
    """Say why the model's answer is not the answer, take it back and quote."""
    problem = explain(error)
    for revision in () if draft is None else draft.withdraw():
        yield revision
    instead = [_REST_IN_QUOTES] if quotation.found else []
    yield ErrorEvent(full(problem.title), True, together([*instead, problem.advice]))
    before = "" if draft is None else draft.text
    because = _because(quotation, said("the language model failed"))
    async for output in quoted(because, citations, after=before):
        yield output


async def quoted_instead(
    draft: WrittenDraft,
    quotation: Answer,
    citations: Citations,
    tree_data: TreeData,
    trouble: str,
    cause: str,
) -> WritingStream:
    """Quote in place of the model's words, or refuse. trouble, cause: of `doubt_about`."""
    for revision in draft.withdraw():
        yield revision
    if not quotation.found:
        yield not_found(quotation, cause, tree_data)
        return
    yield ErrorEvent(trouble, True, _REST_IN_QUOTES)
    async for output in quoted(_because(quotation, cause), citations, after=draft.text):
        yield output


def doubt_about(
    draft: WrittenDraft, passages: int, quotation: Answer, tree_data: TreeData
) -> tuple[str, str] | None:
    """Return what to say of a model's answer that may not stand, and why; None if it may.

    passages: how many it was given. A sure quote gives way only to what is mostly carried.
    """
    if draft.refused or draft.denies:
        read = counted(passages, "1 passage", "{n} passages")
        return _FOUND_NONE, said("the language model found no answer in {read}", read=read)
    if not draft.statements:
        return _NOTHING_STANDS, _NOTHING_CARRIED if quotation.found else _NOTHING_CERTAIN
    if _is_unlikely(draft, quotation, tree_data):
        return _UNLIKELY, _FROM_UNLIKELY
    sure = tree_data.shown is not None and tree_data.shown.sure and quotation.found
    if sure and 2 * draft.sound <= draft.claims:
        return _HARDLY_CARRIED, _OF_LITTLE_CARRIED
    return None


def _is_unlikely(draft: WrittenDraft, quotation: Answer, tree_data: TreeData) -> bool:
    """Whether a quote is surer than what was written, by the reader's chance for its pages.

    Not where it cites a page that the reader has not read, such as a picture's or a note.
    """
    pages = kept_evidence(tree_data.environment)
    chances = {(page.document_id, page.page): page.score for page in pages if page.units}
    cited = {(each.source.document_id, each.source.page) for each in draft.statements}
    if not quotation.found or not cited or not cited <= chances.keys():
        return False
    return max(chances[place] for place in cited) < _HARDLY


def gave_up(tree_data: TreeData) -> str:
    """Return a sentence if the decider gave up, and why; "" if it did not."""
    impossible = tree_data.impossible
    return said("judged unanswerable: {impossible}", impossible=impossible) if impossible else ""


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
