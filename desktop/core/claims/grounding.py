"""Which passage carries a written sentence, and which words on its page.

A sentence stands as far as the manuals say it: a model that has learnt to compare statements must
hold that some words of a passage say it, and nothing they say may contradict it. What it cites is
looked at first; a sentence without a (true) citation gets one if another passage carries it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from desktop.core.claims.comparison import (
    CARRIES,
    CONTRADICTS,
    ITEM_SIGN,
    MAY_CARRY,
    Compared,
    amounts_differ,
    values_missing,
)
from desktop.core.question.tokens import index_term_set
from desktop.core.reader.quotes import Quote, quotes_of
from desktop.core.structure.units import as_read

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.core.claims.comparison import Comparison
    from desktop.core.events import PageRegion
    from desktop.core.page_words import PageWords
    from desktop.core.reader.passages import NumberedPassage

PICTURE: Final = "picture"
_COMPARED: Final = 6
"""Quotes that share most with a sentence; the model reads these, and the two best together."""
_FEWEST_WORDS = 2  # "Yes" stands somewhere on any page
_BETWEEN_QUOTES = " … "


@dataclass(frozen=True, slots=True)
class Carrier:
    """Words on a page that carry a sentence: their boxes are in source. told: as compared."""

    passage: NumberedPassage
    source: PageRegion
    quote: str
    told: str


@dataclass(frozen=True, slots=True)
class Grounding:
    """What became of a sentence.

    carriers: empty if nothing carries it; then it may not stay. unsupported: amounts and codes of
    the sentence that its passage does not say, which are marked. sure: else it stays only if
    `PassageGrounding.settle` says so.
    """

    carriers: tuple[Carrier, ...]
    unsupported: tuple[str, ...] = ()
    sure: bool = True


@dataclass(frozen=True, slots=True)
class _Likely:
    """Quotes of one passage and how a sentence compares with them."""

    read: _Read
    quotes: tuple[Quote, ...]
    compared: Compared


class PassageGrounding:
    """Grounds the sentences of one answer; reads page words and asks a model, so it blocks."""

    def __init__(
        self,
        passages: Sequence[NumberedPassage],
        page_words: Callable[[int, int], PageWords],
        comparison: Comparison,
    ) -> None:
        """Keep the passages. page_words: of a document's id and a page index."""
        self._read = {each.number: _Read(each, page_words) for each in passages}
        self._comparison = comparison

    def is_opening(self, sentence: str) -> bool:
        """Whether it only announces what follows ("Proceed as follows:") and claims nothing."""
        everything = "\n".join(each.text for each in self._read.values())
        return sentence.strip().endswith(":") and not values_missing(sentence, everything)

    def ground(self, sentence: str, cited: Sequence[int]) -> Grounding:
        """Find what carries a sentence. Numbers of passages that do not exist count as none.

        Raises: ModelError.
        """
        said = ITEM_SIGN.sub("", sentence).strip()
        if len(said.split()) < _FEWEST_WORDS:
            return Grounding(())
        named = [self._read[number] for number in cited if number in self._read]
        others = [each for each in self._read.values() if each not in named]
        missing: tuple[str, ...] = ()
        maybe: _Likely | None = None
        for reads in (named, others):
            likely = self._compared(said, reads)
            best = max(likely, key=lambda each: each.compared.agree, default=None)
            if best is None:
                continue
            # of two quotes together one may speak of another part
            alone = (each.compared.contradict for each in likely if len(each.quotes) == 1)
            against = max(alone, default=0.0)
            if against >= max(CONTRADICTS, best.compared.agree):
                return Grounding((), values_missing(said, "\n".join(each.text for each in reads)))
            lacking = values_missing(said, best.read.text, best.read.names)
            missing = missing or lacking
            if best.compared.agree >= CARRIES and not _says_otherwise(said, best, lacking):
                return Grounding((best.read.carrier(best.quotes),), lacking)
            if lacking:
                continue
            if maybe is None and best.compared.agree >= MAY_CARRY:
                maybe = best
        if maybe is not None:
            return Grounding((maybe.read.carrier(maybe.quotes),), sure=False)
        return Grounding((), missing)

    def settle(self, sentence: str, grounding: Grounding) -> bool:
        """Whether a sentence stands by a grounding that is not sure: a language model says so.

        Raises: ModelStopped.
        """
        said = ITEM_SIGN.sub("", sentence).strip()
        return grounding.sure or any(
            self._comparison.agrees(carrier.told, said) for carrier in grounding.carriers
        )

    def _compared(self, said: str, reads: Sequence[_Read]) -> list[_Likely]:
        """Compare a sentence with the quotes that share most with it, and with the best two."""
        terms = index_term_set(said)
        pairs = [(read, quote) for read in reads for quote in read.quotes]
        shared = [len(terms & index_term_set(as_read(quote))) for _, quote in pairs]
        order = sorted(range(len(pairs)), key=lambda index: -shared[index])[:_COMPARED]
        chosen: list[tuple[_Read, tuple[Quote, ...]]] = [
            (pairs[index][0], (pairs[index][1],)) for index in order if shared[index]
        ]
        if len(chosen) > 1 and chosen[0][0] is chosen[1][0]:
            read, both = chosen[0][0], (*chosen[0][1], *chosen[1][1])
            chosen.append((read, tuple(quote for quote in read.quotes if quote in both)))
        # the row of another part contradicts what the row with these amounts says: it is not meant
        lacking = [len(values_missing(said, _read_together(each))) for _, each in chosen]
        least = min(lacking, default=0)
        chosen = [each for each, number in zip(chosen, lacking, strict=True) if number == least]
        found = self._comparison.compare([(_read_together(each), said) for _, each in chosen])
        return [
            _Likely(read, quotes, compared)
            for (read, quotes), compared in zip(chosen, found, strict=True)
        ]


