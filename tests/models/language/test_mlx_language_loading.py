"""Loading a language model in steps; what is wrong with its files is named."""

import json
import shutil
from typing import Any

import pytest

from desktop.models.errors import ModelDamaged, ModelNotSupported
from desktop.models.generation import Sampling
from tests.models import tiny_language
from tests.models.tiny_language import DECISION, ask, end_of, text_of

pytestmark = pytest.mark.models


def test_loading_tells_how_far_it_is(tiny_language_models, allowance):
    from desktop.models.adapters.mlx_language import load

    fractions = list(load(tiny_language_models["qwen3"], allowance))
    assert fractions == sorted(fractions)
    assert fractions[0] == 0.0
    assert fractions[-1] <= 1.0


def test_a_loading_that_is_given_up_frees_its_memory(tiny_language_models, allowance):
    import gc

    import mlx.core as mx

    from desktop.models.adapters.mlx_language import load

    gc.collect()
    before = mx.get_active_memory()
    loading = load(tiny_language_models["gpt_oss"], allowance)
    for fraction in loading:
        if fraction > 0.5:
            break
    assert mx.get_active_memory() > before
    loading.close()
    assert mx.get_active_memory() == before


def test_a_closed_model_frees_its_memory(tiny_language_models, allowance):
    import gc

    import mlx.core as mx

    gc.collect()
    before = mx.get_active_memory()
    model = tiny_language.loaded(tiny_language_models["gpt_oss"], allowance)
    list(model.generate(ask("Where?", schema=DECISION, max_tokens=20)))
    assert model.weight_bytes() > 0
    model.close()
    del model
    gc.collect()
    # what chance is made of stays
    assert mx.get_active_memory() <= before + 64


@pytest.fixture
def broken(tiny_language_models, tmp_path):
    """A copy of a model that a test may break."""
    folder = tmp_path / "broken"
    shutil.copytree(tiny_language_models["qwen3"].folder, folder)
    return folder


def test_a_weight_file_that_was_cut_off_is_named(broken, allowance):
    path = broken / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(ModelDamaged, match=r"model\.safetensors"):
        tiny_language.loaded(tiny_language.installed(broken), allowance)


def test_missing_weights_are_damage(broken, allowance):
    import mlx.core as mx

    path = broken / "model.safetensors"
    weights: Any = mx.load(str(path))
    weights.pop("model.layers.1.mlp.up_proj.weight")
    mx.eval(weights)
    mx.save_safetensors(str(path), weights)
    with pytest.raises(ModelDamaged, match="up_proj"):
        tiny_language.loaded(tiny_language.installed(broken), allowance)


def test_no_weights_are_damage(broken, allowance):
    (broken / "model.safetensors").unlink()
    with pytest.raises(ModelDamaged, match="no weights"):
        tiny_language.loaded(tiny_language.installed(broken), allowance)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}"])
def test_a_broken_description_is_damage(broken, allowance, name, content):
    (broken / name).write_bytes(content)
    with pytest.raises(ModelDamaged):
        tiny_language.loaded(tiny_language.installed(broken), allowance)


def test_a_config_that_lacks_a_size_is_damage(broken, allowance):
    config = json.loads((broken / "config.json").read_text())
    del config["hidden_size"]
    (broken / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelDamaged, match="hidden_size"):
        tiny_language.loaded(tiny_language.installed(broken), allowance)


@pytest.mark.parametrize("change", [{"model_type": "eliza"}, {"model_file": "model.py"}])
def test_an_unknown_kind_or_one_with_program_code_is_not_supported(broken, allowance, change):
    config = json.loads((broken / "config.json").read_text())
    (broken / "config.json").write_text(json.dumps({**config, **change}))
    with pytest.raises(ModelNotSupported):
        tiny_language.loaded(tiny_language.installed(broken), allowance)


def test_a_quantised_model_loads_and_answers(tiny_language_models, tmp_path, allowance):
    import mlx.core as mx
    import mlx.nn as nn
    from mlx.utils import tree_flatten
    from mlx_lm.utils import load_model

    folder = tmp_path / "quantised"
    tiny_language.write_tiny_model("qwen3", folder, hidden_size=64, intermediate_size=64)
    network, config = load_model(folder)
    nn.quantize(network, group_size=32, bits=4)  # type: ignore[attr-defined] # a star import
    mx.eval(network.parameters())
    mx.save_safetensors(str(folder / "model.safetensors"), dict(tree_flatten(network.parameters())))
    config["quantization"] = {"group_size": 32, "bits": 4}
    (folder / "config.json").write_text(json.dumps(config))
    model = tiny_language.loaded(tiny_language.installed(folder), allowance)
    assert text_of(model.generate(ask("Where?")))
    model.close()


def test_end_tokens_of_the_generation_config_end_the_answer(broken, allowance):
    model = tiny_language.loaded(tiny_language.installed(broken), allowance)
    parts = list(model.generate(ask("Where?", sampling=Sampling())))
    tokens = model._kept._kept[-1].tokens[end_of(parts).usage.prompt_tokens :]
    model.close()
    (broken / "generation_config.json").write_text(json.dumps({"eos_token_id": [tokens[0], 3]}))
    model = tiny_language.loaded(tiny_language.installed(broken), allowance)
    parts = list(model.generate(ask("Where?", sampling=Sampling())))
    assert end_of(parts).reason == "stop"
    assert text_of(parts) == ""
    model.close()
