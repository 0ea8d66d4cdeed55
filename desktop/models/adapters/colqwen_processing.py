"""What a ColQwen model is given for a page or a question, the same for every runtime.

Reproduces the processors of colpali-engine 0.3.18 (`process_images`, `process_queries`)
without importing it, torch or transformers: the picture is scaled as Pillow does it, which
is how the published models were trained, cut into patches that lie in groups of those which
the model merges, and stands inside a fixed instruction; a question is followed by ten tokens
in which the model can write what it adds to the words.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from pydantic import BaseModel, ConfigDict, Field
from tokenizers import Tokenizer

from desktop.models.errors import ModelDamaged

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.models.adapters.colqwen_config import ColQwenConfig


Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

IMAGE_TOKEN = "<|image_pad|>"
_BEFORE_IMAGE = "<|im_start|>user\n<|vision_start|>"
_AFTER_IMAGE = "<|vision_end|>Describe the image.<|im_end|><|endoftext|>"
AUGMENTATION_TOKEN = "<|endoftext|>"
AUGMENTATION_LENGTH = 10

# No question is that long; a pasted document must not take a model's whole memory.
MOST_QUESTION_TOKENS = 1024
# What ColQwen was trained with, for settings that leave it open.
_MOST_PATCH_TOKENS = 768
_LEAST_PATCH_TOKENS = 4


class _Settings(BaseModel):
    # The file has many fields more, for other programs.
    model_config = ConfigDict(extra="ignore", frozen=True)

    min_pixels: int = Field(ge=1)
    max_pixels: int = Field(ge=1)
    rescale_factor: float = Field(default=1 / 255, gt=0)
    image_mean: tuple[float, float, float] = (0.48145466, 0.4578275, 0.40821073)
    image_std: tuple[float, float, float] = (0.26862954, 0.26130258, 0.27577711)


@dataclass(frozen=True, slots=True, eq=False)
class PageInput:
    """A page as the model takes it.

    token_ids: int64, shape (n_tokens,). patches: float32, shape (4 * rows * columns when four
    are merged, colours * frames * patch * patch). first_patch, rows, columns: the patch grid
    after merging, as in `PageVectors`.
    """

    token_ids: Ints
    patches: Floats
    first_patch: int
    rows: int
    columns: int


class ColQwenProcessor:
    """Makes model inputs of pages and questions."""

    def __init__(self, folder: Path, config: ColQwenConfig) -> None:
        """Read tokenizer.json and the image processor's settings.

        Raises: ModelDamaged.
        """
        vision = config.vision
        self._patch = vision.patch_size
        self._merge = vision.spatial_merge_size
        self._frames = vision.temporal_patch_size
        self._settings = _read_settings(folder, self._patch * self._merge)
        self._tokenizer = _read_tokenizer(folder, config)
        self._before = self._special(_BEFORE_IMAGE)
        self._after = self._special(_AFTER_IMAGE)
        self._image_id = config.image_token_id
        self._suffix = self._special(AUGMENTATION_TOKEN * AUGMENTATION_LENGTH)

    def grid(self, height: int, width: int) -> tuple[int, int]:
        """Return the rows and columns of the patch grid of a picture of so many pixels."""
        side = self._patch * self._merge
        tall, wide = fitted_size(
            height, width, side, self._settings.min_pixels, self._settings.max_pixels
        )
        return tall // side, wide // side

    def page_tokens(self, rows: int, columns: int) -> int:
        """Count the tokens of a page with such a grid, instruction included."""
        return len(self._before) + rows * columns + len(self._after)

    def page(self, picture: NDArray[np.uint8]) -> PageInput:
        """Scale a picture, RGB uint8 of shape (height, width, 3), and cut it into patches.

        Raises: ValueError, if it is empty or of another shape.
        """
        if picture.ndim != 3 or picture.shape[2] != 3 or 0 in picture.shape:
            raise ValueError(f"no RGB picture: shape {picture.shape}")
        rows, columns = self.grid(*picture.shape[:2])
        ids = [*self._before, *[self._image_id] * (rows * columns), *self._after]
        patches = self._patches(picture, rows, columns)
        return PageInput(np.array(ids, np.int64), patches, len(self._before), rows, columns)

    def question(self, text: str) -> Ints:
        """Tokenize a question; its words never count as special tokens. A long one is cut."""
        self._tokenizer.encode_special_tokens = True
        ids = self._tokenizer.encode(text).ids[:MOST_QUESTION_TOKENS]
        return np.array([*ids, *self._suffix], np.int64)

    def _special(self, text: str) -> list[int]:
        self._tokenizer.encode_special_tokens = False
        return list(self._tokenizer.encode(text).ids)

    def _patches(self, picture: NDArray[np.uint8], rows: int, columns: int) -> Floats:
        patch, merge = self._patch, self._merge
        side = patch * merge
        pixels = np.ascontiguousarray(picture)
        if pixels.shape[:2] != (rows * side, columns * side):
            scaled = Image.fromarray(pixels).resize(
                (columns * side, rows * side), Image.Resampling.BICUBIC
            )
            pixels = np.asarray(scaled)
        settings = self._settings
        colours = pixels.astype(np.float32) * np.float32(settings.rescale_factor)
        colours -= np.array(settings.image_mean, np.float32)
        colours /= np.array(settings.image_std, np.float32)
        cut = colours.reshape(rows, merge, patch, columns, merge, patch, 3)
        cut = cut.transpose(0, 3, 1, 4, 6, 2, 5)  # rows, columns, merge, merge, colour, y, x
        still = np.repeat(cut[:, :, :, :, :, None], self._frames, axis=5)  # a film of one picture
        return still.reshape(rows * columns * merge * merge, -1)


def fitted_size(height: int, width: int, side: int, least: int, most: int) -> tuple[int, int]:
    """Find the height and width in pixels to which a picture is scaled.

    Both are multiples of `side`, their product lies between `least` and `most` and their ratio
    stays as near as possible: `smart_resize` of transformers' qwen2_vl, which however refuses
    pictures more than 200 times as long as wide; here they are squeezed.
    """
    tall, wide = round(height / side) * side, round(width / side) * side
    if tall * wide > most:
        shrink = math.sqrt(height * width / most)
        tall = max(side, math.floor(height / shrink / side) * side)
        wide = max(side, math.floor(width / shrink / side) * side)
    elif tall * wide < least:
        grow = math.sqrt(least / (height * width))
        tall = math.ceil(height * grow / side) * side
        wide = math.ceil(width * grow / side) * side
    longest = max(side, most // side // side * side)
    return min(tall, longest), min(wide, longest)


def _read_settings(folder: Path, side: int) -> _Settings:
    names = ("preprocessor_config.json", "processor_config.json")
    path = next((folder / name for name in names if (folder / name).is_file()), None)
    if path is None:
        raise ModelDamaged(f"{names[0]} of {folder.name} is missing")
    try:
        found = json.loads(path.read_bytes())
        written: dict[str, Any] = found.get("image_processor") or found
        size = written.get("size") or {}
        filled = {name: value for name, value in written.items() if value is not None}
        pixels = side * side
        for name, edge, tokens in (
            ("min_pixels", "shortest_edge", _LEAST_PATCH_TOKENS),
            ("max_pixels", "longest_edge", _MOST_PATCH_TOKENS),
        ):
            filled.setdefault(name, size.get(edge) or size.get(name) or tokens * pixels)
        return _Settings.model_validate(filled)
    except (OSError, ValueError, AttributeError) as error:
        raise ModelDamaged(f"{path.name} of {folder.name} cannot be used: {error}") from error


def _read_tokenizer(folder: Path, config: ColQwenConfig) -> Tokenizer:
    path = folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing more special
        raise ModelDamaged(f"{path.name} of {folder.name} is missing or damaged") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    if tokenizer.token_to_id(IMAGE_TOKEN) != config.image_token_id:
        raise ModelDamaged(f"{path.name} of {folder.name} and its config.json do not match")
    if max(tokenizer.get_vocab().values()) >= config.text.vocab_size:
        raise ModelDamaged(f"{path.name} of {folder.name} has more tokens than the model")
    return tokenizer
