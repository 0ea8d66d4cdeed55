"""Which files belong to a model, and which names are safe to write to a disk.

A model is its top-level files, and the small folders that sentence-transformers and chat
templates put beside them. Everything else in a downloaded folder (pickles, code, other
formats) is never copied, so it can never run.
"""

from __future__ import annotations

import re
import unicodedata
from enum import Enum, auto

MANIFEST_NAME = "groundwork-model.json"
INDEX_SUFFIX = ".safetensors.index.json"

_PART_FOLDER = re.compile(r"\d{1,2}_[A-Za-z]{1,40}|additional_chat_templates")
_TEXT_NAMES = frozenset({"tokenizer.model", "merges.txt", "vocab.txt", "readme.md"})
_TEXT_SUFFIXES = (".json", ".jinja")
_LEGAL = re.compile(r"(license|licence|notice|copying)([._-][\w.-]*)?", re.IGNORECASE)
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib", ".npy", ".npz")
_OTHER_FORMATS = (".gguf", ".ggml", ".onnx", ".h5", ".msgpack", ".tflite", ".mlmodel", ".ot")
_CODE = (".py", ".pyc", ".so", ".dylib", ".dll", ".exe", ".sh", ".command", ".jar", ".js")
_LONGEST_PART, _LONGEST_NAME = 255, 1000


class FileUse(Enum):
    """What becomes of a file in a model's folder."""

    WEIGHTS = auto()
    TEXT = auto()  # settings, tokenizer, chat template, licence
    LEFT_OUT = auto()  # pictures, notes, system files: nobody misses them
    UNSAFE = auto()  # pickles, code, weights in other formats: not copied, and said


def use_of(name: str) -> FileUse:
    """Decide what becomes of a file by its name, relative to the model's folder, with `/`."""
    *folders, base = name.split("/")
    if is_junk(name):
        return FileUse.LEFT_OUT
    lower = base.lower()
    if lower.endswith((*_PICKLES, *_OTHER_FORMATS, *_CODE)):
        return FileUse.UNSAFE
    if len(folders) > 1 or not all(is_part_folder(folder) for folder in folders):
        return FileUse.LEFT_OUT
    if lower.endswith(".safetensors"):
        return FileUse.WEIGHTS
    if lower.endswith(_TEXT_SUFFIXES) or lower in _TEXT_NAMES:
        return FileUse.TEXT
    legal = _LEGAL.fullmatch(base) and not lower.endswith((".html", ".pdf"))
    return FileUse.TEXT if legal else FileUse.LEFT_OUT


def is_part_folder(name: str) -> bool:
    """Whether files in a folder of this name can belong to the model."""
    return _PART_FOLDER.fullmatch(name) is not None


def is_junk(name: str) -> bool:
    """Whether a system put this file there: .DS_Store, ._weights of a USB stick, __MACOSX."""
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


def other_format(names: list[str]) -> str:
    """Say in which form a folder without safetensors holds its weights; empty if in none."""
    for name in names:
        lower = name.lower()
        if lower.endswith(_PICKLES):
            return f"{name} is a pickle, which can run code when it is opened"
        if lower.endswith(_OTHER_FORMATS):
            return f"{name} is in a format of other programs"
    return ""


def fault_of_name(name: str) -> str:
    """Say why a file name from outside must not be used; empty if it may.

    Returns: the end of a sentence that begins with the name.
    """
    if not name or len(name) > _LONGEST_NAME:
        return "is empty or too long"
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        return "has characters that no file name may have"
    if name.startswith(("/", "~")) or "\\" in name or ":" in name:
        return "is not a plain name inside the model's folder"
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "points outside of the model's folder"
    if any(len(part.encode()) > _LONGEST_PART for part in parts):
        return "is too long"
    return ""


def same_on_a_mac(name: str) -> str:
    """Return the form in which two names are the same file where case does not count."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
