"""Search times without the time of the model."""

import time

from desktop.core.evaluation.gold import GoldQuestion
from desktop.core.evaluation.speed import search_times
from desktop.core.settings.sections import RetrievalSettings
from tests.fakes.bookcase import bookcase_at
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.manuals import fill

_MODEL_SECONDS = 0.5


class SlowEmbedder(FakeEmbedder):
    def embed_queries(self, queries):
        time.sleep(_MODEL_SECONDS)
        return super().embed_queries(queries)


def test_the_time_of_the_model_is_not_in_them(tmp_path):
    questions = [
        GoldQuestion(id=str(n), kind="spec", question=text, document=None)
        for n, text in enumerate(["What supply voltage?", "How do I reset the crane?"])
    ]
    with bookcase_at(tmp_path, FakeEmbedder()) as bookcase:
        fill(bookcase)
        told: list[str] = []
        times = search_times(
            bookcase.database, SlowEmbedder(), RetrievalSettings(), None, questions, told.append
        )
    assert len(times) == 2
    assert told == ["timed 2 of 2"]
    assert 0 < min(times) < _MODEL_SECONDS * 1000
