"""Words that two layouts put together in other ways: drawings, and tables not seen as such.

Between two texts that are the same in both revisions a word that is on both sides is the same
word, whatever was taken for a label, a row, a heading or a sentence.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.quantities import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.revisions.alignment import Alignment, Pair
    from desktop.core.revisions.items import Item

_SHORTEST_ANCHOR = 16
"""Letters of a text that cannot be a label of a drawing."""
_NEARLY_ALL = 0.85
"""Share of words on both sides from which on a passage is one that was only put together anew."""
_OWN = frozenset({"step", "warning"})
"""Kinds that are always told one by one."""

Positions = tuple[list[int], list[int]]


@dataclass(frozen=True, slots=True)
class LooseChange:
    """Words that only one side has. at: where, in the new revision. items: that say them."""

    at: float
    items: tuple[list[Item], list[Item]]
    words: tuple[list[str], list[str]]


class LooseWords:
    """Takes what belongs to such passages out of what is left over.

    left: positions of the old and new items that are left over elsewhere. pairs: pairs that say
    other words and belong to such passages.
    """

    def __init__(
        self,
        left: tuple[Sequence[int], Sequence[int]],
        items: tuple[Sequence[Item], Sequence[Item]],
        alignment: Alignment,
    ) -> None:
        self._items = items
        anchors = [
            pair
            for pair in alignment.pairs
            if pair.same and pair.in_place and len(items[0][pair.old].key) >= _SHORTEST_ANCHOR
        ]
        starts = [pair.old for pair in anchors], sorted(pair.new for pair in anchors)
        gaps: defaultdict[int, Positions] = defaultdict(lambda: ([], []))
        loose: set[int] = set()
        for side in (0, 1):
            for each in left[side]:
                if items[side][each].kind not in _OWN:
                    gap = bisect_right(starts[side], each)
                    gaps[gap][side].append(each)
                    loose.add(gap)
        paired: defaultdict[int, list[Pair]] = defaultdict(list)
        for pair in alignment.pairs:
            kinds = {items[0][pair.old].kind, items[1][pair.new].kind}
            if not pair.same and pair.in_place and not kinds & _OWN:
                gap = bisect_right(starts[0], pair.old)
                gaps[gap][0].append(pair.old)
                gaps[gap][1].append(pair.new)
                paired[gap].append(pair)
                if "figure" in kinds:
                    loose.add(gap)
        self.pairs: set[Pair] = set()
        self._gaps: list[Positions] = []
        taken: tuple[set[int], set[int]] = (set(), set())
        for gap in sorted(loose):
            sides = sorted(gaps[gap][0]), sorted(gaps[gap][1])
            if self._is_loose(sides):
                self._gaps.append(sides)
                self.pairs.update(paired[gap])
                for side in (0, 1):
                    taken[side].update(sides[side])
        self.left = tuple(
            [each for each in left[side] if each not in taken[side]] for side in (0, 1)
        )

    def changes(self) -> Iterator[LooseChange]:
        """Yield the words that are on one side only."""
        for sides in self._gaps:
            words = self._words(sides)
            heads = self._heads(sides)
            told = [
                self._in_order(sides[side], side, words[side] - words[1 - side] - heads[1 - side])
                for side in (0, 1)
            ]
            if _is_told(told[0][1], told[1][1]):
                at = float(sides[1][0]) if sides[1] else float(sides[0][0])
                yield LooseChange(at, (told[0][0], told[1][0]), (told[0][1], told[1][1]))

    def _is_loose(self, sides: Positions) -> bool:
        if any(self._items[side][each].kind == "figure" for side in (0, 1) for each in sides[side]):
            return True
        words = self._words(sides)
        total = sum((words[0] + words[1]).values())
        heads = self._heads(sides)
        shared = sum((words[0] & words[1]).values()) * 2
        shared += sum(((words[0] - words[1]) & heads[1]).values())
        shared += sum(((words[1] - words[0]) & heads[0]).values())
        return bool(sides[0] and sides[1]) and shared >= _NEARLY_ALL * total

    def _words(self, sides: Positions) -> tuple[Counter[str], Counter[str]]:
        counts = [
            Counter(word for each in sides[side] for word in _words(self._items[side][each].text))
            for side in (0, 1)
        ]
        return counts[0], counts[1]

    def _heads(self, sides: Positions) -> tuple[Counter[str], Counter[str]]:
        """Return the words of the headings of columns, which the other side may count as text."""
        counts = [
            Counter(
                word
                for columns in {self._items[side][each].columns for each in sides[side]}
                for word in _words(columns)
            )
            for side in (0, 1)
        ]
        return counts[0], counts[1]

    def _in_order(
        self, positions: Sequence[int], side: int, only: Counter[str]
    ) -> tuple[list[Item], list[str]]:
        """Return the items that say these words, and the words as they are written there."""
        found: list[Item] = []
        said: list[str] = []
        for each in positions:
            item = self._items[side][each]
            here = []
            for written in item.text.split():
                word = _word(written)
                if only[word] > 0:
                    only[word] -= 1
                    here.append(written)
            if here:
                found.append(item)
                said += here
        return found, said


def _is_told(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether words that are on one side only say something.

    A terminal's number alone is left out of a page's units, and beside other words it is not.
    """
    words = [*old, *new]
    alone = not (old and new) and all(len(each) <= 2 and each.isdigit() for each in words)
    return bool(words) and not alone


def _words(text: str) -> list[str]:
    return [word for word in map(_word, text.split()) if word]


def _word(written: str) -> str:
    return "".join(sign for sign in plain(written).casefold() if sign.isalnum() or sign in "+-%°")
