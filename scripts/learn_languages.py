"""Make `resources/languages.npz`, by which `desktop/core/question/languages.py` tells languages.

    pip install py3langid==0.4.0
    python -m scripts.learn_languages

It keeps what the model of py3langid (BSD-3-Clause) has learnt of the languages below, as far as it
tells one of them from the others.
"""

from __future__ import annotations

import sys
from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.resources import resource

if TYPE_CHECKING:
    from collections.abc import Iterator

LANGUAGES = (
    "ar bg cs da de el en es et fi fr he hr hu it ja ko lt lv nl no pl pt ro ru sk sl sv tr uk zh"
).split()
RUNS_OF_LANGUAGE = 2500
"""On the labels' questions, among all: 600 tell 0.91 of them rightly, 1200 0.93, 2500 0.94."""


def main() -> int:
    """Write the file; returns the exit code."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    model = LanguageIdentifier.from_model_file(MODEL_FILE)
    known = dict(_runs(model))
    features = sorted(known)
    columns = [model.nb_classes.index(language) for language in LANGUAGES]
    weights = np.asarray(model.nb_ptc)[features][:, columns].astype(np.float32)
    # how often a run occurs in a language, times how much more often than in the others
    telling = np.exp(weights) * (weights - weights.mean(1, keepdims=True))
    kept = np.unique(np.argsort(-telling, axis=0)[:RUNS_OF_LANGUAGE])
    runs = np.array([int.from_bytes(known[features[at]], "big") for at in kept], np.int64)
    order = np.argsort(runs)
    weights = weights[kept][order]
    step = np.float32((weights.max() - weights.min()) / 255)
    np.savez_compressed(
        resource("languages.npz"),
        languages=np.array(LANGUAGES),
        runs=runs[order],
        weights=np.round((weights - weights.min()) / step).astype(np.uint8),
        step=step,
    )
    print(f"{len(runs)} runs of bytes")
    return 0


def _runs(model: Any) -> Iterator[tuple[int, bytes]]:
    """Yield each feature of the model and the bytes that it stands for, shortest last."""
    following = np.asarray(model.tk_nextmove).reshape(-1, 256)
    bytes_to = {0: b""}
    waiting = deque([0])
    while waiting:  # breadth first: the shortest way to a state is what it stands for
        state = waiting.popleft()
        for byte, target in enumerate(following[model.tk_row[state]].tolist()):
            if target not in bytes_to:
                bytes_to[target] = bytes_to[state] + bytes([byte])
                waiting.append(target)
    for state, run in reversed(bytes_to.items()):
        if model.tk_output[state] >= 0:
            yield model.tk_output[state], run


if __name__ == "__main__":
    sys.exit(main())
