"""The manifest of an installed or packed model: what it is, and its files with their hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from desktop.models.catalogue import MODEL_ID
from desktop.models.errors import PackRefused, shown
from desktop.models.packs.model_files import (
    MANIFEST_NAME,
    FileUse,
    fault_of_name,
    same_on_a_mac,
    use_of,
)
from desktop.models.roles import Role

if TYPE_CHECKING:
    from collections.abc import Mapping

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
            raise ValueError(f"the name {shown(path)!r} {fault}")
        if use_of(path) not in (FileUse.WEIGHTS, FileUse.TEXT):
            raise ValueError(
                f"{shown(path)} is neither safetensors, settings, tokenizer nor licence"
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
                raise ValueError(f"{shown(file.path)} is listed twice")
            seen.add(name)
        return files

    @property
    def by_path(self) -> Mapping[str, ManifestFile]:
        """The files by their path."""
        return {file.path: file for file in self.files}

    @property
    def size_bytes(self) -> int:
        """All files together."""
        return sum(file.bytes for file in self.files)

    @property
    def weight_bytes(self) -> int:
        """All safetensors files together."""
        return sum(file.bytes for file in self.files if use_of(file.path) is FileUse.WEIGHTS)

    def to_bytes(self) -> bytes:
        """Return the manifest as it is written to `groundwork-model.json`."""
        return self.model_dump_json(indent=1).encode() + b"\n"

    @staticmethod
    def from_bytes(data: bytes) -> Manifest:
        """Read a manifest that may come from anybody.

        Raises: PackRefused, with what is wrong with it.
        """
        try:
            return Manifest.model_validate_json(data)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            where = ".".join(shown(str(place)) for place in first["loc"])
            what = first["msg"].removeprefix("Value error, ")
            raise PackRefused(
                f"The manifest {MANIFEST_NAME} is not valid: {where + ': ' if where else ''}{what}."
            ) from error
