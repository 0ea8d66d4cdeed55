"""An answer in a model's own words while it is written: each sentence is checked when it ends."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.core.answering.answer import Statement
from desktop.core.claims.cited import MARKS
from desktop.core.events import CitationEvent, NoteCitationEvent, RevisionEvent, TokenEvent
from desktop.core.structure.sentences import sentence_spans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.agent.citations import Citations
    from desktop.core.claims.grounding import Grounding, PassageGrounding

_TOKEN = re.compile(r"\[[^\]\n]{0,39}\]|【[^】\n]{0,39}】|\*\*|.", re.DOTALL)
_OPEN = re.compile(r"(\[[^\]\n]{0,39}|【[^】\n]{0,39})\Z|(?<!\*)(?:\*\*)*(\*)\Z")
"""The end of a text that may go on as a mark or as emphasis."""
_LIST = re.compile(
    r"\W\s*(?:passages?\s*)?(\d{1,3}(?:\s*(?:,|;|&|and|to|[-–])\s*\d{1,3})*)\s*\W", re.IGNORECASE
)
_FIRST = re.compile(r"\W\s*(?:passages?\s*(\d{1,3})\b.*|(\d{1,3})\s*[,:|†].*)\W", re.IGNORECASE)
_LONGEST_RANGE = 10
_CLOSING = ".!?\"')]”’"
_JOINS_THE_WORD_BEFORE = frozenset(".,;:!?)")
REFUSAL = "NOT IN THE PASSAGES"
"""What `TextResponseSignature` has the model write when the passages do not answer."""
_CUT_OFF = " …"
# A refusal in the model's own words; in the middle of an answer it may stay.
_DENIES = re.compile(
    r"\b(?:passages?|manuals?|documents?|text)\b.{0,30}\b(?:do|does|did) not\b|\bno information\b"
    r"|\b(?:is|are) not (?:mentioned|specified|stated|provided|described|given|found|contained)\b"
    r"|\bnot in the passages\b|\bkeine (?:angaben?|information(?:en)?)\b"
    r"|\bnicht (?:angegeben|erwähnt|beschrieben|enthalten|genannt)\b",
    re.IGNORECASE,
)
Written = TokenEvent | CitationEvent | NoteCitationEvent | RevisionEvent


@dataclass(frozen=True, slots=True)
class Words:
    """Some characters of the text, in order, without marks."""

    text: str


@dataclass(frozen=True, slots=True)
class SentenceEnd:
    """The words before it end a sentence, item or heading. cited: its marks' numbers, in order."""

    text: str
    cited: tuple[int, ...]


Piece = Words | SentenceEnd


class SentenceStream:
    """Splits an answer while it is written. White space between sentences becomes single.

    Markdown emphasis and headings lose their symbols: the answer is plain text.
    """

    def __init__(self) -> None:
        self._pieces: list[Piece] = []
        self._held = ""  # what may become a mark or emphasis
        self._space = ""
        self._after_mark = False
        self._sentence = ""
        self._cited: dict[int, None] = {}
        self._begun = False

    def feed(self, text: str) -> list[Piece]:
        """Take some more of the text; returns what that completed."""
        text = self._held + text
        open_ = _OPEN.search(text)
        ready = text if open_ is None else text[: open_.start(open_.lastindex or 0)]
        self._held = text[len(ready) :]
        for token in _TOKEN.findall(ready):
            if numbers := cited_numbers(token):
                self._cited.update(dict.fromkeys(numbers))
                self._after_mark = True
            elif token != "**":
                self._show(token)
        return self._taken()

    def finish(self) -> list[Piece]:
        """Say that nothing follows; returns what was held back, and the last sentence."""
        self._show(self._held)
        self._held = ""
        self._end()
        return self._taken()

    @property
    def unfinished(self) -> str:
        """The words of the sentence that has not ended."""
        return self._sentence

    def _taken(self) -> list[Piece]:
        pieces, self._pieces = self._pieces, []
        return pieces

    def _show(self, text: str) -> None:
        for character in text:
            if character == "\n":
                self._end()
                self._space = "\n"
            elif character.isspace():
                self._space = self._space or " "
            elif character != "#" or self._sentence or self._space == " ":
                self._show_visible(character)

    def _show_visible(self, character: str) -> None:
        if self._after_mark and character in _JOINS_THE_WORD_BEFORE:
            self._space = ""  # "5 A [1]." is "5 A."
        if self._space and self._sentence and self._sentence[-1] in _CLOSING:
            words = [*self._sentence.split(), character]  # a word begins with it
            if sentence_spans(words)[-1] == (len(words) - 1, len(words)):
                self._end()
        self._after_mark = False
        space, self._space = self._space if self._begun else "", ""
        self._begun = True
        self._sentence += space + character if self._sentence else character
        last = self._pieces[-1] if self._pieces else None
        if isinstance(last, Words):
            self._pieces[-1] = Words(last.text + space + character)
        else:
            self._pieces.append(Words(space + character))

    def _end(self) -> None:
        if self._sentence:
            self._pieces.append(SentenceEnd(self._sentence, tuple(self._cited)))
            self._sentence = ""
            self._cited = {}


