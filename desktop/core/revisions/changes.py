"""What changed between two revisions of a manual: warnings, values, steps, tables, text.

Amounts are compared as quantities ("0.3 A" is "300 mA"), sections and steps that were
only renumbered are not changed, and what is now elsewhere is moved.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial
from typing import TYPE_CHECKING, Literal

from desktop.core.events import WARNING_LEVELS, PageRegion
from desktop.core.library.documents import fallback_label
from desktop.core.library.library import find_in_words, normalized_needle
from desktop.core.quantities import Quantity, plain, quantities_in
from desktop.core.revisions.alignment import Alignment, LooseChange, LooseWords, Pair, align
from desktop.core.revisions.items import Item, UnreadPages, items_of, key_of, unread_pages
from desktop.core.structure.units import row_with_headings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from desktop.core.geometry import Box
    from desktop.core.jobs import CancelToken
    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord
    from desktop.core.store.database import Database

Group = Literal["warning", "value", "step", "table", "text", "moved"]
GROUPS: tuple[Group, ...] = ("warning", "value", "step", "table", "text", "moved")
"""In the order in which they matter."""
Verb = Literal["added", "removed", "changed", "moved", "reordered"]

_LONGEST = 1_500
"""Letters of a text that is quoted of a change."""
_REACH = 200
_FEW = 2
_LEVELS = (*WARNING_LEVELS, "")


@dataclass(frozen=True, slots=True)
class Side:
    """What one revision says. region: where it stands. section: headings above it."""

    text: str
    region: PageRegion
    section: tuple[str, ...]
    ocr: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """One change; `old` is missing if it was added and `new` if it was removed.

    values: (before, after) of each amount that changed, as they are written. level: of
    a warning. count: how many sentences or rows a moved, added or removed passage has.
    sure: whether both pages have text of their own; else they were read by OCR.
    """

    group: Group
    verb: Verb
    old: Side | None
    new: Side | None
    values: tuple[tuple[str, str], ...] = ()
    level: str = ""
    count: int = 1

    @property
    def sure(self) -> bool:
        """Whether nothing of it was read by OCR."""
        return not any(side is not None and side.ocr for side in (self.old, self.new))

    @property
    def sides(self) -> tuple[Side, ...]:
        """Where it is seen, the old revision first."""
        return tuple(side for side in (self.old, self.new) if side is not None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two manuals and what changed between them, what matters most first.

    unread: pages of either that could not be compared, because they are not read (yet).
    """

    old: DocumentRecord
    new: DocumentRecord
    changes: tuple[Change, ...]
    unread: int = 0

    def of_group(self, group: Group) -> tuple[Change, ...]:
        """Return the changes of one group."""
        return tuple(each for each in self.changes if each.group == group)


def compare(
    database: Database, library: Library, old_id: int, new_id: int, cancel: CancelToken
) -> Comparison:
    """Compare two manuals of the library; blocks for seconds.

    Raises: DocumentNotFound; Cancelled.
    """
    records = [library.document(each) for each in (old_id, new_id)]
    items = []
    for record in records:
        cancel.check()
        items.append(database.read(partial(items_of, document_id=record.id)))
    unread = [database.read(partial(unread_pages, document_id=each.id)) for each in records]
    alignment = align(items[0], items[1], cancel.check)
    changes = _Changes(
        library,
        (records[0], records[1]),
        (items[0], items[1]),
        (unread[0], unread[1]),
        cancel.check,
    )
    count = sum(each.count for each in unread)
    return Comparison(records[0], records[1], tuple(changes.of(alignment)), count)


