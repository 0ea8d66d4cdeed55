"""Text models through MLX against the same random weights in torch."""

import importlib.util
import json
from typing import Any

import numpy as np
import pytest

from desktop.models.adapters import mlx_text_embedder
from desktop.models.adapters.mlx_text_embedder import LONGEST_TEXT, read_config
from desktop.models.errors import ModelDamaged, ModelNotSupported, ModelOutOfBudget
from tests.fakes.allowance import GenerousAllowance
from tests.models import tiny_text_models as tiny

TEXTS = [
    "How do I wire the backup battery?",
    "Connect the standby battery to terminals B+ and B-.",
    "S-130",
    "",
    "Die Heizung nach der Wartung wieder einschalten: Menü 41.",
    "relay contact is rated 24 v, 5 a. " * 6,
]

pytestmark = pytest.mark.models

KINDS = ["nomic", "nomic as published", "qwen3", "gemma3"]
QWEN_QUERY = (
    "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
)
PREFIXES = {
    "nomic": ("search_query: ", "search_document: "),
    "nomic as published": ("search_query: ", "search_document: "),
    "qwen3": (QWEN_QUERY, ""),
    "gemma3": ("task: search result | query: ", "title: none | text: "),
}


def make(kind, folder):
    for runtime in ("mlx_vlm", "torch"):
        if importlib.util.find_spec(runtime) is None:
            pytest.skip(f"{runtime} is not installed")
    model = getattr(tiny, f"tiny_{kind.split()[0]}")(folder)
    if kind == "nomic as published":
        tiny.as_published_by_nomic(folder)
    return model


@pytest.fixture(scope="module", params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def model(kind, tmp_path_factory):
    return make(kind, tmp_path_factory.mktemp("text"))


@pytest.fixture(scope="module")
def embedder(model):
    opened = load(model)
    yield opened
    opened.close()


@pytest.fixture
def nomic(tmp_path):
    return make("nomic", tmp_path / "nomic")


def load(model, allowance=None):
    """Load to the end."""
    loader = mlx_text_embedder.load(model.installed(), allowance or GenerousAllowance())
    try:
        while True:
            next(loader)
    except StopIteration as end:
        return end.value


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def expected(model, kind, prefix, texts):
    """The vectors that torch makes of each text alone."""
    states = [model.states(prefix + text) for text in texts]
    pooled = [each[-1] if kind == "qwen3" else each.mean(axis=0) for each in states]
    return unit(np.stack(pooled) @ (np.eye(tiny.SIZE) if model.last is None else model.last))


def test_passages_have_the_vectors_that_torch_makes(model, kind, embedder):
    vectors = embedder.embed(TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), embedder.dimension) == (len(TEXTS), tiny.SIZE)
    assert np.abs(vectors - expected(model, kind, PREFIXES[kind][1], TEXTS)).max() < 1e-5


def test_questions_are_read_with_the_prefix_for_questions(model, kind, embedder):
    vectors = embedder.embed_queries(TEXTS)
    assert np.abs(vectors - expected(model, kind, PREFIXES[kind][0], TEXTS)).max() < 1e-5


def test_a_vector_does_not_depend_on_the_texts_beside_it(embedder):
    together = embedder.embed(TEXTS)
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    assert np.abs(together - alone).max() < 1e-5


def test_nothing_to_embed_gives_nothing(embedder):
    assert embedder.embed([]).shape == (0, tiny.SIZE)
    assert embedder.embed_queries([]).shape == (0, tiny.SIZE)


def test_a_text_that_is_too_long_is_cut_at_its_end(kind, embedder):
    words = "relay " * 2_000
    assert np.abs(embedder.embed([words]) - embedder.embed([words + "battery"])).max() == 0
    assert np.abs(embedder.embed([words]) - embedder.embed(["battery " + words])).max() > 1e-4


def test_a_model_says_its_name_and_holds_no_cache(embedder):
    assert embedder.model_id == "tiny@r1"
    assert embedder.cache_bytes() == 0
    embedder.drop_caches()


def test_loading_tells_how_far_it_is(model):
    loader = mlx_text_embedder.load(model.installed(), GenerousAllowance())
    fractions = list(loader)
    assert fractions == sorted(fractions)
    assert 0 <= fractions[0] < 0.2
    assert fractions[-1] == pytest.approx(1.0)


def test_little_room_makes_small_batches_and_the_same_vectors(nomic):
    little, plenty = GenerousAllowance(free=1 << 20), GenerousAllowance()
    vectors = load(nomic, little).embed(TEXTS)
    at_once = load(nomic, plenty).embed(TEXTS)
    assert len(plenty.admits) == 1
    assert len(little.admits) > 1
    assert max(needed for needed, _ in little.admits) <= 1 << 20
    assert np.abs(vectors - at_once).max() < 1e-5


def test_without_room_for_one_text_it_says_so(nomic):
    with pytest.raises(ModelOutOfBudget, match="1 text"):
        load(nomic, GenerousAllowance(refuse=True)).embed(["relay"])


def test_closing_the_loader_half_way_gives_the_memory_back(nomic):
    import mlx.core as mx

    before = mx.get_active_memory()
    loader = mlx_text_embedder.load(nomic.installed(), GenerousAllowance())
    while next(loader) < 0.5:
        pass
    loader.close()
    assert mx.get_active_memory() == before


