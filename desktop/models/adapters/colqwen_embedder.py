"""Pages and questions through ColQwen, in batches that fit, the same for every runtime.

The model's inputs reproduce the processors of colpali-engine 0.3.18 (`process_images`,
`process_queries`) without importing it, torch or transformers: the picture is scaled as
Pillow does it, which is how the published models were trained, cut into patches grouped
as the model merges them, and placed inside a fixed instruction; a question is followed
by ten tokens in which the model can write what it adds to the words.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from desktop.models.adapters.colqwen_config import list_weights, read_config
from desktop.models.adapters.qwen_vl_prompt import PictureSettings, laid_out
from desktop.models.errors import ModelDamaged, ModelOutOfBudget
from desktop.models.roles import LoadedModel, PageVectors
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from pathlib import Path

    from desktop.models.adapters.colqwen_config import ColQwenConfig, WeightFiles
    from desktop.models.roles import Allowance, InstalledModel


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
_MEAN = (0.48145466, 0.4578275, 0.40821073)
_STD = (0.26862954, 0.26130258, 0.27577711)


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
    """Turns pages and questions into model inputs."""

    def __init__(self, folder: Path, config: ColQwenConfig) -> None:
        """Read tokenizer.json and the image processor's settings. Raises: ModelDamaged."""
        self._settings = _read_settings(folder, config)
        self._tokenizer = _read_tokenizer(folder, config)
        self._before = self._special(_BEFORE_IMAGE)
        self._after = self._special(_AFTER_IMAGE)
        self._image_id = config.image_token_id
        self._suffix = self._special(AUGMENTATION_TOKEN * AUGMENTATION_LENGTH)

    def grid(self, height: int, width: int) -> tuple[int, int]:
        """Return the rows and columns of the patch grid of a picture of so many pixels."""
        side = self._settings.token_side
        tall, wide = fitted_size(
            height, width, side, self._settings.min_pixels, self._settings.max_pixels
        )
        return tall // side, wide // side

    def page_tokens(self, rows: int, columns: int) -> int:
        """Count the tokens of a page with such a grid, instruction included."""
        return len(self._before) + rows * columns + len(self._after)

    def page(self, picture: NDArray[np.uint8]) -> PageInput:
        """Scale a picture, RGB uint8 (height, width, 3), into patches. Raises: ValueError."""
        if picture.ndim != 3 or picture.shape[2] != 3 or 0 in picture.shape:
            raise ValueError(f"no RGB picture: shape {picture.shape}")
        rows, columns = self.grid(*picture.shape[:2])
        ids = [*self._before, *[self._image_id] * (rows * columns), *self._after]
        merge = self._settings.merge_size
        patches = laid_out(picture, rows * merge, columns * merge, self._settings)
        return PageInput(np.array(ids, np.int64), patches, len(self._before), rows, columns)

    def question(self, text: str) -> Ints:
        """Tokenize a question; its words never count as special tokens. A long one is cut."""
        self._tokenizer.encode_special_tokens = True
        ids = self._tokenizer.encode(text).ids[:MOST_QUESTION_TOKENS]
        return np.array([*ids, *self._suffix], np.int64)

    def _special(self, text: str) -> list[int]:
        self._tokenizer.encode_special_tokens = False
        return list(self._tokenizer.encode(text).ids)


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


def _read_settings(folder: Path, config: ColQwenConfig) -> PictureSettings:
    vision = config.vision
    pixels = (vision.patch_size * vision.spatial_merge_size) ** 2
    return PictureSettings.read(
        folder,
        {
            "patch_size": vision.patch_size,
            "merge_size": vision.spatial_merge_size,
            "temporal_patch_size": vision.temporal_patch_size,
        },
        {
            "min_pixels": _LEAST_PATCH_TOKENS * pixels,
            "max_pixels": _MOST_PATCH_TOKENS * pixels,
            "image_mean": _MEAN,
            "image_std": _STD,
        },
    )


