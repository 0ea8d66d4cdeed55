"""The built-in text model on onnxruntime: what its vectors are worth, and what is refused."""

import json
import shutil

import numpy as np
import pytest

from desktop.models import text_model
from desktop.models.adapters.e5 import E5, TextReader
from desktop.models.errors import ModelDamaged, ModelNotInstalled

TEXTS = [
    "How do I wire the backup battery?",
    "Connect the standby battery to terminals B+ and B-.",
    "S-130",
    "",
    "Die Heizung nach der Wartung wieder einschalten: Menü 41.",
    "The relay contact J1C is rated 24 V, 5 A. " * 60,
]


def test_a_text_has_the_same_vector_alone_and_among_others(e5):
    together = e5.embed(TEXTS)
    alone = np.concatenate([e5.embed([text]) for text in TEXTS])
    assert np.array_equal(together, alone)


def test_texts_read_side_by_side_have_the_vectors_of_texts_read_in_turn(e5, model_folder):
    beside = E5(model_folder, threads=3, threads_of_question=2)
    assert np.array_equal(beside.embed(TEXTS), e5.embed(TEXTS))
    assert np.array_equal(beside.embed_queries(TEXTS), e5.embed_queries(TEXTS))
    for one, other in zip(beside.embed_tokens(TEXTS), e5.embed_tokens(TEXTS), strict=True):
        assert np.array_equal(one, other)


def test_a_question_is_read_once_for_its_vector_and_its_tokens(e5, model_folder, monkeypatch):
    read = []
    run = TextReader.run

    def counted(reader, texts, threads=0):
        read.extend(texts)
        return run(reader, texts, threads)

    monkeypatch.setattr(TextReader, "run", counted)
    asking = E5(model_folder)
    asking.embed_queries(TEXTS[:1])
    found = asking.embed_tokens(TEXTS[:2])
    assert len(read) == 2
    for one, other in zip(found, e5.embed_tokens(TEXTS[:2]), strict=True):
        assert np.array_equal(one, other)


def test_vectors_are_float32_of_unit_length(e5):
    vectors = e5.embed(TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), e5.dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How is the backup battery wired?", 0),
        ("Wie wird die Pufferbatterie angeschlossen?", 0),
        ("Comment câbler la batterie de secours ?", 0),
        ("How do I erase stored faults?", 2),
        ("Wie lösche ich den Fehlerspeicher?", 2),
        ("¿Con qué par se aprietan los tornillos de los bornes?", 1),
    ],
)
def test_a_question_is_nearest_to_the_text_that_answers_it_in_any_language(e5, question, answer):
    texts = [
        "Connect the standby battery to terminals B+ and B-.",
        "Tighten the terminal screws with 1.2 Nm.",
        "Press RESET for five seconds to clear the fault memory.",
        "The housing is made of aluminium.",
    ]
    assert int((e5.embed(texts) @ e5.embed_queries([question])[0]).argmax()) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How tight should the terminals be screwed down?", 1),
        ("Mit welchem Drehmoment zieht man die Klemmen fest?", 1),
        ("how do i get rid of the stored faults", 2),
        ("Which wire size fits the terminals?", 3),
    ],
)
def test_the_place_that_answers_has_the_best_odds_in_any_language(e5, question, answer):
    texts = [
        "Connect the standby battery to terminals B+ and B-.",
        "Tighten the terminal screws with 1.2 Nm.",
        "Press RESET for five seconds to clear the fault memory.",
        "The terminal block accepts wires of up to 2.5 mm².",
    ]
    odds = e5.rerank(question, texts)
    assert int(odds.argmax()) == answer
    assert odds[answer] - np.delete(odds, answer).max() > 1
    assert np.array_equal(odds, np.concatenate([e5.rerank(question, [text]) for text in texts]))
    assert e5.rerank(question, []).shape == (0,)


def test_a_long_text_is_cut_at_its_end(e5):
    words = ["pump"] * 2_000
    long = e5.embed([" ".join(words)])
    assert np.array_equal(long, e5.embed([" ".join([*words[:-1], "battery"])]))
    assert not np.array_equal(long, e5.embed([" ".join(["battery", *words[1:]])]))


def test_no_texts_give_no_vectors(e5):
    assert e5.embed([]).shape == (0, e5.dimension)
    assert e5.embed_tokens([]) == []


def test_every_token_gets_a_vector_and_a_place_in_its_text(e5):
    text = "Menu 41: backup battery"
    (tokens,), (spans,) = e5.embed_tokens([text]), e5.token_spans([text])
    assert len(tokens) == len(spans)
    assert np.allclose(np.linalg.norm(tokens, axis=1), 1, atol=1e-5)
    assert (
        "".join(text[first:last] for first, last in spans).replace(" ", "")
        == "Menu41:backupbattery"
    )
    (empty,) = e5.embed_tokens([""])
    assert empty.shape == (0, e5.dimension)


def test_the_files_are_checked_when_it_loads(model_folder, tmp_path):
    copy = tmp_path / "model"
    shutil.copytree(model_folder, copy)
    with (copy / text_model.TOKENIZER).open("r+b") as file:
        file.seek(1_000)
        file.write(b"\x00")
    with pytest.raises(ModelDamaged, match=r"tokenizer\.model"):
        E5(copy).embed(["hello"])


def test_a_model_made_of_another_source_is_refused(model_folder, tmp_path):
    for name in (*text_model.INSTALLED, text_model.MANIFEST):
        (tmp_path / name).symlink_to(model_folder / name)
    manifest = json.loads((model_folder / text_model.MANIFEST).read_text())
    manifest["made_of"][text_model.ADAPTER] = "0" * 64
    (tmp_path / text_model.MANIFEST).unlink()
    (tmp_path / text_model.MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(ModelDamaged, match="different version"):
        text_model.check(tmp_path)


def test_a_missing_model_is_not_installed(tmp_path):
    with pytest.raises(ModelNotInstalled):
        text_model.check(tmp_path)