class _Changes:
    """Turns an alignment into changes that a person reads."""

    def __init__(
        self,
        library: Library,
        records: tuple[DocumentRecord, DocumentRecord],
        items: tuple[Sequence[Item], Sequence[Item]],
        unread: tuple[UnreadPages, UnreadPages],
        check: Callable[[], None],
    ) -> None:
        self._unread = unread
        self._library, self._records, self._check = library, records, check
        self._old, self._new = items
        self._numbers: dict[str, str] = {}
        self._pairs: tuple[Pair, ...] = ()

    def of(self, alignment: Alignment) -> list[Change]:
        """Return the changes in their order."""
        self._pairs = alignment.pairs
        self._numbers = {
            old.number: new.number
            for old, new in self._items_of(alignment.pairs)
            if old.kind in ("heading", "caption") and old.number and new.number != old.number
        }
        # positions sort the changes of a group: those of the new revision, as one reads it
        found: list[tuple[float, Change]] = list(self._moves(alignment.pairs))
        left = self._left_over(alignment)
        loose = LooseWords(left, (self._old, self._new), alignment)
        for pair in alignment.pairs:
            self._check()
            if pair in loose.pairs:
                continue
            old, new = self._old[pair.old], self._new[pair.new]
            if old.text == new.text and (pair.same or old.level == new.level):
                continue
            change = self._changed(pair)
            if change is not None:
                found.append((pair.new, change))
        found += self._columns(alignment.pairs)
        found += [(each.at, self._of_loose(each)) for each in loose.changes()]
        places = _places(alignment)
        found += [(places(run[0]), self._one_sided(run, 0)) for run in self._runs(loose.left[0], 0)]
        found += [(run[0], self._one_sided(run, 1)) for run in self._runs(loose.left[1], 1)]
        order = {group: position for position, group in enumerate(GROUPS)}
        found.sort(key=lambda each: (order[each[1].group], _LEVELS.index(each[1].level), each[0]))
        return [change for _, change in found]

    def _items_of(self, pairs: Iterable[Pair]) -> Iterator[tuple[Item, Item]]:
        return ((self._old[pair.old], self._new[pair.new]) for pair in pairs)

    # what changed in its words

    def _changed(self, pair: Pair) -> Change | None:
        old, new = self._old[pair.old], self._new[pair.new]
        pieces = _differences(self._tokens(old, new), self._tokens(new, old), self._numbers)
        level = old.level != new.level and bool(old.level or new.level)
        if not pieces and not level:
            return None
        values = tuple(
            (before.text, after.text) for before, after in pieces if before.amounts or after.amounts
        )
        group = _group(old, new)
        if group != "warning" and values and any(b and a for b, a in values):
            group = "value"
        levels = [each for each in (old.level, new.level) if each]
        worst = min(levels, key=_LEVELS.index, default="")
        return Change(
            group,
            "changed",
            self._side(old, 0),
            self._side(new, 1),
            values,
            worst if group == "warning" else "",
        )

    def _tokens(self, item: Item, other: Item) -> list[_Token]:
        of_row = item.kind == "row" and item.columns and item.columns == other.columns
        labels = {*self._numbers, *self._numbers.values()}
        return list(_tokens(item.said, labels, item.columns if of_row else ""))

    def _columns(self, pairs: Iterable[Pair]) -> Iterator[tuple[float, Change]]:
        """Yield what changed in the headings of columns, once a table."""
        told: set[tuple[str, str]] = set()
        for pair in pairs:
            old, new = self._old[pair.old], self._new[pair.new]
            heads = old.columns, new.columns
            if not all(heads) or key_of(heads[0]) == key_of(heads[1]) or heads in told:
                continue
            if heads[0].count("|") != heads[1].count("|"):
                continue  # the same table, its head understood in another way
            if not _differences(list(_tokens(heads[0])), list(_tokens(heads[1])), self._numbers):
                continue
            told.add(heads)
            sides = [
                replace(self._side(item, side), text=head)
                for side, (item, head) in enumerate(zip((old, new), heads, strict=True))
            ]
            yield pair.new, Change("table", "changed", sides[0], sides[1])

    # what stands in one only

    def _left_over(self, alignment: Alignment) -> tuple[list[int], list[int]]:
        """Return what was removed and added, without what only the layout separated.

        What may be on a page that is not read is not called removed. Words of a section
        that are left over on both sides in equal numbers say the same; a row may have
        been taken for the head of its table.
        """
        left: list[list[int]] = [list(alignment.removed), list(alignment.added)]
        heads = [
            {key_of(item.columns) for item in items if item.columns}
            for items in (self._old, self._new)
        ]
        for side, items in enumerate((self._old, self._new)):
            left[side] = [
                each
                for each in left[side]
                if not (items[each].kind == "row" and items[each].key in heads[1 - side])
                and not self._may_be_unread(each, side)
            ]
        sections: list[defaultdict[str, Counter[str]]] = [
            defaultdict(Counter),
            defaultdict(Counter),
        ]
        for side, items in enumerate((self._old, self._new)):
            for each in left[side]:
                sections[side][items[each].section_key].update(items[each].words)
        same = {
            section for section, words in sections[0].items() if words == sections[1].get(section)
        }
        return (
            [each for each in left[0] if self._old[each].section_key not in same],
            [each for each in left[1] if self._new[each].section_key not in same],
        )

    def _may_be_unread(self, position: int, side: int) -> bool:
        """Whether an item may be on a page of the other revision that is not read."""
        unread, other = self._unread[1 - side], (self._new, self._old)[side]
        if not unread.count:
            return False
        item = (self._old, self._new)[side][position]
        pairs = ((pair.old, pair.new) for pair in self._pairs)
        placed = sorted(pairs if side == 0 else ((new, old) for old, new in pairs))
        at = bisect_left(placed, (position, -1))
        near = [other[there].page for _, there in placed[max(0, at - 1) : at + 1]]
        first = min(near) if at else 0
        last = max(near) if at < len(placed) else item.page + len(other)
        return unread.may_say(item, first, last)

    def _runs(self, positions: Sequence[int], side: int) -> Iterator[list[int]]:
        """Yield what was added or removed together: a piece, or a passage of ordinary text."""
        items = (self._old, self._new)[side]
        run: list[int] = []
        for each in positions:
            if run and not _goes_on(items[run[-1]], items[each], near=each - run[-1] == 1):
                yield run
                run = []
            run.append(each)
        if run:
            yield run

    def _one_sided(self, run: Sequence[int], side: int) -> Change:
        items = (self._old, self._new)[side]
        first = items[run[0]]
        told = self._side_of([items[each] for each in run], side)
        old, new = (told, None) if side == 0 else (None, told)
        group = _group(*(items[each] for each in run))
        verb: Verb = "removed" if side == 0 else "added"
        level = first.level if group == "warning" else ""
        return Change(group, verb, old, new, level=level, count=len(run))

    def _of_loose(self, change: LooseChange) -> Change:
        """Return what changed in a drawing, or in a table that was put together anew."""
        sides = [
            replace(self._side_of(items, side), text=" ".join(change.words[side]))
            if items
            else None
            for side, items in enumerate(change.items)
        ]
        verb: Verb = "changed" if all(sides) else "removed" if sides[0] else "added"
        old, new = change.words
        amounts = all(any(sign.isdigit() for sign in word) for word in (*old, *new))
        if len(old) == len(new) and amounts:
            values = tuple(zip(old, new, strict=True))
            return Change("value", verb, sides[0], sides[1], values)
        return Change("text", verb, sides[0], sides[1])

    # what stands elsewhere

    def _moves(self, pairs: Sequence[Pair]) -> Iterator[tuple[float, Change]]:
        """Yield one move for what moved together.

        What is now under other headings moved. Under the same ones it is out of order
        because something else moved past it, or because its section did.
        """
        astray = [pair for pair in pairs if not pair.in_place]
        passed: set[Pair] = set()
        for pair in astray:
            if self._same_path(pair):
                passed |= {
                    each
                    for each in pairs[_near(pairs, pair)]
                    if each.in_place and _cross(pair, each) and not self._same_path(each)
                }
        for run in _runs_of(sorted({*astray, *passed}, key=lambda pair: pair.old)):
            change = self._move(run, passed)
            if change is not None:
                yield run[0].new, change

    def _same_path(self, pair: Pair) -> bool:
        return self._old[pair.old].path == self._new[pair.new].path

    def _move(self, run: Sequence[Pair], passed: Collection[Pair]) -> Change | None:
        items = list(self._items_of(run))
        first, goal = items[0]
        if first.kind == goal.kind == "step" and first.section_key == goal.section_key:
            return self._moved_as(run, "step", "reordered")
        if len(run) <= _FEW and self._is_read_in_another_order(run):
            return None
        elsewhere = sum(not self._same_path(pair) for pair in run)
        if not elsewhere and (passed or first.kind != "heading"):
            return None
        if all(old.kind in ("figure", "caption") for old, _ in items):
            return None
        return self._moved_as(run, "moved", "moved")

    def _is_read_in_another_order(self, run: Sequence[Pair]) -> bool:
        """Whether everything that a short passage moved past is on its page in both revisions."""
        pair = run[0]
        pages = self._old[pair.old].page, self._new[pair.new].page
        passed = [each for each in self._pairs[_near(self._pairs, pair)] if _cross(pair, each)]
        return bool(passed) and all(
            (self._old[each.old].page, self._new[each.new].page) == pages for each in passed
        )

    def _moved_as(self, run: Sequence[Pair], group: Group, verb: Verb) -> Change:
        olds = self._old[run[0].old : run[-1].old + 1]
        news = self._new[run[0].new : run[-1].new + 1]
        return Change(group, verb, self._side_of(olds, 0), self._side_of(news, 1), count=len(run))

    # where it stands

    def _side(self, item: Item, side: int) -> Side:
        return self._side_of([item], side)

    def _side_of(self, items: Sequence[Item], side: int) -> Side:
        first, record = items[0], self._records[side]
        on_page = [each for each in items if each.page == first.page]
        boxes: dict[Box, None] = {}
        for each in on_page:
            boxes.update(dict.fromkeys(self._boxes(each, record.id)))
        label = first.label or fallback_label(first.page)
        region = PageRegion(record.id, record.name, first.page, label, tuple(boxes))
        text = " ".join(_told(each) for each in items)
        text = text if len(text) <= _LONGEST else f"{text[:_LONGEST].rsplit(' ', 1)[0]} …"
        ocr = any(self._by_ocr(each, record.id) for each in items)
        return Side(text, region, first.section, ocr)

    def _by_ocr(self, item: Item, document_id: int) -> bool:
        """Whether words of it were recognised: its page's, or a picture's on a page of text."""
        if item.ocr:
            return True
        words = self._library.page_words(document_id, item.page)
        return bool(words.are_recognized[words.inside(item.boxes)].any())

    def _boxes(self, item: Item, document_id: int) -> tuple[Box, ...]:
        """Return where a sentence is; where its unit is if the sentence is not found there."""
        whole = item.boxes
        if item.kind in ("row", "figure", "heading", "caption"):
            return whole
        words = self._library.page_words(document_id, item.page)
        for boxes in find_in_words(words, normalized_needle(item.text)):
            if all(any(box.overlap_share(each) > 0.5 for each in whole) for box in boxes):
                return boxes
        return whole


