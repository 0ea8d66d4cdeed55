"""What Groundwork taught the text model of equipment manuals: small changes of its matrices.

all-MiniLM-L6-v2 learnt from forums and encyclopedias. `scripts/train_text_model.py` went on with
questions of field engineers and the passages of manuals that answer them, and kept what it
learnt as a LoRA adapter (Hu et al., arXiv:2106.09685): every matrix W becomes W + B A. The file
has the names that PEFT gives the two factors, with the scale within B.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from desktop.models import minilm_files
from desktop.models.checksums import verify

Floats = NDArray[np.float32]

_DOWN, _UP = ".lora_A.weight", ".lora_B.weight"


def taught_changes() -> dict[str, Floats]:
    """Return what is added to the model's matrices, by their published names, float32.

    Raises: ModelNotInstalled, ModelDamaged.
    """
    from safetensors.numpy import load_file

    folder = minilm_files.adapter_folder()
    verify(folder, minilm_files.ADAPTER_SHA256)
    factors = load_file(folder / minilm_files.ADAPTER)
    changes = {}
    for name in factors:
        if name.endswith(_DOWN):
            matrix = name.removesuffix(_DOWN)
            down, up = factors[name].astype(np.float32), factors[matrix + _UP].astype(np.float32)
            changes[f"{matrix}.weight"] = up @ down
    return changes
