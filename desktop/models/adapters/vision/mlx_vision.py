"""Qwen3-VL, its mixture-of-experts sibling and Qwen2.5-VL through mlx_vlm.

Every step of a generation is one run of the vision tower, one chunk of the prompt or one
token; between two steps the inference thread may do something more urgent. All methods are
called on that one thread.
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

from desktop.models.adapters import mlx_runtime, mlx_weights
from desktop.models.adapters.vision import qwen_picture, qwen_vl_weights
from desktop.models.adapters.vision.feature_cache import FeatureCache
from desktop.models.adapters.vision.mlx_sampling import TokenChoice
from desktop.models.adapters.vision.qwen_vl_answer import VisionAnswer
from desktop.models.adapters.vision.qwen_vl_memory import MemoryNeeds
from desktop.models.adapters.vision.qwen_vl_prompt import PromptWriter
from desktop.models.adapters.vision.qwen_vl_reading import (
    KeptPrompt,
    PictureFeatures,
    PromptReading,
    see,
)
from desktop.models.errors import PromptTooLong
from desktop.models.generation import never
from desktop.models.output.generation_meter import GenerationMeter

if TYPE_CHECKING:
    from collections.abc import Generator, Hashable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from desktop.models.adapters.vision.qwen_vl_prompt import Prompt
    from desktop.models.generation import (
        Cancelled,
        GenerationPart,
        VisionRequest,
    )
    from desktop.models.loading import Allowance, InstalledModel

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
        picture = qwen_picture.cut_out(request.image, request.region)
        grid = qwen_picture.grid(picture.shape[0], picture.shape[1], self._settings)
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
        return mlx_weights.weight_bytes(self._network)

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
            features = see(self._network, qwen_picture.patches(picture, self._settings))
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


def _picture_settings(model: InstalledModel, vision: Any) -> qwen_picture.PictureSettings:
    return qwen_picture.PictureSettings.read(
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
