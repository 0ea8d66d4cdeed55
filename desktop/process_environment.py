"""What is set for the whole process before anything else: silent libraries, fewer threads.

The environment variables that keep third-party libraries offline only work when they are set
before the library that reads them is imported, so `desktop/__init__.py` applies them, and every
child process inherits them.
"""

import gc
import os
import sys
from pathlib import Path
from types import MappingProxyType

OFFLINE_SWITCHES = MappingProxyType(
    {
        # onnxruntime (loaded by pymupdf and rapidocr) looks up a telemetry host and
        # writes a device id under the user's cache unless told not to.
        "ORT_DISABLE_TELEMETRY": "1",
        # model hubs are only ever reached by the download command, which lifts these.
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        # litellm (an optional import of dspy) fetches a price list when imported.
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
)


_GARBAGE = (5_000, 10, 10)
"""A question makes some ten thousand objects that go by themselves; Python's own thresholds look
for garbage among them a dozen times, and one question in twenty-five waits 10 to 20 ms for it."""


def multiply_on_one_thread() -> None:
    """Keep numpy's matrix products on the calling thread, unless the shell says otherwise.

    Ours are small, and run beside a model and a window: OpenBLAS' second thread spins
    while it waits for a core, and the calling thread waits for it. It reads this
    setting when numpy is imported.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def collect_garbage_less_often() -> None:
    """Look for garbage after thousands of new objects, not after hundreds."""
    gc.set_threshold(*_GARBAGE)


def own_command(option: str, module: str) -> list[str]:
    """Return how to start a child process of this very program. option: of a frozen one."""
    if getattr(sys, "frozen", False):
        return [sys.executable, option]
    # -P: a file called pymupdf.py in the current folder must not be what is imported.
    return [sys.executable, "-P", "-m", module]


def own_environment() -> dict[str, str]:
    """Return the environment for such a process, which imports the same packages."""
    root = str(Path(__file__).parent.parent)
    path = filter(None, (root, os.environ.get("PYTHONPATH")))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


def apply_offline_switches() -> None:
    """Set every offline switch in this process, over whatever the shell had."""
    os.environ.update(OFFLINE_SWITCHES)
