"""Learn the reader again from the labelled manuals, and say how well it carries.

    python -m scripts.reader PDFS LIBRARY [--per-manual 60]

PDFS holds the manuals of `scripts/labels` (what is missing is named, with where each came from;
nothing is fetched), LIBRARY is a Groundwork library that they are taken into. The weights go to
`resources/reader`; put what is printed, hashes and the weights of cells, into
`desktop/core/reader/ranker.py`, `desktop/core/answering/asked_value.py` and `asked_cell.py`.
With 62 manuals and 60 questions each it takes an hour and a half on two cores, nearly all of it
for taking the manuals in. What reads questions and units together is learnt apart, before
(`scripts/reranker`).
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.reader.ranker import WEIGHTS
from desktop.core.retrieval.search import Searcher
from desktop.core.retrieval.text_vectors import TokenMemo
from desktop.core.settings.sections import RetrievalSettings
from desktop.core.store.database import Database
from desktop.models.built_in import load_text_embedder
from desktop.models.text_model import sha256_of
from desktop.resources import resource
from scripts.bench.label_files import find_manuals, read_labels
from scripts.reader import asked_cells, asked_values
from scripts.reader.figures import figures
from scripts.reader.fit import (
    calibrate,
    learn,
    learn_worth,
    ranker_of,
    sharpen,
    without_model,
    write,
)
from scripts.reader.manuals import LABELS, labelled_manuals
from scripts.reader.observed import examples, reranked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.models.roles import TextEmbedder
    from scripts.bench.label_files import Split
    from scripts.reader.observed import Example

_TEXTS_OF_A_MANUAL = 20_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn and write; returns the exit code."""
    options = _options(arguments)
    found = find_manuals(read_labels(LABELS).manuals, options.pdfs)
    for manual in found.missing:
        print(f"missing: {manual.slug}.pdf ({manual.origin})")
    take_in = [sys.executable, "-m", "desktop", "--library", str(options.library), "ingest"]
    subprocess.run([*take_in, *map(str, found.paths.values())], check=True)
    path = resource("reader", WEIGHTS)
    model = load_text_embedder()
    taught, chosen = (_seen(options, split, model) for split in ("learn", "choose"))
    tensors = learn_worth(taught, options.seed)
    for with_model in (False, True):
        tensors |= learn(
            taught if with_model else [without_model(each) for each in taught],
            with_model=with_model,
            seed=options.seed,
        )
        asked = (
            reranked(chosen, ranker_of(tensors), model)
            if with_model
            else [without_model(each) for each in chosen]
        )
        sharpen(asked, tensors, with_model=with_model)
        calibrate(asked, tensors, with_model=with_model)
        print("text model" if with_model else "words alone")
        for line in figures(ranker_of(tensors), asked, with_model=with_model):
            print(f"  {line}")
    card = {"learn": len(taught), "choose": len(chosen), "seed": options.seed}
    write(tensors, card, path)
    print(f"{path}: {sha256_of(path)}")
    asked_cells.main([str(options.library)])
    asked_values.main([str(options.library)])
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pdfs", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("--per-manual", type=int, default=60, help="questions of each manual")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def _seen(options: argparse.Namespace, split: Split, model: TextEmbedder) -> list[Example]:
    """Read the manuals one by one: each of their units is read by the text model only once."""
    seen = []
    with Database.open(options.library, read_only=True) as database:
        for manual in labelled_manuals(options.library, split):
            memo = TokenMemo(model, most_texts=_TEXTS_OF_A_MANUAL)
            questions = list(manual.questions)
            random.Random(options.seed).shuffle(questions)
            searcher = Searcher(database, memo, RetrievalSettings())
            some = questions[: options.per_manual]
            found = list(examples(searcher, manual.document_id, some))
            print(f"{manual.facts['slug']}: {len(found)} questions", flush=True)
            seen += found
    return seen


if __name__ == "__main__":
    sys.exit(main())
