"""The built-in text model, multilingual-e5-small taught of manuals, on onnxruntime.

One thread at a time may use it.
"""

from __future__ import annotations

import gc
import json
import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from desktop.models import text_model
from desktop.models.adapters.text.e5_packed import BEGIN, END

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Floats = NDArray[np.float32]

_MOST_CHARACTERS = 20_000  # fills the model whatever its words are: a pasted book is not read whole
_SMALLEST_NORM = np.float32(1e-12)
_PREFIX: Final = "query:"
"""The model was taught that a text begins so; questions and passages are read alike here."""
_SPACES = re.compile(r"  +")


class E5:
    """Satisfies `TextEmbedder`. Loads at the first use."""

    model_id = text_model.MODEL_ID
    dimension = text_model.DIMENSION

    def __init__(self, folder: Path, threads: int = 1) -> None:
        """Remember where the files are.

        folder: holds the files of `text_model.INSTALLED`. threads: cores that a run may use.
        """
        self._folder = folder
        self._threads = threads
        self._loaded: tuple[Any, Any] | None = None
        self._spellings: dict[int, str] = {}
        self._prefix: list[int] = []

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts: the mean over their tokens, scaled to unit length.

        Returns: float32, shape (len(texts), 384).
        Raises: ModelNotInstalled, ModelDamaged.
        """
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for index, states in self._states(texts):
            vectors[index] = states.mean(axis=0)
        return _unit_rows(vectors)

    def embed_queries(self, queries: Sequence[str]) -> Floats:
        """Embed questions: they are read as passages are.

        Returns: float32, shape (len(queries), 384).
        Raises: ModelNotInstalled, ModelDamaged.
        """
        return self.embed(queries)

    def embed_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """Embed every token but the prefix and the marks of beginning and end.

        Returns: one float32 array per text, shape (n_tokens, 384), rows of unit length.
        Raises: ModelNotInstalled, ModelDamaged.
        """
        tokens: list[Floats] = [np.zeros((0, self.dimension), np.float32)] * len(texts)
        for index, states in self._states(texts):
            tokens[index] = _unit_rows(states[1 + len(self._prefix) : -1].copy())
        return tokens

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Return where each token of `embed_tokens` stands in its text: first and last + 1.

        Exact where no character is written otherwise before it is read, else near.
        """
        tokenizer, _ = self._load()
        most = text_model.MAX_TOKENS - 2 - len(self._prefix)
        encoded = tokenizer.encode_batch(
            [self._spelled(t) for t in texts], add_special_tokens=False
        )
        return [encoding.offsets[:most] for encoding in encoded]

    def _states(self, texts: Sequence[str]) -> Iterator[tuple[int, Floats]]:
        """Run the model on each text by itself.

        Numbers are rounded to 8 bits by the largest one of a run: together, a text's vector would
        depend on its neighbours. It costs an eighth of the time.
        """
        if not texts:
            return
        tokenizer, session = self._load()
        spelled = [self._spelled(text) for text in texts]
        most = text_model.MAX_TOKENS - 2 - len(self._prefix)
        for index, encoding in enumerate(tokenizer.encode_batch(spelled, add_special_tokens=False)):
            ids = np.array([[BEGIN, *self._prefix, *encoding.ids[:most], END]], np.int64)
            (states,) = session.run(None, {"ids": ids})
            yield index, states[0]

    def _spelled(self, text: str) -> str:
        return _SPACES.sub(" ", text[:_MOST_CHARACTERS].translate(self._spellings))

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            text_model.check(self._folder)
            import onnxruntime
            from tokenizers import Tokenizer

            written = (self._folder / text_model.CHARACTERS).read_text("utf-8")
            self._spellings = str.maketrans(json.loads(written))
            tokenizer = Tokenizer.from_file(str(self._folder / text_model.TOKENIZER))
            self._prefix = tokenizer.encode(_PREFIX, add_special_tokens=False).ids
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = self._threads
            options.inter_op_num_threads = 1
            # a thread that waits must not spin on a core that the window or the parser needs
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
            session = onnxruntime.InferenceSession(
                str(self._folder / text_model.GRAPH), options, providers=["CPUExecutionProvider"]
            )
            self._loaded = (tokenizer, session)
            # The program is up by now. What is left out of later collections of garbage does not
            # hold up a question: one in twenty took 8 to 15 ms longer.
            gc.freeze()
        return self._loaded


def _unit_rows(rows: Floats) -> Floats:
    rows /= np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), _SMALLEST_NORM)
    return rows