def test_closing_a_model_gives_the_memory_back(nomic):
    import mlx.core as mx

    before = mx.get_active_memory()
    opened = load(nomic)
    opened.embed(["relay"])
    assert mx.get_active_memory() > before
    opened.close()
    assert mx.get_active_memory() == before


@pytest.mark.parametrize("mode", ["cls_token", "mean_tokens", "lasttoken"])
def test_the_pooling_is_the_one_that_the_model_asks_for(nomic, mode):
    tiny.set_pooling(nomic.folder, mode)
    states = nomic.states("search_document: relay contact")
    wanted = {"cls_token": states[0], "mean_tokens": states.mean(axis=0), "lasttoken": states[-1]}
    (vector,) = load(nomic).embed(["relay contact"])
    assert np.abs(vector - unit(wanted[mode])).max() < 1e-5


@pytest.mark.parametrize("passage_name", ["document", "passage"])
def test_prompts_written_in_the_model_are_used(nomic, passage_name):
    prompts = {"query": "search query: ", passage_name: "document: "}
    (nomic.folder / "config_sentence_transformers.json").write_text(
        json.dumps({"prompts": prompts})
    )
    opened = load(nomic)
    assert np.abs(opened.embed(TEXTS) - expected(nomic, "nomic", "document: ", TEXTS)).max() < 1e-5
    asked = opened.embed_queries(TEXTS)
    assert np.abs(asked - expected(nomic, "nomic", "search query: ", TEXTS)).max() < 1e-5


def test_a_quantised_model_is_read_as_mlx_wrote_it(tmp_path):
    model = make("qwen3", tmp_path / "qwen3")
    whole = load(model).embed(TEXTS)
    _quantise(model.folder)
    vectors = load(model).embed(TEXTS)
    assert (whole * vectors).sum(axis=1).min() > 0.99


def _quantise(folder):
    """As `mlx_lm.convert -q` writes it."""
    import mlx.core as mx

    file = folder / "model.safetensors"
    tensors: Any = mx.load(str(file))
    quantised: dict[str, Any] = {}
    for name, tensor in tensors.items():
        if tensor.ndim == 2:
            weight, scales, biases = mx.quantize(tensor, group_size=32, bits=8)
            base = name.removesuffix(".weight")
            quantised |= {name: weight, f"{base}.scales": scales, f"{base}.biases": biases}
        else:
            quantised[name] = tensor
    mx.eval(quantised)
    file.unlink()
    mx.save_safetensors(str(file), quantised)
    config = json.loads((folder / "config.json").read_text())
    config["quantization"] = {"group_size": 32, "bits": 8}
    (folder / "config.json").write_text(json.dumps(config))


def test_letters_that_spell_a_special_token_are_read_as_letters(tmp_path):
    opened = load(make("qwen3", tmp_path / "qwen3"))
    spelled = opened.embed(["a<|endoftext|>", "a"])
    assert spelled[0] @ spelled[1] < 1 - 1e-4


def test_a_truncated_weight_file_is_named(nomic):
    file = nomic.folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(ModelDamaged, match=r"model\.safetensors"):
        load(nomic)


def test_a_model_that_lacks_a_weight_is_damaged(nomic):
    from safetensors.numpy import load_file, save_file

    file = nomic.folder / "model.safetensors"
    weights = load_file(file)
    lost = next(name for name in weights if "layer" in name and name.endswith("weight"))
    del weights[lost]
    save_file(weights, file)
    with pytest.raises(ModelDamaged, match=lost):
        load(nomic)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
def test_a_missing_file_is_named(nomic, name):
    (nomic.folder / name).unlink()
    with pytest.raises(ModelDamaged, match=f"{name} is missing"):
        load(nomic)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "modules.json"])
def test_a_file_that_is_no_json_is_named(nomic, name):
    (nomic.folder / name).write_text("{")
    with pytest.raises(ModelDamaged, match=name):
        load(nomic)


def test_settings_without_a_size_are_damaged(nomic):
    _change(nomic.folder, hidden_size=None)
    with pytest.raises(ModelDamaged, match="hidden_size"):
        load(nomic)


@pytest.mark.parametrize(
    "changed", [{"model_type": "bert"}, {"hidden_act": "relu"}, {"num_experts": 8}]
)
def test_another_kind_of_model_is_refused(nomic, changed):
    _change(nomic.folder, **changed)
    with pytest.raises(ModelNotSupported, match=str(*changed.values())):
        load(nomic)


def test_a_model_with_a_further_layer_is_refused(nomic):
    modules = [{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}]
    (nomic.folder / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(ModelNotSupported, match="Dense"):
        load(nomic)


def test_a_pooling_that_is_not_known_is_refused(nomic):
    tiny.set_pooling(nomic.folder, "mean_sqrt_len_tokens")
    with pytest.raises(ModelNotSupported, match="mean_sqrt_len_tokens"):
        load(nomic)


def test_a_text_is_never_read_longer_than_the_model_can(nomic):
    assert read_config(nomic.folder).max_tokens == 96
    _change(nomic.folder, max_position_embeddings=100_000)
    assert read_config(nomic.folder).max_tokens == LONGEST_TEXT
    (nomic.folder / "sentence_bert_config.json").write_text('{"max_seq_length": 40}')
    assert read_config(nomic.folder).max_tokens == 40


def _change(folder, **changed):
    config = json.loads((folder / "config.json").read_text())
    config |= changed
    (folder / "config.json").write_text(json.dumps(config))
