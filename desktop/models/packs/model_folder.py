"""The folder of installed models: one folder each, named by its id, with a manifest inside.

Unfinished work has names that begin with a dot, which no id does:
`.importing-*` (a copy that is not complete), `.removing-*` (being deleted), `.replaced-ID`
(the former model while a new one takes its place), `.downloads/ID` (resumed next time).

A model is its top-level files, and the small folders that sentence-transformers and chat
templates put beside them. Everything else in a downloaded folder (pickles, code, other
formats) is never copied, so it can never run.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import unicodedata
from contextlib import contextmanager
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from desktop.models.catalogue import MODEL_ID
from desktop.models.errors import ModelDamaged, ModelNotInstalled, PackRefused, shown
from desktop.models.roles import InstalledModel, Role
from desktop.sentences import message, said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


MANIFEST_NAME = "groundwork-model.json"
INDEX_SUFFIX = ".safetensors.index.json"

_TEXT_NAMES = frozenset({"tokenizer.model", "merges.txt", "vocab.txt", "readme.md"})
_TEXT_SUFFIXES = (".json", ".jinja")
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
    legal = re.fullmatch(
        r"(license|licence|notice|copying)([._-][\w.-]*)?", lower
    ) and not lower.endswith((".html", ".pdf"))
    return FileUse.TEXT if legal else FileUse.LEFT_OUT


def is_part_folder(name: str) -> bool:
    """Whether files in a folder of this name can belong to the model."""
    return re.fullmatch(r"\d{1,2}_[A-Za-z]{1,40}|additional_chat_templates", name) is not None


def is_junk(name: str) -> bool:
    """Whether a system put this file there: .DS_Store, ._weights of a USB stick, __MACOSX."""
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


def other_format(names: list[str]) -> str:
    """Say in which format a folder without safetensors holds its weights; empty if in none."""
    for name in names:
        lower = name.lower()
        if lower.endswith(_PICKLES):
            return said("{name} is a pickle, which can run code when it is opened", name=name)
        if lower.endswith(_OTHER_FORMATS):
            return said("{name} is in another program's format", name=name)
    return ""


def fault_of_name(name: str) -> str:
    """Return why a name from outside must not be used, as what follows it, "" if it may."""
    if not name or len(name) > _LONGEST_NAME:
        return said("is empty or too long")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        return said("has characters that no file name may have")
    if name.startswith(("/", "~")) or "\\" in name or ":" in name:
        return said("is not a plain name inside the model's folder")
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return said("points outside the model's folder")
    if any(len(part.encode()) > _LONGEST_PART for part in parts):
        return said("is too long")
    return ""


def same_on_a_mac(name: str) -> str:
    """Return the form in which two names are the same file where case does not count."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


MOST_BYTES = 4 * 2**20
"""A manifest is small; a larger file under its name is not read."""

# Printed in tables and terminals, so no control characters.
_Line = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ManifestFile(_Strict):
    """One file. path: below the model's folder, with `/`. sha256: lower-case hex."""

    path: str
    bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")

    @field_validator("path")
    @classmethod
    def _belongs_to_a_model(cls, path: str) -> str:
        if fault := fault_of_name(path):
            raise ValueError(said("the name {path} {fault}", path=repr(shown(path)), fault=fault))
        if use_of(path) not in (FileUse.WEIGHTS, FileUse.TEXT):
            raise ValueError(
                said(
                    "{path} is not a safetensors, settings, tokenizer or licence file",
                    path=shown(path),
                )
            )
        return path