_GROUPS: Mapping[str, Group] = {"warning": "warning", "step": "step", "row": "table"}


def _group(*items: Item) -> Group:
    kinds = {each.kind for each in items}
    return next((_GROUPS[kind] for kind in ("warning", "step", "row") if kind in kinds), "text")


def _told(item: Item) -> str:
    number = f"{item.number} " if item.number else ""
    return f"{number}{item.text}"


def _goes_on(before: Item, item: Item, *, near: bool) -> bool:
    if item.piece == before.piece and item.kind not in ("row", "figure"):
        return True
    plainly = {"text", "heading", "caption"}
    return (
        near
        and item.kind in plainly
        and before.kind in plainly
        and (item.section == before.section or item.kind == "text")
        and item.kind != "heading"
    )


def _runs_of(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    """Yield pairs that stand one after the other on both sides.

    Items that changed may lie in between.
    """
    run: list[Pair] = []
    for pair in pairs:
        if run:
            olds, news = pair.old - run[-1].old, pair.new - run[-1].new
            if not (olds == news and olds <= 4):
                yield run
                run = []
        run.append(pair)
    if run:
        yield run


def _cross(one: Pair, other: Pair) -> bool:
    return (one.old < other.old) != (one.new < other.new)


def _near(pairs: Sequence[Pair], pair: Pair) -> slice:
    """Return the range of pairs that this one may cross."""
    reach = abs(pair.old - pair.new) + _REACH
    at = bisect_left(pairs, pair.old, key=lambda each: each.old)
    return slice(max(0, at - reach), at + reach)


def _places(alignment: Alignment) -> Callable[[int], float]:
    """Return a function that tells where something removed would be in the new revision."""
    pairs = [(pair.old, pair.new) for pair in alignment.pairs if pair.in_place]

    def place(old: int) -> float:
        at = bisect_left(pairs, (old, -1))
        return pairs[at - 1][1] + 0.5 if at else -1.0

    return place


# the parts of a text


@dataclass(frozen=True, slots=True)
class _Token:
    """A word or an amount of a text, as it is written."""

    text: str
    key: str
    quantity: Quantity | None = None


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    amounts: int


_MARKS = ".,;:()"


def _tokens(text: str, labels: Collection[str] = (), columns: str = "") -> Iterator[_Token]:
    """Yield the words and amounts of a text.

    labels: numbers of sections and tables, which are words. columns: the headings of a row,
    which say what the numbers in its cells are measured in.
    """
    one = plain(text)
    words = re.finditer(r"[^\s|]+", one)
    named = [word.span() for word in words if word.group().strip(_MARKS) in labels]
    row = row_with_headings(text, columns) if columns else ""
    units = [each for each in quantities_in(row) if each.unit]
    at = 0
    for quantity in quantities_in(text):
        start, end = quantity.start, quantity.end
        if start < at or any(a <= start < b and not quantity.unit for a, b in named):
            continue
        if not quantity.unit:
            same = (each for each in units if each.readings == quantity.readings)
            quantity = next(same, quantity)
        yield from _words(one[at:start])
        yield _Token(one[start:end].strip(), "", quantity)
        at = end
    yield from _words(one[at:])


def _words(text: str) -> Iterator[_Token]:
    for word in text.replace("|", " ").split():
        if key := key_of(word):
            yield _Token(word, key)


def _differences(
    old: Sequence[_Token], new: Sequence[_Token], numbers: Mapping[str, str]
) -> list[tuple[_Piece, _Piece]]:
    """Return what replaced what, [] if both say the same."""
    amounts: list[Quantity] = []

    def name(token: _Token) -> str:
        if token.quantity is None:
            return token.key
        for number, known in enumerate(amounts):
            if known.same(token.quantity):
                return f"#{number}"
        amounts.append(token.quantity)
        return f"#{len(amounts) - 1}"

    names = [name(each) for each in old], [name(each) for each in new]
    if "".join(names[0]) == "".join(names[1]):
        return []
    found = []
    matcher = SequenceMatcher(None, names[0], names[1], autojunk=False)
    for what, a, b, c, d in matcher.get_opcodes():
        before, after = _piece(old[a:b]), _piece(new[c:d])
        alike = "".join(names[0][a:b]) == "".join(names[1][c:d])
        if what == "equal" or alike or key_of(before.text) == key_of(after.text):
            continue
        if _only_renumbered(before.text, after.text, numbers):
            continue
        found.append((before, after))
    return found


def _piece(tokens: Sequence[_Token]) -> _Piece:
    return _Piece(
        " ".join(each.text for each in tokens),
        sum(each.quantity is not None for each in tokens),
    )


def _only_renumbered(old: str, new: str, numbers: Mapping[str, str]) -> bool:
    """Whether a text only names a section, table or figure by the number that it has now."""
    olds, news = old.split(), new.split()
    return (
        bool(olds)
        and len(olds) == len(news)
        and all(
            one == other or numbers.get(one.strip(_MARKS)) == other.strip(_MARKS)
            for one, other in zip(olds, news, strict=True)
        )
    )
