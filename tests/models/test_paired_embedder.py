import numpy as np

from desktop.models.manager import PairedEmbedder
from tests.fakes.embedder import FakeEmbedder


def test_passages_and_questions_are_one_models_and_tokens_the_others():
    finding, reading = FakeEmbedder("finding@1", 128), FakeEmbedder("reading@1", 32)
    pair = PairedEmbedder(finding, reading)
    assert (pair.model_id, pair.dimension) == ("finding@1", 128)
    assert np.array_equal(pair.embed(["a fuse"]), finding.embed(["a fuse"]))
    assert pair.embed_queries(["Which fuse?"]).shape == (1, 128)
    assert finding.queries == ["Which fuse?"]
    reading.reranked = np.array([-2.5], np.float32)
    assert pair.rerank("Which fuse?", ["a fuse"]) is reading.reranked
    assert [tokens.shape for tokens in pair.embed_tokens(["a fuse", "fuse"])] == [(2, 32), (1, 32)]
