"""A stand-in for the package ocrmac 1.0.1, which calls Apple's Vision framework on a Mac.

It has the same signature, refuses what ocrmac refuses, and returns what `recognize` returns
there: tuples of text, confidence and [x, y, width, height] in shares of the picture from its
bottom-left corner.
"""

import platform
import sys
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

SUPPORTED = ("en-US", "fr-FR", "it-IT", "de-DE", "es-ES", "pt-BR", "zh-Hans", "zh-Hant")


@dataclass
class FakeVision:
    """found: what the framework sees in every picture. asked: pictures and language hints."""

    found: list[tuple[str, float, list[float]]] = field(default_factory=list)
    supported: tuple[str, ...] = SUPPORTED
    asked: list[tuple[Any, list[str] | None]] = field(default_factory=list)

    def install(self, monkeypatch) -> None:
        """Make this a Mac that has ocrmac."""
        monkeypatch.setattr(platform, "system", lambda: "Darwin")
        package, module = ModuleType("ocrmac"), ModuleType("ocrmac.ocrmac")
        package.__spec__ = ModuleSpec("ocrmac", None, is_package=True)
        module.OCR = self._reader()  # type: ignore[attr-defined]  # a module made by hand
        monkeypatch.setitem(sys.modules, "ocrmac", package)
        monkeypatch.setitem(sys.modules, "ocrmac.ocrmac", module)

    def _reader(vision):  # noqa: N805 - `self` is the reader's own, below
        class OCR:
            def __init__(
                self,
                image,
                framework="vision",
                recognition_level="accurate",
                language_preference=None,
                confidence_threshold=0.0,
                detail=True,
                unit="token",
            ):
                from PIL import Image

                if not isinstance(image, Image.Image):
                    raise ValueError("Invalid image format. Image must be a path or a PIL image.")
                if framework != "vision" or recognition_level not in {"accurate", "fast"}:
                    raise ValueError("Invalid framework or recognition level.")
                self.image = image
                self.languages = language_preference
                self.threshold = confidence_threshold

            def recognize(self, px=False):
                vision.asked.append((self.image, self.languages))
                if self.languages is not None:
                    if not isinstance(self.languages, list):
                        raise ValueError("Language preference must be a list.")
                    if not set(self.languages) <= set(vision.supported):
                        raise ValueError(
                            "Invalid language preference. Language preference must be a subset of "
                            f"{vision.supported}."
                        )
                return [each for each in vision.found if each[1] >= self.threshold]

        return OCR
