"""What must be inside the frozen program; a build that lacks any of it is no build."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

from desktop.models import text_model
from desktop.models.errors import ModelError
from scripts.bundle import metal_library
from scripts.bundle.contents import TORCH_ONLY, VISION_NETWORKS
from scripts.bundle.variant import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from scripts.bundle.variant import Variant

_FILES = (
    ("the sample manuals", "resources/samples/manuals/*.pdf"),
    ("the sample questions", "resources/samples/questions.json"),
    ("the models' catalogue", "resources/models.toml"),
    ("what the reader learnt", "resources/reader/answers.safetensors"),
    ("what tells which amount answers", "resources/reader/values.safetensors"),
    ("examples of requests", "resources/deliverables.toml"),
    ("the icons", "resources/icons/book-open.svg"),
    ("the program's icon", "resources/app/groundwork.png"),
    ("the window in German", "resources/translations/groundwork_de.qm"),
    ("the core's sentences in German", "resources/translations/said_de.json"),
    ("Qt's own dialogs in German", "**/qtbase_de.qm"),
    ("the typeface of reports", "resources/fonts/DejaVuSans.ttf"),
    ("the typeface of the window", "resources/fonts/Inter-Regular.otf"),
    ("the notices of what is not a Python package", "resources/notices.toml"),
    ("the licence", "LICENSE"),
    ("the bill of materials", "resources/sbom.cdx.json"),
    ("sqlite-vec", "sqlite_vec/vec0.*"),
    ("PDF drawing", "PySide6/QtPdf*"),
    ("MuPDF", "pymupdf/*mupdf*"),
    ("the models that read scans", "rapidocr/models/*.onnx"),
    ("DSPy's sources", "dspy/**/signature.py"),
    ("the kernel of the word stems", "Stemmer*"),
)
_MODULES = (
    "desktop.parser_worker", "desktop.core.parsing.worker", "desktop.core.parsing.worker_process",
    "desktop.models.packs.download_worker", "desktop.cli.application",
    "desktop.ui.window.main_window",
    "PySide6.QtPrintSupport",
    "desktop.core.agent.tools.text_response", "knowledge.base", "dspy", "pymupdf", "rapidocr",
    "detect_secrets.plugins.aws", "transformers", "llguidance", "mlx_lm.utils", "mlx_vlm.utils",
    "mlx._reprlib_fix",
)  # fmt: skip
_TORCH_MODULES = ("torch", "torchvision", "sympy", "colpali_engine.models")
_MUST_NOT_BE = ("litellm", "PySide6.QtNetwork", "PySide6.QtWebEngineCore", "tkinter", "pytest")
_LEAST_LANGUAGE_NETWORKS = 40


def complaints(variant: Variant, modules: Iterable[str]) -> list[str]:
    """Return what is missing in a built program or must not be there, in sentences.

    modules: the names of the Python modules in it.
    """
    inside = set(modules)
    contents = variant.contents
    slim = variant.kind == "slim"
    out = _MUST_NOT_BE + (TORCH_ONLY if slim else ())
    wanted = _wanted_modules() + ([] if slim else [*_TORCH_MODULES])
    return [
        *(f"{what} ({pattern})" for what, pattern in _FILES if not _any(contents, pattern)),
        *(f"the module {name}" for name in wanted if name not in inside),
        *(f"{name} must not be inside" for name in sorted(inside.intersection(out))),
        *_networks(inside),
        *_text_model(contents),
        *_bill(contents),
        *metal_library.missing(contents),
    ]


def _wanted_modules() -> list[str]:
    own = [
        path.relative_to(ROOT).with_suffix("")
        for package in ("desktop", "knowledge")
        for path in (ROOT / package).rglob("*.py")
        if path.name != "__main__.py"
    ]
    parts = [place.parts[:-1] if place.name == "__init__" else place.parts for place in own]
    return [*_MODULES, *(".".join(each) for each in parts)]


def _any(contents: Path, pattern: str) -> bool:
    return next(contents.glob(pattern), None) is not None


def _networks(inside: set[str]) -> list[str]:
    """The kinds of models that the catalogue promises to run on MLX."""
    catalogue = tomllib.loads((ROOT / "resources" / "models.toml").read_text("utf-8"))
    language = next(each for each in catalogue["family"] if each["name"] == "language")
    networks = {name for name in inside if name.startswith("mlx_lm.models.")}
    wrong = [
        f"the language model architecture {kind}"
        for kind in language["model_types"]
        if kind != "mistral" and f"mlx_lm.models.{kind}" not in networks  # mistral is run as llama
    ]
    if len(networks) < _LEAST_LANGUAGE_NETWORKS:
        wrong.append(f"only {len(networks)} language model architectures are there")
    wrong += [
        f"the vision network {name}"
        for name in VISION_NETWORKS
        if f"mlx_vlm.models.{name}" not in inside
    ]
    return wrong


def _bill(contents: Path) -> list[str]:
    """The bill of materials lists at least what everybody would ask about."""
    path = contents / "resources" / "sbom.cdx.json"
    if not path.is_file():
        return []  # said already
    bill = json.loads(path.read_text("utf-8"))
    listed = {component["name"] for component in bill.get("components", ())}
    wanted = ("pymupdf", "dspy", "numpy", "Qt", "SQLite", text_model.NAME)
    return [f"the bill of materials without {name}" for name in wanted if name not in listed]


def _text_model(contents: Path) -> list[str]:
    try:
        text_model.check(contents / "resources" / "models" / text_model.NAME)
    except ModelError as error:
        return [f"the text model: {error}"]
    return []