class Manifest(_Strict):
    """What a model is.

    role, family: as in the catalogue. revision: of its publisher, or the start of its
    weights' hash. repository, quantisation: empty if unknown.
    """

    format: Literal[1] = 1
    id: str = Field(pattern=f"^{MODEL_ID}$")
    role: Role
    family: _Line
    title: _Line
    licence: _Line
    repository: _Line = ""
    revision: _Line
    quantisation: _Line = ""
    files: tuple[ManifestFile, ...] = Field(min_length=1, max_length=10_000, strict=False)

    @field_validator("files")
    @classmethod
    def _each_once(cls, files: tuple[ManifestFile, ...]) -> tuple[ManifestFile, ...]:
        seen: set[str] = set()
        for file in files:
            name = same_on_a_mac(file.path)
            if name in seen or name == same_on_a_mac(MANIFEST_NAME):
                raise ValueError(said("{path} is listed twice", path=shown(file.path)))
            seen.add(name)
        return files

    @property
    def by_path(self) -> Mapping[str, ManifestFile]:
        """The files by their path."""
        return {file.path: file for file in self.files}

    @property
    def size_bytes(self) -> int:
        """Bytes of all files."""
        return sum(file.bytes for file in self.files)

    @property
    def weight_bytes(self) -> int:
        """Bytes of all safetensors files."""
        return sum(file.bytes for file in self.files if use_of(file.path) is FileUse.WEIGHTS)

    def to_bytes(self) -> bytes:
        """Return the manifest as it is written to `groundwork-model.json`."""
        return self.model_dump_json(indent=1).encode() + b"\n"

    @staticmethod
    def from_bytes(data: bytes) -> Manifest:
        """Read a manifest that may come from anybody. Raises: PackRefused, saying what is wrong."""
        try:
            return Manifest.model_validate_json(data)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            own = first.get("ctx", {}).get("error")
            where = ".".join(shown(str(place)) for place in first["loc"])
            what = message(own) if isinstance(own, ValueError) else first["msg"]
            raise PackRefused(
                "The file {manifest_name} is not valid: {value}{what}.",
                manifest_name=MANIFEST_NAME,
                value=where + ": " if where else "",
                what=what,
            ) from error


logger = logging.getLogger(__name__)

FOLDER_VARIABLE = "GROUNDWORK_MODELS"
"""Environment variable that puts the models elsewhere, such as on a larger disk."""

IMPORTING, REMOVING, REPLACED = ".importing-", ".removing-", ".replaced-"
_DAMAGE_NAME = ".groundwork-damage"
_LOCK_NAME = ".lock"


class FolderBusy(PackRefused):
    """Another process or thread is changing the folder of models: try again later."""


def default_models_folder() -> Path:
    """Return where this user's models are; the folder need not exist yet."""
    if chosen := os.environ.get(FOLDER_VARIABLE):
        return Path(chosen).expanduser()
    if home := os.environ.get("GROUNDWORK_HOME"):
        return Path(home).expanduser() / "models"
    return platformdirs.user_data_path("Groundwork", appauthor=False) / "models"


