from pathlib import Path

import numpy as np
import pytest

from desktop.models import minilm_files
from desktop.models.adapters.text.minilm_numpy import MiniLmNumpy
from desktop.models.errors import ModelDamaged, ModelNotInstalled
from tests.models.texts import REFERENCE_TEXTS

HERE = Path(__file__).parent
TAUGHT = np.load(HERE / "taught_minilm.npy")
PUBLISHED = np.load(HERE / "published_minilm.npy")


def test_vectors_equal_those_that_torch_makes_of_model_and_adapter(minilm):
    assert np.abs(minilm.embed(REFERENCE_TEXTS) - TAUGHT).max() < 1e-5


def test_the_adapter_changes_what_the_published_model_says(minilm):
    assert (minilm.embed(REFERENCE_TEXTS) * PUBLISHED).sum(axis=1).max() < 0.99


def test_an_adapter_that_is_not_ours_is_refused(model_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(minilm_files, "adapter_folder", lambda: tmp_path)
    with pytest.raises(ModelNotInstalled):
        MiniLmNumpy(model_folder).embed(["relay"])
    (tmp_path / minilm_files.ADAPTER).write_bytes(b"something else")
    with pytest.raises(ModelDamaged):
        MiniLmNumpy(model_folder).embed(["relay"])


def test_a_text_has_the_same_vector_alone_and_among_others(minilm):
    together = minilm.embed(REFERENCE_TEXTS)
    alone = np.concatenate([minilm.embed([text]) for text in REFERENCE_TEXTS])
    assert np.abs(together - alone).max() < 2e-6


def test_the_same_text_always_has_the_same_vector(minilm):
    first, second = minilm.embed(["Menu 41"]), minilm.embed(["Menu 41"])
    assert np.array_equal(first, second)


def test_vectors_are_float32_of_unit_length(minilm):
    vectors = minilm.embed(REFERENCE_TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(REFERENCE_TEXTS), minilm.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_a_question_is_nearest_to_the_text_that_answers_it(minilm):
    texts = [
        "Connect the red lead of the standby battery to the terminal marked B+.",
        "The warranty ends two years after delivery.",
        "Hold the reset key for five seconds to clear the fault memory.",
    ]
    questions = minilm.embed(["How is the backup battery wired?", "How do I erase stored faults?"])
    assert (questions @ minilm.embed(texts).T).argmax(axis=1).tolist() == [0, 2]


def test_a_long_text_is_cut_at_its_end(minilm):
    words = [f"word{number}" for number in range(2_000)]
    long = minilm.embed([" ".join(words)])
    changed_end = minilm.embed([" ".join([*words[:-1], "battery"])])
    assert np.array_equal(long, changed_end)


def test_a_pasted_book_is_embedded_by_its_beginning(minilm):
    book, beginning = minilm.embed(["relay " * 5_000_000, "relay " * 1_000])
    assert np.abs(book - beginning).max() < 2e-6


def test_no_texts_give_no_vectors(minilm):
    assert minilm.embed([]).shape == (0, minilm.dimension)
    assert minilm.embed_tokens([]) == []


def test_every_token_of_a_text_gets_a_vector_of_unit_length(minilm):
    battery, empty = minilm.embed_tokens(["backup battery", ""])
    assert battery.shape == (2, minilm.dimension)
    assert np.linalg.norm(battery, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert empty.shape == (0, minilm.dimension)


def test_tokens_do_not_depend_on_the_neighbours_in_a_batch(minilm):
    (alone,) = minilm.embed_tokens(["relay contact J1C"])
    _, among = minilm.embed_tokens(
        ["a much longer text about something else " * 5, "relay contact J1C"]
    )
    assert np.abs(alone - among).max() < 2e-6
