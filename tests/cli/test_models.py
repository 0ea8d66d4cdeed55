"""`groundwork models` as a person uses it: what is printed and how it ends."""

from __future__ import annotations

import json
import os
import signal

import pytest

from desktop.cli import main
from desktop.models.catalogue import Catalogue, CatalogueEntry
from desktop.models.packs import operations as packs
from desktop.models.packs.model_folder import ModelFolder
from desktop.models.packs.operations import import_pack
from tests.fakes.hub import FakeHub
from tests.fakes.model_files import model_files, shard, write_model

KNOWN = "qwen3-4b-instruct-2507-4bit"


@pytest.fixture(autouse=True)
def own_models(tmp_path, monkeypatch):
    monkeypatch.setenv("GROUNDWORK_MODELS", str(tmp_path / "models"))


@pytest.fixture
def stick(tmp_path):
    return write_model(tmp_path / "stick" / "Tiny-Qwen")


def models(*arguments):
    return main(["models", *map(str, arguments)])


def test_with_nothing_installed_the_list_says_what_to_do(capsys, tmp_path):
    assert models("list") == 0
    out = capsys.readouterr().out
    assert "No model is installed" in out
    assert "groundwork models import FOLDER_OR_ZIP" in out
    assert "groundwork models download ID" in out
    for entry in Catalogue.load().entries:
        assert entry.id in out
    assert not (tmp_path / "models").exists()


def test_the_list_fits_a_terminal_of_a_hundred_columns(capsys, stick):
    models("import", stick)
    capsys.readouterr()
    models("list")
    table = capsys.readouterr().out.split("\n\n")[0]
    assert max(map(len, table.splitlines())) <= 100
    assert "…" not in table


def test_without_a_command_the_models_are_listed(capsys):
    assert models() == 0
    assert "not installed" in capsys.readouterr().out


def test_an_imported_model_is_listed_verified_and_removed(capsys, stick):
    assert models("import", stick) == 0
    out = capsys.readouterr().out
    assert "+ tiny-qwen: installed, language model" in out
    assert "licence: apache-2.0" in out

    models("list", "--json")
    listed = json.loads(capsys.readouterr().out)["models"]
    assert (listed[0]["id"], listed[0]["role"]) == ("tiny-qwen", "language")
    assert listed[0]["state"] in ("installed", "cannot run here")

    assert models("verify") == 0
    assert "+ tiny-qwen: all files are unchanged" in capsys.readouterr().out
    assert models("remove", "tiny-qwen") == 0
    assert models("remove", "tiny-qwen") == 1
    assert "There is no model tiny-qwen" in capsys.readouterr().err


def test_what_is_left_out_and_an_unknown_licence_are_said(capsys, tmp_path):
    files = {**model_files(README__md=None), "modeling.py": b"1/0"}
    models("import", write_model(tmp_path / "m", files))
    out = capsys.readouterr().out
    assert "left out, because code and pickles are never accepted: modeling.py" in out
    assert "licence: unknown" in out


def test_a_refused_import_is_one_sentence_and_ends_with_one(capsys, stick):
    (stick / "model-00001-of-00002.safetensors").write_bytes(b"12345678")
    assert models("import", stick) == 1
    err = capsys.readouterr().err
    assert err.startswith("groundwork: model-00001-of-00002.safetensors ")
    assert err.count("\n") == 1


def test_a_damaged_model_is_named_by_verify_and_by_the_list(capsys, stick, tmp_path):
    models("import", stick)
    victim = tmp_path / "models" / "tiny-qwen" / "model-00002-of-00002.safetensors"
    victim.write_bytes(victim.read_bytes()[:-1] + b"!")
    capsys.readouterr()
    assert models("verify", "tiny-qwen") == 1
    assert f"x tiny-qwen: {victim.name} is damaged" in capsys.readouterr().out
    models("list")
    out = capsys.readouterr().out
    assert "damaged" in out
    assert f"tiny-qwen: {victim.name} is damaged" in out
    assert models("pack", "tiny-qwen", tmp_path / "out.zip") == 1
    assert victim.name in capsys.readouterr().err


