"""The one file that carries a whole library: what it holds, and which names it may hold.

A zip file. `groundwork-library.json` lists every other file with its size and SHA-256. Left out
are the log files, the lock and the backups.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from desktop.core.store.backups import BackupFile
from desktop.models.packs.model_files import fault_of_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.core.paths import LibraryFolder

SUFFIX: Final = ".groundwork"
MANIFEST: Final = "groundwork-library.json"
DATABASES: Final = ("library.db", "knowledge.db")
MOST_FILES: Final = 200_000

_ORIGINAL = re.compile(r"originals/[0-9a-f]{64}\.pdf")
_TEXTS = re.compile(
    r"(?:domains/[^/]+\.toml|questions\.json|programs/[^/]+\.json"
    r"|check-ins/(?:[^/]+/)*[^/]+\.(?:json|txt|md)"
    r"|research/(?:[^/]+/)*[^/]+\.(?:json|jsonl|md|txt|pdf)"
    r"|reports/(?:[^/]+/)*[^/]+\.(?:md|pdf|png|jpg|eml|json|txt))"
)


class CarrierManifest(BaseModel):
    """What `groundwork-library.json` says. schema_version: of library.db."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = 1
    made_at: datetime
    made_by: str = Field(max_length=200)
    schema_version: int = Field(ge=1)
    files: dict[str, BackupFile] = Field(max_length=MOST_FILES)


def may_carry(name: str) -> bool:
    """Whether a file of this name, relative to the library's folder, belongs to a library."""
    if name in DATABASES:
        return True
    if fault_of_name(name) or any(part.startswith(".") for part in name.split("/")):
        return False
    return bool(_ORIGINAL.fullmatch(name) or _TEXTS.fullmatch(name))


def files_to_carry(library: LibraryFolder) -> Iterator[tuple[str, Path]]:
    """Yield name and place of every file beside the databases, in the order of their names."""
    folders = (
        library.originals,
        library.domains,
        library.check_ins,
        library.programs,
        library.reports,
        library.research,
    )
    candidates = [library.questions, *(p for each in folders for p in sorted(each.rglob("*")))]
    for path in candidates:
        name = path.relative_to(library.root).as_posix()
        if path.is_file() and not path.is_symlink() and may_carry(name):
            yield name, path
