"""An answer in a model's own words while it is written: each sentence is checked when it ends."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.core.agent.answering.sentence_stream import SentenceEnd, SentenceStream, Words
from desktop.core.answering.answer import Statement
from desktop.core.events import CitationEvent, NoteCitationEvent, RevisionEvent, TokenEvent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.agent.answering.citations import Citations
    from desktop.core.agent.answering.sentence_stream import Piece
    from desktop.core.claims.grounding import Carrier, Grounding, PassageGrounding

REFUSAL = "NOT IN THE PASSAGES"
"""What `TextResponseSignature` has the model write when the passages do not answer."""
_NOT_A_WORD = re.compile(r"[\W_]+")
_CUT_OFF = " …"
_MARKS = re.compile(r"\s*\[\d{1,3}\]")
# A refusal in the model's own words; in the middle of an answer it may stay.
_DENIES = re.compile(
    r"\b(?:passages?|manuals?|documents?|text)\b.{0,30}\b(?:do|does|did) not\b|\bno information\b"
    r"|\b(?:is|are) not (?:mentioned|specified|stated|provided|described|given|found|contained)\b"
    r"|\bnot in the passages\b|\bkeine (?:angaben?|information(?:en)?)\b"
    r"|\bnicht (?:angegeben|erwähnt|beschrieben|enthalten|genannt)\b",
    re.IGNORECASE,
)

Written = TokenEvent | CitationEvent | NoteCitationEvent | RevisionEvent


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
    """Takes a model's text and gives out what may be shown of it.

    Words go out at once. When a sentence ends, what carries it is looked up: then its
    citations and their marks follow, or a revision that marks or withdraws it.
    """

    def __init__(self, grounding: PassageGrounding, citations: Citations) -> None:
        self._grounding = grounding
        self._citations = citations
        self._stream = SentenceStream()
        self._held: str | None = ""  # what could still be the refusal
        self._start = 0
        self._sentences: list[_Sentence] = []
        self.text = ""
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
        """Whether all that is left of it, or was ever said, is that the passages do not answer.

        That something is not there stands in no passage, so such a sentence may be withdrawn.
        """
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
        """Take back what a second look does not bear out; the model must not be writing. Blocks.

        Raises: ModelStopped.
        """
        for sentence in self._sentences:
            found = sentence.grounding
            if found is None or found.sure or sentence.withdrawn:
                continue
            if not self._grounding.settle(_without_marks(sentence.text), found):
                yield self._withdrawn(sentence)

    def withdraw(self) -> Iterator[RevisionEvent]:
        """Take back everything, the sentence that has not ended included."""
        for sentence in self._sentences:
            if not sentence.withdrawn:
                yield self._withdrawn(sentence)
        unfinished = self.text[self._start :].strip()
        if unfinished and self._stream.unfinished:
            yield self._withdrawn(_Sentence(len(self._sentences), self._start, unfinished))

    def withdraw_openings(self) -> Iterator[RevisionEvent]:
        """Take back what announces something that does not follow."""
        for sentence in self._sentences:
            if sentence.opening and not sentence.withdrawn:
                yield self._withdrawn(sentence)

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
        sentence.statements += [_statement(sentence.text, each) for each in grounding.carriers]
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


def _without_marks(text: str) -> str:
    return _MARKS.sub("", text)


def _denies(sentence: _Sentence) -> bool:
    """Whether a sentence says that something is not said; a manual may say so itself."""
    quotes = [statement.quote for statement in sentence.statements]
    return bool(_DENIES.search(sentence.text)) and not any(map(_DENIES.search, quotes))


def _statement(text: str, carrier: Carrier) -> Statement:
    return Statement(text, carrier.source, carrier.quote)


def _plain(text: str) -> str:
    return _NOT_A_WORD.sub(" ", text).strip().casefold()
