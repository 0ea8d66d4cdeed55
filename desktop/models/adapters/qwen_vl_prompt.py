"""The tokens and the patches that a Qwen vision model is given for one picture and one question.

Plain numpy and Pillow, so that no image processor of transformers, and no torchvision, is
needed. The layout of the patches is that of Qwen2-VL (arXiv:2409.12191, section 2.1):
patches in groups of `merge` x `merge`, each group becoming one token.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from PIL import Image
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop.models.adapters import torch_runtime
from desktop.models.answer_text import AnswerText, StopWords, TagSplitter
from desktop.models.errors import ModelDamaged
from desktop.models.safetensors_file import read_settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop.models.generation import VisionRequest


MOST_TOKENS = 2560
"""Of one picture: an A4 page at about 160 dots an inch. The models would take 16,384."""

_LEGIBLE_TOKENS = 768  # a smaller cut-out is enlarged to about so many
_MOST_ENLARGED = 4.0  # a side, times; beyond that there is nothing more to see

_Size = Annotated[int, Field(ge=1, le=256)]
_Pixels = Annotated[int, Field(ge=1)]
_Colour = tuple[float, float, float]


class PictureSettings(BaseModel):
    """What a model's preprocessor_config.json says; it has more fields than are read here.

    patch_size: pixels, a side. merge_size: patches of a token, a side. temporal_patch_size:
    frames of a patch; a still picture is repeated.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    patch_size: _Size
    merge_size: _Size = 2
    temporal_patch_size: _Size = 2
    min_pixels: _Pixels = 56 * 56
    max_pixels: _Pixels = 28 * 28 * 1280
    image_mean: _Colour = (0.5, 0.5, 0.5)
    image_std: _Colour = (0.5, 0.5, 0.5)
    rescale_factor: float = Field(default=1 / 255, gt=0)

    @property
    def token_side(self) -> int:
        """Pixels, a side, that one token sees."""
        return self.patch_size * self.merge_size

    @classmethod
    def read(
        cls, folder: Path, tower: Mapping[str, int], usual: Mapping[str, Any] | None = None
    ) -> PictureSettings:
        """Read a model folder, `usual` where it says nothing; its vision tower's sizes come first.

        Raises: ModelDamaged, if no file says how pictures are prepared.
        """
        values: dict[str, Any] = {}
        for name in ("preprocessor_config.json", "processor_config.json"):
            values |= _picture_part(folder, name)
        if not values:
            raise ModelDamaged("preprocessor_config.json is missing")
        try:
            return cls.model_validate({**(usual or {}), **values, **tower})
        except ValidationError as error:
            raise ModelDamaged(
                "preprocessor_config.json cannot be used: {error}", error=error
            ) from error


def _picture_part(folder: Path, name: str) -> dict[str, Any]:
    values = read_settings(folder, name)
    try:
        if name == "processor_config.json":
            values = values.get("image_processor") or {}
        size = values.get("size") or {}
        edges = {
            "min_pixels": size.get("shortest_edge") or size.get("min_pixels"),
            "max_pixels": size.get("longest_edge") or size.get("max_pixels"),
        }
    except AttributeError as error:
        raise ModelDamaged("{name} cannot be read", name=name) from error
    given = {key: value for key, value in values.items() if value is not None}
    return {key: value for key, value in edges.items() if value is not None} | given


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """A picture ready for the vision tower.

    pixels: float32, shape (rows * columns, 3 * frames * patch * patch). rows, columns: of
    patches, multiples of the merge size.
    """

    pixels: NDArray[np.float32]
    rows: int
    columns: int


def cut_out(
    image: NDArray[np.uint8], region: tuple[int, int, int, int] | None
) -> NDArray[np.uint8]:
    """Return the part of a picture in `region`, pixels, or all of it. Raises: ValueError."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or image.size == 0:
        raise ValueError("a picture is an array of uint8 with the shape (height, width, 3)")
    if region is None:
        return image
    x0, y0, x1, y1 = region
    height, width = image.shape[:2]
    if not (0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height):
        raise ValueError(f"the region {region} is empty or outside of {width} x {height} pixels")
    return image[y0:y1, x0:x1]


def grid(height: int, width: int, settings: PictureSettings) -> tuple[int, int]:
    """Return the rows and columns of patches of a picture of so many pixels.

    A large page shrinks to `MOST_TOKENS` or the model's own limit; a small cut-out grows, so
    that its text is no smaller than on a whole page.
    """
    side = settings.token_side
    area = side * side
    most = max(min(settings.max_pixels, MOST_TOKENS * area), area)
    legible = min(_LEGIBLE_TOKENS * area, most)
    pixels = height * width
    wanted = min(max(pixels, min(legible, pixels * _MOST_ENLARGED**2)), most)
    wanted = max(wanted, min(settings.min_pixels, most))
    scale = math.sqrt(wanted / pixels)
    rows, columns = (max(1, round(length * scale / side)) for length in (height, width))
    while rows * columns * area > most and rows * columns > 1:
        rows, columns = (rows, columns - 1) if columns >= rows else (rows - 1, columns)
    return rows * settings.merge_size, columns * settings.merge_size


def patches(image: NDArray[np.uint8], settings: PictureSettings) -> Patches:
    """Scale a picture, RGB, uint8, shape (height, width, 3), and lay it out in patches."""
    rows, columns = grid(image.shape[0], image.shape[1], settings)
    return Patches(laid_out(image, rows, columns, settings), rows, columns)


def laid_out(
    image: NDArray[np.uint8], rows: int, columns: int, settings: PictureSettings
) -> NDArray[np.float32]:
    """Scale an RGB picture by Pillow to a grid of patches, those of a token one after the other.

    Returns: shape (rows * columns, 3 * frames * patch * patch).
    """
    patch, merge = settings.patch_size, settings.merge_size
    height, width = rows * patch, columns * patch
    if (height, width) != image.shape[:2]:
        picture = Image.fromarray(np.ascontiguousarray(image))
        image = np.asarray(picture.resize((width, height), Image.Resampling.BICUBIC))
    values = image.astype(np.float32) * np.float32(settings.rescale_factor)
    values -= np.array(settings.image_mean, np.float32)
    values /= np.array(settings.image_std, np.float32)

    blocks = values.reshape(rows // merge, merge, patch, columns // merge, merge, patch, 3)
    # to (row group, column group, row, column, colour, y, x): a token's patches together
    blocks = blocks.transpose(0, 3, 1, 4, 6, 2, 5)
    frames = np.repeat(blocks[..., None, :, :], settings.temporal_patch_size, axis=-3)
    return frames.reshape(rows * columns, -1)


_THINKING = "<think>"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt in tokens.

    ids: with one image token per group of patches, those of
    `ids[image_start:image_start + image_tokens]`. thinks: whether it ends inside the
    reasoning.
    """

    ids: tuple[int, ...]
    image_start: int
    image_tokens: int
    thinks: bool


