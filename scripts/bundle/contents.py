"""What goes into the frozen program beyond what PyInstaller finds, and what stays out."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.bundle.variant import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scripts.bundle.variant import Variant

TORCH_ONLY = ("torch", "torchvision", "colpali_engine", "peft", "accelerate", "sympy")
"""What the slim program does without. torch computes the shapes of tensors with sympy."""

VISION_NETWORKS = (
    "attention", "base", "cache", "gemma3", "gemma3_embedding", "gemma3_text",
    "interpolate", "kernels", "mlp", "pooling", "qwen2_5_vl", "qwen2_vl", "qwen3_5",
    "qwen3_embedding", "qwen3_vl", "qwen3_vl_moe", "rope_utils",
)  # fmt: skip
"""The packages and modules of mlx_vlm.models that our adapters import by name."""

_HIDDEN_OF_MLX = ("mlx._reprlib_fix", "mlx.__array_api_info")  # imported from C++
DISTRIBUTIONS_LEFT_OUT = (
    "pymupdf4llm",
    "pymupdf-layout",
    "opencv-python-headless",
)
"""Installed, and with no module of their own in the program. Both OpenCVs bring one `cv2`."""

_LEFT_OUT = (
    # reaches a host when imported; dspy does without as long as nobody asks for it
    "litellm",
    # clients of servers, and what they need: Groundwork asks none
    "openai", "boto3", "botocore", "s3transfer", "redis", "chromadb", "lancedb", "elasticsearch",
    "neo4j", "aiohttp", "uvicorn", "fastapi", "starlette", "websockets", "gradio",
    # extras: other programs that ask, and many computers that read
    "mcp", "mcp_types", "ray",
    # sound, tables and data sets, which the models' libraries can do besides
    "mlx_audio", "sounddevice", "miniaudio", "pandas", "pyarrow", "datasets", "matplotlib",
    "tensorflow", "tensorboard", "jax", "flax", "sklearn", "numba", "onnx",
    # of networkx's algorithms, of slow tokenizers and of audio; nothing we call needs them
    "scipy", "tiktoken",
    # tools of developers
    "tkinter", "pytest", "_pytest", "IPython", "mypy", "setuptools", "pkg_resources", "pip",
    "PyInstaller", "hypothesis",
    # a layout network that the parser does not use
    "pymupdf.layout", "pymupdf4llm",
    # Qt beyond widgets, SVG and PDF; QtNetwork above all: the window cannot open a connection
    "PySide6.QtNetwork", "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtQuickWidgets",
    "PySide6.QtWebEngineCore", "PySide6.QtWebEngineWidgets",
    "PySide6.QtMultimedia", "PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets", "PySide6.QtTest",
    "PySide6.QtSql", "PySide6.QtDesigner", "PySide6.QtUiTools",
)  # fmt: skip
_NOT_FOR_TOKENIZERS = (
    "modeling_", "modular_", "image_processing_", "feature_extraction_", "video_processing_",
    "convert_", "generation_",
)  # fmt: skip
_DROPPED_FILES = (
    "qtvirtualkeyboard", "Qt6VirtualKeyboard", "Qt6Quick", "Qt6Qml", "Qt6OpenGL", "eglfs",
    "egldeviceintegrations", "qlinuxfb", "qvnc", "qvkkhrdisplay", "tlsbackends",
    "networkinformation", "PySide6/Qt/qml", "plugins/sqldrivers",
    "plugins/multimedia", "mlx/include", "mlx/share", "numpy/_core/include",
    "numpy/tests", "tests/data", "__pycache__", "cv2/qt", "platforms/libqminimal",
    "platforms/libqwayland-egl", "plugins/generic/", "RECORD.jws",
    # torch's own tests, compiled
    "torch/test/", "torch/lib/libtorchbind_test", "torch/lib/libjitbackend_test",
    "torch/lib/libbackend_with_compiler",
)  # fmt: skip

_TORCH_PROGRAMS = "torch/bin/"
_KEPT_PROGRAM = "torch_shm_manager"  # torch is not imported without it
_QT_SENTENCES = "PySide6/Qt/translations/"
_KEPT_SENTENCES = ("qtbase_de.qm", "qtbase_en.qm")  # what Qt's own dialogs say


def hidden_imports(variant: Variant) -> list[str]:
    """Return the modules that are imported by a name PyInstaller cannot see."""
    networks = [
        name for network in VISION_NETWORKS for name in modules_below(f"mlx_vlm.models.{network}")
    ]
    found = [
        *modules_below("desktop"),
        *modules_below("knowledge"),
        *_HIDDEN_OF_MLX,
        *modules_below("mlx_lm.models"),
        *modules_below("mlx_lm.tool_parsers"),
        *networks,
        *_tokenizers_of_transformers(),
        *modules_below("detect_secrets.plugins"),
        *modules_below("detect_secrets.filters"),
        *modules_below("detect_secrets.transformers"),
    ]
    if variant.kind == "full":
        found += modules_below("colpali_engine")
    return found


def left_out(variant: Variant) -> list[str]:
    """Return the modules that must not be collected."""
    if variant.kind == "full":
        return list(_LEFT_OUT)
    return [*_LEFT_OUT, *TORCH_ONLY, *_networks_of_transformers()]


def is_dropped(target: str) -> bool:
    """Tell whether a collected file, named by its place in the program, is not needed."""
    place = target.replace("\\", "/")
    if _QT_SENTENCES in place:
        return Path(place).name not in _KEPT_SENTENCES
    if _TORCH_PROGRAMS in place:
        return Path(place).name != _KEPT_PROGRAM
    return any(part in place for part in _DROPPED_FILES)


def kept(entries: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Return PyInstaller's entries (target, source, type) without those that are dropped."""
    return [entry for entry in entries if not is_dropped(entry[0])]


