"""Text recognition by RapidOCR, with the models that its wheel carries.

RapidOCR downloads a model it does not find; here the files are named and verified before it
is asked, so it never does.
"""

from __future__ import annotations

import importlib.util
import logging
import os
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from desktop.models.checksums import verify
from desktop.models.errors import ModelNotInstalled
from desktop.models.roles import RecognizedLine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

logger = logging.getLogger(__name__)

_DETECTION = "PP-OCRv6_det_small.onnx"
_DIRECTION = "ch_ppocr_mobile_v2.0_cls_mobile.onnx"
_RECOGNITION = "PP-OCRv6_rec_small.onnx"
PUBLISHED_SHA256 = MappingProxyType(
    {
        _DETECTION: "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
        _DIRECTION: "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c",
        _RECOGNITION: "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
    }
)


def models_folder() -> Path:
    """Return the folder of the models inside the installed wheel.

    Raises: ModelNotInstalled, if RapidOCR is not installed.
    """
    spec = importlib.util.find_spec("rapidocr")
    if spec is None or not spec.submodule_search_locations:
        raise ModelNotInstalled("text recognition is not installed: pip install rapidocr")
    return Path(spec.submodule_search_locations[0]) / "models"


class RapidOcrRecognizer:
    """Satisfies `TextRecognizer`. Loads at the first use; one thread at a time may use it."""

    def __init__(self, threads: int | None = None) -> None:
        """Prepare without loading.

        Args:
            threads: threads of the recogniser; by default half of the cores, at most four,
                so that the window and a question keep theirs.
        """
        self._threads = threads or max(1, min(4, (os.cpu_count() or 2) // 2))
        self._engine: Any = None

    def recognize(self, image: NDArray[np.uint8]) -> list[RecognizedLine]:
        """Read an RGB image, uint8, shape (height, width, 3).

        Returns: lines from top to bottom, boxes in pixels of the image; an empty list if
            there is no text.
        Raises: ModelNotInstalled, ModelDamaged.
        """
        self.load()
        output = self._engine(image[:, :, ::-1])  # it expects blue first
        if output.boxes is None or output.txts is None or output.scores is None:
            return []
        lines = [
            RecognizedLine(text, _upright(corners), float(score))
            for corners, text, score in zip(output.boxes, output.txts, output.scores, strict=True)
        ]
        return sorted(lines, key=lambda line: (line.box[1], line.box[0]))

    def load(self) -> None:
        """Verify and load the models, unless they are loaded.

        Raises: ModelNotInstalled, ModelDamaged.
        """
        if self._engine is not None:
            return
        folder = models_folder()
        verify(folder, PUBLISHED_SHA256)
        from rapidocr import RapidOCR

        self._engine = RapidOCR(
            params={
                "Global.log_level": "error",
                "EngineConfig.onnxruntime.intra_op_num_threads": self._threads,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                "Det.model_path": str(folder / _DETECTION),
                "Cls.model_path": str(folder / _DIRECTION),
                "Rec.model_path": str(folder / _RECOGNITION),
            }
        )
        logger.debug("text recognition loaded, %d threads", self._threads)


def _upright(corners: NDArray[np.float32]) -> tuple[float, float, float, float]:
    """Return the upright box around four corners."""
    x0, y0 = corners.min(axis=0)
    x1, y1 = corners.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)
