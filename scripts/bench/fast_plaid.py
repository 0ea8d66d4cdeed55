"""The same pages and questions given to fast-plaid, for `scripts.bench page-search --fast-plaid`.

fast-plaid is built for one version of torch, which may not be ours: this file needs it, torch and
numpy alone, so that an environment of its own can run it:

python scripts/bench/fast_plaid.py VECTORS.npz INDEX_FOLDER

VECTORS.npz holds `pages`, float16, shape (n, patches, dimension), `asked`, float32, shape
(n_questions, tokens, dimension), and `best`, the places of the truly best pages, (n_questions, k).
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np


def main(vectors: str, folder: str) -> None:
    """Build an index, ask it, say how long it took and how many of the best pages it found."""
    import torch
    from fast_plaid import search  # type: ignore[import-not-found]  # built for another torch

    torch.set_num_threads(1)
    with np.load(vectors) as given:
        pages = torch.from_numpy(given["pages"].astype(np.float32))
        asked = torch.from_numpy(given["asked"])
        best = given["best"]
    index: Any = search.FastPlaid(index=folder, device="cpu")
    began = time.perf_counter()
    index.create(documents_embeddings=list(pages))
    built = time.perf_counter() - began
    times, kept = [], 0
    for question, wanted in zip(asked, best, strict=True):
        began = time.perf_counter()
        (found,) = index.search(queries_embeddings=question[None], top_k=len(wanted))
        times.append(1e3 * (time.perf_counter() - began))
        kept += len({int(page) for page, _ in found} & set(wanted.tolist()))
    sys.stdout.write(
        f"fast-plaid, {len(pages)} pages: built in {built:.0f} s, median {np.median(times):.1f} ms,"
        f" recall@{best.shape[1]} {kept / best.size:.3f}\n"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