def resource_files() -> list[tuple[str, str]]:
    """Return our own data as PyInstaller's pairs of source and target folder."""
    wanted = [
        path
        for path in (ROOT / "resources").rglob("*")
        if path.is_file() and path.suffix != ".pyc" and not path.name.startswith(".")
    ]
    return [(str(path), str(path.relative_to(ROOT).parent)) for path in wanted]


def files_of(source: str, folder: str) -> list[tuple[str, str, str]]:
    """Return PyInstaller's entries for a file, or all files below a folder, put into `folder`."""
    start = Path(source)
    files = [start] if start.is_file() else [path for path in start.rglob("*") if path.is_file()]
    below = start.parent if start.is_file() else start
    return [
        (str(Path(folder) / path.relative_to(below)), str(path), "DATA")
        for path in files
        if path.suffix != ".pyc"
    ]


def modules_below(package: str) -> list[str]:
    """Return a package and every module below it, found on the disk; nothing is imported.

    PyInstaller's own `collect_submodules` imports the package, and returns nothing at all
    for one that cannot be imported on the machine that builds.
    """
    place = folder_of(package)
    if place is None:
        return []
    if place.is_file():
        return [package]
    names = {package}
    for path in _sources(place):
        parts = path.relative_to(place).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        names.add(".".join([package, *parts]))
    return sorted(names)


def folder_of(package: str) -> Path | None:
    """Return the folder of a package or the file of a module; imports at most no parent."""
    top, *rest = package.split(".")
    spec = importlib.util.find_spec(top)
    if spec is None or not spec.submodule_search_locations:
        return Path(spec.origin) if spec and spec.origin and not rest else None
    place = Path(next(iter(spec.submodule_search_locations))).joinpath(*rest)
    if place.is_dir():
        return place
    module = place.with_suffix(".py")
    return module if module.is_file() else None


def _sources(place: Path) -> Sequence[Path]:
    return [path for path in place.rglob("*.py") if "tests" not in path.parts]


def _networks_of_transformers() -> list[str]:
    """The parts of transformers that run networks: the slim program only needs tokenizers."""
    return [name for name in modules_below("transformers.models") if not _for_tokenizers(name)]


def _tokenizers_of_transformers() -> list[str]:
    """Everything a tokenizer of any model needs; transformers finds it by name at run time."""
    whole = [name for name in modules_below("transformers.models") if _for_tokenizers(name)]
    around = [
        name
        for name in modules_below("transformers")
        if name.startswith("transformers.utils") or name.count(".") == 1
    ]
    return [*whole, *around]


def _for_tokenizers(name: str) -> bool:
    # `auto` chooses among all classes by name and imports all of itself for that
    if name.startswith("transformers.models.auto"):
        return True
    return not name.rpartition(".")[2].startswith(_NOT_FOR_TOKENIZERS)