class _Read:
    """A passage with its words and what can be quoted of it."""

    def __init__(
        self, passage: NumberedPassage, page_words: Callable[[int, int], PageWords]
    ) -> None:
        self.passage = passage
        self._page_words = page_words

    @cached_property
    def text(self) -> str:
        """All that it says, rows also with their headings."""
        return "\n".join((*self.passage.lines, *map(as_read, self.quotes)))

    @cached_property
    def names(self) -> str:
        """Its manual, page and headings: an answer may name them."""
        passage = self.passage
        contexts = dict.fromkeys(unit.context for unit in passage.units)
        return "\n".join((passage.manual, passage.page_label, *contexts))

    @cached_property
    def quotes(self) -> list[Quote]:
        """Its sentences and rows with the boxes of exactly their words."""
        evidence = self.passage.evidence
        words = self._page_words(evidence.document_id, evidence.page)
        return [
            quote
            for unit in self.passage.units
            for quote in (
                (unit.kind != PICTURE and quotes_of(unit, words))
                or [Quote(unit.text, unit.kind, unit.context, (unit.text,), unit.boxes)]
            )
        ]

    def carrier(self, chosen: Sequence[Quote]) -> Carrier:
        """Return quotes from it as what carries a sentence."""
        marked = (box for quote in chosen for box in (*quote.boxes, *quote.header))
        source = self.passage.evidence.region(tuple(dict.fromkeys(marked)))
        quoted = _BETWEEN_QUOTES.join(quote.text for quote in chosen)
        return Carrier(self.passage, source, quoted, _read_together(chosen))


def _says_otherwise(said: str, likely: _Likely, lacking: Sequence[str]) -> bool:
    """Whether no amount or code of a sentence stands there, or another amount stands instead."""
    if not lacking:
        return False
    return lacking == values_missing(said, "") or amounts_differ(
        said, _read_together(likely.quotes)
    )


def _read_together(quotes: Sequence[Quote]) -> str:
    return " ".join(dict.fromkeys(map(as_read, quotes)))
