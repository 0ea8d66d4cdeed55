"""Vectors held in memory find what those in the file do, also after pages came and went."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.retrieval.text_vectors import QuestionVector, UnitVectors, nearest_units
from tests.fakes.bookcase import Bookcase, Sheet, bookcase_at
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.manuals import fill

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EMBEDDER = FakeEmbedder()
LIMIT = 4


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
    return shelf.database.read(
        lambda c: nearest_units(c, asked(question), documents, LIMIT, vectors)
    )


def from_memory(shelf, question, vectors):
    """What is found without the file; None as long as nothing is held."""
    return shelf.database.read(lambda c: vectors.nearest(c, asked(question).vector, LIMIT))


def as_in_the_file(shelf, question, vectors) -> None:
    __tracebackhide__ = True
    assert from_memory(shelf, question, vectors) == nearest(shelf, question)


def test_from_the_second_question_on_the_same_is_found_in_memory(shelf, held):
    as_in_the_file(shelf, "What supply voltage does the pump need?", held)
    as_in_the_file(shelf, "How often is the brake of the hoist tested?", held)


def test_the_first_question_does_not_read_them_all(shelf):
    assert from_memory(shelf, "How is the pump filled?", UnitVectors()) is None


def test_a_manual_that_is_added_is_found_at_once(shelf, held):
    as_in_the_file(shelf, "How is the press greased?", held)
    shelf.add("press.pdf", [Sheet().text("The press is greased with the grease of the shop.")])
    for _ in range(2):
        assert nearest(shelf, "How is the press greased?", held) == nearest(
            shelf, "How is the press greased?"
        )
    as_in_the_file(shelf, "How is the press greased?", held)


def test_a_manual_with_the_ids_of_a_deleted_one_is_not_taken_for_it(shelf, held):
    first = shelf.add("first.pdf", [Sheet().text("The lathe is oiled every week.")])
    question = "How often is the lathe oiled?"
    for _ in range(2):
        before = nearest(shelf, question, held)
    shelf.library.delete(first)
    shelf.add("second.pdf", [Sheet().text("The saw is cleaned after each shift.")])
    assert set(nearest(shelf, question)) & set(before)
    assert nearest(shelf, question, held) == nearest(shelf, question)
    assert nearest(shelf, question, held) == nearest(shelf, question)
    as_in_the_file(shelf, question, held)


def test_more_vectors_than_there_is_room_for_stay_in_the_file(shelf):
    small = UnitVectors(most_bytes=100)
    for _ in range(3):
        assert nearest(shelf, "How is the pump filled?", small)
    assert from_memory(shelf, "How is the pump filled?", small) is None


def test_a_question_to_one_manual_finds_only_passages_of_it(shelf, held):
    crane = shelf.id_of("crane.pdf")
    found = nearest(shelf, "What supply voltage does the pump need?", held, (crane,))
    assert found == nearest(shelf, "What supply voltage does the pump need?", None, (crane,))
    assert found != nearest(shelf, "What supply voltage does the pump need?", held)
