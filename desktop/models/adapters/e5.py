"""The built-in text model, multilingual-e5-small taught about manuals, on onnxruntime.

It embeds texts, and reads two texts together as a cross-encoder: does this passage of a
manual answer the question (`reranking.bin`); do two statements agree, contradict, or
neither (`comparing.bin`)? One thread at a time may use it.
"""

from __future__ import annotations

import json
import math
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, Final
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from desktop.models import text_model
from desktop.models.adapters.e5_packed import BEGIN, END
from desktop.models.inference_thread import leave_out_of_garbage

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


Floats = NDArray[np.float32]

_MOST_CHARACTERS = 20_000  # fills the model whatever its words are: a pasted book is not read whole
_SMALLEST_NORM = np.float32(1e-12)
_PREFIX: Final = "query:"
"""The model was taught that a text begins so; questions and passages are read alike here."""


class _Tokenizer:
    """Turns texts into tokens: 60 MB of memory, so all `TextReader`s share one."""

    _loaded: ClassVar[WeakValueDictionary[Path, _Tokenizer]] = WeakValueDictionary()
    _loading: ClassVar[Lock] = Lock()

    def __init__(self, folder: Path) -> None:
        text_model.check(folder, (text_model.TOKENIZER, text_model.CHARACTERS))
        from sentencepiece import SentencePieceProcessor

        written = (folder / text_model.CHARACTERS).read_text("utf-8")
        self._spellings = str.maketrans(json.loads(written))
        self._pieces = SentencePieceProcessor(model_file=str(folder / text_model.TOKENIZER))

    @classmethod
    def of(cls, folder: Path) -> _Tokenizer:
        """Return the shared tokenizer, loaded once. Raises: ModelNotInstalled, ModelDamaged."""
        with cls._loading:
            found = cls._loaded.get(folder)
            if found is None:
                found = cls._loaded[folder] = cls(folder)
            return found

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's tokens, without special ones."""
        found: list[int] = self._pieces.encode(self._spelled(text).removeprefix(" "))
        return found

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where each token stands in the text as it is spelled: first and last + 1."""
        spelled = self._spelled(text)
        begins = int(spelled.startswith(" "))
        found = self._pieces.encode(spelled[begins:], return_type="offset_mapping")
        return [(first + begins, last + begins) for first, last in found["offsets"]]

    def _spelled(self, text: str) -> str:
        return re.sub(r"  +", " ", text[:_MOST_CHARACTERS].translate(self._spellings))


class TextReader:
    """The tokenizer and one of the graphs. Loads on first use."""

    def __init__(self, folder: Path, graph: str, threads: int) -> None:
        """Note the folder of `text_model.INSTALLED`. threads: texts read side by side."""
        self._folder = folder
        self._graph = graph
        self._threads = threads
        self._loaded: tuple[_Tokenizer, Any] | None = None

    def ids(self, texts: Sequence[str], most: int) -> list[list[int]]:
        """Return the ids of each text's first tokens, without special ones."""
        tokenizer = self.load()[0]
        return [tokenizer.ids(text)[:most] for text in texts]

    def spans(self, texts: Sequence[str], most: int) -> list[list[tuple[int, int]]]:
        """Return where each text's first tokens stand in it: first and last + 1."""
        tokenizer = self.load()[0]
        return [tokenizer.spans(text)[:most] for text in texts]

    def run(self, texts: Sequence[Sequence[int]], threads: int = 0) -> list[Floats]:
        """Return the states of all tokens of each text, shape (tokens, 384).

        Each text runs by itself: numbers are rounded to 8 bits by the largest one of a
        run, so in a batch a text's vector would depend on its neighbours. This costs an
        eighth of the time.

        texts: ids of tokens, special ones included. threads: texts read side by side, 0
        for the usual number.
        """
        _, session = self.load()

        def states(ids: Sequence[int]) -> Floats:
            found: Floats = session.run(None, {"ids": np.array([ids], np.int64)})[0][0]
            return found

        threads = min(threads or self._threads, len(texts))
        if threads <= 1:
            return [states(ids) for ids in texts]
        longest_first = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
        with ThreadPoolExecutor(threads, thread_name_prefix="groundwork-reads") as pool:
            read = pool.map(states, [texts[place] for place in longest_first])
            found = dict(zip(longest_first, read, strict=True))  # so threads end together
        return [found[place] for place in range(len(texts))]

    def close(self) -> None:
        """Free the weights; the next use reads them again."""
        self._loaded = None

    @property
    def loaded(self) -> bool:
        """Whether the files have been read."""
        return self._loaded is not None

    def load(self) -> tuple[_Tokenizer, Any]:
        """Return tokenizer and graph, read once. Raises: ModelNotInstalled, ModelDamaged."""
        if self._loaded is None:
            # either takes a third of a second, and the first question waits for both
            with ThreadPoolExecutor(1, thread_name_prefix="groundwork-loads") as pool:
                session = pool.submit(self._checked_graph)
                self._loaded = (_Tokenizer.of(self._folder), session.result())
            leave_out_of_garbage(TextReader)
        return self._loaded

    def _checked_graph(self) -> Any:
        text_model.check(self._folder)
        import onnxruntime

        options = onnxruntime.SessionOptions()
        # texts side by side come to an end sooner than threads that share one text
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # without VNNI, x86 adds products of 8 bits in 16: sums of large ones were cut, which moved
        # odds by 1 and more; it multiplies in a way that cannot overflow then, 1.2 times as slow
        options.add_session_config_entry("session.x64quantprecision", "1")
        return onnxruntime.InferenceSession(
            str(self._folder / self._graph), options, providers=["CPUExecutionProvider"]
        )