def cited_numbers(mark: str) -> tuple[int, ...]:
    """Return the passages that a bracketed text names: "[2]", "[1, 3]", "[2-4]", "【1†L2】".

    () if it is not a mark: "[see table]".
    """
    if (found := _LIST.fullmatch(mark)) is not None:
        text = found.group(1)
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        for first, last in re.findall(r"(\d+)\s*(?:[-–]|to)\s*(\d+)", text, re.IGNORECASE):
            if 0 <= int(last) - int(first) <= _LONGEST_RANGE:
                numbers += range(int(first), int(last) + 1)
        return tuple(sorted(dict.fromkeys(numbers)))
    if (found := _FIRST.fullmatch(mark)) is not None:
        return (int(found.group(1) or found.group(2)),)
    return ()


@dataclass(slots=True)
class _Sentence:
    """start: its place in the stream. text: as it was streamed, marks included.

    opening: it only announces what follows. statements: empty if nothing carries it.
    grounding: what carries it.
    """

    number: int
    start: int
    text: str
    opening: bool = False
    withdrawn: bool = False
    unsupported: tuple[str, ...] = ()
    statements: list[Statement] = field(default_factory=list)
    grounding: Grounding | None = None


class WrittenDraft:
    """Takes a model's text and releases what may be shown of it.

    Words go out at once. When a sentence ends, what carries it is looked up: then its
    citations and their marks follow, or a revision that marks or withdraws it.
    """

    def __init__(self, grounding: PassageGrounding, citations: Citations, before: str = "") -> None:
        """Begin. before: what has been streamed before it."""
        self._grounding = grounding
        self._citations = citations
        self._stream = SentenceStream()
        self._held: str | None = ""  # what could still be the refusal
        self._start = len(before)
        self._sentences: list[_Sentence] = []
        self.text = before
        self.refused = False

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What was written and is carried by the manuals."""
        return tuple(each for sentence in self._sentences for each in sentence.statements)

    @property
    def claims(self) -> int:
        """How many sentences claimed something, withdrawn ones included."""
        return sum(not sentence.opening for sentence in self._sentences)

    @property
    def sound(self) -> int:
        """How many of them the manuals carry in every number, unit and code."""
        return sum(bool(s.statements) and not s.unsupported for s in self._sentences)

    @property
    def denies(self) -> bool:
        """Whether all that is left of it, or was ever said, is that the passages do not answer."""
        claims = [sentence for sentence in self._sentences if not sentence.opening]
        left = [sentence for sentence in claims if sentence.statements] or claims
        return bool(left) and all(map(_denies, left))

    def feed(self, text: str) -> Iterator[Written]:
        """Take some more of the model's text. May block: pages are read."""
        if self.refused:
            return
        if self._held is not None:
            self._held += text
            said = _plain(self._held)
            if said.startswith(_plain(REFUSAL)):
                self.refused = True
                return
            if _plain(REFUSAL).startswith(said):
                return
            text, self._held = self._held, None
        yield from self._written(self._stream.feed(text))

    def finish(self, *, cut_off: bool = False) -> Iterator[Written]:
        """Say that nothing follows. cut_off: the model was not allowed to go on."""
        if self.refused:
            return
        if self._held is not None:
            held, self._held = self._held, None
            yield from self._written(self._stream.feed(held))
        unfinished = self._stream.unfinished
        if cut_off and unfinished and unfinished[-1] not in ".!?":
            yield from self._written(self._stream.feed(_CUT_OFF))
        yield from self._written(self._stream.finish())

    def settle(self) -> Iterator[RevisionEvent]:
        """Take back what a second look at the whole does not bear out. Raises: ModelStopped."""
        for sentence in self._sentences:
            found = sentence.grounding
            if found is None or found.sure or sentence.withdrawn:
                continue
            if not self._grounding.settle(MARKS.sub("", sentence.text), found):
                yield self._withdrawn(sentence)

    def withdraw(self) -> Iterator[RevisionEvent]:
        """Take back everything, the sentence that has not ended included."""
        for sentence in self._sentences:
            if not sentence.withdrawn:
                yield self._withdrawn(sentence)
        unfinished = self.text[self._start :].strip()
        if unfinished and self._stream.unfinished:
            yield self._withdrawn(_Sentence(len(self._sentences), self._start, unfinished))

    def _written(self, pieces: Sequence[Piece]) -> Iterator[Written]:
        for piece in pieces:
            match piece:
                case Words(text):
                    yield self._token(text)
                case SentenceEnd(text, cited):
                    yield from self._ended(text, cited)

    def _token(self, text: str) -> TokenEvent:
        if self._start >= len(self.text):  # a sentence begins
            self._start = len(self.text) + len(text) - len(text.lstrip())
        self.text += text
        return TokenEvent(text)

    def _ended(self, text: str, cited: Sequence[int]) -> Iterator[Written]:
        sentence = _Sentence(len(self._sentences), self._start, text)
        self._sentences.append(sentence)
        sentence.opening = not cited and self._grounding.is_opening(text)
        if not sentence.opening:
            grounding = self._grounding.ground(text, cited)
            sentence.grounding = grounding
            sentence.unsupported = grounding.unsupported
            if grounding.carriers:
                yield from self._kept(sentence, grounding)
            else:
                yield self._withdrawn(sentence)
        self._start = len(self.text)

    def _kept(self, sentence: _Sentence, grounding: Grounding) -> Iterator[Written]:
        marks: dict[int, None] = {}
        for carrier in grounding.carriers:
            number, citation = self._citations.cite(carrier.source, carrier.quote)
            marks[number] = None
            if citation is not None:
                yield citation
        sentence.statements += [
            Statement(sentence.text, each.source, each.quote) for each in grounding.carriers
        ]
        if sentence.unsupported:
            same = sentence.text
            yield RevisionEvent(sentence.number, sentence.start, same, same, sentence.unsupported)
        signs = " " + "".join(f"[{number}]" for number in marks)
        sentence.text += signs
        self.text += signs
        yield TokenEvent(signs)

    def _withdrawn(self, sentence: _Sentence) -> RevisionEvent:
        sentence.statements.clear()
        sentence.withdrawn = True
        return RevisionEvent(
            sentence.number, sentence.start, sentence.text, "", sentence.unsupported
        )


def _denies(sentence: _Sentence) -> bool:
    """Whether a sentence says that something is not said; a manual may say so itself."""
    quotes = [statement.quote for statement in sentence.statements]
    return bool(_DENIES.search(sentence.text)) and not any(map(_DENIES.search, quotes))


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().casefold()
