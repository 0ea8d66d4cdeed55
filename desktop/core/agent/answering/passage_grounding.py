"""Which passage carries a written sentence, and which words on its page.

A sentence is believed as far as the manuals say it. What it cites is looked at first; a
sentence without a (true) citation gets one only if a single passage says nearly all of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from desktop.core.agent.answering.column_units import values_of_row
from desktop.core.agent.answering.passages import PICTURE
from desktop.core.agent.answering.statement_facts import Fact, Ground, facts_of
from desktop.core.agent.answering.weighed_sentence import WeighedSentence
from desktop.core.events import PageRegion
from desktop.core.retrieval.grounding import Quote, quotes_of
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from desktop.core.agent.answering.passages import NumberedPassage
    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.evidence import Passage

# Shares of a sentence's words. A cited passage must say this much of it...
_CARRIES = 0.25
_CARRIED = 0.4  # ... and all cited ones together this much.
# A passage that the sentence does not cite must say nearly everything.
_SAYS_IT = 0.7
_SAME_WORDS = 0.75  # of a sentence's words without its values, in one sentence of the manual
_SPEAKS_FOR_ITSELF = 3  # words, values left out
_ABOUT_QUESTION = 0.5
_FEWEST_WORDS = 2  # "Yes" stands somewhere on any page
_MOST_QUOTES = 3
_ADDS = 0.2  # what a further quote must add, of 2: all words and all facts
_PER_TERM = 0.002
# "5 Faults" says nothing about 5 A
_SECTION_NUMBER = re.compile(r"^\s*[A-Z]?\d+(?:\.\d+)*\.?\s+(?=[^\W\d])")
# a number of its own, not the end of a code such as "HX-200" or "X4:1"
_NUMBER = re.compile(r"(?<![\w.,:/+-])\d+(?:[.,]\d+)*")
_BETWEEN_QUOTES = " … "


@dataclass(frozen=True, slots=True)
class Carrier:
    """Words on a page that carry a sentence: their boxes are in source."""

    passage: NumberedPassage
    source: PageRegion
    quote: str


@dataclass(frozen=True, slots=True)
class Grounding:
    """What became of a sentence.

    carriers: empty if nothing carries it; then it may not stay. unsupported: numbers, units
    and codes of the sentence that no carrying passage says.
    """

    carriers: tuple[Carrier, ...]
    unsupported: tuple[str, ...] = ()


class PassageGrounding:
    """Grounds the sentences of one answer; may read page words, so it blocks."""

    def __init__(
        self,
        passages: Sequence[NumberedPassage],
        page_words: Callable[[int, int], PageWords],
        question: str,
    ) -> None:
        """Keep the passages. page_words: of a document's id and a page index."""
        self._read = {each.number: _Read(each, page_words) for each in passages}
        self._asked = WeighedSentence(question)

    def is_opening(self, sentence: str) -> bool:
        """Whether it only announces what follows ("Proceed as follows:") and claims nothing."""
        text = sentence.strip()
        everything = [each.ground for each in self._read.values()]
        return text.endswith(":") and all(
            self._asked.ground.supports(fact) or any(ground.supports(fact) for ground in everything)
            for fact in facts_of(text)
        )

    def ground(self, sentence: str, cited: Sequence[int]) -> Grounding:
        """Find what carries a sentence. Numbers of passages that do not exist count as none."""
        asked = WeighedSentence(sentence)
        read = [self._read[number] for number in cited if number in self._read]
        carrying = [each for each in read if each.carries(asked, _CARRIES)]
        if not carrying or asked.share(_together(carrying)) < _CARRIED:
            return self._ground_alone(asked)
        missing = asked.missing(_together(carrying))
        if missing:
            alone = self._ground_alone(asked)
            if alone.carriers:  # the wrong passage was cited, another one says it all
                return alone
            carrying += self._that_adds(asked, missing, carrying)
            missing = asked.missing(_together(carrying))
        if missing and len(missing) == len(asked.facts):
            return Grounding((), tuple(fact.text for fact in missing))
        carriers = tuple(each.carrier(asked) for each in carrying)
        doubtful = missing or _said_otherwise(asked, carrying)
        return Grounding(carriers, tuple(fact.text for fact in doubtful))

    def _ground_alone(self, asked: WeighedSentence) -> Grounding:
        """Ground a sentence that cites nothing which carries it."""
        best = max(self._read.values(), key=lambda each: asked.share(each.ground), default=None)
        enough = len(asked.groups) >= _FEWEST_WORDS
        if best is None or not enough or not best.carries(asked, _SAYS_IT):
            return Grounding((), self._nowhere(asked))
        if len(asked.words) < _SPEAKS_FOR_ITSELF and not self._is_about_question(best):
            return Grounding((), tuple(fact.text for fact in asked.facts))
        missing = asked.missing(best.ground)
        if missing:
            return Grounding((), tuple(fact.text for fact in missing))
        doubtful = _said_otherwise(asked, [best])
        return Grounding((best.carrier(asked),), tuple(fact.text for fact in doubtful))

    def _is_about_question(self, read: _Read) -> bool:
        """Whether a passage has what was asked: "It is 18 Nm" is true of some other screw."""
        asked = self._asked
        has_words = not asked.groups or asked.share(read.ground) >= _ABOUT_QUESTION
        return has_words and not asked.missing(read.ground)

    def _that_adds(
        self, asked: WeighedSentence, missing: Sequence[Fact], carrying: Sequence[_Read]
    ) -> list[_Read]:
        """Return one more passage if it says everything that the cited ones lack."""
        for each in self._read.values():
            if each in carrying or asked.share(each.ground) < _CARRIED:
                continue
            if all(each.ground.supports(fact) for fact in missing):
                return [each]
        return []

    def _nowhere(self, asked: WeighedSentence) -> tuple[str, ...]:
        everything = _together(self._read.values())
        return tuple(fact.text for fact in asked.missing(everything))


