"""Which documents of an FTS5 table are worth comparing with the words of a query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from knowledge.services.retrieval.scoring import weighted
from knowledge.services.sqlite import first_column

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw
    from numpy.typing import NDArray

    from knowledge.services.retrieval.terms import TermGroup

    Rows = NDArray[np.int64]

_CANDIDATES = 128
# In a large table the documents of a common word are not listed as long as a rarer one does it.
_LARGE = 5_000
_COMMON_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class WordCandidates:
    """Rows to compare, and how many of `documents` documents have each group of the query."""

    rows: tuple[int, ...]
    groups: tuple[TermGroup, ...]
    frequencies: tuple[int, ...]
    documents: int

    def frequency(self, group: TermGroup) -> int:
        """Return how many documents have a word of the query."""
        return self.frequencies[self.groups.index(group)]


def word_candidates(
    connection: apsw.Connection, groups: Sequence[TermGroup], match: str
) -> WordCandidates:
    """Return the documents with the most telling words of a query, and how rare its words are.

    match: an FTS5 expression that documents must meet, "" for none.
    """
    documents = connection.execute("SELECT count(*) FROM documents").get
    frequencies = [_frequency(connection, group) for group in groups]
    words = weighted(groups, dict(zip(groups, frequencies, strict=True)).__getitem__, documents)
    rarest_first = sorted(range(len(groups)), key=lambda i: (frequencies[i], groups[i]))
    rows: list[Rows] = []
    shares: list[NDArray[np.float64]] = []
    for i in rarest_first:
        if frequencies[i] == 0:
            continue
        common = documents > _LARGE and frequencies[i] > documents * _COMMON_SHARE
        if common and rows:
            break
        found = _rows(connection, groups[i], match)
        if len(found):
            rows.append(found)
            shares.append(np.full(len(found), words.weights[i]))
    best = _heaviest(rows, shares) if rows else ()
    return WordCandidates(best, tuple(groups), tuple(frequencies), documents)


def _heaviest(rows: Sequence[Rows], shares: Sequence[NDArray[np.float64]]) -> tuple[int, ...]:
    """Return the rows with the greatest sum of weights, ties by row."""
    unique, place = np.unique(np.concatenate(rows), return_inverse=True)
    sums = np.bincount(place, np.concatenate(shares))
    order = np.lexsort((unique, -sums))[:_CANDIDATES]
    return tuple(unique[order].tolist())


def _frequency(connection: apsw.Connection, group: TermGroup) -> int:
    """Return how many documents have the commonest term of a group."""
    return max(
        connection.execute("SELECT doc FROM document_frequencies WHERE term = ?", (term,)).get or 0
        for term in group
    )


def _rows(connection: apsw.Connection, group: TermGroup, match: str) -> Rows:
    either = "(" + " OR ".join(f'"{term}"' for term in group) + ")"
    rows = first_column(
        connection,
        "SELECT rowid FROM document_terms WHERE document_terms MATCH ?",
        (f"{either} AND {match}" if match else either,),
    )
    return np.array(rows, np.int64)
