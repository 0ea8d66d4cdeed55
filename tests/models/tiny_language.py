"""Tiny language models with random weights, on disk as MLX directories: a tenth of a second."""

import json
from typing import Any

from desktop.models.adapters import mlx_runtime, torch_runtime
from desktop.models.generation import GenerationEnd, GenerationRequest, Message, Sampling, TextPart
from desktop.models.roles import InstalledModel
from tests.fakes.tiny_tokenizer import TOKEN_IDS, VOCABULARY, WORDS, write_tiny_tokenizer

WINDOW = 24  # tokens that the sliding layers of a tiny gpt-oss see
CONTEXT = 2048
_COMMON = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "vocab_size": VOCABULARY + 55,  # wider than the tokenizer's, as many are
    "max_position_embeddings": CONTEXT,
    "rms_norm_eps": 1e-6,
    "norm_eps": 1e-6,
    "rope_theta": 10000.0,
    "eos_token_id": TOKEN_IDS["<|im_end|>"],
}
# qwen3 keeps every token, gpt_oss has sliding windows, lfm2 a recurrent state
CONFIGS: dict = {
    "qwen3": {"num_hidden_layers": 2, "tie_word_embeddings": False},
    "gpt_oss": {
        "num_hidden_layers": 4,
        "num_local_experts": 4,
        "num_experts_per_tok": 2,
        "sliding_window": WINDOW,
        "rope_scaling": None,
        "layer_types": ["sliding_attention", "full_attention"] * 2,
    },
    "lfm2": {
        "num_hidden_layers": 3,
        "conv_bias": False,
        "conv_L_cache": 3,
        "block_dim": 32,
        "block_ff_dim": 48,
        "block_multiple_of": 8,
        "block_ffn_dim_multiplier": 1.0,
        "block_auto_adjust_ff_dim": False,
        "full_attn_idxs": [1],
    },
}


KINDS = tuple(CONFIGS)
SMALLEST = {"num_hidden_layers": 1, "num_attention_heads": 1, "num_key_value_heads": 1}
"""For prompts of thousands of tokens, whose attention takes long where there is no GPU."""
CHANCE = Sampling(temperature=1.0, seed=5)  # random weights choose one token again and again
SYSTEM = Message("system", "You know every pump by its number, and nothing else. " * 4)
DECISION = {
    "type": "object",
    "properties": {"tool": {"enum": ["search", "answer"]}, "why": {"type": "string"}},
    "required": ["tool", "why"],
}


def ask(question, max_tokens=24, **changes):
    settings = {"sampling": CHANCE, **changes}
    return GenerationRequest((SYSTEM, Message("user", question)), max_tokens, **settings)


def text_of(parts):
    return "".join(part.text for part in parts if isinstance(part, TextPart))


def end_of(parts):
    """Return the last part, which alone is an end."""
    assert [isinstance(part, GenerationEnd) for part in parts].index(True) == len(parts) - 1
    return parts[-1]


def write_tiny_model(kind, folder, words_of=None, **changes):
    """Write the model and its tokenizer; `changes` go into its config.json.

    words_of: see `write_tiny_tokenizer`.
    """
    mx = mlx_runtime.mlx_core()
    torch_runtime.prepare()
    from mlx.utils import tree_flatten
    from mlx_lm.utils import _get_classes

    more = {"vocab_size": _COMMON["vocab_size"] + WORDS} if words_of else {}
    config = {"model_type": kind, **_COMMON, **CONFIGS[kind], **more, **changes}
    write_tiny_tokenizer(folder, words_of)
    (folder / "config.json").write_text(json.dumps(config))
    model_class, args_class = _get_classes(config)
    mx.random.seed(7)
    model = model_class(args_class.from_dict(config))
    # three times the usual spread, or every prompt is answered with the same letter
    parameters: Any = tree_flatten(model.parameters())
    weights = {
        name: array * 3 if name.endswith("weight") and array.ndim > 1 else array
        for name, array in parameters
    }
    mx.save_safetensors(str(folder / "model.safetensors"), weights)
    return installed(folder, kind)


def installed(folder, kind="qwen3"):
    size = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
    return InstalledModel("tiny", "language", kind, "r1", folder, size)


def loaded(model, allowance, **changes):
    """Run a loader to its end on this thread."""
    from desktop.models.adapters.mlx_language import load

    return finished(load(model, allowance, **changes))


def finished(loader):
    """Return what a loader returns."""
    while True:
        try:
            next(loader)
        except StopIteration as end:
            return end.value
