"""The sentences a person reads when there is no answer: what it means and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.sentences import said, template, together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.library.values import DocumentRecord

_WORKING = frozenset({"queued", "indexing"})

NO_MANUALS = said(
    "There are no manuals in this library yet. Drop PDF files or folders into the window, or run: "
    "groundwork ingest PATH"
)
STILL_READ = said("The manuals are still being read. Ask again in a moment.")
PROTECTED = said("The manuals are protected. Enter their password in the library, then ask again.")
UNREADABLE = said(
    "None of the chosen manuals could be read. The library says why beside each of them; add "
    "other PDF files or retry."
)
NOT_IN_ALL = said("The answer is not in your manuals.")
NOT_IN_ONE = said("The answer is not in the 1 manual you selected.")
NOT_IN_SOME = template("The answer is not in the {n} manuals you selected.")
UNNAMED = template("None of them names {names}; check how it is written.")
ONE_WAITS = said("1 manual is still being read; ask again when that is done.")
SOME_WAIT = template("{n} manuals are still being read; ask again when that is done.")
PART_NOT_FOUND = template("The manuals do not seem to answer: “{asked}”")

SENTENCES = (
    *(NO_MANUALS, STILL_READ, PROTECTED, UNREADABLE, NOT_IN_ALL, NOT_IN_ONE, NOT_IN_SOME),
    *(UNNAMED, ONE_WAITS, SOME_WAIT),
)
"""The templates of all of them, to know them again in a stored conversation."""


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

    unnamed: codes of the question that no manual names; which they are is said too.
    """
    chosen = [manual for manual in manuals if not selected or manual.id in selected]
    searched = sum(manual.searchable for manual in chosen)
    sentences = [NOT_IN_ALL]
    if selected and len(chosen) < len(manuals):
        one = searched == 1
        sentences = [NOT_IN_ONE if one else said(NOT_IN_SOME, n=searched)]
    if unnamed:
        sentences.append(said(UNNAMED, names=_listed(unnamed)))
    waiting = sum(manual.state in _WORKING for manual in chosen)
    if waiting:
        sentences.append(ONE_WAITS if waiting == 1 else said(SOME_WAIT, n=waiting))
    return together(sentences)


def parts_not_found(parts: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence for each part of a question that was left unanswered."""
    return tuple(said(PART_NOT_FOUND, asked=part) for part in parts)


def _listed(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
