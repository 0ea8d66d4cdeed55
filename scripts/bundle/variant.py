"""What is built: slim runs models on MLX alone, full has torch beside it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "Groundwork"
IDENTIFIER = "org.groundwork.desktop"
MINIMUM_SYSTEM = "14.0"
"""The oldest macOS that MLX's wheels run on."""

Platform = Literal["darwin", "linux"]
Kind = Literal["slim", "full"]


@dataclass(frozen=True, slots=True)
class Variant:
    """One program to build. folder: everything of this build goes below it."""

    kind: Kind
    platform: Platform
    folder: Path

    @classmethod
    def here(cls, kind: Kind, folder: Path) -> Variant:
        """Return the variant for the machine that runs this.

        Raises: SystemExit, on a system that Groundwork does not run on.
        """
        if sys.platform not in ("darwin", "linux"):
            raise SystemExit(f"Groundwork is not built on {sys.platform}.")
        return cls(kind, "darwin" if sys.platform == "darwin" else "linux", folder)

    @property
    def program_folder(self) -> Path:
        """The folder that PyInstaller collects: the executable and `_internal`."""
        return self.folder / "program" / PROGRAM

    @property
    def application(self) -> Path:
        """What is handed out: the .app on a Mac, the folder itself on Linux."""
        if self.platform == "darwin":
            return self.folder / "program" / f"{PROGRAM}.app"
        return self.program_folder

    @property
    def executable(self) -> Path:
        """The frozen program."""
        if self.platform == "darwin":
            return self.application / "Contents" / "MacOS" / PROGRAM
        return self.program_folder / PROGRAM

    @property
    def contents(self) -> Path:
        """Where the modules, libraries and resources lie, `sys._MEIPASS` at run time."""
        if self.platform == "darwin":
            return self.application / "Contents" / "Frameworks"
        return self.program_folder / "_internal"

    @property
    def content_folders(self) -> tuple[Path, ...]:
        """All folders of `contents`; a Mac keeps what is no code apart, and links to it."""
        if self.platform == "darwin":
            return (self.contents, self.application / "Contents" / "Resources")
        return (self.contents,)
