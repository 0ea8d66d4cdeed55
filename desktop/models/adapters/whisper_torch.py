"""Whisper through transformers on torch: on the GPU of a Mac (MPS), else the CPU.

Of all recognisers, this one needs no package that a Mac with Groundwork lacks, its
weights are safetensors and are imported like any other model, and it knows German and
English in one model.

Only one thread at a time may use it: everything here is called on the inference thread.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from desktop.models.adapters import torch_runtime
from desktop.models.errors import ModelDamaged
from desktop.models.roles import SPEECH_RATE, LoadedModel

if TYPE_CHECKING:
    from collections.abc import Generator

    from numpy.typing import NDArray

    from desktop.models.roles import Allowance, InstalledModel


MOST_SECONDS: Final = 30
"""What Whisper hears at once."""
_SILENCE: Final = 0.002
"""Root mean square of samples in -1 to 1; below it Whisper invents words."""
_MOST_TOKENS: Final = 200
_PROMPT_TOKENS: Final = 8
_WORKING_BYTES: Final = 300 << 20


def load(model: InstalledModel, allowance: Allowance) -> Generator[float, None, WhisperRecognizer]:
    """Load a model: a `roles.Loader`. Raises: ModelDamaged, ModelOutOfBudget."""
    torch_runtime.prepare()
    import torch

    transformers: Any = importlib.import_module("transformers")
    yield 0.05
    on_gpu = torch.backends.mps.is_available()
    allowance.admit(_WORKING_BYTES + (0 if on_gpu else model.weight_bytes), "hearing a question")
    kind = torch.float16 if on_gpu else torch.float32
    try:
        with torch_runtime.quiet():
            processor = transformers.WhisperProcessor.from_pretrained(
                model.folder, local_files_only=True
            )
            network, report = transformers.WhisperForConditionalGeneration.from_pretrained(
                model.folder,
                dtype=kind,
                local_files_only=True,
                use_safetensors=True,
                output_loading_info=True,
            )
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise ModelDamaged(
            "the files of {id} do not fit together: {error}", id=model.id, error=error
        ) from error
    missing = [*report["missing_keys"], *report["mismatched_keys"]]
    if missing:  # they would be random numbers
        raise ModelDamaged(
            "the weights do not match their config.json: {missing}", missing=missing[:3]
        )
    yield 0.9
    device = "mps" if on_gpu else "cpu"
    return WhisperRecognizer(network.to(device).eval(), processor, device)


class WhisperRecognizer(LoadedModel):
    """Satisfies `SpeechRecognizer`."""

    def __init__(self, network: Any, processor: Any, device: str) -> None:
        self._network, self._processor, self._device = network, processor, device

    def transcribe(self, samples: NDArray[np.float32]) -> str:
        """Return what was said; see `SpeechRecognizer.transcribe`."""
        import torch

        heard = samples[: MOST_SECONDS * SPEECH_RATE]
        if not len(heard) or float(np.sqrt(np.mean(np.square(heard)))) < _SILENCE:
            return ""
        features = self._processor.feature_extractor(
            heard, sampling_rate=SPEECH_RATE, return_tensors="pt"
        ).input_features
        room = int(self._network.config.max_target_positions) - _PROMPT_TOKENS
        asked: dict[str, Any] = {"max_new_tokens": min(_MOST_TOKENS, room)}
        if getattr(self._network.generation_config, "is_multilingual", False):
            asked["task"] = "transcribe"  # in the language that is spoken
        with torch.inference_mode():
            tokens = self._network.generate(features.to(self._device, self._network.dtype), **asked)
        texts = self._processor.tokenizer.batch_decode(tokens, skip_special_tokens=True)
        return " ".join(str(texts[0]).split())

    def weight_bytes(self) -> int:
        """Bytes of all parameters, 0 once it is closed."""
        return torch_runtime.weight_bytes(self._network)

    def close(self) -> None:
        """Free the model."""
        self._network = self._processor = None
        torch_runtime.give_memory_back()