class _Read:
    """A passage with its words and what can be quoted of it."""

    def __init__(
        self, passage: NumberedPassage, page_words: Callable[[int, int], PageWords]
    ) -> None:
        self.passage = passage
        self._page_words = page_words

    @cached_property
    def ground(self) -> Ground:
        """Its words, with those of its label: an answer may name manual, page and section.

        Title and sections may come from the file's metadata, which anybody can write and nobody
        sees on the page: of their numbers only those count that the page says too.
        """
        passage = self.passage
        contexts = dict.fromkeys(
            _SECTION_NUMBER.sub("", part)
            for unit in passage.units
            for part in unit.context.split(CONTEXT_SEPARATOR)
        )
        numbers = frozenset(_NUMBER.findall(self._on_page))
        names = (_without_numbers(each, numbers) for each in (*contexts, passage.manual))
        return Ground((*passage.lines, *passage.values, *names, f"page {passage.page_label}"))

    def carries(self, asked: WeighedSentence, share: float) -> bool:
        """Whether it says so much of a sentence, and the page itself enough of that.

        A name alone carries nothing: a title can be a whole sentence that nobody sees.
        """
        return asked.share(self.ground) >= share and asked.share(self._own) >= _CARRIES

    @cached_property
    def _own(self) -> Ground:
        """What stands on the page, or was seen in its picture, without the names above it."""
        return Ground((*self.passage.lines, *self.passage.values, self._on_page))

    @cached_property
    def _on_page(self) -> str:
        evidence = self.passage.evidence
        return self._page_words(evidence.document_id, evidence.page).text

    @cached_property
    def quotes(self) -> list[Quote]:
        """Its sentences and rows with the boxes of exactly their words."""
        evidence = self.passage.evidence
        words = self._page_words(evidence.document_id, evidence.page)
        return [
            quote
            for unit in self.passage.units
            for quote in ((unit.kind != PICTURE and quotes_of(unit, words)) or [_whole(unit)])
        ]

    def carrier(self, asked: WeighedSentence) -> Carrier:
        """Return the fewest quotes that say most of a sentence, in reading order."""
        chosen = self._best_quotes(asked)
        evidence = self.passage.evidence
        marked = (box for quote in chosen for box in (*quote.boxes, *quote.header))
        boxes = tuple(dict.fromkeys(marked))
        source = PageRegion(
            evidence.document_id, evidence.document, evidence.page, evidence.label, boxes
        )
        return Carrier(self.passage, source, _BETWEEN_QUOTES.join(quote.text for quote in chosen))

    def _best_quotes(self, asked: WeighedSentence) -> list[Quote]:
        grounds = {
            id(quote): Ground((quote.text, *values_of_row(quote.text, quote.context)))
            for quote in self.quotes
        }
        chosen: list[Quote] = []
        said = Ground(())
        for _ in range(_MOST_QUOTES):
            left = [quote for quote in self.quotes if quote not in chosen]
            worth = [_worth(asked, said, grounds[id(quote)]) for quote in left]
            if not left or (chosen and max(worth) < _worth(asked, said, said) + _ADDS):
                break
            best = left[worth.index(max(worth))]
            chosen.append(best)
            said = said | grounds[id(best)]
        return [quote for quote in self.quotes if quote in chosen]


def _without_numbers(name: str, kept: frozenset[str]) -> str:
    return _NUMBER.sub(lambda found: found.group() if found.group() in kept else " ", name)


def _worth(asked: WeighedSentence, said: Ground, more: Ground) -> float:
    """Return how much of a sentence two texts say together; of equals the shorter is better."""
    both = said | more
    facts = len(asked.facts) - len(asked.missing(both))
    share = asked.share(both) + facts / max(1, len(asked.facts))
    return share - _PER_TERM * len(more.terms - said.terms)


def _said_otherwise(asked: WeighedSentence, carrying: Sequence[_Read]) -> list[Fact]:
    """Return the facts that the sentence or row in the same words gives another value for.

    "Red to B-" is said of nothing if the manual says "red to B+", "black to B-".
    """
    if len(asked.words) < _FEWEST_WORDS:
        return []
    best: tuple[float, int] = (_SAME_WORDS, -len(asked.facts))
    doubtful: list[Fact] = []
    for quote in (quote for each in carrying for quote in each.quotes):
        says = Ground.of_quote(quote.text, quote.context)
        lacking = asked.missing(says)
        alike = (asked.share_of_words(says.terms), -len(lacking))
        if alike >= best:
            instead = any(not asked.ground.supports(fact) for fact in facts_of(quote.text))
            best, doubtful = alike, lacking if instead else []
    return doubtful


def _whole(unit: Passage) -> Quote:
    return Quote(unit.text, unit.kind, unit.context, (unit.text,), unit.boxes)


def _together(read: Iterable[_Read]) -> Ground:
    together = Ground(())
    for each in read:
        together = together | each.ground
    return together
