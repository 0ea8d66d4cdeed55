"""Full-text search (FTS5, BM25) over pages and units, and the pages of each term."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import apsw

    from desktop.core.question.query import TermGroup

# Context (headings, table header) counts less than the words themselves.
_CONTEXT_WEIGHT = 0.6


@dataclass(frozen=True, slots=True)
class TermPages:
    """Where a term group occurs: ids of all pages of the library that contain it."""

    pages: frozenset[int]


def term_pages(connection: apsw.Connection, groups: Sequence[TermGroup]) -> list[TermPages]:
    """Return for each group the ids of the pages whose text contains one of its terms."""
    return [
        TermPages(
            frozenset(
                chain.from_iterable(
                    connection.execute(
                        "SELECT rowid FROM pages_fts WHERE pages_fts MATCH ?", (match_any([group]),)
                    )
                )
            )
        )
        for group in groups
    ]


def best_pages(
    connection: apsw.Connection,
    groups: Sequence[TermGroup],
    documents: Collection[int],
    limit: int,
) -> dict[int, float]:
    """Return page id -> BM25 score (higher is better) of the best pages."""
    rows = connection.execute(
        "SELECT pages_fts.rowid, -bm25(pages_fts) FROM pages_fts"
        + _only(documents, "JOIN pages AS source ON source.id = pages_fts.rowid")
        + " ORDER BY bm25(pages_fts) LIMIT ?",
        (match_any(groups), *documents, limit),
    )
    return {row_id: score for row_id, score in rows}


def best_units(
    connection: apsw.Connection,
    groups: Sequence[TermGroup],
    documents: Collection[int],
    limit: int,
    titles: Collection[str] = (),
) -> dict[int, float]:
    """Return unit id -> BM25 score (higher is better) of the best units.

    titles: terms of the manuals' titles. A title stands in the context of all units of its
    manual: there, these terms tell nothing apart and make every unit of it a match.
    """
    said = [f'"{term}"' for group in groups for term in group if term not in titles]
    said += [f'terms : "{term}"' for group in groups for term in group if term in titles]
    score = f"bm25(units_fts, 1.0, {_CONTEXT_WEIGHT})"
    rows = connection.execute(
        f"SELECT units_fts.rowid, -{score} FROM units_fts"
        + _only(documents, "JOIN units AS source ON source.id = units_fts.rowid", "units_fts")
        + f" ORDER BY {score} LIMIT ?",
        (" OR ".join(said), *documents, limit),
    )
    return {row_id: score for row_id, score in rows}


def match_any(groups: Sequence[TermGroup]) -> str:
    """Return an FTS5 expression that any term of any group satisfies."""
    return " OR ".join(f'"{term}"' for group in groups for term in group)


def _only(documents: Collection[int], join: str, table: str = "pages_fts") -> str:
    """Return the join and condition that restrict a full-text query to documents."""
    if not documents:
        return f" WHERE {table} MATCH ?"
    marks = ",".join("?" * len(documents))
    return f" {join} WHERE {table} MATCH ? AND source.document_id IN ({marks})"
