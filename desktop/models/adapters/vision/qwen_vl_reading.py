"""One prompt with a picture on its way through a Qwen vision model.

The picture's features stand where the prompt has image tokens, every token has a position in
time, row and column (M-RoPE, arXiv:2409.12191), and Qwen3-VL adds features of earlier layers
of its vision tower to the first layers of the decoder (deepstack, arXiv:2406.04334). All of
it is cut along the prompt, so that the prompt can be read in chunks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.models.adapters import mlx_runtime

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Hashable

    from desktop.models.adapters.vision.qwen_vl_prompt import Patches, Prompt

CHUNK_TOKENS = 512
"""Of the prompt, read in one step."""


@dataclass(frozen=True, slots=True, eq=False)
class PictureFeatures:
    """What the vision tower made of a picture.

    tokens: shape (image tokens, hidden). deepstack: the same for each of the decoder's
    first layers, () for a model without.
    """

    tokens: Any
    deepstack: tuple[Any, ...]

    @property
    def nbytes(self) -> int:
        """Bytes it holds."""
        return int(sum(array.nbytes for array in (self.tokens, *self.deepstack)))


def see(network: Any, picture: Patches) -> PictureFeatures:
    """Run the vision tower over a picture, in one step."""
    mx = mlx_runtime.mlx_core()
    tower = network.vision_tower
    pixels = mx.array(picture.pixels).astype(tower.patch_embed.proj.weight.dtype)
    seen = tower(pixels, mx.array([[1, picture.rows, picture.columns]]))
    tokens, deepstack = seen if isinstance(seen, tuple) else (seen, ())
    features = PictureFeatures(tokens, tuple(deepstack))
    mx.eval(features.tokens, *features.deepstack)
    return features


class PromptReading:
    """Reads a prompt into keys and values, chunk by chunk, then gives the next token's scores.

    cache: one entry a layer, holding the keys and values of the first `done` tokens.
    """

    def __init__(
        self,
        network: Any,
        prompt: Prompt,
        grid: tuple[int, int],
        cache: list[Any] | None = None,
    ) -> None:
        """Continue with a cache that holds the beginning of this prompt, or start anew.

        grid: rows and columns of patches of the picture.
        """
        from mlx_vlm.models.cache import make_prompt_cache

        mx = mlx_runtime.mlx_core()
        self.prompt = prompt
        self._decoder = network.language_model
        self.cache: list[Any] = cache or make_prompt_cache(self._decoder)
        self._ids = mx.array([prompt.ids])
        self._positions, self._shift = self._decoder.get_rope_index(
            self._ids, mx.array([[1, *grid]])
        )
        self._features: PictureFeatures | None = None

    @property
    def done(self) -> int:
        """So many tokens, of prompt and answer, have keys and values."""
        return int(self.cache[0].offset)

    @property
    def needs_features(self) -> bool:
        """Whether tokens of the picture are still to be read."""
        return self.done < self.prompt.image_start + self.prompt.image_tokens

    @property
    def complete(self) -> bool:
        """Whether all but the last token are read; that one yields the answer's first."""
        return self.done >= len(self.prompt.ids) - 1

    def give(self, features: PictureFeatures) -> None:
        """Provide the picture; asked for by `needs_features`."""
        self._features = features

    def read_chunk(self) -> None:
        """Read the next tokens of the prompt, the last one left out."""
        end = min(self.done + CHUNK_TOKENS, len(self.prompt.ids) - 1)
        self._scores(self.done, end)
        # the scores are not evaluated: over the whole vocabulary they would be the largest
        mx = mlx_runtime.mlx_core()
        mx.eval([layer.state for layer in self.cache])
        mx.clear_cache()  # or the buffers of every chunk's own size pile up
        if not self.needs_features:
            self._features = None

    def tokens(self, choose: Callable[[Any], Any]) -> Generator[int, None, None]:
        """Write the answer, token by token, without end, once the prompt is `complete`.

        The following token is begun before one is given out, so that the GPU does not wait
        for whoever reads them.

        Args:
            choose: makes a scalar array of the scores of the vocabulary.
        """
        mx = mlx_runtime.mlx_core()
        token = choose(self._scores(self.done, len(self.prompt.ids))[0, -1])
        while True:
            mx.async_eval(token)
            following = choose(self._next_scores(token))
            mx.async_eval(following)
            yield int(token.item())
            token = following

    def _next_scores(self, token: Any) -> Any:
        mx = mlx_runtime.mlx_core()
        position = self._shift.reshape(1, 1, 1) + self.done
        positions = mx.broadcast_to(position, (3, 1, 1))
        out = self._decoder(token.reshape(1, 1), cache=self.cache, position_ids=positions)
        return out.logits[0, -1]

    def _scores(self, start: int, end: int) -> Any:
        out = self._decoder(
            self._ids[:, start:end],
            inputs_embeds=self._embeddings(start, end),
            cache=self.cache,
            position_ids=self._positions[..., start:end],
            **self._deepstack(start, end),
        )
        return out.logits

    def _embeddings(self, start: int, end: int) -> Any:
        mx = mlx_runtime.mlx_core()
        words = self._decoder.model.embed_tokens(self._ids[:, start:end])
        first, last = self._picture_rows(start, end)
        if first == last or self._features is None:
            return words
        seen = self._features.tokens[first:last][None].astype(words.dtype)
        at = self.prompt.image_start + first - start
        return mx.concatenate([words[:, :at], seen, words[:, at + last - first :]], axis=1)

    def _deepstack(self, start: int, end: int) -> dict[str, Any]:
        mx = mlx_runtime.mlx_core()
        first, last = self._picture_rows(start, end)
        if first == last or self._features is None or not self._features.deepstack:
            return {}
        places = mx.arange(start, end) - self.prompt.image_start
        return {
            "visual_pos_masks": ((places >= first) & (places < last))[None],
            "deepstack_visual_embeds": [layer[first:last] for layer in self._features.deepstack],
        }

    def _picture_rows(self, start: int, end: int) -> tuple[int, int]:
        """Return which of the picture's tokens lie in this part of the prompt."""
        most, offset = self.prompt.image_tokens, self.prompt.image_start
        return min(max(start - offset, 0), most), min(max(end - offset, 0), most)


class KeptPrompt:
    """The keys and values of a prompt about the picture `key`, for the next question."""

    def __init__(self, key: Hashable, reading: PromptReading) -> None:
        """Take over what was read; the reading ends. The answer is cut off."""
        self.key = key
        self._cache = reading.cache
        self._ids = reading.prompt.ids[: reading.done]
        _cut(self._cache, len(self._ids))

    @property
    def nbytes(self) -> int:
        """Bytes it holds."""
        return int(sum(layer.nbytes for layer in self._cache))

    def beginning_of(self, prompt: Prompt) -> list[Any] | None:
        """Give the cache away, cut off where another prompt differs; None if at once.

        The last token of that prompt is left to be read, for its scores.
        """
        most = min(len(self._ids), len(prompt.ids) - 1)
        pairs = zip(self._ids[:most], prompt.ids, strict=False)
        same = next((place for place, (one, two) in enumerate(pairs) if one != two), most)
        if same == 0:
            return None
        _cut(self._cache, same)
        return self._cache


def _cut(cache: list[Any], tokens: int) -> None:
    for layer in cache:
        layer.trim(layer.offset - tokens)
