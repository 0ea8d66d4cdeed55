"""The environment variables that keep third-party libraries offline and silent.

They only work when they are set before the library that reads them is imported,
so `desktop/__init__.py` applies them, and every child process inherits them.
"""

import os
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


def apply_offline_switches() -> None:
    """Set every offline switch in this process, over whatever the shell had."""
    os.environ.update(OFFLINE_SWITCHES)
