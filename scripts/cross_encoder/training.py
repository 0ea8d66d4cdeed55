"""How a cross-encoder learns from batches, whatever it learns."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import torch
from torch import nn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scripts.cross_encoder.network import CrossEncoder

Batch = TypeVar("Batch")

_WARM, _LEAST = 80, 0.03
_DECAY, _CLIP = 0.02, 1.0
_KEPT, _KEPT_FROM = 0.995, 0.5


def train(
    network: CrossEncoder,
    epochs: Sequence[Sequence[Batch]],
    wrong: Callable[[Batch], torch.Tensor],
    *,
    rate: float,
    rounds_from: float,
) -> None:
    """Go through the batches of each epoch; ends with the mean of the last half of the steps.

    That carries further than the last step. wrong: how wrong the network is on a batch. rate: the
    highest. rounds_from: the share of the steps after which matrices are rounded.
    """
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=_DECAY)
    steps, step = sum(map(len, epochs)), 0
    mean: dict[str, torch.Tensor] = {}
    began = time.monotonic()
    network.train()
    for batches in epochs:
        told = []
        for batch in batches:
            network.rounds = step >= rounds_from * steps
            for group in optimiser.param_groups:
                group["lr"] = rate * _share(step, steps)
            optimiser.zero_grad(set_to_none=True)
            much = wrong(batch)
            much.backward()
            nn.utils.clip_grad_norm_(network.parameters(), _CLIP)
            optimiser.step()
            step += 1
            told.append(much.item())
            if step >= _KEPT_FROM * steps:
                _take_in(network, mean)
        print(
            f"{step} of {steps}: {np.mean(told):.3f}, {time.monotonic() - began:.0f} s", flush=True
        )
    network.load_state_dict(mean)


def _take_in(network: nn.Module, mean: dict[str, torch.Tensor]) -> None:
    with torch.no_grad():
        for name, values in network.state_dict().items():
            if name in mean:
                mean[name].lerp_(values, 1 - _KEPT)
            else:
                mean[name] = values.clone()


def _share(step: int, steps: int) -> float:
    """Return the share of the full rate: up at first, then a cosine."""
    cosine = 0.5 * (1 + math.cos(math.pi * step / steps))
    return min(1.0, (step + 1) / _WARM) * (_LEAST + (1 - _LEAST) * cosine)
