"""What the core may ask of a model, and the manager of an adapter, as Protocols of plain values.

Whoever holds a role may call it from any thread but the UI's; the call waits for its turn on the
inference thread, and for the model to be loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from desktop.models.generation import (
    Cancelled,
    GenerationPart,
    GenerationRequest,
    VisionRequest,
    never,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from desktop.models.speed import Speed

Role = Literal["language", "vision", "pages", "text", "speech"]

SPEECH_RATE = 16_000
"""Samples a second of the sound that a `SpeechRecognizer` hears."""


class LanguageModel(Protocol):
    """Decides and writes."""

    @property
    def model_id(self) -> str:
        """Name and revision, written into every trace."""

    @property
    def context_tokens(self) -> int:
        """The most tokens that prompt and output may have together."""

    @property
    def speed(self) -> Speed | None:
        """How fast it has been on this machine so far, None if it never ran here; loads nothing."""

    def count_tokens(self, text: str) -> int:
        """Count a text's tokens by the model's own tokenizer. Raises: ModelError."""

    def generate(
        self, request: GenerationRequest, cancelled: Cancelled = never
    ) -> Iterator[GenerationPart]:
        """Write an answer.

        The keys and values of a prompt's beginning are kept, so that the next request which
        begins with the same messages is read from where it differs. `cancelled` is asked
        after every prompt chunk and every token; closing the iterator cancels as well.

        Yields: parts as they are made, a `GenerationEnd` last.
        Raises: ModelNotInstalled, ModelDamaged, ModelOutOfBudget, PromptTooLong,
            SchemaNotSupported, ModelStopped.
        """


class VisionLanguageModel(Protocol):
    """Reads pictures of pages."""

    @property
    def model_id(self) -> str:
        """Name and revision, written into every trace."""

    def read(
        self, request: VisionRequest, cancelled: Cancelled = never
    ) -> Iterator[GenerationPart]:
        """Answer a question about a picture.

        Yields: parts as they are made, a `GenerationEnd` last.
        Raises: ModelNotInstalled, ModelDamaged, ModelOutOfBudget, PromptTooLong, ModelStopped;
            ValueError, if the region is empty or outside the picture.
        """


@dataclass(frozen=True, slots=True, eq=False)
class PageVectors:
    """A page for late interaction.

    vectors: float32, shape (n_tokens, dimension), rows of unit length, no padding rows;
        instruction tokens around the picture included, as the model was trained.
    rows, columns: the patch grid. The vector of the patch in `row`, `column` (top-left
        origin) is `vectors[first_patch + row * columns + column]`, and it sees that part of
        the picture, both sides divided evenly.
    """

    vectors: NDArray[np.float32]
    first_patch: int
    rows: int
    columns: int

    @property
    def patches(self) -> NDArray[np.float32]:
        """The patch vectors alone, shape (rows * columns, dimension)."""
        return self.vectors[self.first_patch : self.first_patch + self.rows * self.columns]


class PageEmbedder(Protocol):
    """Turns pictures of pages, and questions, into vectors for late interaction.

    The score of a page is the sum over the question's vectors of the greatest dot product
    with any of the page's (MaxSim; ColPali, arXiv:2407.01449).
    """

    @property
    def model_id(self) -> str:
        """Name and revision, stored with every vector it made."""

    @property
    def dimension(self) -> int:
        """Length of each vector."""

    def embed_pages(self, pages: Sequence[NDArray[np.uint8]]) -> list[PageVectors]:
        """Embed pictures of pages, RGB, uint8, as many at once as the budget allows.

        Raises: ModelNotInstalled, ModelDamaged, ModelOutOfBudget, ModelStopped.
        """

    def embed_queries(self, queries: Sequence[str]) -> list[NDArray[np.float32]]:
        """Embed questions.

        Returns: one float32 array per question, shape (n_tokens, dimension), rows of unit
            length, no padding rows.
        Raises: ModelNotInstalled, ModelDamaged, ModelOutOfBudget, ModelStopped.
        """


QuantizedPage: TypeAlias = "tuple[NDArray[np.int8], NDArray[np.float32]]"
"""A page's vectors, int8, shape (n_vectors, dimension), n_vectors at least 1, and the scale of
each, float32, (n_vectors,): a vector is its int8 row times its scale."""


class LateInteractionScorer(Protocol):
    """Compares a question with whole pages: exact MaxSim, the last stage of a page search."""

    def scores(
        self,
        question: NDArray[np.float32],
        pages: Sequence[QuantizedPage],
    ) -> NDArray[np.float32]:
        """Score pages, at least one. question: shape (n_tokens, dimension).

        Returns: float32, one score per page: the sum over the question's vectors of the greatest
            dot product with a vector of the page. Nothing else is compared, not even padding.
        Raises: ModelStopped, MemoryError.
        """


class PassageEmbedder(Protocol):
    """Turns short texts into vectors whose dot product is their similarity."""

    @property
    def model_id(self) -> str:
        """Name and revision, stored with every vector it made."""

    @property
    def dimension(self) -> int:
        """Length of each vector."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages; a longer text than the model reads is cut at its end.

        Returns: float32, shape (len(texts), dimension), rows of unit length.
        Raises: ModelNotInstalled, ModelDamaged, ModelOutOfBudget, ModelStopped.
        """

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, to be compared with the vectors that `embed` makes of passages.

        Models trained to be told which of the two a text is are told; for others it is
        `embed`.

        Returns: float32, shape (len(queries), dimension), rows of unit length.
        Raises: ModelNotInstalled, ModelDamaged, ModelOutOfBudget, ModelStopped.
        """


