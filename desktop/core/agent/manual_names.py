"""What a manual is called by people, and which manual a few words mean."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from desktop.core.structure.sentences import words_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.library.values import DocumentRecord

_EMPTY = frozenset(
    """
    a an and the of for from in my our this that manual manuals handbook guide pdf document book
    das der die des dem den von vom im in aus mein unser dieses handbuch handbuchs handbücher
    anleitung anleitungen dokument
    """.split()
)
"""Words that every manual may be called by."""
_SHORTEST_STEM = 5


def meant_manuals(name: str, manuals: Sequence[DocumentRecord]) -> list[DocumentRecord]:
    """Return the manuals that `name` can mean; all of them for a name that says nothing.

    An exact title or file name wins. Else the words of `name` must all be in the title or the
    file name, in another form too: "installer" means "Installation Manual".
    """
    wanted = name.strip().casefold()
    exact = [manual for manual in manuals if wanted in _names(manual)]
    if exact:
        return exact
    words = _words(wanted)
    telling = [word for word in words if word not in _EMPTY]
    return [manual for manual in manuals if all(_names_it(word, manual) for word in telling)]


def shown_title(manual: DocumentRecord) -> str:
    """Return how a person knows a manual."""
    return manual.title.strip() or PurePath(manual.name).stem


def _names(manual: DocumentRecord) -> set[str]:
    names = (manual.name, PurePath(manual.name).stem, manual.title.strip())
    return {name.casefold() for name in names if name}


def _names_it(word: str, manual: DocumentRecord) -> bool:
    known = {part for name in _names(manual) for part in _words(name)}
    stem = word[:_SHORTEST_STEM]
    return word in known or (
        len(word) >= _SHORTEST_STEM and any(part.startswith(stem) for part in known)
    )


def _words(text: str) -> list[str]:
    return words_in(text.casefold())
