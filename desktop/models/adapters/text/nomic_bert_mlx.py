"""The network of nomic-embed-text (`nomic_bert`) in MLX.

BERT with rotary positions, SwiGLU and one matrix for queries, keys and values, without
biases: Nussbaum et al., "Nomic Embed: Training a Reproducible Long Context Text Embedder",
arXiv:2402.01613. Each block adds to its input and normalises after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.models.adapters.mlx_runtime import mlx_core
from desktop.models.errors import ModelDamaged, ModelNotSupported

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.models.adapters.text.text_model_config import Shape, TextModelConfig

_WRAPPERS = ("nomic_bert.", "bert.", "model.")
_LEFT_OUT = ("pooler.", "cls.", "lm_head.")
_ROTARY_BASE, _EPSILON = 1000.0, 1e-12

# Settings that would make it another network, and the only value that this one has.
_ASSUMED: tuple[tuple[str, object], ...] = (
    ("prenorm", False),
    ("parallel_block", False),
    ("causal", False),
    ("use_rms_norm", False),
    ("num_experts", 0),
    ("rotary_emb_scale_base", None),
    ("activation_function", "swiglu"),
    ("hidden_act", "silu"),
    ("quantization", None),
)


def canonical_weights(weights: Mapping[str, Any]) -> dict[str, Any]:
    """Return the encoder's tensors under the names its publisher gave them."""
    found = {}
    for stored, tensor in weights.items():
        name = stored
        for wrapper in _WRAPPERS:
            name = name.removeprefix(wrapper)
        if not name.startswith(_LEFT_OUT):
            found[name] = tensor
    return found


class NomicBert:
    """Token ids to the states of the last layer."""

    def __init__(self, config: TextModelConfig, weights: Mapping[str, Any]) -> None:
        """Check that the weights are those of this network.

        Raises: ModelDamaged, if one is missing or of another shape; ModelNotSupported, for a
            relative with a different network, such as nomic-embed-text-v2-moe.
        """
        settings = config.settings
        for name, value in _ASSUMED:
            if settings.get(name, value) not in (value, None):
                raise ModelNotSupported(
                    f"a nomic_bert model with {name} = {settings[name]!r} is not known here"
                )
        self._shape = config.shape
        self._weights = weights
        self._epsilon = _epsilon(settings)
        head_size = config.shape.hidden_size // config.shape.heads
        self._rotated = int(head_size * float(settings.get("rotary_emb_fraction", 1.0)))
        self._interleaved = bool(settings.get("rotary_emb_interleaved", False))
        self._base = _rotary_base(settings)
        for name, shape in _expected(config.shape).items():
            if name not in weights:
                raise ModelDamaged(f"the weights lack {name}")
            if tuple(weights[name].shape) != shape:
                raise ModelDamaged(
                    f"{name} has the shape {tuple(weights[name].shape)}, not {shape}"
                )

    def __call__(self, ids: Any, mask: Any) -> Any:
        """Run the network.

        Args:
            ids: integers, shape (texts, length).
            mask: 1 for a token, 0 for padding, same shape.

        Returns: states, shape (texts, length, hidden_size).
        """
        mx = mlx_core()
        weights = self._weights
        states = weights["embeddings.word_embeddings.weight"][ids]
        types = weights.get("embeddings.token_type_embeddings.weight")
        if types is not None:
            states = states + types[0]  # everything is the first of two sentences
        states = self._normalise(states, "emb_ln")
        seen = mask.astype(mx.bool_)[:, None, None, :]
        for number in range(self._shape.layers):
            block = f"encoder.layers.{number}"
            states = self._normalise(
                states + self._attend(states, f"{block}.attn", seen), f"{block}.norm1"
            )
            states = self._normalise(states + self._gate(states, f"{block}.mlp"), f"{block}.norm2")
        return states

    def _attend(self, states: Any, block: str, seen: Any) -> Any:
        mx = mlx_core()
        texts, length, size = states.shape
        heads = self._shape.heads
        joined = self._linear(states, f"{block}.Wqkv").reshape(
            texts, length, 3, heads, size // heads
        )
        queries, keys, values = (joined[:, :, part].transpose(0, 2, 1, 3) for part in range(3))
        mixed = mx.fast.scaled_dot_product_attention(
            self._rotate(queries),
            self._rotate(keys),
            values,
            scale=(size // heads) ** -0.5,
            mask=seen,
        )
        mixed = mixed.transpose(0, 2, 1, 3).reshape(texts, length, size)
        return self._linear(mixed, f"{block}.out_proj")

    def _rotate(self, vectors: Any) -> Any:
        return mlx_core().fast.rope(
            vectors,
            self._rotated,
            traditional=self._interleaved,
            base=self._base,
            scale=1.0,
            offset=0,
        )

    def _gate(self, states: Any, block: str) -> Any:
        gate = self._linear(states, f"{block}.fc12")
        opened = gate * mlx_core().sigmoid(gate)
        return self._linear(self._linear(states, f"{block}.fc11") * opened, f"{block}.fc2")

    def _linear(self, states: Any, name: str) -> Any:
        product = states @ self._weights[f"{name}.weight"].T
        bias = self._weights.get(f"{name}.bias")
        return product if bias is None else product + bias

    def _normalise(self, states: Any, name: str) -> Any:
        return mlx_core().fast.layer_norm(
            states, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"], self._epsilon
        )


def _epsilon(settings: Mapping[str, Any]) -> float:
    """Return the layer norms' epsilon, called as its publisher or transformers 5 does."""
    named = settings.get("layer_norm_epsilon", settings.get("layer_norm_eps"))
    return _EPSILON if named is None else float(named)


def _rotary_base(settings: Mapping[str, Any]) -> float:
    """Return the base of the rotary frequencies, called as its publisher or transformers 5 does."""
    parameters = settings.get("rope_parameters")
    named = parameters.get("rope_theta") if isinstance(parameters, dict) else None
    return float(settings.get("rotary_emb_base") or named or _ROTARY_BASE)


def _expected(shape: Shape) -> dict[str, tuple[int, ...]]:
    size, inner = shape.hidden_size, shape.inner_size
    found: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (shape.vocab_size, size),
        "emb_ln.weight": (size,),
        "emb_ln.bias": (size,),
    }
    for number in range(shape.layers):
        block = f"encoder.layers.{number}"
        found |= {
            f"{block}.attn.Wqkv.weight": (3 * size, size),
            f"{block}.attn.out_proj.weight": (size, size),
            f"{block}.mlp.fc11.weight": (inner, size),
            f"{block}.mlp.fc12.weight": (inner, size),
            f"{block}.mlp.fc2.weight": (size, inner),
        }
        found |= {
            f"{block}.norm{which}.{part}": (size,)
            for which in (1, 2)
            for part in ("weight", "bias")
        }
    return found
