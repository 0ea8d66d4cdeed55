"""all-MiniLM-L6-v2, taught of manuals, through MLX: the text embedder on Apple Silicon.

MLX arrays belong to the thread that made them, so every method must be called on one
thread, the inference thread; `close` ends it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from desktop.models import minilm_files
from desktop.models.adapters import torch_runtime
from desktop.models.adapters.mlx_runtime import give_memory_back, mlx_core
from desktop.models.adapters.text.field_adapter import taught_changes
from desktop.models.adapters.text.minilm_tokenizer import MiniLmTokenizer
from desktop.models.checksums import verify

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Floats = NDArray[np.float32]

# Texts of similar length share a batch, so that little of it is padding.
_TEXTS_PER_BATCH = 16


class MiniLmMlx:
    """Satisfies `TextEmbedder`. Loads at the first use, on the thread that uses it."""

    model_id = minilm_files.MODEL_ID
    dimension = minilm_files.DIMENSION

    def __init__(self, folder: Path) -> None:
        """Remember where the files of `minilm_files.PUBLISHED_SHA256` are."""
        self._folder = folder
        self._loaded: tuple[MiniLmTokenizer, Any] | None = None

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts: the mean over their tokens, scaled to unit length.

        Returns: float32, shape (len(texts), 384).
        Raises: ModelNotInstalled, ModelDamaged.
        """
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for members, _, output in self._batches(texts):
            vectors[members] = np.array(output.text_embeds)
        return vectors

    def embed_queries(self, queries: Sequence[str]) -> Floats:
        """Embed questions: this model reads them as it reads passages.

        Returns: float32, shape (len(queries), 384).
        Raises: ModelNotInstalled, ModelDamaged.
        """
        return self.embed(queries)

    def embed_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """Embed every token but [CLS] and [SEP].

        Returns: one float32 array per text, shape (n_tokens, 384), rows of unit length.
        Raises: ModelNotInstalled, ModelDamaged.
        """
        tokens: list[Floats] = [np.zeros((0, self.dimension), np.float32)] * len(texts)
        for members, lengths, output in self._batches(texts):
            states = np.array(output.last_hidden_state)
            states /= np.maximum(np.linalg.norm(states, axis=-1, keepdims=True), 1e-12)
            for row, (index, length) in enumerate(zip(members, lengths, strict=True)):
                tokens[index] = states[row, 1 : length - 1]
        return tokens

    def close(self) -> None:
        """Give the GPU's memory back; whoever ends the thread calls `mlx_runtime.finish`."""
        if self._loaded is None:
            return
        self._loaded = None
        give_memory_back()

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[list[int], list[int], Any]]:
        """Yield the places of a batch's texts, their token counts, and the model's output."""
        if not texts:
            return
        tokenizer, model = self._load()
        mx = mlx_core()
        encoded = tokenizer.encode(texts)
        order = sorted(range(len(texts)), key=lambda index: len(encoded[index]))
        for start in range(0, len(order), _TEXTS_PER_BATCH):
            members = order[start : start + _TEXTS_PER_BATCH]
            lengths = [len(encoded[index]) for index in members]
            ids = np.zeros((len(members), max(lengths)), np.int32)
            for row, index in enumerate(members):
                ids[row, : lengths[row]] = encoded[index]
            mask = np.arange(ids.shape[1]) < np.array(lengths)[:, None]
            output = model(
                mx.array(ids),
                attention_mask=mx.array(mask.astype(np.int32)),
                token_type_ids=mx.array(np.zeros_like(ids)),
            )
            mx.eval(output.text_embeds, output.last_hidden_state)
            yield members, lengths, output

    def _load(self) -> tuple[MiniLmTokenizer, Any]:
        if self._loaded is None:
            verify(self._folder, minilm_files.PUBLISHED_SHA256)
            mx = mlx_core()
            torch_runtime.prepare()
            from mlx.utils import tree_flatten
            from mlx_vlm.embedding_loader import load_embedding_model

            model = load_embedding_model(self._folder)
            published = dict(tree_flatten(model.parameters()))
            taught = [
                (name, published[name] + mx.array(change))
                for name, change in taught_changes().items()
            ]
            model.load_weights(taught, strict=False)
            self._loaded = (MiniLmTokenizer(self._folder), model)
        return self._loaded
