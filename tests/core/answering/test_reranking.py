"""The reranker has the last word among the best units, and says nothing of the others."""

from __future__ import annotations

import numpy as np
import pytest

from desktop.core.answering.reader import RERANKED, Reader
from desktop.core.retrieval.query import Query
from tests.fakes.bookcase import Sheet, bookcase_at
from tests.fakes.embedder import FakeEmbedder

QUESTION = "Which fuse protects the fan?"


class FakeReranker:
    """Satisfies `Reranker`: what has the words answers. asked: every passage that it was given."""

    model_id = "fake"

    def __init__(self, words: str = "") -> None:
        self._words = words
        self.asked: list[str] = []

    def scores(self, question, passages):
        assert question == QUESTION
        self.asked += passages
        return np.array([9.0 if self._words in each else -9.0 for each in passages], np.float32)


@pytest.fixture
def fans(tmp_path):
    embedder = FakeEmbedder()
    with bookcase_at(tmp_path, embedder) as bookcase:
        fuses = [[f"F{n}", f"Fuse of the fan of line {n}"] for n in range(1, 30)]
        bookcase.add("fan.pdf", [Sheet().heading("Fuses").rows(["Fuse", "It protects"], *fuses)])
        yield bookcase, embedder


def read(fans, reranker):
    bookcase, embedder = fans
    retrieved = bookcase.searcher.retrieve(Query(QUESTION))
    return Reader(embedder, reranker).read(retrieved.question, retrieved.pages)


def test_what_the_reranker_finds_to_answer_comes_first(fans):
    (before,) = read(fans, None).pages
    other = before[RERANKED // 2].unit.text
    assert other != before[0].unit.text
    (after,) = read(fans, FakeReranker(other)).pages
    assert after[0].unit.text == other


def test_only_the_best_units_are_read_again_and_the_others_stay_behind(fans):
    reranker = FakeReranker("nowhere")
    (before,), (after,) = read(fans, None).pages, read(fans, reranker).pages
    assert len(reranker.asked) == RERANKED < len(before)
    assert {u.unit.text for u in after[:RERANKED]} == {u.unit.text for u in before[:RERANKED]}


def test_the_trace_says_what_the_reranker_added(fans):
    other = read(fans, None).pages[0][RERANKED // 2].unit.text
    why = read(fans, FakeReranker(other)).why_best
    assert "speaks for this place: read together with the question, it answers it" in why


def test_an_answer_is_likelier_where_the_reranker_says_so(fans):
    sure, unsure = read(fans, FakeReranker()), read(fans, FakeReranker("nowhere"))
    assert sure.there > unsure.there
    assert sure.chance > unsure.chance