def _read_tokenizer(folder: Path, config: ColQwenConfig) -> Tokenizer:
    path = folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing more special
        raise ModelDamaged(
            "{name} of {name2} is missing or damaged", name=path.name, name2=folder.name
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    if tokenizer.token_to_id(IMAGE_TOKEN) != config.image_token_id:
        raise ModelDamaged(
            "{name} of {name2} and its config.json do not match",
            name=path.name,
            name2=folder.name,
        )
    if max(tokenizer.get_vocab().values()) >= config.text.vocab_size:
        raise ModelDamaged(
            "{name} of {name2} has more tokens than the model",
            name=path.name,
            name2=folder.name,
        )
    return tokenizer


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """What a model takes at once.

    token_ids: int64, shape (rows, longest), padded on the right. lengths: int64, (rows,).
    positions: int64, shape (3, rows, longest), by time, row and column (M-RoPE).
    patches: float32, those of all pages one after the other, or None for questions.
    grids: int64, shape (rows, 3), frames, rows and columns of each page before merging.
    """

    token_ids: Ints
    lengths: Ints
    positions: Ints
    patches: Floats | None = None
    grids: Ints | None = None

    @property
    def mask(self) -> Ints:
        """1 for a token, 0 for padding, shape (rows, longest)."""
        return (np.arange(self.token_ids.shape[1]) < self.lengths[:, None]).astype(np.int64)


class ColQwenRuntime(Protocol):
    """A loaded model in one of the runtimes."""

    def run(self, batch: Batch) -> Floats:
        """Return float32 (rows, longest, dimension), padding arbitrary. Raises: MemoryError."""

    dimension: int

    def load(self, files: WeightFiles, allowance: Allowance) -> Iterator[float]:
        """Read the weights; yield the share done. Raises: ModelDamaged, ModelOutOfBudget."""

    def weight_bytes(self) -> int:
        """Bytes that the weights take in memory."""

    def page_bytes(self, patches: int, tokens: int) -> int:
        """Estimate the most memory that a page with so many patches and tokens takes."""

    def release(self) -> None:
        """Give back what the runtime keeps for the next run."""

    def close(self) -> None:
        """Free the model."""


_IMPORTED = 0.1  # of the way


def loaded(
    model: InstalledModel,
    allowance: Allowance,
    import_runtime: Callable[[], object],
    runtime_of: Callable[[ColQwenConfig], ColQwenRuntime],
) -> Generator[float, None, ColQwenEmbedder]:
    """Load a model into the runtime of `runtime_of`, whose import takes a step: a `roles.Loader`.

    Raises: ModelDamaged, ModelNotSupported, ModelOutOfBudget.
    """
    config = read_config(model.folder)
    files = list_weights(model.folder)
    processor = ColQwenProcessor(model.folder, config)
    yield 0.0
    import_runtime()
    yield _IMPORTED
    runtime = runtime_of(config)
    try:
        for done in runtime.load(files, allowance):
            yield _IMPORTED + done * (1 - _IMPORTED)
    except BaseException:  # closed half way or damaged: nothing stays
        runtime.close()
        raise
    yield 1.0
    return ColQwenEmbedder(model.model_id, runtime.dimension, config, processor, runtime, allowance)


def page_batch(pages: Sequence[PageInput], merge: int) -> Batch:
    """Put pages together. merge: patches that the model merges, along one side."""
    ids, lengths = _padded([page.token_ids for page in pages])
    positions = np.zeros((3, *ids.shape), np.int64)
    for row, page in enumerate(pages):
        positions[:, row, : lengths[row]] = page_positions(page)
    grids = [(1, page.rows * merge, page.columns * merge) for page in pages]
    patches = np.concatenate([page.patches for page in pages])
    return Batch(ids, lengths, positions, patches, np.array(grids, np.int64))


def question_batch(questions: Sequence[Ints]) -> Batch:
    """Put tokenized questions together."""
    ids, lengths = _padded(questions)
    along = np.arange(ids.shape[1], dtype=np.int64)
    return Batch(ids, lengths, np.broadcast_to(along, (3, *ids.shape)).copy())


def page_positions(page: PageInput) -> Ints:
    """Return the position of each token by time, row and column, shape (3, n_tokens).

    Words count up on all three axes. A picture's patches share the moment after the words
    before it and differ in row and column; the words after it go on where its longer side
    ends (M-RoPE of Qwen2-VL, arXiv:2409.12191).
    """
    first, rows, columns = page.first_patch, page.rows, page.columns
    after = len(page.token_ids) - first - rows * columns
    row, column = np.divmod(np.arange(rows * columns, dtype=np.int64), columns)
    patches = first + np.stack([np.zeros_like(row), row, column])
    end = first + max(rows, columns)
    before = np.broadcast_to(np.arange(first), (3, first))
    return np.concatenate([before, patches, np.broadcast_to(end + np.arange(after), (3, after))], 1)


def activation_bytes(
    config: ColQwenConfig,
    patches: int,
    tokens: int,
    *,
    item_bytes: int,
    kept_layers: int = 0,
    score_heads: int = 0,
) -> int:
    """Estimate the most memory that a page needs while it is embedded.

    A layer holds some states as wide as the model and three as wide as its middle; tower and
    decoder work one after the other. kept_layers: decoder states that stay until the end.
    score_heads: heads whose attention scores lie in memory at once. Measured on random models
    of 4 to 8 layers with pages of 200 to 768 merged patches (scripts.bench page-embedders),
    MLX on the CPU took 0.6 to 0.9 of this, torch up to 1.0; nothing was measured on a GPU.
    """
    tower, decoder = config.vision, config.text
    seen = patches * (_STATES * tower.hidden_size + 3 * tower.intermediate_size)
    read = tokens * ((_STATES + kept_layers) * decoder.hidden_size + 3 * decoder.intermediate_size)
    scores = score_heads * max(patches, tokens) ** 2
    colours = tower.in_channels * tower.temporal_patch_size * tower.patch_size**2
    return (max(seen, read) + scores) * item_bytes + 2 * 4 * patches * colours


# States as wide as the model that are alive at once: input, normed, q, k, v, their rotated
# copies, the attention's output, its projection and the sum, and what the allocator adds.
_STATES = 16


def _padded(rows: Sequence[NDArray[Any]]) -> tuple[Ints, Ints]:
    lengths = np.array([len(row) for row in rows], np.int64)
    ids = np.zeros((len(rows), int(lengths.max())), np.int64)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
    return ids, lengths


T = TypeVar("T")

# Beyond these a batch is no faster, a page alone keeps the machine busy.
_MOST_PAGES = 4
_MOST_QUESTIONS = 16


class ColQwenEmbedder(LoadedModel):
    """Satisfies `PageEmbedder`. All calls come on the inference thread."""

    def __init__(
        self,
        model_id: str,
        dimension: int,
        config: ColQwenConfig,
        processor: ColQwenProcessor,
        runtime: ColQwenRuntime,
        allowance: Allowance,
    ) -> None:
        self.model_id = model_id
        self.dimension = dimension
        self._merge = config.vision.spatial_merge_size
        self._processor = processor
        self._runtime = runtime
        self._allowance = allowance

    def embed_pages(self, pages: Sequence[NDArray[np.uint8]]) -> list[PageVectors]:
        """Embed pictures of pages, as many in a batch as the budget allows.

        Raises: ModelOutOfBudget, if there is no room for one page; ModelDamaged; ValueError, if a
            picture is empty.
        """
        needs = [self._page_bytes(page) for page in pages]

        def embed(members: list[int]) -> list[PageVectors]:
            inputs = [self._processor.page(pages[member]) for member in members]
            rows = self._rows(page_batch(inputs, self._merge))
            return [
                PageVectors(vectors, page.first_patch, page.rows, page.columns)
                for vectors, page in zip(rows, inputs, strict=True)
            ]

        return self._in_batches(needs, _MOST_PAGES, "page", embed)

    def embed_queries(self, queries: Sequence[str]) -> list[Floats]:
        """Embed questions.

        The vectors of the ten tokens that follow a question are included, as in
        colpali-engine, which scores with them too. Whatever a question has beyond 1,024
        tokens is left out.

        Raises: ModelOutOfBudget, ModelDamaged.
        """
        tokens = [self._processor.question(query) for query in queries]
        needs = [self._runtime.page_bytes(0, len(ids)) for ids in tokens]

        def embed(members: list[int]) -> list[Floats]:
            return self._rows(question_batch([tokens[member] for member in members]))

        return self._in_batches(needs, _MOST_QUESTIONS, "question", embed)

    def weight_bytes(self) -> int:
        """Bytes that the weights take in memory."""
        return self._runtime.weight_bytes()

    def drop_caches(self) -> None:
        """Let the runtime give back what it holds for its next call."""
        self._runtime.release()

    def close(self) -> None:
        """Free the model."""
        self._runtime.close()

    def _page_bytes(self, picture: NDArray[np.uint8]) -> int:
        rows, columns = self._processor.grid(*picture.shape[:2]) if picture.size else (0, 0)
        patches = rows * columns * self._merge**2
        return self._runtime.page_bytes(patches, self._processor.page_tokens(rows, columns))

    def _in_batches(
        self, needs: list[int], most: int, what: str, embed: Callable[[list[int]], list[T]]
    ) -> list[T]:
        """Embed items that need so many bytes each, similar sizes together to pad little."""
        done: dict[int, T] = {}
        waiting = sorted(range(len(needs)), key=needs.__getitem__)
        while waiting:
            members = self._fitting(waiting[:most], needs)
            purpose = f"{len(members)} {what}s" if len(members) > 1 else f"one {what}"
            try:
                # padding makes every member as large as the largest
                self._allowance.admit(len(members) * needs[members[-1]], purpose)
                done.update(zip(members, embed(members), strict=True))
            except (ModelOutOfBudget, MemoryError) as error:
                if len(members) > 1:
                    most = 1
                    continue
                if isinstance(error, ModelOutOfBudget):
                    raise
                needed, free = needs[members[0]], self._allowance.free_bytes()
                raise ModelOutOfBudget(
                    said("no memory for {purpose}", purpose=purpose), needed, free
                ) from error
            del waiting[: len(members)]
        return [done[place] for place in range(len(needs))]

    def _fitting(self, members: list[int], needs: list[int]) -> list[int]:
        free = self._allowance.free_bytes()
        count = 1
        while count < len(members) and (count + 1) * needs[members[count]] <= free:
            count += 1
        return members[:count]

    def _rows(self, batch: Batch) -> list[Floats]:
        """Run a batch; return each row without its padding, its vectors of unit length."""
        vectors = self._runtime.run(batch)
        rows = []
        for row, length in zip(vectors, batch.lengths, strict=True):
            kept = row[:length]
            norms = np.linalg.norm(kept, axis=1, keepdims=True)
            if not np.isfinite(norms).all() or not norms.all():
                raise ModelDamaged(
                    "{model_id} returns vectors that are not numbers", model_id=self.model_id
                )
            rows.append((kept / norms).astype(np.float32))
        return rows