class ModelFolder:
    """The installed models. Reading takes no lock and needs no folder; changes do."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or default_models_folder()

    def path(self, model_id: str) -> Path:
        """Return the folder of a model, there or not. Raises: PackRefused, if that is not an id."""
        return self.root / checked_id(model_id)

    def installed(self) -> list[InstalledModel]:
        """Return the usable models, by id. Reads manifests and file sizes only."""
        found = (self.find(model_id) for model_id in self.ids())
        return [model for model in found if model is not None]

    def problems(self) -> dict[str, str]:
        """Return the models here that cannot be used, by id, each with a sentence why."""
        found: dict[str, str] = {}
        for model_id in self.ids():
            try:
                self._checked(model_id)
            except ModelDamaged as error:
                found[model_id] = message(error)
        return found

    def find(self, model_id: str) -> InstalledModel | None:
        """Return an installed model; None if it is not there or damaged."""
        try:
            manifest = self._checked(model_id)
        except (ModelNotInstalled, ModelDamaged):
            return None
        return InstalledModel(
            id=manifest.id,
            role=manifest.role,
            family=manifest.family,
            revision=manifest.revision,
            folder=self.root / manifest.id,
            weight_bytes=manifest.weight_bytes,
        )

    def manifest(self, model_id: str) -> Manifest:
        """Read the manifest of an installed model. Raises: ModelNotInstalled; ModelDamaged."""
        if not is_id(model_id) or not (self.root / model_id).is_dir():
            raise ModelNotInstalled(
                "There is no model {model_id} in {root}.", model_id=model_id, root=self.root
            )
        file = self.root / model_id / MANIFEST_NAME
        try:
            with file.open("rb") as opened:
                manifest = Manifest.from_bytes(opened.read(MOST_BYTES))
        except (OSError, PackRefused) as error:
            raise ModelDamaged(
                "{manifest_name} is missing or cannot be read.", manifest_name=MANIFEST_NAME
            ) from error
        if manifest.id != model_id:
            raise ModelDamaged(
                "groundwork-model.json belongs to another model, {id}.", id=manifest.id
            )
        return manifest

    def note_damage(self, model_id: str, damage: tuple[str, ...]) -> None:
        """Remember what a verification found, or, if nothing, that all is well again."""
        note = self.path(model_id) / _DAMAGE_NAME
        if damage:
            note.write_text(json.dumps(damage), encoding="utf-8")
        else:
            note.unlink(missing_ok=True)

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Be the one process that changes the folder; tidy it. Raises: FolderBusy; OSError."""
        from filelock import FileLock, Timeout  # not above: looking at the folder takes no lock

        self.root.mkdir(parents=True, exist_ok=True)
        try:
            held = FileLock(self.root / _LOCK_NAME, timeout=0).acquire()
        except Timeout as error:
            raise FolderBusy(
                "Another model is being imported or removed. Wait until that is done, "
                "then try again."
            ) from error
        with held:
            self._remove_leftovers()
            yield

    def sweep(self) -> None:
        """Remove what a killed import left behind, unless an import is running."""
        if not any(self._leftovers()):
            return
        try:
            with self.changing():
                pass
        except (FolderBusy, OSError) as error:
            logger.info("leftovers of an import stay for now: %s", error)

    def ids(self) -> list[str]:
        """Return the ids of models, usable or not."""
        try:
            return sorted(e.name for e in os.scandir(self.root) if is_id(e.name) and e.is_dir())
        except FileNotFoundError:
            return []

    def _checked(self, model_id: str) -> Manifest:
        manifest = self.manifest(model_id)
        place = self.root / model_id
        note = place / _DAMAGE_NAME
        if note.exists():
            raise ModelDamaged(_noted(note))
        for file in manifest.files:
            try:
                size = (place / file.path).stat().st_size
            except OSError as error:
                raise ModelDamaged("{path} is missing.", path=file.path) from error
            if size != file.bytes:
                raise ModelDamaged(
                    "{path} has {size} of {bytes} bytes.",
                    path=file.path,
                    size=f"{size:,}",
                    bytes=f"{file.bytes:,}",
                )
        return manifest

    def _leftovers(self) -> Iterator[Path]:
        for pattern in (f"{IMPORTING}*", f"{REMOVING}*", f"{REPLACED}*"):
            yield from self.root.glob(pattern)

    def _remove_leftovers(self) -> None:
        for left in list(self._leftovers()):
            if left.name.startswith(REPLACED):
                place = self.root / left.name.removeprefix(REPLACED)
                if not place.exists():  # killed between the two renames: the old one counts
                    os.rename(left, place)
                    continue
            shutil.rmtree(left)


def is_id(text: str) -> bool:
    """Whether a text can be the id of a model, and so the name of its folder."""
    return re.fullmatch(MODEL_ID, text) is not None


def checked_id(text: str) -> str:
    """Return an id that came from outside. Raises: PackRefused, if it is not one."""
    if not is_id(text):
        raise PackRefused(
            "{text} cannot be a model id: use up to 64 lower-case letters, digits, dots, "
            "hyphens and underscores, and begin with a letter or digit.",
            text=repr(text),
        )
    return text


def _noted(note: Path) -> str:
    try:
        return " ".join(str(line) for line in json.loads(note.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return said("A check found that it is damaged.")
