"""How much memory a Qwen vision model takes: a prompt, a picture."""

from __future__ import annotations

from typing import Any

from desktop.models.adapters import mlx_runtime

_CACHE_STEP = 256  # tokens; keys and values grow in such steps
_TOWER_LAYERS_HELD = 10  # arrays as wide as the tower that one of its layers holds at a time


class MemoryNeeds:
    """Estimates from the shapes of a loaded network.

    context_tokens: the most tokens of prompt and answer together.
    """

    def __init__(self, network: Any) -> None:
        """Remember the shapes."""
        text, vision = network.config.text_config, network.config.vision_config
        self.context_tokens = int(text.max_position_embeddings)

        # quantised weights compute in the type of their scales, as the norms do
        number = int(network.language_model.model.norm.weight.dtype.size)
        head = getattr(text, "head_dim", None) or text.hidden_size // text.num_attention_heads
        self._token = 2 * int(text.num_hidden_layers * text.num_key_value_heads * head) * number

        pixels = 3 * int(vision.temporal_patch_size * vision.patch_size**2)
        held = int(_TOWER_LAYERS_HELD * vision.hidden_size + 2 * vision.intermediate_size)
        self._patch = 2 * 4 * pixels + held * number
        layers = 1 + len(getattr(vision, "deepstack_visual_indexes", ()))
        self._features = layers * int(text.hidden_size) * number
        self._merged = int(vision.spatial_merge_size) ** 2
        # without Metal no kernel keeps the attention between all patches out of memory
        on_gpu = mlx_runtime.mlx_core().metal.is_available()
        self._pair = 0 if on_gpu else 2 * 4 * int(vision.num_heads)

    def keys_and_values(self, tokens: int) -> int:
        """Bytes of a key-value cache of so many tokens."""
        return -(-tokens // _CACHE_STEP) * _CACHE_STEP * self._token

    def picture(self, rows: int, columns: int) -> int:
        """Bytes while the vision tower looks at so many patches, its features included."""
        patches = rows * columns
        features = patches // self._merged * self._features
        return patches * self._patch + patches**2 * self._pair + features