class TextEmbedder(PassageEmbedder, Protocol):
    """Also embeds the tokens of a text, and reads a text together with a question."""

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Embed every token of every text, for late interaction.

        Questions and passages alike, so that the same word has similar vectors in both.

        Returns: one array per text, shape (n_tokens, dimension), special tokens left
            out, rows of unit length.
        Raises: ModelNotInstalled, ModelDamaged, ModelOutOfBudget, ModelStopped.
        """

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Say where the tokens of `embed_tokens` stand: first and last + 1 of their characters.

        Runs no network. Raises: ModelNotInstalled, ModelDamaged, ModelStopped.
        """

    def rerank(self, question: str, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """Read each text together with a question: how likely is the text to answer it?

        Returns: the logarithms of the odds, float32, shape (len(texts),); None from a
            model that has not learnt this.
        Raises: ModelNotInstalled, ModelDamaged, ModelOutOfBudget, ModelStopped.
        """


class StatementComparer(Protocol):
    """Tells whether a manual's words say what somebody says, the opposite, or neither."""

    def compare(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Compare the manual's words with what is said, pair by pair.

        Returns: float32, shape (len(pairs), 3): the chances that they agree, that they
            contradict each other, and that the manual's words leave it open; rows add up to 1.
        Raises: ModelNotInstalled, ModelDamaged, ModelStopped.
        """


@dataclass(frozen=True, slots=True)
class RecognizedLine:
    """A line of text in an image: box in pixels (x0, y0, x1, y1), confidence 0 to 1.

    on_head: it could only be read upside down.
    """

    text: str
    box: tuple[float, float, float, float]
    confidence: float
    on_head: bool = False


class TextRecognizer(Protocol):
    """Reads the text in an image (OCR)."""

    def recognize(self, image: NDArray[np.uint8]) -> list[RecognizedLine]:
        """Read an RGB image, uint8, shape (height, width, 3); its lines from top to bottom."""


class SpeechRecognizer(Protocol):
    """Writes down what is spoken."""

    def transcribe(self, samples: NDArray[np.float32]) -> str:
        """Return what was said, in the language it was said in; "" for silence.

        samples: mono, float32 from -1 to 1, `SPEECH_RATE` a second, shape (n,).
            Anything beyond 30 seconds is cut off.

        Raises: ModelNotInstalled, ModelDamaged, ModelOutOfBudget, ModelStopped.
        """


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model whose files are on this machine.

    id: as in the catalogue, or made from the folder's name. family: the `model_type`
    that decides the adapter. revision: of its publisher, or the start of its weights'
    hash.
    weight_bytes: of all its safetensors files.
    """

    id: str
    role: Role
    family: str
    revision: str
    folder: Path
    weight_bytes: int

    @property
    def model_id(self) -> str:
        """Name and revision, as stored with vectors and traces."""
        return f"{self.id}@{self.revision}"


class Allowance(Protocol):
    """The memory that a loaded model may use beside its weights, on the inference thread."""

    def free_bytes(self) -> int:
        """Bytes that could be had now, idle models and caches of others counted as free."""

    def admit(self, needed_bytes: int, purpose: str) -> None:
        """Make room for so many more bytes, unloading what is idle.

        purpose: for the message, such as "the key-value cache of 9,000 tokens".
        Raises: ModelOutOfBudget.
        """


class LoadedModel(Protocol):
    """What every adapter offers beside its role, on the inference thread; here it keeps nothing."""

    def weight_bytes(self) -> int:
        """Bytes that its weights take in memory."""

    def cache_bytes(self) -> int:
        """Bytes it holds beside its weights and could drop: keys and values, features."""
        return 0

    def drop_caches(self) -> None:
        """Free what `cache_bytes` counts, as far as no running generation needs it."""
        return

    def close(self) -> None:
        """Free everything. The adapter is not used afterwards."""


Loader: TypeAlias = Callable[[InstalledModel, Allowance], Generator[float, None, LoadedModel]]
"""Loads in steps on the inference thread: yields the fraction done, returns the model.

The runtime is imported inside. Closing the generator half way frees what was loaded.
Raises: ModelDamaged, if the files do not hold together; ModelNotSupported.
"""
