import json

import numpy as np
import pytest

from desktop.models.errors import PackRefused
from desktop.models.packs.lora_merge import merge_adapter, read_adapter_config
from desktop.models.safetensors_file import SafetensorsWriter, read_header, read_tensor, to_float32
from tests.models import tiny_colqwen

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    tiny_colqwen.need_engine()
    return tiny_colqwen.build("colqwen2_5", tmp_path_factory.mktemp("base"))


def _tensors(folder):
    path = folder / "model.safetensors"
    return {
        name: to_float32(read_tensor(path, info), info.dtype)
        for name, info in read_header(path).items()
    }


def _adapted(base, folder, **settings):
    """Train nothing: give PEFT's factors random numbers, save the adapter, let PEFT merge."""
    peft = pytest.importorskip("peft")
    import torch
    from colpali_engine.models import ColQwen2_5

    model = ColQwen2_5.from_pretrained(base.folder, dtype=torch.float32)
    chosen = {"r": 4, "lora_alpha": 6, "target_modules": r".*(q_proj|down_proj|custom_text_proj)"}
    adapted = peft.get_peft_model(model, peft.LoraConfig(**{**chosen, **settings}))
    torch.manual_seed(3)
    with torch.no_grad():
        for name, weights in adapted.named_parameters():
            if "lora_" in name:
                weights.normal_(0, 0.2)
    adapted.save_pretrained(folder)
    return {n: w.numpy() for n, w in adapted.merge_and_unload().state_dict().items()}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"use_rslora": True},
        {"rank_pattern": {"q_proj": 2}, "alpha_pattern": {"layers.1.self_attn.q_proj": 3}},
        {"target_modules": r".*q_proj", "modules_to_save": ["custom_text_proj"]},
    ],
    ids=["plain", "rank-stabilised", "own ranks and alphas", "a module saved whole"],
)
def test_a_merged_model_has_the_weights_that_peft_makes(base, tmp_path, settings):
    expected = _adapted(base, tmp_path / "adapter", **settings)
    steps = list(merge_adapter(tmp_path / "adapter", base.folder, tmp_path / "merged"))
    merged = _tensors(tmp_path / "merged")
    assert merged.keys() == expected.keys()
    for name, weights in merged.items():
        np.testing.assert_allclose(weights, expected[name], atol=1e-6, err_msg=name)
    changed = sum(not np.array_equal(merged[n], w) for n, w in _tensors(base.folder).items())
    assert changed > 0
    assert steps[-1].done_bytes == steps[-1].total_bytes
    assert json.loads((tmp_path / "merged/config.json").read_text())["architectures"] == [
        "ColQwen2_5"
    ]
    assert (tmp_path / "merged/tokenizer.json").is_file()


def test_a_base_of_sixteen_bits_stays_one(base, tmp_path):
    _adapted(base, tmp_path / "adapter")
    narrow = tmp_path / "narrow"
    narrow.mkdir()
    for name in ("config.json", "tokenizer.json"):
        (narrow / name).write_bytes((base.folder / name).read_bytes())
    import torch
    from safetensors.torch import load_file, save_file

    tensors = {n: t.bfloat16() for n, t in load_file(base.folder / "model.safetensors").items()}
    # as the first releases called them
    old = {n.replace("language_model.", "model."): t for n, t in tensors.items()}
    save_file(old, narrow / "model.safetensors")
    list(merge_adapter(tmp_path / "adapter", narrow, tmp_path / "merged"))
    headers = read_header(tmp_path / "merged/model.safetensors")
    assert {info.dtype for info in headers.values()} == {"BF16"}
    merged = load_file(tmp_path / "merged/model.safetensors")
    untouched = "language_model.layers.0.self_attn.k_proj.weight"
    assert torch.equal(merged[untouched], tensors[untouched])
    touched = "language_model.layers.0.self_attn.q_proj.weight"
    assert not torch.equal(merged[touched], tensors[touched])


def test_an_adapter_of_another_base_is_refused_and_leaves_nothing(base, tmp_path):
    _adapted(base, tmp_path / "adapter")
    with SafetensorsWriter(
        tmp_path / "adapter/adapter_model.safetensors",
        {
            "base_model.model.language_model.layers.9.self_attn.q_proj.lora_A.weight": (
                "F32",
                (4, 64),
            ),
            "base_model.model.language_model.layers.9.self_attn.q_proj.lora_B.weight": (
                "F32",
                (64, 4),
            ),
        },
    ) as writer:
        writer.write(np.zeros((4, 64), np.float32))
        writer.write(np.zeros((64, 4), np.float32))
    with pytest.raises(PackRefused, match="another base"):
        list(merge_adapter(tmp_path / "adapter", base.folder, tmp_path / "merged"))
    assert not (tmp_path / "merged").exists()


def test_a_merge_that_is_given_up_leaves_nothing(base, tmp_path):
    _adapted(base, tmp_path / "adapter")
    steps = merge_adapter(tmp_path / "adapter", base.folder, tmp_path / "merged")
    next(steps)
    steps.close()
    assert not (tmp_path / "merged").exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [("use_dora", True), ("peft_type", "IA3"), ("layer_replication", [[0, 2]])],
)
def test_other_kinds_of_adapters_are_refused_by_name(tmp_path, field, value):
    config = {"peft_type": "LORA", "lora_alpha": 8, "r": 8, field: value}
    (tmp_path / "adapter_config.json").write_text(json.dumps(config))
    with pytest.raises(PackRefused, match=field):
        read_adapter_config(tmp_path)


def test_a_pickled_adapter_is_refused(base, tmp_path):
    config = {"peft_type": "LORA", "lora_alpha": 8, "base_model_name_or_path": "vidore/base"}
    (tmp_path / "adapter_config.json").write_text(json.dumps(config))
    (tmp_path / "adapter_model.bin").write_bytes(b"\x80\x04")
    assert read_adapter_config(tmp_path).base_model_name_or_path == "vidore/base"
    with pytest.raises(PackRefused, match="adapter_model"):
        list(merge_adapter(tmp_path, base.folder, tmp_path / "merged"))
