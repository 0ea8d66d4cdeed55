"""A vision language model of the Qwen-VL family on MLX: its weights, memory, reading, answering."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.models.adapters import mlx_runtime, qwen_vl_prompt, torch_runtime
from desktop.models.adapters.qwen_vl_prompt import PromptWriter
from desktop.models.answer_text import GenerationMeter, Writing
from desktop.models.errors import ModelDamaged, ModelNotSupported, PromptTooLong
from desktop.models.generation import PromptProgress, never
from desktop.models.safetensors_file import weight_files

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Hashable, Iterator
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from desktop.models.adapters.qwen_vl_prompt import Patches, Prompt
    from desktop.models.generation import Cancelled, GenerationPart, VisionRequest
    from desktop.models.roles import Allowance, InstalledModel


MODEL_TYPES = ("qwen3_vl", "qwen3_vl_moe", "qwen2_5_vl")

_RUNTIME_SHARE, _FILES_SHARE = 0.04, 0.06  # of the progress, before the first group


def read_config(folder: Path) -> dict[str, Any]:
    """Read config.json. Raises: ModelDamaged; ModelNotSupported, for another kind of model."""
    config = mlx_runtime.read_config(folder)
    kind = config["model_type"]
    if kind not in MODEL_TYPES:
        raise ModelNotSupported("models of the kind '{kind}' cannot read pictures here", kind=kind)
    if not isinstance(config.get("vision_config"), dict):
        raise ModelNotSupported("this model was saved without its vision component")
    if "quantization" not in config and config.get("quantization_config"):
        method = config["quantization_config"].get("quant_method", "an unknown method")
        raise ModelNotSupported("weights quantised by {method} do not run on MLX", method=method)
    return config


def load_network(folder: Path, config: dict[str, Any]) -> Generator[float, None, Any]:
    """Build the network of `read_config` and read its weights into memory.

    Yields: the fraction done. Returns: the model of mlx_vlm, every weight evaluated.
    Raises: ModelDamaged, with the file's name; ModelNotSupported.
    """
    mlx_runtime.check_files(folder)
    try:
        mlx_runtime.mlx_core()
        torch_runtime.prepare()
        yield _RUNTIME_SHARE / 2
        architecture = importlib.import_module(f"mlx_vlm.models.{config['model_type']}")
    except ImportError as error:
        raise ModelNotSupported("mlx-vlm, which runs this model, is not installed") from error
    yield _RUNTIME_SHARE

    network = _build(architecture, config, folder)
    yield _FILES_SHARE
    for fraction in mlx_runtime.read_weights(mlx_runtime.parameters(network)):
        yield _FILES_SHARE + (1 - _FILES_SHARE) * fraction
    return network


def _build(architecture: Any, config: dict[str, Any], folder: Path) -> Any:
    from mlx_vlm.utils import load_model_weights

    try:
        settings = _settings(architecture, config)
        network = architecture.Model(settings)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise ModelNotSupported(
            "config.json describes no model of this kind: {error}", error=error
        ) from error
    kind = config["model_type"]
    weights = {_named(name, kind): w for name, w in mlx_runtime.map_weights(folder).items()}
    try:
        if settings.text_config.tie_word_embeddings:  # a copy of the embeddings is no weight
            weights = {name: w for name, w in weights.items() if "lm_head" not in name}
        weights = network.sanitize(weights)
        for part in (network.vision_tower, network.language_model):
            if hasattr(part, "sanitize"):
                weights = part.sanitize(weights)
        # lazy: `load_network` evaluates them in groups, on this same thread
        return load_model_weights(network, config, weights, folder, lazy=True)
    except (ValueError, KeyError, IndexError, TypeError, RuntimeError) as error:
        names = ", ".join(path.name for path in weight_files(folder)[:3])
        raise ModelDamaged(
            "{names} and config.json do not match: {error}", names=names, error=error
        ) from error


def _named(name: str, kind: str) -> str:
    """Undo the names of transformers 5 for Qwen2.5-VL, where mlx_vlm knows only older ones."""
    if kind == "qwen2_5_vl":
        for newer, older in (("model.language_model.", "model."), ("model.visual.", "visual.")):
            if name.startswith(newer):
                return older + name.removeprefix(newer)
    return name


def _settings(architecture: Any, config: dict[str, Any]) -> Any:
    """Make mlx_vlm's settings; the text model's may lie at the top level, or below."""
    outer = {key: value for key, value in config.items() if not isinstance(value, dict)}
    text = outer | (config.get("text_config") or config)
    if isinstance(rope := text.get("rope_parameters"), dict):  # transformers 5
        text.setdefault("rope_theta", rope.get("rope_theta"))
        text.setdefault("rope_scaling", rope)
    if isinstance(scaling := text.get("rope_scaling"), dict):
        kind = scaling.get("type", scaling.get("rope_type", "default"))
        text["rope_scaling"] = scaling | {"type": kind}
    settings = architecture.ModelConfig.from_dict(dict(config))
    settings.text_config = architecture.TextConfig.from_dict(text)
    settings.vision_config = architecture.VisionConfig.from_dict(config["vision_config"])
    return settings


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
        """Continue with the cache of the prompt's beginning, or anew. grid: of patches."""
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
        """How many tokens, of prompt and answer, have keys and values."""
        return int(self.cache[0].offset)

    @property
    def needs_features(self) -> bool:
        """Whether tokens of the picture are still to be read."""
        return self.done < self.prompt.image_start + self.prompt.image_tokens

    @property
    def complete(self) -> bool:
        """Whether all tokens but the last have been read; the last yields the answer's first."""
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

    def tokens(self) -> Generator[int, None, None]:
        """Write the likeliest answer, token by token, without end, once the prompt is `complete`.

        The next token is begun before one is handed out, so that the GPU does not wait
        for whoever reads them.
        """
        mx = mlx_runtime.mlx_core()
        token = mx.argmax(self._scores(self.done, len(self.prompt.ids))[0, -1])
        while True:
            mx.async_eval(token)
            following = mx.argmax(self._next_scores(token))
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
        """Give the cache away, cut off where another prompt differs; None if they differ at once.

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


@dataclass(slots=True)
class VisionAnswer:
    """What one answer needs.

    look: makes or finds the picture's features, called only if tokens of the picture
    are to be read.
    """

    reading: PromptReading
    look: Callable[[], PictureFeatures]
    writing: Writing

    def run(self, most: int) -> Iterator[GenerationPart]:
        """Read the prompt, then write at most `most` tokens; the meter is told why it ended."""
        if self.writing.is_cancelled():
            return
        total = len(self.reading.prompt.ids)
        for _ in self._read():
            yield PromptProgress(self.reading.done, total)
            if self.writing.is_cancelled():
                return
        with contextlib.closing(self.reading.tokens()) as tokens:
            yield from self.writing.parts(itertools.islice(tokens, most), total)

    def _read(self) -> Iterator[None]:
        """Read all of the prompt but its last token."""
        yield
        if self.reading.needs_features:
            self.reading.give(self.look())
            yield
        while not self.reading.complete:
            self.reading.read_chunk()
            yield


_CACHE_STEP = 256  # tokens; keys and values grow in such steps
_TOWER_LAYERS_HELD = 10  # arrays as wide as the tower that one of its layers holds at a time


class MemoryNeeds:
    """Estimates from a loaded network's shapes. context_tokens: most of prompt and answer."""

    def __init__(self, network: Any) -> None:
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


