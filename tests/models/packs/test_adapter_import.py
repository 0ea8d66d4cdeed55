"""Importing a LoRA adapter together with the model it changes."""

import json
import os

import numpy as np
import pytest
from safetensors.numpy import save_file

from desktop.models.catalogue import Catalogue
from desktop.models.errors import PackRefused
from desktop.models.packs.model_folder import ModelFolder
from desktop.models.packs.operations import import_pack, verify
from desktop.models.packs.pack_events import PackDone, PackProgress
from desktop.models.safetensors_file import read_header
from tests.models import tiny_colqwen

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    tiny_colqwen.need_engine()
    folder = tiny_colqwen.build("colqwen2_5", tmp_path_factory.mktemp("base")).folder
    (folder / "README.md").write_text("---\nlicense: qwen-research\n---\n")
    return folder


@pytest.fixture
def adapter(base, tmp_path):
    """An adapter that changes the projection."""
    shape = read_header(base / "model.safetensors")["custom_text_proj.weight"].shape
    folder = tmp_path / "colqwen-ours"
    folder.mkdir()
    ones = np.ones((2, shape[1]), np.float32), np.ones((shape[0], 2), np.float32)
    names = (f"base_model.model.custom_text_proj.lora_{side}.weight" for side in "AB")
    save_file(dict(zip(names, ones, strict=True)), folder / "adapter_model.safetensors")
    config = {"peft_type": "LORA", "lora_alpha": 2, "r": 2}
    (folder / "adapter_config.json").write_text(json.dumps(config))
    (folder / "README.md").write_text("---\nlicense: mit\n---\n")
    (folder / "training_args.bin").write_bytes(b"x")
    return folder


@pytest.fixture
def folder(tmp_path):
    return ModelFolder(tmp_path / "models")


def test_an_adapter_is_installed_merged_with_its_base(adapter, base, folder):
    events = list(import_pack(adapter, folder, Catalogue.load(), base=base))
    done = events[-1]
    assert isinstance(done, PackDone)
    assert (done.model.id, done.model.role, done.model.family) == (
        "colqwen-ours",
        "pages",
        "colqwen2_5",
    )
    assert done.left_out == ("training_args.bin",)
    assert "merging" in {event.stage for event in events if isinstance(event, PackProgress)}
    manifest = folder.manifest("colqwen-ours")
    assert manifest.licence == "mit (base: qwen-research)"
    assert manifest.title == "colqwen-ours"
    assert not any(isinstance(e, PackProgress) for e in list(verify(done.model.id, folder))[-1:])
    assert sorted(os.listdir(folder.root)) == [".lock", "colqwen-ours"]


def test_a_cancelled_merge_leaves_nothing(adapter, base, folder):
    events = import_pack(adapter, folder, Catalogue.load(), base=base, cancelled=lambda: True)
    assert not any(isinstance(event, PackDone) for event in events)
    assert os.listdir(folder.root) == [".lock"]


def test_a_base_that_is_cut_off_is_refused_with_the_file(adapter, base, folder, tmp_path):
    broken = tmp_path / "broken"
    broken.mkdir()
    for file in base.iterdir():
        data = file.read_bytes()
        (broken / file.name).write_bytes(data[:-9] if file.suffix == ".safetensors" else data)
    with pytest.raises(PackRefused, match=r"model\.safetensors is cut off"):
        list(import_pack(adapter, folder, Catalogue.load(), base=broken))
    assert os.listdir(folder.root) == [".lock"]


def test_a_model_that_is_no_adapter_needs_no_base(base, folder):
    with pytest.raises(PackRefused, match="not a LoRA adapter"):
        list(import_pack(base, folder, Catalogue.load(), base=base))
