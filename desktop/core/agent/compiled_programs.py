"""Compiled programs of a library: what an optimiser found, used in a decision or answer.

One JSON file per language model, `<library>/programs/<model>.json`: DSPy's own state of
each module (examples, instructions), never a pickle. A program is taken only for the
model and the signature that it was compiled for; a library may come from anybody, so
the file is checked before DSPy sees it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import string
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from desktop.core.paths import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

logger = logging.getLogger(__name__)

ProgramName = Literal["decision", "answer"]

_MOST_EXAMPLES = 16
_MOST_FIELDS = 40
_LONGEST_TEXT = 20_000
_MOST_BYTES = 4_000_000
_IN_A_NAME = frozenset(f"{string.ascii_letters}{string.digits}._-")

Text = Annotated[str, Field(max_length=_LONGEST_TEXT)]
Example = Annotated[dict[str, JsonValue], Field(max_length=_MOST_FIELDS)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FieldState(_Strict):
    """How DSPy writes down a field of a signature."""

    prefix: Text
    description: Text


class SignatureState(_Strict):
    """How DSPy writes down a signature."""

    instructions: Text
    fields: Annotated[tuple[FieldState, ...], Field(max_length=_MOST_FIELDS)]


class ModuleState(_Strict):
    """How DSPy writes down a module; nothing in it names a model or a place."""

    traces: tuple[()] = ()
    train: tuple[()] = ()
    demos: Annotated[tuple[Example, ...], Field(max_length=_MOST_EXAMPLES)]
    signature: SignatureState
    lm: None = None


class CompiledProgram(_Strict):
    """signature_hash: of the signature that it was compiled for."""

    signature_hash: str
    state: ModuleState


class CompiledFile(_Strict):
    """before, after: the mean score of questions that the optimiser did not see, 0 to 100."""

    format: Literal[1] = 1
    model_id: str
    made_at: str
    before: float
    after: float
    questions: int
    programs: dict[ProgramName, CompiledProgram]


Trial = Callable[[Any, ProgramName], bool]
"""A program that is tried out instead of the saved ones, as `CompiledPrograms.apply`."""


class CompiledPrograms:
    """The programs in a folder; any thread. folder: None for none."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._trial: Trial | None = None

    def apply(self, module: Any, name: ProgramName, model_id: str) -> bool:
        """Put the program that was compiled for this model into a module, if there is one.

        module: has a `dspy.Predict` as `predict`. Blocks to read a small file.
        """
        if self._trial is not None:
            return self._trial(module, name)
        found = self.find(model_id)
        program = found.programs.get(name) if found else None
        if program is None:
            return False
        if program.signature_hash != signature_hash(module.predict.signature):
            logger.info("the compiled %s program is for another signature", name)
            return False
        module.predict.load_state(program.state.model_dump(mode="json"))
        return True

    def find(self, model_id: str) -> CompiledFile | None:
        """Return what is saved for a model; None if that is nothing, or not usable. Blocks."""
        path = self.path(model_id)
        try:
            return None if path is None else _checked(path, model_id)
        except OSError:
            return None

    def path(self, model_id: str) -> Path | None:
        """Return where the programs of a model are saved."""
        if self._folder is None:
            return None
        name = "".join(sign if sign in _IN_A_NAME else "_" for sign in model_id)
        return self._folder / f"{name}.json"

    def save(self, compiled: CompiledFile) -> Path | None:
        """Write a model's programs, the whole file or nothing; return where. Raises: OSError."""
        path = self.path(compiled.model_id)
        if path is not None:
            write_program(compiled, path)
        return path

    @contextmanager
    def trying(self, trial: Trial) -> Iterator[None]:
        """Use another program for all questions in the meantime."""
        before, self._trial = self._trial, trial
        try:
            yield
        finally:
            self._trial = before


def write_program(compiled: CompiledFile, path: Path) -> None:
    """Write programs into a file, the whole or nothing. Raises: OSError."""
    write_whole(path, compiled.model_dump_json(indent=1).encode())


def signature_hash(signature: Any) -> str:
    """Return a hash that changes when a signature's own words, fields or types change."""
    told = [signature.instructions] + [
        [name, str(info.annotation), info.json_schema_extra.get("desc", "")]
        for name, info in signature.fields.items()
    ]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:32]


def _checked(path: Path, model_id: str) -> CompiledFile | None:
    if path.stat().st_size > _MOST_BYTES:
        logger.warning("a compiled program is not used: the file is too large")
        return None
    try:
        found = CompiledFile.model_validate_json(path.read_bytes())
    except ValidationError as error:
        logger.warning("a compiled program is not used: %d complaints", error.error_count())
        return None
    return found if found.model_id == model_id else None
