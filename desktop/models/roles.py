"""What the core may ask of a model, as Protocols of plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


class TextEmbedder(Protocol):
    """Turns short texts into vectors whose dot product is their similarity."""

    @property
    def model_id(self) -> str:
        """Name and revision, stored with every vector it made."""

    @property
    def dimension(self) -> int:
        """Length of each vector."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts; a longer text than the model reads is cut at its end.

        Returns: float32, shape (len(texts), dimension), rows of unit length.
        Raises: ModelNotInstalled, ModelDamaged.
        """

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Embed every token of every text, for late interaction.

        Returns: one array per text, shape (n_tokens, dimension), special tokens left
            out, rows of unit length.
        Raises: ModelNotInstalled, ModelDamaged.
        """


@dataclass(frozen=True, slots=True)
class RecognizedLine:
    """A line of text in an image: box in pixels (x0, y0, x1, y1), confidence 0 to 1."""

    text: str
    box: tuple[float, float, float, float]
    confidence: float


class TextRecognizer(Protocol):
    """Reads the text in an image (OCR)."""

    def recognize(self, image: NDArray[np.uint8]) -> list[RecognizedLine]:
        """Read an RGB image, uint8, shape (height, width, 3).

        Returns: lines from top to bottom; an empty list if there is no text.
        """
