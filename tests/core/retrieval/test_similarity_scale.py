"""Cosines of models that find everything alike, on the scale of the built-in model."""

import numpy as np
import pytest

from desktop.core.retrieval.query import Query
from desktop.core.retrieval.search import Searcher
from desktop.core.retrieval.similarity_scale import FITTED_WITH, SimilarityScale, measure_scale
from desktop.core.settings.sections import RetrievalSettings
from desktop.models import minilm_files
from tests.fakes.bookcase import bookcase_at
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.manuals import fill

QUESTION = "Which terminal is the RS-485 bus connected to?"


class AlikeEmbedder(FakeEmbedder):
    """Adds a direction that all texts share: unrelated texts have a cosine of about 0.6."""

    def embed(self, texts):
        rows = np.sqrt(0.4) * super().embed(texts)
        rows[:, 0] += np.sqrt(0.6)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_unrelated_texts_come_to_zero_and_the_same_text_stays_one():
    scale = SimilarityScale(0.6)
    assert scale.of(0.6) == pytest.approx(0)
    assert scale.of(0.8) == pytest.approx(0.5)
    assert scale.of(1.0) == pytest.approx(1)
    assert scale.of(0.2) == 0


def test_the_built_in_models_cosines_are_left_as_they_are():
    assert FITTED_WITH == minilm_files.MODEL_ID
    built_in = FakeEmbedder(FITTED_WITH)
    scale = measure_scale(built_in)
    assert not built_in.embedded
    assert [scale.of(cosine) for cosine in (-0.2, 0.0, 0.37, 1.0)] == [0.0, 0.0, 0.37, 1.0]


def test_what_unrelated_texts_share_is_measured():
    assert measure_scale(AlikeEmbedder("alike@1")).unrelated == pytest.approx(0.6, abs=0.1)


def test_a_model_that_tells_nothing_apart_finds_nothing_alike():
    class Dull(FakeEmbedder):
        def embed(self, texts):
            return np.full((len(texts), 4), 0.5, np.float32)

    scale = measure_scale(Dull("dull@1", 4))
    assert scale.unrelated < 1
    assert np.isfinite(scale.of(1.0))


def test_pages_that_do_not_answer_seem_no_nearer_with_a_model_that_finds_all_alike(tmp_path):
    dense = []
    for name, embedder in (("fair", FakeEmbedder("fair@1")), ("alike", AlikeEmbedder("alike@1"))):
        with bookcase_at(tmp_path / name, embedder) as bookcase:
            fill(bookcase)
            searcher = Searcher(bookcase.database, embedder, RetrievalSettings())
            dense.append([page.features.dense for page in searcher.search(Query(QUESTION))])
    fair, alike = dense
    assert max(alike[1:]) < max(fair[1:]) + 0.1
    assert alike[0] == pytest.approx(fair[0], abs=0.15)
