"""The sample manuals that come with the program, and the library they are shown in."""

from __future__ import annotations

import sys
from pathlib import Path

from desktop.core.paths import data_folder

SAMPLE_QUESTION = "What is the tightening torque of the terminals X1:1 to X1:4?"
"""A question that the sample manuals answer; the demonstration asks it without a window."""


def sample_manuals() -> list[Path]:
    """Return the sample PDFs, by name; empty if this installation lacks them."""
    return sorted(resources_folder().joinpath("samples", "manuals").glob("*.pdf"))


def demo_library() -> Path:
    """Return the folder of the library that `groundwork demo` uses."""
    return data_folder() / "demo"


def resources_folder() -> Path:
    """Return the folder of icons and samples, also inside a frozen program."""
    frozen = getattr(sys, "_MEIPASS", None)  # set by PyInstaller
    root = Path(frozen) if frozen else Path(__file__).resolve().parents[2]
    return root / "resources"
