"""Installed text models through MLX: BERT, XLM-RoBERTa, nomic-embed-text, Qwen3-Embedding."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from desktop.models.adapters import mlx_runtime
from desktop.models.adapters.text.text_model_config import TextTokenizer, TokenizedText, read_config
from desktop.models.adapters.text.text_networks import import_runtime, load_weights, make_network

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from desktop.models.adapters.text.text_model_config import Pooling, Shape, TextModelConfig
    from desktop.models.adapters.text.text_networks import Network
    from desktop.models.roles import Allowance, InstalledModel

logger = logging.getLogger(__name__)

Floats = NDArray[np.float32]

_MOST_TEXTS = 16  # in a batch; more gain nothing and make a question wait
_SHARE_OF_FREE = 4  # a batch takes a quarter of what is free, so that others find room
_SHARE_OF_IMPORT = 0.1  # of the time to load
_SMALLEST_NORM = 1e-12


def load(model: InstalledModel, allowance: Allowance) -> Generator[float, None, MlxTextEmbedder]:
    """Load a text model in steps; see `roles.Loader`.

    Raises: ModelDamaged; ModelNotSupported.
    """
    config = read_config(model.folder)
    tokenizer = TextTokenizer(model.folder, config)
    yield 0.01
    import_runtime(config)
    yield _SHARE_OF_IMPORT
    weights: dict[str, Any] = {}
    try:
        for fraction in load_weights(model.folder, weights):
            yield _SHARE_OF_IMPORT + (1 - _SHARE_OF_IMPORT) * fraction
        size = sum(array.nbytes for array in weights.values())
        network = make_network(config, weights)
    except BaseException:  # closed half way, or damaged
        weights.clear()
        mlx_runtime.give_memory_back()
        raise
    logger.info("text model %s loaded, %d dimensions", model.id, config.shape.hidden_size)
    return MlxTextEmbedder(model.model_id, config, tokenizer, network, size, allowance)


@dataclass(frozen=True, slots=True, eq=False)
class _Batch:
    """places: of the texts in the list. states: of the network, shape (texts, length, size)."""

    places: list[int]
    texts: list[TokenizedText]
    states: Any


class MlxTextEmbedder:
    """Satisfies `TextEmbedder` and `LoadedModel`; all calls on the inference thread."""

    def __init__(
        self,
        model_id: str,
        config: TextModelConfig,
        tokenizer: TextTokenizer,
        network: Network,
        weight_bytes: int,
        allowance: Allowance,
    ) -> None:
        self._model_id = model_id
        self._config = config
        self._tokenizer = tokenizer
        self._network: Network | None = network
        self._weight_bytes = weight_bytes
        self._allowance = allowance

    @property
    def model_id(self) -> str:
        """Name and revision."""
        return self._model_id

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return self._config.shape.hidden_size

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed passages; see `TextEmbedder.embed`.

        Returns: float32, shape (len(texts), dimension), rows of unit length.
        Raises: ModelOutOfBudget, if there is no room for a single text.
        """
        return self._vectors(texts, self._config.passage_prefix)

    def embed_queries(self, queries: Sequence[str]) -> Floats:
        """Embed questions, with the prefix or instruction that the model was trained with.

        Returns: float32, shape (len(queries), dimension), rows of unit length.
        Raises: ModelOutOfBudget, if there is no room for a single question.
        """
        return self._vectors(queries, self._config.query_prefix)

    def embed_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """Embed every token that is of the text itself, read as a passage.

        Returns: one float32 array per text, shape (n_tokens, dimension), rows of unit length.
        Raises: ModelOutOfBudget, if there is no room for a single text.
        """
        tokens: list[Floats] = [np.zeros((0, self.dimension), np.float32)] * len(texts)
        for batch in self._batches(texts, self._config.passage_prefix):
            states = np.array(batch.states)
            for row, (place, text) in enumerate(zip(batch.places, batch.texts, strict=True)):
                tokens[place] = _unit_rows(states[row, text.own])
        return tokens

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Say where the tokens of `embed_tokens` stand in their texts."""
        return self._tokenizer.spans(texts, self._config.passage_prefix)

    def weight_bytes(self) -> int:
        """Bytes of all parameters."""
        return self._weight_bytes

    def cache_bytes(self) -> int:
        """Nothing is kept between calls."""
        return 0

    def drop_caches(self) -> None:
        """Nothing is kept between calls."""

    def close(self) -> None:
        """Free the weights."""
        self._network = None
        mlx_runtime.give_memory_back()

    def _vectors(self, texts: Sequence[str], prefix: str) -> Floats:
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for batch in self._batches(texts, prefix):
            lengths = np.array([len(text.ids) for text in batch.texts])
            vectors[batch.places] = np.array(_pool(batch.states, lengths, self._config.pooling))
        return _unit_rows(vectors)

    def _batches(self, texts: Sequence[str], prefix: str) -> Iterator[_Batch]:
        """Run the network over texts of similar length at a time, so that little is padding."""
        assert self._network is not None, "the model was closed"
        mx = mlx_runtime.mlx_core()
        encoded = self._tokenizer.encode(texts, prefix)
        waiting = sorted(range(len(encoded)), key=lambda place: -len(encoded[place].ids))
        while waiting:
            length = len(encoded[waiting[0]].ids)  # the longest first: none in its batch is longer
            count = self._room(length, len(waiting))
            places, waiting = waiting[:count], waiting[count:]
            members = [encoded[place] for place in places]
            ids = np.full((len(members), length), self._config.pad_id, np.int32)
            mask = np.zeros_like(ids)
            for row, member in enumerate(members):
                ids[row, : len(member.ids)] = member.ids
                mask[row, : len(member.ids)] = 1
            states = self._network(mx.array(ids), mx.array(mask)).astype(mx.float32)
            mx.eval(states)
            yield _Batch(places, members, states)

    def _room(self, length: int, waiting: int) -> int:
        """Return how many texts of so many tokens fit into a batch, having asked for the room."""
        one = _working_bytes(self._config.shape, length)
        share = self._allowance.free_bytes() // _SHARE_OF_FREE
        count = max(1, min(_MOST_TEXTS, waiting, share // one))
        self._allowance.admit(count * one, f"reading {count} texts of {length:,} tokens")
        return count


def _working_bytes(shape: Shape, length: int) -> int:
    """Return about what one text takes while the network reads it, in bytes.

    The states of a layer and its parts in float32, and the scores of every token with every
    other, which not every machine's attention avoids.
    """
    states = length * (8 * shape.hidden_size + 3 * shape.inner_size)
    scores = 2 * shape.heads * length * length
    return 4 * (states + scores)


def _pool(states: Any, lengths: NDArray[np.int_], pooling: Pooling) -> Any:
    """Return one vector a text; states: float32, shape (texts, length, size)."""
    mx = mlx_runtime.mlx_core()
    if pooling == "cls":
        return states[:, 0]
    if pooling == "last":
        return states[mx.arange(len(lengths)), mx.array(lengths - 1)]
    inside = mx.array((np.arange(states.shape[1]) < lengths[:, None]).astype(np.float32))
    return (states * inside[:, :, None]).sum(axis=1) / inside.sum(axis=1)[:, None]


def _unit_rows(rows: Floats) -> Floats:
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.maximum(norms, _SMALLEST_NORM), np.float32)
