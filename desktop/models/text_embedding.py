"""Whether this machine has the built-in text model, and opening it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.models import text_model

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.models.roles import TextEmbedder


@dataclass(frozen=True, slots=True)
class TextEmbedderStatus:
    """What `groundwork doctor` and the window say about the text model.

    installed: its files are there (their checksums are checked when it loads).
    folder: where the files are, or None.
    advice: what to do, empty if nothing.
    """

    installed: bool
    model_id: str
    folder: Path | None
    advice: str


def status() -> TextEmbedderStatus:
    """Look for the model; loads and hashes nothing."""
    there = text_model.is_there()
    return TextEmbedderStatus(
        installed=there,
        model_id=text_model.MODEL_ID,
        folder=text_model.find(),
        advice="" if there else f"search works by words alone; {text_model.HOW_TO_INSTALL}",
    )


def load_text_embedder() -> TextEmbedder:
    """Open the text model. Its weights are read at the first use, on the thread that uses it.

    Raises: ModelNotInstalled, if its files are not on this machine. The first use raises
        ModelDamaged if they are not those that were installed.
    """
    from desktop.models.adapters.text.e5 import E5

    return E5(text_model.folder(), threads=threads_of_a_run())


def threads_of_a_run() -> int:
    """Half of the cores, at most four: the others are the window's and the parser's."""
    return max(1, min(4, (os.cpu_count() or 2) // 2))
