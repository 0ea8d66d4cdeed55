"""Learn which cell of a row answers, and say how often that is right on other manuals.

    python -m scripts.reader.asked_cells LIBRARY...

The libraries hold the labelled manuals, those of `learn` to learn from and those of `choose` to
measure on. Put the weights that are printed into `desktop/core/answering/asked_cell.py`.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from desktop.core.answering.asked_cell import (
    OBSERVATIONS,
    asked_cell,
    likeliest_cell,
    observed,
    open_cells,
)
from desktop.core.question.query import Question
from desktop.core.structure.signs import CELL_SEPARATOR
from desktop.core.structure.units import column_headings
from desktop.models.built_in import load_text_embedder
from scripts.reader.asked_values import fit, is_plain
from scripts.reader.manuals import labelled_manuals
from scripts.reader.observed import places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.models.roles import TextEmbedder
    from scripts.reader.manuals import BestUnit

Floats = NDArray[np.float32]

_DECAY: Final = 0.005


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled row. gold: the cell that answers."""

    question: Question
    headings: tuple[str, ...]
    cells: tuple[str, ...]
    gold: int

    @property
    def seen(self) -> tuple[Question, tuple[str, ...], tuple[str, ...]]:
        """What the cell is told by."""
        return self.question, self.headings, self.cells


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn with the text model and without, print the weights and how they do."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("libraries", type=Path, nargs="+")
    libraries = parser.parse_args(arguments).libraries
    learn, choose = (
        [row for library in libraries for row in _rows(library, split)]
        for split in ("learn", "choose")
    )
    for name, embedder in (("text model", load_text_embedder()), ("words alone", None)):
        weights = _learnt(learn, embedder)
        print(f"{name}, {len(learn)} rows: {[round(float(each), 2) for each in weights]}")
        for what, told in (
            (
                "as learnt now",
                [
                    likeliest_cell(r.question, r.headings, r.cells, embedder, weights)
                    for r in choose
                ],
            ),
            ("as it is", [asked_cell(r.question, r.headings, r.cells, embedder) for r in choose]),
        ):
            right = sum(cell == row.gold for cell, row in zip(told, choose, strict=True))
            silent = told.count(-1)
            wrong = len(choose) - right - silent
            print(f"  {what}: {len(choose)} rows, {right} right, {wrong} wrong, {silent} not told")
    return 0


def _learnt(rows: Sequence[Row], embedder: TextEmbedder | None) -> Floats:
    seen = [
        (
            torch.tensor(observed(row.question, row.headings, row.cells, embedder)),
            torch.tensor(open_cells(row.question, row.cells)),
            row.gold,
        )
        for row in rows
    ]
    can_be = [(values, open_, gold) for values, open_, gold in seen if open_[gold]]
    weights = torch.zeros(len(OBSERVATIONS))

    def wrong() -> torch.Tensor:
        missed = torch.zeros(())
        for values, open_, gold in can_be:
            scores = (values @ weights).masked_fill(~open_, -torch.inf)
            missed = missed - torch.log_softmax(scores, 0)[gold]
        return missed / len(can_be) + _DECAY * weights.square().sum()

    fit((weights,), wrong)
    found: Floats = weights.detach().numpy()
    return found


def _rows(library: Path, split: str) -> Iterator[Row]:
    for manual in labelled_manuals(library, split):
        for told in manual.questions:
            best = manual.best_unit(told) if is_plain(told) else None
            if best is None or best.unit.kind != "row" or len(best.unit.cells) < 2:
                continue
            cells = tuple(best.unit.text.split(CELL_SEPARATOR))
            gold = _gold(told, best, cells)
            if gold is not None:
                headings = tuple(column_headings(best.unit.context))
                yield Row(Question.parse(told["question"]), headings, cells, gold)


def _gold(told: dict[str, Any], best: BestUnit, cells: Sequence[str]) -> int | None:
    """Return the only cell that has the value of a label, else the one with all its words."""
    for answer in told["answers"]:
        value = _plain(answer.get("value", ""))
        holding = [at for at, cell in enumerate(cells) if value in _plain(cell)] if value else []
        if len(holding) == 1:
            return holding[0]
    words = next((words for page, words in places(told) if page == best.page), frozenset[int]())
    holding = [at for at, cell in enumerate(best.unit.cells) if words & set(cell)]
    return holding[0] if len(holding) == 1 and words <= set(best.unit.indices) else None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


if __name__ == "__main__":
    sys.exit(main())
