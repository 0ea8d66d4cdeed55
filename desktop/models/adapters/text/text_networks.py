"""From a text model's weights to its network in MLX: token ids in, the last layer's states out."""

from __future__ import annotations

import importlib
import itertools
import logging
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from desktop.models.adapters import torch_runtime
from desktop.models.adapters.mlx_runtime import mlx_core
from desktop.models.adapters.text.nomic_bert_mlx import NomicBert, canonical_weights
from desktop.models.errors import ModelDamaged, ModelNotSupported
from desktop.models.safetensors_file import read_header, weight_files

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.models.adapters.text.text_model_config import TextModelConfig

logger = logging.getLogger(__name__)

Network: TypeAlias = Callable[[Any, Any], Any]
"""Called with ids and mask, both integers of shape (texts, length); padding follows the text.

Returns: states, shape (texts, length, hidden_size).
"""

_BYTES_PER_STEP = 64 << 20

# mlx-vlm's own names for the networks it has.
_MODULES = {"bert": "bert", "xlm_roberta": "xlm_roberta", "qwen3": "qwen3_embedding"}
# Its BERTs have one activation and one kind of positions, whatever the settings say.
_ASSUMED_OF_BERT = (("hidden_act", "gelu"), ("position_embedding_type", "absolute"))


def import_runtime(config: TextModelConfig) -> None:
    """Import what `make_network` needs, which takes seconds the first time.

    Raises: ModelNotSupported, if it is not on this machine.
    """
    try:
        mlx_core()
        if config.kind in _MODULES:
            _module(config)
    except ImportError as error:
        raise ModelNotSupported(f"text models of this kind need mlx-vlm: {error}") from error


def load_weights(folder: Path, weights: dict[str, Any]) -> Iterator[float]:
    """Read a model's weights into `weights`, in steps of some megabytes.

    Yields: the fraction read.
    Raises: ModelDamaged, with the name of the file that is cut off.
    """
    mx = mlx_core()
    files = weight_files(folder)
    total = sum(info.nbytes for file in files for info in read_header(file).values())
    done = 0
    for file in files:
        try:
            tensors = mx.load(str(file))
            for group in _groups(tensors):
                mx.eval([tensors[name] for name in group])
                done += sum(tensors[name].nbytes for name in group)
                weights.update((name, tensors.pop(name)) for name in group)
                yield min(1.0, done / max(1, total))
        except (RuntimeError, ValueError) as error:
            raise ModelDamaged(f"{file.name} cannot be read: {error}") from error


def make_network(config: TextModelConfig, weights: dict[str, Any]) -> Network:
    """Put the weights in their places.

    Raises: ModelDamaged, if they are not those that `config.json` describes;
        ModelNotSupported, if it describes another network.
    """
    if config.kind == "nomic_bert":
        return NomicBert(config, canonical_weights(weights))
    if config.kind in ("bert", "xlm_roberta"):
        for name, value in _ASSUMED_OF_BERT:
            if config.settings.get(name, value) != value:
                raise ModelNotSupported(f"{name} {config.settings[name]!r} is not known here")
    try:
        model = _filled(config, weights)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelDamaged(f"the weights are not what config.json describes: {error}") from error

    def network(ids: Any, mask: Any) -> Any:
        return model(ids, attention_mask=mask).last_hidden_state

    return network


def _filled(config: TextModelConfig, weights: dict[str, Any]) -> Any:
    nn = importlib.import_module("mlx.nn")
    module = _module(config)
    model = module.Model(module.ModelConfig.from_dict(_settings(config)))
    placed = model.sanitize(weights)
    quantisation = config.settings.get("quantization")
    if quantisation is not None:

        def chosen(path: str, part: Any) -> Any:
            own = quantisation.get(path)
            return own if isinstance(own, dict) else f"{path}.scales" in placed

        nn.quantize(
            model,
            group_size=quantisation["group_size"],
            bits=quantisation["bits"],
            mode=quantisation.get("mode", "affine"),
            class_predicate=chosen,
        )
    model.load_weights(list(placed.items()), strict=True)
    model.eval()
    return model


def _settings(config: TextModelConfig) -> dict[str, Any]:
    """Return the settings as mlx-vlm names them; transformers 5 moved the rotary ones."""
    settings = dict(config.settings)
    rotary = settings.get("rope_parameters")
    if isinstance(rotary, dict) and "rope_theta" in rotary:
        settings.setdefault("rope_theta", rotary["rope_theta"])
        if rotary.get("rope_type", "default") != "default":
            settings.setdefault("rope_scaling", rotary)
    return settings


def _module(config: TextModelConfig) -> Any:
    torch_runtime.prepare()
    return importlib.import_module(f"mlx_vlm.models.{_MODULES[config.kind]}")


def _groups(tensors: dict[str, Any]) -> Iterator[list[str]]:
    """Yield names of tensors that are read together."""
    numbers = itertools.accumulate(tensor.nbytes for tensor in tensors.values())
    placed = list(zip([number // _BYTES_PER_STEP for number in numbers], tensors, strict=True))
    for _, group in itertools.groupby(placed, key=lambda pair: pair[0]):
        yield [name for _, name in group]
