"""Which item of one revision is which of the other: the same, moved, changed, or in one only.

What is equal and in order is found by difflib; what is left is looked for as the same text cut
into other sentences, then as the same text at another place, then as the text that shares most
words with it, in the same place first; last come words that two layouts put together in other
ways: drawings, and tables not seen as such.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from desktop.core.quantities import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from desktop.core.revisions.items import Item


_ALIKE = 0.5
"""Share of words that two texts between the same neighbours have in common, to be one text."""
_ALIKE_ELSEWHERE = 0.75
"""The same for texts at different places."""
_FEWEST_WORDS = 6
"""Fewer words say too little to be known again at another place in other words."""
_SHORTEST_MOVED = 15
"""Letters of a text that is known again under another heading."""
_BEGINNING = 4
_RARE = 60
"""A word that stands in more of the texts that are left over tells nothing about them."""
_MOST_PAIRS = 40_000
_SAME_NAME, _SAME_SECTION = 0.35, 0.1
"""What the same first cell, or the same heading above, adds to the share of common words."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Items of the old and the new revision that correspond; positions in their lists.

    same: they say the same. in_place: they are between the same neighbours.
    """

    old: int
    new: int
    same: bool
    in_place: bool


@dataclass(frozen=True, slots=True)
class Alignment:
    """pairs: in the order of the old revision. removed, added: those without one, by position."""

    pairs: tuple[Pair, ...]
    removed: tuple[int, ...]
    added: tuple[int, ...]


def align(old: Sequence[Item], new: Sequence[Item], check: Callable[[], None]) -> Alignment:
    """Return which items correspond. check: called often; what it raises ends the work."""
    return _Aligner(old, new, check).aligned()


class _Aligner:
    """Items leave `_old` and `_new` as their counterparts are found."""

    def __init__(self, old: Sequence[Item], new: Sequence[Item], check: Callable[[], None]) -> None:
        self._olds, self._news, self._check = old, new, check
        self._old, self._new = set(range(len(old))), set(range(len(new)))
        self._pairs: list[Pair] = []

    def aligned(self) -> Alignment:
        gaps = list(self._equal_in_order())
        for gap in gaps:
            self._check()
            self._cut_otherwise(*gap)
        self._moved()
        for gap in gaps:
            self._check()
            self._alike_in_place(*gap)
        self._alike_elsewhere()
        self._pairs.sort(key=lambda pair: pair.old)
        return Alignment(tuple(self._pairs), tuple(sorted(self._old)), tuple(sorted(self._new)))

    def _pair(self, old: int, new: int, *, same: bool, in_place: bool) -> None:
        self._pairs.append(Pair(old, new, same, in_place))
        self._old.discard(old)
        self._new.discard(new)

    def _equal_in_order(self) -> Iterator[tuple[range, range]]:
        """Pair what is equal and in order; yields what lies between."""
        numbers: dict[str, int] = {}
        keys = [
            [numbers.setdefault(item.key, len(numbers)) for item in items]
            for items in (self._olds, self._news)
        ]
        self._check()
        matcher = SequenceMatcher(None, keys[0], keys[1], autojunk=False)
        before = 0, 0
        for old, new, size in matcher.get_matching_blocks():
            for offset in range(size):
                self._pair(old + offset, new + offset, same=True, in_place=True)
            if old > before[0] or new > before[1]:
                yield range(before[0], old), range(before[1], new)
            before = old + size, new + size

    def _cut_otherwise(self, olds: range, news: range) -> None:
        """Take out the same text cut into other sentences or set in another kind of block."""
        beginnings: defaultdict[str, list[int]] = defaultdict(list)
        for new in news:
            beginnings[self._news[new].key[:_BEGINNING]].append(new)
        for old in olds:
            for new in beginnings[self._olds[old].key[:_BEGINNING]]:
                if old in self._old and new in self._new:
                    self._take_if_one_text(old, olds.stop, new, news.stop)

    def _take_if_one_text(self, old: int, old_end: int, new: int, new_end: int) -> None:
        one, other = self._olds[old].key, self._news[new].key
        last_old, last_new = old + 1, new + 1
        while one != other:
            if other.startswith(one) and last_old < old_end:
                one += self._olds[last_old].key
                last_old += 1
            elif one.startswith(other) and last_new < new_end:
                other += self._news[last_new].key
                last_new += 1
            else:
                return
        runs = range(old, last_old), range(new, last_new)
        if all(each in self._old for each in runs[0]) and all(
            each in self._new for each in runs[1]
        ):
            self._old -= set(runs[0])
            self._new -= set(runs[1])

    def _moved(self) -> None:
        places: defaultdict[str, list[int]] = defaultdict(list)
        for new in sorted(self._new):
            places[self._news[new].key].append(new)
        for old in sorted(self._old):
            item = self._olds[old]
            found = [new for new in places.get(item.key, ()) if new in self._new]
            near = [new for new in found if self._news[new].section_key == item.section_key]
            if near or (found and len(item.key) >= _SHORTEST_MOVED):
                self._pair(old, (near or found)[0], same=True, in_place=False)

    def _alike_in_place(self, olds: range, news: range) -> None:
        left_old = [each for each in olds if each in self._old]
        left_new = [each for each in news if each in self._new]
        if len(left_old) * len(left_new) > _MOST_PAIRS:
            self._pair_best(self._with_rare_words(left_old, left_new), _ALIKE, in_place=True)
            return
        candidates = [(old, new) for old in left_old for new in left_new]
        self._pair_best(candidates, _ALIKE, in_place=True)

    def _alike_elsewhere(self) -> None:
        left = (
            [each for each in sorted(side) if sum(items[each].words.values()) >= _FEWEST_WORDS]
            for side, items in ((self._old, self._olds), (self._new, self._news))
        )
        self._pair_best(self._with_rare_words(*left), _ALIKE_ELSEWHERE, in_place=False)

    def _with_rare_words(self, olds: Sequence[int], news: Sequence[int]) -> list[tuple[int, int]]:
        """Return what shares at least a quarter of the words that tell something."""
        having: defaultdict[str, list[int]] = defaultdict(list)
        for new in news:
            for word in self._news[new].words:
                having[word].append(new)
        found: list[tuple[int, int]] = []
        for old in olds:
            self._check()
            shared: Counter[int] = Counter()
            words = [word for word in self._olds[old].words if len(having.get(word, ())) <= _RARE]
            for word in words:
                shared.update(having.get(word, ()))
            found += [(old, new) for new, count in shared.items() if 4 * count >= len(words)]
        return found

    def _pair_best(
        self, candidates: Sequence[tuple[int, int]], enough: float, *, in_place: bool
    ) -> None:
        scored = []
        for number, (old, new) in enumerate(candidates):
            if not number % 1000:
                self._check()
            score = self._likeness(old, new)
            if score >= enough:
                scored.append((-score, abs(old - new), old, new))
        for _, _, old, new in sorted(scored):
            if old in self._old and new in self._new:
                self._pair(old, new, same=False, in_place=in_place)

    def _likeness(self, old: int, new: int) -> float:
        """Return the share of common words, and other signs of one text, 0 for none."""
        one, other = self._olds[old], self._news[new]
        if (one.kind == "figure") != (other.kind == "figure"):
            return 0.0
        total = sum(one.words.values()) + sum(other.words.values())
        if not total:
            return 0.0
        share = 2 * sum((one.words & other.words).values()) / total
        if one.kind == other.kind == "row":
            name = one.first_cell
            if len(name) > 1 and name == other.first_cell:
                share += _SAME_NAME
        elif (one.kind == "heading") != (other.kind == "heading"):
            return 0.0
        if share and one.section_key == other.section_key:
            share += _SAME_SECTION
        return share


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
    """Takes passages put together in other ways, such as drawings, out of what is left over.

    left: positions of the old and new items that are left over elsewhere. pairs: pairs
    whose words differ and that belong to such passages.
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
            sides, pairs = (sorted(gaps[gap][0]), sorted(gaps[gap][1])), paired[gap]
            if self._is_drawn(sides):
                sides, pairs = self._of_drawing(sides, pairs)
            elif not self._says_nearly_the_same(sides):
                continue
            self._gaps.append(sides)
            self.pairs.update(pairs)
            for side in (0, 1):
                taken[side].update(sides[side])
        self.left = tuple(_without(left[side], taken[side]) for side in (0, 1))

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

    def _is_drawn(self, sides: Positions) -> bool:
        return any(
            self._items[side][each].kind == "figure" for side in (0, 1) for each in sides[side]
        )

    def _of_drawing(self, sides: Positions, pairs: list[Pair]) -> tuple[Positions, list[Pair]]:
        """Return what of it may be a drawing's, whose labels may be taken for rows or short lines.

        Sentences beside it that are pairs are no part of it; others are if all of it is put
        together anew.
        """
        apart = [each for each in pairs if self._are_sentences(each)]
        sides = (
            _without(sides[0], {pair.old for pair in apart}),
            _without(sides[1], {pair.new for pair in apart}),
        )
        if not self._says_nearly_the_same(sides):
            sides = self._labels(sides[0], 0), self._labels(sides[1], 1)
        return sides, [each for each in pairs if each.old in sides[0] and each.new in sides[1]]

    def _labels(self, positions: Sequence[int], side: int) -> list[int]:
        return [each for each in positions if _may_be_label(self._items[side][each])]

    def _are_sentences(self, pair: Pair) -> bool:
        old, new = self._items[0][pair.old], self._items[1][pair.new]
        return not _may_be_label(old) and not _may_be_label(new)

    def _says_nearly_the_same(self, sides: Positions) -> bool:
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


def _without(positions: Sequence[int], gone: Collection[int]) -> list[int]:
    return [each for each in positions if each not in gone]


def _may_be_label(item: Item) -> bool:
    return item.kind in ("figure", "row") or len(item.key) < _SHORTEST_ANCHOR


def _is_told(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether words that are on one side only say something.

    A terminal's number is left out of a page's units when alone, but not beside other
    words.
    """
    words = [*old, *new]
    alone = not (old and new) and all(len(each) <= 2 and each.isdigit() for each in words)
    return bool(words) and not alone


def _words(text: str) -> list[str]:
    return [word for word in map(_word, text.split()) if word]


def _word(written: str) -> str:
    return "".join(sign for sign in plain(written).casefold() if sign.isalnum() or sign in "+-%°")
