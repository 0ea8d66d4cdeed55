"""Runs the whole program once, as a person would use it, on a library that is thrown away.

It is how a frozen program is tested on the machine that built it, and how its start is
measured against the start from the sources.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from desktop import tripwire
from desktop.core.diagnostics.licences import our_parts
from desktop.core.paths import HOME_VARIABLE, SAMPLE_QUESTION, sample_manuals
from desktop.models.adapters import mlx_runtime, torch_runtime

if TYPE_CHECKING:
    from desktop.app.rehearsal import Rehearsal
    from desktop.core.library.values import DocumentRecord
    from desktop.core.workspace import Workspace
    from desktop.ui.window.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the test. failure: "" if everything went well.

    milliseconds: from the start of the process to "window shown"; the acts after it
    count from there. workers: the command lines of the child processes that ran.
    parts: what About lists.
    """

    failure: str
    milliseconds: dict[str, float] = field(default_factory=dict)
    answer: str = ""
    cited: str = ""
    workers: tuple[str, ...] = ()
    connections: int = field(default_factory=tripwire.count)
    frozen: bool = bool(getattr(sys, "frozen", False))
    parts: tuple[str, ...] = ()
    runtimes: dict[str, str] = field(default_factory=dict)


def smoke_test(*, only_start: bool = False) -> Outcome:
    """Open the window without a display, ingest a sample, ask, find the cited page, quit.

    only_start: quit when the library is open, to measure that.
    """
    manual = next((path for path in sample_manuals() if "installation" in path.name), None)
    if manual is None:
        return Outcome("This installation has no sample manuals.")
    if sys.platform == "linux":
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="groundwork-smoke-") as home:
        before = os.environ.get(HOME_VARIABLE)
        os.environ[HOME_VARIABLE] = home  # nobody's own settings, models and library
        try:
            return _play(Path(home) / "library", None if only_start else manual)
        finally:
            if before is None:
                del os.environ[HOME_VARIABLE]
            else:
                os.environ[HOME_VARIABLE] = before


def _play(library: Path, manual: Path | None) -> Outcome:
    from desktop.app import open_workspace
    from desktop.app.rehearsal import Rehearsal
    from desktop.ui.window.start import run_window

    opened: list[Workspace] = []
    played: list[Rehearsal] = []
    times: dict[str, float] = {}
    workers: set[str] = set()

    def open_library() -> Workspace:
        workspace = open_workspace(library)
        opened.append(workspace)
        return workspace

    def documents() -> list[DocumentRecord] | None:
        workers.update(_children())
        return opened[0].library.documents() if opened else None

    def shown(window: MainWindow) -> None:
        times["window shown"] = (time.time() - psutil.Process().create_time()) * 1000
        rehearsal = Rehearsal(window, documents, manual, SAMPLE_QUESTION)
        played.append(rehearsal)
        rehearsal.begin()

    code = run_window(open_library, sys.argv[:1], library, when_shown=shown)
    if not played:
        return Outcome("the window was not shown")
    rehearsal = played[0]
    failure = rehearsal.failure or (f"the window ended with {code}" if code else "")
    if not failure and tripwire.count():
        failure = f"it tried to reach {tripwire.attempts()[0].target}"
    return Outcome(
        failure,
        {name: round(ms, 1) for name, ms in (times | rehearsal.milliseconds).items()},
        rehearsal.answer,
        rehearsal.cited,
        tuple(sorted(workers)),
        parts=tuple(part.name for part in our_parts()),
    )


def _children() -> list[str]:
    try:
        return [" ".join(child.cmdline()) for child in psutil.Process().children()]
    except psutil.Error:  # one has just ended
        return []


MLX = (
    "mlx_lm.utils", "mlx_lm.models.qwen3", "mlx_lm.models.qwen2", "mlx_lm.models.llama",
    "mlx_lm.models.gemma3_text", "mlx_lm.models.phi3", "mlx_lm.models.gpt_oss", "llguidance",
    "mlx_vlm.utils", "mlx_vlm.models.qwen3_vl", "mlx_vlm.models.qwen2_5_vl",
    "mlx_vlm.models.qwen2_vl", "mlx_vlm.models.qwen3_embedding",
    "mlx_vlm.models.gemma3_embedding",
)  # fmt: skip
"""What the adapters import by name when a model is loaded."""
TORCH = ("torch", "transformers", "colpali_engine.models")
_PRODUCT = 64.0  # the sum of all of a 4 x 4 matrix of ones multiplied by itself
EVERYWHERE = ("dspy", "rapidocr", "onnxruntime", "sentencepiece", "safetensors")


def import_all() -> tuple[dict[str, str], str]:
    """Import every runtime that this program has; takes many seconds.

    Returns: what was imported for each of "mlx", "torch" and "everywhere" ("not installed"
        where it is not part of this program), and the first failure, "" if there is none.
    """
    found: dict[str, str] = {}
    try:
        found["everywhere"] = _import(EVERYWHERE)
        found["mlx"] = _import_mlx() if mlx_runtime.installed() else "not installed"
        has_torch = importlib.util.find_spec("torch") is not None
        found["torch"] = _import_torch() if has_torch else "not installed"
    except Exception as error:  # whatever a library's import may raise
        return found, f"{type(error).__name__}: {error}"
    return found, ""


def _import_mlx() -> str:
    mx = mlx_runtime.mlx_core()
    product = (mx.ones((4, 4)) @ mx.ones((4, 4))).sum().item()
    if product != _PRODUCT:
        raise ArithmeticError(f"MLX multiplies wrongly: {product} instead of {_PRODUCT}")
    torch_runtime.prepare()
    imported = _import(MLX)
    mlx_runtime.finish()
    return imported


def _import_torch() -> str:
    torch_runtime.prepare()
    imported = _import(TORCH)
    torch = importlib.import_module("torch")
    product = float((torch.ones(4, 4) @ torch.ones(4, 4)).sum())
    if product != _PRODUCT:
        raise ArithmeticError(f"torch multiplies wrongly: {product} instead of {_PRODUCT}")
    return imported


def _import(names: tuple[str, ...]) -> str:
    for name in names:
        importlib.import_module(name)
    return f"{len(names)} modules"
