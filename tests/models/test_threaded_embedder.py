import threading

import numpy as np
import pytest

from desktop.models.errors import ModelNotInstalled, ModelStopped
from desktop.models.inference_thread import Priority
from desktop.models.manager import ThreadedEmbedder
from tests.fakes.embedder import ScriptedEmbedder


@pytest.fixture
def scripted():
    return ScriptedEmbedder()


@pytest.fixture
def embedder(scripted, inference):
    return ThreadedEmbedder(lambda: scripted, inference, Priority.INGESTION)


def test_embedding_happens_on_the_inference_thread(embedder, scripted):
    embedder.embed(["a", "bb"])
    assert scripted.threads == {"inference-test"}


def test_the_vectors_are_those_of_the_embedder_in_order(embedder, scripted):
    texts = ["x" * length for length in range(1, 3_000, 50)]
    assert np.array_equal(embedder.embed(texts), scripted.embed(texts))


def test_questions_are_embedded_as_questions(embedder, scripted):
    vectors = embedder.embed_queries(["How?", "Why so?"])
    assert scripted.queries == ["How?", "Why so?"]
    assert np.array_equal(vectors, scripted.embed(["query: How?", "query: Why so?"]))
    assert embedder.embed_queries([]).shape == (0, 2)


def test_the_name_of_a_made_embedder_is_told_without_waiting_for_a_turn(embedder, inference):
    embedder.embed(["a"])
    working, told = threading.Event(), threading.Event()

    def work():
        working.set()
        assert told.wait(30)

    busy = inference.submit(work, Priority.QUESTION)
    assert working.wait(30)
    assert (embedder.model_id, embedder.dimension) == ("scripted@1", 2)
    told.set()
    busy.result(5)


def test_it_has_the_name_and_size_of_the_embedder(embedder):
    assert (embedder.model_id, embedder.dimension) == ("scripted@1", 2)
    assert embedder.embed([]).shape == (0, 2)
    assert embedder.embed_tokens(["two words", "one"])[0].shape == (2, 2)


def test_places_are_reranked_in_small_steps_with_the_question_of_each(embedder, scripted):
    texts = ["word " * count for count in (100, 300, 200, 350)]
    assert embedder.rerank("Which word?", texts).tolist() == [len(text) for text in texts]
    assert [len(call) for call in scripted.calls] == [3, 2, 2]
    assert all(call[0] == "Which word?" for call in scripted.calls)
    assert embedder.rerank("Which word?", []) is None


def test_a_long_list_is_handed_over_in_small_steps(embedder, scripted):
    embedder.embed(["word " * 100] * 40)
    assert max(len("".join(step)) for step in scripted.calls) <= 2_000
    assert sum(len(step) for step in scripted.calls) == 40


def test_a_question_is_answered_between_two_steps_of_ingestion(inference):
    first_step, question_asked = threading.Event(), threading.Event()

    class SlowEmbedder(ScriptedEmbedder):
        def embed(self, texts):
            first_step.set()
            assert question_asked.wait(30)
            return super().embed(texts)

    slow = SlowEmbedder()
    background = ThreadedEmbedder(lambda: slow, inference, Priority.INGESTION)
    ingestion = threading.Thread(target=background.embed, args=(["word " * 300] * 20,))
    ingestion.start()
    assert first_step.wait(30)
    answer = inference.submit(lambda: slow.embed(["question"]), Priority.QUESTION)
    question_asked.set()
    answer.result(5)
    ingestion.join(30)
    assert [step[0] for step in slow.calls].index("question") == 1


def test_all_priorities_share_one_model(inference):
    made = []

    def factory():
        made.append(ScriptedEmbedder())
        return made[-1]

    background = ThreadedEmbedder(factory, inference, Priority.INGESTION)
    background.embed(["a"])
    background.at(Priority.QUESTION).embed(["b"])
    assert len(made) == 1


def test_nothing_is_loaded_before_the_first_use(inference):
    made = []

    def factory():
        made.append(ScriptedEmbedder())
        return made[-1]

    embedder = ThreadedEmbedder(factory, inference, Priority.QUESTION)
    assert not made
    embedder.embed(["a"])
    assert made


def test_a_missing_model_is_reported_to_whoever_embeds(inference):
    def factory():
        raise ModelNotInstalled("not here")

    with pytest.raises(ModelNotInstalled, match="not here"):
        ThreadedEmbedder(factory, inference, Priority.QUESTION).embed(["a"])


def test_the_runtime_is_closed_with_the_thread(embedder, scripted, inference):
    embedder.embed(["a"])
    inference.close()
    assert scripted.closed_on == "inference-test"
    with pytest.raises(ModelStopped):
        embedder.embed(["b"])
