"""What this package asks of others: a text model, a structurer, a database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import apsw
    import numpy as np
    from numpy.typing import NDArray

ConnectionFactory = Callable[[], "apsw.Connection"]
"""Opens one more connection to the same database, with sqlite-vec loaded and its durability
set. Called from any thread; whoever asked closes the connection."""


class TextVectors(Protocol):
    """Turns short texts into vectors whose dot product is their similarity."""

    @property
    def model_id(self) -> str:
        """Name and revision, stored beside every vector it made."""

    @property
    def dimension(self) -> int:
        """Length of each vector, a multiple of 8."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages: float32, shape (len(texts), dimension), rows of unit length."""

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, to be compared with what `embed` makes of passages.

        Raises: VectorsUnavailable; the search then goes by words.
        """


@dataclass(frozen=True, slots=True)
class StructuringRequest:
    """One attempt at structuring a text.

    instructions: what to make of it, free of credentials. text: what a person wrote.
    fault: what was wrong with the attempt before, "" at the first.
    """

    instructions: str
    text: str
    fault: str = ""


class Structurer(Protocol):
    """Makes knowledge out of free text: a language model, or rules."""

    def structure(self, request: StructuringRequest) -> str:
        """Return JSON of metadata, pieces and graph; the caller checks it and asks again."""
