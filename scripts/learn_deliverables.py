"""Learn what requests for a report, an e-mail or a job sheet mean from their examples.

    python -m scripts.learn_deliverables

Run it after `resources/deliverables.toml` or the built-in text model has changed; it writes
`resources/deliverables.json`.
"""

from __future__ import annotations

import json
import sys

import numpy as np

from desktop.core.agent.requests import LEARNT, MeaningModel, example_texts, fingerprint
from desktop.models.built_in import load_text_embedder
from desktop.resources import resource

_DIGITS = 4


def main() -> int:
    """Learn and write."""
    embedder = load_text_embedder()
    vectors = np.asarray(embedder.embed_queries(example_texts()), np.float32)
    learnt = MeaningModel.learn(embedder.model_id, vectors)
    values = {
        "model_id": learnt.model_id,
        "examples": fingerprint(),
        "mean": np.round(learnt.mean, _DIGITS).tolist(),
        "weights": np.round(learnt.weights, _DIGITS).tolist(),
    }
    resource(LEARNT).write_text(json.dumps(values) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(vectors)} examples, {learnt.weights.shape[1]} kinds\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