# Of the memory that could be had, for pictures and prompts that may be asked about again.
_CACHE_SHARE = 4


def load(model: InstalledModel, allowance: Allowance) -> Generator[float, None, MlxVisionModel]:
    """Load a model of a Qwen-VL family: a `Loader`. Raises: ModelDamaged; ModelNotSupported."""
    try:
        config = read_config(model.folder)
        network = yield from load_network(model.folder, config)
        return MlxVisionModel(model, allowance, network, config)
    except BaseException as error:  # GeneratorExit as well: somebody stopped the loading
        traceback.clear_frames(error.__traceback__)  # they hold what was loaded
        mlx_runtime.give_memory_back()
        raise


class MlxVisionModel:
    """Satisfies `VisionLanguageModel` and `LoadedModel`."""

    def __init__(
        self, model: InstalledModel, allowance: Allowance, network: Any, config: dict[str, Any]
    ) -> None:
        """Read the tokenizer and picture settings of a network's folder. Raises: ModelDamaged."""
        self.model_id = model.model_id
        self._allowance = allowance
        self._network: Any = network
        self._writer = PromptWriter(
            model.folder, network.config.image_token_id, network.config.text_config.vocab_size
        )
        self._ends = self._writer.end_ids(model.folder, config)
        self._settings = _picture_settings(model, network.config.vision_config)
        self._needs = MemoryNeeds(network)
        self._seen: tuple[Hashable, PictureFeatures] | None = None
        self._kept: KeptPrompt | None = None
        self._lent_bytes = 0

    def read(
        self, request: VisionRequest, cancelled: Cancelled = never
    ) -> Iterator[GenerationPart]:
        """As `VisionLanguageModel.read`; a second question about a picture reads only the rest.

        Raises: ValueError, ModelOutOfBudget, PromptTooLong.
        """
        picture = qwen_vl_prompt.cut_out(request.image, request.region)
        grid = qwen_vl_prompt.grid(picture.shape[0], picture.shape[1], self._settings)
        prompt = self._writer.write(request, grid[0] * grid[1] // self._settings.merge_size**2)
        room = self._needs.context_tokens - len(prompt.ids)
        if room < 1:
            raise PromptTooLong(len(prompt.ids), self._needs.context_tokens)

        key = _key(request)
        reading, lent = self._begin(prompt, grid, key)
        limit = max(0, min(request.max_tokens, room))
        meter = GenerationMeter(len(prompt.ids), reading.done)
        answer = VisionAnswer(
            reading,
            lambda: self._look(picture, key),
            Writing(self._writer.text(prompt), self._ends, meter, cancelled),
        )
        self._lent_bytes += lent
        try:
            self._admit(reading, limit, grid, key)
            yield from meter.timed(answer.run(limit))
        except Exception:  # a step may have been done by half
            key = None
            raise
        finally:
            self._lent_bytes -= lent
            self._keep(reading, key)
        yield meter.end()

    def weight_bytes(self) -> int:
        """Bytes that the weights take in memory."""
        return mlx_runtime.weight_bytes(self._network)

    def cache_bytes(self) -> int:
        """Bytes of the last picture's features and of the last prompt's keys and values.

        Those that a running answer was given count too; they cannot be dropped
        meanwhile.
        """
        seen = self._seen[1].nbytes if self._seen else 0
        return seen + self._lent_bytes + (self._kept.nbytes if self._kept else 0)

    def drop_caches(self) -> None:
        """Forget them; a running answer keeps its own."""
        self._seen = self._kept = None
        mlx_runtime.mlx_core().clear_cache()

    def close(self) -> None:
        """Free everything."""
        self._network = None
        self.drop_caches()
        mlx_runtime.give_memory_back()

    def _begin(
        self, prompt: Prompt, grid: tuple[int, int], key: Hashable
    ) -> tuple[PromptReading, int]:
        """Start from the kept prompt if it is about the same picture; returns its bytes, too."""
        kept = self._kept if key is not None and self._kept and self._kept.key == key else None
        if kept is None:
            return PromptReading(self._network, prompt, grid), 0
        self._kept, lent = None, kept.nbytes
        return PromptReading(self._network, prompt, grid, kept.beginning_of(prompt)), lent

    def _admit(
        self, reading: PromptReading, limit: int, grid: tuple[int, int], key: Hashable
    ) -> None:
        tokens = len(reading.prompt.ids) + limit - reading.done
        needed = self._needs.keys_and_values(tokens)
        if reading.needs_features and not self._has_seen(key):
            needed += self._needs.picture(*grid)
        self._allowance.admit(
            needed, f"a picture of {reading.prompt.image_tokens:,} tokens and its answer"
        )

    def _look(self, picture: NDArray[np.uint8], key: Hashable) -> PictureFeatures:
        if self._seen is not None and self._has_seen(key):
            return self._seen[1]
        features = see(self._network, qwen_vl_prompt.patches(picture, self._settings))
        if key is not None and features.nbytes <= self._cache_limit():
            self._seen = key, features
        return features

    def _has_seen(self, key: Hashable) -> bool:
        """Whether the last picture is the one named `key`."""
        return key is not None and self._seen is not None and self._seen[0] == key

    def _keep(self, reading: PromptReading, key: Hashable) -> None:
        """Keep a prompt for the next question, cut off where the answer begins."""
        if key is None or self._network is None or reading.done == 0:
            return
        kept = KeptPrompt(key, reading)
        limit = self._cache_limit()
        if kept.nbytes <= limit:
            self._kept = kept
            if self._seen is not None and kept.nbytes + self._seen[1].nbytes > limit:
                self._seen = None

    def _cache_limit(self) -> int:
        return (self._allowance.free_bytes() + self.cache_bytes()) // _CACHE_SHARE


def _picture_settings(model: InstalledModel, vision: Any) -> qwen_vl_prompt.PictureSettings:
    return qwen_vl_prompt.PictureSettings.read(
        model.folder,
        {
            "patch_size": vision.patch_size,
            "merge_size": vision.spatial_merge_size,
            "temporal_patch_size": vision.temporal_patch_size,
        },
    )


def _key(request: VisionRequest) -> Hashable:
    """Name the picture a request is about, None if it is not to be remembered."""
    if not request.image_key:
        return None
    return request.image_key, request.region, request.image.shape
