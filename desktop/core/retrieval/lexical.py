"""Full-text search (BM25) over pages and units, and the pages of each term.

The scores are those of SQLite's FTS5, up to the order in which they are added up; they
are computed for whole lists of postings at once.
"""

from __future__ import annotations

import math
import re
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.store.postings import (
    KINDS,
    Kind,
    Lengths,
    Postings,
    index_changes,
    pages_and_units,
    read_lengths,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import apsw
    from numpy.typing import NDArray

    from desktop.core.question.query import Question, TermGroup

# Context (headings, table header) counts less than the words themselves.
_CONTEXT_WEIGHT = 0.6
_K1, _B = 1.2, 0.75
_CODE = re.compile(r"[a-z]{1,5}\d+")
_TERMS_KEPT = 24
"""Of a term that every second of 200,000 pages has, the places take a megabyte."""
_LEAST_RARITY = 1e-6
"""What FTS5 gives a term that more than half of the texts have."""


class TextIndex:
    """The lengths of one library's texts, held in memory, and the terms that were looked up last.

    May be used from any thread.
    """

    def __init__(self) -> None:
        """Hold nothing yet: lengths are read with the first question after a change."""
        self._guard = threading.Lock()
        self._changes = -1
        self._lengths: dict[Kind, Lengths] = {}
        self._terms: OrderedDict[str, tuple[Postings, Postings]] = OrderedDict()

    def lengths(self, connection: apsw.Connection, kind: Kind) -> Lengths:
        """Return the lengths of all indexed texts of a kind, as the connection sees them."""
        changes = index_changes(connection)
        with self._guard:
            if changes != self._changes:
                self._lengths = {each: read_lengths(connection, each) for each in KINDS}
                self._changes = changes
                self._terms.clear()
            return self._lengths[kind]

    def postings(self, connection: apsw.Connection, term: str) -> tuple[Postings, Postings]:
        """Return the pages and the units that have a term, for which a question asks in turn."""
        with self._guard:
            known = self._terms.get(term) if self._is_current(connection) else None
        if known is None:
            known = pages_and_units(connection, term)
            with self._guard:
                if self._is_current(connection):
                    self._terms[term] = known
                    while len(self._terms) > _TERMS_KEPT:
                        self._terms.popitem(last=False)
        return known

    def _is_current(self, connection: apsw.Connection) -> bool:
        return index_changes(connection) == self._changes


@dataclass(frozen=True, eq=False)
class TermPages:
    """Where a term group occurs in the library.

    pages: the ids of all pages that have one of its terms, shape (n,).
    per_document: document id -> how many of them.
    """

    pages: NDArray[np.int64]
    per_document: Mapping[int, int]

    def among(self, page_ids: Sequence[int]) -> list[bool]:
        """Return which of these pages are among them."""
        marked = np.zeros(max(int(self.pages.max(initial=0)), *page_ids, 0) + 1, np.bool_)
        marked[self.pages] = True
        return [bool(each) for each in marked[list(page_ids)]]


def term_pages(
    connection: apsw.Connection, groups: Sequence[TermGroup], index: TextIndex
) -> list[TermPages]:
    """Return for each group the pages whose text contains one of its terms."""
    lengths = index.lengths(connection, "page")
    return [
        _term_pages([index.postings(connection, term)[0] for term in group], lengths)
        for group in groups
    ]


def with_longer_codes(
    connection: apsw.Connection, question: Question, documents: Collection[int]
) -> Question:
    """Return a question whose codes that no manual has mean those they begin: RS232, of RS232C.

    documents: searched, all if none is named.
    """
    marks = ",".join("?" * len(documents))
    only = f" AND document_id IN ({marks})" if documents else ""
    groups = []
    for group in question.groups:
        codes = [term for term in group if _CODE.fullmatch(term)]
        sql = f"SELECT DISTINCT term FROM postings WHERE term BETWEEN ? AND ?{only}"
        found = [
            str(term)
            for code in codes
            for (term,) in connection.execute(sql, (code, f"{code}zz", *documents))
        ]
        longer = [term for term in found for code in codes if term[len(code) :].isalpha()]
        groups.append(group if set(group) & set(found) else (*group, *longer))
    return replace(question, groups=tuple(groups))


def _term_pages(of_terms: Sequence[Postings], lengths: Lengths) -> TermPages:
    found = [each for each in of_terms if len(each.ids)]
    if len(found) == 1:
        (only,) = found
        return TermPages(
            only.ids, dict(zip(only.documents.tolist(), only.sizes.tolist(), strict=True))
        )
    marked = np.zeros(len(lengths.of), np.bool_)
    for each in found:
        marked[each.ids] = True
    pages = np.flatnonzero(marked)
    documents, sizes = np.unique(lengths.documents[pages], return_counts=True)
    return TermPages(pages, dict(zip(documents.tolist(), sizes.tolist(), strict=True)))


def best_pages(
    connection: apsw.Connection,
    groups: Sequence[TermGroup],
    documents: Collection[int],
    limit: int,
    index: TextIndex,
) -> dict[int, float]:
    """Return page id -> BM25 score (higher is better) of the best pages."""
    lengths = index.lengths(connection, "page")
    ranking = _Ranking(lengths)
    for term in (term for group in groups for term in group):
        every, _ = index.postings(connection, term)
        found = every.of_documents(documents) if documents else every
        if len(found.ids):
            ranking.add(found.ids, found.counts.astype(np.float64), len(every.ids))
    return ranking.best(limit)


def best_units(
    connection: apsw.Connection,
    groups: Sequence[TermGroup],
    documents: Collection[int],
    limit: int,
    titles: Collection[str],
    index: TextIndex,
) -> dict[int, float]:
    """Return unit id -> BM25 score (higher is better) of the best units.

    titles: terms of the manuals' titles. A title stands in the context of all units of
    its
    manual: there, these terms distinguish nothing and make every unit of it a match.
    """
    ranking = _Ranking(index.lengths(connection, "unit"))
    terms = [term for group in groups for term in group]
    # in the order in which FTS5 was asked for them, so that sums round alike
    for term in sorted(terms, key=lambda term: term in titles):
        _, every = index.postings(connection, term)
        found = every.of_documents(documents) if documents else every
        if not len(found.ids):
            continue
        if term in titles:
            said = found.own > 0
            everywhere = int(np.count_nonzero(every.own))
            ranking.add(found.ids[said], found.own[said].astype(np.float64), everywhere)
        else:
            often = found.own + _CONTEXT_WEIGHT * found.context
            ranking.add(found.ids, often, len(every.ids))
    return ranking.best(limit)


class _Ranking:
    """Adds up BM25 scores of texts, term by term."""

    def __init__(self, lengths: Lengths) -> None:
        self._lengths = lengths
        self._scores = np.zeros(len(lengths.of))
        self._mean = lengths.total / max(1, lengths.count)
        self._found: list[NDArray[np.int64]] = []

    def add(self, ids: NDArray[np.int64], often: NDArray[np.float64], everywhere: int) -> None:
        """Add a term. often: how often each text has it; everywhere: how many texts do."""
        rarity = math.log((self._lengths.count - everywhere + 0.5) / (everywhere + 0.5))
        weight = rarity if rarity > 0 else _LEAST_RARITY
        self._found.append(ids)
        length = self._lengths.of[ids] / self._mean
        self._scores[ids] += weight * (
            (often * (_K1 + 1.0)) / (often + _K1 * (1.0 - _B + _B * length))
        )

    def best(self, limit: int) -> dict[int, float]:
        """Return id -> score of the best texts, best first, of equal ones the first."""
        # as many texts of one term are at least as good as this one, so the best are, too
        enough = min((ids for ids in self._found if len(ids) >= limit), key=len, default=None)
        least = 0.0
        if enough is not None:
            some = self._scores[enough]
            least = np.partition(some, len(some) - limit)[len(some) - limit]
        found = np.flatnonzero(self._scores >= least if least else self._scores > 0)
        scores = self._scores[found]
        order = np.argsort(-scores, kind="stable")[:limit]
        return dict(zip(found[order].tolist(), scores[order].tolist(), strict=True))
