"""The sentences a person reads when there is no answer: what it means and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.library.values import DocumentRecord

_WORKING = frozenset({"queued", "indexing"})


def nothing_to_search(manuals: Sequence[DocumentRecord], selected: frozenset[int]) -> str:
    """Return what to do when no manual can be searched, or "" when one can."""
    chosen = [manual for manual in manuals if not selected or manual.id in selected]
    if any(manual.searchable for manual in chosen):
        return ""
    if not manuals:
        return (
            "There are no manuals in this library yet. Drop PDF files or folders into the "
            "window, or run: groundwork ingest PATH"
        )
    if any(manual.state in _WORKING for manual in chosen):
        return "The manuals are still being read. Ask again in a moment."
    if any(manual.state == "needs_password" for manual in chosen):
        return "The manuals are protected. Enter their password in the library, then ask again."
    return (
        "None of the chosen manuals could be read. The library says why beside each of them; "
        "add other PDF files or retry."
    )


def not_in_manuals(
    manuals: Sequence[DocumentRecord], selected: frozenset[int], unnamed: Sequence[str] = ()
) -> str:
    """Return the sentence that says where the answer was looked for in vain.

    unnamed: codes of the question that no manual names; which they are is said too.
    """
    chosen = [manual for manual in manuals if not selected or manual.id in selected]
    searched = sum(manual.searchable for manual in chosen)
    if selected and len(chosen) < len(manuals):
        sentence = f"The answer is not in the {_count(searched)} you selected."
    else:
        sentence = "The answer is not in your manuals."
    if unnamed:
        sentence += f" None of them names {_listed(unnamed)}; check how it is written."
    waiting = sum(manual.state in _WORKING for manual in chosen)
    if waiting:
        verb = "is" if waiting == 1 else "are"
        sentence += f" {_count(waiting)} {verb} still being read; ask again when that is done."
    return sentence


def _listed(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _count(number: int) -> str:
    return f"{number} manual" if number == 1 else f"{number} manuals"
