"""Learn the reader again from the labelled manuals, and say how well it carries.

    python -m scripts.reader PDFS LIBRARY [--per-manual 60]

PDFS holds the manuals of `scripts/labels` (what is missing is named, with where each came from;
nothing is fetched), LIBRARY is a Groundwork library that they are taken into. The weights go to
`resources/reader`; put the hash that is printed into `desktop/core/answering/reader.py`.
With 62 manuals and 60 questions each it takes an hour and a half on two cores, nearly all of it
for taking the manuals in.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.answering.observations import OBSERVATIONS
from desktop.core.answering.reader import WEIGHTS, Network
from desktop.core.answering.reading_together import WEIGHTS as TOGETHER_WEIGHTS
from desktop.core.retrieval.search import Searcher
from desktop.core.retrieval.text_vectors import TokenMemo
from desktop.core.settings.sections import RetrievalSettings
from desktop.core.store.database import Database
from desktop.models.built_in import load_text_embedder
from desktop.models.checksums import sha256_of
from desktop.resources import resource
from scripts.bench.label_files import find_manuals, read_labels
from scripts.reader.candidates import competitions
from scripts.reader.figures import figures
from scripts.reader.fit import calibrate, learn, without_model, write
from scripts.reader.manuals import LABELS, labelled_manuals
from scripts.reader.observed import examples
from scripts.reader.together import learn_together

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from scripts.reader.candidates import Competition
    from scripts.reader.observed import Example


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn and write; returns the exit code."""
    options = _options(arguments)
    found = find_manuals(read_labels(LABELS).manuals, options.pdfs)
    for manual in found.missing:
        print(f"missing: {manual.slug}.pdf ({manual.origin})")
    take_in = [sys.executable, "-m", "desktop", "--library", str(options.library), "ingest"]
    subprocess.run([*take_in, *map(str, found.paths.values())], check=True)
    path = resource("reader", WEIGHTS)
    together_path = resource("reader", TOGETHER_WEIGHTS)
    together = learn_together(_competitions(options), options.seed, together_path)
    print(f"{together_path}: {sha256_of(together_path)}")
    seen = {split: _observed(options, split) for split in ("learn", "choose")}
    tensors: dict[str, NDArray[np.float32]] = {}
    for reader in (together, None):
        taught, chosen = (
            seen[split] if reader else [without_model(e) for e in seen[split]]
            for split in ("learn", "choose")
        )
        tensors |= learn(taught, with_model=reader is not None, seed=options.seed)
        calibrate(_network(tensors), chosen, tensors, reader)
        print("text model" if reader else "words alone")
        for line in figures(_network(tensors), chosen, reader):
            print(f"  {line}")
    card = {split: len(each) for split, each in seen.items()} | {"seed": options.seed}
    write(tensors, card, path)
    print(f"{path}: {sha256_of(path)}")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pdfs", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("--per-manual", type=int, default=60, help="questions of each manual")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def _network(tensors: dict[str, NDArray[np.float32]]) -> Network:
    return Network(tensors, {"observations": list(OBSERVATIONS)})


def _competitions(options: argparse.Namespace) -> list[Competition]:
    """Return the questions of the split `learn` with what competes to answer them."""
    embedder, chance = load_text_embedder(), random.Random(options.seed)
    return [
        question
        for manual in labelled_manuals(options.library, "learn")
        for question in competitions(manual, embedder, chance)
    ]


def _observed(options: argparse.Namespace, split: str) -> list[Example]:
    """Return what the reader sees of the questions of a split."""
    found: list[Example] = []
    with Database.open(options.library, read_only=True) as database:
        for manual in labelled_manuals(options.library, split):
            embedder = TokenMemo(load_text_embedder(), most_texts=20_000)  # a manual's units
            searcher = Searcher(database, embedder, RetrievalSettings())
            questions = list(manual.questions)
            random.Random(options.seed).shuffle(questions)
            kept = questions[: options.per_manual]
            found += examples(searcher, manual.document_id, kept)
            print(f"{split}: {manual.facts['slug']}, {len(found)} questions", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
