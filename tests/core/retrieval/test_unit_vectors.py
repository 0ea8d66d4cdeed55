"""The passages nearest to a question, also after pages came and went, and where they are many."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from desktop.core.retrieval.text_vectors import QuestionVector, UnitVectors, nearest_units
from desktop.core.store.database import Database
from desktop.core.store.postings import index_units
from desktop.core.store.unit_vectors import put_vectors
from tests.fakes.bookcase import Bookcase, Sheet, bookcase_at
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.manuals import fill

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import apsw

EMBEDDER = FakeEmbedder()
LIMIT = 4
DIMENSION = 384
"""The last schema that kept vectors in a table of sqlite-vec."""


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Bookcase]:
    with bookcase_at(tmp_path, EMBEDDER) as opened:
        fill(opened)
        yield opened


@pytest.fixture
def held(shelf) -> UnitVectors:
    vectors = UnitVectors()
    assert nearest(shelf, "How is the pump filled?", vectors)
    return vectors


def asked(question: str) -> QuestionVector:
    (vector,) = EMBEDDER.embed_queries([question])
    return QuestionVector(EMBEDDER.model_id, vector)


def nearest(shelf, question, vectors=None, documents=()):
    """Without vectors that are held, all are read anew."""
    return shelf.database.read(
        lambda c: nearest_units(c, asked(question), documents, LIMIT, vectors)
    )


def made_up(seed: int, count: int) -> Any:
    """Return vectors of unit length as those of a text model: alike, and more so by subject."""
    rng = np.random.default_rng(seed)
    subjects = np.random.default_rng(1).normal(size=(300, DIMENSION))
    of_each = subjects[rng.integers(1, len(subjects), count)]
    vectors = 1.6 * subjects[0] + 0.7 * of_each + 0.6 * rng.normal(size=(count, DIMENSION))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype("<f4")


def write_units(connection: apsw.Connection, manuals: int, each: int) -> None:
    connection.execute("INSERT INTO vector_models VALUES('made-up', ?)", (DIMENSION,))
    for manual in range(1, manuals + 1):
        connection.execute(
            "INSERT INTO documents(id, sha256, name, title, bytes, state, added_at)"
            " VALUES(?1, ?1, 'm', 'm', 1, 'ready', '2026')",
            (manual,),
        )
        connection.execute(
            "INSERT INTO pages(id, document_id, page, label, width, height)"
            " VALUES(?1, ?1, 0, '1', 1, 1)",
            (manual,),
        )
        connection.executemany(
            "INSERT INTO units VALUES(?, ?, ?, 0, 'window', '', '', x'', x'', 0, 1)",
            [(unit, manual, manual) for unit in units_of(manual, each)],
        )
        index_units(connection, manual, [(unit, "", "") for unit in units_of(manual, each)])


def units_of(manual: int, each: int) -> range:
    return range((manual - 1) * each + 1, manual * each + 1)


def test_a_manual_that_is_added_is_found_at_once(shelf, held):
    assert nearest(shelf, "How is the press greased?", held)
    shelf.add("press.pdf", [Sheet().text("The press is greased with the grease of the shop.")])
    found = nearest(shelf, "How is the press greased?", held)
    assert found == nearest(shelf, "How is the press greased?")


def test_a_manual_with_the_ids_of_a_deleted_one_is_not_taken_for_it(shelf, held):
    first = shelf.add("first.pdf", [Sheet().text("The lathe is oiled every week.")])
    question = "How often is the lathe oiled?"
    before = nearest(shelf, question, held)
    shelf.library.delete(first)
    shelf.add("second.pdf", [Sheet().text("The saw is cleaned after each shift.")])
    assert set(nearest(shelf, question)) & set(before)
    assert nearest(shelf, question, held) == nearest(shelf, question)


def test_a_question_to_one_manual_finds_only_passages_of_it(shelf, held):
    crane = shelf.id_of("crane.pdf")
    question = "What supply voltage does the pump need?"
    found = nearest(shelf, question, held, (crane,))
    of_crane = shelf.database.read(
        lambda c: c.execute("SELECT id FROM units WHERE document_id = ?", (crane,)).fetchall()
    )
    assert found
    assert set(found) <= {unit_id for (unit_id,) in of_crane}
    assert found != nearest(shelf, question, held)


@pytest.mark.parametrize("most_bytes", [10_000_000, 12_000_000], ids=["signs", "rounded as well"])
def test_of_many_passages_the_signs_find_nearly_all_that_are_nearest(tmp_path: Path, most_bytes):
    vectors = made_up(2, 30_000)
    with Database.open(tmp_path) as database:
        database.write(lambda c: write_units(c, 3, 10_000))
        for manual in (1, 2, 3):
            units = units_of(manual, 10_000)
            rows = [(unit, vectors[unit - 1].tobytes()) for unit in units]
            database.write(partial(put_vectors, document_id=manual, vectors=rows))
        few, many = UnitVectors(), UnitVectors(most_bytes=most_bytes)
        found = wanted = 0
        for vector in made_up(3, 20):
            for documents in ((), (1, 3)):
                exact, by_signs = (
                    database.read(
                        partial(held.nearest, vector=vector, limit=50, documents=documents)
                    )
                    for held in (few, many)
                )
                wanted += len(exact)
                found += len(exact.keys() & by_signs.keys())
                assert all(by_signs[unit] == exact[unit] for unit in exact.keys() & by_signs)
                assert not documents or not set(by_signs) & set(units_of(2, 10_000))
        assert found > 0.98 * wanted


def test_vectors_of_another_length_or_damaged_ones_are_told(tmp_path: Path):
    with Database.open(tmp_path) as database:
        database.write(lambda c: write_units(c, 1, 3))
        rows = [(unit, made_up(unit, 1)[0].tobytes()) for unit in (1, 2, 3)]
        database.write(lambda c: put_vectors(c, 1, rows))
        assert database.check(deep=True) == []
        zeros = "UPDATE unit_vectors SET vector = zeroblob(768) WHERE unit_id = 2"
        database.write(lambda c: c.execute(zeros))
        assert database.check() == []
        assert database.check(deep=True) == ["unit_vectors: 1 vectors are damaged"]
        database.write(lambda c: c.execute("UPDATE unit_vectors SET vector = x'00'"))
        assert len(database.check()) == 1
