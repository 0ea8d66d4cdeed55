"""One thing that the palette can go to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["manual", "page", "heading", "action", "question"]
_WORDS = re.compile(r"[^\W_]+")


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in small letters; "P-200" is two."""
    return tuple(_WORDS.findall(text.casefold()))


def needle_of(text: str) -> tuple[str, ...]:
    """Return what is looked for: "pump p-200" is "pump" and, behind each other, "p 200"."""
    return tuple(filter(None, (" ".join(words_of(part)) for part in text.split())))


@dataclass(frozen=True, slots=True)
class Entry:
    """What is shown of it, and what it stands for.

    also: more words it is found by. keys: of an action. number: the manual's id, the action's
    place among all actions, or the conversation's id. page: from 0, of a page or heading; label:
    the number printed on a page.
    """

    kind: Kind
    title: str
    detail: str = ""
    also: str = ""
    keys: str = ""
    number: int = 0
    page: int = 0
    label: str = ""
    words: tuple[str, ...] = field(init=False, repr=False, compare=False)
    line: str = field(init=False, repr=False, compare=False)
    also_line: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        words = words_of(self.title)
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "line", _line(words))
        object.__setattr__(self, "also_line", _line(words_of(self.also)))


def _line(words: tuple[str, ...]) -> str:
    """Return words with a space before and after each: they are looked for as parts of it."""
    return f" {' '.join(words)} "
