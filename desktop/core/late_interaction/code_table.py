"""The codes of all pages of a library in memory, brought up to date before each search.

They are laid out so that numpy compares 512 pages with one call: pages with about the
same number of codes lie side by side in a block, word by word and code by code, one
page per lane. Comparing a question's vector with the codes of a block is then a few
passes over long rows, which numpy runs at the speed of the processor's own popcount.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from desktop.core.late_interaction.page_vectors import stored_model, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    import apsw
    from numpy.typing import NDArray

    from desktop.core.late_interaction.page_vectors import QuestionCodes
    from desktop.core.store.database import Database


T = TypeVar("T")

LANES = 512
"""Pages per block: long enough rows that calling numpy costs little beside what it does."""

_ROUNDING = 8  # a block's pages differ by fewer codes than this; the rest is filled up
_MOST_THREADS = 4
_WORD_BITS = 64


@dataclass(slots=True, eq=False)
class _Block:
    """codes: uint64, (n_words, n_codes, LANES). slots: the owner of each lane that is used."""

    codes: NDArray[np.uint64]
    slots: NDArray[np.int64]
    used: int = 0


class CodeTable:
    """Pages are known by slots, small numbers that the owner gives out."""

    def __init__(self, words: int) -> None:
        """Start empty. words: 64-bit words per code."""
        self._words = words
        self._blocks: list[_Block] = []
        self._with_room: dict[int, int] = {}  # by height, the block that is filled now
        self._place = np.full((0, 2), -1, np.int64)  # slot -> block, lane

    def add(self, slots: Sequence[int], codes: NDArray[np.uint64]) -> None:
        """Add pages with equally many codes, shape (len(slots), n_codes, n_words)."""
        count = codes.shape[1]
        height = -(-count // _ROUNDING) * _ROUNDING
        self._reach(max(slots))
        done = 0
        while done < len(slots):
            number = self._block_with_room(height)
            block = self._blocks[number]
            lanes = np.arange(block.used, min(LANES, block.used + len(slots) - done))
            part = codes[done : done + len(lanes)].transpose(2, 1, 0)
            block.codes[:, :count, lanes] = part
            block.codes[:, count:, lanes] = part[:, -1:]  # a code twice changes no maximum
            owners = np.array(slots[done : done + len(lanes)], np.int64)
            block.slots[lanes] = owners
            self._place[owners, 0] = number
            self._place[owners, 1] = lanes
            block.used += len(lanes)
            done += len(lanes)

    def scores_of_all(self, question: QuestionCodes) -> NDArray[np.float32]:
        """Score all pages by one bit a coordinate.

        Returns: float32, by slot; -inf where there is no page.
        """
        found = np.full(len(self._place), -np.inf, np.float32)

        def score(blocks: Sequence[_Block]) -> None:
            for block in blocks:
                scores = _token_scores(block.codes, question, two_bits=False).sum(axis=0)
                found[block.slots[: block.used]] = scores[: block.used]

        _in_threads(score, self._blocks)
        return found

    def scores_of(
        self, question: QuestionCodes, slots: NDArray[np.int64], *, two_bits: bool
    ) -> NDArray[np.float32]:
        """Score some pages; float32, in their order."""
        found = np.empty(len(slots), np.float32)

        def score(groups: Sequence[NDArray[np.int64]]) -> None:
            for group in groups:
                codes = self._gathered(slots[group])
                found[group] = _token_scores(codes, question, two_bits=two_bits).sum(axis=0)

        _in_threads(score, self._groups(slots))
        return found

    def token_scores(
        self, question: QuestionCodes, slots: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Score a few pages by each of the question's vectors, shape (n_tokens, len(slots))."""
        found = np.empty((len(question.signs), len(slots)), np.float32)
        for group in self._groups(slots):
            codes = self._gathered(slots[group])
            found[:, group] = _token_scores(codes, question, two_bits=False)
        return found

    def _groups(self, slots: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Return positions in `slots`, in groups that fit into one block."""
        heights = np.array([block.codes.shape[1] for block in self._blocks], np.int64)
        of_page = heights[self._place[slots, 0]] if len(slots) else np.zeros(0, np.int64)
        alike = [np.flatnonzero(of_page == height) for height in np.unique(of_page)]
        return [
            places[first : first + LANES]
            for places in alike
            for first in range(0, len(places), LANES)
        ]

    def _gathered(self, slots: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Copy pages from blocks of the same height into one block."""
        places = self._place[slots]
        height = self._blocks[int(places[0, 0])].codes.shape[1]
        codes = np.empty((self._words, height, len(places)), np.uint64)
        for number in np.unique(places[:, 0]):
            mine = np.flatnonzero(places[:, 0] == number)
            codes[:, :, mine] = self._blocks[int(number)].codes[:, :, places[mine, 1]]
        return codes

    def _block_with_room(self, height: int) -> int:
        number = self._with_room.get(height)
        if number is None or self._blocks[number].used == LANES:
            codes = np.zeros((self._words, height, LANES), np.uint64)
            self._blocks.append(_Block(codes, np.zeros(LANES, np.int64)))
            number = self._with_room[height] = len(self._blocks) - 1
        return number

    def _reach(self, slot: int) -> None:
        if slot >= len(self._place):
            longer = np.full((max(slot + 1, 2 * len(self._place)), 2), -1, np.int64)
            longer[: len(self._place)] = self._place
            self._place = longer


def _token_scores(
    codes: NDArray[np.uint64], question: QuestionCodes, *, two_bits: bool
) -> NDArray[np.float32]:
    """Score the pages of a block, codes of shape (n_words, n_codes, n_lanes).

    Returns: float32, shape (n_tokens, n_lanes): what each of the question's vectors
        adds.

    With s the question's signs and b a page's: a coordinate counts 1 where they agree
    and -1 where they differ; with two bits, 3/2 where the question's is strong and 1/2
    elsewhere. The sum is a constant less twice (or once) the number of differing bits,
    so the most similar code is the one with the fewest.
    """
    words, height, lanes = codes.shape
    bits = words * _WORD_BITS
    small = np.uint8 if bits * (3 if two_bits else 1) <= 255 else np.uint16
    differing = np.empty((height, lanes), np.uint64)
    counts = np.empty((height, lanes), np.uint8)
    cost = np.empty((height, lanes), small)
    found = np.empty((len(question.signs), lanes), np.float32)
    for token in range(len(question.signs)):
        for word in range(words):
            np.bitwise_xor(codes[word], question.signs[token, word], out=differing)
            if word:
                np.bitwise_count(differing, out=counts)
                cost += counts
            else:
                np.bitwise_count(differing, out=cost)
            if two_bits:
                differing &= question.strong[token, word]
                np.bitwise_count(differing, out=counts)
                counts += counts
                cost += counts
        fewest = _lowest(cost).astype(np.float32)
        most = bits / 2 + question.strong_counts[token] if two_bits else bits
        found[token] = question.weights[token] * (most - (1 if two_bits else 2) * fewest)
    return found


def _lowest(rows: NDArray[np.unsignedinteger]) -> NDArray[np.unsignedinteger]:
    """Return the least value of each column; overwrites `rows`.

    By halving, which compares long rows: three times as fast as `min` over this axis.
    """
    height = len(rows)
    while height > 1:
        half = height // 2
        np.minimum(rows[:half], rows[height - half : height], out=rows[:half])
        height -= half
    return np.asarray(rows[0])


def _in_threads(work: Callable[[Sequence[T]], None], items: Sequence[T]) -> None:
    """Share items out among a few threads; numpy releases the interpreter's lock."""
    threads = min(_MOST_THREADS, os.cpu_count() or 1, len(items))
    if threads < 2:
        work(items)
        return
    with ThreadPoolExecutor(threads, thread_name_prefix="groundwork-codes") as pool:
        list(pool.map(work, [items[place::threads] for place in range(threads)]))


_TELLING = 14
"""Vectors of a question by which the rough look compares all pages."""

_LEADING = 0.07
"""Share of the pages that it then compares by the rest of the question."""

_PROBED = 64
"""Pages on which they are chosen."""

CodeRow = tuple[int, int, int, bytes, bytes]
"""A row of `page_codes`: id, page_id, document_id, coarse, fine."""


class LoadedCodes:
    """The codes of one model's pages. Not guarded against several threads."""

    def __init__(self, words: int) -> None:
        """Start empty. words: 64-bit words per code."""
        self._words = words
        self._coarse, self._fine = CodeTable(words), CodeTable(words)
        self._rows = np.zeros((2, 0), np.int64)  # page, document

    def __len__(self) -> int:
        return len(self._rows[0])

    def add(self, rows: Iterable[CodeRow]) -> None:
        """Take in pages."""
        groups: dict[tuple[int, int], list[CodeRow]] = {}
        for row in rows:
            groups.setdefault((len(row[3]), len(row[4])), []).append(row)
        for group in groups.values():
            slots = range(len(self), len(self) + len(group))
            self._coarse.add(slots, self._together([row[3] for row in group]))
            self._fine.add(slots, self._together([row[4] for row in group]))
            rows_of = np.array([row[1:3] for row in group], np.int64).T
            self._rows = np.hstack([self._rows, rows_of])

    def slots(self, documents: Collection[int] = ()) -> NDArray[np.int64]:
        """Return the slots of the pages of these documents, of all if none is named."""
        if not documents:
            return np.arange(len(self))
        return np.flatnonzero(np.isin(self._rows[1], sorted(documents)))

    def slots_of_pages(self, page_ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the slots of pages, in order of the slots."""
        return np.flatnonzero(np.isin(self._rows[0], page_ids))

    def page_ids(self, slots: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the pages in these slots."""
        return np.asarray(self._rows[0, slots])

    def _by_telling(self, question: QuestionCodes, slots: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return the positions of a question's vectors, those that tell pages apart best first.

        Vectors of filler words are nearly as close to one page as to any other; without
        them, looking at all pages is quicker.
        """
        some = slots[:: len(slots) // _PROBED][:_PROBED]
        return np.argsort(-self._coarse.token_scores(question, some).std(axis=1))

    def rough(self, question: QuestionCodes, slots: NDArray[np.int64]) -> NDArray[np.float32]:
        """Score pages by few codes, one bit a coordinate; the leaders by the whole question.

        Where only part of the question is read, the leading pages score above all
        others.
        """
        if len(question.signs) <= _TELLING or len(slots) <= _PROBED:
            return self._look(question, slots)
        order = self._by_telling(question, slots)
        scores = self._look(question.only(np.sort(order[:_TELLING])), slots)
        leading = _leading_places(scores, max(1, round(_LEADING * len(slots))))
        rest = self._look(question.only(np.sort(order[_TELLING:])), slots[leading])
        scores[leading] += rest - rest.min() + np.ptp(scores) + 1
        return scores

    def _look(self, question: QuestionCodes, slots: NDArray[np.int64]) -> NDArray[np.float32]:
        # gathering the lanes of some pages costs as much as looking at twice as many
        if 2 * len(slots) > len(self):
            return self._coarse.scores_of_all(question)[slots]
        return self._coarse.scores_of(question, slots, two_bits=False)

    def fine(self, question: QuestionCodes, slots: NDArray[np.int64]) -> NDArray[np.float32]:
        """Score pages by more codes, two bits a coordinate of the question."""
        return self._fine.scores_of(question, slots, two_bits=True)

    def _together(self, blobs: Sequence[bytes]) -> NDArray[np.uint64]:
        return np.frombuffer(b"".join(blobs), np.uint64).reshape(len(blobs), -1, self._words)


def _leading_places(scores: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    return np.argpartition(-scores, count - 1)[:count]


class PageIndex:
    """Reads the whole library on first use and when pages were removed; else what was added.

    About 5 KB a page of 700 patches. May be used from any thread, but only one at a
    time.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._guard = threading.Lock()
        self._model: tuple[str, int] | None = None
        self._loaded = LoadedCodes(1)
        self._seen = (0, 0)

    def refresh(self) -> tuple[str, int] | None:
        """Take in the pages as the library has them now.

        Returns: the model of the vectors and their dimension, None if there are none.
        """
        with self._guard:
            return self._database.read(self._read)

    def pages(self, documents: Collection[int] = ()) -> NDArray[np.int64]:
        """Return the ids of the pages of these documents, of all if none is named."""
        with self._guard:
            return self._loaded.page_ids(self._loaded.slots(documents))

    def candidates(
        self, question: QuestionCodes, documents: Collection[int], first: int, second: int
    ) -> NDArray[np.int64]:
        """Return the ids of the `second` best pages among the `first` best of a rough look.

        documents: only pages of these; all if none is named.
        """
        with self._guard:
            slots = self._loaded.slots(documents)
            if len(slots) > first:
                slots = slots[_leading_places(self._loaded.rough(question, slots), first)]
            if len(slots) > second:
                slots = slots[_leading_places(self._loaded.fine(question, slots), second)]
            return self._loaded.page_ids(slots)

    def ranks(
        self, question: QuestionCodes, among: NDArray[np.int64], wanted: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the ranks of the pages `wanted` among others, from 1, at the two looks.

        Returns: shape (2, n_found): pages that are gone by now have no rank.
        """
        with self._guard:
            slots = self._loaded.slots_of_pages(among)
            places = np.flatnonzero(np.isin(self._loaded.page_ids(slots), wanted))
            looks = (self._loaded.rough(question, slots), self._loaded.fine(question, slots))
        return np.array([[1 + (look > look[place]).sum() for place in places] for look in looks])

    def _read(self, connection: apsw.Connection) -> tuple[str, int] | None:
        model = stored_model(connection)
        if model != self._model:
            self._model, self._seen = model, (0, 0)
            self._loaded = LoadedCodes(words_of(model[1]) if model else 1)
        # An id is never used again: the same last id and count mean the same pages.
        rows = connection.execute("SELECT coalesce(max(id), 0), count(*) FROM page_codes")
        newest, count = cast("tuple[int, int]", rows.fetchall()[0])
        if model is None or (newest, count) == self._seen:
            return model
        select = "SELECT id, page_id, document_id, coarse, fine FROM page_codes WHERE id > ?"
        new = connection.execute(select, (self._seen[0],)).fetchall()
        if self._seen[1] + len(new) != count:  # some are gone
            self._loaded = LoadedCodes(words_of(model[1]))
            new = connection.execute(select, (0,)).fetchall()
        self._loaded.add(cast("list[CodeRow]", new))
        self._seen = (newest, count)
        return model
