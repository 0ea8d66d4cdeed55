"""Sentences and their citation marks, told apart in a text that arrives in pieces.

A small state machine over characters. Words are passed on at once; a mark such as "[2]" is
never shown, but kept with its sentence, however it was split over the pieces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop.core.structure.sentences import sentence_spans

_OPENERS = {"[": "]", "【": "】"}
_LONGEST_MARK = 40
_LIST = re.compile(
    r"\W\s*(?:passages?\s*)?(\d{1,3}(?:\s*(?:,|;|&|and|to|[-–])\s*\d{1,3})*)\s*\W", re.IGNORECASE
)
_FIRST = re.compile(r"\W\s*(?:passages?\s*(\d{1,3})\b.*|(\d{1,3})\s*[,:|†].*)\W", re.IGNORECASE)
_RANGE = re.compile(r"(\d+)\s*(?:[-–]|to)\s*(\d+)", re.IGNORECASE)
_LONGEST_RANGE = 10
_CLOSING = ".!?\"')]”’"
_JOINS_THE_WORD_BEFORE = frozenset(".,;:!?)")


@dataclass(frozen=True, slots=True)
class Words:
    """Some characters of the text, in order, without marks."""

    text: str


@dataclass(frozen=True, slots=True)
class SentenceEnd:
    """The sentence, list item or heading that the words before made is complete.

    text: its words. cited: the numbers that its marks named, in order, no repeats.
    """

    text: str
    cited: tuple[int, ...]


Piece = Words | SentenceEnd


class SentenceStream:
    """Splits an answer while it is written. White space between sentences is made single.

    Emphasis and headings of Markdown lose their signs: the answer is plain text.
    """

    def __init__(self) -> None:
        self._pieces: list[Piece] = []
        self._mark = ""
        self._star = False
        self._space = ""
        self._after_mark = False
        self._sentence = ""
        self._cited: dict[int, None] = {}
        self._begun = False

    def feed(self, text: str) -> list[Piece]:
        """Take some more of the text; returns what it made complete."""
        for character in text:
            self._take(character)
        return self._taken()

    def finish(self) -> list[Piece]:
        """Say that nothing follows; returns what was held back, and the last sentence."""
        self._release()
        self._end()
        return self._taken()

    @property
    def unfinished(self) -> str:
        """The words of the sentence that has not ended."""
        return self._sentence

    def _taken(self) -> list[Piece]:
        joined: list[Piece] = []
        for piece in self._pieces:
            last = joined[-1] if joined else None
            if isinstance(piece, Words) and isinstance(last, Words):
                joined[-1] = Words(last.text + piece.text)
            else:
                joined.append(piece)
        self._pieces = []
        return joined

    def _take(self, character: str) -> None:
        if self._mark:
            self._take_in_mark(character)
        elif character in _OPENERS:
            self._release()
            self._mark = character
        elif character == "*" and not self._star:
            self._star = True  # the first of two is dropped with its fellow
        elif character == "*":
            self._star = False
        else:
            self._release()
            self._show(character)

    def _take_in_mark(self, character: str) -> None:
        self._mark += character
        if character == _OPENERS[self._mark[0]]:
            numbers = cited_numbers(self._mark)
            if not numbers:
                self._release()
                return
            self._cited.update(dict.fromkeys(numbers))
            self._mark, self._after_mark = "", True
        elif character == "\n" or len(self._mark) > _LONGEST_MARK:
            self._release()

    def _release(self) -> None:
        """Show what was held back: it is no mark and no emphasis."""
        held = ("*" if self._star else "") + self._mark
        self._star, self._mark = False, ""
        for character in held:
            self._show(character)

    def _show(self, character: str) -> None:
        if character == "\n":
            self._end()
            self._space = "\n"
        elif character.isspace():
            self._space = self._space or " "
        elif character == "#" and not self._sentence and self._space in ("", "\n"):
            return
        else:
            self._show_visible(character)

    def _show_visible(self, character: str) -> None:
        if self._after_mark and character in _JOINS_THE_WORD_BEFORE:
            self._space = ""  # "5 A [1]." is "5 A."
        if self._space and self._sentence and self._ends_before(character):
            self._end()
        self._after_mark = False
        space, self._space = self._space if self._begun else "", ""
        self._begun = True
        if self._sentence:
            self._sentence += space
        self._sentence += character
        self._pieces.append(Words(space + character))

    def _ends_before(self, character: str) -> bool:
        """Whether the sentence is over, now that a word begins with this character."""
        if self._sentence[-1] not in _CLOSING:
            return False
        words = [*self._sentence.split(), character]
        return sentence_spans(words)[-1] == (len(words) - 1, len(words))

    def _end(self) -> None:
        if self._sentence:
            self._pieces.append(SentenceEnd(self._sentence, tuple(self._cited)))
            self._sentence = ""
            self._cited = {}


def cited_numbers(mark: str) -> tuple[int, ...]:
    """Return the passages that a bracketed text names: "[2]", "[1, 3]", "[2-4]", "【1†L2】".

    () if it is no mark: "[see table]".
    """
    if (found := _LIST.fullmatch(mark)) is not None:
        text = found.group(1)
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        for first, last in _RANGE.findall(text):
            if 0 <= int(last) - int(first) <= _LONGEST_RANGE:
                numbers += range(int(first), int(last) + 1)
        return tuple(sorted(dict.fromkeys(numbers)))
    if (found := _FIRST.fullmatch(mark)) is not None:
        return (int(found.group(1) or found.group(2)),)
    return ()
