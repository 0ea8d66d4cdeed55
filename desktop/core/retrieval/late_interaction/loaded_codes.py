"""Which page has which slot of the code tables, and whose manual it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop.core.retrieval.late_interaction.code_table import CodeTable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from numpy.typing import NDArray

    from desktop.core.retrieval.late_interaction.sign_codes import QuestionCodes

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
        self._rows = np.zeros((3, 0), np.int64)  # code, page, document; -1: a free slot
        self._slot_of: dict[int, int] = {}
        self._free: list[int] = []

    def __len__(self) -> int:
        return len(self._slot_of)

    @property
    def codes(self) -> Collection[int]:
        """Ids of the rows that are loaded."""
        return self._slot_of.keys()

    def add(self, rows: Iterable[CodeRow]) -> None:
        """Take in pages."""
        groups: dict[tuple[int, int], list[CodeRow]] = {}
        for row in rows:
            groups.setdefault((len(row[3]), len(row[4])), []).append(row)
        for group in groups.values():
            slots = self._new_slots(len(group))
            self._coarse.add(slots, self._together([row[3] for row in group]))
            self._fine.add(slots, self._together([row[4] for row in group]))
            self._rows[:, slots] = np.array([row[:3] for row in group], np.int64).T
            self._slot_of.update(zip((row[0] for row in group), slots, strict=True))

    def remove(self, codes: Iterable[int]) -> None:
        """Forget pages by the ids of their rows."""
        slots = [self._slot_of.pop(code) for code in codes]
        self._coarse.remove(slots)
        self._fine.remove(slots)
        self._rows[:, slots] = -1
        self._free += slots

    def slots(self, documents: Collection[int] = ()) -> NDArray[np.int64]:
        """Return the slots of the pages of these documents, of all if none is named."""
        taken = self._rows[0] >= 0
        if documents:
            taken &= np.isin(self._rows[2], sorted(documents))
        return np.flatnonzero(taken)

    def slots_of_pages(self, page_ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the slots of pages, in order of the slots."""
        return np.flatnonzero(np.isin(self._rows[1], page_ids))

    def page_ids(self, slots: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the pages in these slots."""
        return np.asarray(self._rows[1, slots])

    def _by_telling(self, question: QuestionCodes, slots: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return the places of a question's vectors, those that tell these pages apart first.

        Those of filler words are nearly as near to one page as to any other; without them a
        look at all pages is sooner done.
        """
        some = slots[:: len(slots) // _PROBED][:_PROBED]
        return np.argsort(-self._coarse.token_scores(question, some).std(axis=1))

    def rough(self, question: QuestionCodes, slots: NDArray[np.int64]) -> NDArray[np.float32]:
        """Score pages by few codes, one bit a coordinate, those that lead by the whole question.

        Where only a part of it is read, the pages that lead score above all others.
        """
        if len(question.signs) <= _TELLING or len(slots) <= _PROBED:
            return self._look(question, slots)
        order = self._by_telling(question, slots)
        scores = self._look(question.only(np.sort(order[:_TELLING])), slots)
        leading = _best(scores, max(1, round(_LEADING * len(slots))))
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

    def _new_slots(self, count: int) -> list[int]:
        missing = count - len(self._free)
        if missing > 0:
            size = self._rows.shape[1]
            self._free += range(size, size + missing)
            self._rows = np.hstack([self._rows, np.full((3, missing), -1, np.int64)])
        slots, self._free = self._free[:count], self._free[count:]
        return slots


def _best(scores: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    return np.argpartition(-scores, count - 1)[:count]
