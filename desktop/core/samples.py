"""The sample manuals that come with the program, and the library they are shown in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.paths import data_folder
from desktop.resources import resource

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE_QUESTION = "What is the tightening torque of the terminals X1:1 to X1:4?"
"""A question that the sample manuals answer; the demonstration asks it without a window."""


def sample_manuals() -> list[Path]:
    """Return the sample PDFs, by name; empty if this installation lacks them."""
    return sorted(resource("samples", "manuals").glob("*.pdf"))


def demo_library() -> Path:
    """Return the folder of the library that `groundwork demo` uses."""
    return data_folder() / "demo"


def resources_folder() -> Path:
    """Return the folder of everything that comes with the program."""
    return resource()