class PromptWriter:
    """The tokenizer and chat template of a model folder."""

    def __init__(self, folder: Path, image_token_id: int, vocabulary: int) -> None:
        """Read the tokenizer's files; no code of the folder is run.

        Sets `tokenizer`, a `tokenizers.Tokenizer`. vocabulary: how many tokens the
        model knows.

        Raises: ModelDamaged, if they are missing or do not belong to a vision model.
        """
        torch_runtime.prepare()
        from transformers import AutoTokenizer

        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(
                str(folder), local_files_only=True, trust_remote_code=False
            )
            self._tokenizer.chat_template = _chat_template(folder) or self._tokenizer.chat_template
            self.tokenizer = self._tokenizer.backend_tokenizer
        # what a damaged file raises depends on which of them it is
        except Exception as error:
            raise ModelDamaged(
                "the tokenizer of {name} cannot be read", name=folder.name
            ) from error
        if not self._tokenizer.chat_template:
            raise ModelDamaged("chat_template.jinja is missing")
        if max(self._tokenizer.get_vocab().values()) >= vocabulary:
            raise ModelDamaged("tokenizer.json has more tokens than the model")
        self._image_id = image_token_id
        self._added = sorted(self._tokenizer.get_added_vocab(), key=len, reverse=True)
        self._silent = {
            index
            for token, index in self._tokenizer.get_added_vocab().items()
            if self._tokenizer.added_tokens_decoder[index].special and "think" not in token
        }

    def end_ids(self, folder: Path, config: dict[str, Any]) -> frozenset[int]:
        """The tokens that end an answer, wherever the folder names them."""
        ids: set[Any] = set()
        sources = (
            config,
            config.get("text_config") or {},
            read_settings(folder, "generation_config.json"),
        )
        for source in sources:
            found = source.get("eos_token_id")
            ids.update(found if isinstance(found, list) else [found])
        ids.add(self._tokenizer.eos_token_id)
        return frozenset(index for index in ids if isinstance(index, int))

    def write(self, request: VisionRequest, image_tokens: int) -> Prompt:
        """Put picture, question and instructions into the chat format. Raises: ModelDamaged."""
        messages: list[dict[str, Any]] = []
        if request.instructions:
            messages.append({"role": "system", "content": self._as_data(request.instructions)})
        question = {"type": "text", "text": self._as_data(request.question)}
        messages.append({"role": "user", "content": [{"type": "image"}, question]})
        text = self._tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=True
        )
        ids = self._tokenizer.encode(text, add_special_tokens=False)
        if ids.count(self._image_id) != 1:
            raise ModelDamaged("the chat template has no place for a picture")
        start = ids.index(self._image_id)
        ids[start : start + 1] = [self._image_id] * image_tokens
        return Prompt(tuple(ids), start, image_tokens, text.rstrip().endswith(_THINKING))

    def text(self, prompt: Prompt) -> AnswerText:
        """Return the object that reads the tokens written after a prompt."""
        characters = _Characters(self.tokenizer, self._silent)
        return AnswerText(characters, TagSplitter(inside=prompt.thinks), StopWords(()))

    def _as_data(self, text: str) -> str:
        """Break up what the tokenizer would take for a control token, such as a turn's end."""
        for token in self._added:
            if token in text:
                text = text.replace(token, f"{token[0]} {token[1:]}")
        return text


class _Characters:
    """Satisfies `Detokenizer`; a character that is never completed is left out."""

    def __init__(self, tokenizer: Any, silent: set[int]) -> None:
        from tokenizers.decoders import DecodeStream

        self._tokenizer = tokenizer
        self._silent = silent
        self._stream = DecodeStream(skip_special_tokens=False)
        self._segment = ""

    @property
    def last_segment(self) -> str:
        """The text since this was last read."""
        segment, self._segment = self._segment, ""
        return segment

    def add_token(self, token: int) -> None:
        """Take the next token."""
        if token not in self._silent:
            self._segment += self._stream.step(self._tokenizer, token) or ""

    def finalize(self) -> None:
        """Half a character is no text."""


def _chat_template(folder: Path) -> str | None:
    """The picture's place is in the processor's template, which older models keep apart."""
    template = read_settings(folder, "chat_template.json").get("chat_template")
    return template if isinstance(template, str) else None
