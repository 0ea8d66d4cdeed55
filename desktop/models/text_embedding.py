"""Which text embedder this machine has, and opening it."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop.models import minilm_files

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.models.roles import TextEmbedder

Runtime = Literal["mlx", "numpy"]


@dataclass(frozen=True, slots=True)
class TextEmbedderStatus:
    """What `groundwork doctor` and the window say about the text model.

    installed: its files are there (their checksums are checked when it loads).
    runtime: what would run it here.
    folder: where the files are, or None.
    advice: what to do, empty if nothing.
    """

    installed: bool
    model_id: str
    runtime: Runtime
    folder: Path | None
    advice: str


def fastest_runtime() -> Runtime:
    """MLX on Apple Silicon; elsewhere numpy, whose BLAS beats MLX's Linux build."""
    apple_silicon = sys.platform == "darwin" and platform.machine() == "arm64"
    return "mlx" if apple_silicon and importlib.util.find_spec("mlx_vlm") else "numpy"


def status() -> TextEmbedderStatus:
    """Look for the model; loads and hashes nothing."""
    folder = minilm_files.find()
    return TextEmbedderStatus(
        installed=folder is not None,
        model_id=minilm_files.MODEL_ID,
        runtime=fastest_runtime(),
        folder=folder,
        advice="" if folder else f"search works by words alone; {minilm_files.HOW_TO_INSTALL}",
    )


def load_text_embedder(runtime: Runtime | None = None) -> TextEmbedder:
    """Open the text model. Its weights are read at the first use, on the thread that uses it.

    Args:
        runtime: what runs it; by default the fastest one here.

    Raises: ModelNotInstalled, if its files are not on this machine. The first use raises
        ModelDamaged if they are not the published ones.
    """
    folder = minilm_files.folder()
    if (runtime or fastest_runtime()) == "mlx":
        from desktop.models.adapters.text.minilm_mlx import MiniLmMlx

        return MiniLmMlx(folder)
    from desktop.models.adapters.text.minilm_numpy import MiniLmNumpy

    return MiniLmNumpy(folder, threads=_threads())


def _threads() -> int:
    """Half of the cores, at most four.

    A BLAS that waits for a busy core spins: with all of them, one question took 130 to
    700 ms beside the parser instead of 7.
    """
    return max(1, min(4, (os.cpu_count() or 2) // 2))
