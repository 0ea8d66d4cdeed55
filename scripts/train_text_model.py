"""Teach the text model of equipment manuals, and write what it learnt as an adapter.

    python -m scripts.train_text_model OUT.safetensors [--epochs 4] [--held-out 10]

It learns from the manuals in `scripts/text_model/manuals`. One manual in so many is left out and
says, before and after every time through, how often the right passage of the manual is first.
Some twenty minutes on two cores. Afterwards put the file into `resources/text_model`, its hash
into `desktop/models/minilm_files.py`, and fit the rankings again: `scripts/fit_ranking.py`.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from safetensors.torch import save_file

from desktop.models import minilm_files
from scripts.text_model.lessons import (
    MOST_QUESTION_TOKENS,
    MOST_TOKENS,
    late_interaction,
    lessons,
    lessons_in,
    loss,
)
from scripts.text_model.network import Network
from scripts.text_model.written_manuals import held_out_of, read_manuals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scripts.text_model.written_manuals import Manual

_FULL_RATE = 5e-4
_RANK = 16
_LARGEST_STEP = 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write; returns the exit code."""
    options = _options(arguments)
    torch.manual_seed(options.seed)
    manuals = read_manuals()
    held_out = held_out_of(manuals, options.held_out)
    taught = [manual for manual in manuals if manual not in held_out]
    network = Network(minilm_files.folder(), _RANK)
    print(f"{len(taught)} manuals to learn from, {len(held_out)} left out")
    print("before:", _figures(network, held_out), flush=True)
    _train(network, taught, held_out, options)
    save_file(network.factors(), options.out)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=int, default=4, help="times through all manuals")
    parser.add_argument("--held-out", type=int, default=10, help="one manual in so many; 0: none")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def _train(
    network: Network,
    taught: Sequence[Manual],
    held_out: Sequence[Manual],
    options: argparse.Namespace,
) -> None:
    chance = random.Random(options.seed)
    steps = options.epochs * lessons_in(taught)
    optimiser = torch.optim.AdamW(network.learnt, lr=_FULL_RATE, weight_decay=0.01)
    plan = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _rate(step, steps))
    for epoch in range(options.epochs):
        began, total = time.monotonic(), 0.0
        network.train(on=True)
        for lesson in lessons(taught, chance):
            optimiser.zero_grad()
            wrong = loss(network, lesson)
            wrong.backward()  # type: ignore[no-untyped-call] # torch does not say
            torch.nn.utils.clip_grad_norm_(network.learnt, _LARGEST_STEP)
            optimiser.step()
            plan.step()
            total += wrong.item()
        mean, seconds = total / lessons_in(taught), time.monotonic() - began
        figures = _figures(network, held_out)
        print(f"{epoch + 1}: loss {mean:.3f}, {seconds:.0f} s, {figures}", flush=True)


def _rate(step: int, steps: int) -> float:
    """Return the share of the full learning rate: up over a tenth of the steps, then a cosine."""
    warm = max(1, steps // 10)
    if step < warm:
        return (step + 1) / warm
    return 0.05 + 0.475 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm)))


@torch.no_grad()
def _figures(network: Network, manuals: Sequence[Manual]) -> str:
    """Say how often the passage that answers is the first of its manual."""
    network.train(on=False)
    first: dict[str, list[bool]] = {}
    for manual in manuals:
        passages = network.read([passage.read for passage in manual], MOST_TOKENS)
        for place, passage in enumerate(manual):
            for kind, texts in (("same language", passage.q), ("other language", passage.x)):
                if not texts:
                    continue
                asked = network.read(texts, MOST_QUESTION_TOKENS)
                whole = asked.whole @ passages.whole.T
                late = late_interaction(asked, passages)
                first.setdefault(f"whole, {kind}", []).extend(whole.argmax(1) == place)
                first.setdefault(f"late, {kind}", []).extend(late.argmax(1) == place)
    return ", ".join(
        f"{kind} {sum(hits) / len(hits):.3f} of {len(hits)}" for kind, hits in first.items()
    )


if __name__ == "__main__":
    sys.exit(main())
