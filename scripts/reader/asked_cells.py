"""Measure how often the right cell of a labelled row is told apart.

Usage: python -m scripts.reader.asked_cells LIBRARY... [--split choose] [--words]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.answering.asked_cell import asked_cell
from desktop.core.question.query import Question
from desktop.core.structure.tables import CELL_SEPARATOR
from desktop.core.structure.units import column_headings
from scripts.reader.manuals import labelled_manuals
from scripts.reader.observed import places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.models.roles import TextEmbedder


def main(arguments: Sequence[str]) -> int:
    """Print how many of the rows that one cell answers were told right, wrong, or not at all."""
    parser = argparse.ArgumentParser(prog="scripts.reader.asked_cells")
    parser.add_argument("libraries", type=Path, nargs="+")
    parser.add_argument("--split", default="choose")
    parser.add_argument("--words", action="store_true", help="without the text model")
    chosen = parser.parse_args(arguments)
    embedder = None if chosen.words else _text_model()
    right = wrong = 0
    rows = list(_rows(chosen.libraries, chosen.split))
    for question, headings, cells, gold in rows:
        told = asked_cell(Question.parse(question), headings, cells, embedder)
        right += told == gold
        wrong += told not in (gold, -1)
    print(f"{len(rows)} rows: {right} right, {wrong} wrong, {len(rows) - right - wrong} not told")
    return 0


def _rows(
    libraries: Sequence[Path], split: str
) -> Iterator[tuple[str, Sequence[str], Sequence[str], int]]:
    """Yield question, headings, cells and the cell that holds all words that answer."""
    for library in libraries:
        for manual in labelled_manuals(library, split):
            for question in manual.questions:
                best = manual.best_unit(question) if question["answerable"] else None
                if best is None or best.unit.kind != "row" or len(best.unit.cells) < 2:
                    continue
                words = next(words for page, words in places(question) if page == best.page)
                holding = [at for at, cell in enumerate(best.unit.cells) if words & set(cell)]
                whole = words <= set(best.unit.indices)
                if len(holding) == 1 and whole:
                    headings = column_headings(best.unit.context)
                    cells = best.unit.text.split(CELL_SEPARATOR)
                    yield question["question"], headings, cells, holding[0]


def _text_model() -> TextEmbedder:
    from desktop.models.built_in import load_text_embedder

    return load_text_embedder()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
