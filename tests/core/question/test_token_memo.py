"""Vectors of tokens and of questions that are remembered."""

import numpy as np

from desktop.core.retrieval.text_vectors import TokenMemo
from tests.fakes.embedder import FakeEmbedder


class Counting(FakeEmbedder):
    def __init__(self):
        super().__init__()
        self.read = []
        self.asked = []

    def embed_queries(self, queries):
        self.asked += queries
        return super().embed_queries(queries)

    def embed_tokens(self, texts):
        self.read += texts
        return super().embed_tokens(texts)


def test_each_text_is_read_once_and_comes_back_in_its_place():
    embedder = Counting()
    memo = TokenMemo(embedder)
    first = memo.embed_tokens(["pump", "valve", "pump"])
    again = memo.embed_tokens(["valve", "seal", "pump"])
    assert embedder.read == ["pump", "valve", "seal"]
    assert np.array_equal(first[0], again[2])
    assert np.array_equal(first[1], again[0])


def test_what_was_not_read_for_long_is_forgotten():
    embedder = Counting()
    memo = TokenMemo(embedder)
    memo.embed_tokens(["pump"])
    memo.embed_tokens([f"word {number}" for number in range(300)])
    memo.embed_tokens(["pump"])
    assert embedder.read.count("pump") == 2


def test_a_question_is_read_once_until_others_were_asked():
    embedder = Counting()
    memo = TokenMemo(embedder)
    first = memo.embed_queries(["pump?", "valve?"])
    assert np.array_equal(memo.embed_queries(["valve?"]), first[1:])
    assert embedder.asked == ["pump?", "valve?"]
    memo.embed_queries([f"word {number}?" for number in range(20)])
    memo.embed_queries(["pump?"])
    assert embedder.asked.count("pump?") == 2