MOST_OF_QUESTION: Final = 40
MOST_OF_UNIT: Final = 120
"""Tokens that the reranker reads of each text, as when it learnt."""


class E5:
    """Satisfies `TextEmbedder`. Loads on first use."""

    model_id = text_model.MODEL_ID
    dimension = text_model.DIMENSION

    def __init__(self, folder: Path, threads: int = 1, threads_of_question: int = 0) -> None:
        """As `TextReader`. threads_of_question: while a person waits, 0 for `threads`."""
        self._reader = TextReader(folder, text_model.GRAPH, threads)
        most = MOST_OF_QUESTION, MOST_OF_UNIT
        self._reranker = _CrossEncoder(
            folder, text_model.RERANKING_GRAPH, text_model.RERANKER, most, threads
        )
        self._threads_of_question = threads_of_question
        self._asked: dict[str, Floats] = {}

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts: the mean over their tokens, scaled to unit length.

        Returns: float32, shape (len(texts), 384).
        Raises: ModelNotInstalled, ModelDamaged.
        """
        return self._means(self._states(texts))

    def embed_queries(self, queries: Sequence[str]) -> Floats:
        """Embed questions, read as passages are; loads the reranker too, and keeps what was read.

        Raises: ModelNotInstalled, ModelDamaged.
        """
        if not self._reranker.loaded:
            with ThreadPoolExecutor(1, thread_name_prefix="groundwork-loads") as pool:
                reranker = pool.submit(self._reranker.load)
                self._reader.load()
                reranker.result()
        states = self._states(queries, self._threads_of_question)
        self._asked = dict(zip(queries, states, strict=True))
        return self._means(states)

    def embed_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """Embed every token but the prefix and the marks of beginning and end.

        Returns: one float32 array per text, shape (n_tokens, 384), rows of unit length.
        Raises: ModelNotInstalled, ModelDamaged.
        """
        states = self._states(texts, self._threads_of_question)
        return [_unit_rows(each[self._before : -1].copy()) for each in states]

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Return where each token of `embed_tokens` stands in its text: first and last + 1.

        Exact where no character is replaced before it is read, else approximate.
        """
        return self._reader.spans(texts, self._most)

    def rerank(self, question: str, texts: Sequence[str]) -> Floats:
        """As `TextEmbedder.rerank`. Raises: ModelNotInstalled, ModelDamaged."""
        pairs = [(question, text) for text in texts]
        return self._reranker.outputs(pairs, self._threads_of_question)[:, 0]

    def close(self) -> None:
        """Free the weights; the next use reads them again."""
        self._reader.close()
        self._reranker.close()

    def _states(self, texts: Sequence[str], threads: int = 0) -> list[Floats]:
        unread = [text for text in texts if text not in self._asked]
        if not unread:
            return [self._asked[text] for text in texts]
        ids = self._reader.ids(unread, self._most)
        read = self._reader.run([[BEGIN, *self._prefix, *each, END] for each in ids], threads)
        known = {**self._asked, **dict(zip(unread, read, strict=True))}
        return [known[text] for text in texts]

    def _means(self, states: Sequence[Floats]) -> Floats:
        vectors = np.zeros((len(states), self.dimension), np.float32)
        for vector, each in zip(vectors, states, strict=True):
            vector[:] = each.mean(axis=0)
        return _unit_rows(vectors)

    @property
    def _most(self) -> int:
        """How many tokens of a text are read."""
        return text_model.MAX_TOKENS - 1 - self._before

    @property
    def _before(self) -> int:
        """How many tokens stand before a text's own."""
        return 1 + len(self._prefix)

    @cached_property
    def _prefix(self) -> list[int]:
        return self._reader.ids([_PREFIX], text_model.MAX_TOKENS)[0]