def test_verifying_a_model_that_is_not_there_ends_with_one(capsys):
    assert models("verify", "nothing") == 1
    assert "There is no model nothing" in capsys.readouterr().err
    assert models("verify") == 1
    assert "no model is installed" in capsys.readouterr().err


def test_a_pack_can_be_imported_under_another_id(capsys, stick, tmp_path):
    models("import", stick)
    assert models("pack", "tiny-qwen", tmp_path / "out.zip") == 0
    assert "groundwork models import out.zip" in capsys.readouterr().out
    assert models("import", tmp_path / "out.zip", "--id", "copy") == 0
    assert {model.id for model in ModelFolder().installed()} == {"copy", "tiny-qwen"}


def test_what_a_killed_import_left_behind_goes_at_the_next_command(tmp_path):
    left = tmp_path / "models" / ".importing-0123"
    left.mkdir(parents=True)
    (left / "model.safetensors").write_bytes(b"half")
    models("list")
    assert not left.exists()


@pytest.fixture
def hub(monkeypatch):
    """A hub on this machine that has the catalogue's first model, a small one."""
    repository = Catalogue.load().entries[0].repository
    files = model_files(
        config__json={"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"]},
        **{"model-00001-of-00002__safetensors": shard("a", 300_000)},
    )
    monkeypatch.setattr(CatalogueEntry, "disk_bytes", 1_300_000)
    with FakeHub(repository, files) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        yield running


def test_a_download_says_what_it_is_and_does_nothing_without_consent(capsys, hub, monkeypatch):
    assert models("download", KNOWN) == 1
    err = capsys.readouterr().err
    for said in (hub.url, "1.3 MB", "Apache-2.0", "--yes"):
        assert said in err
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("typer.confirm", lambda *_, **__: False)
    assert models("download", KNOWN) == 1
    assert "Nothing was downloaded" in capsys.readouterr().err
    assert hub.requests == []


def test_a_download_with_consent_is_installed(capsys, hub):
    assert models("download", KNOWN, "--yes") == 0
    assert f"+ {KNOWN}: installed, language model" in capsys.readouterr().out
    assert [model.id for model in ModelFolder().installed()] == [KNOWN]
    asked = len(hub.requests)
    assert models("download", KNOWN, "--yes") == 1
    assert "already installed" in capsys.readouterr().err
    assert len(hub.requests) == asked


def test_only_models_of_the_catalogue_are_downloaded(capsys, hub):
    assert models("download", "someone/else", "--yes") == 2
    assert KNOWN in capsys.readouterr().err
    assert hub.requests == []


def test_a_broken_download_is_listed_goes_on_and_can_be_given_up(capsys, hub):
    hub.altered = {"model-00001-of-00002.safetensors"}
    assert models("download", KNOWN, "--yes") == 1
    assert "arrived damaged" in capsys.readouterr().err
    models("list")
    assert "arrived" in capsys.readouterr().out
    assert models("remove", KNOWN) == 0
    models("list")
    assert "arrived" not in capsys.readouterr().out


def test_nothing_but_a_download_asks_the_hub(capsys, hub, stick, tmp_path):
    models("import", stick)
    models("list")
    models("verify")
    models("pack", "tiny-qwen", tmp_path / "pack")
    models("remove", "tiny-qwen")
    assert hub.requests == []


def test_ctrl_c_during_an_import_keeps_nothing_and_ends_with_130(capsys, stick, monkeypatch):
    def interrupted(*arguments, **options):
        events = import_pack(*arguments, **options)
        yield next(events)
        os.kill(os.getpid(), signal.SIGINT)
        yield from events

    monkeypatch.setattr(packs, "import_pack", interrupted)
    assert models("import", stick) == 130
    assert "None of it was kept" in capsys.readouterr().err
    assert ModelFolder().installed() == []
