"""Configurations and names that other programs and years wrote give the same vectors."""

import importlib
import json

import pytest

from desktop.models.adapters import colqwen_mlx, colqwen_torch
from desktop.models.adapters.colqwen_config import canonical_name
from desktop.models.errors import ModelDamaged, ModelNotSupported
from tests.fakes.allowance import GenerousAllowance
from tests.models import tiny_colqwen
from tests.models.tiny_colqwen import (
    assert_same,
    copied,
    loaded,
    picture,
    with_weights,
)

pytestmark = pytest.mark.models

LARGE, SMALL = picture(420, 300), picture(110, 80, 1)
QUESTIONS = ["How do I wire the backup battery?", "short"]
LOADERS = {"torch": colqwen_torch.load, "mlx": colqwen_mlx.load}


@pytest.fixture(scope="session")
def tiny25(tmp_path_factory):
    tiny_colqwen.need_engine()
    return tiny_colqwen.build("colqwen2_5", tmp_path_factory.mktemp("layouts25"))


@pytest.fixture(scope="session", params=LOADERS)
def loader(request):
    pytest.importorskip({"torch": "torch", "mlx": "mlx.core"}[request.param])
    return LOADERS[request.param]


def test_a_name_of_another_model_is_refused():
    with pytest.raises(ValueError, match="no weight of a ColQwen"):
        canonical_name("encoder.block.0.weight")


@pytest.mark.parametrize(
    "rename",
    [
        lambda n: n.replace("language_model.", "model."),
        lambda n: n if n.startswith("custom") else f"model.{n}",
        lambda n: (
            n.replace("custom_text_proj", "embedding_proj_layer")
            if n.startswith("custom")
            else f"vlm.model.{n}"
        ),
        lambda n: n.replace("language_model.", "language_model.model.").replace(
            "visual.", "vision_tower."
        ),
        lambda n: f"base_model.model.{n}",
    ],
    ids=["first ColQwen", "Qwen-VL", "transformers", "mlx_vlm", "PEFT"],
)
def test_names_of_every_generation_are_known(tiny25, loader, tmp_path, rename):
    def change(tensors):
        for name in list(tensors):
            tensors[rename(name)] = tensors.pop(name)
        tensors["lm_head.weight"] = tensors[rename("language_model.embed_tokens.weight")] * 1

    folder = with_weights(tiny25.folder, tmp_path / "model", change)
    embedder, _ = loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())
    assert_same([p.vectors for p in embedder.embed_pages([SMALL])], tiny25.pages([SMALL]))


@pytest.mark.parametrize("family", tiny_colqwen.FAMILIES)
def test_a_patch_convolution_with_colours_last_is_turned(family, loader, tmp_path):
    def turn(tensors):
        name = next(name for name in tensors if name.endswith("patch_embed.proj.weight"))
        tensors[name] = tensors[name].permute(0, 2, 3, 4, 1).contiguous()

    tiny = tiny_colqwen.build(family, tmp_path / "original")
    folder = with_weights(tiny.folder, tmp_path / "model", turn)
    embedder, _ = loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())
    assert_same([p.vectors for p in embedder.embed_pages([SMALL])], tiny.pages([SMALL]))


def test_the_flat_configuration_of_older_models_is_understood(tiny25, loader, tmp_path):
    def flatten(config):
        text = config.pop("text_config")
        rope = text.pop("rope_parameters")
        config.update({k: v for k, v in text.items() if k != "model_type"})
        config["rope_theta"] = rope["rope_theta"]
        config["rope_scaling"] = {"type": "mrope", "mrope_section": rope["mrope_section"]}

    tiny_colqwen.rewrite_config(tiny25.folder, tmp_path / "model", flatten)
    installed = tiny_colqwen.installed(tmp_path / "model")
    embedder, _ = loaded(loader, installed, GenerousAllowance())
    assert_same([p.vectors for p in embedder.embed_pages([LARGE])], tiny25.pages([LARGE]))


def test_weights_in_several_files_are_read_through_their_index(tiny25, loader, tmp_path):
    from safetensors.torch import load_file, save_file

    folder = copied(tiny25.folder, tmp_path / "model")
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(tensors)
    index = {}
    for part, chosen in (("a.safetensors", names[::2]), ("b.safetensors", names[1::2])):
        save_file({name: tensors[name] for name in chosen}, folder / part)
        index.update(dict.fromkeys(chosen, part))
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": index}))
    embedder, _ = loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())
    assert_same(embedder.embed_queries(QUESTIONS), tiny25.queries(QUESTIONS))
    (folder / "b.safetensors").unlink()
    with pytest.raises(ModelDamaged, match=r"b\.safetensors is missing"):
        loaded(loader, tiny_colqwen.installed(folder), GenerousAllowance())


def test_sixteen_bit_weights_are_widened_where_that_is_fast(tiny25, loader, tmp_path):
    def narrow(tensors):
        tensors.update({name: tensor.bfloat16() for name, tensor in tensors.items()})

    folder = with_weights(tiny25.folder, tmp_path / "model", narrow)
    allowance = GenerousAllowance()
    embedder, _ = loaded(loader, tiny_colqwen.installed(folder), allowance)
    (vectors,) = embedder.embed_queries(["short"])
    cosines = (vectors * tiny25.queries(["short"])[0]).sum(axis=1)
    assert cosines.min() > 0.99  # the weights themselves were rounded


def test_a_quantised_mlx_model_runs_in_mlx_alone(tiny25, tmp_path):
    nn = pytest.importorskip("mlx.nn")
    import mlx.core as mx

    tree_flatten = importlib.import_module("mlx.utils").tree_flatten

    original, _ = loaded(colqwen_mlx.load, tiny25.installed, GenerousAllowance())
    parts = original._runtime._model.parts
    nn.quantize(
        parts,
        group_size=32,
        bits=8,
        class_predicate=lambda path, m: (
            path.startswith("language_model") and hasattr(m, "to_quantized")
        ),
    )

    def quantised(config):
        config["quantization"] = {"group_size": 32, "bits": 8}

    tiny_colqwen.rewrite_config(tiny25.folder, tmp_path / "model", quantised)
    (tmp_path / "model/model.safetensors").unlink()
    packed = {
        name.replace("patch_embed.", "patch_embed.proj."): array
        for name, array in tree_flatten(parts.parameters())
    }
    patch = packed["visual.patch_embed.proj.weight"]
    packed["visual.patch_embed.proj.weight"] = patch.reshape(-1, 3, 2, 14, 14).transpose(
        0, 2, 3, 4, 1
    )
    mx.save_safetensors(str(tmp_path / "model/model.safetensors"), packed)
    installed = tiny_colqwen.installed(tmp_path / "model")
    embedder, _ = loaded(colqwen_mlx.load, installed, GenerousAllowance())
    (found,) = embedder.embed_pages([SMALL])
    cosines = (found.vectors * tiny25.pages([SMALL])[0]).sum(axis=1)
    assert cosines.min() > 0.98
    with pytest.raises(ModelNotSupported, match="quantised"):
        loaded(colqwen_torch.load, installed, GenerousAllowance())
