"""A vision language model of the Qwen-VL family on MLX: loading, memory, answering."""

from __future__ import annotations

import contextlib
import itertools
import secrets
import traceback
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from desktop.models.adapters import mlx_runtime
from desktop.models.adapters.vision import qwen_vl_prompt, qwen_vl_weights
from desktop.models.adapters.vision.qwen_vl_prompt import PromptWriter
from desktop.models.adapters.vision.qwen_vl_reading import (
    KeptPrompt,
    PictureFeatures,
    PromptReading,
    see,
)
from desktop.models.answer_text import GenerationMeter
from desktop.models.errors import PromptTooLong
from desktop.models.generation import PromptProgress, never

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Hashable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from desktop.models.adapters.vision.qwen_vl_prompt import Prompt
    from desktop.models.answer_text import AnswerText
    from desktop.models.generation import Cancelled, GenerationPart, Sampling, VisionRequest
    from desktop.models.roles import Allowance, InstalledModel


class Sized(Protocol):
    """Something that knows how much memory it holds."""

    @property
    def nbytes(self) -> int:
        """Bytes."""


T = TypeVar("T", bound=Sized)


class FeatureCache(Generic[T]):
    """Values by key, limited in bytes; the limit may change from one `put` to the next."""

    def __init__(self) -> None:
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self.nbytes = 0

    def get(self, key: Hashable) -> T | None:
        """Return a value and count it as used, or None."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: Hashable, value: T, limit_bytes: int) -> None:
        """Keep a value, forgetting the least recently used until all fit into the limit.

        A value that alone is larger than the limit is not kept, and nothing is forgotten
        for it.
        """
        if value.nbytes > limit_bytes:
            return
        self._forget(key)
        self._values[key] = value
        self.nbytes += value.nbytes
        self.shrink(limit_bytes)

    def shrink(self, limit_bytes: int) -> None:
        """Forget the least recently used until the rest fits into the limit."""
        while self.nbytes > max(limit_bytes, 0):
            self._forget(next(iter(self._values)))

    def clear(self) -> None:
        """Forget everything."""
        self._values.clear()
        self.nbytes = 0

    def _forget(self, key: Hashable) -> None:
        value = self._values.pop(key, None)
        if value is not None:
            self.nbytes -= value.nbytes


class TokenChoice:
    """Makes a token, a scalar array not yet evaluated, of scores of shape (vocabulary,)."""

    def __init__(self, sampling: Sampling) -> None:
        """Prepare for one generation."""
        self._mx = mlx_runtime.mlx_core()
        self._sampling = sampling
        seed = secrets.randbits(32) if sampling.seed is None else sampling.seed
        # A key of its own: the thread's state of chance is shared with other generations.
        self._key = self._mx.random.key(seed % 2**64)

    def __call__(self, scores: Any) -> Any:
        """Choose among the scores."""
        mx = self._mx
        if self._sampling.temperature <= 0:
            return mx.argmax(scores)
        scores = scores.astype(mx.float32) / self._sampling.temperature
        if self._sampling.top_p < 1:
            scores = self._likeliest(scores)
        self._key, key = mx.random.split(self._key)
        return mx.random.categorical(scores, key=key)

    def _likeliest(self, scores: Any) -> Any:
        """Leave the likeliest tokens that together reach top_p, at least one."""
        mx = self._mx
        order = mx.argsort(-scores)
        shares = mx.softmax(scores[order])
        before = mx.cumsum(shares) - shares
        kept = mx.where(before < max(self._sampling.top_p, 1e-9), scores[order], -float("inf"))
        return mx.put_along_axis(mx.full(scores.shape, -float("inf")), order, kept, axis=-1)


@dataclass(slots=True)
class VisionAnswer:
    """What one answer needs.

    look: makes or finds the picture's features, asked only if tokens of the picture are to be
    read. choose: makes a token of scores. ends: tokens that end the output.
    """

    reading: PromptReading
    look: Callable[[], PictureFeatures]
    choose: Callable[[Any], Any]
    text: AnswerText
    ends: frozenset[int]
    meter: GenerationMeter
    cancelled: Cancelled

    def run(self, most: int) -> Iterator[GenerationPart]:
        """Read the prompt, then write at most `most` tokens; the meter gets why it ended."""
        if self._is_cancelled():
            return
        for _ in self._read():
            yield PromptProgress(self.reading.done, len(self.reading.prompt.ids))
            if self._is_cancelled():
                return
        yield from self._write(most)

    def _read(self) -> Iterator[None]:
        """Read all of the prompt but its last token."""
        yield
        if self.reading.needs_features:
            self.reading.give(self.look())
            yield
        while not self.reading.complete:
            self.reading.read_chunk()
            yield

    def _write(self, most: int) -> Iterator[GenerationPart]:
        total = len(self.reading.prompt.ids)
        with contextlib.closing(self.reading.tokens(self.choose)) as tokens:
            for token in itertools.islice(tokens, most):
                self.meter.output_tokens += 1
                if self.meter.output_tokens == 1:
                    yield PromptProgress(total, total)
                if token in self.ends:
                    self.meter.reason = "stop"
                    break
                yield from self.text.push(token)
                if self.text.finished:
                    self.meter.reason = "stop"
                    break
                if self._is_cancelled():
                    return
        yield from self.text.finish()

    def _is_cancelled(self) -> bool:
        if self.cancelled():
            self.meter.reason = "cancelled"
            return True
        return False


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


# Of the memory that could be had, for pictures and prompts that may be asked about again.
_CACHE_SHARE = 4


def load(model: InstalledModel, allowance: Allowance) -> Generator[float, None, MlxVisionModel]:
    """Load a model of `qwen_vl_weights.MODEL_TYPES`; satisfies `Loader`.

    Raises: ModelDamaged, with the file's name; ModelNotSupported.
    """
    try:
        config = qwen_vl_weights.read_config(model.folder)
        network = yield from qwen_vl_weights.load_network(model.folder, config)
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
        """Read the tokenizer and picture settings of a loaded network's folder.

        Raises: ModelDamaged.
        """
        self.model_id = model.model_id
        self._allowance = allowance
        self._network: Any = network
        self._writer = PromptWriter(
            model.folder, network.config.image_token_id, network.config.text_config.vocab_size
        )
        self._ends = self._writer.end_ids(model.folder, config)
        self._settings = _picture_settings(model, network.config.vision_config)
        self._needs = MemoryNeeds(network)
        self._features: FeatureCache[PictureFeatures] = FeatureCache()
        self._kept: KeptPrompt | None = None
        self._lent_bytes = 0

    def read(
        self, request: VisionRequest, cancelled: Cancelled = never
    ) -> Iterator[GenerationPart]:
        """Answer a question about a picture.

        A second question about the same `image_key` and region does not run the vision
        tower again, and reads only what differs in the prompt.

        Yields: parts as they are made, a `GenerationEnd` last.
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
            TokenChoice(request.sampling),
            self._writer.text(prompt, request.stop),
            self._ends,
            meter,
            cancelled,
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
        """Bytes of pictures' features and of the last prompt's keys and values.

        What a running answer was given of them counts; it cannot be dropped meanwhile.
        """
        return self._features.nbytes + self._lent_bytes + (self._kept.nbytes if self._kept else 0)

    def drop_caches(self) -> None:
        """Forget them; a running answer keeps its own."""
        self._features.clear()
        self._kept = None
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
        if reading.needs_features and self._features.get(key) is None:
            needed += self._needs.picture(*grid)
        self._allowance.admit(
            needed, f"a picture of {reading.prompt.image_tokens:,} tokens and its answer"
        )

    def _look(self, picture: NDArray[np.uint8], key: Hashable) -> PictureFeatures:
        features = self._features.get(key)
        if features is None:
            features = see(self._network, qwen_vl_prompt.patches(picture, self._settings))
            if key is not None:
                self._features.put(key, features, self._cache_limit())
        return features

    def _keep(self, reading: PromptReading, key: Hashable) -> None:
        """Keep a prompt for the next question, cut off where the answer begins."""
        if key is None or self._network is None or reading.done == 0:
            return
        kept = KeptPrompt(key, reading)
        limit = self._cache_limit()
        if kept.nbytes <= limit:
            self._kept = kept
            self._features.shrink(limit - kept.nbytes)

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
