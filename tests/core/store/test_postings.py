"""The text index: what it holds, what it takes over, and that it ranks as FTS5 does."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Any

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.retrieval.lexical import TextIndex, best_pages, best_units
from desktop.core.store.postings import (
    Postings,
    forget,
    forget_manual,
    index_pages,
    index_units,
    pack,
    pages_and_units,
    problems,
    units_with_all,
    unpack,
)

if TYPE_CHECKING:
    from desktop.core.store.database import Database

TERMS = ["pump", "fuse", "s_130", "größe", "24v", "torque", "valve", "relay"]
PAGES = {1: range(1, 31), 2: range(31, 51), 3: range(51, 81)}


def said(seed: int, most: int = 40) -> str:
    rng = random.Random(seed)
    weights = [8, 4, 1, 1, 2, 3, 2, 1]
    return " ".join(rng.choices(TERMS, weights, k=rng.randrange(most)))


def texts() -> dict[int, tuple[list[tuple[int, str]], list[tuple[int, str, str]]]]:
    """Document id -> its pages, and three units of each page."""
    return {
        document: (
            [(page, said(page)) for page in pages],
            [
                (3 * page + i, said(1000 + 3 * page + i, 12), said(page // 5, 5))
                for page in pages
                for i in range(3)
            ],
        )
        for document, pages in PAGES.items()
    }


def fts5_tables() -> apsw.Connection:
    """Return the same texts in SQLite's own full-text tables."""
    connection = apsw.Connection(":memory:")
    tokenize = "tokenize='unicode61 remove_diacritics 0 tokenchars ''_'''"
    connection.execute(f"CREATE VIRTUAL TABLE pages_fts USING fts5(terms, {tokenize})")
    connection.execute(f"CREATE VIRTUAL TABLE units_fts USING fts5(terms, context, {tokenize})")
    for pages, units in texts().values():
        connection.executemany("INSERT INTO pages_fts(rowid, terms) VALUES(?, ?)", pages)
        connection.executemany(
            "INSERT INTO units_fts(rowid, terms, context) VALUES(?, ?, ?)", units
        )
    return connection


@given(st.lists(st.integers(1, 2**40), unique=True), st.lists(st.integers(1, 300), unique=True))
def test_packed_ids_come_back(first: list[int], second: list[int]):
    both = [sorted(first), sorted(second)]
    packed = [(place, pack(ids), bytes(len(ids))) for place, ids in enumerate(both) if ids]
    assert Postings.of_rows(packed).ids.tolist() == sorted(first) + sorted(second)
    assert np.cumsum(unpack(pack(both[0]))).tolist() == both[0]


def assert_alike(ranked: dict[int, float], wanted: dict[int, float]) -> None:
    __tracebackhide__ = True
    assert list(ranked) == list(wanted)
    assert list(ranked.values()) == pytest.approx(list(wanted.values()), rel=1e-12)


def test_ranking_is_that_of_fts5(database: Database):
    connection = fts5_tables()
    asked = [("pump",), ("fuse", "valve"), ("größe",), ("relay",)]
    terms = [term for group in asked for term in group]

    def by_fts5(table: str, score: str, match: str) -> dict[int, float]:
        found: Any = connection.execute(
            f"SELECT rowid, -{score} FROM {table} WHERE {table} MATCH ? ORDER BY {score} LIMIT 25",
            (match,),
        )
        return dict(found)

    pages = by_fts5("pages_fts", "bm25(pages_fts)", " OR ".join(terms))
    units = by_fts5("units_fts", "bm25(units_fts, 1.0, 0.6)", " OR ".join(terms))
    titled = by_fts5(
        "units_fts", "bm25(units_fts, 1.0, 0.6)", "fuse OR valve OR größe OR relay OR terms : pump"
    )
    for document, (own_pages, own_units) in texts().items():
        database.write(partial(index_pages, document_id=document, pages=own_pages))
        for place in range(0, len(own_units), 7):
            some = own_units[place : place + 7]
            database.write(partial(index_units, document_id=document, units=some))
    index = TextIndex()
    ranked = database.read(lambda c: best_pages(c, asked, (), 25, index))
    assert_alike(ranked, pages)
    ranked = database.read(lambda c: best_units(c, asked, (), 25, (), index))
    assert_alike(ranked, units)
    ranked = database.read(lambda c: best_units(c, asked, (), 25, {"pump"}, index))
    assert_alike(ranked, titled)
    among = database.read(lambda c: best_pages(c, asked, (2,), 90, index))
    every = database.read(lambda c: best_pages(c, asked, (), 90, index))
    assert among == {page: score for page, score in every.items() if page in PAGES[2]}


def test_what_is_indexed_anew_or_goes_leaves_no_posting(database: Database):
    def there(term: str) -> list[int]:
        return list(database.read(lambda c: pages_and_units(c, term)[0]).ids)

    database.write(lambda c: index_pages(c, 1, [(5, "old pump"), (6, "pump pump"), (7, "")]))
    database.write(lambda c: index_pages(c, 2, [(8, "pump")]))
    database.write(lambda c: index_pages(c, 1, [(5, "new")]))
    assert (there("old"), there("new"), there("pump")) == ([], [5], [6, 8])
    database.write(lambda c: index_pages(c, 1, [(7, "pump")]))
    assert there("pump") == [6, 7, 8]
    database.write(lambda c: index_units(c, 1, [(1, "pump", "24v"), (2, "fuse", "24v")]))
    database.write(lambda c: forget(c, 1, "unit", [1, 99]))
    assert database.read(lambda c: units_with_all(c, [("24v",)])) == [2]
    assert database.read(lambda c: list(problems(c))) == []
    database.write(lambda c: forget_manual(c, 1))
    assert (there("pump"), there("new")) == ([8], [])
    assert database.read(lambda c: c.execute("SELECT count(*) FROM postings").get) == 1


def test_units_are_found_by_all_words_and_the_beginning_of_the_last(database: Database):
    units = [(1, "red fuse", "box"), (2, "red fusible link", ""), (3, "blue fuse", "red")]
    database.write(lambda c: index_units(c, 1, units))
    find = units_with_all
    assert database.read(lambda c: find(c, [("red",), ("fuse",)])) == [1, 3]
    assert database.read(lambda c: find(c, [("red",), ("fus",)], "fus")) == [1, 2, 3]
    assert database.read(lambda c: find(c, [("green",), ("fuse",)])) == []


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE postings SET pages = x'ff' WHERE term = 'pump'",
        "UPDATE postings SET page_counts = x'09' WHERE term = 'pump'",
        "UPDATE postings SET document_id = 7 WHERE term = 'pump'",
        "DELETE FROM postings WHERE term = 'pump'",
    ],
)
def test_an_index_that_says_something_else_is_told(database: Database, harm: str):
    database.write(lambda c: index_pages(c, 1, [(5, "pump"), (6, "fuse")]))
    database.write(lambda c: c.execute(harm))
    assert len(database.read(lambda c: list(problems(c)))) == 1