def _unit_rows(rows: Floats) -> Floats:
    rows /= np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), _SMALLEST_NORM)
    return rows


_APART: Final = np.float32(4.0)


class _CrossEncoder:
    """Reads two texts together; a small head over the means of both gives the outputs."""

    def __init__(
        self, folder: Path, graph: str, taught: str, most: tuple[int, int], threads: int
    ) -> None:
        """Note the files; taught: has the head. most: tokens read of the first and second text."""
        self._reader = TextReader(folder, graph, threads)
        self._taught = taught
        self._most = most
        self._head: dict[str, Floats] = {}

    def outputs(self, pairs: Sequence[tuple[str, str]], threads: int = 0) -> Floats:
        """Return the head's (len(pairs), outputs). Raises: ModelNotInstalled, ModelDamaged."""
        most, most_of_second = self._most
        self.load()
        head = self._head
        first = self._reader.ids([one for one, _ in pairs], most)
        second = self._reader.ids([other for _, other in pairs], most_of_second)
        read = list(zip(first, second, strict=True))
        runs = self._reader.run(
            [[BEGIN, *one, END, END, *other, END] for one, other in read], threads
        )
        found = np.zeros((len(pairs), len(head["b.bias"])), np.float32)
        for row, (states, (one, other)) in enumerate(zip(runs, read, strict=True)):
            seen = _seen(states, len(one), len(other))
            hidden = _gelu(head["a.weight"] @ seen + head["a.bias"])
            found[row] = head["b.weight"] @ hidden + head["b.bias"]
        return found

    @property
    def loaded(self) -> bool:
        """Whether the files have been read."""
        return bool(self._head) and self._reader.loaded

    def load(self) -> None:
        """Read the files, unless that has been done. Raises: ModelNotInstalled, ModelDamaged."""
        self._reader.load()
        self._head = self._head or self._read_head()

    def close(self) -> None:
        """Free the weights; the next use reads them again."""
        self._reader.close()

    def _read_head(self) -> dict[str, Floats]:
        from safetensors.numpy import load_file

        prefix = "head."
        learnt = load_file(text_model.adapter_folder() / self._taught)
        return {
            name.removeprefix(prefix): values.astype(np.float32)
            for name, values in learnt.items()
            if name.startswith(prefix)
        }


def _seen(states: Floats, first: int, second: int) -> Floats:
    """Return a head's input. states: of all tokens; first, second: token counts of the texts."""
    one = states[1 : 1 + first].sum(axis=0) / max(first, 1)
    other = states[first + 3 : first + 3 + second].sum(axis=0) / max(second, 1)
    return np.concatenate([one, other, np.abs(one - other) * _APART, states[0]])


MOST_OF_MANUAL: Final = 150
MOST_OF_SAID: Final = 70
"""Tokens that are read of each text; the longest pairs it learnt from had as many."""


class E5Comparer:
    """Satisfies `StatementComparer`. Loads on first use."""

    def __init__(self, folder: Path, threads: int = 1) -> None:
        """Note the folder of `text_model.INSTALLED`. threads: pairs read side by side."""
        most = MOST_OF_MANUAL, MOST_OF_SAID
        self._encoder = _CrossEncoder(
            folder, text_model.COMPARING_GRAPH, text_model.COMPARER, most, threads
        )

    def compare(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Compare pairs: `StatementComparer.compare`. Raises: ModelNotInstalled, ModelDamaged."""
        scores = self._encoder.outputs(pairs)
        powers: Floats = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
        chances: Floats = powers / powers.sum(axis=1, keepdims=True)
        return chances

    def close(self) -> None:
        """Free the weights; the next use reads them again."""
        self._encoder.close()


def _gelu(values: Floats) -> Floats:
    """Return the Gaussian error linear unit (Hendrycks and Gimpel, arXiv:1606.08415)."""
    shares = [0.5 * (1 + math.erf(value / math.sqrt(2))) for value in values.tolist()]
    return values * np.array(shares, np.float32)
